internal import Model

/// Checks a form of a mapping beyond its shape: its cells, and the names of values, columns and
/// tables.
struct FormCheck {
    let context: CheckContext
    /// Checks one of the form's `rows`, with the columns that its expressions may use.
    let row: (YAMLNode, Entity) -> Void

    func check(_ form: YAMLNode) {
        checkCell(form["start"], "start")
        if let every = form["every"], every["rows"] == nil, every["columns"] == nil {
            context.mistakes.add(.missingKey, at: every.place, ["key": "rows"])
        }
        let values = form["values"]?.pairs ?? []
        for pair in values { checkCell(pair.value["cell"], "cell") }
        let valueNames = values.map(\.key)
        for name in form.items("present") { checkName(name, valueNames) }
        let tables = form.plainPairs("tables").map { ImportMapping.FormTable($0) }
        let all = valueNames + tables.flatMap { $0.columns.map(\.name) } + ImportMapping.FormTarget.photoColumns
        for pair in form["columns"]?.pairs ?? [] { checkNames(pair.value["column"] ?? pair.value, all) }
        let columns = ImportMapping.Column.entity(form.plainPairs("columns").map { ImportMapping.Column($0) })
        context.condition(form["where"], over: columns)
        for node in form.items("rows") {
            row(node, columns)
            checkNames(of: node, valueNames + columnNames(of: node["of"], tables))
        }
    }

    /// The columns of a row besides the form's values.
    private func columnNames(of node: YAMLNode?, _ tables: [ImportMapping.FormTable]) -> [String] {
        guard let node, let name = node.text else { return [] }
        switch ImportMapping.FormTarget.Of(name) {
        case .form: return []
        case .pictures, .links: return ImportMapping.FormTarget.photoColumns
        case .table:
            if let table = tables.first(where: { $0.name == name }) { return table.columns.map(\.name) }
            context.mistakes.addUnknown(name, .value, at: node.place, known: tables.map(\.name) + ["pictures", "links"])
            return []
        }
    }

    private func checkNames(of row: YAMLNode, _ known: [String]) {
        for heading in row.items("requires") { checkName(heading, known) }
        checkNames(row["photo"]?["column"], known)
        for pair in row["fields"]?.pairs ?? [] { checkValue(pair.value, known) }
    }

    private func checkValue(_ node: YAMLNode, _ known: [String]) {
        if node.text != nil { return checkName(node, known) }
        checkNames(node["column"], known)
        // The value in `unless` may be missing from every form, since people fill it in by hand in
        // a rejected row.
        for key in ["above", "thickness"] { checkNames(node[key], known) }
        for key in ["join", "ordinal", "within"] { node.items(key).forEach { checkName($0, known) } }
        if node["from"] != nil { node.items("by").forEach { checkName($0, known) } }
        if node["parent"] != nil { (node["by"]?.pairs ?? []).forEach { checkValue($0.value, known) } }
    }

    private func checkNames(_ node: YAMLNode?, _ known: [String]) {
        guard let node else { return }
        if node.text != nil { checkName(node, known) } else { node.items.forEach { checkName($0, known) } }
    }

    /// Checks a name in the form. Unlike an imported file's headings, these names are defined in
    /// the mapping, so an unknown one is a mistake.
    private func checkName(_ node: YAMLNode, _ known: [String]) {
        guard let name = node.text, !name.contains("{n}"), !known.contains(name) else { return }
        context.mistakes.addUnknown(name, .value, at: node.place, known: known)
    }

    private func checkCell(_ node: YAMLNode?, _ key: String) {
        guard let node, let text = node.text, SheetCell(text) == nil else { return }
        context.mistakes.add(.badValue, at: node.place, ["key": key, "value": text, "allowed": "A1 … XFD1048576"])
    }
}
