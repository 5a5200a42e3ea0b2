import Foundation
import Synchronization
import Workbench

/// An office, of InGe+ if nothing else is said, whose replica follows a central database of its own, on a real PostgreSQL
/// server with row security, directly or over HTTP.
struct SyncedOffice {
    typealias Way = CentralWay

    private let place: TemporaryFolder
    let server: PostgresServer
    let database: String
    /// Nil if the office connects directly.
    let web: SupabaseServer?
    private let way: Way
    private let system: String

    static let project = "10000000-0000-4000-8000-000000000001"
    static let (field, reader, administrator) = ("campo@example.pe", "lector@example.pe", "admin@example.pe")

    /// - Parameters:
    ///   - isPrepared: whether the database carries Fichero's SQL and the test users.
    ///   - options: of the server over HTTP.
    init(_ way: Way = .postgres, system: String = "ingeplus", isPrepared: Bool = true, options: [String] = []) throws {
        place = try TemporaryFolder()
        (self.way, self.system) = (way, system)
        server = try PostgresServer.shared.get()
        database = try isPrepared ? server.makeDatabase(way, of: system) { try Self.sql(of: system) } : server.makeDatabase()
        web = way.isWeb ? try SupabaseServer(database: database, options: options) : nil
        try begin()
    }

    /// What the program prints for the server.
    private static func sql(of system: String) throws -> String {
        try ProgramRun.fichero(["describe", system, "--sql", "postgres", "--templates", ProgramRun.root + "/Templates"], in: NSTemporaryDirectory()).output
    }

    /// Another office that follows the same database.
    init(following other: SyncedOffice) throws {
        (place, server, database, web) = (try TemporaryFolder(), other.server, other.database, other.web)
        (way, system) = (other.way, other.system)
        try begin()
    }

    /// The files of empty replicas, by their systems: `init` makes each of them once.
    private static let replicas = Mutex<[String: Data]>([:])

    private func begin() throws {
        try configure()
        let made = try Self.replicas.withLock { replicas in
            if let known = replicas[system] { return known }
            let done = try run("init", "--pack", system)
            guard done.status == 0 else { throw Trouble(description: done.error) }
            let made = try file
            replicas[system] = made
            return made
        }
        try write(made)
    }

    private var file: Data { get throws { try Data(contentsOf: URL(fileURLWithPath: replica)) } }

    private func write(_ file: Data) throws {
        let isWritten = FileManager.default.createFile(atPath: replica, contents: file, attributes: [.posixPermissions: 0o600])
        guard isWritten else { throw Trouble(description: "no replica at \(replica)") }
    }

    /// Writes the configuration.
    func configure(host: String? = nil, user: String? = nil, environment: String = "DEV", remote: String? = nil) throws {
        try """
        templates: \(ProgramRun.root)/Templates
        environment: \(environment)
        language: en
        replica: \(replica)
        \(remote ?? self.remote(host, user))
        """.write(toFile: place.file("fichero.yaml"), atomically: true, encoding: .utf8)
    }

    private func remote(_ host: String?, _ user: String?) -> String {
        if let web { return "supabase: {url: '\(web.url)', key: \(SupabaseServer.key)}" }
        return "postgres: {host: '\(host ?? server.host)', database: \(database), user: \(user ?? server.user)}"
    }

    var replica: String { place.file("fichero.db") }
    var folder: String { place.path }

    /// Runs a command as somebody.
    @discardableResult
    func run(_ arguments: String..., as email: String = SyncedOffice.field, with variables: [String: String] = [:]) throws -> ProgramRun {
        try runs(arguments, as: email, with: variables)
    }

    /// Runs a sync with these variables alone.
    func sync(_ environment: [String: String]) throws -> ProgramRun {
        try ProgramRun.fichero(["sync", "--actor", Self.field], in: place.path, environment: environment)
    }

    func runs(_ arguments: [String], as email: String = SyncedOffice.field, with variables: [String: String] = [:]) throws -> ProgramRun {
        let password = ["FICHERO_PASSWORD": SupabaseServer.password(of: email)]
        return try ProgramRun.fichero(arguments + ["--actor", email], in: place.path, environment: password.merging(variables) { $1 })
    }

