import GRDB
package import Model

/// Replaces rows created in this replica that the central database has under another id: the person
/// who began the replica, and projects, whose codes are unique. The central id is final: from then
/// on, references to the local row use it, also when they are sent.
struct AdoptedRows {
    private let db: Database
    private let pack: Pack

    init(_ db: Database, pack: Pack) { (self.db, self.pack) = (db, pack) }

    /// Adopts the ids of rows that have just arrived.
    func adopt(_ staged: [String: PullStaging.Rows], _ changes: ChangeLog, at time: String) throws {
        if let profiles = staged["profiles"] {
            try StandIns(db, pack: pack).replace(byThose: "SELECT f_id FROM \(profiles.table)", changes, at: time)
        }
        guard let entity = Self.project(of: pack), let projects = staged[entity.name],
            let same = Self.isSame(entity, "o", "n")
        else { return }
        let pairs = try Row.fetchAll(
            db,
            sql: """
                SELECT o.id, min(n.id) FROM main.\(SQLText.name(entity.name)) AS o \
                JOIN main.\(SQLText.name(entity.name)) AS n ON \(same)
                WHERE \(Self.isUnknown("o")) AND o.id <> n.id AND n.id IN (SELECT f_id FROM \(projects.table)) \
                GROUP BY o.id
                """)
        for pair in pairs {
            let reader = try changes.reader(of: entity.name)
            guard let values = try reader.values(of: pair[0]) else { continue }
            try RowReplacement(db, pack: pack, changes).replace(
                pair[0], by: pair[1], of: entity, action: "project_replaced", before: reader.givenJSON(values))
        }
        if let members = staged["project_members"] { try dropOwnMembers(members) }
    }

    /// Removes memberships created in this replica if the server created the same ones.
    private func dropOwnMembers(_ members: PullStaging.Rows) throws {
        try db.execute(
            sql: """
                DELETE FROM main.project_members WHERE \(Self.isUnknown("project_members")) \
                AND id NOT IN (SELECT f_id FROM \(members.table))
                  AND (project_id, profile_id) IN (SELECT f_project_id, f_profile_id FROM \(members.table))
                """)
        guard db.changesCount > 0 else { return }
        try db.execute(
            sql:
                """
                DELETE FROM main.sync_queue WHERE entity_type = 'project_members' AND operation = 'INSERT' \
                AND entity_id NOT IN (SELECT id FROM main.project_members)
                """
        )
    }

    /// Whether the remote may have a locally created row under another id, or a file claims that
    /// the remote has one of its rows.
    func mayBeKnown() throws -> Bool {
        let projects =
            Self.project(of: pack).map {
                " OR EXISTS (SELECT 1 FROM main.\(SQLText.name($0.name)) AS o WHERE \(Self.isUnknown("o")))"
            } ?? ""
        let known =
            """
            SELECT EXISTS (SELECT 1 FROM main.row_claims) OR EXISTS (SELECT 1 FROM main.profiles AS o \
            WHERE \(Self.isUnknown("o")))
            """
        return try Bool.fetchOne(db, sql: known + projects) ?? false
    }

    /// The table of projects, if their keys are unique.
    private static func project(of pack: Pack) -> Entity? {
        pack.entity(pack.project.entity).flatMap { entity in
            entity.key.allSatisfy { entity.field($0)?.uniqueness == .replica } ? entity : nil
        }
    }

    /// SQL condition: the remote has never confirmed the row.
    private static func isUnknown(_ row: String) -> String { "\(row).remote_updated_at IS NULL" }

    /// SQL condition: two rows have the same key, with names compared in normalised form.
    private static func isSame(_ entity: Entity, _ first: String, _ second: String) -> String? {
        let fields = entity.key.compactMap { entity.field($0) }
        guard !fields.isEmpty else { return nil }
        return fields.map { field in
            func value(_ row: String) -> String {
                let column = "\(row).\(SQLText.name(field.name))"
                return field.name == entity.keyText?.name ? "coalesce(\(row).\(KeyText.column), \(column))" : column
            }
            return "\(value(first)) = \(value(second))"
        }.joined(separator: " AND ")
    }
}

extension Replica {
    /// Whether a local row may have another id in the central database, or a file claims that a row
    /// is in that database. If so, people and projects are pulled before changes are sent.
    package func mayBeKnownElsewhere() throws -> Bool {
        try read { db in try AdoptedRows(db, pack: pack).mayBeKnown() }
    }
}

/// Finds projects to which pulled rows refer, but which are neither in the replica nor visible to
/// the person on the server. A server that does not check references may have such rows. These
/// projects appear in no list, so they are reported.
struct UnknownProjects {
    private let db: Database
    private let pack: Pack

    init(_ db: Database, pack: Pack) { (self.db, self.pack) = (db, pack) }

    /// Unknown projects in the person's memberships and offline choices. For an administrator,
    /// those of all people are included.
    func seen(by actor: Model.Actor) throws -> [String] {
        let isOwn = actor.role.permissions.contains(.administer) ? "true" : "profile_id = ?1"
        let tables = ["project_members", "file_sync_states"].filter { pack.entity($0) != nil }
        guard !tables.isEmpty else { return [] }
        let rows = tables.map { "SELECT project_id FROM main.\($0) WHERE \(isUnknown) AND \(isOwn) AND ?1 IS NOT NULL" }
        return try String.fetchAll(db, sql: rows.joined(separator: " UNION ") + " ORDER BY 1", arguments: [actor.id])
    }

    /// Reports how many rows of each table belong to each unknown project.
    func report(_ actor: Model.Actor, _ findings: any FindingSink) throws {
        let seen = try Quarantine.json(seen(by: actor))
        let isSeen = "project_id IN (SELECT value FROM json_each(?1))"
        let among = actor.role.permissions.contains(.administer) ? "true" : isSeen
        for entity in pack.centralEntities where entity.projectPath?.parts == ["project_id"] {
            let groups = try Row.fetchAll(
                db,
                sql: """
                    SELECT project_id, count(*) FROM main.\(SQLText.name(entity.name))
                    WHERE \(isUnknown) AND \(among) AND ?1 IS NOT NULL GROUP BY 1 ORDER BY 1
                    """, arguments: [seen])
            for group in groups {
                let (project, count): (String, Int) = (group[0], group[1])
                try findings.add(
                    Finding(
                        "SYNC-PROJECT", place: Place(table: entity.name, id: project, field: "project_id"),
                        arguments: ["name": entity.name, "count": String(count), "project": project]))
            }
        }
    }

    /// SQL condition: a pulled row's project is not in the replica.
    private var isUnknown: String {
        let projects = "main." + SQLText.name(pack.project.entity)
        return """
            remote_updated_at IS NOT NULL AND project_id IS NOT NULL
            AND project_id NOT IN (SELECT id FROM \(projects))
            """
    }
}

extension Replica {
    /// Ids of projects that do not exist, although the person sees rows of them.
    package func unknownProjects(seenBy actor: Model.Actor) throws -> [String] {
        try read { db in try UnknownProjects(db, pack: pack).seen(by: actor) }
    }

    package func reportUnknownProjects(to actor: Model.Actor, _ findings: any FindingSink) throws {
        try read { db in try UnknownProjects(db, pack: pack).report(actor, findings) }
    }
}
