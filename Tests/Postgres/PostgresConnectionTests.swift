import Foundation
import Model
import Testing
import Workbench

@testable import Postgres

/// One connection, against a real server.
@Suite struct PostgresConnectionTests {
    private static func settings() throws -> PostgresSettings {
        let server = try PostgresServer.shared.get()
        return PostgresSettings(host: server.host, port: server.port, database: try server.makeDatabase(), user: server.user)
    }

    @Test func valuesComeAsTextsOrNull() throws {
        let connection = try PostgresConnection(Self.settings())
        let rows = try connection.run("SELECT $1::text AS a, $2::int + 1, NULL, '' UNION ALL SELECT 'ñ', 0, 'x', $3", ["o'Brien", "41", "y"])
        #expect(rows.count == 2 && rows.columns.first == "a")
        #expect((0..<4).map { rows[row: 0, column: $0] } == ["o'Brien", "42", nil, ""])
        #expect((0..<4).map { rows[row: 1, column: $0] } == ["ñ", "0", "x", "y"])
        #expect(try connection.run("CREATE TABLE t (a int)").count == 0)
        #expect(try connection.run("INSERT INTO t SELECT generate_series(1, 7)").touched == 7)
        #expect(try connection.run("SET DateStyle = ISO").touched == 0)
    }

    @Test func timesAndNumbersHaveOneFormWhateverTheServerPrefers() throws {
        let settings = try Self.settings()
        try PostgresConnection(settings).run("ALTER DATABASE \(settings.database) SET TimeZone = 'America/Lima'")
        let rows = try PostgresConnection(settings).run("SELECT '2026-03-01 12:00:00.5-05'::timestamptz, 0.1::float8 + 0.2::float8, 1.10::numeric")
        #expect((0..<3).map { rows[row: 0, column: $0] } == ["2026-03-01 17:00:00.5+00", "0.30000000000000004", "1.10"])
    }

