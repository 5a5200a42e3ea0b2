import GRDB
import Model

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
            db, sql: "SELECT name, sql FROM main.sqlite_schema WHERE type = 'index' AND tbl_name = ? AND sql IS NOT NULL ORDER BY rowid",
            arguments: [table])
        for index in indexes { try db.execute(sql: "DROP INDEX main.\(SQLText.name(index[0]))") }
        statements = indexes.map { $0[1] }
    }

    /// Rebuilds the indexes.
    func putBack() throws {
        for statement in statements { try db.execute(sql: statement) }
    }
}
