import Model

/// The tables of the central database: those of the pack's entities, except data of a single
/// device.
struct CentralTables {
    let pack: Pack
    let entities: [Entity]

    init(_ pack: Pack) {
        self.pack = pack
        entities = pack.centralEntities
    }

    /// The fields of a table in the central database.
    static func fields(of entity: Entity) -> [Field] { entity.centralFields.map { entity.fields[$0] } }

    var statements: [String] {
        entities.flatMap(renames) + entities.flatMap(table) + entities.flatMap(references) + entities.flatMap(indexes)
    }

    /// Renames columns whose fields have been renamed, with their reference and index. If both
    /// names exist, nothing is renamed, since either may be right, and the server's owner gets a
    /// warning.
    private func renames(_ entity: Entity) -> [String] {
        let table = PostgresText.literal(PostgresText.table(entity.name))
        let has = { (name: String) in
            """
            EXISTS (SELECT FROM pg_attribute WHERE attrelid = to_regclass(\(table)) \
            AND attname = \(PostgresText.literal(name)) AND NOT attisdropped)
            """
        }
        return Self.fields(of: entity).flatMap { field in
            // If several former names exist, the newest one has the values.
            field.formerNames.reversed().map { former in
                let (own, constraint, index) = (
                    PostgresText.table(entity.name), "fk_\(entity.name)_", "ix_\(entity.name)_"
                )
                return """
                    DO $$ BEGIN IF \(has(former)) THEN IF \(has(field.name)) THEN
                      RAISE WARNING '%.% stays as it is: % is there too', \(PostgresText.literal(entity.name)), \
                    \(PostgresText.literal(former)), \(PostgresText.literal(field.name));
                    ELSE
                      ALTER TABLE \(own) RENAME COLUMN \(PostgresText.name(former)) TO \(PostgresText.name(field.name));
                      IF EXISTS (SELECT FROM pg_constraint WHERE conname = \
                    \(PostgresText.literal(constraint + former)) AND conrelid = to_regclass(\(table))) THEN
                        ALTER TABLE \(own) RENAME CONSTRAINT \(PostgresText.name(constraint + former)) TO \
                    \(PostgresText.name(constraint + field.name));
                      END IF;
                      ALTER INDEX IF EXISTS public.\(PostgresText.name(index + former)) RENAME TO \
                    \(PostgresText.name(index + field.name));
                    END IF; END IF; END $$;
                    """
            }
        }
    }

    private func table(_ entity: Entity) -> [String] {
        let table = PostgresText.table(entity.name)
        let columns = Self.fields(of: entity).filter { $0.name != "id" }.map { field in
            "ALTER TABLE \(table) ADD COLUMN IF NOT EXISTS \(PostgresText.name(field.name)) \(Self.type(of: field));"
        }
        return [(["CREATE TABLE IF NOT EXISTS \(table) (id uuid PRIMARY KEY);"] + columns).joined(separator: "\n")]
    }

    /// Foreign keys, checked at the end of a transaction, so that a set of rows may arrive in any
    /// order.
    private func references(_ entity: Entity) -> [String] {
        let fields = Self.fields(of: entity).filter { field in
            field.type != .list && entities.contains { $0.name == field.references }
        }
        return fields.map { field in
            let name = "fk_\(entity.name)_\(field.name)"
            return PostgresText.unless(
                """
                SELECT FROM pg_constraint WHERE conname = \(PostgresText.literal(name)) \
                AND conrelid = \(PostgresText.literal(PostgresText.table(entity.name)))::regclass
                """,
                """
                ALTER TABLE \(PostgresText.table(entity.name)) ADD CONSTRAINT \(PostgresText.name(name))
                    FOREIGN KEY (\(PostgresText.name(field.name))) REFERENCES \
                \(PostgresText.table(field.references ?? "")) (id)
                    \(field.deletesWithParent ? "ON DELETE CASCADE " : "")DEFERRABLE INITIALLY DEFERRED
                """)
        }
    }

    private func indexes(_ entity: Entity) -> [String] {
        let references = Self.fields(of: entity).filter { field in
            entities.contains { $0.name == field.references } && field.type != .list
        }
        return references.map { field in
            let name = PostgresText.name("ix_\(entity.name)_\(field.name)")
            return
                """
                CREATE INDEX IF NOT EXISTS \(name) ON \(PostgresText.table(entity.name)) \
                (\(PostgresText.name(field.name)));
                """
        }
    }

