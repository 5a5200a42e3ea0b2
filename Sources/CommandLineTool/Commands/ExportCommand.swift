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

    @Argument(
        help: ArgumentHelp("The export, as `fichero describe` lists them.", valueName: "name"),
        completion: .names(of: .exports))
    var name: String

    @Option(
        name: .long,
        help: ArgumentHelp(
            """
            As `fichero describe` lists them; may be repeated or given with commas. Those that the export is \
            made in by default.
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

    @Flag(
        name: .long,
        help: """
            A workbook to correct and to bring back with import: also records with errors, what may not be changed is \
            marked.
            """)
    var editable = false

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
        var selected = try selection.request(session)
        let line = output.line(selected)
        // What waits to go up is corrected as well as what went up.
        if editable, selected.syncStates == nil {
            selected.syncStates = SyncState.allCases.filter { $0 != .conflict && $0 != .error }
        }
        var files = FileRequest(
            name: name, formats: try chosenFormats(of: definition),
            selection: try DeliveryConditions(definition, marks: registering.markExported).selection(selected, session),
            policy: findings.policy ?? (editable ? .mark : definition.policy),
            outputDirectory: output.directory(session), pattern: output.outputName,
            line: editable ? .corrections(line, label: session.text("word.corrections_file")) : line)
        files.validates = !noValidation
        run.complete(&files, findings)
        try run.perform(
            ExportRequest(
                definition: definition, files: files, dialect: dialect ?? session.dialect, zipped: zip,
                corrections: editable ? run.corrections(of: definition) : nil),
            selection: files.selection, failOn: findings.failOn)
    }

    func validate() throws {
        if editable, !format.allSatisfy({ $0 == ExportFormat.xlsx.rawValue }) || zip || registering.markExported {
            throw ValidationError("--editable makes one workbook: leave out --format, --zip and --mark-exported.")
        }
    }

    private func chosenFormats(of definition: ExportDefinition) throws -> [ExportFormat] {
        guard editable else {
            return try ExportFormat.list(format, of: name, made: definition.formats, onRequest: definition.onRequest)
        }
        guard definition.offered.contains(.xlsx), definition.bundle == nil, CorrectionForm.comesBack(definition) else {
            throw SettingFailure.notEditable(name)
        }
        return [.xlsx]
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
