import GRDB
import Model

/// Writes a large import's transaction with a rollback journal instead of the write-ahead log.
///
/// SQLite's write-ahead log writes all new pages twice: to the log, each with a checksum, and from
/// there into the file. A rollback journal writes new pages straight into the file, but other
/// connections have to wait during the transaction. So the journal is only used if SQLite finds
/// that nobody else has the replica open; otherwise the log is used as always. A killed run leaves
/// a journal. The next process that opens the replica uses the journal to roll everything back, and
/// returns to the log.
enum RollbackJournal {
    /// Smaller imports gain nothing.
    static let leastRows = 20_000

    /// Switches to the journal if nobody else has the replica open; returns whether it did.
    static func begin(_ db: Database) throws -> Bool {
        guard try withoutWaiting(db, { try mode(db, "DELETE") == "delete" }) else { return false }
        // What other connections wrote to the log since this one last read is not always visible in
        // the file's change counter (file format, 1.3.7). So this connection's cached pages may be
        // older than the file.
        try db.execute(sql: "PRAGMA shrink_memory")
        return true
    }

    /// Returns to the log if that is possible without waiting.
    static func end(_ db: Database) {
        _ = try? withoutWaiting(db) { try mode(db, "WAL") }
    }

    /// Returns to the log after a run that was killed.
    static func endForgotten(_ db: Database) throws {
        if try String.fetchOne(db, sql: "PRAGMA main.journal_mode") == "delete" { end(db) }
    }

    private static func mode(_ db: Database, _ mode: String) throws -> String? {
        do {
            return try String.fetchOne(db, sql: "PRAGMA main.journal_mode = \(mode)")
        } catch let error as DatabaseError where error.resultCode == .SQLITE_BUSY || error.resultCode == .SQLITE_LOCKED
        {
            return nil
        }
    }

    private static func withoutWaiting<T>(_ db: Database, _ body: () throws -> T) throws -> T {
        let patience = try Int.fetchOne(db, sql: "PRAGMA busy_timeout") ?? 0
        _ = try Int.fetchOne(db, sql: "PRAGMA busy_timeout = 0")
        defer { _ = try? Int.fetchOne(db, sql: "PRAGMA busy_timeout = \(patience)") }
        return try body()
    }
}

/// Indexes of a table that are dropped while many rows are inserted, and rebuilt afterwards.
///
/// Sorting all entries of an index once takes half the time of single insertions, whatever the
/// order of the rows, and leaves fuller pages. Sorting is only faster if most of the table's rows
/// are new, so a repeated import does not drop indexes. The indexes are dropped and rebuilt in the
/// import's transaction, so nobody ever sees a table without them.
struct DroppedIndexes {
    private let db: Database
    private let statements: [String]

    /// Drops the indexes of `table` if there are enough new rows to make it worthwhile. The primary
    /// key's index always stays.
    init(_ db: Database, table: String, newRows: Int) throws {
        self.db = db
        let old = try Int.fetchOne(db, sql: "SELECT coalesce(max(rowid), 0) FROM main.\(SQLText.name(table))") ?? 0
        guard newRows >= RollbackJournal.leastRows, newRows / 4 >= old else {
            statements = []
            return
        }
        let indexes = try Row.fetchAll(
            db,
            sql:
                """
                SELECT name, sql FROM main.sqlite_schema WHERE type = 'index' AND tbl_name = ? AND sql IS NOT NULL \
                ORDER BY rowid
                """,
            arguments: [table])
        for index in indexes { try db.execute(sql: "DROP INDEX main.\(SQLText.name(index[0]))") }
        statements = indexes.map { $0[1] }
    }

    /// Rebuilds the indexes.
    func putBack() throws {
        for statement in statements { try db.execute(sql: statement) }
    }
}
