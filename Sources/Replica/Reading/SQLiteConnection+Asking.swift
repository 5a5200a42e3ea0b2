internal import CSQLiteSetup
internal import Databases
import GRDBSQLite

/// For SQL that a person writes: only reading, one statement, within bounds; and SQLite's own words for what is wrong with it.
extension SQLiteConnection {
    enum Compiled {
        case statement(PreparedStatement)
        /// Blanks and comments.
        case nothing
        case several
        /// More than reading what the guard allows.
        case refused
        /// SQLite needs more memory than it may take to compile it.
        case tooLarge
        case wrong(String)
    }

    /// What became of a step.
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
        try closeForAsking()
    }

    func compile(asked sql: String) -> Compiled {
        switch compileGuarded(sql) {
        case .failed(SQLITE_AUTH, _): return .refused
        case .failed(SQLITE_NOMEM, _), .failed(SQLITE_TOOBIG, _): return .tooLarge
        case .failed(_, let reason) where Self.isRefusal(reason): return .refused
        case .failed(_, let reason): return .wrong(reason.replacing(schema, with: "…"))
        case .compiled(nil, _): return .nothing
        case .compiled(let statement?, let rest):
            // SQLite compiles one statement and tells where it ended.
            if case .compiled(nil, _) = compileGuarded(rest) {} else { return .several }
            return statement.onlyReads ? .statement(statement) : .refused
        }
    }

    /// Where SQLite gives no code of its own: functions, tables that modules make, views that somebody would change.
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
