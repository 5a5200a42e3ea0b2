import Importing
import Model

/// The texts of a drafted pack in one language, as YAML. Texts that equal their default
/// (`TextDefaults`) are left out.
struct DraftTexts {
    let draft: PackDraft
    let words: DraftWords
    let language: Language

    /// A text in single quotes, on one line.
    static func quoted(_ text: String) -> String { "'" + SuggestedYAML.line(text).replacing("'", with: "''") + "'" }

    func text() -> String {
        var pairs: [(String, String)] = [("pack.title", words.label(draft.title, draft.name, language))]
        pairs += PackDraftFiles.roles.map { ("role." + $0.name, words.word("role." + $0.name, language)) }
        if !draft.accepts.isEmpty || draft.tables.contains(where: { !$0.readings.isEmpty }) {
            pairs.append(
                (
                    "import." + DraftProducts.title(draft.name),
                    draft.source.isEmpty ? draft.name : DraftNames.cleaned(draft.source)
                ))
        }
        for table in draft.tables {
            let label = words.label(table.labels, table.name, language)
            pairs.append(("entity." + table.name, label))
            pairs += table.fields.map { field in
                let target = field.references.flatMap(draft.table)
                return (
                    "field.\(table.name).\(field.name)",
                    words.label(field.labels.isEmpty ? target?.labels ?? [:] : field.labels, field.name, language)
                )
            }
            if table.isPhotos {
                pairs += PackDraftFiles.photoFacts.map {
                    ("field.\(table.name).\($0)", words.word("label." + $0, language))
                }
            }
            for rule in table.rules { pairs += texts(of: rule, in: table) }
        }
        for vocabulary in draft.vocabularies {
            pairs += vocabulary.values.map {
                ("vocabulary.\(vocabulary.name).\($0.name)", words.label($0.labels, $0.name, language))
            }
        }
        return pairs.map { Self.key($0.0) + ": " + Self.quoted($0.1) + "\n" }.joined()
    }

    private static func key(_ key: String) -> String { SuggestedYAML.quoted(key) }

    private func texts(of rule: DraftTable.Rule, in table: DraftTable) -> [(String, String)] {
        let field = rule.field.flatMap { table.field($0) }
        let label =
            field.map { words.label($0.labels, $0.name, language) } ?? words.label(table.labels, table.name, language)
        let values = rule.arguments.map { name in
            (table.field(name).map { words.label($0.labels, $0.name, language) } ?? name) + ": {" + name + "}"
        }.joined(separator: ", ")
        let stated = rule.messages[language] ?? rule.messages.values.sorted().first
        let message =
            stated.map { "{key}: " + $0 } ?? "{key}: "
            + words.word("rule.message", language, ["condition": DraftNames.cleaned(rule.requirement)])
        return [
            ("rule." + rule.code, label), ("rule.\(rule.code).message", message + " (" + values + ")"),
            (
                "rule.\(rule.code).remedy",
                words.word("rule.remedy", language, ["condition": DraftNames.cleaned(rule.requirement)])
            ),
        ]
    }
}

/// The program's texts for drafted packs: those of the core whose keys begin with `draft.`.
struct DraftWords {
    let texts: Texts

    func word(_ key: String, _ language: Language, _ arguments: [String: String] = [:]) -> String {
        texts.text("draft." + key, in: language, arguments)
    }

    /// A note as lines of comment.
    func comment(_ note: DraftNote, _ language: Language, indent: String = "") -> String {
        indent + "# "
            + SuggestedYAML.line(word("note." + note.key, language, note.arguments)).split(whereSeparator: \.isNewline)
            .joined(separator: " ")
    }

    /// The label of a field or table in a language. If there is none, it is the program's label,
    /// else one in another language, else one made from the name.
    func label(_ labels: [Language: String], _ name: String, _ language: Language) -> String {
        if let own = labels[language], !own.isEmpty { return own }
        if let known = texts.textIfAny("draft.label." + name, in: language) { return known }
        return labels.sorted { $0.key.rawValue < $1.key.rawValue }.first { !$0.value.isEmpty }?.value
            ?? DraftNames.label(name)
    }
}

/// An open decision about a drafted pack, or one made on little evidence. It is written as a
/// comment in the pack's files. Text: `draft.note.KEY`.
struct DraftNote: Hashable {
    var key: String
    var arguments: [String: String] = [:]

    init(_ key: String, _ arguments: [String: String] = [:]) { (self.key, self.arguments) = (key, arguments) }
}
