import ArgumentParser
import Model
import Pipeline
import Replica

/// `fichero erase`: removes a person from the replica permanently.
struct EraseCommand: FicheroCommand {
    static let task = CommandTask.change
    static let configuration = CommandConfiguration(
        commandName: "erase",
        abstract: "Erase a person from the replica for good; for administrators.",
        discussion: """
            The pack says which rows go with the person and which stay without. Books, queue, conflicts, rejected \
            rows, kept changes, photos and the file's free pages are cleared too, and the person does not come back \
            with a file or a sync. fichero undo does not bring anything back. Files that may hold the person are \
            listed: you look after them.

            At a terminal you are asked twice. Without one, both options are needed: --confirm with the subject \
            once more, and --forever.

            Examples:
              fichero erase --subject ana@example.co --dry-run
              fichero erase --subject ana@example.co
              fichero erase --subject ana@example.co --confirm ana@example.co --forever
            """)

    @OptionGroup var options: CommonOptions

    @Option(
        name: .long,
        help: ArgumentHelp(
            "Who: the id, or another value that belongs to this person alone, such as the address.", valueName: "person"
        ))
    var subject: String

    @Flag(name: .long, help: "Show what would go, and change nothing.")
    var dryRun = false

    @Option(
        name: .long, help: ArgumentHelp("The person once more, where nobody is at a terminal.", valueName: "person"))
    var confirm: String?

    @Flag(name: .long, help: "Nothing of it comes back: say that you know, where nobody is at a terminal.")
    var forever = false

    @Option(name: .long, help: ArgumentHelp("Seconds to wait for another run.", valueName: "seconds"))
    var wait: Int = 60

    func run() throws {
        let session = try WorkSession.existing(options)
        let replica = try session.openReplica(waiting: wait)
        let actor = try session.actor(in: replica, to: .administer)
        func erase(isDryRun: Bool) throws -> ErasureAccount {
            try session.erase(subject, by: actor, in: replica, isDryRun: isDryRun, wait: wait)
        }
        let text = EraseText(session)
        if !dryRun, confirm == nil, !forever {
            // The user first sees what will be erased, then confirms.
            let plan = try erase(isDryRun: true)
            try ErasureConfirmation(session).ask(subject, plan: text.text(plan))
        } else if !dryRun, confirm != subject || !forever {
            throw ErasureFailure.unconfirmed
        }
        let account = try erase(isDryRun: dryRun)
        options.output.show(account, text: text.text(account))
    }
}

/// The data that an erasure removed, or would remove, formatted for display.
struct EraseText {
    private let session: WorkSession

    init(_ session: WorkSession) { self.session = session }

    func text(_ account: ErasureAccount) -> String {
        var rows = TextTable(
            [
                session.text("cli.columns.entity"), session.text("cli.erase.columns.removed"),
                session.text("cli.erase.columns.anonymised"),
            ], [.left, .right, .right])
        for line in account.lines { rows.add([line.entity, String(line.removed), String(line.anonymised)]) }
        var parts = [session.text(account.isDryRun ? "cli.erase.plan" : "cli.erase.done")]
        if !rows.isEmpty { parts.append(rows.text) }
        if !account.books.isEmpty { parts.append(counts("cli.erase.books", account.books)) }
        if account.photos > 0 { parts.append(session.text("cli.erase.photos", ["count": String(account.photos)])) }
        if !account.others.isEmpty { parts.append(counts("cli.erase.others", account.others)) }
        if !account.exports.isEmpty { parts.append(files("cli.erase.exports", account.exports)) }
        if !account.copies.isEmpty { parts.append(files("cli.erase.copies", account.copies)) }
        return parts.joined(separator: "\n\n")
    }

    private func counts(_ key: String, _ counts: [String: Int]) -> String {
        session.text(key) + "\n"
            + counts.sorted { $0.key < $1.key }.map { "  \($0.key): \($0.value)" }.joined(separator: "\n")
    }

    private func files(_ key: String, _ files: [ErasureAccount.File]) -> String {
        session.text(key) + "\n"
            + files.map { "  " + $0.path + ($0.time.map { "  " + $0 } ?? "") }.joined(separator: "\n")
    }
}
