import Model

/// The texts of a drafted pack in one language, as YAML, without those for which others stand in
/// (`TextDefaults`).
struct DraftTexts {
    let draft: PackDraft
    let words: DraftWords
    let language: Language

    /// A text in single quotes, whatever it has.
    static func quoted(_ text: String) -> String { "'" + SuggestedYAML.line(text).replacing("'", with: "''") + "'" }

    func text() -> String {
        var pairs: [(String, String)] = [("pack.title", words.label(draft.title, draft.name, language))]
        pairs += PackDraftFiles.roles.map { ("role." + $0.name, words.word("role." + $0.name, language)) }
        if !draft.accepts.isEmpty || draft.tables.contains(where: { !$0.readings.isEmpty }) { pairs.append(("import." + DraftProducts.title(draft.name), draft.source.isEmpty ? draft.name : DraftNames.cleaned(draft.source))) }
        for table in draft.tables {
            let label = words.label(table.labels, table.name, language)
            pairs.append(("entity." + table.name, label))
            pairs += table.fields.map { field in
                let target = field.references.flatMap(draft.table)
                return ("field.\(table.name).\(field.name)", words.label(field.labels.isEmpty ? target?.labels ?? [:] : field.labels, field.name, language))
            }
            if table.isPhotos { pairs += PackDraftFiles.photoFacts.map { ("field.\(table.name).\($0)", words.word("label." + $0, language)) } }
            for rule in table.rules { pairs += texts(of: rule, in: table) }
        }
        for vocabulary in draft.vocabularies {
            pairs += vocabulary.values.map { ("vocabulary.\(vocabulary.name).\($0.name)", words.label($0.labels, $0.name, language)) }
        }
        return pairs.map { Self.key($0.0) + ": " + Self.quoted($0.1) + "\n" }.joined()
    }

    private static func key(_ key: String) -> String { SuggestedYAML.quoted(key) }

    private func texts(of rule: DraftTable.Rule, in table: DraftTable) -> [(String, String)] {
        let field = rule.field.flatMap { table.field($0) }
        let label = field.map { words.label($0.labels, $0.name, language) } ?? words.label(table.labels, table.name, language)
        let values = rule.arguments.map { name in (table.field(name).map { words.label($0.labels, $0.name, language) } ?? name) + ": {" + name + "}" }.joined(separator: ", ")
        let stated = rule.messages[language] ?? rule.messages.values.sorted().first
        let message = stated.map { "{key}: " + $0 } ?? "{key}: " + words.word("rule.message", language, ["condition": DraftNames.cleaned(rule.requirement)])
        return [
            ("rule." + rule.code, label), ("rule.\(rule.code).message", message + " (" + values + ")"),
            ("rule.\(rule.code).remedy", words.word("rule.remedy", language, ["condition": DraftNames.cleaned(rule.requirement)])),
        ]
    }
}
