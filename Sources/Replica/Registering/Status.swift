import GRDB
package import Model

/// The content of `fichero status` about a replica.
package struct ReplicaStatus: Sendable, Hashable, Codable {
    package struct Table: Sendable, Hashable, Codable {
        package var entity: String
        package var rows: Int
        /// Rows by sync state; states without rows are absent.
        package var bySyncState: [String: Int]
        /// Rows by the record's state, if the table has states; the empty key is for rows without
        /// one.
        package var byState: [String: Int]
    }

    package struct Project: Sendable, Hashable, Codable {
        package var id: String
        package var code: String
        package var name: String
        package var members: Int
    }

    package var packName: String
    package var packVersion: String
    package var createdAt: String
    /// Whether all projects of the replica are counted, and not only those of one person.
    package var isOfAll: Bool
    package var projects: [Project]
    /// The pack's tables in the pack's order, without the program's logs.
    package var tables: [Table]
    /// Queue items to be uploaded, by operation.
    package var queue: [String: Int]
    package var openConflicts: Int
    package var openRejects: Int
    package var lastRuns: [PipelineRun]
    /// The sync state of each project, if the caller requested it.
    package var sync: [SyncStatus]?
}

extension Replica {
    /// The status of the projects of one profile, or of the whole replica (nil).
    ///
    /// - Parameter reader: projects appear by their ids if this role may not see their names.
    package func status(visibleTo profileID: String? = nil, as reader: Role? = nil, runs: Int = 5) throws
        -> ReplicaStatus
    {
        try read { db in
            ReplicaStatus(
                packName: pack.name, packVersion: try ReplicaKey.value(of: .packVersion, db) ?? "",
                createdAt: try ReplicaKey.value(of: .createdAt, db) ?? "", isOfAll: profileID == nil,
                projects: try projects(profileID, reader, db),
                tables: try pack.entities.filter { !IndexPlan.logs.contains($0.name) }.map {
                    try table($0, profileID, db)
                },
                queue: try counts(
                    db, "SELECT operation, count(*) FROM sync_queue WHERE \(visible("project_id")) GROUP BY 1",
                    profileID),
                openConflicts: try count(
                    db, "SELECT count(*) FROM conflicts WHERE resolution_status = 'open' AND \(visible("project_id"))",
                    profileID),
                openRejects: try count(
                    db, "SELECT count(*) FROM rejects AS r WHERE \(Replica.isUndecided("r")) AND (?1 IS NULL OR 1)",
                    profileID),
                lastRuns: try RunJournal.runs(db, where: "1", arguments: [], limit: runs).map { shown($0, to: reader) })
        }
    }

    /// The ids of the projects of a profile, without counting anything in them.
    package func projects(of profileID: String) throws -> [String] {
        try read { try projects(profileID, nil, $0).map(\.id) }
    }

    /// Ids of the projects of which a person is a member, as confirmed by the central database.
    package func memberships(of profileID: String) throws -> [String] {
        try read { db in
            try String.fetchAll(
                db,
                sql:
                    """
                    SELECT DISTINCT project_id FROM project_members WHERE profile_id = ? \
                    AND remote_updated_at IS NOT NULL AND project_id IS NOT NULL ORDER BY 1
                    """,
                arguments: [profileID])
        }
    }

    private func projects(_ profileID: String?, _ reader: Role?, _ db: Database) throws -> [ReplicaStatus.Project] {
        let (code, name) = pack.projectNames(for: reader)
        return try Row.fetchAll(
            db,
            sql: """
                SELECT id, \(code), \(name),
                  (SELECT count(*) FROM project_members m WHERE m.project_id = p.id)
                FROM \(SQLText.name(pack.project.entity)) p WHERE \(visible("id")) ORDER BY 2, 1
                """, arguments: [profileID]
        ).map { row in
            ReplicaStatus.Project(id: row[0], code: row[1] ?? "", name: row[2] ?? "", members: row[3])
        }
    }

    private func table(_ entity: Entity, _ profileID: String?, _ db: Database) throws -> ReplicaStatus.Table {
        let source = "FROM \(SQLText.name(entity.name)) WHERE " + visibleRows(of: entity)
        let bySyncState = try counts(db, "SELECT sync_state, count(*) \(source) GROUP BY 1", profileID)
        let byState = try entity.states.map {
            try counts(db, "SELECT coalesce(\(SQLText.name($0.field)), ''), count(*) \(source) GROUP BY 1", profileID)
        }
        return ReplicaStatus.Table(
            entity: entity.name, rows: bySyncState.values.reduce(0, +), bySyncState: bySyncState,
            byState: byState ?? [:])
    }

    /// SQL condition: a row belongs to a project of the profile, if need be by the records to which
    /// it refers.
    private func visibleRows(of entity: Entity) -> String {
        guard let path = entity.projectPath else { return "(?1 IS NULL OR 1)" }
        var column = SQLText.name(path.parts[0])
        var current: Entity? = entity
        var lookup: [(key: String, table: String)] = []
        for part in path.parts.dropLast() {
            current = current?.field(part)?.references.flatMap { pack.entity($0) }
            lookup.append((part, current?.name ?? ""))
        }
        // One nested list of ids for each table between the row and the project.
        guard let last = path.parts.last, !lookup.isEmpty else { return visible(column) }
        var condition = visibleProjects(SQLText.name(last))
        for index in lookup.indices.reversed() {
            column = SQLText.name(lookup[index].key)
            condition = "\(column) IN (SELECT id FROM \(SQLText.name(lookup[index].table)) WHERE \(condition))"
        }
        return "(?1 IS NULL OR \(condition))"
    }

    /// SQL condition: the column is a project of the profile `?1`, or `?1` is null.
    private func visible(_ column: String) -> String {
        "(?1 IS NULL OR \(visibleProjects(column)))"
    }

    private func visibleProjects(_ column: String) -> String {
        "\(column) IN (SELECT m.project_id FROM project_members m WHERE m.profile_id = ?1)"
    }

    private func counts(_ db: Database, _ sql: String, _ profileID: String?) throws -> [String: Int] {
        var counts: [String: Int] = [:]
        for row in try Row.fetchAll(db, sql: sql, arguments: [profileID]) { counts[row[0] ?? ""] = row[1] }
        return counts
    }

    private func count(_ db: Database, _ sql: String, _ profileID: String?) throws -> Int {
        try Int.fetchOne(db, sql: sql, arguments: [profileID]) ?? 0
    }
}

extension Pack {
    /// SQL of a project's code and name, or of its id if the role may not see the field. A nil role
    /// sees everything.
    func projectNames(for role: Role?) -> (code: String, name: String) {
        func shown(_ field: String) -> String {
            guard let role, let field = entity(project.entity)?.field(field), !isVisible(field, to: role) else {
                return SQLText.name(field)
            }
            return "id"
        }
        return (shown(project.code), shown(project.name))
    }
}
