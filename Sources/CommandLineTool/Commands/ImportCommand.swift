import ArgumentParser
import Foundation
import Importing
import Model
import Pipeline
import Replica

/// `fichero import`: imports files, each as a whole or not at all.
struct ImportCommand: FicheroCommand {
    static let task = CommandTask.bringIn
    static let configuration = CommandConfiguration(
        commandName: "import",
        abstract: "Bring files in: survey packages, JSON, tables of other programs, folders of the app, floor plans.",
        discussion: """
            What a file is, is found from its content. Rows are staged in batches and applied in one transaction: \
            after a kill the same command goes on where it stopped. Rows that cannot be stored are kept in the \
            quarantine; a second import of the same file changes nothing. To take one back: fichero undo. A floor \
            plan (DXF) goes to the project that --project names; rooms that break a rule go to the quarantine, and \
            the findings say what to correct and where.

            Examples:
              fichero import Samples/ingeplus/survey
              fichero import survey.zip
              fichero import plan.dxf --project "Scuola Pascoli" --dry-run
              fichero import --suggest registro.xlsx -o registro.yaml
              fichero import registro.xlsx --mapping ./registro.yaml --project CSM-2025
              fichero import registro.csv --option year=2019
            """)

    @OptionGroup var options: CommonOptions

    @OptionGroup var limits: LimitOptions

    @Argument(
        help: ArgumentHelp("Files, packages (folder or ZIP), folders of the app, floor plans.", valueName: "file"))
    var files: [String] = []

    @OptionGroup var meaning: MeaningOptions

    @OptionGroup var given: GivenOptions

    @OptionGroup var suggesting: SuggestOptions

    @OptionGroup var reading: TextOptions

    @Option(
        name: .long,
        help: ArgumentHelp(
            """
            The project that a floor plan belongs to, or rows of files that do not say it, by the code that people \
            know.
            """,
            valueName: "code"),
        completion: .names(of: .projects))
    var project: String?

    @Option(
        name: .long,
        help: ArgumentHelp(
            "A table (CSV, XLSX) with the columns entity, new, existing: which new types are known ones, or keep.",
            valueName: "file"))
    var decisions: String?

    @Option(name: .long, help: ImportPolicy.help)
    var policy: ImportPolicy = .conflict

    @Flag(name: .long, help: "Become a member of the projects that come in new: only their members see them.")
    var join = false

    @Flag(name: .long, help: "Do all but write.")
    var dryRun = false

    @Flag(name: .long, help: "With --dry-run: say of each record what would happen to it.")
    var records = false

    @Option(
        name: .long,
        help: ArgumentHelp("Why closed records are changed all the same, with --policy update.", valueName: "text"))
    var reason: String?

    @Option(name: .long, help: ArgumentHelp("Write nothing when more rows cannot go in.", valueName: "n"))
    var maxErrors: Int?

    @Option(
        name: .long,
        help: ArgumentHelp(
            """
            Write the account of the import, with sums of the source and of the replica: .xlsx or .html; may be \
            repeated.
            """,
            valueName: "file"))
    var report: [String] = []

    @Option(
        name: .long,
        help: ArgumentHelp("Findings from which the exit code is 1: error, warning or never.", valueName: "severity"))
    var failOn: FailOn = .error

    @Option(name: .long, help: ArgumentHelp("Seconds to wait for another run.", valueName: "seconds"))
    var wait: Int = 60

    func validate() throws {
        try suggesting.validate(files: files)
        if suggesting.suggest, !given.pairs.isEmpty {
            throw ValidationError("--option goes with an import, not with --suggest.")
        }
    }

    func run() throws {
        if suggesting.suggest { return try suggesting.run(options, files[0], limits: limits.values, reading: reading) }
        let session = try WorkSession.existing(options, limits: limits.values)
        let replica = try session.openReplica(waiting: wait)
        let actor = try session.actor(in: replica, to: .import)
        try ensureSense(session)
        let accounts = try ImportAccountFiles.requests(report, sparing: session.replicaFiles)
        let work = Work(
            session: session, replica: replica, context: session.context(actor), accounts: accounts,
            telling: records ? ImportRecordOutput(session, options.output) : nil)
        let results: [ImportResult]
        do {
            results = try importFiles(work)
        } catch let partial as PartialImport {
            // Imported files stay imported, and are reported before the failure.
            if !options.json, !options.quiet { StandardOutput.write(text(partial.results, session) + "\n") }
            try writeAccounts(partial.results, work)
            throw partial
        }
        // The result is shown before an account file is written, because writing may fail.
        if let telling = work.telling {
            telling.finish(results, text: text(results, session))
        } else {
            options.output.show(results, text: text(results, session))
        }
        try writeAccounts(results, work)
        let exitCode = self.exitCode(for: results)
        if exitCode != .done { throw CommandExit(exitCode: exitCode) }
    }

