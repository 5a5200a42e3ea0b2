import JSONReading
import Model

/// Walks through submissions and reports the table, row and column of each value. If a row contains
/// a value twice, its line is rejected; a document is rejected as a whole.
class SubmissionWalk: JSONRowHandler {
    private enum Kind {
        case row, group
        /// A list of which no element has been read yet.
        case list
        case rows
    }

    private struct Open {
        var kind: Kind
        /// For a list of rows, the table of the rows.
        var table: Int
        /// Start of the row's paths in `name`, and end of the open container's path.
        var start: Int
        var end: Int
    }

    let path: String
    private let layout: JSONRows.Layout
    private(set) var tables: SubmissionTables
    private(set) var failure: (any Failure)?
    /// Number of the line, or of the submission in a document.
    private(set) var line = 0
    private let limits: TableLimits
    private var open: [Open] = []
    private var name: [UInt8] = []
    /// The line's text. Writing it reveals duplicate keys, and a list of plain values is a part of
    /// it.
    private var text: JSONTextWriter
    /// For a list that is one value: the number of its open containers, its start, and its column.
    private var plainDepth = 0
    private var plain = (start: 0, table: 0, column: 0, isElement: false)

    /// Whether to stop reading lines for now.
    var isFull: Bool { failure != nil }

    init(path: String, layout: JSONRows.Layout, tables: SubmissionTables, limits: TableLimits) {
        (self.path, self.layout, self.tables, self.limits) = (path, layout, tables, limits)
        text = JSONTextWriter(limits: limits.json)
    }

    // MARK: Results, for subclasses

    func begin(_ table: Int) {}
    func set(_ kind: ForeignBatch.Kind, _ table: Int, _ column: Int, _ bytes: Span<UInt8>) {}
    func end(_ table: Int) {}
    func endLine() {}
    func reject(_ reason: String, _ line: Span<UInt8>, number: Int) {}

    final func add(rows: Int, to table: Int) { tables.add(rows: rows, to: table) }

    /// Reads lines until `isFull`.
    final func read(_ rows: JSONRows) throws {
        do throws(JSONMistake) {
            try rows.next()
        } catch {
            throw failure
                ?? ImportFailure.brokenFile(
                    Place(file: path, line: error.line, column: error.column), reason: "\(error.reason)")
        }
        if let failure { throw failure }
    }

    /// The file's submissions from its start.
    final func lines() throws -> JSONRows {
        let bytes = try FileStream(path: path)
        return JSONRows(layout: layout, limits: limits.json, taker: self) { try bytes.read(into: &$0, from: $1) }
    }

    // MARK: JSONRowHandler

    final func beginRow(_ row: JSONRows.Row) {
        line = layout == .document ? line + 1 : row.line
        name.removeAll(keepingCapacity: true)
        text.removeAll()
        try? text.take(.startObject, Span())
        plainDepth = 0
        open = [Open(kind: .row, table: 0, start: 0, end: 0)]
        beginRow(of: 0)
    }

    final func endRow(line: Span<UInt8>) {
        end(0)
        endLine()
    }

    final func take(_ mistake: JSONMistake, line: Span<UInt8>) {
        if failure == nil { failure = JSONRowCells.beyond(mistake.reason, at: mistake.place(in: path)) }
        reject("\(mistake.reason)", line, number: mistake.line)
    }

    final func take(_ event: JSONEvent, _ bytes: Span<UInt8>) throws(JSONMistake.Reason) {
        try text.take(event, bytes)
        if plainDepth > 0 { return endsPlain(event) ? setPlain() : () }
        guard let last = open.last else { return }
        switch event {
        case .key:
            guard bytes.count > 0 else { throw .malformed("a member without a name") }
            nameMember(bytes, last)
        case .startObject: try openObject(last)
        case .startArray: try openList(last)
        case .endObject:
            open.removeLast()
            if last.kind == .row { end(last.table) }
        case .endArray: open.removeLast()
        case .null, .yes, .no, .number, .string:
            if let kind = ForeignBatch.Kind(event) { try setValue(kind, bytes, last) }
        }
    }

    private func nameMember(_ bytes: Span<UInt8>, _ last: Open) {
        name.removeLast(name.count - last.end)
        if last.end > last.start { name.append(UInt8(ascii: "/")) }
        let skipped = last.kind == .row ? prefix(tables.all[last.table].prefix, of: bytes) : 0
        unsafe bytes.extracting(droppingFirst: skipped).withUnsafeBufferPointer { unsafe name.append(contentsOf: $0) }
    }

