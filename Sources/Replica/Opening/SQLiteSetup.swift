import CSQLiteSetup
import GRDBSQLite
import Model
import Synchronization

/// What SQLite is told once, before its first use by this process; where it is in use already it stays as it is.
enum SQLiteSetup {
    static let isDone: Bool = {
        let bytes = bound.load(ordering: .relaxed)
        // Memory that is not counted cannot be bounded.
        guard bytes > 0 else { return csqlite_without_memory_counts() == SQLITE_OK }
        return sqlite3_hard_heap_limit64(bytes) >= 0
    }()
    /// Bytes that SQLite may take; 0: as many as it needs.
    private static let bound = Atomic<Int64>(0)

    static func boundMemory(to bytes: Int64) { bound.store(bytes, ordering: .relaxed) }

    /// Statements end when a signal asks the process to; asked some hundred times a second, at no measurable cost.
    static func stopWhenAsked(_ connection: OpaquePointer?) {
        unsafe sqlite3_progress_handler(connection, 20_000, { _ in Interruption.isRequested ? 1 : 0 }, nil)
    }

    /// Triggers and views of a file that somebody else made are refused when it is opened; should one come later, it does not run.
    static func forbidForeignCode(_ connection: OpaquePointer?) throws {
        guard unsafe csqlite_without_foreign_code(connection) == SQLITE_OK else {
            throw ReplicaFailure.internal(path: "", code: "SQLITE_DBCONFIG")
        }
    }
}
