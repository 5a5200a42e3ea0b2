import Foundation
/// What its user says about a file that does not say it itself; nil: found from the content.
package struct TableOptions: Sendable {
    package var limits = TableLimits()
    package var encoding: TextEncoding?
    /// Separator and quote of a CSV file.
    package var dialect: TextDialect?

    /// What separates cells of a CSV file, whatever its dialect is found to be.
    package var separator: UInt8?

    /// Kinds of file in the order in which they are asked.
    package var kinds: [any TableFormat.Type] = TableFiles.all

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

/// The kinds of file with tables.
package enum TableFiles {
    /// In the order in which they are asked.
    package static let all: [any TableFormat.Type] = ImportFormats.all.compactMap { $0 as? any TableFormat.Type }

    /// Kinds of workbook: a mapping that takes one of them takes the same sheets in any other.
    private static let workbooks = Set(all.filter { $0.isWorkbook }.map { $0.kind })

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
        return kind.kind == CSVFile.kind
    }

    package static func open(path: String, options: TableOptions) throws -> any TableFile {
        let head = try FileHead(path: path)
        guard !head.isEmpty else { throw ImportFailure.empty(path: path) }
        guard let kind = options.kinds.first(where: { $0.recognises(head) }) else {
            if head.starts(with: [0x50, 0x4B, 0x03, 0x04]) { throw ImportFailure.archive(path: path) }
            throw ImportFailure.unknownKind(path: path, known: options.kinds.map { $0.kind })
        }
        return try kind.open(head, options)
    }
}
