import CSQLiteSetup

/// What SQLite is told once, before its first use by this process; where it is in use already it stays as it is.
enum SQLiteSetup {
    static let isDone: Bool = csqlite_without_memory_counts() == SQLITE_OK
}
