internal import Model

/// Makes exports of `exports/*.yaml`.
struct ExportBuilder {
    func export(_ node: YAMLNode) -> ExportDefinition? {
        guard let name = node.text("export"), let record = node.text("record") else { return nil }
        return ExportDefinition(
            name: name, record: record, formats: node.texts("formats").compactMap(ExportFormat.init),
            onRequest: node.texts("onRequest").compactMap(ExportFormat.init), sheets: node.items("sheets").compactMap(sheet), policy: node.word("policy", FindingsPolicy.self) ?? .withholdRecords,
            delivers: node["delivers"]?.boolean ?? false,
            finalWhen: node.expression("finalWhen"), bundle: node["bundle"].map(bundle))
    }

    private func bundle(_ node: YAMLNode) -> ExportDefinition.Bundle {
        .init(
            exports: node.texts("exports"), formats: node.texts("formats").compactMap(ExportFormat.init),
            photoEntity: node["photos"]?.text("entity"), photoName: node["photos"]?.text("name"))
    }

    private func sheet(_ node: YAMLNode) -> ExportSheet? {
        guard let name = node.text("sheet"), let entity = node.text("entity") else { return nil }
        return ExportSheet(
            name: name, entity: entity, rows: node.word("rows", ExportSheet.Rows.self) ?? .record, forEach: node.path("forEach"),
            eachName: node.text("eachName"), columns: node.items("columns").compactMap { Self.column($0) },
            order: node.texts("order").map { FieldPath($0) })
    }

    static func column(_ node: YAMLNode) -> ExportColumn? {
        if let text = node.text {
            return .field(FieldPath(text), name: defaultName(text), label: nil, isLink: false)
        }
        let label = node.text("label")
        if let field = node.text("field") {
            return .field(
                FieldPath(field), name: node.text("name") ?? defaultName(field), label: label,
                isLink: node["link"]?.boolean ?? false)
        }
        if let number = node.text("number") {
            return .number(numbering: number, name: node.text("name") ?? number, label: label)
        }
        if let count = node.text("count"), let by = node.text("by"), let name = node.text("name") {
            return .count(of: count, by: by, name: name, label: label)
        }
        if let parameters = node.path("parameters"), let scope = node.text("scope") {
            return .parameters(values: parameters, scope: scope)
        }
        return nil
    }

    private static func defaultName(_ path: String) -> String {
        path.split(separator: ".").last.map(String.init) ?? path
    }
}
