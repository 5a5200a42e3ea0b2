import CSQLiteSetup

/// What SQLite is told once, before its first use by this process; where it is in use already it stays as it is.
enum SQLiteSetup {
    static let isDone: Bool = csqlite_without_memory_counts() == SQLITE_OK

    /// Triggers and views of a file that somebody else made are refused when it is opened; should one come later, it does not run.
    static func forbidForeignCode(_ connection: OpaquePointer?) throws {
        guard unsafe csqlite_without_foreign_code(connection) == SQLITE_OK else {
            throw ReplicaFailure.internal(path: "", code: "SQLITE_DBCONFIG")
        }
    }
}