    /// JSON is stored as it was written, so that an uploaded value is downloaded unchanged.
    static func type(of field: Field) -> String {
        switch field.type {
        case .text: "text"
        case .integer: "bigint"
        case .decimal: "numeric"
        case .boolean: "boolean"
        case .date: "date"
        case .time: "time"
        case .datetime: "timestamptz"
        case .uuid: "uuid"
        case .json, .point, .polygon, .list: "json"
        }
    }

    // MARK: Roles

    /// Names of the roles that may add and change rows of an entity.
    func editors(of entity: Entity) -> [String] {
        var entity = entity
        // Nobody edits an event, but people upload the events of their changes.
        if isEventLog(entity) { entity.editors = nil }
        return pack.roles.filter { $0.maySend(entity) }.map(\.name)
    }

    /// Whether rows are events of the pack's log, which are added and never changed.
    func isEventLog(_ entity: Entity) -> Bool { entity.name == pack.events?.entity }

    // MARK: Projects

    /// SQL expression for the project of a row, over its columns.
    ///
    /// - Parameter row: the alias of the row, or `NEW` or `OLD`.
    func project(of entity: Entity, row: String) -> String? {
        guard let parts = entity.projectPath?.parts, let first = parts.first else { return nil }
        var value = "\(row).\(PostgresText.name(first))"
        var owner = entity.field(first)?.references
        for part in parts.dropFirst() {
            guard let table = owner else { return nil }
            value = "(SELECT o.\(PostgresText.name(part)) FROM \(PostgresText.table(table)) AS o WHERE o.id = \(value))"
            owner = pack.entity(table)?.field(part)?.references
        }
        return value
    }

    /// SQL condition: a row's project is one of some projects; nil if rows have no project.
    ///
    /// - Parameter projects: a query for project ids, or a list of them.
    func condition(of entity: Entity, row: String, among projects: String) -> String? {
        guard let parts = entity.projectPath?.parts else { return nil }
        return condition(entity, row, parts[...], projects)
    }

    private func condition(_ entity: Entity, _ row: String, _ parts: ArraySlice<String>, _ projects: String) -> String?
    {
        guard let first = parts.first else { return nil }
        let value = "\(row).\(PostgresText.name(first))"
        guard parts.count > 1 else { return "\(value) IN (\(projects))" }
        guard let owner = entity.field(first)?.references.flatMap({ pack.entity($0) }),
            let inner = condition(owner, "o\(parts.count)", parts.dropFirst(), projects)
        else { return nil }
        return
            """
            \(value) IN (SELECT o\(parts.count).id FROM \(PostgresText.table(owner.name)) AS o\(parts.count) \
            WHERE \(inner))
            """
    }
}

/// Names and texts in PostgreSQL's syntax. Names are quoted although they come from a checked pack.
enum PostgresText {
    static func name(_ name: String) -> String { "\"" + name.replacing("\"", with: "\"\"") + "\"" }

    static func literal(_ text: String) -> String { "'" + text.replacing("'", with: "''") + "'" }

    static func list(_ texts: some Sequence<String>) -> String { texts.map(literal).joined(separator: ", ") }

    /// A table of the pack, including its schema.
    static func table(_ table: String) -> String { "public." + name(table) }

    /// Wraps a statement so that it runs only if an object does not exist. It is for kinds of
    /// objects whose creation has no `IF NOT EXISTS`.
    static func unless(_ condition: String, _ statement: String) -> String {
        "DO $$ BEGIN IF NOT EXISTS (\(condition)) THEN\n  \(statement);\nEND IF; END $$;"
    }
}

/// Triggers that allow only the pack's transitions, by a permitted role. A role that may move
/// records but not edit them changes nothing else but the fields that are open to it. Fields that
/// record an act, such as who signed, may be set only by the act's roles and by administrators.
/// Administrators' files may contain records signed in other systems. Statements without an access
/// token's claims, which the server's owner runs, are not restricted.
struct StateGuards {
    private let tables: CentralTables

    init(_ tables: CentralTables) { self.tables = tables }

    var statements: [String] {
        tables.entities.filter { $0.states != nil || !$0.openFields.isEmpty }.map(guarding)
    }

    private func acts(of entity: Entity) -> String {
        let administrators = tables.pack.roles.filter { $0.permissions.contains(.administer) }.map(\.name)
        return entity.acts.map { field, doers in
            let column = PostgresText.name(field.name)
            let may = doers + administrators.filter { !doers.contains($0) }
            let refusal = PostgresText.literal("this role may not set " + field.name)
            return """
                    IF fichero.actor() IS NOT NULL AND fichero.role() <> ALL (ARRAY[\(PostgresText.list(may))]::text[])
                        AND NEW.\(column) IS DISTINCT FROM (CASE WHEN TG_OP = 'UPDATE' THEN OLD.\(column) END)
                    THEN
                        RAISE EXCEPTION USING ERRCODE = '42501', MESSAGE = \(refusal);
                    END IF;

                """
        }.joined()
    }

