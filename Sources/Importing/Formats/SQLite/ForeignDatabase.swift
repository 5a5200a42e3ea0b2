internal import Databases
internal import GRDBSQLite
internal import Model

/// A safe wrapper around SQLite for external databases; it allows only reading.
@safe final class ForeignDatabase {
    let snapshot: SQLiteSnapshot
    private let database: OpaquePointer
    private let limits: SQLiteLimits
    /// Remaining thousands of steps; on the heap, because SQLite stores its address.
    private let budget: UnsafeMutablePointer<Int>

    init(_ snapshot: SQLiteSnapshot, limits: SQLiteLimits) throws {
        self.snapshot = snapshot
        self.limits = limits
        var opened: OpaquePointer?
        let flags =
            SQLITE_OPEN_URI | SQLITE_OPEN_NOMUTEX | SQLITE_OPEN_PRIVATECACHE
            | (snapshot.isCopy ? SQLITE_OPEN_READWRITE : SQLITE_OPEN_READONLY)
        let result = unsafe sqlite3_open_v2(snapshot.uri, &opened, flags, nil)
        guard result == SQLITE_OK, let database = unsafe opened else {
            unsafe sqlite3_close_v2(opened)
            throw ImportFailure.unreadable(path: snapshot.path)
        }
        unsafe self.database = database
        unsafe budget = UnsafeMutablePointer<Int>.allocate(capacity: 1)
        unsafe budget.initialize(to: limits.steps / 1000)
        unsafe sqlite3_extended_result_codes(database, 1)
        unsafe sqlite3_limit(database, SQLITE_LIMIT_LENGTH, Int32(clamping: limits.valueBytes))
        unsafe sqlite3_limit(database, SQLITE_LIMIT_ATTACHED, 0)
        unsafe sqlite3_limit(database, SQLITE_LIMIT_WORKER_THREADS, 0)
        unsafe sqlite3_limit(database, SQLITE_LIMIT_LIKE_PATTERN_LENGTH, 1000)
        unsafe sqlite3_progress_handler(
            database, 1000,
            { state in
                guard let left = unsafe state?.assumingMemoryBound(to: Int.self) else { return 1 }
                unsafe left.pointee -= 1
                return unsafe left.pointee < 0 ? 1 : 0
            }, budget)
        // Functions and virtual tables in a schema are not trusted.
        for pragma in [
            "trusted_schema = OFF", "cell_size_check = ON", "mmap_size = 0", "temp_store = MEMORY", "query_only = ON",
        ] {
            _ = try texts("PRAGMA \(pragma)")
        }
        allowOnlyReading()
    }

    /// Refuses every statement that could change a file or run foreign code.
    private func allowOnlyReading() {
        unsafe sqlite3_set_authorizer(
            database,
            { _, action, first, second, _, _ in
                switch action {
                case SQLITE_SELECT, SQLITE_READ, SQLITE_RECURSIVE: return SQLITE_OK
                case SQLITE_FUNCTION:
                    return unsafe second.map { unsafe String(cString: $0) } == "load_extension"
                        ? SQLITE_DENY : SQLITE_OK
                case SQLITE_PRAGMA:
                    let name = unsafe first.map { unsafe String(cString: $0) }
                    return ["quick_check", "table_list", "table_info"].contains(name) ? SQLITE_OK : SQLITE_DENY
                // SQLite registers its internal table for the pragma's result in this way.
                case SQLITE_CREATE_VTABLE, SQLITE_UPDATE, SQLITE_INSERT:
                    return unsafe first.map { unsafe String(cString: $0) } == "sqlite_master" ? SQLITE_OK : SQLITE_DENY
                default: return SQLITE_DENY
                }
            }, nil)
    }

    deinit {
        unsafe sqlite3_close_v2(database)
        unsafe budget.deallocate()
    }

    /// Prepares a statement, and resets the budget of steps.
    func prepare(_ sql: String) throws -> PreparedStatement {
        unsafe budget.pointee = limits.steps / 1000
        var statement: OpaquePointer?
        let result = unsafe sqlite3_prepare_v2(database, sql, -1, &statement, nil)
        guard result == SQLITE_OK, let statement = unsafe statement else { throw failure(result) }
        return unsafe PreparedStatement(statement) { [self] in failure($0) }
    }

    /// All rows of a small result, as texts.
    func texts(_ sql: String) throws -> [[String]] {
        let statement = try prepare(sql)
        var rows: [[String]] = []
        while try statement.step() { rows.append((0..<statement.columnCount).map { statement.text($0) ?? "" }) }
        return rows
    }

    func columns(of table: String) throws -> [String] { try prepare(Self.everything(of: table)).columnNames }

    /// The columns of a table's primary key, in the key's order.
    func key(of table: String) throws -> [String] {
        try texts("SELECT name FROM pragma_table_info('\(table.replacing("'", with: "''"))') WHERE pk > 0 ORDER BY pk")
            .compactMap(\.first)
    }

    /// A query of all rows and columns of a table.
    static func everything(of table: String) -> String { "SELECT * FROM main.\(quoted(table))" }

    static func quoted(_ name: String) -> String { "\"\(name.replacing("\"", with: "\"\""))\"" }

    private func failure(_ code: Int32) -> TableFailure {
        let place = Place(file: snapshot.path)
        switch code & 0xFF {
        case SQLITE_INTERRUPT: return .tooLarge(place, kind: SQLiteFile.kind, limit: "sqliteSteps \(limits.steps)")
        case SQLITE_TOOBIG:
            return .tooLarge(place, kind: SQLiteFile.kind, limit: "sqliteValueBytes \(limits.valueBytes)")
        default:
            let message = unsafe sqlite3_errmsg(database).map { unsafe String(cString: $0) } ?? "error \(code)"
            return .damaged(place, kind: SQLiteFile.kind, reason: message)
        }
    }
}
