import ArgumentParser
import Foundation
import Importing
import Logging
import Model
import OutputFiles
import Packs
import Photos
import Replica
import Validating

/// The settings of a command. An option overrides an environment variable, which overrides the
/// configuration file, which overrides the pack's default.
struct CommandSession {
    let options: CommonOptions
    let configuration: Configuration
    let templates: URL
    let pack: Pack
    let packSource: PackSource
    /// Parts of the pack that cannot be used because they contain mistakes.
    var broken: [BrokenPart]
    var replicaPath: String
    /// The folder of the replica, to which stored paths are relative.
    var replicaFolder: String { URL(fileURLWithPath: replicaPath).deletingLastPathComponent().path }
    /// Files that are not part of an imported folder; in a trial on a copy of the replica, the
    /// original replica's files.
    let replicaFiles: ReplicaFiles
    let language: Language
    let timeZone: TimeZone
    let environment: String
    var asOf: Date
    let output: ResultOutput
    let progress: ProgressLine
    let log: Logger
    /// Limits for reading files, so that no file can exhaust this machine's memory or disk.
    let limits: TableLimits

    /// Makes the session of a command on an existing replica, which determines the pack.
    static func existing(_ options: CommonOptions, limits: [String] = []) throws -> CommandSession {
        let session = try CommandSession(options, packName: nil, limits: limits)
        UnfinishedFiles.watch(besideReplica: session.replicaPath)
        return session
    }

    /// Makes the session of a command that itself chooses the pack, such as `init`.
    static func new(_ options: CommonOptions, packName: String?, limits: [String] = []) throws -> CommandSession {
        try CommandSession(options, packName: packName, limits: limits)
    }

    /// Makes the session of a command on files that needs no replica. Without a replica, any pack
    /// supplies the program's texts.
    static func ofFiles(_ options: CommonOptions) throws -> (session: CommandSession, hasReplica: Bool) {
        let setting = EarlySetting(CommandLine.arguments)
        let isNamed = options.replica != nil || FileManager.default.fileExists(atPath: setting.replicaPath)
        let session = try CommandSession(options, packName: isNamed ? nil : EarlyWords.anyPack(setting), limits: [])
        if isNamed { UnfinishedFiles.watch(besideReplica: session.replicaPath) }
        return (session, isNamed)
    }

    private init(_ options: CommonOptions, packName: String?, limits stated: [String]) throws {
        let variables = ProcessInfo.processInfo.environment
        self.options = options
        configuration = try Configuration.load(option: options.config, environment: variables)
        limits = try LimitOptions.apply(stated, to: configuration.limits)
        let locator = TemplatesLocator(
            option: options.templates, environment: variables, configured: configuration.templates)
        templates = try locator.locate()
        packSource = locator.source(of: templates)
        replicaPath = FileName.real(options.replica ?? configuration.replica ?? "fichero.db")
        replicaFiles = ReplicaFiles(of: replicaPath, and: [configuration.path, configuration.output].compactMap(\.self))
        let name: String
        if let packName {
            name = packName
        } else {
            name = try Replica.packName(at: replicaPath)
        }
        let kept = KeptPacks(variables, program: ProgramVersion.build, templates: templates)
        let sound = try PackLoader.loadSound(
            name, from: templates, coreIn: TemplatesLocator.core(of: templates), kept: kept)
        (pack, broken) = (sound.pack, sound.broken)
        language = try Self.language(options, configuration, pack, variables)
        let zone = options.timeZone ?? configuration.timeZone ?? pack.timeZone
        guard let timeZone = TimeZone(identifier: zone) else { throw SettingFailure.unknownTimeZone(zone) }
        self.timeZone = timeZone
        environment = configuration.environment ?? pack.environments.first ?? "DEV"
        guard pack.environments.contains(environment) else {
            throw SettingFailure.unknownEnvironment(environment, known: pack.environments)
        }
        if let stated = options.asOf {
            guard let time = Timestamp.parse(stated) else { throw SettingFailure.badTime(stated) }
            asOf = time
        } else {
            // In whole seconds, so that the displayed time can be passed back as `--as-of`.
            asOf = Date(timeIntervalSince1970: Date().timeIntervalSince1970.rounded(.down))
        }
        output = ResultOutput(isJSON: options.json, isQuiet: options.quiet)
        progress = ProgressLine(options.progress, isQuiet: options.quiet)
        log = StandardErrorLog.logger(options.logFormat, isQuiet: options.quiet)
    }

