import GRDB
import Model

/// Checks of permission, based on the actor's role and memberships, and on the owners of rows,
/// before the change set.
extension Judge {
    /// Refuses changes of users and memberships by actors without the permission to administer.
    func judgeWriter(_ entity: Entity, _ rows: EntityRows) throws {
        guard entity.writer == .administrators else { return }
        // The first profile needs no permission. A second one, even if it is created at the same
        // moment, needs the permission of the first.
        if request.isFounding, try !isKnown,
            try Bool.fetchOne(db, sql: "SELECT EXISTS (SELECT 1 FROM main.profiles)") == true
        {
            let arguments = ["name": SQLText.literal(entity.name), "role": SQLText.literal(role.name)]
            try refuse("IMPORT-NOT-ALLOWED", field: "id", arguments, "\(rows.staged) AS s")
        }
        guard !role.permissions.contains(.administer) else { return }
        // A value that the replica has already is not a change. A file cannot change the time at
        // which a profile was validated, but it may supply the first value.
        let changes = entity.fields.map {
            isChanged($0, entity) + ($0.name == "cached_at" ? " AND t.cached_at IS NULL" : "")
        }.joined(separator: " OR ")
        try refuse(
            "IMPORT-NOT-ALLOWED", field: "id",
            ["name": SQLText.literal(entity.name), "role": SQLText.literal(role.name)],
            """
            \(joined(rows)) WHERE t.id IS NULL OR \(changes)
            """)
    }

    /// Whether the actor has a profile in this replica.
    private var isKnown: Bool {
        get throws {
            try Bool.fetchOne(
                db, sql: "SELECT EXISTS (SELECT 1 FROM main.profiles WHERE id = ?)", arguments: [request.actor.id])
                == true
        }
    }

    /// SQL condition on the row `p` of a project: the actor may join it. Administrators decide
    /// about membership, but the creator of a project may become its member in the same change set.
    /// `?1` is the actor.
    func joinable(_ projects: EntityRows) -> String {
        guard request.joins else { return "false" }
        return """
            p.rowid > \(projects.before)
            AND NOT EXISTS (SELECT 1 FROM main.project_members AS o WHERE o.project_id = p.id AND o.profile_id = ?1)
            """
    }

    /// Refuses changes of tables that only some roles may edit. A field worker, for example, may
    /// import a new project, but may not rename an existing one. State transitions are checked
    /// separately.
    func judgeEditors(_ entity: Entity, _ rows: EntityRows) throws {
        guard !role.isEditor(of: entity) else { return }
        guard request.origin == .person || request.policy.updates else { return }
        let open = entity.fields(openTo: role.name)
        let closed = entity.fields.filter { !open.contains($0.name) }
        for field in closed {
            guard let own = entity.openFields[role.name] else { break }
            try refuse(
                "CHANGE-OTHER-FIELD", field: field.name,
                ["role": SQLText.literal(role.name), "fields": SQLText.literal(own.joined(separator: ", "))],
                "\(joined(rows, "JOIN")) WHERE \(changeable) AND \(isChanged(field, entity))")
        }
        let changes = closed.map { isChanged($0, entity) }.joined(separator: " OR ")
        let isNew = request.origin == .person ? "t.id IS NULL OR " : "t.id IS NOT NULL AND \(changeable) AND "
        try refuse(
            "CHANGE-EDITOR", field: "id",
            [
                "name": SQLText.literal(entity.name), "role": SQLText.literal(role.name),
                "may": SQLText.literal(editors(of: entity)),
            ],
            "\(joined(rows)) WHERE \(isNew)(\(changes))")
    }

    /// The roles that may edit a table, as messages list them.
    func editors(of entity: Entity) -> String {
        pack.roles.filter { $0.isEditor(of: entity) }.map(\.name).joined(separator: ", ")
    }

    /// Whether a file may cause a conflict about these differences. It may only if the actor could
    /// have made the changes, or if the file comes from a sync partner, whose data counts as fact.
    func mayContest(_ entity: Entity, _ differences: [RowDifference]) -> Bool {
        if request.exchange != nil || role.isEditor(of: entity) { return true }
        guard entity.fields(openTo: role.name).isSuperset(of: differences.map(\.field)) else { return false }
        guard let states = entity.states, let move = differences.first(where: { $0.field == states.field }) else {
            return true
        }
        return mayMove(states, from: move.before ?? "", to: move.after ?? "")
    }

    /// Finding for new rows of a file whose entity the actor may import but not send to the server.
    func unsendable(_ entity: Entity, _ count: Int) -> Finding? {
        guard count > 0, request.origin == .file, request.exchange == nil, !request.believesStates,
            !role.isEditor(of: entity)
        else { return nil }
        return Finding(
            "IMPORT-NOT-TO-SEND", place: Place(table: entity.name),
            arguments: ["name": entity.name, "count": String(count), "role": role.name])
    }

    /// Refuses changes of the actor's own role, status or address, so that administrators keep
    /// their permission.
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

    /// Refuses a choice that belongs to another person, whether in a command or in a file. A file
    /// may contain other people's choices if they are unchanged.
    func judgeOwn(_ entity: Entity, _ rows: EntityRows) throws {
        guard request.exchange == nil, request.origin == .person || request.origin == .file,
            !role.permissions.contains(.administer), let owner = entity.owner.flatMap({ entity.field($0) })
        else { return }
        let me = SQLText.literal(request.actor.id), stated = "s." + StagedEntity.column(owner),
            here = "t." + SQLText.name(owner.name)
        try refuse(
            "CHANGE-NOT-OWN", field: owner.name, ["actor": SQLText.literal(request.actor.email)],
            """
            \(joined(rows)) WHERE (coalesce(\(stated), \(here)) IS NOT \(me) OR (t.id IS NOT NULL
              AND \(here) IS NOT \(me)))
              AND (t.id IS NULL OR \(entity.fields.map { isChanged($0, entity) }.joined(separator: " OR ")))
            """)
    }

