import GRDB
import GRDBSQLite
import Model

/// The rows of one batch as SQL sees them while it is lent: statements that take many rows at once spare SQLite most of its work for each.
///
/// `fichero_cell(row, column)` is a value, `fichero_line(row)` where the row stood, `fichero_queued(row)` whether the row gets a queue item, `fichero_project(row)` its project,
/// `fichero_payload(row)` its fields that have a value, as JSON. Rows and columns count from nought.
@safe final class LentBatch {
    /// What is said of the lent rows beside their cells.
    struct Facts {
        /// The columns in the order in which a payload names them, with where their names stand in `members`.
        var ordered: [(column: Int, head: Range<Int>)] = []
        var members = RowMembers([])
        var isQueued: [Bool] = []
        /// Where the project of each row stands in `projectText`; empty: none.
        var projects: [Range<Int>] = []
        var projectText: [UInt8] = []
    }

    /// Where the lent values lie. Functions find it without a reference to an object, which would be counted up and down for every value.
    @unsafe private struct Place {
        var cells = unsafe UnsafeBufferPointer<RowBatch.Cell>(start: nil, count: 0)
        var text = unsafe UnsafeRawBufferPointer(start: nil, count: 0)
        var lines = unsafe UnsafeBufferPointer<Int>(start: nil, count: 0)
        var width = 0
        var facts = Facts()
        /// Room for payloads.
        var payload: [UInt8] = []
    }

    /// It belongs to the connection, which frees it with the first of the functions.
    private let place = UnsafeMutablePointer<Place>.allocate(capacity: 1)

    init(on db: Database) throws {
        unsafe place.initialize(to: Place())
        guard let handle = unsafe db.sqliteConnection else { throw DatabaseError(resultCode: .SQLITE_MISUSE, message: "closed") }
        try unsafe add("fichero_cell", 2, handle, frees: true) { context, _, values in
            guard let place = unsafe LentBatch.place(context), let values = unsafe values else { return }
            let (row, column) = unsafe (Int(sqlite3_value_int64(values[0])), Int(sqlite3_value_int64(values[1])))
            let cell = unsafe place.pointee.cells[row * place.pointee.width + column]
            switch cell.kind {
            case .null: unsafe sqlite3_result_null(context)
            case .integer: unsafe sqlite3_result_int64(context, cell.integer)
            case .real: unsafe sqlite3_result_double(context, cell.real)
            // The bytes stay where they are until the statement has run.
            case .text: unsafe LentBatch.give(UnsafeRawBufferPointer(rebasing: place.pointee.text[cell.range]), to: context, copied: false)
            }
        }
        try unsafe add("fichero_line", 1, handle) { context, _, values in
            guard let place = unsafe LentBatch.place(context), let values = unsafe values else { return }
            unsafe sqlite3_result_int64(context, Int64(place.pointee.lines[Int(sqlite3_value_int64(values[0]))]))
        }
        try unsafe add("fichero_queued", 1, handle) { context, _, values in
            guard let place = unsafe LentBatch.place(context), let values = unsafe values else { return }
            unsafe sqlite3_result_int(context, place.pointee.facts.isQueued[Int(sqlite3_value_int64(values[0]))] ? 1 : 0)
        }
        try unsafe add("fichero_project", 1, handle) { context, _, values in
            guard let place = unsafe LentBatch.place(context), let values = unsafe values else { return }
            let range = unsafe place.pointee.facts.projects[Int(sqlite3_value_int64(values[0]))]
            guard !range.isEmpty else { return unsafe sqlite3_result_null(context) }
            unsafe place.pointee.facts.projectText.withUnsafeBytes {
                unsafe LentBatch.give(UnsafeRawBufferPointer(rebasing: $0[range]), to: context, copied: true)
            }
        }
        try unsafe add("fichero_payload", 1, handle) { context, _, values in
            guard let place = unsafe LentBatch.place(context), let values = unsafe values else { return }
            unsafe LentBatch.writePayload(of: Int(sqlite3_value_int64(values[0])), place)
            unsafe place.pointee.payload.withUnsafeBytes { unsafe LentBatch.give($0, to: context, copied: true) }
        }
    }

