import GRDB
import Model

/// Says which staged rows of a change set may not go in, before any of them does: by statements over all rows of an entity, whoever brings
/// them and however they came. What it refuses stands in `temp.import_refused`.
///
/// Each entity is judged just before its rows are applied, parents first, so that the rows that this set itself brought are there to be
/// looked at.
struct Judge {
    private let db: Database
    private let pack: Pack
    private let request: ImportRequest
    private let scope: ChangeScope

    static let temporary = [
        "CREATE TEMP TABLE import_refused (n INTEGER PRIMARY KEY, code TEXT NOT NULL, field TEXT NOT NULL, arguments TEXT NOT NULL)"
    ]

    init(_ db: Database, pack: Pack, request: ImportRequest) throws {
        (self.db, self.pack, self.request) = (db, pack, request)
        scope = try ChangeScope(db, pack: pack, request: request)
    }

    private var role: Role { request.actor.role }

    /// Judges the staged rows of an entity; how many it refuses.
    func judge(_ rows: EntityRows) throws -> Int {
        let entity = rows.importer.entity
        try judgeWriter(entity, rows)
        try judgeOwnProfile(entity, rows)
        try judgeScope(entity, rows)
        try judgeOwners(entity, rows)
        try judgeStates(entity, rows)
        try judgeKeys(entity, rows)
        return try Int.fetchOne(db, sql: "SELECT count(*) FROM temp.import_refused WHERE n IN (SELECT n FROM \(rows.staged))") ?? 0
    }

    /// Rows that came in are of a project that this set brought, if they are projects.
    func noteNew(_ rows: EntityRows) throws {
        if rows.importer.entity.name == pack.project.entity { try scope.add(rows.newIDs()) }
    }

    // MARK: May the actor?

    /// Who may work and who sees which project is not for everybody who may import records.
    private func judgeWriter(_ entity: Entity, _ rows: EntityRows) throws {
        guard entity.writer == .administrators, !role.permissions.contains(.administer) else { return }
        // What the replica has already is no change; when this replica itself saw a profile validated, no file knows.
        let changes = entity.fields.filter { $0.name != "cached_at" }.map { isChanged($0, entity) }.joined(separator: " OR ")
        try refuse(
            "IMPORT-NOT-ALLOWED", field: "id", ["name": SQLText.literal(entity.name), "role": SQLText.literal(role.name)],
            """
            \(joined(rows)) WHERE t.id IS NULL OR \(changes)
            """)
    }

    /// Staged rows with their shapes, and the rows that they change.
    private func joined(_ rows: EntityRows, _ join: String = "LEFT JOIN") -> String {
        "\(rows.staged) AS s JOIN staging.shapes AS h ON h.number = s.shape \(join) \(rows.table) AS t ON t.id = s.f_id"
    }

    /// Whether a row states a field: that it has nothing there is stated too.
    private func isStated(_ field: Field, _ entity: Entity) -> String {
        "substr(h.fields, \((entity.position(ofField: field.name) ?? 0) + 1), 1) = '1'"
    }

    private func isChanged(_ field: Field, _ entity: Entity) -> String {
        "(\(isStated(field, entity)) AND s.\(StagedEntity.column(field)) IS NOT t.\(SQLText.name(field.name)))"
    }

    /// Nobody decides what he himself may do; so whoever decides about others stays able to.
    private func judgeOwnProfile(_ entity: Entity, _ rows: EntityRows) throws {
        guard entity.name == "profiles", request.origin == .person else { return }
        let changes = ["role", "status", "email"].compactMap { entity.field($0) }.map { isChanged($0, entity) }
        try refuse(
            "CHANGE-OWN-ROLE", field: "role", ["actor": SQLText.literal(request.actor.email)],
            """
            \(joined(rows, "JOIN"))
            WHERE t.id = \(SQLText.literal(request.actor.id)) AND (\(changes.joined(separator: " OR ")))
            """)
    }

    /// The row's project, where it is to be and where it is, must be one of the actor's.
    private func judgeScope(_ entity: Entity, _ rows: EntityRows) throws {
        guard scope.isLimited, let path = entity.projectPath, let first = path.parts.first else { return }
        let projects = "main." + SQLText.name(pack.project.entity)
        let outside = "EXISTS (SELECT 1 FROM \(projects) AS p WHERE p.id = %@ AND p.id NOT IN (SELECT project_id FROM temp.change_scope))"
        let new = EntityRows.project(of: entity, in: pack, row: "s").replacing("s." + SQLText.name(first), with: "s." + SQLText.name("f_" + first))
        let old = EntityRows.project(of: entity, in: pack, row: "t")
        try refuse(
            "CHANGE-PROJECT", field: first, ["actor": SQLText.literal(request.actor.email)],
            """
            \(rows.staged) AS s LEFT JOIN \(rows.table) AS t ON t.id = s.f_id
            WHERE \(outside.replacing("%@", with: new)) OR \(outside.replacing("%@", with: old))
            """)
    }

