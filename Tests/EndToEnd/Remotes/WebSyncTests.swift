import Foundation
import Testing
import Workbench

/// What networks, proxies and servers on the web do to a sync: in the end everything is there once,
/// or the person reads what is wrong, and nothing was moved.
@Suite struct WebSyncTests {
    /// One while rows come, one while they go, and a session that ends between two requests.
    private static let faults = [
        #"[{"match": "changed_calicatas", "do": {"cut": 100}}]"#,
        #"[{"match": "PATCH /rest/v1/calicatas", "do": {"close": "after"}}]"#,
        #"[{"match": "rpc/removed", "do": {"expire": true}}]"#,
    ]

    @Test(arguments: faults) func whatPassesByItselfIsTriedAgainAndNothingIsThereTwice(_ fault: String) throws {
        let office = try SyncedOffice(.supabase)
        for number in [1, 2] { _ = try office.pit(number) }
        try office.follow(as: "coordinadora@example.pe")
        #expect(try office.run("edit", "C-01", "--set", "title=mine", "--fail-on", "never", as: "coordinadora@example.pe").status == 0)
        #expect(try office.run("delete", "C-02", "--fail-on", "never", as: "coordinadora@example.pe").status == 0)
        #expect(try office.run("add", "calicatas", "--project", "PRUEBA-1", "--set", "code=C-09", "--set", "status=BORRADOR", "--fail-on", "never", as: "coordinadora@example.pe").status == 0)
        _ = try office.pit(3)
        try #require(office.web).fail(fault)
        let synced = try office.run("sync", "--prove", as: "coordinadora@example.pe")
        #expect(synced.status == 0 && synced.output.contains("Proven"), "\(synced.output)\(synced.error)")
        #expect(try office.central("SELECT string_agg(code || coalesce(title, ''), ',' ORDER BY code) FROM calicatas") == "C-01mine,C-03,C-09")
        #expect(try office.local("SELECT group_concat(code) FROM (SELECT code FROM calicatas ORDER BY 1)") == "C-01,C-03,C-09")
        #expect(try office.local("SELECT (SELECT count(*) FROM sync_queue WHERE entity_type = 'calicatas') || (SELECT count(*) FROM conflicts)") == "00")
    }

    /// A token of the environment that is none, and one that the server does not know.
    @Test(arguments: ["garbage", "eyJhbGciOiJIUzI1NiJ9.eyJzdWIiOiIwMDAwMDAwMC0wMDAwLTQwMDAtODAwMC0wMDAwMDAwMDAwMDMifQ.c2lnbmF0dXJl"])
    func aTokenThatIsNotTakenIsNoOutage(_ token: String) throws {
        let office = try SyncedOffice(.supabase)
        let refused = try office.sync(["SUPABASE_ACCESS_TOKEN": token])
        #expect(refused.status == 77 && refused.error.contains("REMOTE-LOGIN") && !refused.error.contains(token), "\(refused.output)\(refused.error)")
    }

