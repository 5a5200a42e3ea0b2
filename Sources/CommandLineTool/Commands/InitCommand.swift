import ArgumentParser
import Foundation
import Model
import Packs
import Pipeline
import Replica

/// `fichero init`: creates the replica of a pack, or migrates an existing replica to the current
/// pack.
struct InitCommand: FicheroCommand {
    static let task = CommandTask.setUp
    static let configuration = CommandConfiguration(
        commandName: "init",
        abstract: "Create or migrate a replica for a pack.",
        discussion: """
            A replica holds the records of one pack. On an existing replica, tables and columns that the pack has \
            gained are added, and columns whose fields it has renamed (renamedFrom) get their new names; what would \
            change values is listed, and nothing is dropped.

            A pack of other content than the one that rules is taken by an administrator (--actor), and logged with \
            both contents. A new release of the program brings its packs along without that.

            The first profile needs nobody's leave; every other needs an --actor who may administer.

            With --from, a first pack is written and no replica: tables, vocabularies, checks, exports, a report, \
            texts and a mapping, with comments for what could not be decided.

            Examples:
              fichero init --pack ingeplus --admin coordinadora@example.pe
              fichero init --from formulario.xlsx --pack pozos
              fichero init --from esquema.sql --pack pozos --lang es
            """)

    @OptionGroup var options: CommonOptions

    @OptionGroup var draft: DraftOptions

    @Option(
        name: .long, help: ArgumentHelp("The pack of a new replica, or the name of a first pack.", valueName: "name"))
    var pack: String?

    @Option(name: .long, help: ArgumentHelp("Make the first profile with this e-mail (audited).", valueName: "email"))
    var admin: String?

    @Option(
        name: .long,
        help: ArgumentHelp(
            "The role of that profile; by default the pack's first role that may administer.", valueName: "role"))
    var adminRole: String?

    private struct Result: Encodable {
        var replica: String
        var pack: String
        var packVersion: String
        var state: String
        var renamed: [String]
        var added: [String]
        var notes: [String]
        var admin: String?
    }

    func run() throws {
        if let source = draft.from {
            guard admin == nil, adminRole == nil else {
                throw ValidationError("--from makes no replica: --admin has no place beside it.")
            }
            return try draft.run(options, source, name: pack)
        }
        let path = options.replica ?? ProcessInfo.processInfo.environment["FICHERO_REPLICA"] ?? "fichero.db"
        guard pack != nil || FileManager.default.fileExists(atPath: path) else {
            throw ValidationError("Say with --pack which pack the new replica is to hold.")
        }
        let session = try WorkSession.new(options, packName: pack)
        let role = try administratorRole(session)
        var result = Result(
            replica: session.replicaPath, pack: session.pack.name, packVersion: session.pack.version, state: "current",
            renamed: [], added: [], notes: [])
        let outcome = try Replica.initialise(
            at: session.replicaPath, pack: session.pack, source: session.packSource,
            actor: session.email, now: session.asOf)
        switch outcome {
        case .created: result.state = "created"
        case .current: result.state = "current"
        case .migrated(let renamed, let additions, let leftovers):
            result.state = "migrated"
            result.renamed = renamed
            result.added = additions
            result.notes = leftovers
        }
        if let admin {
            let replica = try session.openReplica()
            let isFirst = try !replica.hasProfiles()
            // Only administrators may add administrators. A profile that exists already is not
            // changed.
            let actor =
                try isFirst || replica.hasProfile(email: admin) ? nil : session.actor(in: replica, to: .administer)
            let id = try replica.addAdministrator(
                email: admin, fullName: nil, role: role, environment: session.environment, now: session.asOf, by: actor)
            result.admin = id == nil ? nil : admin
        }
        options.output.show(result, text: text(result, session))
    }

    /// The role of the requested profile; checked before anything is made.
    private func administratorRole(_ session: WorkSession) throws -> String {
        guard let admin else { return "" }
        guard admin.wholeMatch(of: /[^@\s]+@[^@\s]+\.[^@\s]+/) != nil, admin.utf8.count <= 254 else {
            throw SettingFailure.badAddress(admin)
        }
        let roles = session.pack.roles.filter { $0.permissions.contains(.administer) }.map(\.name)
        guard let role = adminRole ?? roles.first, roles.contains(role) else {
            throw SettingFailure.roleDoesNotAdminister(adminRole ?? "", known: roles)
        }
        return role
    }

    private func text(_ result: Result, _ session: WorkSession) -> String {
        var lines = [session.text("cli.init." + result.state, ["path": result.replica, "pack": result.pack])]
        lines += result.renamed.map { "  ~ " + $0 }
        lines += result.added.map { "  + " + $0 }
        lines += result.notes.map { "  · " + session.text("cli.init.leftover", ["name": $0]) }
        if let admin = result.admin { lines.append(session.text("cli.init.admin", ["email": admin])) }
        return lines.joined(separator: "\n")
    }
}
