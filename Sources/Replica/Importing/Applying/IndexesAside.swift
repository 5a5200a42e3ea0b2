import GRDB
import Model

/// Indexes of a table that are set aside while it takes in many rows, and made anew after them.
///
/// To sort all entries of an index once takes half the time of putting them in one by one, in whatever order rows bring them, and leaves
/// fuller pages to write. That holds only where the new rows are most of the table; a file that comes again brings none. All happens in the import's transaction, so that nobody
/// ever sees a table without its indexes.
struct IndexesAside {
    private let db: Database
    private let statements: [String]

    /// Sets the indexes of `table` aside if so many new rows make it worth it. The key's own index always stays.
    init(_ db: Database, table: String, newRows: Int) throws {
        self.db = db
        let old = try Int.fetchOne(db, sql: "SELECT coalesce(max(rowid), 0) FROM main.\(SQLText.name(table))") ?? 0
        guard newRows >= QuietJournal.leastRows, newRows / 4 >= old else {
            statements = []
            return
        }
        let indexes = try Row.fetchAll(
            db, sql: "SELECT name, sql FROM main.sqlite_schema WHERE type = 'index' AND tbl_name = ? AND sql IS NOT NULL ORDER BY rowid",
            arguments: [table])
        for index in indexes { try db.execute(sql: "DROP INDEX main.\(SQLText.name(index[0]))") }
        statements = indexes.map { $0[1] }
    }

    /// Makes the indexes anew.
    func putBack() throws {
        for statement in statements { try db.execute(sql: statement) }
    }
}
