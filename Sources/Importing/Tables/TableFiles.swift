import Foundation
/// A kind of file with tables: how it is told from others, and how it is opened.
package struct TableKind: Sendable {
    package let name: String
    /// By content; a name or an ending says nothing.
    package let recognises: @Sendable (FileHead) -> Bool
    package let open: @Sendable (FileHead, TableOptions) throws -> any TableFile
}

/// What its user says about a file that does not say it itself; nil: found from the content.
package struct TableOptions: Sendable {
    package var limits = TableLimits()
    package var encoding: TextEncoding?
    /// Separator and quote of a CSV file.
    package var dialect: TextDialect?

    /// What separates cells of a CSV file, whatever its dialect is found to be.
    package var separator: UInt8?

    /// Kinds of file in the order in which they are asked.
    package var kinds: [TableKind] = TableFiles.all

    /// Whether tables of dBase whose memo file is missing are read, with empty cells for their memos.
    package var isWithoutMemos = false

    /// Files in a folder that are no part of it.
    package var own = ReplicaFiles()

    package init(limits: TableLimits = TableLimits(), encoding: TextEncoding? = nil, dialect: TextDialect? = nil, separator: UInt8? = nil) {
        self.separator = separator
        self.limits = limits
        self.encoding = encoding
        self.dialect = dialect
    }
}

/// Every kind of file with tables, in the order in which they are asked. A new kind is one line here.
package enum TableFiles {
    package static let all: [TableKind] = [
        TableKind(name: ODSFile.kind, recognises: ODSFile.recognises, open: { try ODSFile(path: $0.path, limits: $1.limits) }),
        TableKind(name: XLSXFile.kind, recognises: XLSXFile.recognises, open: { try XLSXFile(path: $0.path, limits: $1.limits) }),
        TableKind(
            name: AccessFile.kind, recognises: { AccessFile.recognises($0.bytes) },
            open: { head, options in
                try AccessFile(
                    path: head.path, encoding: options.encoding?.rawValue ?? "CP1252", limits: options.limits.access,
                    mostTables: options.limits.tables)
            }),
        TableKind(name: SQLiteFile.kind, recognises: { SQLiteFile.recognises($0.bytes) }, open: { try SQLiteFile(path: $0.path, limits: $1.limits.sqlite) }),
        TableKind(
            name: XLSFile.kind, recognises: { XLSFile.recognises($0.bytes) },
            open: { head, options in
                try XLSFile(path: head.path, limits: options.limits.xls, openXLSX: { try XLSXFile(path: $0, limits: options.limits) })
            }),
        TableKind(name: XML2003File.kind, recognises: XML2003File.recognises, open: { try XML2003File(path: $0.path, limits: $1.limits) }),
        TableKind(name: HTMLFile.kind, recognises: HTMLFile.recognises, open: { try HTMLFile($0, options: $1) }),
        TableKind(name: XMLFile.kind, recognises: XMLFile.recognises, open: { try XMLFile($0, options: $1) }),
        // The marks of a dBase file are few: after all that know theirs for certain.
        TableKind(
            name: DBFFile.kind, recognises: { DBFFile.recognises($0.bytes) },
            open: { try DBFFile(path: $0.path, encoding: $1.encoding?.rawValue, limits: $1.limits.dbf, isWithoutMemos: $1.isWithoutMemos) }),
        // Any text is a CSV file of sorts, so this comes last.
        TableKind(name: CSVFile.kind, recognises: CSVFile.recognises, open: { try CSVFile($0, options: $1) }),
    ]

    /// Kinds of workbook: a mapping that takes one of them takes the same sheets in any other.
    private static let workbooks: Set<String> = [XLSXFile.kind, XLSFile.kind, ODSFile.kind, XML2003File.kind]

    /// Whether a file of a kind is one of those that a mapping accepts; it accepts all where it names none.
    package static func isAccepted(_ kind: String, by accepted: [String]) -> Bool {
        accepted.isEmpty || accepted.contains(kind) || (workbooks.contains(kind) && !workbooks.isDisjoint(with: accepted))
    }

    /// Opens a file as what its content says it is.
    ///
    /// Throws `ImportFailure.unknownKind` where no kind knows it, `TableFailure` where it cannot be read.
    package static func open(path: String, limits: TableLimits = TableLimits()) throws -> any TableFile {
        try open(path: path, options: TableOptions(limits: limits))
    }

    /// Opens a file, or a folder of files with tables.
    package static func openFileOrFolder(path: String, options: TableOptions = TableOptions()) throws -> any TableFile {
        var isFolder: ObjCBool = false
        guard unsafe FileManager.default.fileExists(atPath: path, isDirectory: &isFolder) else { throw ImportFailure.notFound(path: path) }
        return isFolder.boolValue ? try TableFolder(path: path, options: options) : try open(path: path, options: options)
    }

    /// Whether a file is text that a separator cuts into cells, as far as it is there to be looked at.
    static func mayBeText(_ path: String) -> Bool {
        guard let head = try? FileHead(path: path), let kind = all.first(where: { $0.recognises(head) }) else { return true }
        return kind.name == CSVFile.kind
    }

    package static func open(path: String, options: TableOptions) throws -> any TableFile {
        let head = try FileHead(path: path)
        guard !head.isEmpty else { throw ImportFailure.empty(path: path) }
        guard let kind = options.kinds.first(where: { $0.recognises(head) }) else {
            if head.starts(with: [0x50, 0x4B, 0x03, 0x04]) { throw ImportFailure.archive(path: path) }
            throw ImportFailure.unknownKind(path: path, known: options.kinds.map(\.name))
        }
        return try kind.open(head, options)
    }
}
