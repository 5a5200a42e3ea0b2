import ArgumentParser
import Foundation
import Importing
import Model
import Pipeline
import Replica

/// `fichero add`: makes a new record, or a part of one.
struct AddCommand: FicheroCommand {
    static let task = CommandTask.change
    static let configuration = CommandConfiguration(
        commandName: "add",
        abstract: "Make a new record, or a part of one.",
        discussion: """
            A record belongs to the project that --project names, a part to the record that --in names. It begins \
            in the state in which records begin, and waits to go up. `fichero describe` names the tables and their \
            fields.

            Examples:
              fichero add TABLE --project CSM-2025 --set code=C-31 --set description="left lane"
              fichero add PART --in C-31 --set description="brown clay"
              fichero add document_nodes --project CSM-2025 --file plan.pdf --set type=file
            """)

    @OptionGroup var options: CommonOptions
    @OptionGroup var change: ChangeOptions

    @Argument(
        help: ArgumentHelp("The table.", valueName: "table"),
        completion: .names(of: .entities))
    var entity: String

    @Option(
        name: .customLong("in"),
        help: ArgumentHelp("The record that it is a part of: code or id.", valueName: "record"),
        completion: .names(of: .records))
    var owner: String?

    @Option(
        name: .long, help: ArgumentHelp("A value. May be repeated.", valueName: "field=value"),
        completion: .names(of: .values))
    var set: [String] = []

    @Option(
        name: .long,
        help: ArgumentHelp(
            "The file that the row stands for, such as a photo or a document. It is kept beside the replica.",
            valueName: "file"))
    var file: String?

    func run() throws {
        let run = try ChangeRun(options, change, may: .edit)
        // Administrators may also add files that every user receives.
        let known = run.session.pack.entities.filter {
            $0.writer == .people || ($0.writer == .administrators && $0.fileFolder != nil)
        }
        guard let entity = known.first(where: { $0.name == entity || $0.aliases.contains(entity) }) else {
            throw ChangeStatementFailure.unknownEntity(entity, known: known.map(\.name))
        }
        var row = EnteredRows.Row(
            entity: entity.name, id: UUIDv7.make(at: Date()), values: try set.map { try run.value($0, of: entity) })
        if let path = entity.projectPath?.parts.first, path != "id", let target = entity.field(path)?.references,
            !row.values.contains(where: { $0.field == path })
        {
            row.give(path, try ownerID(target, of: entity, run), of: entity)
        }
        row.begin(as: entity, by: run.actor, at: run.session.asOf)
        if let file {
            for (field, value) in try AttachedFile(file, of: entity).keep(
                beside: run.session.replicaPath, isNew: true, isDryRun: change.dryRun)
            { row.give(field, value, of: entity) }
        }
        let permission = entity.writer == .administrators ? Permission.administer : .edit
        try options.show(run.perform("add", [row], permission: permission), of: run)
    }

    private func ownerID(_ target: String, of entity: Entity, _ run: ChangeRun) throws -> String? {
        if target == run.session.pack.project.entity {
            guard change.project != nil || run.projects.count == 1 else {
                throw try run.projectNeeded()
            }
            return run.projects[0]
        }
        guard let owner else { throw ChangeStatementFailure.noOwner(entity: entity.name, owner: "--in") }
        let found = try run.record(owner)
        guard found.entity.name == target else {
            throw ChangeStatementFailure.noOwner(entity: entity.name, owner: "--in (\(target))")
        }
        return found.id
    }
}

/// The kind of output of a command; supplies the words of the help that differ between `export` and
/// `report`.
protocol Product: Sendable {
    /// `export`, as in “the export's own policy”.
    static var word: String { get }
    /// Word for the kind of file that contains the records, such as `workbook`.
    static var file: String { get }
    /// The lowest severity of findings for exit code 1, unless the command line sets another.
    static var failOn: FailOn { get }
}

/// Data files; errors in their rows give exit code 1.
enum DataFiles: Product {
    static let word = "export"
    static let file = "workbook"
    static let failOn = FailOn.error
}

/// Reports to be read, in which findings are marked.
enum Documents: Product {
    static let word = "report"
    static let file = "document"
    static let failOn = FailOn.never
}

/// The options for the folder and the names of the files.
struct OutputOptions: ParsableArguments {
    @Option(name: [.short, .long], help: ArgumentHelp("Where the files go.", valueName: "dir"))
    var outputDir: String?

    @Option(
        name: .long,
        help: ArgumentHelp(
            """
            Names of the files; placeholders {export} {line} {project} {date} {year} {month} {period} {version} \
            {format}.
            """,
            valueName: "pattern"))
    var outputName: String = FileRequest.defaultPattern