    /// What the steps of one import share.
    private struct Work {
        let session: WorkSession
        let replica: Replica
        let context: RunContext
        /// The account files.
        let accounts: [FindingDocumentRequest]
        /// Tells what happens to each record; nil if that is not asked for.
        let telling: ImportRecordOutput?
    }

    /// Throws if the files and options make no sense together, before the run begins.
    private func ensureSense(_ session: WorkSession) throws {
        guard !files.isEmpty else { throw SettingFailure.nothingToImport }
        guard !records || dryRun else { throw SettingFailure.recordsWithoutDryRun }
        if let entity = meaning.entity,
            !session.pack.entities.contains(where: { $0.name == entity || $0.aliases.contains(entity) })
        {
            throw ImportFailure.unknownEntity(
                path: files[0], name: entity, known: session.pack.entities.filter { !$0.isCore }.map(\.name))
        }
    }

    private func importFiles(_ work: Work) throws -> [ImportResult] {
        try RunScope.perform(
            work.session, work.replica, work.context, command: "import", waitSeconds: wait
        ) { scope in
            try planAccounts(work)
            let run = try importRun(in: scope, work)
            var round = ImportRound(run: run, files: files, entity: meaning.entity, mapping: meaning.mapping)
            let results = try round.importFiles()
            return (results, exitCode(for: results), JSONString.document(results.map(\.report)))
        }
    }

    /// The report files are written at the end of the run. If the run is killed, the journal shows
    /// which of them are incomplete.
    private func planAccounts(_ work: Work) throws {
        let planned = work.accounts.map {
            RunOutput(temporaryPath: "", finalPath: URL(fileURLWithPath: $0.path).path)
        }
        if !planned.isEmpty { try work.replica.plan(planned, run: work.context.id) }
    }

    /// The import as the options of the command describe it.
    private func importRun(in scope: RunScope, _ work: Work) throws -> ImportRun {
        let session = work.session
        var run = ImportRun(scope: scope, policy: policy, isDryRun: dryRun)
        (run.maximumErrors, run.reason, run.records) = (maxErrors, reason, work.telling.map { $0.report })
        run.answer = suggesting.output
        run.wantsSums = !work.accounts.isEmpty
        run.joins = join
        run.reading = reading.table(session.limits)
        run.given = try given.values()
        run.options = try SourceArguments.options(
            session, work.context.actor, work.replica, files: files, project: project)
        if let project, let id = run.options.projectID { run.project = (id, project) }
        run.decisions = try decisions.map { try Decisions(path: $0, pack: session.pack) } ?? Decisions()
        return run
    }

    private func writeAccounts(_ results: [ImportResult], _ work: Work) throws {
        try ImportAccountFiles(work.session).write(results, to: work.accounts)
        if !work.accounts.isEmpty { try work.replica.forgetOpenOutputs(ofRun: work.context.id) }
    }

    /// A refused file gives exit code 65, whatever `--fail-on` is.
    private func exitCode(for results: [ImportResult]) -> Model.ExitCode {
        results.contains { $0.refused == true }
            ? .badInput : failOn.exitCode(for: results.flatMap(\.findings).map(\.severity).max())
    }

    private func text(_ results: [ImportResult], _ session: WorkSession) -> String {
        let text = ImportText(session)
        return (results.map { text.text($0) } + [text.ledger(results)].compactMap(\.self)).joined(separator: "\n\n")
    }
}

extension ImportPolicy: ExpressibleByArgument {
    static let help = ArgumentHelp(
        "A record that is there already and differs: conflict, skip or update; update-only brings in nothing new.",
        valueName: "policy")
}

/// The user's information about files to be imported or checked, beyond the files' content.
enum SourceArguments {
    /// Options for reading the files. A drawing is imported into the given project, or into the
    /// actor's only one.
    static func options(
        _ session: WorkSession, _ actor: Actor, _ replica: Replica, files: [String], project: String?
    ) throws -> SourceOptions {
        var options = SourceOptions(limits: session.limits.packages)
        options.folders = [session.pack.plans?.folder].compactMap(\.self)
        // Listing an actor's projects reads every table, so it is only done if a project is given
        // or a drawing needs one.
        let isAsked = try project != nil || files.contains { DXFFormat.recognises(try SourceLocation(path: $0)) }
        guard isAsked else { return options }
        let projects = try session.projectIDs(of: actor, project, replica)
        options.projectID = projects.count == 1 ? projects.first : nil
        return options
    }
}
