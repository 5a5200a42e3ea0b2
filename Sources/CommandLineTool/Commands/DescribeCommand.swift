import ArgumentParser
import Exporting
import Foundation
import Model
import Packs
import Replica
import Validating

/// `fichero describe`: what a pack says, as text, JSON or Markdown; the pack format; an export's XSD or query.
struct DescribeCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "describe",
        abstract: "Packs, entities, exports, jobs; the pack format; an XSD; an export's query.",
        discussion: """
            Examples:
              fichero describe ingeplus --form markdown
              fichero describe --pack-format
              fichero describe ingeplus --findings
              fichero describe ingeplus --xsd
              fichero describe ingeplus --query cortes
            """)

    enum Form: String, ExpressibleByArgument, CaseIterable {
        case text, json, markdown
    }

    @OptionGroup var options: CommonOptions

    @Argument(help: ArgumentHelp("The pack; the replica's by default.", valueName: "pack"))
    var pack: String?

    @Option(name: .long, help: ArgumentHelp("text, json or markdown.", valueName: "form"))
    var form: Form = .text

    @Flag(name: .long, help: "Print the pack format as a JSON Schema.")
    var packFormat = false

    @Flag(name: .long, help: "List every code of findings with severity, meaning, message and remedy; with --json in every language.")
    var findings = false

    @Flag(name: .long, help: "Print the JSON of findings as a JSON Schema.")
    var findingsFormat = false

    @Flag(name: .long, help: "Print the XSD that every XML export of the pack follows.")
    var xsd = false

    @Option(name: .long, help: ArgumentHelp("Print the query behind an export's widest sheet, over the plain tables.", valueName: "export"))
    var query: String?

    func run() throws {
        if packFormat {
            StandardOutput.write(PackFormat.jsonSchema() + "\n")
            return
        }
        if findingsFormat {
            StandardOutput.write(FindingSchema.text)
            return
        }
        let session = try CommandSession.new(options, packName: pack)
        if findings {
            let description = FindingDescription(session.pack, language: session.language)
            StandardOutput.write(options.json || form == .json ? description.json() : description.markdown())
        } else if xsd {
            StandardOutput.write(XMLSchema.text(for: session.pack, language: session.language))
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
}