    /// Whether a row that is there belongs to a project in which the actor may change rows.
    func covers(_ id: String, _ entity: Entity) throws -> Bool {
        guard scope.isLimited, entity.projectPath != nil else { return true }
        let project = EntityRows.project(of: entity, in: pack, row: "t")
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
        guard let deletion = entity.deletion, deletion.roles.contains(role.name) else { return mayNot }
        guard try covers(id, entity) else { return ("CHANGE-PROJECT", ["actor": request.actor.email]) }
        if let closed, request.reason == nil { return ("CHANGE-CLOSED", ["state": closed]) }
        guard deletion.states.isEmpty || states.allSatisfy(deletion.states.contains) else { return mayNot }
        return nil
    }

    // MARK: Is it allowed?

    /// A record's state moves as the pack says and by whom it says. A new record stands where the actor's role could have led it; what was
    /// led there elsewhere, long ago, comes in by an administrator.
    private func judgeStates(_ entity: Entity, _ rows: EntityRows) throws {
        guard let states = entity.states, !states.transitions.isEmpty, let field = entity.field(states.field) else { return }
        let to = "s." + StagedEntity.column(field), from = "t." + SQLText.name(field.name)
        let arguments = ["from": "coalesce(\(from), '—')", "to": "coalesce(\(to), '—')", "role": SQLText.literal(role.name)]
        if request.policy == .update {
            var moves = moves(states)
            // The file is from before Fichero's own mark.
            if request.origin == .file, let exported = states.exported { moves.append(.init(from: exported.to, to: exported.from, roles: [])) }
            // A record without a state begins.
            let pairs = (moves.map { ($0.from, $0.to) } + [("", states.initial)]).map { "(\(SQLText.literal($0)), \(SQLText.literal($1)))" }.joined(separator: ", ")
            let isAllowed = "(coalesce(\(from), ''), coalesce(\(to), '')) IN (VALUES \(pairs))"
            try refuse(
                "CHANGE-TRANSITION", field: field.name, arguments,
                """
                \(joined(rows, "JOIN"))
                WHERE \(isChanged(field, entity)) AND NOT \(isAllowed) AND \(changeable)
                """)
        }
        if request.origin == .person {
            try refuse(
                "CHANGE-REQUIRED", field: field.name, ["field": SQLText.literal(field.name)],
                "\(rows.staged) AS s WHERE \(to) IS NULL AND NOT EXISTS (SELECT 1 FROM \(rows.table) AS t WHERE t.id = s.f_id)")
        }
        guard !role.permissions.contains(.administer) else { return }
        let known = field.vocabulary.flatMap { pack.vocabulary($0) }?.values ?? []
        let reachable = Set([states.initial] + states.transitions.filter { $0.roles.contains(role.name) }.map(\.to))
        let refused = known.filter { !reachable.contains($0) }.map(SQLText.literal).joined(separator: ", ")
        guard !refused.isEmpty else { return }
        try refuse(
            "CHANGE-NEW-STATE", field: field.name, ["to": to, "role": SQLText.literal(role.name)],
            "\(rows.staged) AS s WHERE \(to) IN (\(refused)) AND NOT EXISTS (SELECT 1 FROM \(rows.table) AS t WHERE t.id = s.f_id)")
    }

    /// The moves that the actor's role makes.
    private func moves(_ states: StateMachine) -> [StateMachine.Transition] { states.transitions.filter { $0.roles.contains(role.name) } }

    /// Whether the actor may have Fichero make a move of its own. A pack without transitions lets every move be made.
    func mayMove(_ states: StateMachine, from: String, to: String) -> Bool {
        states.transitions.isEmpty || moves(states).contains { $0.from == from && $0.to == to }
    }

    /// What forbids the actor to change a row, or a part, of a record that stands in these states; nil: nothing. Who may move a record on from a state
    /// may correct it there.
    ///
    /// - Parameter states: of the row and of what it belongs to, nearest first.
    func judgeCorrection(_ states: [(machine: StateMachine, state: String)]) -> (code: String, arguments: [String: String])? {
        guard let (machine, state) = states.first, !machine.transitions.isEmpty, state != machine.initial else { return nil }
        // Whoever may close a record may correct it then too, with his reason.
        let isClosed = machine.closed.contains(state)
        let isAllowed = machine.transitions.contains { ($0.from == state || (isClosed && $0.to == state)) && $0.roles.contains(role.name) }
        return isAllowed ? nil : ("CHANGE-EDIT", ["role": role.name, "state": state])
    }

