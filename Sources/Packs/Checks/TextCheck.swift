internal import Foundation
internal import Model

/// Checks that every text that the pack needs exists in every language, that there are no further
/// texts, and that every placeholder has a value.
struct TextCheck {
    let context: CheckContext
    let files: [PackFolder.File]
    /// The pack's name.
    let name: String

    /// The families of keys for packs and the core's tables. The core's other texts are the
    /// program's (`error.…`, `cover.…`, `word.…`). Of those, only one thing is checked: a key in
    /// one language must exist in all.
    private static let families: Set<String> = [
        "entity", "export", "field", "finding", "import", "job", "label", "pack", "privacy", "record", "role", "rule",
        "vocabulary",
    ]

    private static func isOfProgram(_ key: String) -> Bool {
        !families.contains(String(key.prefix { $0 != "." }))
    }

    func check() {
        let texts = files.filter { $0.kind == .texts }
        let pack = texts.filter { !$0.isCore }
        let core = texts.filter(\.isCore)
        var needed = neededKeys()
        needed.core = unique(
            needed.core + core.flatMap { $0.root.pairs.map(\.key) }.filter(Self.isOfProgram).flatMap(Self.withCompanion)
        )
        let layers = [
            Layer(name: PackFolder.coreName, files: core, needed: needed.core),
            Layer(name: name, files: pack, needed: needed.pack),
        ]
        let shortest = TextDefaults.shortest(context.pack)
        for language in context.pack.languages {
            let given = givenKeys(in: core + pack, language)
            checkReportTexts(texts, language)
            checkTwice(texts, language)
            for layer in layers { checkMissing(layer, given, shortest, language) }
        }
        let known = knownKeys(core, needed: Set(needed.core).union(needed.pack))
        // A report's texts are compared with its template instead.
        for file in texts where file.report == nil {
            checkLanguage(of: file)
            for pair in file.root.pairs { checkText(pair, file.isCore ? known.core : known.pack, isCore: file.isCore) }
        }
        for layer in [core, pack.filter { $0.report == nil }]
            + context.pack.reports.map({ report in texts.filter { $0.report == report.name } })
        {
            comparePlaceholders(layer)
        }
    }

    /// The text files of the core or of the pack, with the keys that they must contain.
    private struct Layer {
        let name: String
        let files: [PackFolder.File]
        let needed: [String]
    }

    private func givenKeys(in files: [PackFolder.File], _ language: Language) -> Set<String> {
        Set(
            files.filter { $0.stem == language.rawValue }.flatMap { file in
                file.root.pairs.map { file.keyPrefix + $0.key }
            })
    }

    /// Checks that a layer has every text that it needs in a language, unless a default replaces it.
    ///
    /// - Parameter shortest: the text to ask for, where one stands in for several.
    private func checkMissing(
        _ layer: Layer, _ given: Set<String>, _ shortest: [String: String], _ language: Language
    ) {
        let code = language.rawValue
        let own = layer.files.first { $0.stem == code && $0.report == nil }
        let path = own?.path ?? "\(layer.name)/texts/\(code).yaml"
        let missing = unique(
            layer.needed.filter { !given.contains($0) && context.pack.texts.textIfAny($0, in: language) == nil }.map {
                shortest[$0] ?? $0
            })
        guard own != nil else {
            // One mistake lists everything that the file must contain.
            return context.mistakes.add(
                .missingFile, at: PackPlace(file: path),
                ["name": path, "language": code, "keys": missing.joined(separator: " ")])
        }
        for key in missing {
            context.mistakes.add(.missingText, at: PackPlace(file: path), ["key": key, "language": code])
        }
    }

    /// The keys that the files of the core and of the pack may contain.
    private func knownKeys(_ core: [PackFolder.File], needed: Set<String>) -> (core: Set<String>, pack: Set<String>) {
        let coreKeys = Set(core.flatMap { $0.root.pairs.map(\.key) })
        let shared = TextDefaults.shared(context.pack).union(Pack.usualPrivacyClasses.map { "privacy." + $0 })
        // A mapping with a title in its file may also have one in the texts.
        let titled = context.pack.imports.flatMap { mapping in
            ["import." + mapping.name] + mapping.options.map(mapping.textKey)
        }
        return (core: needed.union(shared), pack: needed.union(coreKeys).union(titled).union(shared))
    }

