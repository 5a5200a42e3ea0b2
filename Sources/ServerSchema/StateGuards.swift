import Model

/// Triggers that let a record change its state only as the pack says, and only by a role that may.
/// A role that may move records but not edit them changes nothing else. Some fields record an act, such as who
/// signed. Roles that may do the act set them, and administrators: their files may hold what was signed elsewhere.
/// Statements without claims, which the server's owner runs, are not held back.
struct StateGuards {
    private let tables: CentralTables

    init(_ tables: CentralTables) { self.tables = tables }

    var statements: [String] { tables.entities.compactMap { entity in entity.states.map { guarding(entity, $0) } } }

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

    private func guarding(_ entity: Entity, _ states: StateMachine) -> String {
        let table = PostgresText.table(entity.name)
        let function = "fichero." + PostgresText.name("guard_" + entity.name)
        let column = PostgresText.name(states.field)
        let kept = "ARRAY[\(PostgresText.list([states.field, "updated_at", "sync_xid", "sent_by"]))]"
        let moves = states.transitions.flatMap { move in move.roles.map { "(\(PostgresText.list([move.from, move.to, $0])))" } }
        return """
            CREATE OR REPLACE FUNCTION \(function)() RETURNS trigger LANGUAGE plpgsql AS $$
            DECLARE
                earlier text := CASE WHEN TG_OP = 'UPDATE' THEN OLD.\(column) END;
            BEGIN
                IF fichero.actor() IS NOT NULL AND TG_OP = 'UPDATE' AND fichero.role() NOT IN (\(PostgresText.list(tables.editors(of: entity))))
                    AND to_jsonb(NEW) - \(kept) <> to_jsonb(OLD) - \(kept)
                THEN
                    RAISE EXCEPTION USING ERRCODE = '42501', MESSAGE = 'this role may only change the state of the record';
                END IF;
            \(acts(of: entity))    -- A new record begins in the first state, or in one into which its author may move it.
                IF fichero.actor() IS NULL OR NEW.\(column) IS NOT DISTINCT FROM coalesce(earlier, \(PostgresText.literal(states.initial))) OR EXISTS (
                    SELECT FROM (VALUES
                        \(moves.joined(separator: ",\n            "))
                    ) AS move (a, b, role)
                    WHERE (earlier IS NULL OR move.a = earlier) AND move.b = NEW.\(column) AND move.role = fichero.role()
                ) THEN RETURN NEW; END IF;
                RAISE EXCEPTION USING ERRCODE = '42501', MESSAGE = 'this role may not move the record into this state';
            END $$;
            CREATE OR REPLACE TRIGGER fichero_guard BEFORE INSERT OR UPDATE ON \(table) FOR EACH ROW EXECUTE FUNCTION \(function)();
            """
    }
}
