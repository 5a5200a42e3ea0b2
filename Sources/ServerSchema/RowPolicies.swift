import Model

/// Row security: the rows that each role may see, add, change and delete. A person without an
/// active profile sees only that profile.
struct RowPolicies {
    private let tables: CentralTables
    private var pack: Pack { tables.pack }

    init(_ tables: CentralTables) { self.tables = tables }

    private static let projects = "SELECT fichero.projects()"
    /// Function calls are in subqueries, so that they are evaluated once for a statement instead of
    /// once for each row.
    private static let isActive = "(SELECT fichero.role()) IS NOT NULL"
    private static let administers = "(SELECT fichero.administers())"
    private static let actor = "(SELECT fichero.actor())"

    var statements: [String] { tables.entities.map(policies) + [joining] }

    private func policies(_ entity: Entity) -> String {
        let table = PostgresText.table(entity.name)
        let editors = tables.editors(of: entity)
        let written = writing(entity, editors)
        // `StateGuards` stops roles that may only change a record's state, or some fields, from
        // changing more.
        let movers = entity.states?.transitions.flatMap(\.roles) ?? []
        let changed = writing(
            entity, pack.roles.map(\.name).filter(Set(editors + movers + entity.openFields.keys).contains))
        var lines = [
            "ALTER TABLE \(table) ENABLE ROW LEVEL SECURITY;",
            "REVOKE ALL ON \(table) FROM PUBLIC, anon;",
            "GRANT SELECT, INSERT, UPDATE, DELETE ON \(table) TO authenticated;",
        ]
        func add(_ command: String, _ clauses: String) {
            let name = "fichero_" + command.lowercased()
            lines.append("DROP POLICY IF EXISTS \(name) ON \(table);")
            lines.append("CREATE POLICY \(name) ON \(table) FOR \(command) TO authenticated \(clauses);")
        }
        add("SELECT", "USING (\(seeing(entity)))")
        add("INSERT", "WITH CHECK (\(written))")
        if entity.writer != .claims, !tables.isEventLog(entity) {
            add("UPDATE", "USING (\(changed)) WITH CHECK (\(changed))")
        }
        if let deleting = deleting(entity) { add("DELETE", "USING (\(deleting))") }
        return lines.joined(separator: "\n")
    }

    /// SQL condition: a row's project is one of the actor's projects; nil if rows have no project.
    private func belonging(_ entity: Entity) -> String? {
        tables.condition(of: entity, row: PostgresText.table(entity.name), among: Self.projects)
    }

    private func seeing(_ entity: Entity) -> String {
        if entity.name == "profiles" {
            return
                """
                id = \(Self.actor) OR \(Self.administers) OR (\(Self.isActive) \
                AND id IN (SELECT fichero.colleagues()))
                """
        }
        guard var own = belonging(entity) else { return Self.isActive }
        // Rows without a project are visible to their author and to administrators.
        if let project = entity.projectPath.flatMap({ entity.field($0.parts[0]) }), !project.isRequired,
            entity.field("actor_id") != nil
        {
            own =
                """
                (\(own) OR (\(Self.unowned(entity)) AND \(Self.isActive) AND (actor_id = \(Self.actor) \
                OR \(Self.administers))))
                """
        }
        // The creator of a project sees it before the membership exists. `fichero.projects()` lists
        // a project that an administrator imports for someone else only after the INSERT has ended.
        guard entity.name == pack.project.entity else { return own }
        guard entity.field("created_by") != nil else { return "\(own) OR \(Self.administers)" }
        return "\(own) OR \(Self.administers) OR (created_by = \(Self.actor) AND \(Self.isActive))"
    }

    private func writing(_ entity: Entity, _ roles: [String]) -> String {
        guard entity.writer != .administrators else { return Self.administers }
        var conditions = [roles.isEmpty ? "false" : "(SELECT fichero.role()) IN (\(PostgresText.list(roles)))"]
        // A new project has no members yet.
        if entity.name == pack.project.entity {
            if entity.field("created_by") != nil {
                conditions.append("(id IN (\(Self.projects)) OR \(Self.administers) OR created_by = \(Self.actor))")
            }
        } else if let own = belonging(entity) {
            conditions.append(
                entity.projectPath.flatMap { entity.field($0.parts[0]) }?.isRequired == false
                    ? "(\(Self.unowned(entity)) OR \(own))" : own)
        }
        if let owner = entity.owner {
            conditions.append("(\(PostgresText.name(owner)) = \(Self.actor) OR \(Self.administers))")
        }
        return conditions.joined(separator: " AND ")
    }

    /// SQL condition: a row without a project, such as a log entry about a person.
    private static func unowned(_ entity: Entity) -> String {
        PostgresText.name(entity.projectPath?.parts.first ?? "id") + " IS NULL"
    }

    /// SQL condition on who may delete rows, and in which states of the row and of its owners.
    private func deleting(_ entity: Entity) -> String? {
        if entity.writer == .administrators { return Self.administers }
        if let owner = entity.owner { return "\(PostgresText.name(owner)) = \(Self.actor) OR \(Self.administers)" }
        guard entity.writer == .people, let deletion = entity.deletion else { return nil }
        let conditions = [
            "(SELECT fichero.role()) IN (\(PostgresText.list(deletion.roles)))", belonging(entity),
            open(entity, PostgresText.table(entity.name), entity.projectPath?.parts.first, deletion.states, depth: 1),
        ]
        return conditions.compactMap(\.self).joined(separator: " AND ")
    }

