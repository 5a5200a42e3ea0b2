import GRDB
import Model

/// May the actor? Role, membership and own choices, as they were before the set.
extension Judge {
    /// Who may work and who sees which project is not for everybody who may import records.
    func judgeWriter(_ entity: Entity, _ rows: EntityRows) throws {
        guard entity.writer == .administrators, !role.permissions.contains(.administer) else { return }
        // What the replica has already is no change; a file cannot change when a profile was seen to be valid, but say it first.
        let changes = entity.fields.map { isChanged($0, entity) + ($0.name == "cached_at" ? " AND t.cached_at IS NULL" : "") }.joined(separator: " OR ")
        try refuse(
            "IMPORT-NOT-ALLOWED", field: "id", ["name": SQLText.literal(entity.name), "role": SQLText.literal(role.name)],
            """
            \(joined(rows)) WHERE t.id IS NULL OR \(changes)
            """)
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

    /// Whether a row that is there belongs to a project in which the actor may change rows.
    func covers(_ id: String, _ entity: Entity) throws -> Bool {
        guard scope.isLimited, entity.projectPath != nil else { return true }
        let project = RowProject(of: entity, in: pack).expression("t")
        return try Bool.fetchOne(
            db, sql: "SELECT \(project) IN (SELECT project_id FROM temp.change_scope) FROM main.\(SQLText.name(entity.name)) AS t WHERE t.id = ?",
            arguments: [id]) == true
    }

    /// What forbids the actor to take a row away; nil: nothing.
    ///
    /// - Parameters:
    ///   - closed: the state that closes the row or what it belongs to.
    ///   - states: of the row and of what it belongs to.
    func judgeRemoval(of id: String, _ entity: Entity, closed: String?, states: [String]) throws -> (code: String, arguments: [String: String])? {
        let mayNot = ("CHANGE-DELETE", ["name": entity.name, "role": role.name, "state": states.first ?? "—"])
        if entity.writer == .administrators {
            if entity.name == "profiles", id == request.actor.id { return ("CHANGE-OWN-ROLE", ["actor": request.actor.email]) }
            return role.permissions.contains(.administer) ? nil : mayNot
        }
        if let owner = entity.owner {
            let isOwn = try Bool.fetchOne(
                db, sql: "SELECT \(SQLText.name(owner)) = ? FROM main.\(SQLText.name(entity.name)) WHERE id = ?", arguments: [request.actor.id, id]) == true
            guard isOwn || role.permissions.contains(.administer) else { return ("CHANGE-NOT-OWN", ["actor": request.actor.email]) }
            return try covers(id, entity) ? nil : ("CHANGE-PROJECT", ["actor": request.actor.email])
        }
        guard let deletion = entity.deletion, deletion.roles.contains(role.name) else { return mayNot }
        guard try covers(id, entity) else { return ("CHANGE-PROJECT", ["actor": request.actor.email]) }
        if let closed, request.reason == nil { return ("CHANGE-CLOSED", ["state": closed]) }
        guard deletion.states.isEmpty || states.allSatisfy(deletion.states.contains) else { return mayNot }
        return nil
    }
}
