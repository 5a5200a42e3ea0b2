import Foundation
import Model
import Testing
import Workbench

@testable import ServerSchema

/// The migrations as a whole, on a real server.
@Suite struct ServerSchemaTests {
    @Test(arguments: ProjectFolder.systems) func migrationsRunTwiceWithoutHarm(_ system: String) throws {
        let server = try PostgresServer.shared.get()
        let database = try server.makeDatabase()
        let sql = ServerSchema(try ShippedPack.named(system)).sql
        let objects = """
            SELECT 'table', table_name::text, column_name::text, data_type::text FROM information_schema.columns WHERE table_schema IN ('public', 'fichero')
            UNION ALL SELECT 'policy', tablename::text, policyname::text, coalesce(qual, with_check) FROM pg_policies
            UNION ALL SELECT 'constraint', conname::text, contype::text, '' FROM pg_constraint WHERE connamespace = 'public'::regnamespace
            UNION ALL SELECT 'trigger', tgrelid::regclass::text, tgname::text, '' FROM pg_trigger WHERE NOT tgisinternal ORDER BY 1, 2, 3;
            """
        let first = try server.run(sql, in: database)
        #expect(first.status == 0, "\(first.text)")
        let made = try server.run(objects, in: database).text
        #expect(made.split(separator: "\n").count > 300)
        let second = try server.run(sql, in: database)
        #expect(second.status == 0, "\(second.text)")
        #expect(try server.run(objects, in: database).text == made)
    }

    /// What stands in the comments at the end lets the first person in, under the id of the login.
    @Test(arguments: ProjectFolder.systems) func theFirstAdministratorComesInByTheStatementsAtTheEnd(_ system: String)
        throws
    {
        let server = try PostgresServer.shared.get(), database = try server.makeDatabase()
        let pack = try ShippedPack.named(system), sql = ServerSchema(pack).sql,
            login = "00000000-0000-4000-8000-0000000000aa"
        let statements =
            sql.components(separatedBy: "COMMIT;\n").last?.split(separator: "\n").map { $0.dropFirst(3) } ?? []
        let inserts = statements.indices.filter { statements[$0].hasPrefix("INSERT") }.map {
            statements[$0] + "\n" + statements[$0 + 1]
        }
        try #require(inserts.count == 2, "\(statements)")
        let logins =
            "CREATE SCHEMA auth; CREATE TABLE auth.users (id uuid, email text); INSERT INTO auth.users VALUES ('\(login)', 'ana@example.org');"
        let made = try server.run(
            sql + logins + inserts[0].replacing("admin@example.org", with: "ana@example.org") + inserts[1], in: database
        )
        #expect(made.status == 0, "\(made.text)")
        let administrators = pack.roles.filter { $0.permissions.contains(.administer) }.map(\.name)
        let seen = try server.run(
            "SELECT fichero.administers(), count(*), bool_and(role = ANY ('{\(administrators.joined(separator: ","))}')) FROM profiles;",
            in: database, as: login)
        #expect(seen.text == "t|2|t\n", "\(seen.text)")
    }

    /// A server that has tables already gets only what is missing, and keeps its rows.
    @Test func tablesThatAreThereStay() throws {
        let server = try PostgresServer.shared.get()
        let database = try server.makeDatabase()
        let before = """
            CREATE TABLE calicatas (id uuid PRIMARY KEY, code text NOT NULL, extra text);
            INSERT INTO calicatas VALUES ('\(CentralDatabase.pit(1))', 'C-01', 'kept');
            """
        #expect(try server.run(before, in: database).status == 0)
        let made = try server.run(ServerSchema(CentralDatabase.pack.get()).sql, in: database)
        #expect(made.status == 0, "\(made.text)")
        #expect(try server.run("SELECT code, extra, project_id IS NULL, sync_xid IS NOT NULL FROM calicatas;", in: database).text == "C-01|kept|t|t\n")
    }

