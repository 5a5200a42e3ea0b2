import JSONReading
import Model

/// Walks through a document of keys and values and reports the table and the column of each value.
///
/// - A list is a table, named by its path (`datos/habits`). Its objects are rows, with a column
///   for each member. Any other element is a row with the column `value`.
/// - An object outside of lists is a table with one row of its plain members.
/// - An object listed in the mapping (`keyed`) has a row for each member, and for each element of
///   lists among its members. The first column has the member's key.
///
/// Lists and objects within a row become one value, as JSON.
class JSONTableWalk: JSONEventHandler {
    private enum Container {
        /// - hasRow: whether a plain member has begun its row.
        case object(hasRow: Bool)
        case list
        case keyed
        /// A list that is a member of a keyed object.
        case keyedList(key: String)
    }

    private struct Open {
        var kind: Container
        var path: String
        /// Names of its members so far; unused for a keyed object, which may have many.
        var names: Set<String> = []
    }

    /// The column of a row that is not an object.
    static let value = "value"

    let document: TableDocument
    private(set) var failure: (any Failure)?
    private var open: [Open] = []
    private var name = ""
    /// Number of open lists and objects in the row, including the row itself; 0 outside of rows.
    private var depth = 0
    private var isRowOfMembers = false
    /// The column for the row's key, in a keyed object.
    private var heading: String?
    private var rowOffset = 0
    /// Start of the current member's value in `text`.
    private var memberStart = 0
    /// Whether the next text describes something that is not a value.
    private var isError = false
    /// Whether the row's open list or object contains such a text, and so is an error as well.
    private var holdsError = false
    /// The row as JSON text. Writing it reveals duplicate keys, and the value of a nested list or
    /// object is copied from it.
    private var text: JSONTextWriter

    var isFull: Bool { failure != nil }

    init(_ document: TableDocument) {
        self.document = document
        text = JSONTextWriter(limits: document.limits.json)
    }

    // MARK: Results, for subclasses

    /// Called for each table, which may be empty.
    func found(_ table: String) throws(TableFailure) {}
    /// Called before values of a table: its new row or, outside of lists, the row of the object.
    func turn(to table: String) {}
    func name(_ column: Span<UInt8>) throws(TableFailure) {}
    /// The value of the last named column.
    func set(_ kind: ForeignBatch.Kind, _ bytes: Span<UInt8>) {}
    func end() {}

    // MARK: Reading

    final func read(_ events: any TableEvents) throws {
        do {
            try events.next()
        } catch {
            throw failure ?? error
        }
        if let failure { throw failure }
    }

    /// Appends an error cell with a description of what is not a value, such as bytes.
    final func takeError(_ words: Span<UInt8>, at offset: Int) throws(JSONMistake.Reason) {
        isError = true
        defer { isError = false }
        try take(.string, words, at: offset)
    }

    final func take(_ event: JSONEvent, _ bytes: Span<UInt8>, at offset: Int) throws(JSONMistake.Reason) {
        if depth > 0 { return try takeWithin(event, bytes, at: offset) }
        switch event {
        case .key:
            name = String(utf8: bytes)
            if case .keyed? = open.last?.kind { return }
            if let last = open.indices.last, !open[last].names.insert(name).inserted { throw .duplicateKey(name) }
        case .startObject, .startArray: try openContainer(event, at: offset)
        case .endObject, .endArray:
            if let closed = open.popLast(), case .object(hasRow: true) = closed.kind {
                turn(to: closed.path)
                end()
            }
        case .null, .yes, .no, .number, .string: try takePlain(event, bytes)
        }
    }

    /// The path of the next value.
    private var nextPath: String {
        guard let last = open.last else { return "" }
        let own = name.replacing("~", with: "~0").replacing("/", with: "~1")
        return last.path.isEmpty ? own : last.path + "/" + own
    }

