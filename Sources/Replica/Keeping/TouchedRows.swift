import GRDB
import Model

/// Notes in `touched_rows` the changes that content stamps do not show: rows that were deleted,
/// rows that changed without a newer stamp (by Fichero's own mark, or by an undo), and former
/// references of rows.
///
/// Temporary triggers of the writing connection do this, so no writer can forget it. Only kept
/// verdicts read the notes.
enum TouchedRows {
    static func watch(_ db: Database, pack: Pack) throws {
        for entity in watched(in: pack) {
            let table = "main." + SQLText.name(entity.name)
            let gone = references(of: entity).map { note(entity, $0, "OLD.\(SQLText.name($0)) IS NOT NULL") }
            try db.execute(
                sql: """
                    CREATE TEMP TRIGGER \(SQLText.name("touched_delete " + entity.name)) AFTER DELETE ON \(table) BEGIN
                      \(note(entity)); \(gone.map { $0 + ";" }.joined(separator: " "))
                    END;
                    CREATE TEMP TRIGGER \(SQLText.name("touched_update " + entity.name)) AFTER UPDATE ON \(table)
                    WHEN NEW.content_stamp <= OLD.content_stamp BEGIN \(note(entity)); END;
                    """)
            let moves = references(of: entity).map { field in
                (changed: "OLD.\(SQLText.name(field)) IS NOT NEW.\(SQLText.name(field))", field)
            }
            guard !moves.isEmpty else { continue }
            let notes = moves.map { note(entity, $0.1, "OLD.\(SQLText.name($0.1)) IS NOT NULL AND \($0.changed)") + ";" }
            try db.execute(
                sql: """
                    CREATE TEMP TRIGGER \(SQLText.name("touched_move " + entity.name)) AFTER UPDATE OF \(SQLText.names(moves.map(\.1))) ON \(table)
                    WHEN \(moves.map(\.changed).joined(separator: " OR ")) BEGIN \(notes.joined(separator: " ")) END
                    """)
        }
    }

    /// Notes a row that returns with an old stamp, as when an undo restores a removed row.
    static func noteReturn(of id: String, to entity: Entity, _ db: Database) throws {
        try db.execute(sql: "INSERT INTO touched_rows (entity, field, row_id) VALUES (?, '', ?)", arguments: [entity.name, id])
    }

    /// Tables whose changes are noted. A check that reads any other table, to which every run adds,
    /// is judged afresh each time.
    static func watched(in pack: Pack) -> [Entity] { pack.entities.filter { !IndexPlan.logs.contains($0.name) } }

    /// Fields that hold the id of one row.
    static func references(of entity: Entity) -> [String] {
        entity.fields.filter { $0.references != nil && $0.type != .list }.map(\.name)
    }

    private static func note(_ entity: Entity, _ field: String = "", _ condition: String = "1") -> String {
        let id = field.isEmpty ? "OLD.id" : "OLD." + SQLText.name(field)
        return "INSERT INTO touched_rows (entity, field, row_id) SELECT \(SQLText.literal(entity.name)), \(SQLText.literal(field)), \(id) WHERE \(condition)"
    }
}
