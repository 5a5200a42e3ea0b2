import GRDB
import Model

/// Rows of an imported file that contains sync states, such as a copy of a device's database. Their
/// states claim that a central database has the rows. The first pull of their scope checks this: a
/// row that does not arrive is not on the server, and is sent as a new row.
struct UnverifiedRemoteRows {
    private let db: Database
    private let pack: Pack

    init(_ db: Database, pack: Pack) { (self.db, self.pack) = (db, pack) }

    /// SQL condition: the row claims that a central database has it.
    private static let claims = "(remote_updated_at IS NOT NULL OR sync_state IN ('synced', 'pending_download'))"

    /// Records the rows that an import added and that claim to be in a central database.
    ///
    /// - Parameter before: the greatest rowid before the import; new rows have greater ones.
    static func note(_ entity: Entity, after before: Int64, _ db: Database) throws {
        guard entity.writer == .people || entity.writer == .administrators, !IndexPlan.logs.contains(entity.name) else {
            return
        }
        try db.execute(
            sql:
                """
                INSERT OR IGNORE INTO main.row_claims (entity, row_id) SELECT ?1, id \
                FROM main.\(SQLText.name(entity.name)) WHERE rowid > ?2 AND \(claims)
                """,
            arguments: [entity.name, before])
    }

    /// Checks the claims that this pull can confirm or refute.
    ///
    /// - Parameters:
    ///   - visible: the projects that the actor sees on the server; nil while records are pulled.
    ///   - changes: writes the queue items of the rows that are new to the server.
    func decide(
        _ staging: PullStaging, visible: [String]?, for actor: Model.Actor, _ changes: ChangeLog,
        findings: any FindingSink
    ) throws {
        guard actor.role.permissions.contains(.sync),
            try Bool.fetchOne(db, sql: "SELECT EXISTS (SELECT 1 FROM main.row_claims)") == true
        else { return }
        let sent = try sentProjects(actor)
        let removed = staging.removed.flatMap(\.rows).filter { $0.entity == pack.project.entity }.map(\.id)
        for entity in pack.entities.parentsFirst {
            let claimed =
                try Int.fetchOne(
                    db, sql: "SELECT count(*) FROM main.row_claims WHERE entity = ?", arguments: [entity.name]) ?? 0
            guard claimed > 0 else { continue }
            let rows = staging.staged[entity.name]
            if let rows {
                try db.execute(
                    sql: "DELETE FROM main.row_claims WHERE entity = ? AND row_id IN (SELECT f_id FROM \(rows.table))",
                    arguments: [entity.name])
            }
            let told = staging.spared[entity.name, default: []].union(
                staging.removed.flatMap(\.rows).filter { $0.entity == entity.name }.map(\.id))
            try forgetRemovals(of: entity, staging, told)
            let found = try unknown(
                entity, staging.cursors.filter { $0.entity == entity.name }.map(\.scope), visible, sent,
                removed: removed
            ).filter { !told.contains($0) }
            guard let first = found.first else { continue }
            for id in found { try makeNew(RowKey(entity: entity.name, id: id), changes) }
            let place = Place(
                table: entity.name, id: first, key: try EntityRows.name(of: first, entity, pack: pack, db))
            try findings.add(
                Finding("SYNC-CLAIMED", place: place, arguments: ["name": entity.name, "count": String(found.count)]))
        }
        for entity in pack.entities {
            try db.execute(
                sql: """
                    DELETE FROM main.row_claims WHERE entity = ?1 AND row_id NOT IN (SELECT id \
                    FROM main.\(SQLText.name(entity.name)))
                      AND row_id NOT IN (SELECT entity_id FROM main.sync_queue WHERE entity_type = ?1 \
                    AND \(Self.isRemoval))
                    """, arguments: [entity.name])
        }
    }

    /// SQL condition: a queue item removes its row.
    fileprivate static let isRemoval = "operation = '\(ChangeLog.Operation.delete.rawValue)'"

    /// Deletes the queue items of claimed rows that were removed locally and that are not on the
    /// server: there is nothing to remove.
    private func forgetRemovals(of entity: Entity, _ staging: PullStaging, _ told: Set<String>) throws {
        let scopes = staging.cursors.filter { $0.entity == entity.name }.compactMap(\.scope)
        let gone = try String.fetchAll(
            db,
            sql: """
                SELECT DISTINCT entity_id FROM main.sync_queue WHERE entity_type = ?1 AND \(Self.isRemoval)
                  AND (project_id IN (SELECT value FROM json_each(?2)) OR project_id IN (SELECT id \
                FROM main.\(SQLText.name(pack.project.entity)) WHERE remote_updated_at IS NULL))
                  AND entity_id IN (SELECT row_id FROM main.row_claims WHERE entity = ?1) \
                AND entity_id NOT IN (SELECT value FROM json_each(?3))
                  AND entity_id NOT IN (SELECT id FROM main.\(SQLText.name(entity.name)))
                """, arguments: [entity.name, Quarantine.json(scopes), Quarantine.json(told.sorted())])
        for id in gone {
            try db.execute(
                cachedSQL: "DELETE FROM main.sync_queue WHERE entity_type = ? AND entity_id = ?", [entity.name, id])
            try RowBases.forget(RowKey(entity: entity.name, id: id), db)
        }
    }

    /// The projects whose changes the actor may send, as JSON; nil: all.
    private func sentProjects(_ actor: Model.Actor) throws -> String? {
        guard !actor.role.permissions.contains(.administer) else { return nil }
        return try Quarantine.json(
            String.fetchAll(
                db, sql: "SELECT project_id FROM main.project_members WHERE profile_id = ?", arguments: [actor.id]))
    }

