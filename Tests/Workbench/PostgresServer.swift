import Foundation
import Glibc
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

    /// Makes an empty database and returns its name.
    package func makeDatabase() throws -> String {
        let name = "t" + UUID().uuidString.filter { $0 != "-" }.lowercased()
        try Self.run("createdb", ["-h", host, "-U", user, name])
        return name
    }

    /// Runs a script with psql and returns what it prints: a line for each row, values separated by
    /// `|`. The script ends at its first error.
    ///
    /// - Parameter person: the profile that the script's statements count as, under row security;
    ///   nil: the owner of the database.
    package func run(_ sql: String, in database: String, as person: String? = nil) throws -> OtherProgram {
        let claims = person.map { "SET request.jwt.claims = '{\"sub\": \"\($0)\"}';\nSET ROLE authenticated;\n" } ?? ""
        return try OtherProgram.run(
            "/usr/bin/psql", ["-h", host, "-U", user, "-d", database, "-X", "-q", "-A", "-t", "-v", "ON_ERROR_STOP=1", "-f", "-"], input: claims + sql)
    }

    /// A script for bash that runs its arguments without the files that it inherits, beside the
    /// standard streams. Foundation recognises the end of a process by such a file, which a server
    /// would keep open.
    package static let alone = "for file in /proc/self/fd/*; do number=${file##*/}; [ \"$number\" -le 2 ] || eval \"exec $number>&-\"; done; exec \"$@\""

    private static func run(_ program: String, _ arguments: [String]) throws {
        let own = geteuid() == 0 ? ["/usr/bin/setpriv", "--reuid=postgres", "--regid=postgres", "--clear-groups"] : []
        let all = ["/bin/bash", "-c", alone, program] + own + [program.hasPrefix("/") ? program : programs + program] + arguments
        let run = try OtherProgram.run(all[0], Array(all.dropFirst()))
        guard run.status == 0 else { throw Trouble(description: "\(program): \(run.text)") }
    }

    private struct Trouble: Error, CustomStringConvertible {
        var description: String
    }
}