    /// Refuses a row unless both its present and its new project are among the actor's. A new row
    /// without an owner is refused like a row of another project: a person who knows only an id
    /// must not learn whether its record exists.
    func judgeScope(_ entity: Entity, _ rows: EntityRows) throws {
        guard scope.isLimited, let path = entity.projectPath, let first = path.parts.first else { return }
        let projects = "main." + SQLText.name(pack.project.entity)
        let outside =
            """
            EXISTS (SELECT 1 FROM \(projects) AS p WHERE p.id = %@ AND p.id NOT IN (SELECT project_id \
            FROM temp.change_scope))
            """
        let new = statedProject(entity, first)
        let old = RowProject(of: entity, in: pack).expression("t")
        let ownerless =
            request.origin == .file && entity.field(first)?.isRequired == true
            ? " OR t.id IS NULL AND s.\(SQLText.name("f_" + first)) IS NULL" : ""
        try refuse(
            "CHANGE-PROJECT", field: first, ["actor": SQLText.literal(request.actor.email)],
            """
            \(rows.staged) AS s LEFT JOIN \(rows.table) AS t ON t.id = s.f_id
            WHERE \(outside.replacing("%@", with: new)) OR \(outside.replacing("%@", with: old))\(ownerless)
            """)
    }

    /// SQL expression for a staged row's new project; null if the row does not contain its owner.
    func statedProject(_ entity: Entity, _ first: String) -> String {
        RowProject(of: entity, in: pack).expression("s").replacing(
            "s." + SQLText.name(first), with: "s." + SQLText.name("f_" + first))
    }

    /// Whether the actor may change rows in a project.
    func covers(project id: String) throws -> Bool {
        try scope.covers([id])
    }

    /// SQL condition on many rows: the row's project is one in which the actor may change rows.
    func isCovered(_ entity: Entity, row: String) -> String {
        guard scope.isLimited, entity.projectPath != nil else { return "true" }
        return "\(RowProject(of: entity, in: pack).expression(row)) IN (SELECT project_id FROM temp.change_scope)"
    }

    /// Whether an existing row belongs to a project in which the actor may change rows.
    func covers(_ id: String, _ entity: Entity) throws -> Bool {
        guard scope.isLimited, entity.projectPath != nil else { return true }
        return try Bool.fetchOne(
            db, sql: "SELECT \(isCovered(entity, row: "t")) FROM main.\(SQLText.name(entity.name)) AS t WHERE t.id = ?",
            arguments: [id]) == true
    }
}

extension ImportRequest {
    /// Whether sync states in the rows are accepted: only from an administrator, as long as the
    /// server itself cannot be queried.
    var believesStates: Bool { !deniesStates && actor.role.permissions.contains(.administer) }
}

/// The projects in which an actor may change rows: those with a membership before the change set,
/// those that the actor imported or created, and those that the set creates. Administrators may
/// work in all projects, since they decide about membership.
final class ChangeScope {
    private let db: Database
    /// Whether there is any project outside the scope.
    let isLimited: Bool

    static let temporary = ["CREATE TEMP TABLE change_scope (project_id TEXT PRIMARY KEY) WITHOUT ROWID"]

    /// - Parameter change: a change set; of the projects that the actor created, only those of this
    ///   set count. Nil: all of them count.
    init(_ db: Database, pack: Pack, actor: Model.Actor, broughtBy change: String? = nil) throws {
        self.db = db
        let projects = "main." + SQLText.name(pack.project.entity)
        guard !actor.role.permissions.contains(.administer) else {
            isLimited = false
            return
        }
        try db.execute(
            sql: """
                INSERT OR IGNORE INTO temp.change_scope
                SELECT project_id FROM main.project_members WHERE profile_id = :actor AND project_id IS NOT NULL
                UNION
                SELECT p.id FROM \(projects) AS p JOIN main.import_sources AS s ON s.number = p.import_source
                JOIN main.import_details AS d ON d.import_id = s.import_id
                WHERE d.actor_id = :actor AND (:change IS NULL OR d.import_id = :change)
                """, arguments: ["actor": actor.id, "change": change])
        isLimited =
            try Bool.fetchOne(
                db,
                sql:
                    """
                    SELECT EXISTS (SELECT 1 FROM \(projects) WHERE id NOT IN (SELECT project_id \
                    FROM temp.change_scope))
                    """
            ) ?? true
    }

    /// Whether the actor may change rows in all of these projects.
    func covers(_ projects: Set<String>) throws -> Bool {
        guard isLimited else { return true }
        return try Bool.fetchOne(
            db,
            sql:
                """
                SELECT NOT EXISTS (SELECT 1 FROM json_each(?) WHERE value NOT IN (SELECT project_id \
                FROM temp.change_scope))
                """,
            arguments: [try Quarantine.json(projects.sorted())]) == true
    }

    func add(_ projects: [String]) throws {
        guard isLimited else { return }
        for project in projects {
            try db.execute(sql: "INSERT OR IGNORE INTO temp.change_scope VALUES (?)", arguments: [project])
        }
    }
}
