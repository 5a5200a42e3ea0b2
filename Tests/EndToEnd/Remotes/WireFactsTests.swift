import Foundation
import Testing
import Workbench

/// What a client of PostgREST must know, as it was seen on a real one. The suite asks the server of
/// these tests, or a real PostgREST, with the same questions and by another client than ours.
///
/// For a real one: FICHERO_POSTGREST_URL is its address; FICHERO_POSTGREST_DATABASE the address of
/// its database for psql, as owner; FICHERO_POSTGREST_TOKEN and FICHERO_POSTGREST_EXPIRED a good and
/// an expired token of the role `authenticated`. The row cap must be 1,000 (`db-max-rows`), and
/// `public` be the only schema that it shows.
@Suite(.serialized) struct WireFactsTests {
    private let server: Server

    init() throws { server = try Self.shared.get() }

    private static let shared = Result { try Server() }

    /// The server that is asked, with a table of 2,500 rows of which nobody sees `hidden`.
    private final class Server: @unchecked Sendable {
        let rest: String
        let tokens: (good: String, expired: String)
        private let ask: (String) throws -> OtherProgram
        private let own: SupabaseServer?

        private static let table = """
            DO $$ BEGIN
                IF NOT EXISTS (SELECT FROM pg_roles WHERE rolname = 'anon') THEN CREATE ROLE anon NOLOGIN; END IF;
                IF NOT EXISTS (SELECT FROM pg_roles WHERE rolname = 'authenticated') THEN CREATE ROLE authenticated NOLOGIN; END IF;
            EXCEPTION WHEN duplicate_object OR unique_violation THEN NULL; END $$;
            GRANT USAGE ON SCHEMA public TO anon, authenticated;
            CREATE TABLE IF NOT EXISTS profiles (id uuid PRIMARY KEY, email text);
            DROP TABLE IF EXISTS facts;
            CREATE TABLE facts (
                id integer PRIMARY KEY, name text, amount numeric, big bigint, seen boolean NOT NULL DEFAULT true,
                updated_at timestamptz NOT NULL DEFAULT now(), sync_xid xid8 NOT NULL DEFAULT pg_current_xact_id());
            INSERT INTO facts (id, name, amount, big, updated_at)
                SELECT n, 'row ' || n, 1.10, 9007199254740993, '2026-01-01Z'::timestamptz + (n / 7) * interval '1 second' FROM generate_series(1, 2500) AS n;
            INSERT INTO facts (id, name, seen) VALUES (9001, 'hidden', false);
            ALTER TABLE facts ENABLE ROW LEVEL SECURITY;
            CREATE POLICY visible ON facts TO authenticated USING (seen) WITH CHECK (seen);
            GRANT SELECT, INSERT, UPDATE, DELETE ON facts TO authenticated;
            NOTIFY pgrst, 'reload schema';
            """

        init() throws {
            let given = ProcessInfo.processInfo.environment
            if let url = given["FICHERO_POSTGREST_URL"] {
                let database = given["FICHERO_POSTGREST_DATABASE"] ?? ""
                (rest, own) = (url, nil)
                tokens = (given["FICHERO_POSTGREST_TOKEN"] ?? "", given["FICHERO_POSTGREST_EXPIRED"] ?? "")
                ask = { try OtherProgram.run("/usr/bin/psql", [database, "-X", "-q", "-A", "-t", "-v", "ON_ERROR_STOP=1", "-f", "-"], input: $0) }
            } else {
                let postgres = try PostgresServer.shared.get()
                let database = try postgres.makeDatabase()
                ask = { try postgres.run($0, in: database) }
                let made = try ask(Self.table)
                guard made.status == 0 else { throw Trouble(description: made.text) }
                let web = try SupabaseServer(database: database, options: ["--cap", "1000"])
                (rest, own) = (web.url + "/rest/v1", web)
                let login = try Self.token(web.url)
                // A token of an earlier time.
                let brief = try SupabaseServer(database: database, options: ["--lifetime", "-60"])
                tokens = (login, try Self.token(brief.url))
                return
            }
            _ = try sql(Self.table)
            // It reads its schema anew after the notice.
            for _ in 0..<50 where try curl(["\(rest)/facts?select=id&limit=1"]).status != 200 {}
        }

