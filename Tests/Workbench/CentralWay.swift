import Foundation

/// A way to a central database: directly or over HTTP, with what Fichero's SQL adds for a sync or
/// without it.
package enum CentralWay: String, CaseIterable, Sendable {
    case postgres
    case supabase
    /// A PostgreSQL server of somebody else.
    case foreign
    /// A Supabase project of somebody else.
    case foreignSupabase

    /// Servers that tell exactly what changed.
    package static let exact: [CentralWay] = [.postgres, .supabase]
    /// Those that do not.
    package static let inexact: [CentralWay] = [.foreign, .foreignSupabase]
    /// Those that keep files.
    package static let web: [CentralWay] = [.supabase, .foreignSupabase]
    /// One of each kind that a sync can tell apart. `CentralDatabaseContractTests` ask all ways for
    /// what a sync needs of them.
    package static let kinds: [CentralWay] = [.postgres, .foreign]

    package var isForeign: Bool { Self.inexact.contains(self) }
    package var isWeb: Bool { Self.web.contains(self) }
}

extension PostgresServer {
    /// Makes the central database of a system with its test users, and returns its name.
    ///
    /// - Parameter sql: what `describe --sql postgres` prints for the system.
    package func makeDatabase(_ way: CentralWay, of system: String, sql: () throws -> String) throws -> String {
        try makeDatabase(like: system + " " + way.rawValue) { database in
            func text(_ path: String) throws -> String {
                try String(contentsOf: ProjectFolder.root.appendingPathComponent(path), encoding: .utf8)
            }
            var script = try way.isWeb ? text("Tests/Servers/storage.sql") : ""
            script += try sql() + "\n\\set system \(system)\n" + text("Scripts/server/users.sql")
            if way.isForeign { script += ForeignServer.sql }
            let made = try run(script, in: database)
            guard made.status == 0 else { throw Trouble(description: made.text) }
        }
    }
}

/// A central database of somebody else: it has the tables and the rights, and nothing that tells a
/// sync what changed. Rows have the time of the transaction that changed them last, as is usual.
package enum ForeignServer {
    /// Takes away what `describe --sql postgres` adds for a sync.
    package static let sql = """
        DO $$ DECLARE found record; BEGIN
            FOR found IN SELECT p.oid::regprocedure AS f FROM pg_proc AS p WHERE p.pronamespace = 'fichero'::regnamespace
                AND (p.proname ~ '^(changed|proof)_' OR p.proname IN ('columns', 'snapshot', 'removed')) LOOP
                EXECUTE 'DROP FUNCTION ' || found.f;
            END LOOP;
            FOR found IN SELECT DISTINCT t.tgname, t.tgrelid::regclass AS r FROM pg_trigger AS t
                WHERE NOT t.tgisinternal AND t.tgname ~ '^fichero_(stamp|parts|bury|move)' LOOP
                EXECUTE format('DROP TRIGGER %I ON %s', found.tgname, found.r);
            END LOOP;
            DROP TABLE fichero.removed_rows CASCADE;
            CREATE FUNCTION fichero.touch() RETURNS trigger LANGUAGE plpgsql AS 'BEGIN NEW.updated_at := now(); RETURN NEW; END';
            FOR found IN SELECT table_name AS t FROM information_schema.columns WHERE table_schema = 'public' AND column_name = 'sync_xid' LOOP
                EXECUTE format('ALTER TABLE public.%I DROP COLUMN sync_xid, ALTER COLUMN updated_at SET DEFAULT now()', found.t);
                EXECUTE format('CREATE TRIGGER touch BEFORE UPDATE ON public.%I FOR EACH ROW EXECUTE FUNCTION fichero.touch()', found.t);
            END LOOP;
        END $$;
        """
}
