import Model

/// Tombstones: a row for each row that was deleted or moved to another project, so that a replica
/// that has it learns of it. Row security would hide the absence.
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
            UPDATE fichero.removed_rows SET sync_xid = pg_current_xact_id() WHERE sync_xid >= pg_snapshot_xmax(pg_current_snapshot());
            ALTER TABLE fichero.removed_rows ENABLE ROW LEVEL SECURITY;
            GRANT SELECT ON fichero.removed_rows TO authenticated;
            DROP POLICY IF EXISTS fichero_select ON fichero.removed_rows;
            CREATE POLICY fichero_select ON fichero.removed_rows FOR SELECT TO authenticated
                USING (CASE WHEN project_id IS NULL THEN (SELECT fichero.role()) IS NOT NULL ELSE project_id IN (SELECT fichero.projects()) END);
            """
        ] + tables.entities.map(tombstones)
    }

    private func tombstones(_ entity: Entity) -> String {
        let table = PostgresText.table(entity.name)
        let function = "fichero." + PostgresText.name("bury_" + entity.name)
        let project = tables.project(of: entity, row: "OLD") ?? "NULL"
        var sql = """
            CREATE OR REPLACE FUNCTION \(function)() RETURNS trigger LANGUAGE plpgsql SECURITY DEFINER SET search_path = '' AS $$ BEGIN
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
