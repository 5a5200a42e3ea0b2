import GRDB
import GRDBSQLite
import Model

/// The rows of one batch as SQL sees them while it is lent: statements that take many rows at once spare SQLite most of its work for each.
///
/// `fichero_cell(row, column)` is a value, `fichero_line(row)` where the row stood, `fichero_queued(row)` whether it gets a queue item, `fichero_project(row)` its project, `fichero_payload(row)` the fields that have a value, as JSON. Rows and columns count from nought.
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

    var facts = Facts()
    private var batch: ImportedBatch?
    private var cells = unsafe UnsafeBufferPointer<RowBatch.Cell>(start: nil, count: 0)
    private var text = unsafe UnsafeRawBufferPointer(start: nil, count: 0)
    private var width = 0

    /// Runs statements that read the rows of a batch.
    func lend<T>(_ batch: borrowing ImportedBatch, _ body: () throws -> T) throws -> T {
        width = batch.rows.columnCount
        self.batch = copy batch
        defer {
            self.batch = nil
            unsafe (cells, text) = (UnsafeBufferPointer(start: nil, count: 0), UnsafeRawBufferPointer(start: nil, count: 0))
        }
        return try unsafe batch.rows.cells.withUnsafeBufferPointer { cells in
            try unsafe batch.rows.text.withUnsafeBytes { text in
                unsafe (self.cells, self.text) = (cells, text)
                return try body()
            }
        }
    }

    /// Makes the functions known to a connection, which keeps this object as long as it has them.
    func register(on db: Database) {
        guard let handle = unsafe db.sqliteConnection else { return }
        unsafe add("fichero_cell", 2, handle) { context, count, values in
            guard let lent = unsafe LentBatch.of(context), let row = unsafe LentBatch.row(values), let value = unsafe values?[1] else { return }
            unsafe lent.giveCell(row, Int(sqlite3_value_int64(value)), to: context)
        }
        unsafe add("fichero_line", 1, handle) { context, count, values in
            guard let lent = unsafe LentBatch.of(context), let row = unsafe LentBatch.row(values), let batch = lent.batch else { return }
            unsafe sqlite3_result_int64(context, Int64(batch.lines[row]))
        }
        unsafe add("fichero_queued", 1, handle) { context, count, values in
            guard let lent = unsafe LentBatch.of(context), let row = unsafe LentBatch.row(values) else { return }
            unsafe sqlite3_result_int(context, lent.facts.isQueued[row] ? 1 : 0)
        }
        unsafe add("fichero_project", 1, handle) { context, count, values in
            guard let lent = unsafe LentBatch.of(context), let row = unsafe LentBatch.row(values) else { return }
            let range = lent.facts.projects[row]
            guard !range.isEmpty else { return unsafe sqlite3_result_null(context) }
            unsafe lent.facts.projectText.withUnsafeBytes { unsafe LentBatch.give(UnsafeRawBufferPointer(rebasing: $0[range]), to: context, copied: true) }
        }
        unsafe SQLFunctions.addWriter("fichero_payload", 1, handle, isPure: false) { [unowned self] arguments, bytes in
            guard let row = arguments.number(0) else { return false }
            writePayload(of: Int(row), to: &bytes)
            return true
        }
    }

    private typealias Function = @convention(c) (OpaquePointer?, Int32, UnsafeMutablePointer<OpaquePointer?>?) -> Void

    private func add(_ name: String, _ count: Int32, _ handle: OpaquePointer, _ body: Function) {
        unsafe sqlite3_create_function_v2(
            handle, name, count, SQLITE_UTF8 | SQLITE_DIRECTONLY, Unmanaged.passRetained(self).toOpaque(), body, nil, nil,
            { data in
                guard let data = unsafe data else { return }
                unsafe Unmanaged<LentBatch>.fromOpaque(data).release()
            })
    }

    private static func of(_ context: OpaquePointer?) -> LentBatch? {
        guard let data = unsafe sqlite3_user_data(context) else { return nil }
        return unsafe Unmanaged<LentBatch>.fromOpaque(data).takeUnretainedValue()
    }

    private static func row(_ values: UnsafeMutablePointer<OpaquePointer?>?) -> Int? {
        guard let value = unsafe values?[0] else { return nil }
        return unsafe Int(sqlite3_value_int64(value))
    }

    private func giveCell(_ row: Int, _ column: Int, to context: OpaquePointer?) {
        let cell = unsafe cells[row * width + column]
        switch cell.kind {
        case .null: unsafe sqlite3_result_null(context)
        case .integer: unsafe sqlite3_result_int64(context, cell.integer)
        case .real: unsafe sqlite3_result_double(context, cell.real)
        // The bytes stay where they are until the statement has run.
        case .text: unsafe Self.give(UnsafeRawBufferPointer(rebasing: text[cell.range]), to: context, copied: false)
        }
    }

    private static func give(_ bytes: UnsafeRawBufferPointer, to context: OpaquePointer?, copied: Bool) {
        guard let start = bytes.baseAddress else { return unsafe sqlite3_result_text(context, "", 0, nil) }
        // -1 (SQLITE_TRANSIENT): SQLite takes a copy; nil (SQLITE_STATIC): it need not.
        unsafe sqlite3_result_text64(
            context, start.assumingMemoryBound(to: CChar.self), UInt64(bytes.count),
            copied ? unsafeBitCast(-1, to: sqlite3_destructor_type.self) : nil, UInt8(SQLITE_UTF8))
    }

    private func writePayload(of row: Int, to bytes: inout [UInt8]) {
        let first = row * width
        let facts = facts
        var room = facts.members.bytes.count + 2
        for index in first..<first + width { unsafe room += cells[index].kind == .text ? 6 * cells[index].length + 2 : 32 }
        unsafe facts.members.bytes.withUnsafeBytes { names in
            unsafe JSONWriter.append(to: &bytes, room: room) { writer in
                for (column, head) in facts.ordered {
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
        // In place of the first member's comma: a row has at least its id.
        bytes[0] = UInt8(ascii: "{")
    }
}
