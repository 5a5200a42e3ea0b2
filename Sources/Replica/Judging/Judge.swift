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
        let fields = entity.fields.filter { $0.name != "cached_at" }
        let here = fields.map { "t." + SQLText.name($0.name) }, there = fields.map { "s." + StagedEntity.column($0) }
        try refuse(
            "IMPORT-NOT-ALLOWED", field: "id", ["name": SQLText.literal(entity.name), "role": SQLText.literal(role.name)],
            """
            \(rows.staged) AS s LEFT JOIN \(rows.table) AS t ON t.id = s.f_id
            WHERE t.id IS NULL OR NOT (\(zip(here, there).map { "(\($1) IS NULL OR \($0) IS \($1))" }.joined(separator: " AND ")))
            """)
    }

    /// Nobody decides what he himself may do; so whoever decides about others stays able to.
    private func judgeOwnProfile(_ entity: Entity, _ rows: EntityRows) throws {
        guard entity.name == "profiles", request.origin == .person else { return }
        let changes = ["role", "status"].map { "(s.\(SQLText.name("f_" + $0)) IS NOT NULL AND s.\(SQLText.name("f_" + $0)) IS NOT t.\($0))" }
        try refuse(
            "CHANGE-OWN-ROLE", field: "role", ["actor": SQLText.literal(request.actor.email)],
            """
            \(rows.staged) AS s JOIN \(rows.table) AS t ON t.id = s.f_id
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

    /// What forbids the actor to take a row away; nil: nothing.
    ///
    /// - Parameters:
    ///   - closed: the state that closes the row or what it belongs to.
    ///   - states: of the row and of what it belongs to.
    func judgeRemoval(of id: String, _ entity: Entity, closed: String?, states: [String]) throws -> (code: String, arguments: [String: String])? {
        let mayNot = ("CHANGE-DELETE", ["name": entity.name, "role": role.name, "state": states.first ?? "—"])
        if entity.writer == .administrators { return role.permissions.contains(.administer) ? nil : mayNot }
        guard let deletion = entity.deletion, deletion.roles.contains(role.name) else { return mayNot }
        if scope.isLimited, entity.projectPath != nil {
            let project = EntityRows.project(of: entity, in: pack, row: "t")
            let isInside = try Bool.fetchOne(
                db, sql: "SELECT \(project) IN (SELECT project_id FROM temp.change_scope) FROM main.\(SQLText.name(entity.name)) AS t WHERE t.id = ?",
                arguments: [id])
            guard isInside == true else { return ("CHANGE-PROJECT", ["actor": request.actor.email]) }
        }
        if let closed, request.reason == nil { return ("CHANGE-CLOSED", ["state": closed]) }
        guard closed != nil || deletion.states.isEmpty || states.contains(where: deletion.states.contains) else { return mayNot }
        return nil
    }

    // MARK: Is it allowed?

    /// A record's state moves as the pack says and by whom it says. A new record stands where the actor's role could have led it; what was
    /// led there elsewhere, long ago, comes in by an administrator.
    private func judgeStates(_ entity: Entity, _ rows: EntityRows) throws {
        guard let states = entity.states, !states.transitions.isEmpty, let field = entity.field(states.field) else { return }
        let to = "s." + StagedEntity.column(field), from = "t." + SQLText.name(field.name)
        let arguments = ["from": from, "to": to, "role": SQLText.literal(role.name)]
        if request.policy == .update {
            var moves = states.transitions.filter { $0.roles.contains(role.name) }
            // The file is from before Fichero's own mark.
            if let exported = states.exported { moves.append(.init(from: exported.to, to: exported.from, roles: [])) }
            let pairs = moves.map { "(\(SQLText.literal($0.from)), \(SQLText.literal($0.to)))" }.joined(separator: ", ")
            let isAllowed = pairs.isEmpty ? "0" : "(\(from), \(to)) IN (VALUES \(pairs))"
            try refuse(
                "CHANGE-TRANSITION", field: field.name, arguments,
                """
                \(rows.staged) AS s JOIN \(rows.table) AS t ON t.id = s.f_id
                WHERE \(to) IS NOT NULL AND \(from) IS NOT NULL AND \(to) <> \(from) AND NOT \(isAllowed) AND \(changeable)
                """)
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

    // MARK: Is it sound?

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
            let same = columns.map { "o.\(SQLText.name($0)) = coalesce(s.\(SQLText.name("f_" + $0)), t.\(SQLText.name($0)))" }.joined(separator: " AND ")
            // The administrator whom `init` made stands in for a profile that comes later.
            let isOther = entity.name == "profiles" ? " AND NOT (o.sync_state = 'local_only' AND o.import_source IS NULL)" : ""
            try refuse(
                "CHANGE-KEY", field: key.fields.last ?? "id", ["name": SQLText.literal(entity.name)],
                """
                \(rows.staged) AS s LEFT JOIN \(rows.table) AS t ON t.id = s.f_id
                WHERE EXISTS (SELECT 1 FROM \(rows.table) AS o WHERE \(same) AND o.id <> s.f_id\(isOther))
                  AND (\(key.fields.map { "s.\(SQLText.name("f_" + $0)) IS NOT NULL" }.joined(separator: " OR ")))
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
