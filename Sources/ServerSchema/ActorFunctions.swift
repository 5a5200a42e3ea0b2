import Model

/// Functions that say who asks: the profile named by the claims of the access token, as PostgREST
/// sets them, its role, and its projects.
///
/// They read profiles and memberships with their owner's rights, because the policies of those very
/// tables ask them.
struct ActorFunctions {
    private let pack: Pack

    init(_ pack: Pack) { self.pack = pack }

    var statements: [String] {
        let administrators = pack.roles.filter { $0.permissions.contains(.administer) }.map(\.name)
        let projects = PostgresText.table(pack.project.entity)
        return [
            ["anon", "authenticated"].map { role in
                // Another database of the same server may make the role at the same time.
                "DO $$ BEGIN CREATE ROLE \(role) NOLOGIN; EXCEPTION WHEN duplicate_object OR unique_violation THEN NULL; END $$;"
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
            Self.asOwner("role() RETURNS text", "SELECT p.role FROM public.profiles AS p WHERE p.id = fichero.actor() AND p.status = 'ACTIVO'"),
            Self.asOwner(
                "administers() RETURNS boolean",
                administrators.isEmpty ? "SELECT false" : "SELECT coalesce(fichero.role() IN (\(PostgresText.list(administrators))), false)"),
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