    /// Checks that the pack has the language of its text file.
    private func checkLanguage(of file: PackFolder.File) {
        guard !file.isCore, file.language == nil, let language = Language(rawValue: file.stem),
            !context.pack.languages.contains(language)
        else { return }
        context.mistakes.add(.unknownFile, at: file.place, ["name": file.stem + ".yaml"])
    }

    /// Checks that each language has the same placeholders as the first.
    private func comparePlaceholders(_ files: [PackFolder.File]) {
        guard let first = context.pack.languages.first?.rawValue else { return }
        // Most texts have no placeholder, and every command checks all texts, so this must be fast.
        func names(_ pair: YAMLNode.Pair) -> Set<String> {
            guard let text = pair.value.text, text.utf8.contains(UInt8(ascii: "{")) else { return [] }
            return Set(Self.placeholders(in: text))
        }
        let keys = files.filter { $0.stem == first }.flatMap(\.root.pairs)
        var expected: [String: Set<String>] = [:]
        for pair in keys {
            let names = names(pair)
            if !names.isEmpty { expected[pair.key] = names }
        }
        func list(_ names: Set<String>) -> String { names.isEmpty ? "—" : names.sorted().joined(separator: ", ") }
        for file in files where file.stem != first {
            for pair in file.root.pairs {
                let (found, wanted) = (names(pair), expected[pair.key] ?? [])
                guard found != wanted, !wanted.isEmpty || keys.contains(where: { $0.key == pair.key }) else { continue }
                context.mistakes.add(
                    .unlikePlaceholders, at: pair.value.place,
                    ["key": pair.key, "found": list(found), "expected": list(wanted), "other": first])
            }
        }
    }

    /// Checks that no key is in two files of a folder: one text would silently replace the other.
    private func checkTwice(_ texts: [PackFolder.File], _ language: Language) {
        let folders = Dictionary(grouping: texts.filter { $0.stem == language.rawValue }) {
            ($0.isCore ? "core." : "") + $0.keyPrefix
        }
        for files in folders.values where files.count > 1 {
            var names = NameRegister(kind: .textKey, mistakes: context.mistakes)
            for pair in files.flatMap(\.root.pairs) { names.add(pair.key, at: pair.keyPlace) }
        }
    }

    /// Checks that a report's key in one language exists in all, and that each report has a title.
    private func checkReportTexts(_ texts: [PackFolder.File], _ language: Language) {
        for report in context.pack.reports.map(\.name) {
            let own = texts.filter { $0.report == report }
            let path =
                own.first { $0.stem == language.rawValue }?.path
                ?? "\(name)/reports/\(report)/\(language.rawValue).yaml"
            let given = Set(own.filter { $0.stem == language.rawValue }.flatMap { $0.root.pairs.map(\.key) })
            for key in unique(["title"] + own.flatMap { $0.root.pairs.map(\.key) }) where !given.contains(key) {
                context.mistakes.add(
                    .missingText, at: PackPlace(file: path), ["key": key, "language": language.rawValue])
            }
        }
    }

    private func checkText(_ pair: YAMLNode.Pair, _ known: Set<String>, isCore: Bool) {
        if !known.contains(pair.key), !(isCore && Self.isOfProgram(pair.key)) {
            var arguments = ["key": pair.key]
            arguments["nearest"] = Spelling.nearest(to: pair.key, among: known)
            return context.mistakes.add(.unknownText, at: pair.keyPlace, arguments)
        }
        // Most texts have no placeholder, and need no further check.
        guard let text = pair.value.text, text.utf8.contains(UInt8(ascii: "{")),
            let allowed = allowedPlaceholders(of: pair.key)
        else { return }
        for name in Self.placeholders(in: text) where !allowed.contains(name) {
            var arguments = [
                "placeholder": "{\(name)}", "key": pair.key, "known": allowed.map { "{\($0)}" }.joined(separator: ", "),
            ]
            arguments["nearest"] = Spelling.nearest(to: name, among: allowed)
            context.mistakes.add(.placeholder, at: pair.value.place, arguments)
        }
    }

