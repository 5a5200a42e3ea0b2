import Foundation
import Model
import Packs
import Replica

/// Tries a pack on a replica that is made for it and deleted afterwards: compiles its queries, and
/// runs its own tests.
struct PackTrial {
    private let session: CommandSession
    private let replica: Replica
    private let actor: Actor
    /// The language in which outcomes are told; exports are in the pack's first.
    private let language: Language

    /// What became of a test: nothing to say if it passed.
    struct Verdict: Encodable, Hashable {
        var test: String
        var faults: [String]
    }

    /// - Parameter body: is given the trial.
    static func perform<Result>(_ pack: Pack, _ options: CommonOptions, templates: URL, _ body: (PackTrial) throws -> Result) throws -> Result {
        let folder = FileManager.default.temporaryDirectory.appendingPathComponent("fichero-trial-\(UUID().uuidString)")
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: false, attributes: [.posixPermissions: 0o700])
        defer { try? FileManager.default.removeItem(at: folder) }
        var own = options
        (own.templates, own.replica, own.quiet, own.json) = (templates.path, folder.appendingPathComponent("trial.db").path, true, false)
        (own.actor, own.asOf, own.timeZone, own.lang) = (nil, options.asOf ?? "2026-01-01T12:00:00Z", nil, pack.languages.first?.rawValue)
        var session = try CommandSession.new(own, packName: pack.name)
        // Whoever tries a pack tells what is broken, once.
        session.broken = []
        let language = pack.language(for: EarlySetting(CommandLine.arguments).language(of: pack))
        _ = try Replica.initialise(at: session.replicaPath, pack: session.pack, now: session.asOf)
        return try body(PackTrial(session, try session.openReplica(), language))
    }

    private init(_ session: CommandSession, _ replica: Replica, _ language: Language) throws {
        (self.session, self.replica, self.language) = (session, replica, language)
        let able = session.pack.roles.filter { $0.permissions.isSuperset(of: [.administer, .import]) } + session.pack.roles.filter { $0.permissions.contains(.administer) }
        let email = "trial@example.org"
        _ = try replica.addAdministrator(email: email, fullName: nil, role: able.first?.name ?? "", environment: session.environment, now: session.asOf)
        actor = try replica.actor(email: email)
    }

    /// The queries that cannot be compiled.
    func mistakes(in queries: [PackQuery]) throws -> [PackMistake] {
        let reading = try ReadSession(
            path: session.replicaPath, pack: session.pack, actor: actor, projects: [], timeZone: session.timeZone, asOf: session.asOf)
        return queries.compactMap { query in
            reading.faults(inQuery: query.sql, columns: query.columns).map { PackMistake(.query, at: query.place, ["reason": $0]) }
        }
    }

    /// Runs a test of the pack on a copy of the replica, at the test's own time where it says one.
    func verdict(on test: PackTest) -> Verdict {
        do {
            var session = session
            session.asOf = test.asOf.flatMap(Timestamp.parse) ?? session.asOf
            return try TrialCopy.perform(session, replica) { trial in
                let run = PackTestRun(test: test, trial: trial, actor: actor, language: language)
                return Verdict(test: test.name, faults: try run.faults())
            }
        } catch {
            let failure = error as? any Failure
            return Verdict(test: test.name, faults: [failure.map { FailureText($0, texts: session.pack.texts, language: language).text } ?? "\(error)"])
        }
    }
}
