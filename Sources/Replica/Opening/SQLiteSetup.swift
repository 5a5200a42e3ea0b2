import CSQLiteSetup
import GRDBSQLite
import Model
import Synchronization

/// Settings of SQLite that are made once, before its first use by this process; if SQLite is in use
/// already, they stay as they are.
enum SQLiteSetup {
    static let isDone: Bool = {
        let bytes = bound.load(ordering: .relaxed)
        // Memory need not be counted if there is no bound on it.
        guard bytes > 0 else { return csqlite_without_memory_counts() == SQLITE_OK }
        return sqlite3_hard_heap_limit64(bytes) >= 0
    }()
    /// Bytes that SQLite may take; 0: no bound.
    private static let bound = Atomic<Int64>(0)

    static func boundMemory(to bytes: Int64) { bound.store(bytes, ordering: .relaxed) }

    /// Ends statements when a signal asks the process to end. SQLite checks this some hundred times
    /// a second, at no measurable cost.
    static func stopWhenAsked(_ connection: OpaquePointer?) {
        unsafe sqlite3_progress_handler(connection, 20_000, { _ in Interruption.isRequested ? 1 : 0 }, nil)
    }

    /// Triggers and views that another program made are refused when a file is opened; this setting
    /// keeps one that is added later from running.
    static func forbidForeignCode(_ connection: OpaquePointer?) throws {
        guard unsafe csqlite_without_foreign_code(connection) == SQLITE_OK else {
            throw ReplicaFailure.internal(path: "", code: "SQLITE_DBCONFIG")
        }
    }
}
