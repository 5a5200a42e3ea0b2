import Foundation
import GRDB
import Model

/// Rows of an import that cannot be judged before its end, in a temporary table: those that refer to rows not there yet (or to
/// rows that are themselves pending), and photos, whose files come after them. Their queue items and log entries wait with them.
///
/// Files mostly bring parents first; then this table stays small whatever the size of the import.
final class PendingRows {
    struct Row {
        var entity: String
        var id: String
        var isUpdate: Bool
        /// Whether queue item and log entry are due.
        var isLocalChange: Bool
        var raw: String
        var place: Place
    }

    /// A pending row whose reference leads nowhere.
    struct Dangling {
        var row: Row
        var field: String
        var target: String
        var value: String
    }

    private let db: Database
    private let pack: Pack
    private let insert: PreparedStatement
    private let find: PreparedStatement
    private var undoTables: [String: PreparedStatement] = [:]
    /// Entities of pending rows, in the order in which they first came.
    private var entities: [String] = []
    private(set) var isEmpty = true

    init(_ db: Database, pack: Pack) throws {
        self.db = db
        self.pack = pack
        try db.execute(
            sql: """
                CREATE TEMP TABLE import_pending (
                  n INTEGER PRIMARY KEY,
                  entity TEXT NOT NULL,
                  row_id TEXT NOT NULL,
                  is_update INTEGER NOT NULL,
                  is_local_change INTEGER NOT NULL,
                  raw TEXT NOT NULL,
                  place TEXT NOT NULL,
                  dangling_field TEXT,
                  UNIQUE (entity, row_id)
                )
                """)
        insert = try PreparedStatement(
            db, "INSERT INTO temp.import_pending (entity, row_id, is_update, is_local_change, raw, place) VALUES (?, ?, ?, ?, ?, ?)")
        find = try PreparedStatement(db, "SELECT 1 FROM temp.import_pending WHERE entity = ? AND row_id = ?")
    }

    func add(_ row: Row) throws {
        isEmpty = false
        if !entities.contains(row.entity) { entities.append(row.entity) }
        try insert.bind(row.entity, at: 1)
        try insert.bind(row.id, at: 2)
        try insert.bind(.integer(row.isUpdate ? 1 : 0), at: 3)
        try insert.bind(.integer(row.isLocalChange ? 1 : 0), at: 4)
        try insert.bind(row.raw, at: 5)
        try insert.bind(try Quarantine.json(row.place), at: 6)
        try insert.run()
    }

    func contains(_ entity: String, _ id: MemoryRows.Value) throws -> Bool {
        guard !isEmpty else { return false }
        try find.bind(entity, at: 1)
        try find.bind(id, at: 2)
        defer { find.reset() }
        return try find.step()
    }

    /// Keeps a row as it is before an update that may have to be taken back.
    func keepForUndo(_ entity: String, id: String) throws {
        if undoTables[entity] == nil {
            let undo = SQLText.name("import_undo_" + entity)
            try db.execute(sql: "CREATE TEMP TABLE \(undo) AS SELECT * FROM main.\(SQLText.name(entity)) WHERE 0")
            undoTables[entity] = try PreparedStatement(
                db, "INSERT INTO temp.\(undo) SELECT * FROM main.\(SQLText.name(entity)) WHERE id = ?")
        }
        try undoTables[entity]?.bind(id, at: 1)
        try undoTables[entity]?.run()
    }

