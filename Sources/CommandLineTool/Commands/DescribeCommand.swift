import ArgumentParser
import Exporting
import FindingDocuments
import Foundation
import Importing
import Model
import Packs
import Pipeline
import Replica
import ServerSchema

/// `fichero describe`: the content of a pack, as text, JSON or Markdown; the pack format; an
/// export's XSD or query; the SQL that prepares a server; the content of an external file.
struct DescribeCommand: FicheroCommand {
    static let task = CommandTask.look
    static let configuration = CommandConfiguration(
        commandName: "describe",
        abstract: "Packs, entities, exports, jobs; the pack format; an XSD; an export's query; the tables of a file.",
        discussion: """
            Examples:
              fichero describe ingeplus --form markdown
              fichero describe --pack-format
              fichero describe ingeplus --findings
              fichero describe ingeplus --xsd
              fichero describe ingeplus --query cortes
              fichero describe ingeplus --sql postgres
              fichero describe calicatas.xlsx
              fichero describe calicatas.xlsx --cells
              fichero describe --limits
            """)

    enum Form: String, ExpressibleByArgument, CaseIterable {
        case text, json, markdown
    }

    @OptionGroup var options: CommonOptions

    @Argument(
        help: ArgumentHelp(
            """
            The pack, by default the replica's; a file whose tables and forms are shown; or a mapping (.yaml), which \
            is checked.
            """,
            valueName: "pack-or-file"))
    var pack: String?

    @Option(name: .long, help: ArgumentHelp("text, json or markdown.", valueName: "form"))
    var form: Form = .text

    @Flag(name: .long, help: "Print the pack format as a JSON Schema.")
    var packFormat = false

    @Flag(
        name: .long,
        help: "List every code of findings with severity, meaning, message and remedy; with --json in every language.")
    var findings = false

    @Flag(name: .long, help: "Print the JSON of findings as a JSON Schema.")
    var findingsFormat = false

    @Flag(name: .long, help: "Print the XSD that every XML export of the pack follows.")
    var xsd = false

    @Option(
        name: .long,
        help: ArgumentHelp(
            "Print the query behind an export's widest sheet, over the plain tables.", valueName: "export"))
    var query: String?

    enum Server: String, ExpressibleByArgument, CaseIterable {
        case postgres
    }

    @Option(
        name: .long,
        help: ArgumentHelp(
            "Print the SQL that prepares a server to be the pack's central database: postgres.", valueName: "server"))
    var sql: Server?

    @Argument(help: ArgumentHelp("With --cells, more files.", valueName: "file"))
    var others: [String] = []

    @Flag(
        name: .long,
        help: "Print every cell of a file's tables, as a line of JSON for each table and for each of its rows.")
    var cells = false

    @OptionGroup var reading: TextOptions

    @OptionGroup var limit: LimitOptions

    @Flag(name: .long, help: "List the bounds on what a file may make this machine do, with their values.")
    var limits = false

    func validate() throws {
        if cells, pack == nil { throw ValidationError("--cells needs a file.") }
        if !cells, let other = others.first { throw ValidationError("Only --cells takes several files: \(other).") }
    }

    func run() throws {
        if cells {
            var lines = CellLines()
            for path in [pack].compactMap(\.self) + others {
                try lines.write(path, options: reading.table(readingLimits()))
            }
            return
        }
        if limits {
            try describeLimits()
            return
        }
        if let path = pack, path.hasSuffix(".yaml") || path.hasSuffix(".yml") {
            try describeMapping(path)
            return
        }
        if let path = pack, isFile(path) {
            try describeFile(path)
            return
        }
        if packFormat {
            StandardOutput.write(PackFormat.jsonSchema() + "\n")
            return
        }
        if findingsFormat {
            StandardOutput.write(FindingSchema.text)
            return
        }
        let session = try WorkSession.new(options, packName: pack)
        if findings {
            let description = FindingDescription(session.pack, language: session.language)
            StandardOutput.write(options.json || form == .json ? description.json() : description.markdown())
        } else if xsd {
            StandardOutput.write(XMLSchema.text(for: session.pack, language: session.language))
        } else if sql == .postgres {
            StandardOutput.write(ServerSchema(session.pack).sql)
        } else if let query {
            guard let definition = session.pack.export(query) else {
                throw SettingFailure.unknownExport(query, known: session.pack.exports.map(\.name))
            }
            StandardOutput.write(try session.plainQuery(of: definition) + "\n")
        } else {
            let description = PackDescription(session.pack, language: session.language)
            switch options.json ? .json : form {
            case .text: StandardOutput.write(description.text())
            case .json: StandardOutput.write(description.json())
            case .markdown: StandardOutput.write(description.markdown())
            }
        }
    }

