import Foundation
import Model
import Packs
import Replica

/// The program's texts before a command has begun, or when it failed to begin, in the language in
/// which it would have answered.
struct EarlyWords {
    /// Empty if no templates can be found: then a failure shows its code and its arguments.
    let texts: Texts
    let language: Language

    init(_ setting: EarlySetting) {
        let pack = Self.pack(setting)
        texts = pack.known?.texts ?? pack.any?.texts ?? Texts()
        language = setting.language(of: pack.known)
    }

    /// The pack of the replica, or the one to be used for a new replica; else any sound pack,
    /// because every pack is based on the core, which holds the program's texts.
    private static func pack(_ setting: EarlySetting) -> (known: Pack?, any: Pack?) {
        let variables = ProcessInfo.processInfo.environment
        let locator = TemplatesLocator(option: setting.templates, environment: variables, configured: setting.configuredTemplates)
        guard let templates = try? locator.locate() else { return (nil, nil) }
        let core = TemplatesLocator.core(of: templates)
        let kept = KeptPacks(variables, program: ProgramVersion.build, templates: templates)
        if let name = packName(setting), let pack = try? PackLoader.loadSound(name, from: templates, coreIn: core, kept: kept) { return (pack.pack, nil) }
        for name in PackLoader.names(in: templates) {
            if let pack = try? PackLoader.loadSound(name, from: templates, coreIn: core, kept: kept) { return (nil, pack.pack) }
        }
        return (nil, nil)
    }

    /// The name of any sound pack.
    static func anyPack(_ setting: EarlySetting) -> String? {
        let found = pack(setting)
        return (found.known ?? found.any)?.name
    }

    private static func packName(_ setting: EarlySetting) -> String? {
        if let stated = setting.packName { return stated }
        // A replica that cannot be read at once must not delay an error message.
        guard FileManager.default.fileExists(atPath: setting.replicaPath) else { return nil }
        return try? Replica.packName(at: setting.replicaPath, waiting: 0)
    }
}
