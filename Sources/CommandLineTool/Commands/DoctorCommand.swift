import ArgumentParser
import Foundation
import Model
import Packs
import Pipeline
import Replica

/// `fichero doctor`: checks packs, configuration and replica, and recommends what to do.
struct DoctorCommand: FicheroCommand {
    static let task = CommandTask.setUp
    static let configuration = CommandConfiguration(
        commandName: "doctor",
        abstract: "Check installation, configuration, packs and replica.",
        discussion: """
            Without a replica it checks every pack in the templates folder. SQL of packs is compiled. With --pack \
            it checks that pack alone, and runs the tests that it carries, each on a replica that is made for it.

            Examples:
              fichero doctor --replica fichero.db
              fichero doctor --pack Templates/ingeplus
              fichero doctor --pack Templates/ingeplus --missing-texts
            """)

    @OptionGroup var options: CommonOptions

    @Option(
        name: .long,
        help: ArgumentHelp("A pack, by its name or its folder: check it and run its tests.", valueName: "dir"),
        completion: .directory)
    var pack: String?

    @Flag(name: .long, help: "Print the texts that the pack lacks, as a file ready to fill.")
    var missingTexts = false

    func validate() throws {
        if missingTexts, pack == nil { throw ValidationError("--missing-texts goes with --pack.") }
    }

    func run() throws {
        if let pack {
            try PackRound(options, pack, onlyTexts: missingTexts).run()
        } else {
            try DoctorRound(options).run()
        }
    }
}

/// Checks packs, configuration and replica, one after the other, and reports the result of each.
struct DoctorRound {
    private let options: CommonOptions

    init(_ options: CommonOptions) {
        self.options = options
    }

    struct Result: Encodable {
        var packs: [String]
        /// Parts of packs that cannot be used, each with its first mistake.
        var broken: [String]
        var checks: [DoctorCheck]
    }

    func run() throws {
        let variables = ProcessInfo.processInfo.environment
        let configuration = try Configuration.load(option: options.config, environment: variables)
        let templates = try TemplatesLocator(
            option: options.templates, environment: variables, configured: configuration.templates
        ).locate()
        let (packs, broken) = try checkPacks(in: templates, variables)
        let path = options.replica ?? configuration.replica ?? "fichero.db"
        guard FileManager.default.fileExists(atPath: path) else {
            let output = ResultOutput(isJSON: options.json, isQuiet: options.quiet)
            output.show(
                Result(packs: packs.map(\.name), broken: broken, checks: []),
                text: text(packs, broken).joined(separator: "\n"))
            if !broken.isEmpty { throw CommandExit(exitCode: .badConfiguration) }
            return
        }
        let name = try Replica.packName(at: path)
        guard let pack = packs.first(where: { $0.name == name }) else {
            throw SettingFailure.templatesNotFound(tried: [templates.path + "/" + name])
        }
        let session = try WorkSession.new(options, packName: name)
        let checks = checkReplica(at: path, pack, session)
        options.output.show(
            Result(packs: packs.map(\.name), broken: broken, checks: checks), text: text(packs, broken, checks, session)
        )
        let isSick = checks.contains { $0.state == .error }
        if isSick { throw CommandExit(exitCode: .badInput) }
        if !broken.isEmpty { throw CommandExit(exitCode: .badConfiguration) }
    }

    /// Loads every pack. Returns the packs, and their parts and queries that cannot be used.
    private func checkPacks(in templates: URL, _ variables: [String: String]) throws
        -> (packs: [Pack], broken: [String])
    {
        let kept = KeptPacks(variables, program: ProgramVersion.build, templates: templates)
        let sound = try PackLoader.names(in: templates).map { name in
            try PackLoader.loadSound(name, from: templates, coreIn: TemplatesLocator.core(of: templates), kept: kept)
        }
        let packs = sound.map(\.pack)
        var broken = sound.flatMap { brokenParts(of: $0) }
        for pack in packs { broken += try brokenQueries(of: pack, templates) }
        return (packs, broken)
    }

    private func brokenParts(of pack: SoundPack) -> [String] {
        pack.broken.map {
            """
            \(pack.pack.name)/\($0.kind.rawValue)/\($0.name): \
            \($0.failure.mistakes.first?.line(pack.pack.texts, language(of: pack.pack)) ?? "")
            """
        }
    }

    /// Compiles the pack's queries on a replica that is made for it, since only SQLite finds their mistakes.
    private func brokenQueries(of pack: Pack, _ templates: URL) throws -> [String] {
        let mistakes = try PackTrial.perform(pack, options, templates: templates) {
            try $0.mistakes(
                in: PackLoader.queries(of: pack.name, from: templates, coreIn: TemplatesLocator.core(of: templates)))
        }
        return mistakes.map { $0.line(pack.texts, language(of: pack)) }
    }

    /// Checks the replica and the files that interrupted runs left beside it.
    private func checkReplica(at path: String, _ pack: Pack, _ session: WorkSession) -> [DoctorCheck] {
        let left = Leftovers(replicaPath: FileName.real(path)).found
        return Replica.doctor(at: path, pack: pack, source: session.packSource) + [
            DoctorCheck(
                "REPLICA-LEFTOVERS", left.isEmpty ? .ok : .warning,
                left.isEmpty ? [:] : ["paths": left.joined(separator: ", ")]),
            KeptReplaced(session).check(),
        ]
    }

