import ArgumentParser
import Foundation
import Importing
import Model
import OutputFiles
import Packs
import Pipeline
import Replica

/// The session of a command. An option overrides an environment variable, which overrides the
/// configuration file, which overrides the pack's default.
extension WorkSession {
    /// Makes the session of a command on an existing replica, which determines the pack.
    static func existing(_ options: CommonOptions, limits: [String] = []) throws -> WorkSession {
        let session = try WorkSession(options, packName: nil, limits: limits)
        UnfinishedFiles.watch(besideReplica: session.replicaPath)
        return session
    }

    /// Makes the session of a command that itself chooses the pack, such as `init`.
    static func new(_ options: CommonOptions, packName: String?, limits: [String] = []) throws -> WorkSession {
        try WorkSession(options, packName: packName, limits: limits)
    }

    /// Makes the session of a command on files that needs no replica. Without a replica, any pack
    /// supplies the program's texts.
    static func ofFiles(_ options: CommonOptions) throws -> (session: WorkSession, hasReplica: Bool) {
        let setting = EarlySetting(CommandLine.arguments)
        let isNamed = options.replica != nil || FileManager.default.fileExists(atPath: setting.replicaPath)
        let session = try WorkSession(options, packName: isNamed ? nil : EarlyWords.anyPack(setting), limits: [])
        if isNamed { UnfinishedFiles.watch(besideReplica: session.replicaPath) }
        return (session, isNamed)
    }

    private init(_ options: CommonOptions, packName: String?, limits stated: [String]) throws {
        let variables = ProcessInfo.processInfo.environment
        let configuration = try Configuration.load(option: options.config, environment: variables)
        let limits = try LimitOptions.apply(stated, to: configuration.limits)
        let locator = TemplatesLocator(
            option: options.templates, environment: variables, configured: configuration.templates)
        let templates = try locator.locate(), core = TemplatesLocator.core(of: templates)
        let replicaPath = FileName.real(options.replica ?? configuration.replica ?? "fichero.db")
        let name = try packName ?? Replica.packName(at: replicaPath)
        let kept = KeptPacks(variables, program: ProgramVersion.build, templates: templates)
        let sound = try PackLoader.loadSound(name, from: templates, coreIn: core, kept: kept)
        // A document is in one language, so it is one that the pack has.
        let language = sound.pack.language(for: try Self.language(options, configuration, sound.pack, variables))
        let zone = options.timeZone ?? configuration.timeZone ?? sound.pack.timeZone
        guard let timeZone = TimeZone(identifier: zone) else { throw SettingFailure.unknownTimeZone(zone) }
        let environment = configuration.environment ?? sound.pack.environments.first ?? "DEV"
        guard sound.pack.environments.contains(environment) else {
            throw SettingFailure.unknownEnvironment(environment, known: sound.pack.environments)
        }
        try self.init(
            sound.pack, from: locator.source(of: templates), in: templates, replica: replicaPath,
            at: Self.time(options), display: ProgressLine(options.progress, isQuiet: options.quiet),
            log: StandardErrorLog.logger(options.logFormat, isQuiet: options.quiet))
        (broken, coreTemplates, self.language, self.timeZone) = (sound.broken, core, language, timeZone)
        (self.environment, self.limits, syncing) = (environment, limits, configuration.syncing(variables))
        (email, organisation) = (options.actor ?? configuration.actor, configuration.organisation)
        (outputFolder, brandFile) = (configuration.output, configuration.brand)
        replicaFiles = ReplicaFiles(of: replicaPath, and: [configuration.path, outputFolder].compactMap(\.self))
    }

    private static func time(_ options: CommonOptions) throws -> Date {
        guard let stated = options.asOf else {
            // In whole seconds, so that the displayed time can be passed back as `--as-of`.
            return Date(timeIntervalSince1970: Date().timeIntervalSince1970.rounded(.down))
        }
        guard let time = Timestamp.parse(stated) else { throw SettingFailure.badTime(stated) }
        return time
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

    @Option(
        name: .long,
        help: ArgumentHelp(
            "Form of the log on standard error: text or json.",
            discussion: "On a terminal there is no log unless this is given; elsewhere it is text.",
            valueName: "format"))
    var logFormat: LogFormat?

    @Flag(name: .shortAndLong, help: "Say only what went wrong.")
    var quiet = false

    @Option(name: .long, help: ArgumentHelp("Progress on standard error: auto, always or never.", valueName: "when"))
    var progress: ProgressChoice = .auto

    @Option(name: .long, help: ArgumentHelp("The clock of the run, e.g. 2026-01-31T12:00:00Z.", valueName: "time"))
    var asOf: String?

    @Option(name: .long, help: ArgumentHelp("The office's time zone, e.g. America/Lima.", valueName: "zone"))
    var timeZone: String?
}

extension CommonOptions {
    /// The form of the command's result.
    var output: ResultOutput { ResultOutput(isJSON: json, isQuiet: quiet) }
}

/// `--limit NAME=VALUE`: one bound of the readers for one run, which overrides the configuration.
struct LimitOptions: ParsableArguments {
    @Option(
        name: .customLong("limit"),
        help: ArgumentHelp(
            "A bound on what a file may make this machine do, e.g. cellBytes=64M; may be repeated.",
            discussion: "fichero describe --limits lists them. The configuration's limits: sets them for good.",
            valueName: "name=value"))
    var values: [String] = []

    /// The bounds of a run: the configuration's, overridden by those of `--limit`.
    func applied(to configured: TableLimits) throws(SettingFailure) -> TableLimits {
        try Self.apply(values, to: configured)
    }

    static func apply(_ values: [String], to configured: TableLimits) throws(SettingFailure) -> TableLimits {
        var limits = configured
        for text in values {
            let parts = text.split(separator: "=", maxSplits: 1).map(String.init)
            guard parts.count == 2 else { throw .limitInvalid(text) }
            do {
                try limits.set(parts[0], to: parts[1])
            } catch .unknown(let name, let known) {
                throw .limitUnknown(name, known: known)
            } catch {
                throw .limitInvalid(text)
            }
        }
        return limits
    }
}

enum LogFormat: String, ExpressibleByArgument, CaseIterable {
    case text, json
}

enum ProgressChoice: String, ExpressibleByArgument, CaseIterable {
    case auto, always, never
}

extension Language: ExpressibleByArgument {}
extension FailOn: ExpressibleByArgument {}
extension FindingsPolicy: ExpressibleByArgument {}
extension CSVDialect: ExpressibleByArgument {}
extension ExportFormat: ExpressibleByArgument {}
extension SyncState: ExpressibleByArgument {}
