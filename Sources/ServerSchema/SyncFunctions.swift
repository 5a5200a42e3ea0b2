import Model

/// The functions that a sync calls. They run with the caller's rights, so row security applies to
/// them. PostgREST offers them as functions of the schema `fichero`.
struct SyncFunctions {
    private let tables: CentralTables

    init(_ tables: CentralTables) { self.tables = tables }

    var statements: [String] {
        let foreignNumbers = tables.entities.map { entity in
            """
            EXISTS (SELECT FROM \(PostgresText.table(entity.name)) \
            WHERE sync_xid >= pg_snapshot_xmax(pg_current_snapshot()))
            """
        }
        return [
            """
            -- Whether rows bear numbers that no transaction has had here: they came from another cluster, and no \
            sync would see them.
            CREATE OR REPLACE FUNCTION fichero.has_foreign_numbers() RETURNS boolean LANGUAGE sql STABLE SECURITY \
            DEFINER SET search_path = '' AS $$
                SELECT \(foreignNumbers.joined(separator: "\n        OR "))
            $$;
            """,
            """
            -- What is visible now, and which server this is: after a restore the numbers of transactions recur.
            CREATE OR REPLACE FUNCTION fichero.snapshot() RETURNS TABLE (snapshot text, system text, timeline text) \
            LANGUAGE plpgsql STABLE AS $$ BEGIN
                IF fichero.has_foreign_numbers() THEN
                    RAISE EXCEPTION 'this database was copied from another server, whose transaction numbers its \
            rows bear; run the SQL of "fichero describe --sql postgres" in it again';
                END IF;
                RETURN QUERY SELECT pg_current_snapshot()::text, (SELECT system_identifier::text \
            FROM pg_control_system()),
                    (SELECT timeline_id::text FROM pg_control_checkpoint());
            END $$;
            """,
            """
            -- The tables and columns that the person may use.
            CREATE OR REPLACE FUNCTION fichero.columns() RETURNS TABLE (table_name text, columns text[]) LANGUAGE \
            sql STABLE AS $$
                SELECT c.table_name::text, array_agg(c.column_name::text) FROM information_schema.columns AS c \
            WHERE c.table_schema = 'public' GROUP BY 1
            $$;
            """,
            """
            -- Rows that were deleted or moved between two snapshots.
            CREATE OR REPLACE FUNCTION fichero.removed(since pg_snapshot, until pg_snapshot, after bigint DEFAULT \
            0, most integer DEFAULT NULL)
                RETURNS SETOF fichero.removed_rows LANGUAGE sql STABLE AS $$
                SELECT r.* FROM fichero.removed_rows AS r
                WHERE r.n > after AND r.sync_xid >= pg_snapshot_xmin(since) \
            AND NOT pg_visible_in_snapshot(r.sync_xid, since)
                    AND pg_visible_in_snapshot(r.sync_xid, until)
                ORDER BY r.n LIMIT most
            $$;
            """,
            """
            -- The tables of which rows that the person sees changed between two snapshots, in one row.
            CREATE OR REPLACE FUNCTION fichero.news(since pg_snapshot, until pg_snapshot) RETURNS TABLE (tables \
            text[]) LANGUAGE sql STABLE AS $$
                SELECT array_remove(ARRAY[\(tables.entities.map(news).joined(separator: ",\n        "))], NULL)
            $$;
            """,
        ] + tables.entities.flatMap(functions) + tables.entities.compactMap(deletion) + [
            """
            REVOKE EXECUTE ON ALL FUNCTIONS IN SCHEMA fichero FROM PUBLIC;
            GRANT EXECUTE ON ALL FUNCTIONS IN SCHEMA fichero TO authenticated;
            """
        ]
    }

    /// SQL for a table's name if rows changed between the two snapshots of `news`; otherwise null.
    private func news(_ entity: Entity) -> String {
        """
        CASE WHEN EXISTS (SELECT FROM \(PostgresText.table(entity.name)) AS t
          WHERE t.sync_xid >= pg_snapshot_xmin(news.since)
            AND NOT pg_visible_in_snapshot(t.sync_xid, news.since)
              AND pg_visible_in_snapshot(t.sync_xid, news.until)) THEN \(PostgresText.literal(entity.name)) END
        """
    }

    /// The function that deletes a record without parts; nil if rows of the table never have parts.
    private func deletion(_ entity: Entity) -> String? {
        let parts = tables.pack.parts(deletedWith: entity)
        guard !parts.isEmpty else { return nil }
        let table = PostgresText.table(entity.name), function = PostgresText.name("delete_" + entity.name)
        let alone = parts.map { part in
            """
             AND NOT EXISTS (SELECT FROM \(PostgresText.table(part.entity.name)) AS p \
            WHERE p.\(PostgresText.name(part.field.name)) = t.id)
            """
        }
        return """
            -- Deletes a record in a version, if it has no parts. Whoever adds a part waits for the first \
            statement, and the second one sees
            -- who came before.
            CREATE OR REPLACE FUNCTION fichero.\(function)(record uuid, version timestamptz) RETURNS SETOF \(table) \
            LANGUAGE plpgsql AS $$ BEGIN
                PERFORM FROM \(table) AS t WHERE t.id = \(function).record FOR UPDATE;
                RETURN QUERY DELETE FROM \(table) AS t WHERE t.id = \(function).record
                  AND t.updated_at = \(function).version\(alone.joined())
                    RETURNING t.*;
            END $$;
            """
    }