    /// Takes out every row whose references lead nowhere, and every row that leads to one of those; tells of each.
    func removeDangling(_ tell: (Dangling) throws -> Void) throws {
        guard !isEmpty, try markDangling() else { return }
        let rows = try PreparedStatement(
            db,
            "SELECT entity, row_id, is_update, is_local_change, raw, place, dangling_field FROM temp.import_pending WHERE dangling_field IS NOT NULL ORDER BY n")
        while try rows.step() {
            let entity = rows.text(0) ?? ""
            let field = rows.text(6) ?? ""
            let row = Row(
                entity: entity, id: rows.text(1) ?? "", isUpdate: rows.integer(2) == 1, isLocalChange: rows.integer(3) == 1,
                raw: rows.text(4) ?? "", place: try Quarantine.place(rows.text(5) ?? ""))
            let value = try String.fetchOne(
                db, sql: "SELECT \(SQLText.name(field)) FROM main.\(SQLText.name(entity)) WHERE id = ?", arguments: [row.id])
            try tell(
                Dangling(row: row, field: field, target: pack.entity(entity)?.field(field)?.references ?? "", value: value ?? ""))
        }
        rows.reset()
        for entity in entities { try takeBack(entity) }
    }

    /// Goes over the pending rows until a round finds no more. Returns whether there are any.
    private func markDangling() throws -> Bool {
        var found = false
        while true {
            var changes = 0
            for entity in entities {
                for field in pack.entity(entity)?.fields ?? [] where field.references != nil && field.type != .list {
                    changes += try markDangling(entity, field.name, field.references ?? "")
                }
            }
            if changes == 0 { return found }
            found = true
        }
    }

    private func markDangling(_ entity: String, _ field: String, _ target: String) throws -> Int {
        // A row whose update is taken back is still there, so that others may go on referring to it.
        try db.execute(
            sql: """
                UPDATE temp.import_pending SET dangling_field = ?
                WHERE entity = ? AND dangling_field IS NULL AND EXISTS (
                  SELECT 1 FROM main.\(SQLText.name(entity)) AS child
                  WHERE child.id = import_pending.row_id AND child.\(SQLText.name(field)) IS NOT NULL AND (
                    NOT EXISTS (SELECT 1 FROM main.\(SQLText.name(target)) AS parent WHERE parent.id = child.\(SQLText.name(field)))
                    OR EXISTS (
                      SELECT 1 FROM temp.import_pending AS other
                      WHERE other.entity = ? AND other.row_id = child.\(SQLText.name(field)) AND other.dangling_field IS NOT NULL
                        AND other.is_update = 0)))
                """, arguments: [field, entity, target])
        return db.changesCount
    }

    private func takeBack(_ entity: String) throws {
        let table = "main." + SQLText.name(entity)
        let dangling = "SELECT row_id FROM temp.import_pending WHERE dangling_field IS NOT NULL AND entity = ? AND is_update = "
        if undoTables[entity] != nil {
            let columns = try db.columns(in: entity).map(\.name).filter { $0 != "id" }
            try db.execute(
                sql: """
                    UPDATE \(table) SET (\(SQLText.names(columns))) = (
                      SELECT \(SQLText.names(columns)) FROM temp.\(SQLText.name("import_undo_" + entity)) AS old WHERE old.id = \(table).id)
                    WHERE id IN (\(dangling)1)
                    """, arguments: [entity])
        }
        try db.execute(sql: "DELETE FROM \(table) WHERE id IN (\(dangling)0)", arguments: [entity])
    }

    /// The rows that stay and whose queue item and log entry are due, in the order in which they came.
    func forEachLocalChange(_ body: (_ entity: String, _ id: String, _ isUpdate: Bool) throws -> Void) throws {
        guard !isEmpty else { return }
        let rows = try PreparedStatement(
            db, "SELECT entity, row_id, is_update FROM temp.import_pending WHERE dangling_field IS NULL AND is_local_change = 1 ORDER BY n")
        while try rows.step() { try body(rows.text(0) ?? "", rows.text(1) ?? "", rows.integer(2) == 1) }
        rows.reset()
    }

    static func drop(_ db: Database) throws {
        let names = try String.fetchAll(db, sql: "SELECT name FROM sqlite_temp_schema WHERE type = 'table' AND name LIKE 'import\\_%' ESCAPE '\\'")
        for name in names { try db.execute(sql: "DROP TABLE temp.\(SQLText.name(name))") }
    }
}
