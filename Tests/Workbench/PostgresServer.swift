import Foundation
import Glibc
import Model
package import Postgres
import Synchronization

/// A PostgreSQL server for the tests of this process: Debian's, in a temporary folder, reached
/// through a socket there. It starts with the first test that needs it and ends with the process.
///
/// The server refuses to run as root, so for root it runs as `postgres`.
package final class PostgresServer: Sendable {
    /// Starts the server when it is first used.
    package static let shared = Result { try PostgresServer() }

    /// The folder of the socket, which clients give as the host.
    package let host: String
    package let port = 5432
    /// The user who owns all databases.
    package let user = "postgres"
    /// A user who needs a password.
    package static let guarded = "guarded"
    private let folder: URL

    private static let programs = "/usr/lib/postgresql/15/bin/"
    /// The folder of the running server, for the end of the process.
    private static let running = Mutex<String?>(nil)

    private init() throws {
        folder = FileManager.default.temporaryDirectory.appendingPathComponent("fichero-postgres-" + UUID().uuidString)
        host = folder.path
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: false, attributes: [.posixPermissions: 0o755])
        if geteuid() == 0 { _ = try OtherProgram.run("/usr/bin/chown", ["postgres:postgres", host]) }
        try Self.run("initdb", ["-D", host + "/data", "-U", user, "-A", "trust", "-E", "UTF8", "--locale=C.UTF-8", "--no-sync"])
        // Everybody comes in but one, of whom a password is asked.
        try Self.run("/bin/sed", ["-i", "1i local all \(Self.guarded) scram-sha-256", host + "/data/pg_hba.conf"])
        // What would make a server safe against a crash of the machine only takes time here.
        let settings = "-c listen_addresses='' -c unix_socket_directories='\(host)' -c fsync=off -c full_page_writes=off -c max_connections=60 -c max_prepared_transactions=10"
        try Self.run("pg_ctl", ["-D", host + "/data", "-l", host + "/log", "-w", "-o", settings, "start"])
        Self.running.withLock { $0 = host }
        atexit { PostgresServer.end() }
    }

    /// Ends the server at once; nothing of it is kept.
    private static func end() {
        guard let host = running.withLock({ $0 }) else { return }
        try? run("pg_ctl", ["-D", host + "/data", "-m", "immediate", "-w", "stop"])
        try? FileManager.default.removeItem(atPath: host)
    }

    // MARK: Databases

    /// Names of databases that others are copied from, by what they hold.
    private let templates = Mutex<[String: String]>([:])

    /// Makes an empty database and returns its name.
    package func makeDatabase() throws -> String { try makeDatabase(from: "template1") }

    /// Makes a database that holds what others of the same key hold, and returns its name.
    ///
    /// - Parameter prepare: fills the first database of the key in this process; the others are copies.
    package func makeDatabase(like key: String, prepare: (_ database: String) throws -> Void) throws -> String {
        let template = try templates.withLock { templates in
            if let known = templates[key] { return known }
            let made = try WorkCount.measure("database made: " + key) {
                let made = try makeDatabase()
                try prepare(made)
                return made
            }
            // Nobody may be connected to a database that is copied.
            idle.withLock { $0.removeAll { $0.database == made } }
            templates[key] = made
            return made
        }
        return try makeDatabase(from: template)
    }

    private func makeDatabase(from template: String) throws -> String {
        let name = "t" + UUID().uuidString.filter { $0 != "-" }.lowercased()
        let made = try WorkCount.measure("database copied") {
            try run("CREATE DATABASE \(name) TEMPLATE \(template)", in: "postgres")
        }
        guard made.status == 0 else { throw Trouble(description: made.text) }
        return name
    }

    /// How the owner connects to a database.
    package func settings(of database: String) -> PostgresSettings {
        PostgresSettings(host: host, port: port, database: database, user: user, patience: 600)
    }

    // MARK: Statements

    /// Runs a script and returns what psql prints: a line for each row, values separated by `|`. The
    /// script ends at its first error.
    ///
    /// - Parameter person: the profile that the script's statements count as, under row security;
    ///   nil: the owner of the database.
    package func run(_ sql: String, in database: String, as person: String? = nil) throws -> OtherProgram {
        let script = sql.trimmingCharacters(in: .whitespacesAndNewlines)
        let statement = script.hasSuffix(";") ? String(script.dropLast()) : script
        // One statement needs no program of its own.
        let isOne = !statement.contains { $0 == ";" || $0 == "\\" }
        if isOne { return try answer(statement, in: database, as: person) }
        let claims = person.map { "SET request.jwt.claims = '\(Self.claims($0))';\nSET ROLE authenticated;\n" } ?? ""
        return try OtherProgram.run(
            "/usr/bin/psql", ["-h", host, "-U", user, "-d", database, "-X", "-q", "-A", "-t", "-v", "ON_ERROR_STOP=1", "-f", "-"], input: claims + sql)
    }

    private static func claims(_ person: String) -> String { "{\"sub\": \"\(person)\"}" }

    /// A connection of the owner that nobody uses now.
    private struct Idle: @unchecked Sendable {
        let database: String
        let connection: PostgresConnection
    }

    /// The latest is the last.
    private let idle = Mutex<[Idle]>([])
    private static let mostIdle = 8

    private func answer(_ statement: String, in database: String, as person: String?) throws -> OtherProgram {
        let waiting = idle.withLock { idle in idle.lastIndex { $0.database == database }.map { idle.remove(at: $0) } }
        let own = try waiting ?? Idle(database: database, connection: PostgresConnection(settings(of: database)))
        do {
            if let person {
                try own.connection.run("SELECT set_config('request.jwt.claims', $1, false)", [Self.claims(person)])
                try own.connection.run("SET ROLE authenticated")
            }
            let rows = try own.connection.run(statement)
            if person != nil { for setting in ["ROLE", "ALL"] { try own.connection.run("RESET " + setting) } }
            idle.withLock { idle in
                idle.append(own)
                if idle.count > Self.mostIdle { idle.removeFirst() }
            }
            let lines = (0..<rows.count).map { row in
                rows.columns.indices.map { rows[row: row, column: $0] ?? "" }.joined(separator: "|") + "\n"
            }
            return OtherProgram(status: 0, text: lines.joined())
        } catch let failure as PostgresFailure where failure.code == "REMOTE-REFUSED" {
            return OtherProgram(status: 3, text: "ERROR:  " + failure.arguments["message", default: ""])
        }
    }

    private static func run(_ program: String, _ arguments: [String]) throws {
        let own = geteuid() == 0 ? ["/usr/bin/setpriv", "--reuid=postgres", "--regid=postgres", "--clear-groups"] : []
        let all = own + [program.hasPrefix("/") ? program : programs + program] + arguments
        let run = try OtherProgram.run(all[0], Array(all.dropFirst()))
        guard run.status == 0 else { throw Trouble(description: "\(program): \(run.text)") }
    }

    struct Trouble: Error, CustomStringConvertible {
        var description: String
    }
}
