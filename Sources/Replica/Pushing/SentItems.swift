import Digests
package import Foundation
import GRDB
package import Model

/// A file of changes that are sent together, in an exchange of folders.
package struct SentBatch: Sendable, Hashable, Codable {
    /// The file's name in the folder.
    package var file: String
    package var projectID: String
    /// When the changes were assigned to the file.
    package var madeAt: String
    /// When the file was written; nil: not yet.
    package var sentAt: String?
    /// How many of the file's changes are not acknowledged.
    package var waiting: Int
}

/// Queue items that were sent to a remote that answers later.
///
/// The steps: each page of items is recorded in `sent_items`; then the items without a file are
/// assigned to one file for each project, in one transaction; then the files are written. A run
/// after a kill finds the recorded items, and the files that are not written yet.
struct SentItems {
    let db: Database

    init(_ db: Database) { self.db = db }

    /// SQL condition on a queue item: the remote accepts it, and it was not sent before. Removals
    /// are not accepted, as a package contains rows only.
    static func reached(by reach: PushReach) -> String {
        """
        \(taken(by: reach)) AND id NOT IN (SELECT item_id FROM main.sent_items \
        WHERE remote = \(SQLText.literal(reach.remote)))
        """
    }

    /// SQL condition on a queue item: the remote accepts it.
    static func taken(by reach: PushReach) -> String {
        let entities = reach.entities.sorted().map(SQLText.literal).joined(separator: ", ")
        return "(operation IN ('INSERT', 'UPDATE') AND project_id IS NOT NULL AND entity_type IN (\(entities)))"
    }

    func note(_ item: String, to remote: String) throws {
        try db.execute(
            cachedSQL:
                """
                INSERT OR REPLACE INTO main.sent_items (item_id, remote, project_id) SELECT id, ?2, project_id \
                FROM main.sync_queue WHERE id = ?1
                """,
            [item, remote])
    }

    /// Deletes the records of items that are not in the queue any more.
    func tidy() throws {
        try db.execute(sql: "DELETE FROM main.sent_items WHERE item_id NOT IN (SELECT id FROM main.sync_queue)")
    }

    /// Assigns the items without a file to one new file for each project. The file's name contains
    /// the project, the time and a digest of its changes.
    func seal(for remote: String, at now: Date) throws {
        try tidy()
        let open = try Row.fetchAll(
            db, sql: "SELECT project_id, item_id FROM main.sent_items WHERE remote = ? AND file IS NULL ORDER BY 1, 2",
            arguments: [remote])
        for (project, rows) in Dictionary(grouping: open, by: { $0[0] as String }) {
            let time = Timestamp.format(now)
            let digest = SHA256.digest(of: rows.map { $0[1] as String }.joined(separator: "\n")).hexadecimal.prefix(12)
            let name = "\(project.prefix(8).uppercased())-\(time.filter { $0.isLetter || $0.isNumber })-\(digest).zip"
            try db.execute(
                sql:
                    """
                    UPDATE main.sent_items SET file = ?, made_at = ? WHERE remote = ? AND project_id = ? \
                    AND file IS NULL
                    """,
                arguments: [name, time, remote, project])
        }
    }

    /// - Parameter remote: the recipient of the files; nil: all recipients.
    func batches(for remote: String?, where condition: String = "true") throws -> [SentBatch] {
        try Row.fetchAll(
            db,
            sql: """
                SELECT file, project_id, made_at, sent_at, count(*) FROM main.sent_items
                WHERE file IS NOT NULL AND (?1 IS NULL OR remote = ?1) AND item_id IN (SELECT id \
                FROM main.sync_queue) AND \(condition)
                GROUP BY remote, file ORDER BY made_at, file
                """, arguments: [remote]
        ).map { SentBatch(file: $0[0], projectID: $0[1], madeAt: $0[2], sentAt: $0[3], waiting: $0[4]) }
    }
}

extension Replica {
    /// Assigns recorded items to files, and returns the files that are not written yet.
    package func sealBatches(for remote: String, at now: Date) throws -> [SentBatch] {
        try write { db in try SentItems(db).seal(for: remote, at: now) }
        return try unwrittenBatches(for: remote)
    }