    /// Runs statements that read the rows of a batch.
    func lend<T>(_ batch: borrowing ImportedBatch, _ facts: consuming Facts, _ body: () throws -> T) throws -> T {
        unsafe place.pointee.width = batch.rows.columnCount
        unsafe place.pointee.facts = facts
        defer {
            unsafe (place.pointee.cells, place.pointee.text, place.pointee.lines) = (.init(start: nil, count: 0), .init(start: nil, count: 0), .init(start: nil, count: 0))
        }
        return try unsafe batch.rows.cells.withUnsafeBufferPointer { cells in
            try unsafe batch.rows.text.withUnsafeBytes { text in
                try unsafe batch.lines.withUnsafeBufferPointer { lines in
                    unsafe (place.pointee.cells, place.pointee.text, place.pointee.lines) = (cells, text, lines)
                    return try body()
                }
            }
        }
    }

    private typealias Function = @convention(c) (OpaquePointer?, Int32, UnsafeMutablePointer<OpaquePointer?>?) -> Void

    private func add(_ name: String, _ count: Int32, _ handle: OpaquePointer, frees: Bool = false, _ body: Function) throws {
        let free: @convention(c) (UnsafeMutableRawPointer?) -> Void = { data in
            guard let place = unsafe data?.assumingMemoryBound(to: Place.self) else { return }
            unsafe place.deinitialize(count: 1)
            unsafe place.deallocate()
        }
        let code = unsafe sqlite3_create_function_v2(
            handle, name, count, SQLITE_UTF8 | SQLITE_DIRECTONLY, place, body, nil, nil, frees ? free : nil)
        guard code == SQLITE_OK else { throw DatabaseError(resultCode: ResultCode(rawValue: code)) }
    }

    private static func place(_ context: OpaquePointer?) -> UnsafeMutablePointer<Place>? {
        unsafe sqlite3_user_data(context)?.assumingMemoryBound(to: Place.self)
    }

    private static func give(_ bytes: UnsafeRawBufferPointer, to context: OpaquePointer?, copied: Bool) {
        guard let start = bytes.baseAddress else { return unsafe sqlite3_result_text(context, "", 0, nil) }
        // -1 (SQLITE_TRANSIENT): SQLite takes a copy; nil (SQLITE_STATIC): it need not.
        unsafe sqlite3_result_text64(
            context, start.assumingMemoryBound(to: CChar.self), UInt64(bytes.count),
            copied ? unsafeBitCast(-1, to: sqlite3_destructor_type.self) : nil, UInt8(SQLITE_UTF8))
    }

    private static func writePayload(of row: Int, _ place: UnsafeMutablePointer<Place>) {
        let (width, cells, text) = unsafe (place.pointee.width, place.pointee.cells, place.pointee.text)
        let first = row * width
        var room = unsafe place.pointee.facts.members.bytes.count + 2
        for index in first..<first + width { unsafe room += cells[index].kind == .text ? 6 * cells[index].length + 2 : 32 }
        unsafe place.pointee.payload.removeAll(keepingCapacity: true)
        unsafe place.pointee.facts.members.bytes.withUnsafeBytes { names in
            unsafe place.pointee.facts.ordered.withUnsafeBufferPointer { ordered in
                unsafe JSONWriter.append(to: &place.pointee.payload, room: room) { writer in
                    for unsafe (column, head) in unsafe ordered {
                        let cell = unsafe cells[first + column]
                        guard cell.kind != .null else { continue }
                        unsafe writer.copy(UnsafeRawBufferPointer(rebasing: names[head]))
                        switch cell.kind {
                        case .null: break
                        case .integer: unsafe writer.write(cell.integer)
                        case .real: unsafe writer.write(cell.real)
                        case .text: unsafe writer.quote(UnsafeRawBufferPointer(rebasing: text[cell.range]))
                        }
                    }
                    unsafe writer.byte(UInt8(ascii: "}"))
                }
            }
        }
        // In place of the first member's comma: a row has at least its id.
        unsafe place.pointee.payload[0] = UInt8(ascii: "{")
    }
}
