import Foundation
import JSONReading
import Model

/// A document of keys and values, JSON or a property list, with tables that do not follow a pack:
/// lists under keys, at any depth outside of rows. A list that is the whole document is called as
/// the file is.
///
/// The document is read twice, first for its tables and columns, then for the rows of each table
/// that is wanted.
package final class JSONTables: TableFormat, TableFile {
    package static let kind = "json-tables"
    package private(set) var tables: [ForeignTable] = []
    let document: TableDocument

    package var contentKind: String { document.kind }

    package static func recognises(_ head: FileHead) -> Bool {
        guard let location = try? SourceLocation(path: head.path), JSONFormat.recognises(location) else { return false }
        // One object a line is no document.
        guard JSONLayout.detect(head.bytes, isWhole: head.size == head.bytes.count, limits: .standard) == .lines else { return true }
        guard let end = head.bytes.firstIndex(of: UInt8(ascii: "\n")) else { return head.size == head.bytes.count }
        return head.size == head.bytes.count && head.bytes[end...].allSatisfy { " \t\r\n".utf8.contains($0) }
    }

    package static func open(_ head: FileHead, _ options: TableOptions) throws -> any TableFile {
        try JSONTables(path: head.path, limits: options.limits)
    }

    package convenience init(path: String, keyed: [String: String] = [:], limits: TableLimits = TableLimits()) throws {
        try self.init(TableDocument(path: path, keyed: keyed, limits: limits))
    }

    init(_ document: TableDocument) throws {
        self.document = document
        let outline = JSONTableOutline(document)
        try outline.readAll()
        let whole = URL(fileURLWithPath: document.path).deletingPathExtension().lastPathComponent
        tables = outline.tables.map { table in
            ForeignTable(name: table.path.isEmpty ? whole : table.path, columns: table.columns.names) { try JSONTableRows(table, of: document) }
        }
    }

    /// The same file, with rows in these objects.
    func keyed(by keyed: [String: String]) throws -> JSONTables {
        var document = document
        document.keyed = keyed
        return try JSONTables(document)
    }
}
