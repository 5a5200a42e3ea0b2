import GRDB
import Model

/// Checks of permission: the actor's role, memberships and own choices, as they were before the
/// set.
extension Judge {
    /// Refuses changes of users and memberships by actors who may not administer.
    func judgeWriter(_ entity: Entity, _ rows: EntityRows) throws {
        guard entity.writer == .administrators else { return }
        // The first profile needs no permission. A second one, even if it is made at the same
        // moment, needs that of the first.
        if request.isFounding, try !isKnown,
            try Bool.fetchOne(db, sql: "SELECT EXISTS (SELECT 1 FROM main.profiles)") == true
        {
            let arguments = ["name": SQLText.literal(entity.name), "role": SQLText.literal(role.name)]
            try refuse("IMPORT-NOT-ALLOWED", field: "id", arguments, "\(rows.staged) AS s")
        }
        guard !role.permissions.contains(.administer) else { return }
        // A value that the replica has already is no change. A file cannot change the time at which
        // a profile was validated, but it may state it first.
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
    /// about membership, but whoever creates a project may become its member in the same change
    /// set. `?1` is the actor.
    func joinable(_ projects: EntityRows) -> String {
        guard request.joins else { return "false" }
        return """
            p.rowid > \(projects.before)
            AND NOT EXISTS (SELECT 1 FROM main.project_members AS o WHERE o.project_id = p.id AND o.profile_id = ?1)
            """
    }

    /// Refuses changes of tables that only some roles may edit: a field worker imports a project,
    /// but does not rename an existing one. Transitions of its state are judged by roles of their
    /// own.
    func judgeEditors(_ entity: Entity, _ rows: EntityRows) throws {
        guard !role.isEditor(of: entity) else { return }
        let open = fieldsOfAll(of: entity)
        let changes = entity.fields.filter { !open.contains($0.name) }.map { isChanged($0, entity) }.joined(
            separator: " OR ")
        guard request.origin == .person || request.policy == .update else { return }
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

    /// The fields that are not for editors alone.
    private func fieldsOfAll(of entity: Entity) -> Set<String> {
        Set([entity.states?.field, "id", "updated_at"].compactMap(\.self))
    }

    /// Whether a file may make others decide about such differences: only if the actor might have
    /// made them. The other side of an exchange says what is so.
    func mayContest(_ entity: Entity, _ differences: [RowDifference]) -> Bool {
        if request.exchange != nil || role.isEditor(of: entity) { return true }
        guard fieldsOfAll(of: entity).isSuperset(of: differences.map(\.field)) else { return false }
        guard let states = entity.states, let move = differences.first(where: { $0.field == states.field }) else {
            return true
        }
        return mayMove(states, from: move.before ?? "", to: move.after ?? "")
    }

    /// Tells new rows of a file that the actor may bring here and not send.
    func unsendable(_ entity: Entity, _ count: Int) -> Finding? {
        guard count > 0, request.origin == .file, request.exchange == nil, !request.believesStates,
            !role.isEditor(of: entity)
        else { return nil }
        return Finding(
            "IMPORT-NOT-TO-SEND", place: Place(table: entity.name),
            arguments: ["name": entity.name, "count": String(count), "role": role.name])
    }

    /// Nobody changes their own role, status or address; so whoever decides about others keeps the
    /// permission to do so.
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

    /// A choice that belongs to one person cannot be made for that person by somebody else's
    /// command or file. A file may hold the choices of others as they are here.
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

    /// Both the row's present project and the one that it is to have must be among the actor's. A
    /// new row that states no owner is refused like a row of others: whoever knows only an id must
    /// not learn whether there is such a record.
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

    /// The project that a staged row is to have, as an SQL expression; null if the row does not
    /// state its owner.
    func statedProject(_ entity: Entity, _ first: String) -> String {
        RowProject(of: entity, in: pack).expression("s").replacing(
            "s." + SQLText.name(first), with: "s." + SQLText.name("f_" + first))
    }

    /// Whether a project is one in which the actor may change rows.
    func covers(project id: String) throws -> Bool {
        try scope.covers([id])
    }

    /// The same as an SQL condition on many rows.
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
    /// Whether sync states stated by rows are accepted: only from an administrator, until the
    /// server itself can be asked.
    var believesStates: Bool { !deniesStates && actor.role.permissions.contains(.administer) }
}

/// The projects in which an actor may change rows: those in which the actor was a member before the
/// change set, those that the actor imported or created, and those that the set itself creates.
/// Administrators may work in all projects, since they decide who is a member.
final class ChangeScope {
    private let db: Database
    /// Whether there is any project outside the scope.
    let isLimited: Bool

    static let temporary = ["CREATE TEMP TABLE change_scope (project_id TEXT PRIMARY KEY) WITHOUT ROWID"]

    /// - Parameter change: counts only the projects that this change set created, of those that the
    ///   actor created; nil: counts all of them.
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