    private func language(of pack: Pack) -> Language { EarlySetting(CommandLine.arguments).language(of: pack) }

    private func text(_ packs: [Pack], _ broken: [String]) -> [String] {
        packs.map { "✓ Templates/\($0.name) \($0.version)" } + broken.map { "✗ Templates/" + $0 }
    }

    private func text(_ packs: [Pack], _ broken: [String], _ checks: [DoctorCheck], _ session: WorkSession) -> String
    {
        var lines = text(packs, broken)
        for check in checks {
            let mark = switch check.state {
            case .ok: "✓"
            case .warning: "!"
            case .error: "✗"
            }
            let words =
                session.pack.texts.textIfAny("doctor.\(check.code).\(check.state.rawValue)", in: session.language)
                ?? session.pack.texts.textIfAny("error.\(check.code).message", in: session.language)
            let facts = check.arguments.sorted { $0.key < $1.key }.map { "\($0.key) \($0.value)" }.joined(
                separator: ", ")
            lines.append("\(mark) \(check.code)  " + (words.map { Texts.fill($0, with: check.arguments) } ?? facts))
        }
        if broken.isEmpty, !checks.contains(where: { $0.state != .ok }) { lines.append(session.text("cli.doctor.ok")) }
        return lines.joined(separator: "\n")
    }
}

/// Checks one pack, compiles its queries, and runs its tests.
struct PackRound {
    private let options: CommonOptions
    private let pack: String
    private let onlyTexts: Bool

    /// - Parameter onlyTexts: whether only missing texts of the pack are searched for.
    init(_ options: CommonOptions, _ pack: String, onlyTexts: Bool = false) {
        (self.options, self.pack, self.onlyTexts) = (options, pack, onlyTexts)
    }

    struct Result: Encodable {
        var pack: String
        var version: String
        /// Mistakes, with file and line.
        var mistakes: [String]
        /// Advice about parts that are valid but possibly not intended.
        var advice: [String]
        var tests: [PackTrial.Verdict]
    }

    func run() throws {
        let (name, templates) = try place()
        if onlyTexts { return try showMissingTexts(of: name, templates) }
        let sound = try PackLoader.loadSound(name, from: templates, coreIn: TemplatesLocator.core(of: templates))
        let language = EarlySetting(CommandLine.arguments).language(of: sound.pack)
        // A part that needs a broken part repeats the broken part's mistakes, so duplicates are
        // dropped.
        var mistakes = sound.broken.flatMap(\.failure.mistakes).reduce(into: [PackMistake]()) {
            if !$0.contains($1) { $0.append($1) }
        }
        let verdicts = try PackTrial.perform(sound.pack, options, templates: templates) { trial in
            mistakes += try trial.mistakes(
                in: PackLoader.queries(of: name, from: templates, coreIn: TemplatesLocator.core(of: templates)))
            return sound.pack.tests.map(trial.verdict(on:))
        }
        let result = Result(
            pack: name, version: sound.pack.version,
            mistakes: mistakes.withMissingTextsTogether.map { $0.line(sound.pack.texts, language) },
            advice: PackAdvice(pack: sound.pack, language: sound.pack.language(for: language)).lines, tests: verdicts)
        ResultOutput(isJSON: options.json, isQuiet: options.quiet).show(
            result, text: text(result, mistakes.lines(sound.pack.texts, language)))
        if !mistakes.isEmpty { throw CommandExit(exitCode: .badConfiguration) }
        if verdicts.contains(where: { !$0.faults.isEmpty }) { throw CommandExit(exitCode: .findings) }
    }

    /// Prints the texts that the pack lacks. Other mistakes are reported first, because they may
    /// hide missing texts.
    private func showMissingTexts(of name: String, _ templates: URL) throws {
        do { _ = try PackLoader.load(name, from: templates, coreIn: TemplatesLocator.core(of: templates)) } catch {
            guard let missing = MissingTexts(error.mistakes) else { throw error }
            StandardOutput.write(missing.yaml)
        }
    }

    /// The pack's name, and the folder that contains the pack.
    private func place() throws -> (String, URL) {
        let folder = URL(fileURLWithPath: pack).standardizedFileURL
        // A name has no slash, so a path is meant even if there is no such folder.
        if pack.contains("/")
            || FileManager.default.fileExists(atPath: folder.appendingPathComponent("pack.yaml").path)
        {
            return (folder.lastPathComponent, folder.deletingLastPathComponent())
        }
        let variables = ProcessInfo.processInfo.environment
        let templates = try TemplatesLocator(
            option: options.templates, environment: variables,
            configured: Configuration.load(option: options.config, environment: variables).templates
        ).locate()
        return (pack, templates)
    }

    /// - Parameter mistakes: the lines of the mistakes; JSON has all of them.
    private func text(_ result: Result, _ mistakes: [String]) -> String {
        let head =
            [(result.mistakes.isEmpty ? "✓ " : "✗ ") + result.pack + " " + result.version]
            + mistakes.map { "  " + $0 } + result.advice.map { "  ! " + $0 }
        return
            (head
            + result.tests.flatMap { test in
                [(test.faults.isEmpty ? "✓ " : "✗ ") + test.test] + test.faults.map { "    " + $0 }
            }).joined(separator: "\n")
    }
}
