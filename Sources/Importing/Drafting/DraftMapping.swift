import Model

/// The mapping of a drafted pack, which reads the source that it was drafted from, as YAML.
struct DraftMapping {
    let draft: PackDraft
    let words: DraftWords
    let language: Language

    /// Nil where nothing can be read.
    func text() -> String? {
        let order = draft.tables.flatMap { table in table.readings.map(\.table) }.reduce(into: [String]()) { if !$0.contains($1) { $0.append($1) } }
        guard !order.isEmpty else { return nil }
        var text = "import: \(DraftProducts.title(draft.name))\n"
        if !draft.accepts.isEmpty { text += "accepts: \(SuggestedYAML.list(draft.accepts))\n" }
        if !draft.tables.contains(where: { $0.name == draft.project.table && !$0.readings.isEmpty }) { text += words.comment(DraftNote("project_option"), language) + "\n" }
        text += "tables:\n"
        for source in order {
            var head: [String] = []
            let givers = draft.tables.flatMap { table in table.readings.filter { $0.table == source }.map { (table, $0) } }
            guard let first = givers.first?.1 else { continue }
            if first.isNamed { head.append("tables: [\(SuggestedYAML.quoted(source))]") }
            head += givers.flatMap(\.1.head).reduce(into: [String]()) { if !$0.contains($1) { $0.append($1) } }
            head.append("rows:")
            text += head.enumerated().map { ($0.offset == 0 ? "  - " : "    ") + $0.element + "\n" }.joined()
            for (table, reading) in givers { text += row(table, reading) }
        }
        return text
    }

    private func row(_ table: DraftTable, _ reading: DraftTable.RowOrigin) -> String {
        var text = "      - entity: \(table.name)\n"
        if table.idReading == nil { text += "        key: [\(reading.key.joined(separator: ", "))]\n" }
        if reading.repeats { text += "        repeats: true\n" }
        if !reading.requires.isEmpty { text += "        requires: \(SuggestedYAML.list(reading.requires))\n" }
        if let photo = reading.photo { text += "        photo: \(photo)\n" }
        text += "        fields:\n"
        if let id = table.idReading { text += "          id: \(id)\n" }
        for field in table.fields {
            guard let value = reading.values[field.name] ?? field.reading else { continue }
            text += "          \(field.name): \(value)\n"
        }
        for (name, value) in reading.values.sorted(by: { $0.key < $1.key }) where table.field(name) == nil { text += "          \(name): \(value)\n" }
        return text
    }
}
