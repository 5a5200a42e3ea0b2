import Model

/// Three columns of every table. `updated_at` grows with each change of a row and is its version;
/// `sync_xid` is the transaction that last changed it; `sent_by` is the person who first sent it.
/// With `sync_xid`, a sync finds every change exactly once, even late commits. `sent_by` is
/// verified by the server, while fields such as `actor_id` and `created_by` are claims.
struct RowStamps {
    private let tables: CentralTables

    init(_ tables: CentralTables) { self.tables = tables }

    var statements: [String] {
        [
            """
            CREATE OR REPLACE FUNCTION fichero.stamp() RETURNS trigger LANGUAGE plpgsql AS $$ BEGIN
                NEW.sync_xid := pg_current_xact_id();
                NEW.sent_by := CASE TG_OP WHEN 'INSERT' THEN fichero.actor() ELSE OLD.sent_by END;
                NEW.updated_at := CASE WHEN TG_OP = 'INSERT' OR NOT isfinite(OLD.updated_at) THEN clock_timestamp()
                    ELSE greatest(clock_timestamp(), OLD.updated_at + interval '1 microsecond') END;
                RETURN NEW;
            END $$;
            """,
            // A table that is no longer in the pack still has the trigger.
            """
            DO $$ DECLARE stamped regclass; BEGIN
                FOR stamped IN SELECT tgrelid FROM pg_trigger AS g JOIN pg_class AS c ON c.oid = tgrelid
                    WHERE tgfoid = 'fichero.stamp()'::regprocedure AND NOT relispartition AND NOT EXISTS (SELECT \
            FROM pg_attribute WHERE attrelid = g.tgrelid AND attname = 'sent_by')
                LOOP EXECUTE format('ALTER TABLE %s ADD COLUMN sent_by uuid', stamped); END LOOP;
            END $$;
            """,
        ] + tables.entities.map(stamps) + tables.entities.compactMap(moves)
    }

    private func stamps(_ entity: Entity) -> String {
        let table = PostgresText.table(entity.name)
        return """
            ALTER TABLE \(table) ADD COLUMN IF NOT EXISTS updated_at timestamptz;
            ALTER TABLE \(table) ADD COLUMN IF NOT EXISTS sync_xid xid8 NOT NULL DEFAULT pg_current_xact_id();
            ALTER TABLE \(table) ADD COLUMN IF NOT EXISTS sent_by uuid;
            CREATE OR REPLACE TRIGGER fichero_stamp BEFORE INSERT OR UPDATE \
            ON \(table) FOR EACH ROW EXECUTE FUNCTION fichero.stamp();
            UPDATE \(table) SET updated_at = clock_timestamp() WHERE updated_at IS NULL OR NOT isfinite(updated_at);
            CREATE INDEX IF NOT EXISTS \(PostgresText.name("ix_\(entity.name)_sync_xid")) ON \(table) (sync_xid);
            -- Rows that came from another cluster bear numbers that no transaction has had here.
            UPDATE \(table) SET sync_xid = pg_current_xact_id() WHERE sync_xid >= \
            pg_snapshot_xmax(pg_current_snapshot());
            """
    }

    /// Trigger that gives new stamps to the parts of a row that moves to another project, because
    /// nothing else in these parts changes.
    private func moves(_ entity: Entity) -> String? {
        guard let first = entity.projectPath?.parts.first, first != "id" else { return nil }
        let parts = descendants(of: entity, "\(PostgresText.name("id")) = NEW.id")
        guard !parts.isEmpty else { return nil }
        let function = "fichero." + PostgresText.name("stamp_parts_" + entity.name)
        let updates = parts.map {
            """
                UPDATE \(PostgresText.table($0.entity.name)) SET sync_xid = pg_current_xact_id() \
            WHERE \($0.condition);
            """
        }
        return """
            CREATE OR REPLACE FUNCTION \(function)() RETURNS trigger LANGUAGE plpgsql SECURITY DEFINER \
            SET search_path = '' AS $$ BEGIN
            \(updates.joined(separator: "\n"))
                RETURN NULL;
            END $$;
            CREATE OR REPLACE TRIGGER fichero_parts AFTER UPDATE OF \(PostgresText.name(first)) \
            ON \(PostgresText.table(entity.name)) FOR EACH ROW
                WHEN (OLD.\(PostgresText.name(first)) IS DISTINCT FROM NEW.\(PostgresText.name(first))) EXECUTE \
            FUNCTION \(function)();
            """
    }

