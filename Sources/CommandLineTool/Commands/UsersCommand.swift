import ArgumentParser
import Foundation
import Importing
import Model
import Pipeline
import Replica

/// `fichero users`: manages the users of the replica and their projects; for administrators.
struct UsersCommand: FicheroCommand {
    static let task = CommandTask.setUp
    static let configuration = CommandConfiguration(
        commandName: "users",
        abstract: "Who may work, and in which projects: list, add, change, join, leave.",
        discussion: """
            For whoever may administer; nobody changes his own role or status. What each role may do stands in \
            fichero describe.

            Examples:
              fichero users
              fichero users add ing.rojas@example.pe --role ESPECIALISTA_TECNICO --name "Ing. Rojas"
              fichero users join ing.rojas@example.pe --project CSM-2025
            """,
        subcommands: [List.self, Add.self, Change.self, Join.self, Leave.self], defaultSubcommand: List.self)

    /// `fichero users list`
    struct List: ParsableCommand {
        static let configuration = CommandConfiguration(
            commandName: "list", abstract: "List profiles with their projects.",
            discussion: "Example: fichero users list")

        @OptionGroup var options: CommonOptions

        func run() throws {
            let session = try WorkSession.existing(options)
            let replica = try session.openReplica()
            _ = try session.actor(in: replica, to: .administer)
            let people = try replica.people()
            options.output.show(people, text: UsersText(session).list(people))
        }
    }

    /// `fichero users add`
    struct Add: ParsableCommand {
        static let configuration = CommandConfiguration(
            commandName: "add", abstract: "Make a profile.",
            discussion: "Example: fichero users add ing.rojas@example.pe --role CAMPO --project CSM-2025")

        @OptionGroup var options: CommonOptions
        @OptionGroup var change: ChangeOptions
        @Argument(help: ArgumentHelp("The address.", valueName: "email")) var email: String
        @Option(name: .long, help: ArgumentHelp("What the person may do.", valueName: "role")) var role: String
        @Option(name: .long, help: ArgumentHelp("The person's name.", valueName: "text")) var name: String?

        func run() throws {
            let run = try UsersRun(options, change)
            guard email.wholeMatch(of: /[^@\s]+@[^@\s]+\.[^@\s]+/) != nil, email.utf8.count <= 254 else {
                throw SettingFailure.badAddress(email)
            }
            let time = Timestamp.format(run.change.session.asOf), id = UUIDv7.make(at: Date())
            var rows = [
                EnteredRows.Row(
                    entity: "profiles", id: id,
                    values: [
                        ("email", email), ("full_name", name), ("role", try run.role(role)), ("status", "ACTIVO"),
                        ("created_at", time), ("updated_at", time),
                        ("cached_at", time),
                    ])
            ]
            if change.project != nil { rows.append(try run.membership(id, role, email)) }
            try run.show("users add", rows, options)
        }
    }

    /// `fichero users change`
    struct Change: ParsableCommand {
        static let configuration = CommandConfiguration(
            commandName: "change", abstract: "Change somebody's role, status, name or picture.",
            discussion: "Example: fichero users change ing.rojas@example.pe --status INACTIVO")

        @OptionGroup var options: CommonOptions
        @OptionGroup var change: ChangeOptions
        @Argument(help: ArgumentHelp("The address.", valueName: "email")) var email: String
        @Option(name: .long, help: ArgumentHelp("What the person may do.", valueName: "role")) var role: String?
        @Option(name: .long, help: ArgumentHelp("ACTIVO works; nobody else does.", valueName: "status")) var status:
            String?
        @Option(name: .long, help: ArgumentHelp("The person's name.", valueName: "text")) var name: String?
        @Option(
            name: .long, help: ArgumentHelp("A picture of the person (PNG), which everybody gets.", valueName: "file"))
        var avatar: String?

        func run() throws {
            let run = try UsersRun(options, change)
            let person = try run.person(email)
            var values: [(field: String, value: String?)] = []
            if let role { values.append(("role", try run.role(role))) }
            if let status = try status.map(run.status) {
                values.append(("status", status))
                // Without a server nobody else can vouch for a person who came in with a file. A
                // profile that a server has confirmed keeps its time.
                if status == "ACTIVO" { values.append(("cached_at", Timestamp.format(run.change.session.asOf))) }
            }
            if let name { values.append(("full_name", name)) }
            if let avatar, let entity = run.change.session.pack.entity("profiles") {
                values += try AttachedFile(avatar, of: entity).keep(
                    beside: run.change.session.replicaPath, isNew: false, isDryRun: change.dryRun)
            }
            guard !values.isEmpty else {
                throw ChangeStatementFailure.nothingStated(options: "--role, --status, --name, --avatar")
            }
            let row = EnteredRows.Row(entity: "profiles", id: person.id, values: values)
            try run.show("users change", [row], options)
        }
    }