    /// Ids of the claimed rows that are not on the server: rows of the pulled scopes, and of
    /// projects unknown to the server. Rows in conflict are left out: a person decides about them
    /// first.
    ///
    /// A project that the server sent before and no longer shows counts as on the server, and so do
    /// its rows: the actor lost access to the project, or it was removed.
    private func unknown(
        _ entity: Entity, _ scopes: [String?], _ visible: [String]?, _ sent: String?, removed: [String]
    ) throws -> [String] {
        let project = RowProject(of: entity, in: pack).expression("t")
        let isSent = "(?3 IS NULL OR \(project) IN (SELECT value FROM json_each(?3)))"
        var conditions: [String] = []
        if entity.projectPath != nil {
            let isNew = """
                (EXISTS (SELECT 1 FROM main.row_claims WHERE entity = '\(pack.project.entity)' AND row_id = \(project))
                  OR EXISTS (SELECT 1 FROM main.\(SQLText.name(pack.project.entity)) AS o WHERE o.id = \(project) \
                AND o.remote_updated_at IS NULL))
                """
            if visible != nil {
                conditions.append(
                    """
                    \(project) NOT IN (SELECT value FROM json_each(?4)) AND \(project) NOT IN (SELECT value \
                    FROM json_each(?5)) AND \(isSent) AND \(isNew)
                    """
                )
            }
            // The server alone decides who works in a project that it has. A file must not restore
            // a membership that the server removed.
            let isOfPeople = entity.writer == .administrators && entity.name != pack.project.entity
            if !isOfPeople { conditions.append("\(project) IN (SELECT value FROM json_each(?2))") }
            if !isOfPeople, scopes.contains(nil) {
                conditions.append("\(project) IN (SELECT value FROM json_each(?4))")
            }
        } else if scopes.contains(nil) {
            // The server sends only the profiles that the actor may see.
            conditions.append(entity.name == "profiles" ? "?3 IS NULL" : "true")
        }
        guard !conditions.isEmpty else { return [] }
        return try String.fetchAll(
            db,
            sql: """
                SELECT t.id FROM main.row_claims AS c CROSS JOIN main.\(SQLText.name(entity.name)) AS t \
                ON t.id = c.row_id
                WHERE c.entity = ?1 AND t.sync_state <> 'conflict' AND (\(conditions.joined(separator: " OR ")))
                  AND ?2 IS NOT NULL AND coalesce(?3, '') IS NOT NULL AND ?4 IS NOT NULL AND ?5 IS NOT NULL \
                ORDER BY t.rowid
                """,
            arguments: [
                entity.name, Quarantine.json(scopes.compactMap(\.self)), sent, Quarantine.json(visible ?? []),
                Quarantine.json(removed),
            ])
    }

    /// Queues a row as new to the server; its first waiting change, if any, becomes the insertion.
    private func makeNew(_ row: RowKey, _ changes: ChangeLog) throws {
        try db.execute(cachedSQL: "DELETE FROM main.row_claims WHERE entity = ? AND row_id = ?", [row.entity, row.id])
        try db.execute(
            cachedSQL:
                """
                UPDATE main.\(SQLText.name(row.entity)) SET sync_state = 'local_only', remote_updated_at = NULL, \
                own_mark = 0, content_stamp = ?1 WHERE id = ?2
                """,
            [changes.number(), row.id])
        try RowBases.forget(row, db)
        let first = try String.fetchOne(
            db.cachedStatement(
                sql:
                    """
                    SELECT id FROM main.sync_queue WHERE entity_type = ? AND entity_id = ? \
                    AND operation IN ('INSERT', 'UPDATE') ORDER BY content_stamp, id LIMIT 1
                    """
            ),
            arguments: [row.entity, row.id])
        guard let first else { return try changes.enqueueAgain(row) }
        try db.execute(cachedSQL: "UPDATE main.sync_queue SET operation = 'INSERT' WHERE id = ?", [first])
    }
}

extension Replica {
    /// Ids of rows that a file claims to be in a central database, not yet confirmed, by entity.
    package func claimedRows() throws -> [String: Set<String>] {
        try read { db in
            var rows: [String: Set<String>] = [:]
            for row in try Row.fetchAll(db, sql: "SELECT entity, row_id FROM row_claims") {
                rows[row[0], default: []].insert(row[1])
            }
            return rows
        }
    }

    /// The projects of claimed rows, including rows that were removed locally.
    package func claimedProjects() throws -> Set<String> {
        try read { db in
            var projects: Set<String> = []
            for entity in try String.fetchAll(db, sql: "SELECT DISTINCT entity FROM row_claims").compactMap({
                pack.entity($0)
            }) {
                let removed =
                    """
                    SELECT DISTINCT project_id FROM main.sync_queue WHERE entity_type = ?1 \
                    AND \(UnverifiedRemoteRows.isRemoval) AND entity_id IN (SELECT row_id FROM main.row_claims \
                    WHERE entity = ?1)
                    """
                projects.formUnion(
                    try String.fetchAll(db, sql: removed + " AND project_id IS NOT NULL", arguments: [entity.name]))
                projects.formUnion(
                    try RowProject(of: entity, in: pack).ids(
                        where: "t.id IN (SELECT row_id FROM row_claims WHERE entity = ?)", [entity.name], db))
            }
            return projects
        }
    }
}
