import GRDB
import GRDBSQLite
import Model

/// A statement that is prepared once and run for every row of an import: the few calls of SQLite
/// that bulk work needs, without converting arguments to GRDB's values. It lives within one
/// transaction of the connection it was made on.
@safe final class PreparedStatement {
    private let statement: OpaquePointer
    private let connection: OpaquePointer
    let columnCount: Int

    init(_ db: Database, _ sql: String) throws {
        var statement: OpaquePointer?
        guard let connection = unsafe db.sqliteConnection else { throw DatabaseError(resultCode: .SQLITE_MISUSE, message: "closed") }
        let code = unsafe sqlite3_prepare_v3(connection, sql, -1, UInt32(SQLITE_PREPARE_PERSISTENT), &statement, nil)
        guard code == SQLITE_OK, let prepared = unsafe statement else { throw unsafe Self.error(connection) }
        unsafe self.statement = prepared
        unsafe self.connection = connection
        columnCount = unsafe Int(sqlite3_column_count(prepared))
    }

    deinit {
        unsafe sqlite3_finalize(statement)
    }

    /// Binds the value of a parameter, counted from 1.
    func bind(_ value: MemoryRows.Value, at index: Int) throws {
        let code: Int32
        switch value {
        case .null: code = unsafe sqlite3_bind_null(statement, Int32(index))
        case .integer(let integer): code = unsafe sqlite3_bind_int64(statement, Int32(index), integer)
        case .real(let real): code = unsafe sqlite3_bind_double(statement, Int32(index), real)
        case .text(var text):
            // -1 (SQLITE_TRANSIENT): SQLite makes a copy, because the bytes are only borrowed here.
            let copy = unsafe unsafeBitCast(-1, to: sqlite3_destructor_type.self)
            code = text.withUTF8 { bytes in
                unsafe bytes.withMemoryRebound(to: CChar.self) { characters in
                    // Without an address SQLite would bind NULL instead of an empty text.
                    guard let start = characters.baseAddress else { return unsafe sqlite3_bind_text(statement, Int32(index), "", 0, copy) }
                    return unsafe sqlite3_bind_text64(
                        statement, Int32(index), start, UInt64(characters.count), copy, UInt8(SQLITE_UTF8))
                }
            }
        }
        guard code == SQLITE_OK else { throw unsafe Self.error(connection) }
    }

    func bind(_ text: String?, at index: Int) throws {
        try bind(text.map(MemoryRows.Value.text) ?? .null, at: index)
    }

    func bind(_ integer: Int64, at index: Int) throws {
        guard unsafe sqlite3_bind_int64(statement, Int32(index), integer) == SQLITE_OK else { throw unsafe Self.error(connection) }
    }

    /// Runs a statement once with values that are not copied; returns how many rows it changed.
    ///
    /// - Parameters:
    ///   - cells: for parameters from `first` on.
    ///   - text: the bytes that cells of text refer to.
    ///   - raw: bound after them, as a text or as a blob.
    @discardableResult
    func run(binding cells: Span<RowBatch.Cell>, text: Span<UInt8>, from first: Int, raw: Span<UInt8>, isText: Bool) throws -> Int {
        try finish(
            unsafe text.withUnsafeBufferPointer { text -> Int32 in
                unsafe raw.withUnsafeBufferPointer { raw -> Int32 in
                    let code = unsafe bind(cells, text, from: first)
                    guard code == SQLITE_OK else { return code }
                    let place = Int32(first + cells.count)
                    let bound = isText
                        ? unsafe raw.withMemoryRebound(to: CChar.self) {
                            unsafe sqlite3_bind_text64(statement, place, $0.baseAddress, UInt64($0.count), nil, UInt8(SQLITE_UTF8))
                        } : unsafe sqlite3_bind_blob64(statement, place, raw.baseAddress, UInt64(raw.count), nil)
                    return bound == SQLITE_OK ? stepOnce() : bound
                }
            })
    }

    private func bind(_ cells: Span<RowBatch.Cell>, _ text: UnsafeBufferPointer<UInt8>, from first: Int) -> Int32 {
        for index in 0..<cells.count {
            let cell = cells[index]
            let place = Int32(first + index)
            let code: Int32
            switch cell.kind {
            case .null: code = unsafe sqlite3_bind_null(statement, place)
            case .integer: code = unsafe sqlite3_bind_int64(statement, place, cell.integer)
            case .real: code = unsafe sqlite3_bind_double(statement, place, cell.real)
            case .text:
                // nil (SQLITE_STATIC): the bytes stay where they are until the statement has run.
                code = unsafe UnsafeBufferPointer(rebasing: text[cell.range]).withMemoryRebound(to: CChar.self) { bytes in
                    unsafe sqlite3_bind_text64(statement, place, bytes.baseAddress, UInt64(bytes.count), nil, UInt8(SQLITE_UTF8))
                }
            }
            guard code == SQLITE_OK else { return code }
        }
        return SQLITE_OK
    }

    private func stepOnce() -> Int32 {
        let code = unsafe sqlite3_step(statement)
        unsafe sqlite3_reset(statement)
        return code
    }

    private func finish(_ code: Int32) throws -> Int {
        guard code == SQLITE_DONE else { throw unsafe Self.error(connection) }
        return unsafe Int(sqlite3_changes(connection))
    }

    /// A column of the current row as bytes, if it is a blob.
    func blob(_ column: Int) -> [UInt8]? {
        guard unsafe sqlite3_column_type(statement, Int32(column)) == SQLITE_BLOB else { return nil }
        guard let bytes = unsafe sqlite3_column_blob(statement, Int32(column)) else { return [] }
        return unsafe Array(UnsafeRawBufferPointer(start: bytes, count: Int(sqlite3_column_bytes(statement, Int32(column)))))
    }

    /// Goes to the next row; false at the end. Call `reset` before the next use.
    func step() throws -> Bool {
        switch unsafe sqlite3_step(statement) {
        case SQLITE_ROW: return true
        case SQLITE_DONE: return false
        default:
            let error = unsafe Self.error(connection)
            unsafe sqlite3_reset(statement)
            throw error
        }
    }

    func reset() {
        unsafe sqlite3_reset(statement)
    }

    /// Runs a statement that gives no rows; returns the number of rows that it changed.
    @discardableResult
    func run() throws -> Int {
        while try step() {}
        reset()
        return unsafe Int(sqlite3_changes(connection))
    }

    /// A column of the current row, counted from 0.
    func value(_ column: Int) -> MemoryRows.Value {
        switch unsafe sqlite3_column_type(statement, Int32(column)) {
        case SQLITE_NULL: .null
        case SQLITE_INTEGER: .integer(integer(column))
        case SQLITE_FLOAT: .real(unsafe sqlite3_column_double(statement, Int32(column)))
        default: .text(text(column) ?? "")
        }
    }

    func integer(_ column: Int) -> Int64 {
        unsafe sqlite3_column_int64(statement, Int32(column))
    }

    func text(_ column: Int) -> String? {
        guard let bytes = unsafe sqlite3_column_text(statement, Int32(column)) else { return nil }
        let count = unsafe Int(sqlite3_column_bytes(statement, Int32(column)))
        return unsafe String(decoding: UnsafeBufferPointer(start: bytes, count: count), as: UTF8.self)
    }

    private static func error(_ connection: OpaquePointer) -> DatabaseError {
        // No message: SQLite's may quote names of triggers or parts of SQL, and the code says
        // enough.
        unsafe DatabaseError(resultCode: ResultCode(rawValue: sqlite3_extended_errcode(connection)))
    }
}
