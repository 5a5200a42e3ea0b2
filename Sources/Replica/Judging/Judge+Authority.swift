import GRDB
import Model

/// May the actor? Role, membership and own choices, as they were before the set.
extension Judge {
    /// Who may work and who sees which project is not for everybody who may import records.
    func judgeWriter(_ entity: Entity, _ rows: EntityRows) throws {
        guard entity.writer == .administrators else { return }
        // The first profile needs nobody's leave. Whoever comes second, and be it at the same moment, needs that of the first.
        if request.isFounding, try !isKnown, try Bool.fetchOne(db, sql: "SELECT EXISTS (SELECT 1 FROM main.profiles)") == true {
            let arguments = ["name": SQLText.literal(entity.name), "role": SQLText.literal(role.name)]
            try refuse("IMPORT-NOT-ALLOWED", field: "id", arguments, "\(rows.staged) AS s")
        }
        guard !role.permissions.contains(.administer) else { return }
        // What the replica has already is no change; a file cannot change when a profile was seen to be valid, but say it first.
        let changes = entity.fields.map { isChanged($0, entity) + ($0.name == "cached_at" ? " AND t.cached_at IS NULL" : "") }.joined(separator: " OR ")
        try refuse(
            "IMPORT-NOT-ALLOWED", field: "id", ["name": SQLText.literal(entity.name), "role": SQLText.literal(role.name)],
            """
            \(joined(rows)) WHERE t.id IS NULL OR \(changes)
            """)
    }

    /// Whether the actor works with this replica already.
    private var isKnown: Bool {
        get throws { try Bool.fetchOne(db, sql: "SELECT EXISTS (SELECT 1 FROM main.profiles WHERE id = ?)", arguments: [request.actor.id]) == true }
    }

    /// Who sees which project is for administrators to decide; but whoever brings a project in may be a member of it himself, if that very set says so.
    /// A condition on the row `p` of a project; `?1` is the actor.
    func joinable(_ projects: EntityRows) -> String {
        guard request.joins else { return "false" }
        return """
            p.rowid > \(projects.before)
            AND NOT EXISTS (SELECT 1 FROM main.project_members AS o WHERE o.project_id = p.id AND o.profile_id = ?1)
            """
    }

    /// Some tables are not for everybody who may edit: a field worker brings a project, and does not rename one that is there. Moves of its state are judged by the roles of
    /// their own.
    func judgeEditors(_ entity: Entity, _ rows: EntityRows) throws {
        guard let editors = entity.editors, !editors.contains(role.name) else { return }
        let own = Set([entity.states?.field, "id", "updated_at"].compactMap(\.self))
        let changes = entity.fields.filter { !own.contains($0.name) }.map { isChanged($0, entity) }.joined(separator: " OR ")
        guard request.origin == .person || request.policy == .update else { return }
        let isNew = request.origin == .person ? "t.id IS NULL OR " : "t.id IS NOT NULL AND \(changeable) AND "
        try refuse(
            "CHANGE-EDITOR", field: "id", ["name": SQLText.literal(entity.name), "role": SQLText.literal(role.name)],
            "\(joined(rows)) WHERE \(isNew)(\(changes))")
    }

    /// Nobody decides what he himself may do; so whoever decides about others stays able to.
    func judgeOwnProfile(_ entity: Entity, _ rows: EntityRows) throws {
        guard entity.name == "profiles", request.origin == .person else { return }
        let changes = ["role", "status", "email"].compactMap { entity.field($0) }.map { isChanged($0, entity) }
        try refuse(
            "CHANGE-OWN-ROLE", field: "role", ["actor": SQLText.literal(request.actor.email)],
            """
            \(joined(rows, "JOIN"))
            WHERE t.id = \(SQLText.literal(request.actor.id)) AND (\(changes.joined(separator: " OR ")))
            """)
    }

    /// What is a person's own choice, nobody else makes for him by a command.
    func judgeOwn(_ entity: Entity, _ rows: EntityRows) throws {
        guard request.origin == .person, !role.permissions.contains(.administer), let owner = entity.owner.flatMap({ entity.field($0) }) else { return }
        let me = SQLText.literal(request.actor.id), stated = "s." + StagedEntity.column(owner), here = "t." + SQLText.name(owner.name)
        try refuse(
            "CHANGE-NOT-OWN", field: owner.name, ["actor": SQLText.literal(request.actor.email)],
            "\(joined(rows)) WHERE coalesce(\(stated), \(here)) IS NOT \(me) OR (t.id IS NOT NULL AND \(here) IS NOT \(me))")
    }

    /// The row's project, where it is to be and where it is, must be one of the actor's.
    func judgeScope(_ entity: Entity, _ rows: EntityRows) throws {
        guard scope.isLimited, let path = entity.projectPath, let first = path.parts.first else { return }
        let projects = "main." + SQLText.name(pack.project.entity)
        let outside = "EXISTS (SELECT 1 FROM \(projects) AS p WHERE p.id = %@ AND p.id NOT IN (SELECT project_id FROM temp.change_scope))"
        let new = statedProject(entity, first)
        let old = RowProject(of: entity, in: pack).expression("t")
        try refuse(
            "CHANGE-PROJECT", field: first, ["actor": SQLText.literal(request.actor.email)],
            """
            \(rows.staged) AS s LEFT JOIN \(rows.table) AS t ON t.id = s.f_id
            WHERE \(outside.replacing("%@", with: new)) OR \(outside.replacing("%@", with: old))
            """)
    }

    /// The project where a staged row is to be, as an expression; null where it does not say what it belongs to.
    func statedProject(_ entity: Entity, _ first: String) -> String {
        RowProject(of: entity, in: pack).expression("s").replacing("s." + SQLText.name(first), with: "s." + SQLText.name("f_" + first))
    }

    /// Whether a project is one in which the actor may change rows.
    func covers(project id: String) throws -> Bool {
        try scope.covers([id])
    }

    /// The same as a condition on many rows.
    func isCovered(_ entity: Entity, row: String) -> String {
        guard scope.isLimited, entity.projectPath != nil else { return "true" }
        return "\(RowProject(of: entity, in: pack).expression(row)) IN (SELECT project_id FROM temp.change_scope)"
    }

    /// Whether a row that is there belongs to a project in which the actor may change rows.
    func covers(_ id: String, _ entity: Entity) throws -> Bool {
        guard scope.isLimited, entity.projectPath != nil else { return true }
        return try Bool.fetchOne(
            db, sql: "SELECT \(isCovered(entity, row: "t")) FROM main.\(SQLText.name(entity.name)) AS t WHERE t.id = ?", arguments: [id]) == true
    }
}

extension ImportRequest {
    /// Whether rows that say that they are synced are believed: on an administrator's word, until the server itself can be asked.
    var believesStates: Bool { actor.role.permissions.contains(.administer) }
}
