import ArgumentParser
import Foundation
import Importing
import Model
import Packs
import Pipeline
import Postgres
import Recording
import Suggesting

/// `fichero init --from SOURCE`: writes a first pack for a data source that has no pack yet. No
/// replica is made.
struct DraftOptions: ParsableArguments {
    @Option(
        name: .long,
        help: ArgumentHelp(
            """
            Make no replica: write a first pack from an XLSForm, SQL statements (.sql), an SQLite file, a workbook or \
            another file with tables, or a PostgreSQL database (postgresql://…).
            """,
            valueName: "source"))
    var from: String?

    @Option(
        name: [.short, .customLong("output")],
        help: ArgumentHelp("The folder of packs for the first pack; ./Templates by default.", valueName: "dir"))
    var output: String?

    func validate() throws {
        if from == nil, output != nil { throw ValidationError("--output goes with --from.") }
    }

    private struct Result: Encodable {
        struct Table: Encodable { var name: String, fields: Int }
        var pack: String
        var folder: String
        var languages: [String]
        var tables: [Table]
        var files: [String]
        var comments: Int
    }

    /// What the command line, the configuration and the program's core say about every draft.
    private struct Setting {
        var limits: TableLimits
        /// The folder with the core pack.
        var home: URL
        var core: Pack
        var language: Language
        var timeZone: String
    }

    /// - Parameter name: the pack's name; by default the source's.
    func run(_ options: CommonOptions, _ source: String, name: String?) throws {
        let setting = try setting(options)
        let address =
            source.hasPrefix("postgresql://") || source.hasPrefix("postgres://") ? try DatabaseAddress(source) : nil
        let name = try packName(name, source, address)
        let folder = URL(fileURLWithPath: output ?? "Templates", isDirectory: true)
        let final = folder.appendingPathComponent(name, isDirectory: true)
        guard !FileManager.default.fileExists(atPath: final.path) else {
            throw DraftFailure.exists(path: final.relativePath)
        }

        let draft = try draft(source, address, name: name, setting)
        let files = PackDraftFiles(draft, texts: setting.core.texts, language: setting.language).files(
            timeZone: setting.timeZone)
        let pack = try publish(files, name: name, in: folder, coreIn: setting.home)

        let result = Result(
            pack: name, folder: final.relativePath, languages: draft.languages.map(\.rawValue),
            tables: pack.entities.filter { !$0.isCore }.map { .init(name: $0.name, fields: $0.fields.count) },
            files: files.map(\.path), comments: files.reduce(0) { $0 + Self.comments($1.path, $1.text) })
        let isNamed = address == nil && !source.lowercased().hasSuffix(".sql") && draft.accepts != ["submissions"]
        let text = text(result, of: pack, in: folder, importing: isNamed ? Self.word(source) : "FILE", setting)
        ResultOutput(isJSON: options.json, isQuiet: options.quiet).show(result, text: text)
    }

    private func setting(_ options: CommonOptions) throws -> Setting {
        let variables = ProcessInfo.processInfo.environment
        let configuration = try Configuration.load(option: options.config, environment: variables)
        let templates = try TemplatesLocator(
            option: options.templates, environment: variables, configured: configuration.templates
        ).locate()
        let home = TemplatesLocator.core(of: templates) ?? templates
        let core = try PackLoader.core(from: home)
        let language = try WorkSession.language(options, configuration, nil, variables)
        let zone = options.timeZone ?? configuration.timeZone ?? "UTC"
        guard TimeZone(identifier: zone) != nil else { throw SettingFailure.unknownTimeZone(zone) }
        return Setting(limits: configuration.limits, home: home, core: core, language: language, timeZone: zone)
    }

    /// The stated name, or the source's. Checked before the source is read, which may take long.
    private func packName(_ stated: String?, _ source: String, _ address: DatabaseAddress?) throws -> String {
        let name =
            stated
            ?? Self.name(
                address?.settings.database ?? URL(fileURLWithPath: source).deletingPathExtension().lastPathComponent)
        guard name.wholeMatch(of: /[a-z][a-z0-9_-]{0,59}/) != nil, name != "core" else {
            throw ValidationError("--pack takes small letters, digits, _ and -, a letter first, and not core.")
        }
        return name
    }

