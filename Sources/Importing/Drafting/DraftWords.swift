import Model

/// The program's own words in a drafted pack: texts `draft.…` of the core.
struct DraftWords {
    let texts: Texts

    func word(_ key: String, _ language: Language, _ arguments: [String: String] = [:]) -> String {
        texts.text("draft." + key, in: language, arguments)
    }

    /// A note as lines of comment.
    func comment(_ note: DraftNote, _ language: Language, indent: String = "") -> String {
        indent + "# " + SuggestedYAML.line(word("note." + note.key, language, note.arguments)).split(whereSeparator: \.isNewline).joined(separator: " ")
    }

    /// The label of a field or table in a language: its own, then that of the program, then what
    /// its name says.
    func label(_ labels: [Language: String], _ name: String, _ language: Language) -> String {
        if let own = labels[language], !own.isEmpty { return own }
        if let known = texts.textIfAny("draft.label." + name, in: language) { return known }
        return labels.sorted { $0.key.rawValue < $1.key.rawValue }.first { !$0.value.isEmpty }?.value ?? DraftNames.label(name)
    }
}