    /// `fichero users join`
    struct Join: ParsableCommand {
        static let configuration = CommandConfiguration(
            commandName: "join", abstract: "Make somebody a member of a project.",
            discussion: "Example: fichero users join ing.rojas@example.pe --project CSM-2025")

        @OptionGroup var options: CommonOptions
        @OptionGroup var change: ChangeOptions
        @Argument(help: ArgumentHelp("The address.", valueName: "email")) var email: String

        func run() throws {
            let run = try UsersRun(options, change)
            let person = try run.person(email)
            try run.show("users join", [run.membership(person.id, person.role, person.email)], options)
        }
    }

    /// `fichero users leave`
    struct Leave: ParsableCommand {
        static let configuration = CommandConfiguration(
            commandName: "leave", abstract: "Take somebody out of a project.",
            discussion: "Example: fichero users leave ing.rojas@example.pe --project CSM-2025")

        @OptionGroup var options: CommonOptions
        @OptionGroup var change: ChangeOptions
        @Argument(help: ArgumentHelp("The address.", valueName: "email")) var email: String

        func run() throws {
            let run = try UsersRun(options, change)
            let person = try run.person(email)
            let project = try run.project()
            guard let id = person.projects.first(where: { $0.id == project.id })?.membership else {
                throw UserFailure.noMember(email, project: project.code)
            }
            let row = EnteredRows.Row(
                entity: "project_members", id: id, isDeletion: true, name: project.code + Pack.nameSeparator + email)
            try run.show("users leave", [row], options)
        }
    }
}

/// Setup shared by all commands about users.
private struct UsersRun {
    let change: ChangeRun

    init(_ options: CommonOptions, _ change: ChangeOptions) throws {
        self.change = try ChangeRun(options, change, may: .administer)
    }

    /// Makes the change and shows it.
    func show(_ command: String, _ rows: [EnteredRows.Row], _ options: CommonOptions) throws {
        try options.show(change.perform(command, rows, permission: .administer), of: change)
    }

    func person(_ email: String) throws -> Person {
        guard let person = try change.replica.people().first(where: { $0.email.lowercased() == email.lowercased() })
        else { throw UserFailure.unknown(email) }
        return person
    }

    func role(_ name: String) throws -> String {
        let session = change.session, roles = Vocabulary(of: session.pack.roles)
        guard let role = session.value(called: name, in: roles) else {
            throw ChangeStatementFailure.unknownRole(name, known: session.words(of: roles))
        }
        return role
    }

    func status(_ name: String) throws -> String {
        guard let known = change.session.pack.vocabulary("profile_status") else { return name }
        guard let status = change.session.value(called: name, in: known) else {
            throw ChangeStatementFailure.unknownStatus(name, known: change.session.words(of: known))
        }
        return status
    }

    func project() throws -> (id: String, code: String) {
        guard let code = change.terms.project else {
            throw try change.projectNeeded()
        }
        return (change.projects[0], code)
    }

    func membership(_ profile: String, _ role: String, _ email: String) throws -> EnteredRows.Row {
        let project = try project()
        return EnteredRows.Row(
            entity: "project_members", id: UUIDv7.make(at: Date()),
            values: [
                ("project_id", project.id), ("profile_id", profile), ("role", role),
                ("created_at", Timestamp.format(change.session.asOf)),
            ], name: project.code + Pack.nameSeparator + email)
    }
}

/// Users and their roles, formatted for display.
struct UsersText {
    private let session: WorkSession

    init(_ session: WorkSession) {
        self.session = session
    }

    func list(_ people: [Person]) -> String {
        var table = TextTable(
            ["email", "name", "role", "state", "projects"].map { session.text("cli.users." + $0) },
            Array(repeating: .left, count: 5))
        let words = RecordWords(session)
        for person in people {
            table.add([
                person.email, person.name ?? "", words.word(person.role, of: Vocabulary.roles),
                words.word(person.status, of: "profile_status"),
                person.projects.map(\.code).joined(separator: ", "),
            ])
        }
        return table.text
    }
}
