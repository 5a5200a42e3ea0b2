package import Foundation
import GRDB
package import Model

extension Replica {
    /// Files that Storage does not have and whose row the central database has confirmed. These are
    /// registered documents, whose upload a queue item requests, and photos: files of rows with a
    /// local file and no storage path.
    ///
    /// - Parameter projectIDs: the files' projects; nil: all.
    package func filesToSend(of projectIDs: [String]?) throws -> [FileTransfer] {
        try read { db in
            let transfers = try FileTransfers(db: db, pack: pack, projects: projectIDs)
            return try transfers.queued() + pack.entities.flatMap { try transfers.unsent(of: $0) }
        }
    }

    /// Files that Storage has and this replica lacks, if the person marked them as always synced or
    /// if every replica gets them.
    package func filesToFetch(of projectIDs: [String], for profileID: String) throws -> [FileTransfer] {
        try read { db in
            let transfers = try FileTransfers(db: db, pack: pack, projects: projectIDs)
            return try pack.entities.flatMap { try transfers.missing(of: $0, for: profileID) }
        }
    }

    /// Number of files to be sent by project, including those whose rows still wait to be sent.
    package func countFilesToSend(of projectIDs: [String]?) throws -> [String?: Int] {
        try read { db in try FileTransfers(db: db, pack: pack, projects: projectIDs).countToSend() }
    }

    /// Number of files to be fetched, by project.
    package func countFilesToFetch(of projectIDs: [String], for profileID: String) throws -> [String?: Int] {
        try read { db in try FileTransfers(db: db, pack: pack, projects: projectIDs).countToFetch(for: profileID) }
    }

    /// Records that a file was uploaded to Storage. If a queue item requested the upload, the item
    /// is deleted. Otherwise the file's row gets the storage path, and size and checksum if it had
    /// none; these are sent like any change.
    package func noteSent(
        _ file: FileTransfer, to storagePath: String, bytes: Int64, sha256: String, by actor: Model.Actor,
        in environment: String, at now: Date
    ) throws {
        try write { db in
            if let item = file.itemID {
                return try db.execute(sql: "DELETE FROM main.sync_queue WHERE id = ?", arguments: [item])
            }
            guard let entity = pack.entity(file.entity), let stored = entity.field(of: .stored) else { return }
            let changes = try ChangeLog(db, pack: pack, actorID: actor.id, environment: environment, now: now)
            let rows = try OwnRows(db, pack: pack, entity, changes, ids: RisingIDs(at: now))
            try rows.stage([file.rowID])
            try rows.keep(where: "t.\(SQLText.name(stored.name)) IS NULL")
            var values = [(stored.name, SQLText.literal(storagePath))]
            for (fact, value) in [(Entity.FileFact.bytes, String(bytes)), (.sha256, SQLText.literal(sha256))] {
                if let field = entity.field(of: fact) {
                    values.append((field.name, "coalesce(\(SQLText.name(field.name)), \(value))"))
                }
            }
            _ = try rows.set(values)
            try rows.log("file_sent", details: Quarantine.json(["path": storagePath]))
        }
    }

    /// Records that Storage rejected the file that a queue item sends.
    package func noteNotSent(_ file: FileTransfer, _ kind: PushFailureClass, _ message: String) throws {
        guard let item = file.itemID else { return }
        try write { db in
            try db.execute(
                sql: "UPDATE main.sync_queue SET retry_count = retry_count + 1, last_error = ? WHERE id = ?",
                arguments: [PushError.text(kind, message), item])
        }
    }

    /// Stores the local path of a fetched file. The path concerns only this device, so it is not
    /// sent.
    package func noteFetched(_ file: FileTransfer, at localPath: String) throws {
        try write { db in
            guard let entity = pack.entity(file.entity), let path = entity.field(of: .path) else { return }
            let name = SQLText.name(path.name)
            try db.execute(
                sql:
                    """
                    UPDATE main.\(SQLText.name(entity.name)) SET \(name) = ?, content_stamp = ? WHERE id = ? \
                    AND \(name) IS NULL
                    """,
                arguments: [localPath, ReplicaKey.nextStamp(db), file.rowID])
        }
    }
}

extension Replica {
    /// The server's address of an unfinished upload of these bytes; nil: there is none.
    package func upload(of sha256: String, to place: String, at remote: String) throws -> String? {
        try read { db in
            try String.fetchOne(
                db, sql: "SELECT address FROM main.file_uploads WHERE remote = ? AND place = ? AND sha256 = ?",
                arguments: [remote, place, sha256])
        }
    }

    /// Stores the address of an unfinished upload; nil: the upload is over. Uploads that began more
    /// than a day ago are deleted, because no server keeps them longer.
    package func keepUpload(_ address: String?, of sha256: String, to place: String, at remote: String) throws {
        try write { db in
            guard let address else {
                return try db.execute(
                    sql: "DELETE FROM main.file_uploads WHERE remote = ? AND place = ?", arguments: [remote, place])
            }
            try db.execute(
                sql: "DELETE FROM main.file_uploads WHERE begun_at < strftime('%Y-%m-%dT%H:%M:%fZ', 'now', '-1 day')")
            try db.execute(
                sql: """
                    INSERT OR REPLACE INTO main.file_uploads (remote, place, sha256, address, begun_at)
                    VALUES (?, ?, ?, ?, strftime('%Y-%m-%dT%H:%M:%fZ', 'now'))
                    """, arguments: [remote, place, sha256, address])
        }
    }
}
