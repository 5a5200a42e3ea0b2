import Foundation
package import Model

/// Settings from the user for reading a file; nil: determined from its contents.
package struct TableOptions: Sendable {
    package var limits = TableLimits()
    package var encoding: TextEncoding?
    /// Separator and quote of a CSV file.
    package var dialect: TextDialect?

    /// The separator of a CSV file's cells; overrides that of the dialect.
    package var separator: UInt8?

    /// Formats in the order in which they are tried.
    package var kinds: [any TableFormat.Type] = TableFiles.all

    /// Whether dBase tables without their memo file are read, with empty cells for memos.
    package var isWithoutMemos = false

    /// The replica's files, which are skipped in an imported folder.
    package var own = ReplicaFiles()

    /// Patterns of names to exclude in a folder: `*` matches any letters, `?` one.
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
    /// Reports exclusion patterns that match nothing in the imported paths.
    package func unusedExclusions(in paths: [String]) -> [Finding] {
        FolderNames.unused(excluded, in: paths).map { Finding("IMPORT-EXCLUDES-NOTHING", arguments: ["name": $0]) }
    }
}

/// The kinds of file with tables.
package enum TableFiles {
    /// All formats, in the order in which they are tried.
    package static let all: [any TableFormat.Type] = ImportFormats.all.compactMap { $0 as? any TableFormat.Type }

    /// Kinds of workbooks: a mapping that accepts one of them accepts the same sheets in any other.
    private static let workbooks = Set(all.filter { $0.isWorkbook }.map { $0.kind })

    /// Whether a mapping accepts files of a kind; a mapping without kinds accepts all.
    package static func isAccepted(_ kind: String, by accepted: [String]) -> Bool {
        accepted.isEmpty || accepted.contains(kind)
            || (workbooks.contains(kind) && !workbooks.isDisjoint(with: accepted))
    }

    /// Opens a file in the format detected from its contents.
    ///
    /// Throws `ImportFailure.unknownKind` if no format recognises it, `TableFailure` if it cannot
    /// be read.
    package static func open(path: String, limits: TableLimits = TableLimits()) throws -> any TableFile {
        try open(path: path, options: TableOptions(limits: limits))
    }

    /// Opens a file, a folder of only pictures, or a folder of files with tables.
    package static func openFileOrFolder(path: String, options: TableOptions = TableOptions()) throws -> any TableFile {
        var isFolder: ObjCBool = false
        guard unsafe FileManager.default.fileExists(atPath: path, isDirectory: &isFolder) else {
            throw ImportFailure.notFound(path: path)
        }
        guard isFolder.boolValue else { return try open(path: path, options: options) }
        return try PictureFolder(path: path, options: options) ?? TableFolder(path: path, options: options)
    }

    /// Throws `ImportFailure.ownBook` for a workbook that this program wrote. Its records are
    /// already in the replica, and it also contains counts and ids that are not values of records.
    package static func refuseOwn(_ file: any TableFile, path: String) throws {
        if let origin = file.origin { throw ImportFailure.ownBook(path: path, name: origin.name) }
    }

    /// Whether a file may be delimited text; also true if it cannot be read or its kind is unknown.
    static func mayBeText(_ path: String) -> Bool {
        guard let head = try? FileHead(path: path), let kind = all.first(where: { $0.recognises(head) }) else {
            return true
        }
        return kind.kind == CSVFile.kind
    }

    /// Throws `ImportFailure.mappingJSON` for a file read as text whose lines are JSON objects.
    /// Text is read as a table if possible, but mappings read JSON only as a document.
    package static func refuseLinesOfJSON(path: String, kind: String, mapping: String) throws {
        guard kind == CSVFile.kind, let location = try? SourceLocation(path: path), JSONFormat.recognises(location)
        else { return }
        throw ImportFailure.mappingJSON(path: path, mapping: mapping)
    }

    package static func open(path: String, options: TableOptions) throws -> any TableFile {
        let head = try FileHead(path: path)
        guard !head.isEmpty else { throw ImportFailure.empty(path: path) }
        // This is checked before any format, because flat OpenDocument would pass for a page and a
        // picture for text.
        if let found = TablelessKind.name(of: head) { throw ImportFailure.tableless(path: path, found: found) }
        guard let kind = options.kinds.first(where: { $0.recognises(head) }) else {
            if head.starts(with: [0x50, 0x4B, 0x03, 0x04]) { throw ImportFailure.archive(path: path) }
            throw ImportFailure.unknownKind(path: path, known: options.kinds.map { $0.kind })
        }
        return try kind.open(head, options)
    }
}
