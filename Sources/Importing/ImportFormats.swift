/// A kind of file or folder that records come from: one type in `Formats/` and one line in
/// `ImportFormats.all`. Most contain tables that mappings read (`TableFormat`); a few contain rows
/// of a pack's own entities (`SourceFormat`).
package protocol ImportFormat: SendableMetatype {
    /// Machine name, as `fichero describe` shows it and an import records it.
    static var kind: String { get }
    /// Limits of this format alone, declared beside it (`FormatLimits`).
    static var bounds: [ReadingBound] { get }
}

extension ImportFormat {
    package static var bounds: [ReadingBound] { [] }
}

/// A kind of file with tables that do not follow a pack.
package protocol TableFormat: ImportFormat {
    /// Whether the format is a workbook: a mapping that accepts one kind of workbook accepts the
    /// same sheets in any other.
    static var isWorkbook: Bool { get }
    /// Recognises the format by content; the file's name and ending are ignored.
    static func recognises(_ head: FileHead) -> Bool
    static func open(_ head: FileHead, _ options: TableOptions) throws -> any TableFile
}

extension TableFormat {
    package static var isWorkbook: Bool { false }
}

/// Every kind of file or folder that can be imported, in the order in which they are tried.
package enum ImportFormats {
    package static let all: [any ImportFormat.Type] = [
        PackageFormat.self,
        AppFolderFormat.self,
        SubmissionsFile.self,
        JSONFormat.self,
        JSONTables.self,
        DXFFormat.self,
        ODSFile.self,
        XLSXFile.self,
        AccessFile.self,
        SQLiteFile.self,
        XLSFile.self,
        PropertyListFormat.self,
        XML2003File.self,
        HTMLFile.self,
        XMLFile.self,
        // The signature of a dBase file is short, so this comes after all formats with a certain
        // one.
        DBFFile.self,
        // Any text could be a CSV file, so this comes last.
        CSVFile.self,
    ]
}
