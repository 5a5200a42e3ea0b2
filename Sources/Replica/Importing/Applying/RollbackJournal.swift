import GRDB
import Model

/// How a large import writes its one transaction.
///
/// In SQLite's write-ahead log all new pages are written twice: to the log, with a checksum each,
/// and from there into the file. With a rollback journal they go straight into the file. But then
/// others have to wait during the transaction, so it is only done if nobody else has the replica
/// open, which SQLite itself finds out; else the log is used as always. A run that is killed leaves
/// a journal, by which the next process that opens the replica rolls everything back; opening
/// returns to the log.
enum RollbackJournal {
    /// Smaller imports gain nothing.
    static let leastRows = 20_000

    /// Leaves the log if nobody else has the replica open; returns whether it did.
    static func begin(_ db: Database) throws -> Bool {
        guard try withoutWaiting(db, { try mode(db, "DELETE") == "delete" }) else { return false }
        // What others wrote to the log since this connection last read does not always show in the
        // file's change counter (file format, 1.3.7). So pages in this connection's cache may be
        // older than the file.
        try db.execute(sql: "PRAGMA shrink_memory")
        return true
    }

    /// Returns to the log if that can be done at once.
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

/// Indexes of a table that are dropped while it takes in many rows, and rebuilt afterwards.
///
/// Sorting all entries of an index once takes half the time of inserting them one by one, whatever
/// the order of the rows, and leaves fuller pages to write. That is true only if most of the
/// table's rows are new; a file that is imported again brings none. All of it happens in the
/// import's transaction, so nobody ever sees a table without its indexes.
struct IndexesAside {
    private let db: Database
    private let statements: [String]

    /// Drops the indexes of `table` if the number of new rows makes it worth it. The key's own
    /// index always stays.
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