    // MARK: Is it sound?

    /// A row keeps its name and what it belongs to: without them it would be nobody's.
    private func judgeOwners(_ entity: Entity, _ rows: EntityRows) throws {
        // Without updates a file empties nothing: it doubts.
        guard request.origin == .person || request.policy == .update else { return }
        let names = Set(entity.key + [entity.keyScope, entity.projectPath?.parts.first].compactMap(\.self)).subtracting(["id"])
        for field in entity.fields where names.contains(field.name) && field.isRequired {
            let isEmptied = "\(isStated(field, entity)) AND s.\(StagedEntity.column(field)) IS NULL"
            let isNew = request.origin == .person ? " OR t.id IS NULL AND s.\(StagedEntity.column(field)) IS NULL" : ""
            try refuse(
                "CHANGE-REQUIRED", field: field.name, ["field": SQLText.literal(field.name)],
                "\(joined(rows)) WHERE t.id IS NOT NULL AND \(isEmptied) AND t.\(SQLText.name(field.name)) IS NOT NULL\(isNew)")
        }
    }

    /// What people know a row by is its own. Files bring doubles of records all the same, for validation to tell; but two projects of one code,
    /// or two profiles of one address, would be nobody's.
    private func judgeKeys(_ entity: Entity, _ rows: EntityRows) throws {
        guard request.origin == .person || entity.name == pack.project.entity || entity.name == "profiles" else { return }
        var keys: [(scope: String?, fields: [String])] = entity.key.isEmpty ? [] : [(entity.keyScope, entity.key)]
        for field in entity.fields {
            switch field.uniqueness {
            case nil: break
            case .replica: keys.append((nil, [field.name]))
            case .within(let scope): keys.append((scope, [field.name]))
            }
        }
        for key in keys {
            let columns = (key.scope.map { [$0] } ?? []) + key.fields
            // Addresses are the same in upper and lower case.
            let folds = { (text: String) in columns == ["email"] ? "lower(\(text))" : text }
            let same = columns.map { "\(folds("o." + SQLText.name($0))) = \(folds("coalesce(s.\(SQLText.name("f_" + $0)), t.\(SQLText.name($0)))"))" }
                .joined(separator: " AND ")
            // The administrator whom `init` made stands in for a profile that comes later.
            let isOther = entity.name == "profiles" && request.origin == .file ? " AND NOT (o.sync_state = 'local_only' AND o.import_source IS NULL)" : ""
            try refuse(
                "CHANGE-KEY", field: key.fields.last ?? "id", ["name": SQLText.literal(entity.name)],
                """
                \(rows.staged) AS s LEFT JOIN \(rows.table) AS t ON t.id = s.f_id
                WHERE EXISTS (SELECT 1 FROM \(rows.table) AS o WHERE \(same) AND o.id <> s.f_id\(isOther))
                  AND (\(columns.map { "s.\(SQLText.name("f_" + $0)) IS NOT NULL" }.joined(separator: " OR ")))
                """)
            let values = columns.map { "f_" + $0 }.map(SQLText.name).joined(separator: ", ")
            try refuse(
                "CHANGE-KEY", field: key.fields.last ?? "id", ["name": SQLText.literal(entity.name)],
                """
                (SELECT n, f_id, first_value(f_id) OVER (PARTITION BY \(values) ORDER BY n) AS first FROM \(rows.staged)
                 WHERE \(key.fields.map { SQLText.name("f_" + $0) + " IS NOT NULL" }.joined(separator: " AND "))) AS s WHERE s.f_id <> s.first
                """)
        }
    }

    /// Rows that the set may change rather than doubt: a file never changes what the remote has confirmed, nor what waits for a decision.
    private var changeable: String {
        request.origin == .person ? "true" : "t.own_mark = 0 AND t.sync_state NOT IN ('synced', 'pending_download', 'conflict')"
    }

    /// - Parameters:
    ///   - arguments: SQL of what the message quotes.
    ///   - rows: what follows FROM; `s` is the staged row.
    private func refuse(_ code: String, field: String, _ arguments: [String: String], _ rows: String) throws {
        let json = arguments.sorted { $0.key < $1.key }.map { "\(SQLText.literal($0.key)), CAST(\($0.value) AS TEXT)" }.joined(separator: ", ")
        try db.execute(
            sql: """
                INSERT OR IGNORE INTO temp.import_refused (n, code, field, arguments)
                SELECT s.n, \(SQLText.literal(code)), \(SQLText.literal(field)), json_object(\(json)) FROM \(rows)
                """)
    }
}