    /// The allowed placeholders in a message of a rule or finding; nil for texts without a
    /// declaration.
    private func allowedPlaceholders(of key: String) -> [String]? {
        let parts = key.utf8.split(separator: UInt8(ascii: "."))
        guard parts.count > 1, let code = String(parts[1]) else { return nil }
        switch String(parts[0]) {
        case "rule":
            guard let rule = context.pack.rules.first(where: { $0.code == code }) else {
                let arguments = context.pack.refusals.filter { $0.code == code }.map(\.arguments)
                return arguments.first.map { $0.filter { name in arguments.allSatisfy { $0.contains(name) } } }
            }
            if case .count = rule.check { return ["key", "field", "count", "minimum", "maximum"] + rule.arguments }
            return ["key", "field"] + rule.arguments
        case "finding":
            return FindingCatalogue.declarations.first { $0.code == code }.map {
                ["table", "key", "field"] + $0.arguments
            }
        default:
            return nil
        }
    }

    /// The names between braces, in order of appearance. Bytes are compared, since a command checks
    /// thousands of texts before it begins.
    static func placeholders(in text: String) -> [String] {
        text.utf8.split(separator: UInt8(ascii: "{"), omittingEmptySubsequences: false).dropFirst().compactMap { rest in
            rest.firstIndex(of: UInt8(ascii: "}")).map { String(Texts.name(ofPlaceholder: Substring(rest[..<$0]))) }
        }
    }

    /// The required keys, by the layer whose files must contain them.
    func neededKeys() -> (core: [String], pack: [String]) {
        let pack = context.pack
        var core: [String] = []
        var own = ["pack.title"]
        own += pack.records.map { "record." + $0.name } + pack.roles.map { "role." + $0.name }
        own += pack.privacyClasses.map { "privacy." + $0 }
        for entity in pack.entities {
            let keys = [entity.textKey, entity.textKey + ".one"] + entity.fields.map { entity.textKey(of: $0) }
            if entity.isCore { core += keys } else { own += keys }
        }
        let coreVocabularies = Set(
            files.filter { $0.kind == .vocabulary && $0.isCore }.compactMap { $0.root.text("vocabulary") })
        for vocabulary in pack.vocabularies {
            let keys = vocabulary.values.map { vocabulary.textKey(of: $0) }
            if coreVocabularies.contains(vocabulary.name) { core += keys } else { own += keys }
        }
        let coreRules = Set(
            files.filter { $0.kind == .rules && $0.isCore }.flatMap {
                $0.root.items("rules").compactMap { $0.text("code") }
            })
        for rule in pack.rules {
            // The findings of photo rules use the program's texts.
            let keys = rule.findingCodes == [rule.code] ? Self.keys(of: "rule." + rule.code) : ["rule." + rule.code]
            if coreRules.contains(rule.code) { core += keys } else { own += keys }
        }
        for export in pack.exports {
            own.append("export." + export.name)
            own += export.sheets.map { "sheet.\(export.name).\($0.name)" }
            own += export.sheets.flatMap {
                $0.columns.compactMap(\.labelKey)
                    + ($0.query?.columns.map(\.labelKey).filter { !$0.hasPrefix("field.") } ?? [])
            }
        }
        own += pack.imports.filter(\.titles.isEmpty).map { "import." + $0.name }
        own += pack.imports.flatMap { mapping in mapping.options.filter(\.titles.isEmpty).map(mapping.textKey) }
        own += pack.refusals.flatMap { Self.keys(of: "rule." + $0.code) }
        own += pack.jobs.map { "job." + $0.name }
        for declaration in FindingCatalogue.declarations { core += Self.keys(of: "finding." + declaration.code) }
        core += PackMistake.textKeys
        return (unique(core), unique(own))
    }

    /// The key, and for an error's message also the key of the remedy.
    private static func withCompanion(_ key: String) -> [String] {
        guard key.hasPrefix("error."), key.hasSuffix(".message") else { return [key] }
        return [key, key.dropLast("message".count) + "remedy"]
    }

    /// The keys of title, message and remedy.
    private static func keys(of code: String) -> [String] { [code, code + ".message", code + ".remedy"] }

    private func unique(_ keys: [String]) -> [String] {
        var seen: Set<String> = []
        return keys.filter { seen.insert($0).inserted }
    }
}
