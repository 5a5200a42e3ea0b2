import Model

/// SQL for a value as the sheets of an export show it: a list as one text, and what is computed
/// with the decimals that its column states.
struct SheetValueSQL {
    let pack: Pack
    /// The language of the labels that take the place of a vocabulary's words; nil: the words stay.
    var labels: Language?

    func sql(_ column: String, type: FieldType, vocabulary: String?) -> String {
        guard type == .list else { return label(of: column, vocabulary) ?? column }
        guard let label = label(of: "j.value", vocabulary) else { return "joined(\(column))" }
        let labels = "SELECT json_group_array(\(label)) FROM \(ReadSession.items(of: column)) AS j"
        return "CASE WHEN json_valid(\(column)) AND json_type(\(column)) = 'array' THEN joined((\(labels))) ELSE \(column) END"
    }

    /// A column of a pack's query, under its own name.
    func sql(_ column: QueryColumn) -> String {
        let name = SQLText.name(column.name)
        var value = sql(name, type: column.type, vocabulary: column.vocabulary)
        // What was stored keeps all its digits, unless the column states fewer itself.
        if let decimals = column.roundedTo { value = "CASE typeof(\(value)) WHEN 'real' THEN round(\(value), \(decimals)) ELSE \(value) END" }
        return value == name ? name : value + " AS " + name
    }

    /// The label of a word; a value that the vocabulary does not have stays as it is.
    private func label(of column: String, _ name: String?) -> String? {
        guard let labels, let vocabulary = name.flatMap({ pack.vocabulary($0) }) else { return nil }
        let cases = vocabulary.values.compactMap { value in
            pack.texts.textIfAny(vocabulary.textKey(of: value), in: labels).map { " WHEN \(SQLText.literal(value)) THEN \(SQLText.literal($0))" }
        }
        return cases.isEmpty ? nil : "CASE \(column)\(cases.joined()) ELSE \(column) END"
    }
}