    /// Files to which changes were assigned and that are not written, for example after a kill.
    package func unwrittenBatches(for remote: String) throws -> [SentBatch] {
        try read { db in try SentItems(db).batches(for: remote, where: "sent_at IS NULL") }
    }

    /// Records that a file was written.
    package func noteWritten(
        _ batch: SentBatch, for remote: String, rows: Int, photos: Int, by actor: Model.Actor, in environment: String,
        at now: Date
    ) throws {
        try write { db in
            try db.execute(
                sql: "UPDATE main.sent_items SET sent_at = ? WHERE remote = ? AND file = ?",
                arguments: [Timestamp.format(now), remote, batch.file])
            let changes = try ChangeLog(db, pack: pack, actorID: actor.id, environment: environment, now: now)
            try changes.logEntry(
                "package_written", of: pack.project.entity, id: batch.projectID, project: batch.projectID,
                details: Quarantine.json(["file": batch.file, "rows": String(rows), "photos": String(photos)]))
        }
    }

    /// Makes unacknowledged changes unsent, so that the next run sends them again.
    ///
    /// - Parameter projects: the changes' projects; nil: all.
    package func sendAgain(to remote: String, of projects: [String]?) throws {
        try write { db in
            try db.execute(
                sql:
                    """
                    DELETE FROM main.sent_items WHERE remote = ?1 AND (?2 IS NULL OR project_id IN (SELECT value \
                    FROM json_each(?2)))
                    """,
                arguments: [remote, projects.map { try Quarantine.json($0) }])
        }
    }

    /// Number of queued changes that a remote does not accept: people, rows of no project, and
    /// removals that no event reports.
    package func untakenChanges(_ reach: PushReach) throws -> Int {
        let told = (pack.events?.kinds ?? []).filter { $0.action == .delete }.map { SQLText.literal($0.entity) }.joined(
            separator: ", ")
        return try read { db in
            try Int.fetchOne(
                db,
                sql: """
                    SELECT count(*) FROM main.sync_queue WHERE operation IS NOT 'UPLOAD' \
                    AND NOT \(SentItems.taken(by: reach))
                      AND NOT (operation = 'DELETE' AND project_id IS NOT NULL AND entity_type IN (\(told)))
                    """) ?? 0
        }
    }
}

extension Replica {
    /// Identifying stamps of the files that were received from the sync partner.
    package func receivedFiles() throws -> Set<String> {
        try read { db in Set(try String.fetchAll(db, sql: "SELECT stamp FROM main.received_files")) }
    }

    package func noteReceived(_ stamp: String, sha256: String, at now: Date) throws {
        try write { db in
            try db.execute(
                sql: "INSERT OR REPLACE INTO main.received_files VALUES (?, ?, ?)",
                arguments: [stamp, sha256, Timestamp.format(now)])
        }
    }

    /// Whether a package with this checksum was received before.
    package func hasReceived(_ sha256: String) throws -> Bool {
        try read { db in
            try Bool.fetchOne(
                db, sql: "SELECT EXISTS (SELECT 1 FROM received_files WHERE sha256 = ?)", arguments: [sha256]) ?? false
        }
    }

    /// Number of items in the queue, of any kind.
    package func queuedChanges() throws -> Int {
        try read { db in try Int.fetchOne(db, sql: "SELECT count(*) FROM main.sync_queue") ?? 0 }
    }

    /// Counts the changes of some projects that a remote accepts and that were not sent.
    ///
    /// - Parameter isAgain: whether changes that were sent and are not acknowledged are included.
    package func pushSummary(of projects: [String]?, reach: PushReach, isAgain: Bool) throws -> PushSummary {
        let condition = isAgain ? SentItems.taken(by: reach) : SentItems.reached(by: reach)
        return try read { db in
            let rows = try Row.fetchAll(
                db,
                sql: """
                    SELECT entity_type, operation, count(*) FROM main.sync_queue
                    WHERE \(condition) AND (?1 IS NULL OR project_id IN (SELECT value FROM json_each(?1))) \
                    GROUP BY 1, 2 ORDER BY 1, 2
                    """, arguments: [projects.map { try Quarantine.json($0) }])
            var summary = PushSummary()
            summary.waiting = rows.compactMap { row in
                PushOperation(rawValue: row[1]).map {
                    PushSummary.Waiting(entity: row[0], operation: $0, count: row[2])
                }
            }
            return summary
        }
    }
}