    @Option(
        name: .customLong("line"),
        help: ArgumentHelp(
            """
            The line that the files are the next version of, whatever they select. By default what is selected is a \
            line.
            """,
            valueName: "name"))
    var lineName: String?

    func line(_ selection: SelectionRequest, records: [String] = []) -> DeliveryLine {
        lineName.map { .named($0) } ?? .selection(selection, records: records)
    }

    func directory(_ session: WorkSession) -> String { outputDir ?? session.outputFolder ?? "." }
}

/// The options for the effect of findings on the files and on the exit code.
struct FindingOptions<Of: Product>: ParsableArguments {
    @Option(
        name: .long,
        help: ArgumentHelp(
            "Records with errors: withhold-records, withhold-file or mark. The \(Of.word)'s own by default.",
            valueName: "policy"))
    var policy: FindingsPolicy?

    @Option(
        name: .long,
        help: ArgumentHelp("Findings from which the exit code is 1: error, warning or never.", valueName: "severity"))
    var failOn: FailOn = Of.failOn

    @Option(
        name: .long, help: ArgumentHelp("Make no file when there are more findings of severity error.", valueName: "n"))
    var maxErrors: Int?
}

/// The options for files that are already registered, for the records that are handed over, and for
/// other runs.
struct RegisteringOptions<Of: Product>: ParsableArguments {
    @Flag(name: .long, help: "Make and register the files anew although nothing has changed.")
    var again = false

    @Flag(
        name: .long,
        help:
            "Hand over: approved records only, moved to the exported state once they stand in a registered \(Of.file).")
    var markExported = false

    @Flag(name: .long, help: "Write files that say that they are drafts, register and mark nothing.")
    var draft = false

    @Flag(name: .long, help: "Make the files although no record is selected.")
    var allowEmpty = false

    @Option(name: .long, help: ArgumentHelp("Seconds to wait for another run.", valueName: "seconds"))
    var wait: Int = 60

    func validate() throws {
        if draft && markExported { throw ValidationError("--draft registers nothing: leave out --mark-exported.") }
    }
}

/// A run of `export` or `report`, from the permission check to the exit code.
struct ProductRun<Of: Product> {
    let session: WorkSession
    private let options: CommonOptions
    private let replica: Replica
    private let actor: Actor
    private let registering: RegisteringOptions<Of>

    init(_ options: CommonOptions, to permission: Permission, _ registering: RegisteringOptions<Of>) throws {
        session = try WorkSession.existing(options)
        replica = try session.openReplica(waiting: registering.wait)
        actor = try session.actor(in: replica, to: permission)
        if registering.markExported { try actor.ensure(may: .mark) }
        (self.options, self.registering) = (options, registering)
    }

    /// The export as a form that the actor can correct.
    func corrections(of definition: ExportDefinition) -> CorrectionForm {
        CorrectionForm(definition, for: actor, in: session)
    }

    /// Sets what the options say about registered files and findings.
    func complete(_ files: inout FileRequest, _ findings: FindingOptions<Of>) {
        (files.again, files.markExported) = (registering.again, registering.markExported)
        // Drafts, which are not registered, have another name.
        files.draftName = registering.draft ? session.text("word.draft_file") : nil
        (files.allowsEmpty, files.maximumErrors) = (registering.allowEmpty, findings.maxErrors)
    }

    /// Makes the files and reports them. Throws the exit code that the open findings require.
    /// - Parameters:
    ///   - selection: the selection for the run's journal entry.
    ///   - isRound: whether this is one of several rounds (`--watch`); JSON is then written on one
    ///     line.
    func perform(_ request: any ProductRequest, selection: SelectionRequest, failOn: FailOn, isRound: Bool = false)
        throws
    {
        let name = request.files.name
        func exitCode(_ outcome: ExportOutcome) -> Model.ExitCode {
            outcome.isEmpty ? .noInput : FindingThresholds(failOn: failOn).exitCode(for: outcome.open)
        }
        let outcome = try RunScope.perform(
            session, replica, session.context(actor), command: Of.word + " " + name, waitSeconds: registering.wait,
            selection: JSONString.document(selection)
        ) { scope in
            let outcome = try FilePipeline(scope: scope, request: request).run()
            return (outcome, exitCode(outcome), JSONString.document(outcome.summary))
        }
        if isRound, options.output.isJSON {
            StandardOutput.write(JSONString.line(outcome) + "\n")
        } else {
            options.output.show(outcome, text: ExportText(session).text(outcome))
        }
        // JSON output is always one document, which itself shows that nothing was selected.
        if outcome.isEmpty, !options.output.isJSON { throw SelectionFailure.nothingSelected(name) }
        if exitCode(outcome) != .done { throw CommandExit(exitCode: exitCode(outcome)) }
    }
}