    /// A token that passes by row security is no person's, even if it names one.
    @Test(arguments: ["service_role", "postgres"]) func aTokenOfAnotherRoleThanPeopleHaveIsRefused(_ role: String)
        throws
    {
        let office = try SyncedOffice(.supabase),
            claims = #"{"role":"\#(role)","sub":"00000000-0000-4000-8000-000000000003"}"#
        let token = [#"{"alg":"HS256"}"#, claims, "signature"].map {
            Data($0.utf8).base64EncodedString().replacing("=", with: "")
        }.joined(separator: ".")
        let refused = try office.sync(["SUPABASE_ACCESS_TOKEN": token])
        #expect(
            refused.status == 78 && refused.error.contains("REMOTE-TOKEN-ROLE") && refused.error.contains(role),
            "\(refused.output)\(refused.error)")
        #expect(!refused.error.contains(token))
        #expect(try #require(office.web).requests() == "[]", "it is not even shown to the server")
    }

    /// Who syncs every minute over a phone pays for each request.
    @Test(arguments: [(SyncedOffice.Way.supabase, 10), (.foreignSupabase, 60)]) func anEmptySyncAsksFewQuestions(
        _ way: SyncedOffice.Way, _ most: Int
    ) throws {
        let office = try SyncedOffice(way), web = try #require(office.web)
        for number in 1...3 { _ = try office.pit(number) }
        try office.follow(as: "coordinadora@example.pe")
        for _ in 1...2 { #expect(try office.run("sync", as: "coordinadora@example.pe").status == 0) }
        try web.forget()
        let synced = try office.run("sync", as: "coordinadora@example.pe")
        #expect(
            synced.status == 0 && synced.output.contains("Nothing changed there."), "\(synced.output)\(synced.error)")
        let (asked, all) = (try web.bytes(of: ".").count, try web.requests())
        #expect(asked <= most, "\(asked): \(all)")
        // News are found all the same.
        try office.central("UPDATE calicatas SET title = 'theirs' WHERE code = 'C-02'")
        #expect(try office.run("sync", "--prove", as: "coordinadora@example.pe").output.contains("Proven"))
        #expect(try office.local("SELECT group_concat(code) FROM calicatas WHERE title = 'theirs'") == "C-02")
    }

    /// A server whose SQL is of before: what it has not is asked for as before.
    @Test func aServerWithEarlierSQLIsFollowed() throws {
        let office = try SyncedOffice(.supabase)
        try office.central("DROP FUNCTION fichero.news(pg_snapshot, pg_snapshot)")
        _ = try office.pit(1)
        try office.follow(as: "coordinadora@example.pe")
        _ = try office.pit(2)
        #expect(try office.run("sync", "--prove", as: "coordinadora@example.pe").output.contains("Proven"))
        #expect(try office.local("SELECT count(*) FROM calicatas") == "2")
    }

    /// The statement and the commands are those of Docs/server.md.
    @Test func theGuideLeadsFromAnEmptyProjectToTheFirstPull() throws {
        let office = try SyncedOffice(.supabase, isPrepared: false), administrator = "admin@example.org"
        try office.central(office.run("describe", "ingeplus", "--sql", "postgres").output)
        let login = "00000000-0000-4000-8000-0000000000aa"
        try office.central(
            "CREATE SCHEMA auth; CREATE TABLE auth.users (id uuid, email text); INSERT INTO auth.users VALUES ('\(login)', '\(administrator)')"
        )
        let guide = try String(contentsOf: ProjectFolder.root.appendingPathComponent("Docs/server.md"), encoding: .utf8)
        let part = try #require(
            guide.components(separatedBy: "to the first pull\n").last?.components(separatedBy: "\n### ").first)
        try office.central(#require(part.components(separatedBy: "```sql").last?.components(separatedBy: "```").first))
        let commands = part.split(separator: "\n").map { $0.trimmingCharacters(in: .whitespaces) }.filter {
            $0.hasPrefix("fichero ") && !$0.contains(" init ")
        }
        #expect(commands.count == 5)
        for command in commands {
            let words = command.components(separatedBy: "#")[0].split(separator: " ").dropFirst().map(String.init)
            let done = try office.runs(words, as: administrator)
            #expect(done.status == 0, "\(command): \(done.output)\(done.error)")
        }
        #expect(try office.central("SELECT code FROM projects") == "PRUEBA-1")
        #expect(try office.local("SELECT id FROM profiles WHERE email = '\(administrator)'") == login)
    }

    /// The tables tell that the functions are there, so what was deleted could be told.
    @Test func aServerThatHidesWhatItKnowsIsNotFollowedAsOneThatKnowsNothing() throws {
        let office = try SyncedOffice(.supabase, options: ["--schemas", "public"])
        let refused = try office.run("sync")
        #expect(
            refused.status == 78 && refused.error.contains("REMOTE-NOT-EXPOSED") && refused.error.contains("fichero"),
            "\(refused.output)\(refused.error)")
        #expect(try office.local("SELECT count(*) FROM profiles") == "0")
    }

    private static let refusals = [
        (#"[{"match": "rpc/snapshot", "times": 99, "do": {"status": 401}}]"#, "77", "REMOTE-"),
        (#"[{"match": "changed_calicatas", "do": {"garbage": true}}]"#, "69", "REMOTE-BROKEN"),
        (#"[{"match": "auth/v1/token", "do": {"garbage": true}}]"#, "69", "REMOTE-BROKEN"),
    ]

    @Test(arguments: refusals) func whatDoesNotPassIsSaidAndNothingIsMoved(_ fault: String, _ status: String, _ code: String) throws {
        let office = try SyncedOffice(.supabase)
        _ = try office.pit(1)
        try #require(office.web).fail(fault)
        #expect(try office.run("offline", "PRUEBA-1", "--available").status != 0, "the project is not known yet")
        let first = try office.run("sync")
        guard fault.contains("calicatas") else {
            #expect(String(first.status) == status && first.error.contains(code), "\(first.output)\(first.error)")
            return #expect(try office.local("SELECT count(*) FROM profiles") == "0")
        }
        #expect(try office.run("offline", "PRUEBA-1", "--available").status == 0)
        let second = try office.run("sync")
        #expect(String(second.status) == status && second.error.contains(code), "\(second.output)\(second.error)")
        #expect(try office.local("SELECT count(*) FROM calicatas") == "0")
        #expect(try office.run("sync", "--prove").status == 0)
    }

    @Test func aServerThatCutsAnswersInSilenceLosesNoRow() throws {
        let office = try SyncedOffice(.supabase, options: ["--cap", "3"])
        try office.central(
            """
            INSERT INTO calicatas (id, project_id, code, status)
            SELECT gen_random_uuid(), '\(SyncedOffice.project)', 'C-' || g, 'BORRADOR' FROM generate_series(1, 20) AS g
            """)
        try office.follow()
        #expect(try office.local("SELECT count(*) FROM calicatas") == "20")
        try office.central("DELETE FROM calicatas WHERE code < 'C-15'")
        let synced = try office.run("sync", "--prove")
        #expect(synced.status == 0 && synced.output.contains("Proven"), "\(synced.output)\(synced.error)")
        #expect(try office.local("SELECT count(*) FROM calicatas") == office.central("SELECT count(*) FROM calicatas"))
    }

    // MARK: Sessions

    @Test func aSessionIsKeptForItsOwnerAloneAndGoesOnWithoutAPassword() throws {
        let office = try SyncedOffice(.supabase)
        let asked = try office.sync([:])
        #expect(asked.status == 77 && asked.error.contains("REMOTE-LOGIN"), "nobody is at a terminal: \(asked.error)")
        let wrong = try office.sync(["FICHERO_PASSWORD": "wrong-password-17"])
        #expect(wrong.status == 77 && wrong.error.contains("REMOTE-LOGIN-REFUSED") && !wrong.error.contains("wrong-password-17"), "\(wrong.error)")
        #expect(!FileManager.default.fileExists(atPath: office.replica + ".session"))
        #expect(try office.run("sync").status == 0)
        let mode = try FileManager.default.attributesOfItem(atPath: office.replica + ".session")[.posixPermissions] as? Int
        #expect(mode == 0o600)
        #expect(try office.sync([:]).status == 0, "the session goes on")
        try FileManager.default.setAttributes([.posixPermissions: 0o644], ofItemAtPath: office.replica + ".session")
        #expect(try office.sync([:]).status == 77, "what others can read is not trusted")
    }

    @Test func refreshTokensAreGoodForOneUseAndTwoProcessesDoNotEndASession() throws {
        // The tokens are stale at once, so that each run renews them.
        let office = try SyncedOffice(.supabase, options: ["--lifetime", "30"])
        #expect(try office.run("sync").status == 0)
        DispatchQueue.concurrentPerform(iterations: 4) { _ in
            let synced = try? office.sync([:])
            #expect(synced?.status == 0, "\(synced?.error ?? "")")
        }
        #expect(try office.sync([:]).status == 0)
    }

    @Test func tokensStandInNoOutputAndSecretKeysAreRefused() throws {
        let office = try SyncedOffice(.supabase)
        let synced = try office.run("sync", "--log-format", "json", "--json")
        #expect(synced.status == 0, "\(synced.error)")
        let kept = try String(contentsOfFile: office.replica + ".session", encoding: .utf8)
        let tokens = kept.matches(of: /"(access|refresh)":"([^"]+)"/).map { String($0.output.2) }
        #expect(tokens.count == 2)
        for token in tokens { #expect(!synced.output.contains(token) && !synced.error.contains(token)) }
        for key in ["sb_secret_17", "eyJhbGciOiJIUzI1NiJ9.eyJyb2xlIjoic2VydmljZV9yb2xlIn0.c2ln"] {
            try office.configure(remote: "supabase: {url: '\(office.web?.url ?? "")', key: \(key)}")
            let refused = try office.run("sync")
            #expect(refused.status == 78 && refused.error.contains("REMOTE-KEY-SECRET") && !refused.error.contains(key), "\(refused.error)")
        }
    }

    // MARK: Networks

    /// A certificate for a name, signed by an authority of its own; the files' paths.
    private func certificate(for name: String, in folder: String) throws -> (certificate: String, key: String) {
        let paths = (folder + "/\(name).pem", folder + "/\(name).key")
        let made = try OtherProgram.run(
            "/usr/bin/openssl",
            ["req", "-x509", "-newkey", "ec", "-pkeyopt", "ec_paramgen_curve:prime256v1", "-nodes", "-days", "2", "-subj", "/CN=" + name,
             "-addext", "subjectAltName=" + (name.first?.isNumber == true ? "IP:" : "DNS:") + name, "-out", paths.0, "-keyout", paths.1])
        #expect(made.status == 0, "\(made.text)")
        return paths
    }

    @Test func aServerMustShowTheRightCertificate() throws {
        let place = try TemporaryFolder()
        let (right, other) = (try certificate(for: "127.0.0.1", in: place.path), try certificate(for: "central.example", in: place.path))
        let office = try SyncedOffice(.supabase, options: ["--certificate", right.certificate, "--key", right.key])
        let url = try #require(office.web).url
        #expect(url.hasPrefix("https:"))
        let unknown = try office.run("sync")
        #expect(unknown.status == 69 && unknown.error.contains("REMOTE-UNREACHABLE") && unknown.error.contains("certificate"), "\(unknown.error)")
        try office.configure(remote: "supabase: {url: '\(url)', key: \(SupabaseServer.key), authority: '\(other.certificate)'}")
        #expect(try office.run("sync").status == 69)
        try office.configure(remote: "supabase: {url: '\(url)', key: \(SupabaseServer.key), authority: '\(right.certificate)'}")
        let trusted = try office.run("sync")
        #expect(trusted.status == 0, "\(trusted.error)")
        try office.configure(remote: "supabase: {url: '\(url.replacing("127.0.0.1", with: "localhost"))', key: \(SupabaseServer.key), authority: '\(right.certificate)'}")
        #expect(try office.run("sync").status == 69, "the name is another")
    }

    @Test func theProxyOfTheOfficeIsUsed() throws {
        let place = try TemporaryFolder()
        let pair = try certificate(for: "central.example", in: place.path)
        let office = try SyncedOffice(.supabase, options: ["--certificate", pair.certificate, "--key", pair.key])
        let port = try #require(office.web).url.split(separator: ":").last ?? ""
        let proxy = try Proxy(to: String(port))
        try office.configure(remote: "supabase: {url: 'https://central.example', key: \(SupabaseServer.key), authority: '\(pair.certificate)'}")
        let password = SupabaseServer.password(of: SyncedOffice.field)
        let direct = try office.sync(["FICHERO_PASSWORD": password])
        #expect(direct.status == 69 && direct.error.contains("REMOTE-UNREACHABLE"), "\(direct.error)")
        let synced = try office.sync(["FICHERO_PASSWORD": password, "HTTPS_PROXY": proxy.url])
        #expect(synced.status == 0, "\(synced.error)")
    }

    @Test func tokensDoNotTravelInTheClear() throws {
        let office = try SyncedOffice(.supabase)
        try office.configure(remote: "supabase: {url: 'http://central.example', key: \(SupabaseServer.key)}")
        let synced = try office.run("sync")
        #expect(synced.status == 78 && synced.error.contains("REMOTE-NOT-SECURE"), "\(synced.error)")
    }
}

/// A proxy that leads every tunnel to one port of this machine.
private final class Proxy {
    let url: String
    private let program: ServingProgram

    init(to port: String) throws {
        let script = """
            import os, socket, sys, threading
            def pump(a, b):
                try:
                    while data := a.recv(65536): b.sendall(data)
                except OSError: pass
                for end in (a, b):
                    try: end.shutdown(socket.SHUT_RDWR)
                    except OSError: pass
            def serve(client):
                head = b''
                while b'\\r\\n\\r\\n' not in head: head += client.recv(4096)
                if not head.startswith(b'CONNECT central.example:443 '): return client.close()
                server = socket.create_connection(('127.0.0.1', int(sys.argv[1])))
                client.sendall(b'HTTP/1.1 200 Connection established\\r\\n\\r\\n')
                threading.Thread(target=pump, args=(client, server), daemon=True).start()
                pump(server, client)
            door = socket.create_server(('127.0.0.1', 0))
            print(door.getsockname()[1], flush=True)
            # Standard input ends with the test.
            threading.Thread(target=lambda: (sys.stdin.read(), os._exit(0)), daemon=True).start()
            while True:
                client, _ = door.accept()
                threading.Thread(target=serve, args=(client,), daemon=True).start()
            """
        program = try ServingProgram(python: ["-c", script, port])
        url = "http://127.0.0.1:" + program.greeting
    }
}
