import Databases
import Digests
import GRDB
package import Model

extension Replica {
    /// Number and digest of the rows that the remote has confirmed, computed exactly as the remote
    /// computes them (see `RowsProof`).
    ///
    /// - Parameters:
    ///   - scope: the rows that are included.
    ///   - later: ids of rows that the remote changed or removed since the last pull. They are left
    ///     out.
    package func proof(of entity: Entity, in scope: ProofScope, without later: Set<String> = []) throws -> RowsProof {
        try read { db in
            var (rows, sum) = (0, Int128(0))
            try forEachBatch(of: entity, in: scope, db) { batch in
                for row in 0..<batch.rowCount where later.isEmpty || !later.contains(batch.string(row, 0) ?? "") {
                    rows += 1
                    sum += Int128(
                        PostgresHash.of(
                            id: batch.text.span.extracting(batch.cell(row, 0).range),
                            microseconds: Self.microseconds(batch, row)) ?? 0)
                }
            }
            return RowsProof(rows: rows, digest: sum.description)
        }
    }

    /// The version of a row in microseconds since 2000; nil if the text is not an instant.
    private static func microseconds(_ batch: borrowing RowBatch, _ row: Int) -> Int64? {
        guard let (day, microseconds) = StoredTime.instant(batch.text.span.extracting(batch.cell(row, 1).range)) else {
            return Timestamp.microseconds(batch.string(row, 1) ?? "").map { $0 - PostgresHash.epoch }
        }
        return Int64(day.sinceEpoch) * 86_400_000_000 + Int64(microseconds) - PostgresHash.epoch
    }

    /// Versions of the rows that the remote has confirmed, by row id.
    package func remoteVersions(of entity: Entity, in scope: ProofScope) throws -> [String: String] {
        try read { db in
            var versions: [String: String] = [:]
            try forEachBatch(of: entity, in: scope, db) { batch in
                for row in 0..<batch.rowCount { versions[batch.string(row, 0) ?? ""] = batch.string(row, 1) ?? "" }
            }
            return versions
        }
    }

    /// Ids of rows with changes that the remote has not confirmed, or with an open conflict. These
    /// include rows that were deleted locally, and parts of a record that the remote has in another
    /// project or hides.
    package func unsentRows(of entity: Entity) throws -> Set<String> {
        try read { db in
            let sql = """
                SELECT id FROM main.\(SQLText.name(entity.name)) WHERE sync_state <> '\(SyncState.synced.rawValue)'
                UNION SELECT entity_id FROM main.sync_queue WHERE entity_type = ?1
                UNION SELECT entity_id FROM main.conflicts WHERE entity_type = ?1 AND resolution_status = 'open'
                UNION SELECT t.id FROM main.\(SQLText.name(entity.name)) AS t \
                WHERE \(RowProject(of: entity, in: pack).isElsewhere("t", orOutOfSight: true))
                """
            return Set(try String.fetchAll(db, sql: sql, arguments: [entity.name]))
        }
    }

    /// Number of rows of a project, or of all (nil), that wait to be sent or decided, with deleted
    /// rows. Rows of logs do not count: logs only grow, so they contradict nothing.
    package func waitingRows(of entity: Entity, in projectID: String?) throws -> Int {
        guard !IndexPlan.logs.contains(entity.name) else { return 0 }
        return try read { db in
            let table = "main." + SQLText.name(entity.name)
            let project = RowProject(of: entity, in: pack).expression("t")
            // A list of the states, unlike `<> 'synced'`, lets SQLite use the index on the state.
            let states = SyncState.allCases.filter { $0 != .synced && $0 != .pendingDownload }.map {
                SQLText.literal($0.rawValue)
            }.joined(separator: ", ")
            let sql = """
                SELECT (SELECT count(*) FROM \(table) AS t WHERE (?1 IS NULL OR \(project) = ?1) \
                AND sync_state IN (\(states)))
                  + (SELECT count(DISTINCT entity_id) FROM main.sync_queue WHERE entity_type = ?2 AND (?1 IS NULL \
                OR project_id = ?1)
                      AND operation = '\(ChangeLog.Operation.delete.rawValue)' AND entity_id NOT IN (SELECT id \
                FROM \(table)))
                """
            return try Int.fetchOne(db, sql: sql, arguments: [projectID, entity.name]) ?? 0
        }
    }

