import Foundation
import Workbench

/// A replica in a folder of its own, with the samples of one system, for one test.
struct Office {
    private let place: TemporaryFolder
    let system: String
    let actor: String
    var environment: [String: String] = [:]

    static let asOf = "2025-12-01T14:00:00Z"

    static let administrator = "admin@example.org"

    /// Who works with the samples of each system.
    private static let people = [
        "ingeplus": "coordinadora@example.pe", "anagrafica": "ufficio@example.it", "interrapidisimo": "supervisora@example.co", "mesync": "admin@example.pe",
        "yaquedamos": "administracion@example.co",
    ]

    static func pits() throws -> Office { try Office(system: "ingeplus") }
    static func assets() throws -> Office { try Office(system: "anagrafica") }

    /// A replica with one set of samples or with none. Commands run as the office person of the
    /// samples. The program makes each such replica once, and every office gets a copy.
    init(system: String, set: String? = "survey") throws {
        try self.init(as: ([system] + (set.map { [$0] } ?? [])).joined(separator: ", "), system: system) { office in
            let made = try office.run("init", "--pack", system, "--admin", Self.administrator)
            guard made.status == 0 else { throw Trouble(made) }
            if let set { try office.bringIn(set) }
        }
    }

    /// A copy of an office that is prepared once for all tests.
    ///
    /// - Parameters:
    ///   - name: what tells it from other prepared offices.
    ///   - prepare: fills a new folder.
    init(as name: String, system: String, _ prepare: (Office) throws -> Void) throws {
        self.init(place: try Scene.copy("office of " + name) { try prepare(Self(place: $0, system: system)) }, system: system)
    }

    /// An office in a folder that has its replica, or will have it.
    private init(place: TemporaryFolder, system: String) {
        (self.place, self.system, actor) = (place, system, Self.people[system] ?? Self.administrator)
    }

    /// The same office again, as it is now. The two have nothing in common.
    func copy() throws -> Office {
        var office = Office(place: try TemporaryFolder(), system: system)
        office.environment = environment
        try office.fill(from: self)
        return office
    }

    /// Takes over all that another office has.
    func fill(from other: Office) throws { try place.fill(from: other.folder) }

    /// Imports a set of samples as the administrator.
    @discardableResult
    func bringIn(_ set: String, _ options: String...) throws -> ProgramRun {
        let brought = try run(
            ["import", ProgramRun.root + "/Samples/\(system)/" + set, "--fail-on", "never", "--actor", Self.administrator] + options)
        guard brought.status == 0 else { throw Trouble(brought) }
        return brought
    }

    /// Runs a command on this replica in English, at the fixed time and as the office's actor.
    @discardableResult
    func run(_ arguments: String...) throws -> ProgramRun {
        try run(arguments)
    }

    @discardableResult
    func run(_ arguments: [String]) throws -> ProgramRun {
        try ProgramRun.fichero(arguments + (arguments.contains("--as-of") ? [] : ["--as-of", Self.asOf]), in: folder, environment: variables)
    }

    var variables: [String: String] {
        var variables = [
            "FICHERO_REPLICA": replica, "FICHERO_TEMPLATES": ProgramRun.root + "/Templates", "FICHERO_ACTOR": actor, "FICHERO_LANG": "en",
            "FICHERO_ORG_ID": "0198a000-0000-7000-8000-00000000f1c0",
        ]
        variables.merge(environment) { _, new in new }
        return variables
    }

    var folder: String { place.path }

    var replica: String { path("fichero.db") }

    func path(_ name: String) -> String { place.file(name) }

    /// The names of all files below a folder of the office, sorted.
    func files(_ name: String) throws -> [String] {
        guard FileManager.default.fileExists(atPath: path(name)) else { return [] }
        return try FileManager.default.subpathsOfDirectory(atPath: path(name)).filter { entry in
            var isDirectory: ObjCBool = false
            return unsafe FileManager.default.fileExists(atPath: path(name) + "/" + entry, isDirectory: &isDirectory) && !isDirectory.boolValue
        }.sorted()
    }

    /// One value from the replica, read by the sqlite3 shell.
    func sql(_ query: String) throws -> String {
        try ProgramRun.program("/usr/bin/sqlite3", ["-readonly", replica, query]).output.trimmingCharacters(in: .newlines)
    }

    /// The same, but the sqlite3 shell may write. So it first takes back what a killed run left in
    /// the file.
    func writableSQL(_ query: String) throws -> String {
        try ProgramRun.program("/usr/bin/sqlite3", [replica, query]).output.trimmingCharacters(in: .newlines)
    }

    struct Trouble: Error, CustomStringConvertible {
        let description: String
        init(_ run: ProgramRun) { description = "exit \(run.status)\n\(run.output)\n\(run.error)" }
    }
}

/// JSON as the program prints it.
enum Reading {
    static func json(_ text: String) throws -> [String: Any] {
        try JSONSerialization.jsonObject(with: Data(text.utf8)) as? [String: Any] ?? [:]
    }

    /// Runs a Python script with these arguments.
    static func python(_ script: String, _ arguments: String...) throws -> ProgramRun {
        try ProgramRun.program("/usr/bin/python3", ["-c", script] + arguments)
    }
}
