import Foundation
import Model
import Packs
import Pipeline
import Replica

/// Settings from arguments, environment and configuration, available before a command has begun,
/// even if these contain mistakes.
struct EarlySetting {
    private let arguments: [String]
    private let environment = ProcessInfo.processInfo.environment
    private let configuration: Configuration?
    /// The configuration's language, even if the configuration has a mistake.
    private let configuredLanguage: String?

    init(_ arguments: [String]) {
        self.arguments = arguments
        let stated = Self.value(of: "--config", in: arguments)
        configuration = try? Configuration.load(option: stated, environment: environment)
        let path = stated ?? environment["FICHERO_CONFIG"] ?? "fichero.yaml"
        let lines =
            configuration == nil
            ? (try? String(contentsOfFile: path, encoding: .utf8))?.split(separator: "\n") ?? [] : []
        configuredLanguage = configuration?.language
            ?? lines.first { $0.hasPrefix("language:") }.map {
                $0.dropFirst(9).trimmingCharacters(in: CharacterSet(charactersIn: " \t\r'\""))
            }
    }

    /// The language, from the first of these that gives one: option, environment variable,
    /// configuration, locale, pack.
    func language(of pack: Pack?) -> Language {
        let stated = Self.value(of: "--lang", in: arguments) ?? environment["FICHERO_LANG"] ?? configuredLanguage
        if let stated, let language = Language(rawValue: stated) { return language }
        return CommandLanguage.fromLocale(environment) ?? pack?.languages.first ?? .english
    }

    /// The pack given to `init`.
    var packName: String? { Self.value(of: "--pack", in: arguments) }

    var templates: String? { Self.value(of: "--templates", in: arguments) }
    var configuredTemplates: String? { configuration?.templates }

    var replicaPath: String {
        FileName.real(
            Self.value(of: "--replica", in: arguments) ?? configuration?.replica ?? environment["FICHERO_REPLICA"]
                ?? "fichero.db")
    }

    var isQuiet: Bool { arguments.contains("--quiet") || arguments.contains("-q") }
    var isJSON: Bool { arguments.contains("--json") }

    /// The first word of the command: `rejects`; empty if the first argument is an option.
    var command: String { arguments.prefix { !$0.hasPrefix("-") }.first ?? "" }

    static func value(of option: String, in arguments: [String]) -> String? {
        for (index, argument) in arguments.enumerated() {
            if argument == option, index + 1 < arguments.count { return arguments[index + 1] }
            if argument.hasPrefix(option + "=") { return String(argument.dropFirst(option.count + 1)) }
        }
        return nil
    }
}

/// The program's texts before a command has begun, or when it failed to begin, in the language of
/// the command's output.
struct EarlyWords {
    /// Empty if no core pack can be found; a failure then shows only its code and its arguments.
    let texts: Texts
    let language: Language
    /// The pack of the replica or of `--pack`.
    let pack: Pack?
    private let setting: EarlySetting

    /// The names of the packs from which to choose.
    var packNames: [String] {
        let locator = TemplatesLocator(
            option: setting.templates, environment: ProcessInfo.processInfo.environment,
            configured: setting.configuredTemplates)
        return (try? locator.locate()).map { PackLoader.names(in: $0) } ?? []
    }

    init(_ setting: EarlySetting) {
        let pack = Self.pack(setting)
        (self.setting, self.pack) = (setting, pack.known)
        texts = pack.known?.texts ?? pack.any?.texts ?? Self.coreTexts(setting) ?? Texts()
        language = setting.language(of: pack.known)
    }

    /// The pack of the replica or of `--pack`; else any usable pack, because every pack includes
    /// the core with the program's texts.
    private static func pack(_ setting: EarlySetting) -> (known: Pack?, any: Pack?) {
        let variables = ProcessInfo.processInfo.environment
        let locator = TemplatesLocator(
            option: setting.templates, environment: variables, configured: setting.configuredTemplates)
        guard let templates = try? locator.locate() else { return (nil, nil) }
        let core = TemplatesLocator.core(of: templates)
        let kept = KeptPacks(variables, program: ProgramVersion.build, templates: templates)
        if let name = packName(setting),
            let pack = try? PackLoader.loadSound(name, from: templates, coreIn: core, kept: kept)
        {
            return (pack.pack, nil)
        }
        for name in PackLoader.names(in: templates) {
            if let pack = try? PackLoader.loadSound(name, from: templates, coreIn: core, kept: kept) {
                return (nil, pack.pack)
            }
        }
        return (nil, nil)
    }

    /// The texts of the core pack, for use if no other pack can be loaded.
    private static func coreTexts(_ setting: EarlySetting) -> Texts? {
        let locator = TemplatesLocator(
            option: setting.templates, environment: ProcessInfo.processInfo.environment,
            configured: setting.configuredTemplates)
        // If the folder of packs is what is wrong, the program's own still has the words to say so.
        let shipped = TemplatesLocator(option: nil, environment: [:], configured: nil)
        guard let templates = (try? locator.locate()) ?? (try? shipped.locate()) else { return nil }
        return try? PackLoader.core(from: TemplatesLocator.core(of: templates) ?? templates).texts
    }

    /// The name of the command's pack, or else of any usable pack.
    static func anyPack(_ setting: EarlySetting) -> String? {
        let found = pack(setting)
        return (found.known ?? found.any)?.name
    }

    private static func packName(_ setting: EarlySetting) -> String? {
        if let stated = setting.packName { return stated }
        // If another process blocks the replica, the error message must not wait for it.
        guard FileManager.default.fileExists(atPath: setting.replicaPath) else { return nil }
        return try? Replica.packName(at: setting.replicaPath, waiting: 0)
    }
}