    private func openContainer(_ event: JSONEvent, at offset: Int) throws(JSONMistake.Reason) {
        let isList = event == .startArray
        switch open.last?.kind {
        case nil, .object?:
            let path = nextPath
            let isKeyed = !isList && document.keyed[path] != nil
            if isList || isKeyed { try orFail { () throws(TableFailure) in try found(path) } }
            open.append(Open(kind: isList ? .list : isKeyed ? .keyed : .object(hasRow: false), path: path))
        case .keyed? where isList: open.append(Open(kind: .keyedList(key: name), path: open.last?.path ?? ""))
        case .list?, .keyed?, .keyedList?:
            try beginRow()
            rowOffset = offset
            text.removeAll()
            isRowOfMembers = !isList
            if isList {
                try nameColumn(Array(Self.value.utf8).span)
                memberStart = 0
            }
            try text.take(event, Span())
            depth = 1
        }
    }

    /// A value that is neither a list nor an object, outside of a row.
    private func takePlain(_ event: JSONEvent, _ bytes: Span<UInt8>) throws(JSONMistake.Reason) {
        guard case .object(let hasRow)? = open.last?.kind else {
            if open.isEmpty { try orFail { () throws(TableFailure) in try found("") } }
            try beginRow()
            try nameColumn(Array(Self.value.utf8).span)
            setPlain(event, bytes)
            return end()
        }
        if !hasRow {
            let path = open[open.count - 1].path
            open[open.count - 1].kind = .object(hasRow: true)
            try orFail { () throws(TableFailure) in try found(path) }
        }
        turn(to: open[open.count - 1].path)
        try nameColumn(Array(name.utf8).span)
        setPlain(event, bytes)
    }

    /// Begins a row of a list or a keyed object; in the latter, with the member's key.
    private func beginRow() throws(JSONMistake.Reason) {
        let path = open.last?.path ?? ""
        turn(to: path)
        heading = nil
        let key: String
        switch open.last?.kind {
        case .keyed?: key = name
        case .keyedList(let own)?: key = own
        default: return
        }
        let heading = document.keyed[path] ?? Self.value
        try nameColumn(Array(heading.utf8).span)
        set(.text, Array(key.utf8).span)
        self.heading = heading
    }

    private func takeWithin(_ event: JSONEvent, _ bytes: Span<UInt8>, at offset: Int) throws(JSONMistake.Reason) {
        let most = document.limits.json.valueBytes
        if offset - rowOffset > most { throw .valueTooLarge(limit: most) }
        let isMember = depth == 1 && isRowOfMembers
        if isError, !isMember { holdsError = true }
        switch event {
        case .key where isMember:
            if let heading, heading.utf8.count == bytes.count, heading == String(utf8: bytes) {
                throw .duplicateKey(heading)
            }
            try nameColumn(bytes)
        case .startObject, .startArray:
            // The writer may add a comma first.
            if isMember { memberStart = text.bytes.count }
            depth += 1
        case .endObject, .endArray: depth -= 1
        default: break
        }
        try text.take(event, bytes)
        if isMember { setPlain(event, bytes) }
        switch event {
        case .endObject, .endArray:
            if depth == (isRowOfMembers ? 1 : 0) { setWritten() }
            if depth == 0 { end() }
        default: break
        }
    }

    private func setPlain(_ event: JSONEvent, _ bytes: Span<UInt8>) {
        guard let kind = ForeignBatch.Kind(event) else { return }
        set(isError ? .error : kind, bytes)
    }

    /// Sets the list or object that just ended as one value.
    private func setWritten() {
        let written = text.bytes
        set(holdsError ? .error : .text, written.span.extracting(memberStart...))
        holdsError = false
    }

    private func nameColumn(_ bytes: Span<UInt8>) throws(JSONMistake.Reason) {
        guard bytes.count > 0 else { throw .malformed("a member without a name") }
        do throws(TableFailure) { try name(bytes) } catch { try fail(error) }
    }

    private func orFail(_ body: () throws(TableFailure) -> Void) throws(JSONMistake.Reason) {
        do throws(TableFailure) { try body() } catch { try fail(error) }
    }

    private func fail(_ error: TableFailure) throws(JSONMistake.Reason) {
        failure = error
        throw .malformed("beyond a bound")
    }
}