    /// - Parameter pack: nil if no pack is loaded yet.
    static func language(
        _ options: CommonOptions, _ configuration: Configuration, _ pack: Pack?, _ variables: [String: String]
    ) throws -> Language {
        if let stated = options.lang ?? configuration.language {
            guard let language = Language(rawValue: stated) else { throw SettingFailure.unknownLanguage(stated) }
            return language
        }
        return CommandLanguage.fromLocale(variables) ?? pack?.languages.first ?? .english
    }

    /// Throws, with its mistakes, if a requested part of the pack is broken.
    func ensureSound(_ kind: BrokenPart.Kind, _ name: String) throws {
        if let part = broken.first(where: { $0.kind == kind && $0.name == name }) { throw part.failure }
    }

    /// Reports the broken parts of the pack on standard error; commands that do not need them
    /// continue.
    func reportBroken() {
        for part in broken {
            let line = part.failure.mistakes.first?.line(pack.texts, language) ?? ""
            StandardError.write(text("cli.pack.broken", ["part": part.path, "mistake": line]) + "\n")
        }
    }

    /// The validator for the pack, with the replica's photos and the office's time zone.
    var validator: Validator {
        Validator(pack: pack, photos: PhotoFolder(beside: replicaPath), timeZone: timeZone)
    }

    /// Validates everything that the actor sees; stored results of an earlier validation are reused
    /// for unchanged data.
    ///
    /// - Parameter replica: the store for the results; nil when they are not stored.
    func validate(_ reading: ReadSession, keepingIn replica: Replica?, anew: Bool = false) throws -> ValidationSummary {
        let photos = PhotoFolder(beside: replicaPath)
        try reading.recallVerdicts(program: ProgramVersion.build, anew: anew) { photos.stamp(of: $0) }
        let summary = try validator.validate(reading, into: reading.findings, progress: { progress.show($0.rows) })
        do {
            try replica?.keepVerdicts(reading)
        } catch {
            // Findings are reported even if the results cannot be stored.
            log.debug("the verdicts are not kept", metadata: ["code": "\((error as? any Failure)?.code ?? "INTERNAL")"])
        }
        return summary
    }

    /// The validation that a change runs before it is committed, for records that move to an
    /// approved state. Its results are not stored.
    var recordValidation: RecordValidation {
        RecordValidation(in: timeZone) { reading in
            _ = try validator.validate(reading, into: reading.findings, progress: { progress.show($0.rows) })
        }
    }

    var hasRemote: Bool { RemoteAddress(configuration) != nil || configuration.packages != nil }

    /// Opens the replica for reading and writing.
    ///
    /// - Parameter seconds: the longest wait for another program's lock.
    func openReplica(waiting seconds: Int = 5) throws -> Replica {
        try Replica.open(at: replicaPath, pack: pack, source: packSource, busyTimeout: Double(seconds))
    }

    /// The profile on whose behalf the command runs. Throws if there is no such active profile, or
    /// if the profile lacks this permission.
    func actor(in replica: Replica, to permission: Permission) throws -> Actor {
        guard let email = options.actor ?? configuration.actor else { throw SettingFailure.noActor }
        let actor = try replica.actor(email: email)
        try actor.ensure(may: permission)
        return actor
    }

    func context(_ actor: Actor) -> RunContext {
        RunContext(
            id: UUIDv7.make(at: Date()), asOf: asOf, timeZone: timeZone, language: language, environment: environment,
            actor: actor,
            programVersion: ProgramVersion.current)
    }

    /// Ids of the actor's projects, or of the given one, if it is one of the actor's.
    func projectIDs(of actor: Actor, _ code: String?, _ replica: Replica) throws -> [String] {
        let projects = try replica.status(visibleTo: actor.id, as: actor.role, runs: 0).projects
        guard let code else { return projects.map(\.id) }
        guard let project = projects.first(where: { $0.code == code }) else {
            throw SelectionFailure.unknownProject(code, visible: projects.map(\.code))
        }
        return [project.id]
    }