    private func functions(_ entity: Entity) -> [String] {
        let table = PostgresText.table(entity.name)
        // Parameters are qualified with their function's name, since a column may have the same
        // name.
        let changed = PostgresText.name("changed_" + entity.name), proof = PostgresText.name("proof_" + entity.name)
        func scoped(_ row: String, _ function: String) -> String {
            tables.condition(of: entity, row: row, among: function + ".project").map {
                "(\(function).project IS NULL OR \($0)) AND "
            } ?? ""
        }
        return [
            """
            -- Rows that changed between two snapshots, or all that the second shows; by id, in pages.
            CREATE OR REPLACE FUNCTION fichero.\(changed)(
                project uuid, since pg_snapshot, until pg_snapshot, after uuid DEFAULT NULL, most integer DEFAULT NULL
            ) RETURNS SETOF \(table) LANGUAGE sql STABLE AS $$
                SELECT t.* FROM \(table) AS t
                WHERE \(scoped("t", changed))(\(changed).after IS NULL OR t.id > \(changed).after)
                    AND (\(changed).since IS NULL OR (t.sync_xid >= pg_snapshot_xmin(\(changed).since) \
            AND NOT pg_visible_in_snapshot(t.sync_xid, \(changed).since)))
                    AND pg_visible_in_snapshot(t.sync_xid, \(changed).until)
                ORDER BY t.id LIMIT \(changed).most
            $$;
            """,
            """
            -- Number and digest of the rows that a snapshot shows, and the ids of those that changed or went since.
            CREATE OR REPLACE FUNCTION fichero.\(proof)(project uuid, until pg_snapshot)
                RETURNS TABLE (rows bigint, digest numeric, later uuid[]) LANGUAGE sql STABLE AS $$
                SELECT count(*) FILTER (WHERE pg_visible_in_snapshot(t.sync_xid, \(proof).until)),
                    coalesce(sum(uuid_hash_extended(t.id, coalesce(timestamp_hash_extended(t.updated_at AT TIME \
            ZONE 'UTC', 0), 0)))
                        FILTER (WHERE pg_visible_in_snapshot(t.sync_xid, \(proof).until)), 0),
                    coalesce(array_agg(t.id) FILTER (WHERE NOT pg_visible_in_snapshot(t.sync_xid, \(proof).until)), \
            '{}') || ARRAY(
                        SELECT r.row_id FROM fichero.removed_rows AS r \
            WHERE r.entity = \(PostgresText.literal(entity.name))
                            AND r.sync_xid >= pg_snapshot_xmin(\(proof).until) \
            AND NOT pg_visible_in_snapshot(r.sync_xid, \(proof).until))
                FROM \(table) AS t WHERE \(scoped("t", proof))true
            $$;
            """,
        ]
    }
}

/// Functions that identify the current person: the profile in the access token's claims, as set by
/// PostgREST, its role, and its projects.
///
/// They run with the rights of their owner, so they bypass the policies of profiles and
/// memberships. These policies call them, and would otherwise call them endlessly.
struct ActorFunctions {
    private let pack: Pack

    init(_ pack: Pack) { self.pack = pack }

    var statements: [String] {
        let administrators = pack.roles.filter { $0.permissions.contains(.administer) }.map(\.name)
        let projects = PostgresText.table(pack.project.entity)
        return [
            ["anon", "authenticated"].map { role in
                // Another database on the same server may create the role at the same time.
                """
                DO $$ BEGIN CREATE ROLE \(role) NOLOGIN; EXCEPTION WHEN duplicate_object OR unique_violation \
                THEN NULL; END $$;
                """
            }.joined(separator: "\n"),
            """
            CREATE SCHEMA IF NOT EXISTS fichero;
            GRANT USAGE ON SCHEMA fichero TO authenticated;
            """,
            """
            -- The functions are made before the tables that they read.
            SET LOCAL check_function_bodies = off;
            """,
            """
            CREATE OR REPLACE FUNCTION fichero.actor() RETURNS uuid LANGUAGE sql STABLE AS $$
                SELECT nullif(nullif(current_setting('request.jwt.claims', true), '')::json ->> 'sub', '')::uuid
            $$;
            """,
            Self.asOwner(
                "role() RETURNS text",
                "SELECT p.role FROM public.profiles AS p WHERE p.id = fichero.actor() AND p.status = 'ACTIVO'"),
            Self.asOwner(
                "administers() RETURNS boolean",
                administrators.isEmpty
                    ? "SELECT false"
                    : "SELECT coalesce(fichero.role() IN (\(PostgresText.list(administrators))), false)"),
            Self.asOwner(
                "projects() RETURNS SETOF uuid",
                """
                SELECT m.project_id FROM public.project_members AS m
                    WHERE m.profile_id = fichero.actor() AND fichero.role() IS NOT NULL AND m.project_id IS NOT NULL
                    UNION SELECT p.id FROM \(projects) AS p WHERE fichero.administers()
                """),
            Self.asOwner(
                "colleagues() RETURNS SETOF uuid",
                """
                SELECT m.profile_id FROM public.project_members AS m
                    WHERE m.project_id IN (SELECT fichero.projects()) AND m.profile_id IS NOT NULL
                """),
        ]
    }

    private static func asOwner(_ head: String, _ body: String) -> String {
        """
        CREATE OR REPLACE FUNCTION fichero.\(head) LANGUAGE sql STABLE SECURITY DEFINER SET search_path = '' AS $$
            \(body)
        $$;
        """
    }
}
