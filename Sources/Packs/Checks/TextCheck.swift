internal import Foundation
internal import Model

/// Checks that every text that the pack needs stands in every language, that nothing else does, and that placeholders can be filled.
struct TextCheck {
    let context: CheckContext
    let files: [PackFolder.File]
    /// The pack's folder.
    let name: String

    /// Families of keys that packs and the core's tables ask for. Whatever else the core holds are words of the program
    /// (`error.…`, `cover.…`, `word.…`), of which only this is known: a key in one language must stand in all.
    private static let families: Set<String> = [
        "entity", "export", "field", "finding", "import", "job", "label", "pack", "privacy", "record", "role", "rule", "vocabulary",
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
            needed.core + core.flatMap { $0.root.pairs.map(\.key) }.filter(Self.isOfProgram).flatMap(Self.withCompanion))
        for language in context.pack.languages {
            let code = language.rawValue
            let given = Set((core + pack).filter { $0.stem == code }.flatMap { file in file.root.pairs.map { file.keyPrefix + $0.key } })
            checkReportTexts(texts, language)
            for (layer, files, keys) in [(PackFolder.coreName, core, needed.core), (name, pack, needed.pack)] {
                let path = "\(layer)/texts/\(code).yaml"
                guard files.contains(where: { $0.stem == code && $0.report == nil }) else {
                    context.mistakes.add(.missingFile, at: PackPlace(file: path), ["name": path])
                    continue
                }
                for key in keys where !given.contains(key) {
                    context.mistakes.add(.missingText, at: PackPlace(file: path), ["key": key, "language": code])
                }
            }
        }
        let coreKeys = Set(core.flatMap { $0.root.pairs.map(\.key) })
        // A mapping that has its title in its own file may be given one here all the same.
        let titled = context.pack.imports.map { "import." + $0.name }
        let known = (core: Set(needed.core).union(needed.pack), pack: Set(needed.core).union(needed.pack).union(coreKeys).union(titled))
        // Those of a report are held against its template's own words.
        for file in texts where file.report == nil {
            if !file.isCore, let language = Language(rawValue: file.stem), !context.pack.languages.contains(language) {
                context.mistakes.add(.unknownFile, at: file.place, ["name": file.stem + ".yaml"])
            }
            for pair in file.root.pairs { checkText(pair, file.isCore ? known.core : known.pack, isCore: file.isCore) }
        }
        for layer in [core, pack.filter { $0.report == nil }] + context.pack.reports.map({ report in texts.filter { $0.report == report.name } }) {
            comparePlaceholders(layer)
        }
    }

    /// A message quotes the same in each language as in the first.
    private func comparePlaceholders(_ files: [PackFolder.File]) {
        guard let first = context.pack.languages.first?.rawValue else { return }
        // Most texts have no placeholder, and every command reads them all.
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
                    .unlikePlaceholders, at: pair.value.place, ["key": pair.key, "found": list(found), "expected": list(wanted), "other": first])
            }
        }
    }

    /// A key of a report in one language must stand in every one; each report has a title.
    private func checkReportTexts(_ texts: [PackFolder.File], _ language: Language) {
        for report in context.pack.reports.map(\.name) {
            let own = texts.filter { $0.report == report }
            let path = "\(name)/reports/\(report)/\(language.rawValue).yaml"
            let given = Set(own.filter { $0.stem == language.rawValue }.flatMap { $0.root.pairs.map(\.key) })
            for key in unique(["title"] + own.flatMap { $0.root.pairs.map(\.key) }) where !given.contains(key) {
                context.mistakes.add(.missingText, at: PackPlace(file: path), ["key": key, "language": language.rawValue])
            }
        }
    }

    private func checkText(_ pair: YAMLNode.Pair, _ known: Set<String>, isCore: Bool) {
        if !known.contains(pair.key), !(isCore && Self.isOfProgram(pair.key)) {
            var arguments = ["key": pair.key]
            arguments["nearest"] = Spelling.nearest(to: pair.key, among: known)
            return context.mistakes.add(.unknownText, at: pair.keyPlace, arguments)
        }
        // Most texts have no placeholder: then nobody asks which ones may stand there.
        guard let text = pair.value.text, text.utf8.contains(UInt8(ascii: "{")), let allowed = allowedPlaceholders(of: pair.key) else { return }
        for name in Self.placeholders(in: text) where !allowed.contains(name) {
            var arguments = [
                "placeholder": "{\(name)}", "key": pair.key, "known": allowed.map { "{\($0)}" }.joined(separator: ", "),
            ]
            arguments["nearest"] = Spelling.nearest(to: name, among: allowed)
            context.mistakes.add(.placeholder, at: pair.value.place, arguments)
        }
    }

    /// What a message of a rule or finding may quote; nil for texts whose placeholders are not declared.
    private func allowedPlaceholders(of key: String) -> [String]? {
        let parts = key.utf8.split(separator: UInt8(ascii: "."))
        guard parts.count > 1, let code = String(parts[1]) else { return nil }
        switch String(parts[0]) {
        case "rule":
            guard let rule = context.pack.rules.first(where: { $0.code == code }) else { return nil }
            if case .count = rule.check { return ["key", "field", "count", "minimum", "maximum"] + rule.arguments }
            return ["key", "field"] + rule.arguments
        case "finding":
            return FindingCatalogue.declarations.first { $0.code == code }.map { ["table", "key", "field"] + $0.arguments }
        default:
            return nil
        }
    }

    /// Names between braces, in order of appearance. By bytes: thousands of texts are looked through before a command begins.
    static func placeholders(in text: String) -> [String] {
        text.utf8.split(separator: UInt8(ascii: "{"), omittingEmptySubsequences: false).dropFirst().compactMap { rest in
            rest.firstIndex(of: UInt8(ascii: "}")).map { String(Texts.name(ofPlaceholder: Substring(rest[..<$0]))) }
        }
    }

    /// The keys that must exist, by the layer whose files must hold them.
    private func neededKeys() -> (core: [String], pack: [String]) {
        let pack = context.pack
        var core: [String] = []
        var own = ["pack.title"]
        own += pack.records.map { "record." + $0.name } + pack.roles.map { "role." + $0.name }
        own += pack.privacyClasses.map { "privacy." + $0 }
        for entity in pack.entities {
            let keys = [entity.textKey, entity.textKey + ".one"] + entity.fields.map { entity.textKey(of: $0) }
            if entity.isCore { core += keys } else { own += keys }
        }
        let coreVocabularies = Set(files.filter { $0.kind == .vocabulary && $0.isCore }.compactMap { $0.root.text("vocabulary") })
        for vocabulary in pack.vocabularies {
            let keys = vocabulary.values.map { vocabulary.textKey(of: $0) }
            if coreVocabularies.contains(vocabulary.name) { core += keys } else { own += keys }
        }
        let coreRules = Set(
            files.filter { $0.kind == .rules && $0.isCore }.flatMap { $0.root.items("rules").compactMap { $0.text("code") } })
        for rule in pack.rules {
            // Findings about photos have texts of the program's own.
            let keys = rule.findingCodes == [rule.code] ? Self.keys(of: "rule." + rule.code) : ["rule." + rule.code]
            if coreRules.contains(rule.code) { core += keys } else { own += keys }
        }
        for export in pack.exports {
            own.append("export." + export.name)
            own += export.sheets.map { "sheet.\(export.name).\($0.name)" }
            own += export.sheets.flatMap { $0.columns.compactMap(\.labelKey) }
        }
        own += pack.imports.filter(\.titles.isEmpty).map { "import." + $0.name }
        own += pack.jobs.map { "job." + $0.name }
        for declaration in FindingCatalogue.declarations { core += Self.keys(of: "finding." + declaration.code) }
        return (unique(core), unique(own))
    }

    /// An error's message goes with a remedy.
    private static func withCompanion(_ key: String) -> [String] {
        guard key.hasPrefix("error."), key.hasSuffix(".message") else { return [key] }
        return [key, key.dropLast("message".count) + "remedy"]
    }

    /// Title, message and remedy.
    private static func keys(of code: String) -> [String] { [code, code + ".message", code + ".remedy"] }

    private func unique(_ keys: [String]) -> [String] {
        var seen: Set<String> = []
        return keys.filter { seen.insert($0).inserted }
    }
}
