import ArgumentParser
import Foundation
import Model
import Packs
import Pipeline
import Replica

/// `fichero export`: writes and registers the data files of an export, project by project.
struct ExportCommand: FicheroCommand {
    static let task = CommandTask.handOver
    static let configuration = CommandConfiguration(
        commandName: "export",
        abstract: "Write data files: select, validate, write, register.",
        discussion: """
            One set of files for each project. The same selection over unchanged data is recognised and not made \
            twice, unless --again is given. Records with errors are withheld by default, counted, and listed with \
            the reason.

            Example: fichero export calicatas --project CHU-2025 --format xlsx --format csv -o out
            """)

    @OptionGroup var options: CommonOptions
    @OptionGroup(title: "Selection") var selection: SelectionOptions

    private static let formats = ExportFormat.allCases.filter { $0.isOfSheets || $0 == .zip }.map(\.rawValue).joined(
        separator: ", ")

    @Argument(help: ArgumentHelp("The export, as `fichero describe` lists them.", valueName: "name"))
    var name: String

    @Option(
        name: .long,
        help: ArgumentHelp(
            """
            \(ExportCommand.formats); may be repeated or given with commas. Those that the export is made in by \
            default.
            """,
            valueName: "format"))
    var format: [String] = []

    @OptionGroup var output: OutputOptions

    private static let dialects = CSVDialect.allCases.map(\.rawValue).joined(separator: ", ")

    @Option(
        name: .long,
        help: "How CSV is written: \(ExportCommand.dialects). By default as the office's country and the language ask.")
    var dialect: CSVDialect?

    @Flag(name: .long, help: "Put the CSV files into one ZIP.")
    var zip = false

    @OptionGroup var findings: FindingOptions<DataFiles>

    @Flag(name: .long, help: "Do not judge the rows: for timing writers.")
    var noValidation = false

    @OptionGroup var registering: RegisteringOptions<DataFiles>

    func run() throws {
        let run = try ProductRun(options, to: .export, registering)
        let session = run.session
        try session.ensureSound(.export, name)
        guard let definition = session.pack.export(name) else {
            throw SettingFailure.unknownExport(name, known: session.pack.exports.map(\.name))
        }
        let selected = try selection.request(session)
        var files = FileRequest(
            name: name,
            formats: try ExportFormat.list(format, of: name, made: definition.formats, onRequest: definition.onRequest),
            selection: try DeliveryConditions(definition, marks: registering.markExported).selection(selected, session),
            policy: findings.policy ?? definition.policy, outputDirectory: output.directory(session),
            pattern: output.outputName, line: output.line(selected))
        files.validates = !noValidation
        run.complete(&files, findings)
        try run.perform(
            ExportRequest(definition: definition, files: files, dialect: dialect ?? session.dialect, zipped: zip),
            selection: files.selection, failOn: findings.failOn)
    }
}

extension ExportFormat {
    /// The requested formats, separated by commas or repeated, each of which the export must
    /// support; its default formats if none is requested.
    static func list(_ stated: [String], of export: String, made: [ExportFormat], onRequest: [ExportFormat] = []) throws
        -> [ExportFormat]
    {
        let names = stated.flatMap { $0.split(separator: ",").map(String.init) }
        guard !names.isEmpty else { return made }
        let offered = made + onRequest
        let wanted = try names.map { name in
            guard let format = ExportFormat(rawValue: name), offered.contains(format) else {
                throw SettingFailure.unknownFormat(name, export: export, known: offered.map(\.rawValue))
            }
            return format
        }
        return ExportFormat.allCases.filter(wanted.contains)
    }
}