    /// Tables whose rows find their project through a row of this table, with the SQL condition.
    private func descendants(of entity: Entity, _ condition: String) -> [(entity: Entity, condition: String)] {
        tables.entities.flatMap { part -> [(entity: Entity, condition: String)] in
            guard let parts = part.projectPath?.parts, parts.count > 1, part.field(parts[0])?.references == entity.name
            else { return [] }
            let reference = PostgresText.name(parts[0])
            let own = condition == "\(PostgresText.name("id")) = NEW.id"
                ? "\(reference) = NEW.id"
                : "\(reference) IN (SELECT id FROM \(PostgresText.table(entity.name)) WHERE \(condition))"
            return [(part, own)] + descendants(of: part, own)
        }
    }
}

/// Tombstones: one row for each row that was deleted or moved to another project. From them a
/// replica with that row learns of the removal, since row security only hides rows and cannot
/// report it.
struct RemovedRows {
    private let tables: CentralTables

    init(_ tables: CentralTables) { self.tables = tables }

    var statements: [String] {
        [
            """
            CREATE TABLE IF NOT EXISTS fichero.removed_rows (
                n bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
                entity text NOT NULL,
                row_id uuid NOT NULL,
                project_id uuid,
                is_move boolean NOT NULL,
                removed_at timestamptz NOT NULL DEFAULT clock_timestamp(),
                sync_xid xid8 NOT NULL DEFAULT pg_current_xact_id()
            );
            CREATE INDEX IF NOT EXISTS ix_removed_rows_sync_xid ON fichero.removed_rows (sync_xid);
            UPDATE fichero.removed_rows SET sync_xid = pg_current_xact_id() \
            WHERE sync_xid >= pg_snapshot_xmax(pg_current_snapshot());
            ALTER TABLE fichero.removed_rows ENABLE ROW LEVEL SECURITY;
            GRANT SELECT ON fichero.removed_rows TO authenticated;
            DROP POLICY IF EXISTS fichero_select ON fichero.removed_rows;
            CREATE POLICY fichero_select ON fichero.removed_rows FOR SELECT TO authenticated
                USING (CASE WHEN project_id IS NULL THEN (SELECT fichero.role()) IS NOT NULL \
            ELSE project_id IN (SELECT fichero.projects()) END);
            """
        ] + tables.entities.map(tombstones)
    }

    private func tombstones(_ entity: Entity) -> String {
        let table = PostgresText.table(entity.name)
        let function = "fichero." + PostgresText.name("bury_" + entity.name)
        let project = tables.project(of: entity, row: "OLD") ?? "NULL"
        var sql = """
            CREATE OR REPLACE FUNCTION \(function)() RETURNS trigger LANGUAGE plpgsql SECURITY DEFINER \
            SET search_path = '' AS $$ BEGIN
                INSERT INTO fichero.removed_rows (entity, row_id, project_id, is_move)
                    VALUES (\(PostgresText.literal(entity.name)), OLD.id, \(project), TG_OP = 'UPDATE');
                RETURN NULL;
            END $$;
            CREATE OR REPLACE TRIGGER fichero_bury AFTER DELETE ON \(table) FOR EACH ROW EXECUTE FUNCTION \(function)();
            """
        if let first = entity.projectPath?.parts.first, first != "id" {
            let column = PostgresText.name(first)
            sql += """

                CREATE OR REPLACE TRIGGER fichero_move AFTER UPDATE OF \(column) ON \(table) FOR EACH ROW
                    WHEN (OLD.\(column) IS DISTINCT FROM NEW.\(column)) EXECUTE FUNCTION \(function)();
                """
        }
        return sql
    }
}
