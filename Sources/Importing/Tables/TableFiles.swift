import Foundation
package import Model

/// Information from the user about a file that does not contain it itself; nil: determined from the
/// contents.
package struct TableOptions: Sendable {
    package var limits = TableLimits()
    package var encoding: TextEncoding?
    /// Separator and quote of a CSV file.
    package var dialect: TextDialect?

    /// The cell separator of a CSV file, whatever the detected dialect.
    package var separator: UInt8?

    /// Kinds of files, in the order in which they are tried.
    package var kinds: [any TableFormat.Type] = TableFiles.all

    /// Whether dBase tables without their memo file are read, with empty cells for memos.
    package var isWithoutMemos = false

    /// Files in a folder that do not belong to it.
    package var own = ReplicaFiles()

    /// Patterns of names in a folder that are left out: `*` stands for any letters, `?` for one.
    package var excluded: [String] = []

    package init(
        limits: TableLimits = TableLimits(), encoding: TextEncoding? = nil, dialect: TextDialect? = nil,
        separator: UInt8? = nil
    ) {
        self.separator = separator
        self.limits = limits
        self.encoding = encoding
        self.dialect = dialect
    }
}

extension TableOptions {
    /// Says of each pattern that leaves nothing out of what is imported that it does not.
    package func unusedExclusions(in paths: [String]) -> [Finding] {
        FolderNames.unused(excluded, in: paths).map { Finding("IMPORT-EXCLUDES-NOTHING", arguments: ["name": $0]) }
    }
}

/// The kinds of file with tables.
package enum TableFiles {
    /// All kinds, in the order in which they are tried.
    package static let all: [any TableFormat.Type] = ImportFormats.all.compactMap { $0 as? any TableFormat.Type }

    /// Kinds of workbook: a mapping that takes one of them takes the same sheets in any other.
    private static let workbooks = Set(all.filter { $0.isWorkbook }.map { $0.kind })

    /// Whether a mapping accepts files of a kind; a mapping that names no kinds accepts all.
    package static func isAccepted(_ kind: String, by accepted: [String]) -> Bool {
        accepted.isEmpty || accepted.contains(kind)
            || (workbooks.contains(kind) && !workbooks.isDisjoint(with: accepted))
    }

    /// Opens a file in the format that its contents show.
    ///
    /// Throws `ImportFailure.unknownKind` where no format recognises it, `TableFailure` where it
    /// cannot be read.
    package static func open(path: String, limits: TableLimits = TableLimits()) throws -> any TableFile {
        try open(path: path, options: TableOptions(limits: limits))
    }

    /// Opens a file, or a folder: of pictures if it has nothing else, otherwise of files with tables.
    package static func openFileOrFolder(path: String, options: TableOptions = TableOptions()) throws -> any TableFile {
        var isFolder: ObjCBool = false
        guard unsafe FileManager.default.fileExists(atPath: path, isDirectory: &isFolder) else {
            throw ImportFailure.notFound(path: path)
        }
        guard isFolder.boolValue else { return try open(path: path, options: options) }
        return try PictureFolder(path: path, options: options) ?? TableFolder(path: path, options: options)
    }

    /// Throws `ImportFailure.ownBook` for a workbook that this program made: it has records that are
    /// here already, beside counts and ids that are no values of theirs.
    static func refuseOwn(_ file: any TableFile, path: String) throws {
        if let name = file.origin { throw ImportFailure.ownBook(path: path, name: name) }
    }

    /// Whether a file is delimited text, judged by as much of it as exists.
    static func mayBeText(_ path: String) -> Bool {
        guard let head = try? FileHead(path: path), let kind = all.first(where: { $0.recognises(head) }) else {
            return true
        }
        return kind.kind == CSVFile.kind
    }

    /// Throws `ImportFailure.mappingJSON` for a file that was taken for text and has a JSON object a
    /// line: text is read as a table as far as possible, but mappings read JSON only as a document.
    static func refuseLinesOfJSON(path: String, kind: String, mapping: String) throws {
        guard kind == CSVFile.kind, let location = try? SourceLocation(path: path), JSONFormat.recognises(location)
        else { return }
        throw ImportFailure.mappingJSON(path: path, mapping: mapping)
    }

    package static func open(path: String, options: TableOptions) throws -> any TableFile {
        let head = try FileHead(path: path)
        guard !head.isEmpty else { throw ImportFailure.empty(path: path) }
        // Before any kind: flat OpenDocument would pass for a page, a picture for text.
        if let found = TablelessKind.name(of: head) { throw ImportFailure.tableless(path: path, found: found) }
        guard let kind = options.kinds.first(where: { $0.recognises(head) }) else {
            if head.starts(with: [0x50, 0x4B, 0x03, 0x04]) { throw ImportFailure.archive(path: path) }
            throw ImportFailure.unknownKind(path: path, known: options.kinds.map { $0.kind })
        }
        return try kind.open(head, options)
    }
}
