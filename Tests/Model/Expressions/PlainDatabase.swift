import GRDBSQLite
import Model

/// An SQLite database in memory. It says independently what an expression means.
@safe final class PlainDatabase {
    struct Failed: Error { var message: String }

    private let handle: OpaquePointer?

    init() throws {
        var opened: OpaquePointer?
        unsafe sqlite3_open(":memory:", &opened)
        unsafe handle = opened
    }

    deinit { unsafe sqlite3_close_v2(handle) }

    func run(_ sql: String) throws {
        guard unsafe sqlite3_exec(handle, sql, nil, nil, nil) == SQLITE_OK else { throw failed(sql) }
    }

    /// The only value that a query gives.
    func value(_ sql: String) throws -> MemoryRows.Value {
        var statement: OpaquePointer?
        guard unsafe sqlite3_prepare_v2(handle, sql, -1, &statement, nil) == SQLITE_OK else { throw failed(sql) }
        defer { unsafe sqlite3_finalize(statement) }
        guard unsafe sqlite3_step(statement) == SQLITE_ROW else { throw failed(sql) }
        return switch unsafe sqlite3_column_type(statement, 0) {
        case SQLITE_NULL: .null
        case SQLITE_INTEGER: .integer(unsafe sqlite3_column_int64(statement, 0))
        case SQLITE_FLOAT: .real(unsafe sqlite3_column_double(statement, 0))
        default: .text(unsafe sqlite3_column_text(statement, 0).map { unsafe String(cString: $0) } ?? "")
        }
    }

    private func failed(_ sql: String) -> Failed { Failed(message: unsafe String(cString: sqlite3_errmsg(handle)) + ": " + sql) }
}
