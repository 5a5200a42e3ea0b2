import ArgumentParser
import Foundation
import Importing
import Model
import Pipeline
import Recording
import Replica
import Suggesting

/// `fichero undo`: undoes a change.
struct UndoCommand: FicheroCommand {
    static let task = CommandTask.bringIn
    static let configuration = CommandConfiguration(
        commandName: "undo",
        abstract: "Take a change back, as long as nothing was built on it.",
        discussion: """
            Rows that an import or a command brought go, rows that it changed are again what they were, with queue \
            items, conflicts, rejected rows and photos. Refused with the records concerned when one was changed, \
            synced or referred to since, when a document of its project was registered since, when a later change \
            touched one, or when its record is now in a state in which the role may not change it. Own changes, or \
            any for whoever may administer.

            Examples:
              fichero undo last
              fichero undo 5f0e92
            """)

    @OptionGroup var options: CommonOptions

    @Argument(
        help: ArgumentHelp("The change's id, the last six or more characters of it, or last.", valueName: "change"))
    var name: String

    @Option(
        name: .long,
        help: ArgumentHelp(
            "Why; the log keeps it. Parts of a closed record are taken back only with a reason.", valueName: "text"))
    var reason: String?

    @Option(name: .long, help: ArgumentHelp("Seconds to wait for another run.", valueName: "seconds"))
    var wait: Int = 60

    func run() throws {
        let session = try WorkSession.existing(options)
        let report = try session.undo(name, reason: reason, wait: wait)
        options.output.show(report, text: UndoText(session).text(report))
    }
}

/// The result of an undo, formatted for display.
struct UndoText {
    private let session: WorkSession

    init(_ session: WorkSession) {
        self.session = session
    }

    func text(_ report: UndoAccount) -> String {
        var table = TextTable(
            [
                session.text("cli.columns.entity"), session.text("cli.undo.columns.removed"),
                session.text("cli.undo.columns.restored"),
            ],
            [.left, .right, .right])
        for line in report.lines { table.add([line.entity, String(line.removed), String(line.restored)]) }
        return [session.text("cli.undo.done", ["source": report.source, "import": report.importID]), table.text].joined(
            separator: "\n\n")
    }
}

/// `fichero import --suggest FILE`: writes a first mapping for an external file. Nothing is
/// imported or locked.
struct SuggestOptions: ParsableArguments {
    @Flag(name: .long, help: "Import nothing: write a first mapping for the file, from its headings and values.")
    var suggest = false

    @Option(
        name: [.short, .customLong("output")],
        help: ArgumentHelp(
            "Where the suggested mapping goes, or the answer to a corrected workbook.", valueName: "file"))
    var output: String?

    @Option(name: .long, help: ArgumentHelp("Name of the suggested mapping; by default the file's.", valueName: "name"))
    var name: String?

    @Option(
        name: .long,
        help: ArgumentHelp("The pack of the suggested mapping; by default the replica's.", valueName: "name"))
    var pack: String?

    func validate(files: [String]) throws {
        guard suggest else {
            let isOfBook = files.count == 1 && ["xlsx", "ods"].contains { files[0].lowercased().hasSuffix("." + $0) }
            guard name == nil, pack == nil, output == nil || isOfBook else {
                throw ValidationError("--name and --pack go with --suggest, --output with it or with one workbook.")
            }
            return
        }
        guard files.count == 1 else { throw ValidationError("--suggest takes one file or folder.") }
        if let name, name.wholeMatch(of: /[a-z][a-z0-9_-]{0,59}/) == nil {
            throw ValidationError("--name takes small letters, digits, - and _, a letter first.")
        }
    }

    private struct Result: Encodable {
        var name: String, pack: String, output: String?, mapping: String?
    }

    /// - Parameters:
    ///   - limits: bounds of the readers, as `--limit` gives them.
    ///   - reading: how a table in a text file is read; the later import needs the same options.
    func run(_ options: CommonOptions, _ file: String, limits: [String], reading: TextOptions) throws {
        let session =
            try pack.map { try WorkSession.new(options, packName: $0, limits: limits) }
            ?? WorkSession.existing(options, limits: limits)
        let path = file.count > 1 && file.hasSuffix("/") ? String(file.dropLast()) : file
        let opened = try TableFiles.openFileOrFolder(
            path: path, options: reading.table(session.limits, leavingOut: session.replicaFiles))
        let plain = Self.form(URL(fileURLWithPath: path).deletingPathExtension().lastPathComponent)
        // Avoids the name of one of the pack's mappings, which must not be overwritten.
        let name = name ?? (session.pack.mapping(plain) == nil ? plain : plain + "-2")
        let suggestion = try MappingSuggester(pack: session.pack).suggest(opened, path: path, name: name)
        let text = SuggestedYAML.text(of: suggestion, pack: session.pack, language: session.language)
        if let output {
            // An existing file may contain edits, so it is not replaced.
            try OutputCommit.makeDirectory(for: output)
            try OutputCommit.check(final: output, replacing: .nothing)
            let draft = output + ".\(ProcessInfo.processInfo.processIdentifier).tmp"
            do { try Data(text.utf8).write(to: URL(fileURLWithPath: draft)) } catch {
                throw RecordingFailure.outputDirectory(path: output, reason: error.localizedDescription)
            }
            try OutputCommit.publish(temporary: draft, final: output, replacing: .nothing)
        }
        let result = Result(name: name, pack: session.pack.name, output: output, mapping: output == nil ? text : nil)
        if options.json { return StandardOutput.write(JSONString.document(result) + "\n") }
        if output == nil { StandardOutput.write(text) } else { options.output.show(result, text: output ?? "") }
    }

    /// Converts a text to a valid mapping name: small letters, digits, single hyphens.
    static func form(_ text: String) -> String {
        let words = ColumnName.folded(text).split { !($0.isASCII && ($0.isLetter || $0.isNumber)) }.map(String.init)
        let name = words.joined(separator: "-")
        return name.first?.isLetter == true
            ? String(name.prefix(40)) : "registro" + (name.isEmpty ? "" : "-" + name.prefix(30))
    }
}
