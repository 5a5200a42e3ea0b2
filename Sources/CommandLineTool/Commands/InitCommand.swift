import ArgumentParser
import Foundation
import Model
import Packs
import Replica

/// `fichero init`: creates the replica of a pack, or brings an older one up to the pack as it is now.
struct InitCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "init",
        abstract: "Create or migrate a replica for a pack.",
        discussion: """
            A replica holds the records of one pack. On an existing replica, tables and columns that the pack has gained are \
            added; what cannot be changed additively is listed, and nothing is dropped.

            Example: fichero init --pack ingeplus --admin coordinadora@example.pe
            """)

    @OptionGroup var options: CommonOptions

    @Option(name: .long, help: ArgumentHelp("The pack of a new replica.", valueName: "name"))
    var pack: String?

    @Option(name: .long, help: ArgumentHelp("Make the first profile with this e-mail (audited).", valueName: "email"))
    var admin: String?

    @Option(name: .long, help: ArgumentHelp("The role of that profile; by default the pack's first role that may administer.", valueName: "role"))
    var adminRole: String?

    private struct Result: Encodable {
        var replica: String
        var pack: String
        var packVersion: String
        var state: String
        var added: [String]
        var notes: [String]
        var admin: String?
    }

    func run() throws {
        let path = options.replica ?? ProcessInfo.processInfo.environment["FICHERO_REPLICA"] ?? "fichero.db"
        guard pack != nil || FileManager.default.fileExists(atPath: path) else {
            throw ValidationError("Say with --pack which pack the new replica is to hold.")
        }
        let session = try CommandSession.new(options, packName: pack)
        var result = Result(
            replica: session.replicaPath, pack: session.pack.name, packVersion: session.pack.version, state: "current", added: [], notes: [])
        switch try Replica.initialise(at: session.replicaPath, pack: session.pack, now: session.asOf) {
        case .created: result.state = "created"
        case .current: result.state = "current"
        case .migrated(let additions, let leftovers):
            result.state = "migrated"
            result.added = additions
            result.notes = leftovers
        }
        if let admin {
            let role = adminRole ?? session.pack.roles.first { $0.permissions.contains(.administer) }?.name ?? ""
            let id = try session.openReplica().addAdministrator(
                email: admin, fullName: nil, role: role, environment: session.environment, now: session.asOf)
            // A profile that is there already stays as it is.
            result.admin = id == nil ? nil : admin
        }
        session.output.show(result, text: text(result, session))
    }

    private func text(_ result: Result, _ session: CommandSession) -> String {
        var lines = [session.text("cli.init." + result.state, ["path": result.replica, "pack": result.pack])]
        lines += result.added.map { "  + " + $0 }
        lines += result.notes.map { "  · " + $0 }
        if let admin = result.admin { lines.append(session.text("cli.init.admin", ["email": admin])) }
        return lines.joined(separator: "\n")
    }
}
