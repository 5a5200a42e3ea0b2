import Foundation
import JSONReading
import Model

/// The rows of one table of a document, numbered from 1.
final class JSONTableRows: JSONTableWalk, ForeignRows {
    private let table: String
    private var columns: NamedColumnList
    private let width: Int
    private var batch = ForeignBatch()
    /// Events that have not been read yet; nil once the document has ended.
    private var rest: (any TableEvents)?
    /// Whether the following values belong to this table.
    private var isOwn = false
    private var column = -1
    private var row = 0

    override var isFull: Bool { super.isFull || batch.isFull }

    init(_ table: JSONTableOutline.Table, of document: TableDocument) throws {
        (self.table, columns, width) = (table.path, table.columns, table.columns.names.count)
        super.init(document)
        rest = try document.events(for: self)
    }

    func fill(_ batch: inout ForeignBatch) throws {
        batch.removeAll()
        swap(&batch, &self.batch)
        defer { swap(&batch, &self.batch) }
        guard let events = rest else { return }
        try read(events)
        if !self.batch.isFull { rest = nil }
    }

    override func turn(to table: String) { (isOwn, column) = (table == self.table, -1) }

    override func name(_ column: Span<UInt8>) throws(TableFailure) {
        guard isOwn else { return }
        self.column = try columns.column(of: column, after: self.column, line: row + 1)
    }

    override func set(_ kind: ForeignBatch.Kind, _ bytes: Span<UInt8>) {
        // A column added after the survey of the file is ignored: an import fails anyway when its
        // source changes.
        if isOwn, column < width { batch.set(kind, at: column, bytes) }
    }

    override func end() {
        guard isOwn else { return }
        isOwn = false
        row += 1
        batch.endRow(number: row)
    }
}

/// Finds the tables of a document and their columns.
final class JSONTableOutline: JSONTableWalk {
    struct Table {
        let path: String
        fileprivate(set) var columns: NamedColumnList
    }

    private(set) var tables: [Table] = []
    private var places: [String: Int] = [:]
    private var current = 0
    private var column = -1

    func readAll() throws { try read(document.events(for: self)) }

    override func found(_ table: String) throws(TableFailure) {
        guard places[table] == nil else { return }
        let limits = document.limits
        guard tables.count < limits.tables else {
            throw .tooLarge(Place(file: document.path), kind: document.kind, limit: "tables \(limits.tables)")
        }
        places[table] = tables.count
        tables.append(Table(path: table, columns: NamedColumnList(path: document.path, limit: limits.columns)))
    }

    override func turn(to table: String) { (current, column) = (places[table] ?? 0, -1) }

    override func name(_ column: Span<UInt8>) throws(TableFailure) {
        self.column = try tables[current].columns.column(of: column, after: self.column, line: 1)
    }
}

/// A document of keys and values (JSON or a property list) whose tables do not follow a pack. Its
/// tables are lists under keys, at any depth outside of rows. A list that is the whole document has
/// the file's name.
///
/// The document is read twice: for its tables and columns, then for the rows of each requested
/// table.
package final class JSONTables: TableFormat, TableFile {
    package static let kind = "json-tables"
    package private(set) var tables: [ForeignTable] = []
    let document: TableDocument

    package var contentKind: String { document.kind }

    package static func recognises(_ head: FileHead) -> Bool {
        guard let location = try? SourceLocation(path: head.path), JSONFormat.recognises(location) else { return false }
        // A file of one object a line is not a document.
        guard JSONLayout.detect(head.bytes, isWhole: head.size == head.bytes.count, limits: .standard) == .lines else {
            return true
        }
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
            ForeignTable(name: table.path.isEmpty ? whole : table.path, columns: table.columns.names) {
                try JSONTableRows(table, of: document)
            }
        }
    }

    /// The same document, with the members of these objects as rows.
    func keyed(by keyed: [String: String]) throws -> JSONTables {
        var document = document
        document.keyed = keyed
        return try JSONTables(document)
    }
}

/// A document of keys and values whose tables are found by walking through it, with the mapping's
/// settings for it.
struct TableDocument {
    let path: String
    /// The content of a property list; nil for JSON.
    var list: PropertyListValues?
    /// Objects whose members are rows, by path, with the name of the column for the members' keys.
    var keyed: [String: String] = [:]
    /// Whether it is a map, whose features are rows.
    var holdsFeatures = false
    let limits: TableLimits

    var kind: String {
        holdsFeatures ? GeoJSONFormat.kind : list == nil ? JSONTables.kind : PropertyListFormat.kind
    }

    /// The document's events from its start. The walk must outlive the result.
    func events(for walk: JSONTableWalk) throws -> any TableEvents {
        if let list { return PropertyListEvents(list, path: path, limits: limits.json, walk: walk) }
        return try JSONTableEvents(
            path: path, limits: limits.json, taker: holdsFeatures ? FeatureEvents(walk) : walk)
    }
}

/// A document that is read event by event, as calls to a `JSONTableWalk`.
protocol TableEvents {
    /// Passes on events until the walk is full or the document ends.
    ///
    /// Throws `TableFailure` and `ImportFailure.brokenFile`, with the place.
    func next() throws
}

/// The events of a JSON file.
private struct JSONTableEvents: TableEvents {
    private let path: String
    private let events: JSONEvents

    init(path: String, limits: JSONLimits, taker: any JSONEventHandler) throws {
        self.path = path
        let bytes = try FileStream(path: path)
        events = try JSONEvents(limits: limits, taker: taker) { try bytes.read(into: &$0, from: 0) }
    }

    func next() throws {
        do throws(JSONMistake) {
            try events.next()
        } catch {
            let place = error.place(in: path)
            throw JSONRowCells.beyond(error.reason, at: place)
                ?? ImportFailure.brokenFile(place, reason: "\(error.reason)")
        }
    }
}