    /// Ids of the projects in which the actor may change rows and decide conflicts, or of the given
    /// one. For administrators these are all projects.
    func workProjectIDs(of actor: Actor, _ code: String?, _ replica: Replica) throws -> [String] {
        guard actor.role.permissions.contains(.administer) else { return try projectIDs(of: actor, code, replica) }
        let naming = pack.project
        let all = try replica.texts(of: naming.entity, fields: [naming.code])
        guard let code else { return all.map(\.id) }
        guard let project = all.first(where: { $0.values[0] == code }) else {
            throw SelectionFailure.unknownProject(code, visible: all.compactMap { $0.values[0] })
        }
        return [project.id]
    }

    /// The SQL of an export's widest sheet, written over the replica's plain tables, for the
    /// actor's first project.
    func plainQuery(of definition: ExportDefinition) throws -> String {
        let actor = try actor(in: openReplica(), to: .read)
        let reading = try ReadSession(
            path: replicaPath, pack: pack, actor: actor, projects: [], timeZone: timeZone, asOf: asOf)
        guard let kind = pack.record(definition.record), let project = reading.projects.first else { return "" }
        _ = try reading.select(kind, in: project, SelectionRequest(), hasRemote: false)
        return try reading.plainQuery(of: definition)
    }

    /// A finding as a row of a sheet: code, severity, record, message.
    func findingRow(_ finding: Finding) -> [String] {
        let text = findingText
        return [
            finding.code, text.severity(finding.severity), finding.place.key ?? finding.place.id ?? "",
            text.message(of: finding),
        ]
    }

    func text(_ key: String, _ arguments: [String: String] = [:]) -> String {
        pack.texts.text(key, in: language, arguments)
    }
}

/// The options that every command accepts.
struct CommonOptions: ParsableArguments {
    @Option(
        name: .long,
        help: ArgumentHelp(
            "The replica's file.", discussion: "FICHERO_REPLICA, the configuration, or ./fichero.db.", valueName: "file"
        ))
    var replica: String?

    @Option(
        name: .long,
        help: ArgumentHelp(
            "The folder with the packs.", discussion: "FICHERO_TEMPLATES, the configuration, or beside the program.",
            valueName: "dir"))
    var templates: String?

    @Option(
        name: .long,
        help: ArgumentHelp(
            "A configuration file (YAML).", discussion: "FICHERO_CONFIG, or ./fichero.yaml when it is there.",
            valueName: "file"))
    var config: String?

    @Option(
        name: .long,
        help: ArgumentHelp(
            "On whose behalf: the e-mail of a profile in the replica.",
            discussion: "FICHERO_ACTOR, or the configuration. A claim, not a proof.", valueName: "email"))
    var actor: String?

    @Option(name: .long, help: ArgumentHelp("Language of messages and documents: es, en, it.", valueName: "lang"))
    var lang: String?

    @Flag(name: .long, help: "Print the result as one JSON document.")
    var json = false

    @Option(name: .long, help: ArgumentHelp("Form of the log on standard error: text or json.", valueName: "format"))
    var logFormat: LogFormat = .text

    @Flag(name: .shortAndLong, help: "Say only what went wrong.")
    var quiet = false

    @Option(name: .long, help: ArgumentHelp("Progress on standard error: auto, always or never.", valueName: "when"))
    var progress: ProgressChoice = .auto

    @Option(name: .long, help: ArgumentHelp("The clock of the run, e.g. 2026-01-31T12:00:00Z.", valueName: "time"))
    var asOf: String?

    @Option(name: .long, help: ArgumentHelp("The office's time zone, e.g. America/Lima.", valueName: "zone"))
    var timeZone: String?
}

enum LogFormat: String, ExpressibleByArgument, CaseIterable {
    case text, json
}

package enum ProgressChoice: String, ExpressibleByArgument, CaseIterable {
    case auto, always, never
}

extension Language: ExpressibleByArgument {}
extension FailOn: ExpressibleByArgument {}
extension FindingsPolicy: ExpressibleByArgument {}
extension CSVDialect: ExpressibleByArgument {}
extension ExportFormat: ExpressibleByArgument {}
extension SyncState: ExpressibleByArgument {}
