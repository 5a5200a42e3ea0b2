package import Foundation
import GRDB
package import Model

extension Replica {
    /// The stamps of the files of the other side that were taken over.
    package func receivedFiles() throws -> Set<String> { try read { db in Set(try String.fetchAll(db, sql: "SELECT stamp FROM main.received_files")) } }

    package func noteReceived(_ stamp: String, sha256: String, at now: Date) throws {
        try write { db in
            try db.execute(sql: "INSERT OR REPLACE INTO main.received_files VALUES (?, ?, ?)", arguments: [stamp, sha256, Timestamp.format(now)])
        }
    }

    /// Whether a package of this content was taken over.
    package func hasReceived(_ sha256: String) throws -> Bool {
        try read { db in
            try Bool.fetchOne(
                db, sql: "SELECT EXISTS (SELECT 1 FROM received_files WHERE sha256 = ?)", arguments: [sha256]) ?? false
        }
    }

    /// How many changes wait in the queue, whatever for.
    package func queuedChanges() throws -> Int { try read { db in try Int.fetchOne(db, sql: "SELECT count(*) FROM main.sync_queue") ?? 0 } }

    /// The changes of some projects that a remote takes and was not sent.
    ///
    /// - Parameter isAgain: also what was sent and is not acknowledged.
    package func pushSummary(of projects: [String]?, reach: PushReach, isAgain: Bool) throws -> PushSummary {
        let condition = isAgain ? SentItems.taken(by: reach) : SentItems.reached(by: reach)
        return try read { db in
            let rows = try Row.fetchAll(
                db,
                sql: """
                    SELECT entity_type, operation, count(*) FROM main.sync_queue
                    WHERE \(condition) AND (?1 IS NULL OR project_id IN (SELECT value FROM json_each(?1))) GROUP BY 1, 2 ORDER BY 1, 2
                    """, arguments: [projects.map { try Quarantine.json($0) }])
            var summary = PushSummary()
            summary.waiting = rows.compactMap { row in
                PushOperation(rawValue: row[1]).map { PushSummary.Waiting(entity: row[0], operation: $0, count: row[2]) }
            }
            return summary
        }
    }
}
