import GRDB
import JSONReading
import Model

/// The version that a row's next change is compared with, after a conflict with the remote's row
/// was decided.
struct RemoteVersion {
    private let db: Database

    init(_ db: Database) { self.db = db }

    /// Takes the version from the remote's row. A row that the remote has deleted has none; if the
    /// remote's table keeps no versions, the old one stays.
    func take(from remote: String, _ key: RowKey) throws {
        guard let row = try? JSONValue.stored(remote) else { return }
        let version = row["updated_at"]?.stated
        let isDeletion = row["deleted"] == .bool(true)
        guard isDeletion || version != nil else { return }
        let new = isDeletion ? nil : version
        try db.execute(
            sql: "UPDATE main.\(SQLText.name(key.entity)) SET remote_updated_at = ?1 WHERE id = ?2 AND remote_updated_at IS NOT ?1", arguments: [new, key.id])
        // A row that was removed here, and is still to be deleted there.
        try db.execute(
            sql: """
                UPDATE import_removals SET states = json_set(states, '$.remote_updated_at', ?1)
                WHERE entity = ?2 AND row_id = ?3 AND item_id IN (SELECT id FROM main.sync_queue)
                """, arguments: [new, key.entity, key.id])
    }

    /// Whether a conflict is one with the remote's row, and not with a file's: files are noted in
    /// the trail.
    func isOfRemote(_ conflictID: String, _ key: RowKey) throws -> Bool {
        try Row.fetchOne(
            db, sql: "SELECT 1 FROM import_changes WHERE entity = ? AND row_id = ? AND kind = 'conflict' AND item_id = ?",
            arguments: [key.entity, key.id, conflictID]) == nil
    }

    /// Drops the changes of a row that were made before its conflict was decided: the decision's
    /// own item has the whole row, on the remote's version. They would bring back what was decided
    /// against. A removal stays if nothing brought the row back.
    func dropDecided(_ key: RowKey, before stamp: Int64) throws {
        let exists = try Row.fetchOne(db, sql: "SELECT 1 FROM main.\(SQLText.name(key.entity)) WHERE id = ?", arguments: [key.id]) != nil
        try db.execute(
            sql: """
                DELETE FROM main.sync_queue WHERE entity_type = ? AND entity_id = ? AND content_stamp < ?
                  AND operation IN ('INSERT', 'UPDATE'\(exists ? ", 'DELETE'" : ""))
                """, arguments: [key.entity, key.id, stamp])
    }
}