    /// Number of the given rows that the replica has in one project, or in any project (nil).
    package func countRows(_ ids: [String], of entity: Entity, in projectID: String?) throws -> Int {
        guard !ids.isEmpty else { return 0 }
        return try read { db in
            let project = RowProject(of: entity, in: pack).expression("t")
            return try Int.fetchOne(
                db,
                sql:
                    """
                    SELECT count(*) FROM main.\(SQLText.name(entity.name)) AS t WHERE t.id IN (SELECT value \
                    FROM json_each(?1)) AND (?2 IS NULL OR \(project) = ?2)
                    """,
                arguments: [try Quarantine.json(ids), projectID]) ?? 0
        }
    }

    /// Ids and versions of the rows that the remote has confirmed, batch after batch.
    private func forEachBatch(
        of entity: Entity, in scope: ProofScope, _ db: Database, _ body: (borrowing RowBatch) throws -> Void
    ) throws {
        var (within, projects) = ("true", "[]")
        let amongProjects = RowProject(of: entity, in: pack).isAmong("SELECT value FROM json_each(?1)", "t")
        switch scope {
        case .all: break
        case .project(let id):
            (within, projects) = (amongProjects, try Quarantine.json([id]))
        case .visible(let ids):
            projects = try Quarantine.json(ids)
            if entity.projectPath != nil { within = amongProjects }
        }
        let rows = try PreparedStatement(
            db,
            """
            SELECT t.id, t.remote_updated_at FROM main.\(SQLText.name(entity.name)) AS t \
            WHERE t.remote_updated_at IS NOT NULL AND \(within) AND ?1 IS NOT NULL
            """
        )
        try rows.bind(projects, at: 1)
        var batch = RowBatch(columnCount: 2)
        var isMore = true
        while isMore {
            isMore = try rows.fill(&batch)
            try body(batch)
        }
    }
}

extension RowsProof {
    /// The proof of some rows, from their ids and versions.
    package init(of versions: [String: String]) {
        let sum = versions.reduce(into: Int128(0)) { sum, row in
            let microseconds = Timestamp.microseconds(row.value).map { $0 - PostgresHash.epoch }
            sum += Int128(PostgresHash.of(id: Array(row.key.utf8).span, microseconds: microseconds) ?? 0)
        }
        self.init(rows: versions.count, digest: sum.description)
    }
}

/// The rows of a table that are compared with the remote's.
package enum ProofScope: Sendable {
    case project(String)
    /// Every row.
    case all
    /// Rows of these projects, and all rows of tables without projects: everything that a member of
    /// these projects sees.
    case visible([String])
}

extension Replica {
    /// Stores the status that the central database gives a person; the next sync fetches the rest
    /// of the profile. A status that was changed locally stays. The status is ignored if the
    /// replica never pulled from this database.
    package func noteStatus(_ status: String, of email: String, at remote: String) throws {
        try write { db in
            try db.execute(
                sql: """
                    UPDATE main.profiles AS t SET status = ?1, content_stamp = ?2
                    WHERE lower(email) = lower(?3) AND remote_updated_at IS NOT NULL AND status IS NOT ?1
                      AND NOT EXISTS (SELECT 1 FROM main.row_bases AS b WHERE b.entity = 'profiles' \
                    AND b.row_id = t.id AND json_extract(b.row, '$.status') IS NOT t.status)
                      AND EXISTS (SELECT 1 FROM main.sync_cursors WHERE remote = ?4)
                    """, arguments: [status, ReplicaKey.nextStamp(db), email, remote])
        }
    }
}