    /// Whether an argument is a path of a file, or of a folder of tables. A word that is the name
    /// of both a pack and a folder means the pack.
    private func isFile(_ path: String) -> Bool {
        guard !path.contains("/") else { return true }
        var isDirectory: ObjCBool = false
        guard unsafe FileManager.default.fileExists(atPath: path, isDirectory: &isDirectory) else {
            return path.contains(".")
        }
        return !isDirectory.boolValue || !isPack(path)
    }

    private func isPack(_ name: String) -> Bool {
        let variables = ProcessInfo.processInfo.environment
        let configuration = try? Configuration.load(option: options.config, environment: variables)
        let locator = TemplatesLocator(
            option: options.templates, environment: variables, configured: configuration?.templates)
        return (try? locator.locate()).map { PackLoader.names(in: $0).contains(name) } ?? true
    }

    private func readingLimits() throws -> TableLimits {
        try limit.applied(
            to: Configuration.load(option: options.config, environment: ProcessInfo.processInfo.environment).limits)
    }

    private func describeLimits() throws {
        let description = LimitDescription(try readingLimits())
        if options.json || form == .json {
            StandardOutput.write(JSONString.document(description.bounds) + "\n")
        } else {
            let words = EarlyWords(EarlySetting(CommandLine.arguments))
            StandardOutput.write(description.text(words.texts, words.language, isMarkdown: form == .markdown))
        }
    }

    private struct MappingDescription: Encodable {
        var file: String, name: String, title: String, accepts: [String], sha256: String, entities: [String],
            options: [String]
    }

    /// Describes a mapping in a separate file, checked against the replica's pack.
    private func describeMapping(_ path: String) throws {
        let session = try WorkSession.existing(options)
        guard let mapping = try MappingFile.load(path, session) else { return }
        let targets = mapping.tables.flatMap(\.targets) + mapping.forms.flatMap(\.rows).map(\.target)
        var seen: Set<String> = []
        let entities = targets.map(\.entity).filter { seen.insert($0).inserted }
        let description = MappingDescription(
            file: path, name: mapping.name, title: mapping.titles[session.language] ?? mapping.name,
            accepts: mapping.accepts,
            sha256: mapping.file?.sha256 ?? "", entities: entities, options: mapping.options.map(\.name))
        let accepted = mapping.accepts.joined(separator: ", ")
        let given = mapping.options.map { "; --option \($0.name)=\($0.example ?? "…")" }.joined()
        options.output.show(
            description,
            text: "\(description.title) (\(accepted)): \(entities.joined(separator: ", "))\(given)")
    }

    private func describeFile(_ path: String) throws {
        let variables = ProcessInfo.processInfo.environment
        let description = try FileDescription(path: path, options: reading.table(readingLimits())) {
            let configured = try Configuration.load(option: options.config, environment: variables).templates
            let templates = try TemplatesLocator(
                option: options.templates, environment: variables, configured: configured
            ).locate()
            let kept = KeptPacks(variables, program: ProgramVersion.build, templates: templates)
            return try PackLoader.loadAll(from: templates, coreIn: TemplatesLocator.core(of: templates), kept: kept)
        }
        if options.json || form == .json {
            StandardOutput.write(JSONString.document(description) + "\n")
        } else {
            let words = EarlyWords(EarlySetting(CommandLine.arguments))
            StandardOutput.write(description.text(words.texts, words.language))
        }
    }
}
