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
