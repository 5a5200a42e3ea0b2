import ArgumentParser
import Foundation
import Model
import Replica

/// `fichero export`: writes and registers the data files of an export, project by project.
struct ExportCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "export",
        abstract: "Write data files: select, validate, write, register.",
        discussion: """
            One set of files for each project. The same selection over unchanged data is recognised and not made twice, unless \
            --again is given. Records with errors are withheld by default, counted, and listed with the reason.

            Example: fichero export calicatas --project CHU-2025 --format xlsx --format csv -o out
            """)

    @OptionGroup var options: CommonOptions
    @OptionGroup(title: "Selection") var selection: SelectionOptions

    @Argument(help: ArgumentHelp("The export, as `fichero describe` lists them.", valueName: "name"))
    var name: String

    @Option(name: .long, help: ArgumentHelp("xlsx, csv, xml or zip; may be repeated or given with commas. All of the export's by default.", valueName: "format"))
    var format: [String] = []

    @Option(name: [.short, .long], help: ArgumentHelp("Where the files go.", valueName: "dir"))
    var outputDir: String?

    @Option(name: .long, help: ArgumentHelp("Names of the files; placeholders {export} {project} {date} {year} {month} {version} {format}.", valueName: "pattern"))
    var outputName: String = ExportRequest.defaultPattern

    @Option(name: .long, help: ArgumentHelp("How CSV is written: standard, excel-es, excel-it.", valueName: "dialect"))
    var dialect: CSVDialect = .standard

    @Flag(name: .long, help: "Put the CSV files into one ZIP.")
    var zip = false

    @Option(name: .long, help: ArgumentHelp("Records with errors: withhold-records, withhold-file or mark. The export's own by default.", valueName: "policy"))
    var policy: FindingsPolicy?

    @Option(name: .long, help: ArgumentHelp("Findings from which the exit code is 1: error, warning or never.", valueName: "severity"))
    var failOn: FailOn = .error

    @Option(name: .long, help: ArgumentHelp("Make no file when there are more findings of severity error.", valueName: "n"))
    var maxErrors: Int?

    @Flag(name: .long, help: "Do not judge the rows: for timing writers.")
    var noValidation = false

    @Flag(name: .long, help: "Make and register the files anew although nothing has changed.")
    var again = false

    @Flag(name: .long, help: "Move approved records that stand in a registered workbook to the exported state.")
    var markExported = false

    @Option(name: .long, help: ArgumentHelp("Seconds to wait for another run.", valueName: "seconds"))
    var wait: Int = 60

    func run() throws {
        let session = try CommandSession.existing(options)
        let replica = try session.openReplica()
        let actor = try session.actor(in: replica, to: .export)
        if markExported { try actor.ensure(may: .mark) }
        guard let definition = session.pack.export(name) else {
            throw SettingFailure.unknownExport(name, known: session.pack.exports.map(\.name))
        }
        let request = ExportRequest(
            definition: definition, formats: try ExportFormat.list(format, of: name, offered: definition.formats), dialect: dialect, zipped: zip,
            selection: try selection.request(session), policy: policy ?? definition.policy, again: again, markExported: markExported,
            validates: !noValidation, outputDirectory: outputDir ?? session.configuration.output ?? ".", pattern: outputName,
            maximumErrors: maxErrors, step: 0)
        let context = session.context(actor)
        let outcome = try RunScope.perform(
            session, replica, context, command: "export " + name, waitSeconds: wait, selection: ResultOutput.json(request.selection)
        ) { scope in
            let outcome = try ExportPipeline(scope: scope, request: request).run()
            return (outcome, FindingThresholds(failOn: failOn).exitCode(for: outcome.open), ResultOutput.json(outcome.summary))
        }
        session.output.show(outcome, text: ExportText(session).text(outcome))
        let exitCode = FindingThresholds(failOn: failOn).exitCode(for: outcome.open)
        if exitCode != .done { throw CommandExit(exitCode: exitCode) }
    }
}

extension ExportFormat {
    /// Formats as given, with commas or repeated, each one that the export is made in; all of them when none is given.
    static func list(_ stated: [String], of export: String, offered: [ExportFormat]) throws -> [ExportFormat] {
        let names = stated.flatMap { $0.split(separator: ",").map(String.init) }
        guard !names.isEmpty else { return offered }
        let wanted = try names.map { name in
            guard let format = ExportFormat(rawValue: name), offered.contains(format) else {
                throw SettingFailure.unknownFormat(name, export: export, known: offered.map(\.rawValue))
            }
            return format
        }
        return ExportFormat.allCases.filter(wanted.contains)
    }
}

extension FailOn {
    func exitCode(for worst: Severity?) -> Model.ExitCode {
        guard let worst else { return .done }
        switch self {
        case .never: return .done
        case .warning: return worst >= .warning ? .findings : .done
        case .error: return worst >= .error ? .findings : .done
        }
    }
}