    /// Begins a command, which a test may then kill.
    func start(_ arguments: String..., as email: String = SyncedOffice.field) throws -> ProgramRun.Running {
        try ProgramRun.start(
            ProgramRun.fichero, arguments + ["--actor", email], in: place.path, environment: ["FICHERO_PASSWORD": SupabaseServer.password(of: email)])
    }

    /// Runs a script on the central database as its owner, or as a person under row security.
    @discardableResult
    func central(_ sql: String, as person: String? = nil) throws -> String {
        let run = try server.run(sql, in: database, as: person)
        guard run.status == 0 else { throw Trouble(description: run.text) }
        return run.text.trimmingCharacters(in: .whitespacesAndNewlines)
    }

    /// Asks the replica.
    func local(_ sql: String) throws -> String {
        let run = try OtherProgram.run("/usr/bin/sqlite3", ["-readonly", replica, sql])
        guard run.status == 0 else { throw Trouble(description: run.text) }
        return run.text.trimmingCharacters(in: .whitespacesAndNewlines)
    }

    /// A pit in the central database.
    func pit(_ number: Int, code: String? = nil) throws -> String {
        let id = "2000000\(number)-0000-4000-8000-000000000000"
        try central("INSERT INTO calicatas (id, project_id, code, depth_m, status) VALUES ('\(id)', '\(Self.project)', '\(code ?? "C-0\(number)")', 1.50, 'BORRADOR')")
        return id
    }

    /// Keeps the project offline and brings it here.
    func follow(_ project: String = "PRUEBA-1", as email: String = SyncedOffice.field) throws {
        let isNew = try Self.replicas.withLock { try $0[system] == file }
        if isNew { try write(choosing(project, email)) } else { try choose(project, as: email) }
        try finish(["sync"], as: email)
    }

    private func choose(_ project: String, as email: String) throws {
        for step in [["sync"], ["offline", project, "--available"]] { try finish(step, as: email) }
    }

    private func finish(_ step: [String], as email: String) throws {
        let done = try runs(step, as: email)
        guard done.status == 0 else { throw Trouble(description: done.output + done.error) }
    }

    /// The files of replicas that know the people and projects, by the way, the system and who has chosen what.
    private static let followers = Mutex<[[String]: Data]>([:])

    /// The file of a replica in which a person has chosen a project, and that has followed no server yet.
    private func choosing(_ project: String, _ email: String) throws -> Data {
        try Self.followers.withLock { followers in
            let key = [way.rawValue, system, project, email]
            if let known = followers[key] { return known }
            let office = try SyncedOffice(way, system: system)
            try office.choose(project, as: email)
            try office.change("DELETE FROM sync_cursors")
            let made = try office.file
            followers[key] = made
            return made
        }
    }

    /// A photo of a pit that was taken here: its row waits, its file lies beside the replica.
    @discardableResult
    func photo(_ name: String, of pit: String, bytes: [UInt8]) throws -> String {
        let added = try run("add", "calicata_photos", "--project", "PRUEBA-1", "--set", "calicata_id=\(pit)", "--set", "filename=\(name)", "--set", "kind=pit", "--fail-on", "never")
        guard added.status == 0 else { throw Trouble(description: added.output + added.error) }
        let path = "fichero.db.files/aa/\(name)"
        try FileManager.default.createDirectory(atPath: folder + "/fichero.db.files/aa", withIntermediateDirectories: true)
        try Data(bytes).write(to: URL(fileURLWithPath: folder + "/" + path))
        try change("UPDATE calicata_photos SET local_path = '\(path)' WHERE filename = '\(name)'")
        return folder + "/" + path
    }

    /// As an import or a person would have left the replica.
    func change(_ sql: String) throws {
        let run = try OtherProgram.run("/usr/bin/sqlite3", [replica, sql])
        guard run.status == 0 else { throw Trouble(description: run.text) }
    }

    struct Trouble: Error, CustomStringConvertible { var description: String }
}
