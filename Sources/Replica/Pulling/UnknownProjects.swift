import GRDB
package import Model

/// Projects that rows of a central database name and that are neither here nor among those that the
/// person sees there: a server whose references are not checked has such rows. They come as what
/// they are, and belong to no list, so they are told.
struct UnknownProjects {
    private let db: Database
    private let pack: Pack

    init(_ db: Database, pack: Pack) { (self.db, self.pack) = (db, pack) }

    /// The projects of whose people and choices a person sees rows: those of the person's own
    /// memberships, and all for whoever may administer.
    func seen(by actor: Model.Actor) throws -> [String] {
        let isOwn = actor.role.permissions.contains(.administer) ? "true" : "profile_id = ?1"
        let tables = ["project_members", "file_sync_states"].filter { pack.entity($0) != nil }
        guard !tables.isEmpty else { return [] }
        let rows = tables.map { "SELECT project_id FROM main.\($0) WHERE \(isUnknown) AND \(isOwn) AND ?1 IS NOT NULL" }
        return try String.fetchAll(db, sql: rows.joined(separator: " UNION ") + " ORDER BY 1", arguments: [actor.id])
    }

    /// Tells how many rows of each table belong to each of them.
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

    private var isUnknown: String {
        let projects = "main." + SQLText.name(pack.project.entity)
        return """
            remote_updated_at IS NOT NULL AND project_id IS NOT NULL
            AND project_id NOT IN (SELECT id FROM \(projects))
            """
    }
}

extension Replica {
    /// Ids of projects that are nowhere and of which a person sees rows all the same.
    package func unknownProjects(seenBy actor: Model.Actor) throws -> [String] {
        try read { db in try UnknownProjects(db, pack: pack).seen(by: actor) }
    }

    package func tellUnknownProjects(to actor: Model.Actor, _ findings: any FindingSink) throws {
        try read { db in try UnknownProjects(db, pack: pack).report(actor, findings) }
    }
}
