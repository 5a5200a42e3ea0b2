import GRDB
package import Model

/// What waits to go up to the remote, what failed, and what is held back.
package struct PushSummary: Sendable, Hashable, Codable {
    package struct Waiting: Sendable, Hashable, Codable {
        package var entity: String
        package var operation: PushOperation
        package var count: Int
    }

    package struct Failed: Sendable, Hashable, Codable {
        package var kind: PushFailureClass
        package var count: Int
        /// When the oldest of these changes was made.
        package var oldest: String
    }

    package struct Held: Sendable, Hashable, Codable {
        package var entity: String
        package var reason: PushHoldReason
        package var count: Int
    }

    /// Every change that waits, also those that failed or are held.
    package var waiting: [Waiting]
    package var failed: [Failed]
    /// What a run would hold back even if nothing failed.
    package var held: [Held]
    /// Rows of logs that have not gone up.
    package var logs: Int
}

struct PushCounts {
    let db: Database
    let pack: Pack
    /// As a JSON array; nil: all projects and none.
    let projects: String?

    private static let inScope = "(?1 IS NULL OR project_id IN (SELECT value FROM json_each(?1)))"

    func waiting() throws -> [PushSummary.Waiting] {
        try Row.fetchAll(
            db,
            sql: """
                SELECT entity_type, operation, count(*) FROM main.sync_queue
                WHERE operation IN ('INSERT', 'UPDATE', 'DELETE') AND entity_type IS NOT NULL AND \(Self.inScope) GROUP BY 1, 2 ORDER BY 1, 2
                """, arguments: [projects]
        ).compactMap { row in
            PushOperation(rawValue: row[1]).map { PushSummary.Waiting(entity: row[0], operation: $0, count: row[2]) }
        }
    }

    func failed() throws -> [PushSummary.Failed] {
        var found: [PushFailureClass: PushSummary.Failed] = [:]
        let rows = try Row.fetchCursor(
            db,
            sql: """
                SELECT substr(last_error, 1, instr(last_error, ':')), count(*), coalesce(min(created_at), '') FROM main.sync_queue
                WHERE retry_count > 0 AND last_error IS NOT NULL AND operation IS NOT 'UPLOAD' AND \(Self.inScope) GROUP BY 1
                """, arguments: [projects])
        while let row = try rows.next() {
            let kind = PushError.kind(of: row[0])
            var failed = found[kind] ?? PushSummary.Failed(kind: kind, count: 0, oldest: row[2])
            failed.count += row[1]
            failed.oldest = min(failed.oldest, row[2])
            found[kind] = failed
        }
        return PushFailureClass.allCases.compactMap { found[$0] }
    }

    /// Goes through the queue as a run does, if anything holds a change back at all.
    func held(of projectIDs: [String]?) throws -> [PushSummary.Held] {
        let names = try Quarantine.json(pack.entities.map(\.name).filter { !IndexPlan.logs.contains($0) })
        let isHeld = try Bool.fetchOne(
            db,
            sql: """
                SELECT EXISTS (SELECT 1 FROM main.conflicts WHERE resolution_status = 'open') OR EXISTS (
                  SELECT 1 FROM main.sync_queue WHERE operation IS NULL OR operation NOT IN ('INSERT', 'UPDATE', 'DELETE', 'UPLOAD')
                    OR entity_id IS NULL OR entity_type IS NULL OR entity_type NOT IN (SELECT value FROM json_each(?)))
                """, arguments: [names]) ?? false
        guard isHeld else { return [] }
        let look = PushHold(name: "look")
        _ = try PushPages(db, pack: pack, look, isLooking: true).items(of: projectIDs, after: nil, most: 1)
        return try Row.fetchAll(db, sql: "SELECT entity, reason, count(*) FROM temp.look_held GROUP BY 1, 2 ORDER BY 1, 2").compactMap { row in
            PushHoldReason(rawValue: row[1]).map { PushSummary.Held(entity: row[0], reason: $0, count: row[2]) }
        }
    }

    func logs() throws -> Int {
        try LogPages.tables.compactMap { pack.entity($0) }.reduce(0) { sum, entity in
            let scope = entity.field("project_id") == nil ? "?1 IS ?1" : Self.inScope
            return try sum + (Int.fetchOne(db, sql: "SELECT count(*) FROM main.\(SQLText.name(entity.name)) WHERE \(LogPages.waits) AND \(scope)", arguments: [projects]) ?? 0)
        }
    }
}
