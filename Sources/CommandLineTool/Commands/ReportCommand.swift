import ArgumentParser
import Foundation
import Model
import Packs
import Pipeline
import Replica

/// `fichero report`: writes and registers the documents of a report, project by project.
struct ReportCommand: FicheroCommand {
    static let task = CommandTask.handOver
    static let configuration = CommandConfiguration(
        commandName: "report",
        abstract: "Write documents for people: PDF and Excel, from the pack's templates.",
        discussion: """
            One document for each project and format, or for one record with --record. The same selection over \
            unchanged data is recognised and not made twice, unless --again is given. `fichero describe` lists the \
            reports.

            Examples:
              fichero report ficha-calicata --project CHU-2025 --format pdf -o out
              fichero report ficha-calicata --record C-01 --preview -o /tmp
              fichero report ficha-calicata --record C-01 --watch --templates Templates -o /tmp
            """)

    @OptionGroup var options: CommonOptions
    @OptionGroup(title: "Selection") var selection: SelectionOptions

    @Argument(
        help: ArgumentHelp("The report, as `fichero describe` lists them.", valueName: "name"),
        completion: .names(of: .reports))
    var name: String

    @Option(
        name: .long, help: ArgumentHelp("Records, by the code that people know; may be repeated.", valueName: "code"),
        completion: .names(of: .records))
    var record: [String] = []

    @Option(
        name: .long,
        help: ArgumentHelp(
            "pdf, xlsx or zip; may be repeated or given with commas. All of the report's by default.",
            valueName: "format"))
    var format: [String] = []

    @OptionGroup var output: OutputOptions

    @Option(
        name: .long,
        help: ArgumentHelp(
            "The firm's look: a brand.yaml. The configuration's or the pack's by default.", valueName: "file"))
    var brand: String?

    @OptionGroup var findings: FindingOptions<Documents>

    @Flag(name: .long, help: "Render one record only, to look at a template: the file is not registered.")
    var preview = false

    @Flag(
        name: .long,
        help: "Preview, and render anew on every save of the pack's files or of the brand's, until a signal comes.")
    var watch = false

    @Flag(name: .long, help: "Do not judge the rows first.")
    var noValidation = false

    @OptionGroup var registering: RegisteringOptions<Documents>

    func validate() throws {
        guard watch else { return }
        if registering.draft || registering.again || registering.markExported {
            throw ValidationError(
                "--watch makes previews, which are never registered: leave out --draft, --again and --mark-exported.")
        }
        if options.asOf != nil {
            throw ValidationError("Each round of --watch has its own time; it does not go with --as-of.")
        }
    }

    func run() throws {
        let run = try ProductRun(options, to: .report, registering)
        if watch { try follow(run.session) }
        try render(run)
    }

    private func follow(_ first: WorkSession) throws -> Never {
        let language = first.language, brand = first.brandPath(option: brand)
        let folders = [
            first.templates.appendingPathComponent(first.pack.name),
            (first.coreTemplates ?? first.templates).appendingPathComponent("core"),
        ]
        let watching = ReportWatch {
            // A round with findings has shown them.
            do { try render(try ProductRun(options, to: .report, registering)) } catch is CommandExit {}
        } files: {
            TemplateFiles(folders, brand: brand)
        } tell: { failure in
            let text = FailureText(failure, texts: first.pack.texts, language: language)
            if options.json { StandardOutput.write(text.jsonLine + "\n") }
            StandardError.write(
                options.quiet
                    ? "fichero report: " + ErrorOutput.inOneLine(text.text) + "\n"
                    : text.text + "\n" + first.text("cli.report.watch") + "\n")
        } rest: {
            if let failure = StandardOutput.failure { throw failure }
            try Interruption.rest(.milliseconds(300))
        }
        try watching.run()
    }

    private func render(_ run: ProductRun<Documents>) throws {
        let session = run.session
        try session.ensureSound(.report, name)
        guard let definition = session.pack.report(name) else {
            throw SettingFailure.unknownDocument(name, known: session.pack.reports.map(\.name))
        }
        var selected = try selection.request(session)
        selected.filter = DocumentRequest.filter(definition, records: record, session, selected.filter)
        var files = FileRequest(
            name: name, formats: try ExportFormat.list(format, of: name, made: definition.formats),
            selection: try DeliveryConditions(definition, marks: registering.markExported).selection(selected, session),
            policy: findings.policy ?? definition.policy, outputDirectory: output.directory(session),
            pattern: output.outputName, line: output.line(selected, records: record))
        (files.validates, files.isPreview) = (!noValidation && !isPreview, isPreview)
        run.complete(&files, findings)
        let request = DocumentRequest(
            definition: definition, files: files, brand: try session.brand(option: brand), records: record)
        try run.perform(request, selection: selected, failOn: findings.failOn, isRound: watch)
    }

    private var isPreview: Bool { preview || watch }
}
