/// A kind of file or folder that records come from: one type in `Formats/` and one line in `ImportFormats.all`. Most are tables that mappings read
/// (`TableFormat`); a few hold rows of a pack's own entities (`SourceFormat`).
package protocol ImportFormat: SendableMetatype {
    /// Machine name, as `fichero describe` tells it and an import is recorded with.
    static var kind: String { get }
    /// Bounds that are this format's own, declared beside it (`FormatLimits`).
    static var bounds: [ReadingBound] { get }
}

extension ImportFormat {
    package static var bounds: [ReadingBound] { [] }
}

/// A kind of file with tables that know nothing of a pack.
package protocol TableFormat: ImportFormat {
    /// Whether a mapping that takes one such kind takes the same sheets in any other.
    static var isWorkbook: Bool { get }
    /// By content; a name or an ending says nothing.
    static func recognises(_ head: FileHead) -> Bool
    static func open(_ head: FileHead, _ options: TableOptions) throws -> any TableFile
}

extension TableFormat {
    package static var isWorkbook: Bool { false }
}

/// Every kind of file or folder that can be imported, in the order in which they are asked.
package enum ImportFormats {
    package static let all: [any ImportFormat.Type] = [
        PackageFormat.self,
        AppFolderFormat.self,
        SubmissionsFile.self,
        JSONFormat.self,
        DXFFormat.self,
        ODSFile.self,
        XLSXFile.self,
        AccessFile.self,
        SQLiteFile.self,
        XLSFile.self,
        XML2003File.self,
        HTMLFile.self,
        XMLFile.self,
        // The marks of a dBase file are few: after all that know theirs for certain.
        DBFFile.self,
        // Any text is a CSV file of sorts, so this comes last.
        CSVFile.self,
    ]
}