    @Test func copiedRowsAreDecoded() throws {
        let connection = try PostgresConnection(Self.settings())
        var found: [[String?]] = []
        let query = #"SELECT * FROM (VALUES (E'a\tb\nc\\d', NULL, ''), (E'\\N', E'\r\b\f\x0b', 'ñ')) AS v"#
        let count = try connection.copy(query) { row in found.append((0..<3).map { row.text($0) }) }
        #expect(count == 2)
        #expect(found == [["a\tb\nc\\d", nil, ""], ["\\N", "\r\u{8}\u{C}\u{B}", "ñ"]])
        var rows = 0, bytes = 0
        #expect(try connection.copy("SELECT repeat('x', 1000), g FROM generate_series(1, 20000) AS g") { row in
            rows += 1
            bytes += row.bytes.count
        } == 20_000)
        #expect(rows == 20_000 && bytes > 20_000_000)
    }

    /// A line that is dead takes minutes to say so. Whoever has waited in vain asks nothing more.
    @Test func aServerThatFallsSilentIsAskedNothingMore() throws {
        let direct = try Self.settings()
        // A proxy that passes nothing on any more once it has seen the word, and counts who comes.
        let script = """
            import os, socket, sys, threading
            came, silent = [], threading.Event()
            def pump(a, b):
                while data := a.recv(65536):
                    if b'fall silent' in data: silent.set()
                    if silent.is_set(): return threading.Event().wait()
                    b.sendall(data)
            def serve(client):
                came.append(client)
                open(sys.argv[2], 'w').write(str(len(came)))
                if silent.is_set(): return client.close()
                server = socket.socket(socket.AF_UNIX)
                server.connect(sys.argv[1])
                threading.Thread(target=pump, args=(client, server), daemon=True).start()
                pump(server, client)
            door = socket.socket(socket.AF_UNIX)
            door.bind(sys.argv[3])
            door.listen()
            print('ready', flush=True)
            threading.Thread(target=lambda: (sys.stdin.read(), os._exit(0)), daemon=True).start()
            while True:
                client, _ = door.accept()
                threading.Thread(target=serve, args=(client,), daemon=True).start()
            """
        let place = try TemporaryFolder()
        let name = "/.s.PGSQL.\(direct.port)"
        let proxy = try ServingProgram(python: ["-c", script, direct.host + name, place.file("came"), place.path + name])
        #expect(proxy.greeting == "ready")
        let settings = PostgresSettings(host: place.path, port: direct.port, database: direct.database, user: direct.user, patience: 1)
        let connection = try PostgresConnection(settings)
        let failure = #expect(throws: PostgresFailure.self) { try connection.run("SELECT 'fall silent'") }
        #expect(failure?.exitCode == .unavailable)
        #expect(try place.text(of: "came") == "1", "nobody came to ask for an end")
    }

    @Test func aRefusalHasItsStateAndNoValues() throws {
        let connection = try PostgresConnection(Self.settings())
        try connection.run("CREATE TABLE t (a text UNIQUE)")
        try connection.run("INSERT INTO t VALUES ('secret')")
        let refusal = #expect(throws: PostgresFailure.self) { try connection.run("INSERT INTO t VALUES ('secret')") }
        #expect(refusal?.state == "23505")
        #expect(refusal?.arguments["message"]?.contains("secret") == false, "the detail would quote the row")
        let broken = #expect(throws: PostgresFailure.self) { try connection.copy("SELECT 1/g FROM generate_series(3, 0, -1) AS g") { _ in } }
        #expect(broken?.state == "22012")
        #expect(throws: PostgresFailure.self) { try connection.copy("SELECT nothing") { _ in } }
        #expect(try connection.run("SELECT 1")[row: 0, column: 0] == "1", "the connection is of use afterwards")
    }

    @Test func aTransactionIsWholeOrNothing() throws {
        let connection = try PostgresConnection(Self.settings())
        try connection.run("CREATE TABLE t (a int)")
        struct Stop: Error {}
        #expect(throws: Stop.self) {
            try connection.transaction {
                try connection.run("INSERT INTO t VALUES (1)")
                throw Stop()
            }
        }
        #expect(throws: PostgresFailure.self) {
            try connection.transaction {
                try connection.run("INSERT INTO t VALUES (2)")
                try connection.run("SELECT 1/0")
            }
        }
        try connection.transaction { _ = try connection.run("INSERT INTO t VALUES (3)") }
        #expect(try connection.run("SELECT string_agg(a::text, ',') FROM t")[row: 0, column: 0] == "3")
    }

    @Test func aServerThatEndsOrHangsIsGone() throws {
        var settings = try Self.settings()
        let connection = try PostgresConnection(settings)
        let other = try PostgresConnection(settings)
        let number = try connection.run("SELECT pg_backend_pid()")[row: 0, column: 0]
        try other.run("SELECT pg_terminate_backend($1::int)", [number])
        let ended = #expect(throws: PostgresFailure.self) { try connection.run("SELECT 1") }
        #expect(ended?.exitCode == .unavailable)
        // A lock that nobody releases: the server says nothing.
        settings.patience = 1
        try other.run("CREATE TABLE t (a int)")
        try other.run("BEGIN")
        try other.run("LOCK TABLE t")
        let silent = #expect(throws: PostgresFailure.self) { try PostgresConnection(settings).run("SELECT * FROM t") }
        #expect(silent?.code == "REMOTE-BROKEN", "\(String(describing: silent))")
    }

    @Test func whoIsNotThereIsUnreachable() throws {
        let place = try TemporaryFolder()
        var settings = try Self.settings()
        settings.host = place.path
        let missing = #expect(throws: PostgresFailure.self) { try PostgresConnection(settings) }
        #expect(missing?.code == "REMOTE-UNREACHABLE" && missing?.exitCode == .unavailable)
        // Over a network the server must prove who it is; this one speaks without encryption.
        let server = try PlainServer()
        settings.host = "127.0.0.1"
        settings.port = server.port
        let plain = #expect(throws: PostgresFailure.self) { try PostgresConnection(settings) }
        #expect(
            plain == .notEncrypted(address: settings.address) && plain?.exitCode == .badConfiguration,
            "\(plain?.arguments ?? [:])")
    }

    /// libpq takes the password from a file that a parameter of the test's own names.
    @Test func aWrongOrMissingPasswordIsNoOutage() throws {
        var settings = try Self.settings()
        try PostgresConnection(settings).run(
            "DO $$ BEGIN CREATE ROLE \(PostgresServer.guarded) LOGIN PASSWORD 'right-one-5'; EXCEPTION WHEN duplicate_object OR unique_violation THEN NULL; END $$")
        settings.user = PostgresServer.guarded
        let missing = #expect(throws: PostgresFailure.self) { try PostgresConnection(settings) }
        #expect(missing?.code == "REMOTE-USER-REFUSED" && missing?.exitCode == .notPermitted && missing?.isPassing == false, "\(missing?.arguments ?? [:])")
        #expect(missing?.arguments["user"] == PostgresServer.guarded)
    }

    /// Whatever the server's language is.
    @Test func anUnknownDatabaseOrUserIsNoOutage() throws {
        var settings = try Self.settings()
        settings.database = "none-of-this-name"
        let database = #expect(throws: PostgresFailure.self) { try PostgresConnection(settings) }
        #expect(database?.code == "REMOTE-NO-DATABASE" && database?.exitCode == .badConfiguration && database?.isPassing == false, "\(database?.arguments ?? [:])")
        settings = try Self.settings()
        settings.user = "nobody-of-this-name"
        let user = #expect(throws: PostgresFailure.self) { try PostgresConnection(settings) }
        #expect(user?.code == "REMOTE-USER-REFUSED" && user?.exitCode == .notPermitted && user?.isPassing == false, "\(user?.arguments ?? [:])")
        #expect(RefusedConnection.code(in: "FATALE:  3D000: il database \"12345: x\" non esiste\nLOCATION:  InitPostgres, postinit.c:890") == "3D000")
        #expect(RefusedConnection.code(in: "FATAL: sorry, too many clients already") == nil)
    }

    @Test(arguments: [("42501", true, false), ("28P01", true, false), ("40001", false, true), ("57P01", false, true), ("23505", false, false), ("55P03", false, true)])
    func statesHaveTheirClass(state: String, isForbidden: Bool, isPassing: Bool) {
        let failure = PostgresFailure.refused(state: state, message: "")
        #expect(failure.isForbidden == isForbidden && failure.isPassing == isPassing)
    }
}
