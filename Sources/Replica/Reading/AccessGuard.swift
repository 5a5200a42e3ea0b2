internal import CSQLiteSetup
internal import Databases
import GRDBSQLite

/// While a pack's SQL is compiled, permits only reading through the actor's views. Refuses the
/// replica's internal tables, SQLite's tables, writes, pragmas and attaching.
@safe final class AccessGuard {
    /// Whether the restrictions are active; activating them clears the results of the last
    /// compilation.
    var isClosed = false {
        didSet { if isClosed { (hasReadHidden, tablesRead, functionsCalled) = (false, [], []) } }
    }
    /// Tables of the pack; temporary views of the same names hide them.
    var tables: Set<String> = []
    /// The temporary views that the compiled SQL may read, and the temporary tables that they read.
    var temporary: Set<String> = []
    /// Tables of the replica that a pack's SQL may not read.
    var forbidden: Set<String> = []
    /// Columns of the views for fields that the actor may not see, as `table.column`.
    var hiddenColumns: Set<String> = []
    /// Whether the last compiled SQL reads a hidden column.
    private(set) var hasReadHidden = false
    /// The pack's tables that the last compiled SQL reads, and the functions that it calls, in
    /// lower case.
    private(set) var tablesRead: Set<String> = []
    private(set) var functionsCalled: Set<String> = []
    private let baseSchema: String

    init(baseSchema: String) {
        self.baseSchema = baseSchema
    }

    /// - Precondition: the connection does not outlive the guard.
    func watch(_ handle: OpaquePointer) {
        unsafe sqlite3_set_authorizer(handle, { context, action, first, second, database, _ in
            guard let context = unsafe context else { return SQLITE_DENY }
            let guardian = unsafe Unmanaged<AccessGuard>.fromOpaque(context).takeUnretainedValue()
            guard guardian.isClosed else { return SQLITE_OK }
            let names = unsafe [first, second, database].map { name in unsafe name.map { unsafe String(cString: $0) } }
            return guardian.allows(action, names[0], names[1], in: names[2]) ? SQLITE_OK : SQLITE_DENY
        }, Unmanaged.passUnretained(self).toOpaque())
    }

    /// The arguments of each action are listed in https://www.sqlite.org/c3ref/c_alter_table.html.
    private func allows(_ action: CInt, _ first: String?, _ second: String?, in database: String?) -> Bool {
        switch action {
        case SQLITE_SELECT, SQLITE_RECURSIVE: return true
        case SQLITE_FUNCTION:
            if let second { functionsCalled.insert(second.lowercased()) }
            return second.map { !["load_extension", "fts3_tokenizer"].contains($0.lowercased()) } ?? false
        case SQLITE_READ:
            guard let table = first else { return false }
            if tables.contains(table) { tablesRead.insert(table) }
            switch database {
            case baseSchema: return tables.contains(table)
            case "temp":
                if let second, hiddenColumns.contains(table + "." + second) { hasReadHidden = true }
                return temporary.contains(table)
            // Only table-valued functions have this schema; pragmas are among them.
            case "main": return table == "json_each" || table == "json_tree"
            // The query reads no column of this table, or defines the table itself, as a common
            // table expression.
            case nil: return !isForbidden(table)
            default: return false
            }
        default: return false
        }
    }

    private func isForbidden(_ name: String) -> Bool {
        let name = name.lowercased()
        return forbidden.contains(name) || ["sqlite_", "pragma_", "dbstat"].contains { name.hasPrefix($0) }
    }
}

/// Support for SQL that a person writes: one read-only statement, within limits; errors are
/// SQLite's messages.
extension SQLiteConnection {
    enum Compiled {
        case statement(PreparedStatement)
        /// Only blanks and comments.
        case nothing
        case several
        /// An action that the guard does not permit.
        case refused
        /// Compiling it needs more memory than SQLite may use.
        case tooLarge
        case wrong(String)
    }

    /// The result of running one step of a person's SQL.
    enum Asked<Value> {
        case done(Value)
        case interrupted, tooBig, noMemory
        case wrong(String)
    }

    func bound(_ bounds: QueryBounds) throws {
        limit(SQLITE_LIMIT_LENGTH, bounds.valueBytes)
        limit(SQLITE_LIMIT_SQL_LENGTH, bounds.questionBytes)
        limit(SQLITE_LIMIT_LIKE_PATTERN_LENGTH, 1000)
        limit(SQLITE_LIMIT_WORKER_THREADS, 0)
        stepsLeft = bounds.steps
        try makeStrict()
    }

    func compile(asked sql: String) -> Compiled {
        switch compileGuarded(sql) {
        case .failed(SQLITE_AUTH, _): return .refused
        case .failed(SQLITE_NOMEM, _), .failed(SQLITE_TOOBIG, _): return .tooLarge
        case .failed(_, let reason) where Self.isRefusal(reason): return .refused
        case .failed(_, let reason): return .wrong(reason.replacing(schema, with: "…"))
        case .compiled(nil, _): return .nothing
        case .compiled(let statement?, let rest):
            // SQLite compiles one statement and reports where it ended.
            if case .compiled(nil, _) = compileGuarded(rest) {} else { return .several }
            return statement.onlyReads ? .statement(statement) : .refused
        }
    }

    /// Whether a message means that the guard refused the SQL. Needed where SQLite has no specific
    /// code: functions, tables of modules, changes to views.
    private static func isRefusal(_ reason: String) -> Bool {
        reason.hasPrefix("not authorized") || reason.hasSuffix("because it is a view") || reason.contains("constructor")
    }

    func asked<Value>(_ step: () throws -> Value) throws -> Asked<Value> {
        do {
            return .done(try step())
        } catch {
            switch lastCode & 0xFF {
            case SQLITE_INTERRUPT: return .interrupted
            case SQLITE_TOOBIG: return .tooBig
            case SQLITE_NOMEM: return .noMemory
            case SQLITE_ERROR, SQLITE_MISMATCH: return .wrong(lastReason.replacing(schema, with: "…"))
            default: throw error
            }
        }
    }
}