    /// Number of bytes of a name that repeat the path of the repeat.
    private func prefix(_ prefix: [UInt8], of name: Span<UInt8>) -> Int {
        guard name.count > prefix.count else { return 0 }
        for index in prefix.indices where prefix[index] != name[index] { return 0 }
        return prefix.count
    }

    private func openObject(_ last: Open) throws(JSONMistake.Reason) {
        switch last.kind {
        case .row, .group: return open.append(Open(kind: .group, table: last.table, start: last.start, end: name.count))
        case .list:
            let name = name
            let part = try orFail { () throws(TableFailure) in
                try tables.part(of: last.table, at: name.span.extracting(last.start...), line: line)
            }
            open[open.count - 1] = Open(kind: .rows, table: part, start: name.count, end: name.count)
        case .rows: break
        }
        let table = open[open.count - 1].table
        open.append(Open(kind: .row, table: table, start: name.count, end: name.count))
        beginRow(of: table)
    }

    private func openList(_ last: Open) throws(JSONMistake.Reason) {
        switch last.kind {
        case .row, .group:
            plain.start = text.bytes.count - 1
            open.append(Open(kind: .list, table: last.table, start: last.start, end: name.count))
        case .list: try beginPlain(last, depth: 2)
        case .rows:
            plain.start = text.bytes.count - 1
            try beginElement(last)
            plainDepth = 1
        }
    }

    private func setValue(_ kind: ForeignBatch.Kind, _ bytes: Span<UInt8>, _ last: Open) throws(JSONMistake.Reason) {
        switch last.kind {
        case .row, .group: set(kind, last.table, try column(last), bytes)
        case .list: try beginPlain(last, depth: 1)
        case .rows:
            try beginElement(last)
            set(kind, plain.table, plain.column, bytes)
            end(plain.table)
        }
    }

    private func beginRow(of table: Int) {
        tables.beginRow(table)
        begin(table)
    }

    // MARK: Lists that are one value

    /// Begins a list without rows.
    private func beginPlain(_ list: Open, depth: Int) throws(JSONMistake.Reason) {
        open.removeLast()
        (plain.table, plain.column, plain.isElement) = (list.table, try column(list), false)
        plainDepth = depth
    }

    /// Begins a row with one value, for an element among rows that is not an object.
    private func beginElement(_ rows: Open) throws(JSONMistake.Reason) {
        beginRow(of: rows.table)
        let column = try orFail { () throws(TableFailure) in try tables.elementColumn(rows.table, line: line) }
        (plain.table, plain.column, plain.isElement) = (rows.table, column ?? 0, true)
    }

    private func endsPlain(_ event: JSONEvent) -> Bool {
        switch event {
        case .startObject, .startArray: plainDepth += 1
        case .endObject, .endArray: plainDepth -= 1
        default: break
        }
        return plainDepth == 0
    }

    private func setPlain() {
        let written = text.bytes
        set(.text, plain.table, plain.column, written.span.extracting(plain.start...))
        if plain.isElement { end(plain.table) }
    }

    /// The column of the last named member.
    private func column(_ last: Open) throws(JSONMistake.Reason) -> Int {
        let name = name
        let column = try orFail { () throws(TableFailure) in
            try tables.column(last.table, name.span.extracting(last.start...), line: line)
        }
        guard let column else { throw .duplicateKey(String(utf8: name.span.extracting(last.start...))) }
        return column
    }

    private func orFail<Value>(_ body: () throws(TableFailure) -> Value) throws(JSONMistake.Reason) -> Value {
        do throws(TableFailure) { return try body() } catch {
            failure = error
            throw .malformed("beyond a bound")
        }
    }
}

/// Finds the tables of a file, their columns, and the rejected lines.
final class SubmissionOutline: SubmissionWalk {
    private(set) var rejected = LineSet()
    /// Number of rows of the current line, by table.
    private var rows: [Int: Int] = [:]

    init(path: String, layout: JSONRows.Layout, limits: TableLimits) {
        super.init(path: path, layout: layout, tables: SubmissionTables(path: path, limits: limits), limits: limits)
    }

    func readAll() throws { try read(lines()) }

    override func begin(_ table: Int) { rows[table, default: 0] += 1 }

    override func endLine() {
        for (table, count) in rows { add(rows: count, to: table) }
        rows.removeAll(keepingCapacity: true)
    }

    override func reject(_ reason: String, _ line: Span<UInt8>, number: Int) {
        rejected.insert(number)
        rows.removeAll(keepingCapacity: true)
    }
}
