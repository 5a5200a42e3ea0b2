internal import Model

/// Makes forms of `imports/*.yaml`.
struct FormBuilder {
    let target: (YAMLNode) -> ImportMapping.Target?

    func form(_ node: YAMLNode) -> ImportMapping.Form {
        .init(
            names: node.texts("sheets"), takesHidden: node["hidden"]?.boolean ?? false,
            start: node.text("start").flatMap(SheetCell.init) ?? SheetCell(row: 0, column: 0),
            every: .init(rows: node["every"]?["rows"]?.integer, columns: node["every"]?["columns"]?.integer), present: node.texts("present"),
            values: (node["values"]?.pairs ?? []).map(Self.value), tables: (node["tables"]?.pairs ?? []).map(Self.table),
            picturesBelow: ImportBuilder.headings(node["picturesBelow"]), columns: (node["columns"]?.pairs ?? []).map(ImportBuilder.column),
            filter: node.expression("where"),
            rows: node.items("rows").compactMap { row in target(row).map { .init(of: Self.of(row.text("of")), $0) } })
    }

    static func value(_ pair: YAMLNode.Pair) -> ImportMapping.FormValue {
        let node = pair.value
        if let cell = node.text("cell").flatMap(SheetCell.init) { return .init(pair.key, .cell(cell)) }
        let labels = ImportBuilder.headings(node["label"] ?? node)
        return .init(
            pair.key, .label(labels, side(node["at"]), within: ImportBuilder.headings(node["within"])),
            isOptional: node["optional"]?.boolean ?? false)
    }

    private static func side(_ node: YAMLNode?) -> ImportMapping.FormValue.Side {
        switch node?.text {
        case "below": return .below
        case "same": return .same
        default:
            guard let row = node?["row"]?.integer else { return .right }
            return .away(rows: row, columns: node?["column"]?.integer ?? 0)
        }
    }

    static func table(_ pair: YAMLNode.Pair) -> ImportMapping.FormTable {
        .init(
            pair.key, columns: (pair.value["columns"]?.pairs ?? []).map { ($0.key, ImportBuilder.headings($0.value)) },
            headingRows: pair.value["headingRows"]?.integer, isSideways: pair.value["sideways"]?.boolean ?? false,
            until: ImportBuilder.headings(pair.value["until"]))
    }

    static func of(_ name: String?) -> ImportMapping.FormTarget.Of {
        switch name {
        case nil: .form
        case "pictures": .pictures
        case "links": .links
        case .some(let name): .table(name)
        }
    }
}