        private static func token(_ url: String) throws -> String {
            let login = try OtherProgram.run(
                "/usr/bin/curl",
                ["-sS", "--noproxy", "*", "-H", "apikey: \(SupabaseServer.key)", "-d", #"{"email":"a@example.pe","password":"test-a@example.pe"}"#, url + "/auth/v1/token?grant_type=password"])
            return (try JSONSerialization.jsonObject(with: Data(login.text.utf8)) as? [String: Any])?["access_token"] as? String ?? ""
        }

        func sql(_ text: String) throws -> String {
            let run = try ask(text)
            guard run.status == 0 else { throw Trouble(description: run.text) }
            return run.text.trimmingCharacters(in: .whitespacesAndNewlines)
        }

        func curl(_ arguments: [String], token: String? = nil) throws -> Answer {
            let who = (token ?? tokens.good).isEmpty ? [] : ["-H", "Authorization: Bearer \(token ?? tokens.good)"]
            let run = try OtherProgram.run(
                "/usr/bin/curl", ["-sS", "-i", "--globoff", "--noproxy", "*", "-H", "apikey: \(SupabaseServer.key)", "-H", "Content-Type: application/json"] + who + arguments)
            return try Answer(run.text)
        }
    }

    private struct Trouble: Error, CustomStringConvertible { var description: String }

    private struct Answer {
        var status = 0
        var headers: [String: String] = [:]
        var body: String

        init(_ text: String) throws {
            let parts = text.replacing("\r\n", with: "\n").split(separator: "\n\n", maxSplits: 1, omittingEmptySubsequences: false)
            guard parts.count == 2 else { throw Trouble(description: text) }
            let lines = parts[0].split(separator: "\n")
            status = Int(lines.first?.split(separator: " ").dropFirst().first ?? "") ?? 0
            for line in lines.dropFirst() {
                let pair = line.split(separator: ":", maxSplits: 1)
                if pair.count == 2 { headers[pair[0].lowercased()] = pair[1].trimmingCharacters(in: .whitespaces) }
            }
            body = String(parts[1])
        }

        private var value: Any? { try? JSONSerialization.jsonObject(with: Data(body.utf8)) }
        var rows: [[String: Any]] { value as? [[String: Any]] ?? [] }
        var members: [String] { (value as? [String: Any])?.keys.sorted() ?? [] }
        var code: String? { (value as? [String: Any])?["code"] as? String }
    }

    private func get(_ query: String, _ headers: String...) throws -> Answer { try server.curl(headers.flatMap { ["-H", $0] } + ["\(server.rest)/\(query)"]) }

    private func send(_ method: String, _ query: String, _ body: String? = nil, _ headers: String...) throws -> Answer {
        try server.curl(["-X", method] + (body.map { ["-d", $0] } ?? []) + headers.flatMap { ["-H", $0] } + ["\(server.rest)/\(query)"])
    }

    // MARK: Rows

    @Test(arguments: ["facts?select=id&order=id.asc", "facts?select=id&order=id.asc&limit=5000"]) func theRowCapTruncatesInSilence(query: String) throws {
        let answer = try get(query)
        #expect(answer.status == 200 && answer.headers["content-range"] == "0-999/*")
        #expect(answer.rows.count == 1000)
    }

    @Test func pagesByKeyUntilOneIsEmptyBringEveryRowOnce() throws {
        var (ids, pages, filter) = ([Int](), 0, "")
        while true {
            let rows = try get("facts?select=id,updated_at&order=updated_at.asc,id.asc" + filter).rows
            guard let last = rows.last, let at = last["updated_at"] as? String, let id = last["id"] as? Int else { break }
            ids += rows.compactMap { $0["id"] as? Int }
            pages += 1
            let time = at.replacing("+", with: "%2B")
            filter = "&or=(updated_at.gt.\(time),and(updated_at.eq.\(time),id.gt.\(id)))"
        }
        #expect(pages == 3 && ids.count == 2500 && Set(ids).count == 2500)
    }

    @Test func aPartIsSaidOnlyWithACount() throws {
        let counted = try get("facts?select=id", "Prefer: count=exact")
        #expect(counted.status == 206 && counted.headers["content-range"] == "0-999/2500")
        let past = try get("facts?select=id&offset=5000")
        #expect(past.status == 200 && past.body == "[]")
        let counting = try get("facts?select=id&offset=5000", "Prefer: count=exact")
        #expect(counting.status == 416 && counting.code == "PGRST103")
    }

    @Test func numbersArriveAsTheyAreWritten() throws {
        let body = try get("facts?select=amount,big,sync_xid&id=eq.1").body.filter { $0 != " " }
        #expect(body.contains(#""amount":1.10,"big":9007199254740993,"#), "\(body)")
        // A number would lose digits in most readers.
        #expect(body.contains(#""sync_xid":""#), "\(body)")
    }

    // MARK: Rights

    @Test func rowSecurityHidesAndDoesNotRefuse() throws {
        #expect(try get("facts?id=eq.9001").body == "[]")
        #expect(try send("PATCH", "facts?id=eq.9001", #"{"name":"x"}"#).status == 204)
        let shown = try send("PATCH", "facts?id=eq.9001", #"{"name":"x"}"#, "Prefer: return=representation")
        #expect(shown.status == 200 && shown.body == "[]")
        #expect(try server.sql("SELECT name FROM facts WHERE id = 9001") == "hidden")
        let checked = try send("POST", "facts", #"{"id":9002,"seen":false}"#)
        #expect(checked.status == 403 && checked.code == "42501")
    }

    @Test func whoHasNotLoggedInOrTooLongAgoIsTold() throws {
        let nobody = try server.curl(["\(server.rest)/facts?id=eq.1"], token: "")
        #expect(nobody.status == 401 && nobody.code == "42501")
        let late = try server.curl(["\(server.rest)/facts?id=eq.1"], token: server.tokens.expired)
        #expect(late.status == 401 && late.code?.hasPrefix("PGRST30") == true, "\(late.body)")
    }

    // MARK: Writing

    @Test func manyRowsAreOneTransaction() throws {
        let refused = try send("POST", "facts", #"[{"id":9010,"name":"a"},{"id":1,"name":"b"}]"#)
        #expect(refused.status == 409 && refused.code == "23505")
        #expect(try server.sql("SELECT count(*) FROM facts WHERE id = 9010") == "0")
        #expect(refused.members == ["code", "details", "hint", "message"])
        let unequal = try send("POST", "facts", #"[{"id":9010,"name":"a"},{"id":9011}]"#)
        #expect(unequal.status == 400 && unequal.code == "PGRST102")
    }

    @Test func duplicatesAreMergedIgnoredOrRefused() throws {
        let twice = try send("POST", "facts?on_conflict=id", #"[{"id":1,"name":"a"},{"id":1,"name":"b"}]"#, "Prefer: resolution=merge-duplicates")
        #expect(twice.status == 500 && twice.code == "21000")
        let merged = try send("POST", "facts?on_conflict=id", #"[{"id":1,"name":"row 1"}]"#, "Prefer: resolution=merge-duplicates,return=representation")
        #expect(merged.status == 200 && merged.rows.count == 1)
        let ignored = try send("POST", "facts?on_conflict=id", #"[{"id":1,"name":"other"}]"#, "Prefer: resolution=ignore-duplicates,return=representation")
        #expect(ignored.status == 201 && ignored.body == "[]")
        #expect(try server.sql("SELECT name FROM facts WHERE id = 1") == "row 1")
    }

    @Test func aRollbackIsIgnoredUnlessTheServerAllowsIt() throws {
        let done = try send("PATCH", "facts?id=eq.2", #"{"name":"changed"}"#, "Prefer: tx=rollback")
        #expect(done.status == 204 && done.headers["preference-applied"]?.contains("tx=rollback") != true)
        #expect(try server.sql("UPDATE facts SET name = 'row 2' WHERE id = 2 AND name = 'changed' RETURNING 1") == "1")
    }

    @Test func anUnknownSchemaIsRefused() throws {
        let answer = try get("facts?id=eq.1", "Accept-Profile: nowhere")
        #expect(answer.status == 406 && answer.code == "PGRST106")
    }
}