    private func draft(_ source: String, _ address: DatabaseAddress?, name: String, _ setting: Setting) throws
        -> PackDraft
    {
        let drafter = PackDrafter(
            name: name, language: setting.language, reserved: Set(setting.core.entities.map(\.name)))
        if let settings = address?.settings {
            return try drafter.draft(
                statements: PostgresConnection(settings).tableStatements(), source: settings.database)
        }
        return try drafter.draft(
            path: source, options: TableOptions(limits: LimitOptions.apply([], to: setting.limits)))
    }

    /// What was made, and the commands to go on with.
    ///
    /// - Parameter file: the file that the command for the import names.
    private func text(_ result: Result, of pack: Pack, in folder: URL, importing file: String, _ setting: Setting)
        -> String
    {
        let arguments = [
            "pack": result.pack, "folder": Self.word(folder.relativePath), "path": Self.word(result.folder),
            "tables": String(result.tables.count), "fields": String(result.tables.reduce(0) { $0 + $1.fields }),
            "comments": String(result.comments), "source": file, "mapping": pack.imports.first?.name ?? "",
            "project": pack.project.entity,
        ]
        func line(_ key: String) -> String { setting.core.texts.text(key, in: setting.language, arguments) }
        var lines = [line("cli.init.drafted")]
        lines += ["doctor", "replica"].map { "  " + line("cli.init.draft_" + $0) }
        if !pack.imports.isEmpty { lines.append("  " + line("cli.init.draft_import")) }
        return lines.joined(separator: "\n")
    }

    /// Writes the pack under a temporary name, loads it like any pack, and only then renames it.
    /// The new pack uses the program's built-in core, as does every pack whose folder does not
    /// contain a `core` pack.
    private func publish(_ files: [(path: String, text: String)], name: String, in folder: URL, coreIn home: URL) throws
        -> Pack
    {
        let manager = FileManager.default
        try OutputCommit.makeDirectory(for: folder.appendingPathComponent(name).path)
        let draft = folder.appendingPathComponent(".\(name).\(UUID().uuidString).tmp", isDirectory: true)
        defer { try? manager.removeItem(at: draft) }
        do {
            for file in files {
                let url = draft.appendingPathComponent(name).appendingPathComponent(file.path)
                try manager.createDirectory(at: url.deletingLastPathComponent(), withIntermediateDirectories: true)
                try Data(file.text.utf8).write(to: url)
            }
            let pack: Pack
            do { pack = try PackLoader.load(name, from: draft, coreIn: home) } catch {
                let texts = (try? PackLoader.core(from: home))?.texts ?? Texts()
                throw DraftFailure.unsound(
                    mistake: error.mistakes.prefix(3).map { $0.line(texts, .english) }.joined(separator: "; "))
            }
            let final = folder.appendingPathComponent(name)
            do { try manager.moveItem(at: draft.appendingPathComponent(name), to: final) } catch {
                // Another process made the folder first.
                throw manager.fileExists(atPath: final.path) ? DraftFailure.exists(path: final.relativePath) : error
            }
            return pack
        } catch let failure as CocoaError {
            throw RecordingFailure.outputDirectory(path: folder.relativePath, reason: failure.localizedDescription)
        }
    }

    private static func comments(_ path: String, _ text: String) -> Int {
        text.split(separator: "\n").count { line in
            line.drop { $0 == " " }.hasPrefix("# ") || (line.contains("  # ") && !path.hasPrefix("texts/"))
        }
    }

    /// A path, quoted for a shell if necessary.
    private static func word(_ path: String) -> String {
        path.wholeMatch(of: /[A-Za-z0-9_.\/-]+/) != nil ? path : "'" + path.replacing("'", with: #"'\''"#) + "'"
    }

    /// Converts a text to a valid pack name.
    private static func name(_ text: String) -> String { SuggestOptions.form(text).replacing("-", with: "_") }
}
