package import Model

extension ExportFormat {
    /// Who writes each format, its folder's one type: one line a format, which the compiler asks for.
    ///
    /// - Parameters:
    ///   - dialect: how CSV is written.
    ///   - zipped: whether CSV files go into one archive.
    package func writer(dialect: CSVDialect = .standard, zipped: Bool = false) -> any ExportWriter {
        switch self {
        case .csv: CSVWriter(dialect: dialect, zipped: zipped)
        case .xml: XMLWriter()
        case .sqlite: SQLiteWriter()
        // Pages and archives are made of other files, by others.
        case .xlsx, .pdf, .zip: XLSXWriter()
        }
    }
}
