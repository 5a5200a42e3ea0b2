package import Model

extension ExportFormat {
    /// The writer of each format, which is one type in a folder of its own. The compiler requires a
    /// line for each format.
    ///
    /// - Parameters:
    ///   - dialect: how CSV is written.
    ///   - zipped: whether CSV files go into one archive.
    package func writer(dialect: CSVDialect = .standard, zipped: Bool = false) -> any ExportWriter {
        switch self {
        case .csv: CSVWriter(dialect: dialect, zipped: zipped)
        case .xml: XMLWriter()
        case .json: JSONDocumentWriter()
        case .ics: CalendarWriter()
        case .sqlite: SQLiteWriter()
        case .xlsx: XLSXWriter()
        // The check of a pack gives no export of sheets such a format.
        case .pdf, .zip: preconditionFailure("\(self) is not a format of sheets")
        }
    }
}
