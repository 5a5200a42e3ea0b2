import ArgumentParser
import Importing
import Model
import Pipeline
import Replica

/// `fichero edit`: corrects values of a record.
struct EditCommand: FicheroCommand {
    static let task = CommandTask.change
    static let configuration = CommandConfiguration(
        commandName: "edit",
        abstract: "Correct values of a record.",
        discussion: """
            A record is named by its code, a part by its record's code too (C-05/2), or by its id. A record that \
            the central database has confirmed may be corrected: it waits to go up and stays in its deliveries. \
            Before and after stand in the log; fichero undo takes the change back.

            Examples:
              fichero edit C-05 --set description="brown clay" --reason "looked again"
              fichero edit C-05/2 --project CSM-2025 --set sucs=SM
            """)

    @OptionGroup var options: CommonOptions
    @OptionGroup var change: ChangeOptions

    @Argument(
        help: ArgumentHelp("The record: code, code/part, or id.", valueName: "record"),
        completion: .names(of: .records))
    var record: String

    @Option(
        name: .long,
        help: ArgumentHelp("A value; an empty one takes the value away. May be repeated.", valueName: "field=value"),
        completion: .names(of: .values))
    var set: [String] = []

    @Option(
        name: .long, help: ArgumentHelp("The state that it moves to.", valueName: "state"),
        completion: .names(of: .states))
    var state: String?

    @Option(
        name: .long,
        help: ArgumentHelp("Another file for the row, in the place of the one that it has.", valueName: "file"))
    var file: String?

    func run() throws {
        let run = try ChangeRun(options, change, may: .edit)
        let (entity, id) = try run.record(record)
        var values = try set.map { try run.value($0, of: entity) }
        if let state { values.append(try run.state(state, of: entity)) }
        if let file {
            values += try AttachedFile(file, of: entity).keep(
                beside: run.session.replicaPath, isNew: false, isDryRun: change.dryRun)
        }
        guard !values.isEmpty else { throw ChangeStatementFailure.nothingStated() }
        let row = EnteredRows.Row(entity: entity.name, id: id, values: values)
        try options.show(run.perform("edit", [row], permission: .edit), of: run)
    }
}

/// Options of every command that changes records.
struct ChangeOptions: ParsableArguments {
    @Option(
        name: .long, help: ArgumentHelp("Only records of this project; a new record's project.", valueName: "code"),
        completion: .names(of: .projects))
    var project: String?

    @Option(
        name: .long,
        help: ArgumentHelp("Why; the log keeps it. A closed record is changed only with a reason.", valueName: "text"))
    var reason: String?

    @Flag(name: .long, help: "Do all but write.")
    var dryRun = false

    @Option(
        name: .long,
        help: ArgumentHelp(
            "New findings of the records from which the exit code is 1: error, warning or never.", valueName: "severity"
        ))
    var failOn: FailOn = .error

    @Option(name: .long, help: ArgumentHelp("Seconds to wait for another run.", valueName: "seconds"))
    var wait: Int = 60
}

extension ChangeRun {
    init(_ common: CommonOptions, _ options: ChangeOptions, may permission: Permission) throws {
        var terms = ChangeTerms()
        (terms.project, terms.reason, terms.isDryRun) = (options.project, options.reason, options.dryRun)
        (terms.failOn, terms.wait) = (options.failOn, options.wait)
        try self.init(.existing(common), terms, may: permission)
    }
}

extension CommonOptions {
    /// Shows a change, or the reasons why it was refused.
    func show(_ result: ChangeRun.Result, of run: ChangeRun) throws {
        output.show(result, text: ChangeText(run.session).text(result))
        if let refusal = result.refusal { throw refusal }
        if result.exitCode != .done { throw CommandExit(exitCode: result.exitCode) }
    }
}
