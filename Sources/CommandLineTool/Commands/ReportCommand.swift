import ArgumentParser
import Foundation
import Model
import Replica

/// `fichero report`: writes and registers the documents of a report, project by project.
struct ReportCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "report",
        abstract: "Write documents for people: PDF and Excel, from the pack's templates.",
        discussion: """
            One document for each project and format, or for one record with --record. The same selection over unchanged data is \
            recognised and not made twice, unless --again is given. `fichero describe` lists the reports.

            Examples:
              fichero report ficha-calicata --project CHU-2025 --format pdf -o out
              fichero report ficha-calicata --record C-01 --preview -o /tmp
            """)

    @OptionGroup var options: CommonOptions
    @OptionGroup(title: "Selection") var selection: SelectionOptions

    @Argument(help: ArgumentHelp("The report, as `fichero describe` lists them.", valueName: "name"))
    var name: String

    @Option(name: .long, help: ArgumentHelp("Records, by the code that people know; may be repeated.", valueName: "code"))
    var record: [String] = []

    @Option(name: .long, help: ArgumentHelp("pdf, xlsx or zip; may be repeated or given with commas. All of the report's by default.", valueName: "format"))
    var format: [String] = []

    @Option(name: [.short, .long], help: ArgumentHelp("Where the files go.", valueName: "dir"))
    var outputDir: String?

    @Option(name: .long, help: ArgumentHelp("Names of the files; placeholders {export} {project} {date} {year} {month} {version} {format}.", valueName: "pattern"))
    var outputName: String = ExportRequest.defaultPattern

    @Option(name: .long, help: ArgumentHelp("The firm's look: a brand.yaml. The configuration's or the pack's by default.", valueName: "file"))
    var brand: String?

    @Option(name: .long, help: ArgumentHelp("Records with errors: withhold-records, withhold-file or mark. The report's own by default.", valueName: "policy"))
    var policy: FindingsPolicy?

    @Option(name: .long, help: ArgumentHelp("Findings from which the exit code is 1: error, warning or never.", valueName: "severity"))
    var failOn: FailOn = .never

    @Option(name: .long, help: ArgumentHelp("Make no file when there are more findings of severity error.", valueName: "n"))
    var maxErrors: Int?

    @Flag(name: .long, help: "Render one record only, to look at a template: the file is not registered.")
    var preview = false

    @Flag(name: .long, help: "Do not judge the rows first.")
    var noValidation = false

    @Flag(name: .long, help: "Make and register the files anew although nothing has changed.")
    var again = false

    @Flag(name: .long, help: "Move approved records that stand in a registered document to the exported state.")
    var markExported = false

    @Option(name: .long, help: ArgumentHelp("Seconds to wait for another run.", valueName: "seconds"))
    var wait: Int = 60

    func run() throws {
        let session = try CommandSession.existing(options)
        let replica = try session.openReplica()
        let actor = try session.actor(in: replica, to: .report)
        if markExported { try actor.ensure(may: .mark) }
        guard let definition = session.pack.report(name) else {
            throw SettingFailure.unknownDocument(name, known: session.pack.reports.map(\.name))
        }
        var selected = try selection.request(session)
        selected.filter = DocumentRequest.filter(definition, records: record, session, selected.filter)
        let request = DocumentRequest(
            definition: definition, formats: try ExportFormat.list(format, of: name, offered: definition.formats), selection: selected,
            policy: policy ?? definition.policy, again: again, markExported: markExported, validates: !noValidation && !preview,
            isPreview: preview, brand: try session.brand(option: brand), outputDirectory: outputDir ?? session.configuration.output ?? ".",
            pattern: outputName, maximumErrors: maxErrors, step: 0)
        let context = session.context(actor)
        let outcome = try RunScope.perform(
            session, replica, context, command: "report " + name, waitSeconds: wait, selection: ResultOutput.json(request.selection)
        ) { scope in
            let outcome = try DocumentPipeline(scope: scope, request: request).run()
            return (outcome, FindingThresholds(failOn: failOn).exitCode(for: outcome.open), ResultOutput.json(outcome.summary))
        }
        session.output.show(outcome, text: ExportText(session).text(outcome))
        let exitCode = FindingThresholds(failOn: failOn).exitCode(for: outcome.open)
        if exitCode != .done { throw CommandExit(exitCode: exitCode) }
    }
}
