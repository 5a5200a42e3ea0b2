internal import CSQLiteSetup
internal import Databases
import GRDBSQLite

/// Support for SQL that a person writes: one read-only statement, within bounds; errors are
/// SQLite's own messages.
extension SQLiteConnection {
    enum Compiled {
        case statement(PreparedStatement)
        /// Blanks and comments.
        case nothing
        case several
        /// Something other than the reading that the guard allows.
        case refused
        /// Compiling it needs more memory than SQLite may take.
        case tooLarge
        case wrong(String)
    }

    /// The result of a step.
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
            // SQLite compiles one statement and reports where it ended.
            if case .compiled(nil, _) = compileGuarded(rest) {} else { return .several }
            return statement.onlyReads ? .statement(statement) : .refused
        }
    }

    /// Whether a message means a refusal, for cases in which SQLite gives no code of its own:
    /// functions, tables that modules make, views that somebody tries to change.
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