    /// SQL condition: a row and its owners are in the given states, or, if none are given, not
    /// closed. Nil if none of these tables has states.
    ///
    /// - Parameter reference: the field that refers to the row's owner.
    private func open(_ entity: Entity, _ row: String, _ reference: String?, _ states: [String], depth: Int) -> String?
    {
        var conditions: [String] = []
        if let machine = entity.states {
            let column = "\(row).\(PostgresText.name(machine.field))"
            if !states.isEmpty {
                conditions.append("\(column) IN (\(PostgresText.list(states)))")
            } else if !machine.closed.isEmpty {
                conditions.append("\(column) NOT IN (\(PostgresText.list(machine.closed)))")
            }
        }
        if let reference, let owner = entity.field(reference)?.references.flatMap({ pack.entity($0) }),
            owner.name != entity.name,
            let inner = open(owner, "s\(depth)", owner.projectPath?.parts.first, states, depth: depth + 1)
        {
            let table = PostgresText.table(owner.name)
            conditions.append(
                """
                \(row).\(PostgresText.name(reference)) IN (SELECT s\(depth).id FROM \(table) AS s\(depth) \
                WHERE \(inner))
                """
            )
        }
        return conditions.isEmpty ? nil : conditions.joined(separator: " AND ")
    }

    /// Makes the creator of a project its member.
    private var joining: String {
        """
        CREATE OR REPLACE FUNCTION fichero.join_project() RETURNS trigger LANGUAGE plpgsql SECURITY DEFINER \
        SET search_path = '' AS $$ BEGIN
            IF fichero.actor() IS NOT NULL AND NOT fichero.administers() THEN
                INSERT INTO public.project_members (id, project_id, profile_id, role) \
        VALUES (gen_random_uuid(), NEW.id, fichero.actor(), fichero.role());
            END IF;
            RETURN NULL;
        END $$;
        CREATE OR REPLACE TRIGGER fichero_join AFTER INSERT ON \(PostgresText.table(pack.project.entity)) FOR EACH \
        ROW EXECUTE FUNCTION fichero.join_project();
        """
    }
}

/// Buckets and access rights of files, on servers that have Supabase's Storage. The fourth folder
/// of a path is the project's id: `orgs/ORG/projects/PROJECT/…`.
struct StoragePolicies {
    private let pack: Pack

    init(_ pack: Pack) { self.pack = pack }

    private static let project = "(storage.foldername(name))[4] IN (SELECT p::text FROM fichero.projects() AS p)"
    /// Condition on a file: the person's folder contains it.
    private static let isOwn = "name LIKE 'users/' || fichero.actor() || '/%'"

    /// SQL condition: the actor has one of these roles.
    private func holding(_ roles: [Role]) -> String {
        roles.isEmpty ? "false" : "(SELECT fichero.role()) IN (\(PostgresText.list(roles.map(\.name))))"
    }

    var statements: [String] {
        let mayWrite = holding(pack.roles.filter { $0.permissions.contains(.sync) })
        // A person who may register a document may also write its file.
        let mayRegister = holding(pack.roles.filter { role in pack.entity("exports").map(role.maySend) ?? false })
        let rights: [(bucket: String, see: String, write: String)] = [
            ("project-files", Self.project, "\(mayWrite) AND \(Self.project)"),
            ("exports", Self.project, "\(mayRegister) AND \(Self.project)"),
            (
                "avatars", "(SELECT fichero.role()) IS NOT NULL",
                "(SELECT fichero.role()) IS NOT NULL AND (\(Self.isOwn) OR (SELECT fichero.administers()))"
            ),
            ("templates", "(SELECT fichero.role()) IS NOT NULL", "(SELECT fichero.administers())"),
        ]
        let policies = rights.flatMap { right -> [String] in
            let name = "fichero_" + right.bucket.replacing("-", with: "_")
            func policy(_ command: String, _ clauses: String) -> String {
                """
                    DROP POLICY IF EXISTS \(name)_\(command.lowercased()) ON storage.objects;
                    CREATE POLICY \(name)_\(command.lowercased()) ON storage.objects FOR \(command) TO \
                authenticated \(clauses);
                """
            }
            let (see, write) = (
                "bucket_id = '\(right.bucket)' AND \(right.see)", "bucket_id = '\(right.bucket)' AND \(right.write)"
            )
            return [
                policy("SELECT", "USING (\(see))"), policy("INSERT", "WITH CHECK (\(write))"),
                policy("UPDATE", "USING (\(write)) WITH CHECK (\(write))"),
            ]
        }
        let buckets = rights.map { "('\($0.bucket)', '\($0.bucket)')" }.joined(separator: ", ")
        return [
            """
            DO $storage$ BEGIN IF to_regclass('storage.objects') IS NOT NULL THEN
                INSERT INTO storage.buckets (id, name) VALUES \(buckets) ON CONFLICT (id) DO NOTHING;
            \(policies.joined(separator: "\n"))
            END IF; END $storage$;
            """
        ]
    }
}