    /// Whether the record, as it was before, names the person in whose name it is moved. Rules of
    /// transitions are judged before a change is sent.
    private func isOwn(_ move: StateMachine.Transition) -> String {
        guard let field = move.own.map(PostgresText.name) else { return "true" }
        return "(CASE WHEN TG_OP = 'UPDATE' THEN OLD.\(field) ELSE NEW.\(field) END) = fichero.actor()"
    }

    private func guarding(_ entity: Entity) -> String {
        let table = PostgresText.table(entity.name)
        let function = "fichero." + PostgresText.name("guard_" + entity.name)
        return """
            CREATE OR REPLACE FUNCTION \(function)() RETURNS trigger LANGUAGE plpgsql AS $$
            BEGIN
            \(edits(of: entity))\(acts(of: entity))\(entity.states.map(moves) ?? "    RETURN NEW;")
            END $$;
            CREATE OR REPLACE TRIGGER fichero_guard BEFORE INSERT OR UPDATE \
            ON \(table) FOR EACH ROW EXECUTE FUNCTION \(function)();
            """
    }

    /// Stops everyone from changing a frozen record, and roles that are no editors from changing
    /// more than is open to them.
    private func edits(of entity: Entity) -> String {
        let kept = [entity.states?.field, "updated_at", "sync_xid", "sent_by"].compactMap(\.self)
        let open = entity.openFields.sorted { $0.key < $1.key }.map { role, fields in
            "WHEN \(PostgresText.literal(role)) THEN ARRAY[\(PostgresText.list(kept + fields))]"
        }
        let all = "ARRAY[\(PostgresText.list(kept))]"
        let own = open.isEmpty ? all : "(CASE fichero.role() \(open.joined(separator: " ")) ELSE \(all) END)"
        let frozen = entity.states?.frozen ?? []
        let thawed = frozen.isEmpty ? "" : """
                IF fichero.actor() IS NOT NULL AND TG_OP = 'UPDATE' \
            AND OLD.\(PostgresText.name(entity.states?.field ?? "")) IN (\(PostgresText.list(frozen)))
                    AND to_jsonb(NEW) - ARRAY['updated_at', 'sync_xid', 'sent_by'] \
            <> to_jsonb(OLD) - ARRAY['updated_at', 'sync_xid', 'sent_by']
                THEN
                    RAISE EXCEPTION USING ERRCODE = '42501', MESSAGE = 'nobody changes the record in this state';
                END IF;

            """
        let what = open.isEmpty ? "the state of the record" : "the state and the fields that are open to it"
        return thawed + """
                IF fichero.actor() IS NOT NULL AND TG_OP = 'UPDATE' \
            AND fichero.role() <> ALL (ARRAY[\(PostgresText.list(tables.editors(of: entity)))]::text[])
                    AND to_jsonb(NEW) - \(own) <> to_jsonb(OLD) - \(own)
                THEN
                    RAISE EXCEPTION USING ERRCODE = '42501', MESSAGE = 'this role may only change \(what)';
                END IF;

            """
    }

    private func moves(_ states: StateMachine) -> String {
        let column = PostgresText.name(states.field)
        let earlier = "(CASE WHEN TG_OP = 'UPDATE' THEN OLD.\(column) END)"
        let hasOwn = states.transitions.contains { $0.own != nil }
        let moves = states.transitions.flatMap { move -> [String] in
            let own = hasOwn ? ", " + isOwn(move) : ""
            return move.roles.map { "(\(PostgresText.list([move.from, move.to, $0]))\(own))" }
        }
        return """
                -- A new record begins in the first state, or in one into which its author may \
            move it.
                IF fichero.actor() IS NULL OR NEW.\(column) IS NOT DISTINCT \
            FROM coalesce(\(earlier), \(PostgresText.literal(states.initial))) OR EXISTS (
                    SELECT FROM (VALUES
                        \(moves.joined(separator: ",\n            "))
                    ) AS move (a, b, role\(hasOwn ? ", own" : ""))
                    WHERE (\(earlier) IS NULL OR move.a = \(earlier)) AND move.b = NEW.\(column) \
            AND move.role = fichero.role()\(hasOwn ? " AND move.own" : "")
                ) THEN RETURN NEW; END IF;
                RAISE EXCEPTION USING ERRCODE = '42501', MESSAGE = 'this role may not move the record into this state';
            """
    }
}