    /// A renamed column keeps its values, and its reference and index are made only once; where both names are there,
    /// nothing is touched and the owner is told.
    @Test func columnsFollowARenamedField() throws {
        let server = try PostgresServer.shared.get()
        let database = try server.makeDatabase()
        var pack = try CentralDatabase.pack.get()
        #expect(try server.run(ServerSchema(pack).sql, in: database).status == 0)
        let rows = "INSERT INTO calicatas (id, code, status, shoring) VALUES ('\(CentralDatabase.pit(1))', 'C-01', 'BORRADOR', 'kept');"
        #expect(try server.run(rows, in: database).status == 0)
        let entity = try #require(pack.entities.firstIndex { $0.name == "calicatas" })
        func rename(_ name: String, to new: String, from former: [String]) throws {
            let field = try #require(pack.entities[entity].fields.firstIndex { $0.name == name })
            pack.entities[entity].fields[field].name = new
            pack.entities[entity].fields[field].formerNames = former
        }
        try rename("shoring", to: "support", from: ["planks", "shoring"])
        try rename("logged_by", to: "written_by", from: ["logged_by"])
        let names = """
            SELECT string_agg(column_name::text, ' ' ORDER BY column_name::text) FROM information_schema.columns WHERE table_name = 'calicatas' AND column_name IN ('shoring', 'support', 'logged_by', 'written_by')
            UNION ALL SELECT string_agg(conname::text, ' ') FROM pg_constraint WHERE conname ~ 'fk_calicatas_(logged|written)_by'
            UNION ALL SELECT string_agg(indexname::text, ' ') FROM pg_indexes WHERE indexname ~ 'ix_calicatas_(logged|written)_by' UNION ALL SELECT support FROM calicatas;
            """
        for _ in 0..<2 {
            let made = try server.run(ServerSchema(pack).sql, in: database)
            #expect(made.status == 0 && !made.text.contains("WARNING"), "\(made.text)")
            #expect(try server.run(names, in: database).text == "support written_by\nfk_calicatas_written_by\nix_calicatas_written_by\nkept\n")
        }
        #expect(try server.run("ALTER TABLE calicatas ADD COLUMN shoring text;", in: database).status == 0)
        let both = try server.run(ServerSchema(pack).sql, in: database)
        #expect(both.status == 0 && both.text.contains("calicatas.shoring stays as it is"), "\(both.text)")
        #expect(try server.run("SELECT support, shoring IS NULL FROM calicatas;", in: database).text == "kept|t\n")
    }

    /// A table that the pack has dropped since goes on taking rows, and old rows get a version.
    @Test func tablesOfFormerPacksAreServed() throws {
        let server = try PostgresServer.shared.get()
        let database = try server.makeDatabase()
        let sql = ServerSchema(try CentralDatabase.pack.get()).sql
        #expect(try server.run(sql, in: database).status == 0)
        let former = """
            CREATE TABLE former (id uuid PRIMARY KEY, updated_at timestamptz, sync_xid xid8);
            CREATE TRIGGER fichero_stamp BEFORE INSERT OR UPDATE ON former FOR EACH ROW EXECUTE FUNCTION fichero.stamp();
            CREATE TABLE divided (id uuid, updated_at timestamptz, sync_xid xid8) PARTITION BY HASH (id);
            CREATE TABLE divided_1 PARTITION OF divided FOR VALUES WITH (MODULUS 1, REMAINDER 0);
            CREATE TRIGGER fichero_stamp BEFORE INSERT OR UPDATE ON divided FOR EACH ROW EXECUTE FUNCTION fichero.stamp();
            INSERT INTO calicatas (id, code, status) VALUES ('\(CentralDatabase.pit(1))', 'C-01', 'BORRADOR');
            ALTER TABLE calicatas DISABLE TRIGGER fichero_stamp; UPDATE calicatas SET updated_at = NULL; ALTER TABLE calicatas ENABLE TRIGGER fichero_stamp;
            """
        let stopped = try server.run(former, in: database)
        #expect(stopped.status == 0, "\(stopped.text)")
        #expect(try server.run("INSERT INTO former (id) VALUES ('\(CentralDatabase.pit(2))');", in: database).status != 0)
        let again = try server.run(sql, in: database)
        #expect(again.status == 0, "\(again.text)")
        let taken = try server.run("INSERT INTO former (id) VALUES ('\(CentralDatabase.pit(2))'); SELECT updated_at IS NULL FROM former UNION ALL SELECT updated_at IS NULL FROM calicatas;", in: database)
        #expect(taken.text.hasSuffix("f\nf\n"), "\(taken.text)")
    }

    @Test func nothingOfADeviceIsCentral() throws {
        let database = try CentralDatabase()
        let columns = "SELECT count(*) FROM information_schema.columns WHERE table_schema = 'public' AND column_name IN ('local_path', 'cached_at');"
        #expect(try database.run(columns) == "0")
        #expect(try database.run("SELECT to_regclass('public.sync_queue'), to_regclass('public.conflicts');") == "|")
    }

    @Test func valuesComeBackAsTheyWentUp() throws {
        let database = try CentralDatabase()
        try database.run(#"UPDATE calicatas SET depth_m = 1.10, northing = 9271120.503 WHERE code = 'C-01';"#)
        #expect(try database.run("SELECT depth_m, northing FROM calicatas WHERE code = 'C-01';") == "1.10|9271120.503")
        let json = #"{"b": 1.10, "a": [9007199254740993]}"#
        try database.run("INSERT INTO activity_logs (id, action, details) VALUES (gen_random_uuid(), 'x', '\(json)');")
        #expect(try database.run("SELECT details FROM activity_logs;") == json)
    }
}
