import Databases
package import Foundation
import GRDB
package import Model

extension Replica {
    /// Files that Storage does not have and whose row the central database has confirmed: those
    /// that queue items ask for (registered documents), and those of rows with a file here and no
    /// place there (photos).
    ///
    /// - Parameter projectIDs: nil: all.
    package func filesToSend(of projectIDs: [String]?) throws -> [FileTransfer] {
        try read { db in
            let transfers = FileTransfers(db: db, pack: pack, projects: try projectIDs.map { try Quarantine.json($0) })
            return try transfers.queued() + pack.entities.flatMap { try transfers.unsent(of: $0) }
        }
    }

    /// Files that Storage has and this replica lacks, of what a person keeps always synced.
    package func filesToFetch(of projectIDs: [String], for profileID: String) throws -> [FileTransfer] {
        try read { db in
            let transfers = FileTransfers(db: db, pack: pack, projects: try Quarantine.json(projectIDs))
            return try pack.entities.flatMap { try transfers.missing(of: $0, for: profileID) }
        }
    }

    /// Storage has a file. A queue item is done; a row gets its place there, which goes up like any
    /// other change.
    package func noteSent(_ file: FileTransfer, to storagePath: String, by actor: Model.Actor, in environment: String, at now: Date) throws {
        try write { db in
            if let item = file.itemID { return try db.execute(sql: "DELETE FROM main.sync_queue WHERE id = ?", arguments: [item]) }
            guard let entity = pack.entity(file.entity), let stored = entity.field(of: .stored) else { return }
            let changes = try ChangeLog(db, pack: pack, actorID: actor.id, environment: environment, now: now)
            let rows = try OwnRows(db, pack: pack, entity, changes, ids: RisingIDs(at: now))
            try rows.stage([file.rowID])
            try rows.keep(where: "t.\(SQLText.name(stored.name)) IS NULL")
            _ = try rows.set(stored.name, to: SQLText.literal(storagePath))
            try rows.log("file_sent", details: Quarantine.json(["path": storagePath]))
        }
    }

    /// Storage did not take the file that a queue item asks for.
    package func noteNotSent(_ file: FileTransfer, _ kind: PushFailureClass, _ message: String) throws {
        guard let item = file.itemID else { return }
        try write { db in
            try db.execute(
                sql: "UPDATE main.sync_queue SET retry_count = retry_count + 1, last_error = ? WHERE id = ?", arguments: [PushError.text(kind, message), item])
        }
    }

    /// The file of a row is here now. Where a device keeps a file is nobody else's concern, so
    /// nothing goes up.
    package func noteFetched(_ file: FileTransfer, at localPath: String) throws {
        try write { db in
            guard let entity = pack.entity(file.entity), let path = entity.field(of: .path) else { return }
            let name = SQLText.name(path.name)
            try db.execute(
                sql: "UPDATE main.\(SQLText.name(entity.name)) SET \(name) = ?, content_stamp = ? WHERE id = ? AND \(name) IS NULL",
                arguments: [localPath, ReplicaKey.nextStamp(db), file.rowID])
        }
    }
}

/// Finds the files that have to go up or come down.
private struct FileTransfers {
    let db: Database
    let pack: Pack
    /// As a JSON array; nil: all.
    let projects: String?

    private func inScope(_ project: String) -> String { "(?1 IS NULL OR \(project) IN (SELECT value FROM json_each(?1)))" }

    /// In the order in which they were queued.
    func queued() throws -> [FileTransfer] {
        let items = try Row.fetchAll(
            db, sql: "SELECT id, entity_type, entity_id, project_id FROM main.sync_queue WHERE operation = 'UPLOAD' AND \(inScope("project_id")) ORDER BY content_stamp, id",
            arguments: [projects])
        return try items.compactMap { item -> FileTransfer? in
            guard let entity = (item[1] as String?).flatMap({ pack.entity($0) }), let id: String = item[2] else { return nil }
            let found = try Row.fetchOne(
                db, sql: "SELECT local_path, storage_path, bytes, sha256 FROM main.\(SQLText.name(entity.name)) WHERE id = ? AND NOT (\(LogPages.waits))", arguments: [id])
            guard let row = found else { return nil }
            return FileTransfer(
                entity: entity.name, rowID: id, projectID: item[3], itemID: item[0], localPath: row[0], storagePath: row[1], bytes: row[2], sha256: row[3])
        }
    }

    func unsent(of entity: Entity) throws -> [FileTransfer] {
        guard let path = entity.field(of: .path), let stored = entity.field(of: .stored), entity.fileFolder != nil else { return [] }
        let condition = "t.\(SQLText.name(path.name)) IS NOT NULL AND t.\(SQLText.name(stored.name)) IS NULL AND t.remote_updated_at IS NOT NULL AND t.sync_state NOT IN ('conflict', 'error')"
        return try rows(of: entity, condition, [projects])
    }

    func missing(of entity: Entity, for profileID: String) throws -> [FileTransfer] {
        guard let path = entity.field(of: .path), let stored = entity.field(of: .stored) else { return [] }
        let project = RowProject(of: entity, in: pack).expression("t")
        let owner = entity.projectPath?.parts.first.flatMap { entity.field($0) }
        // A record's choice names the record; a folder's, all that is below it.
        let record = owner?.references.map { "\(SQLText.literal($0 + "/")) || t.\(SQLText.name(owner?.name ?? ""))" } ?? "NULL"
        let above = entity.fields.first { $0.references == entity.name }.map { parent in
            """
            WITH RECURSIVE above (id) AS (SELECT t.id UNION SELECT a.\(SQLText.name(parent.name)) FROM main.\(SQLText.name(entity.name)) AS a JOIN above ON a.id = above.id)
              SELECT id FROM above
            """
        }
        let condition = """
            t.\(SQLText.name(path.name)) IS NULL AND t.\(SQLText.name(stored.name)) IS NOT NULL AND EXISTS (
              SELECT 1 FROM main.file_sync_states AS f WHERE f.profile_id = ?2 AND f.sync_mode = 'always_synced' AND f.project_id = \(project)
              AND (f.document_node_id IS NULL AND f.path IS NULL OR f.path = \(record) OR f.document_node_id IN (\(above ?? "NULL"))))
            """
        return try rows(of: entity, condition, [projects, profileID])
    }

    private func rows(of entity: Entity, _ condition: String, _ arguments: StatementArguments) throws -> [FileTransfer] {
        let project = RowProject(of: entity, in: pack).expression("t")
        let found = try Row.fetchAll(
            db, sql: "SELECT t.*, \(project) AS file_project FROM main.\(SQLText.name(entity.name)) AS t WHERE \(condition) AND \(inScope(project)) ORDER BY t.id", arguments: arguments)
        func value(_ fact: Entity.FileFact, _ row: Row) -> DatabaseValue? { entity.field(of: fact).map { row[$0.name] } }
        return found.map { row in
            let values = entity.fields.compactMap { field in String.fromDatabaseValue(row[field.name]).map { (field.name, $0) } }
            return FileTransfer(
                entity: entity.name, rowID: row["id"], projectID: row["file_project"], localPath: value(.path, row).flatMap(String.fromDatabaseValue),
                storagePath: value(.stored, row).flatMap(String.fromDatabaseValue), bytes: value(.bytes, row).flatMap(Int64.fromDatabaseValue),
                sha256: value(.sha256, row).flatMap(String.fromDatabaseValue), values: Dictionary(uniqueKeysWithValues: values))
        }
    }
}
