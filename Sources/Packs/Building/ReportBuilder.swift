internal import Model

/// Makes reports of `reports/NAME/report.yaml`.
struct ReportBuilder {
    let entities: [Entity]
    let project: ProjectNaming
    /// Mustache files by `NAME/file`.
    let pages: [String: String]

    /// The name of the query that every report has: the project's row.
    static let projectQuery = "project"

    func report(_ node: YAMLNode) -> ReportDefinition? {
        guard let name = node.text("report"), let record = node.text("record") else { return nil }
        var queries = (node["queries"]?.pairs ?? []).compactMap { query($0.key, $0.value) }
        if !queries.contains(where: { $0.name == Self.projectQuery }), let own = ownProject { queries.append(own) }
        return ReportDefinition(
            name: name, record: record, formats: node.texts("formats").compactMap(ExportFormat.init),
            policy: node.word("policy", FindingsPolicy.self) ?? .mark, paper: node["paper"].map(paper) ?? ReportPaper(), queries: queries,
            sections: node.items("sections").compactMap(section), pages: ownPages(of: name),
            statesScope: node["scope"]?.boolean ?? true, delivers: node["delivers"]?.boolean ?? (node["delivery"] != nil), delivery: node["delivery"].map(delivery))
    }

    private func paper(_ node: YAMLNode) -> ReportPaper {
        ReportPaper(
            size: node.word("size", ReportPaper.Size.self) ?? .a4, isLandscape: node["landscape"]?.boolean ?? false,
            margin: Double(node["margin"]?.integer ?? 12))
    }

    private func delivery(_ node: YAMLNode) -> ReportDelivery {
        ReportDelivery(
            reports: node.texts("reports"), exports: node.texts("exports"), photoEntity: node["photos"]?.text("entity"),
            photoName: node["photos"]?.text("name"))
    }

    // MARK: Queries

    private func entity(_ name: String?) -> Entity? { entities.first { $0.name == name } }

    /// Every field of the project's own row.
    private var ownProject: ReportQuery? {
        guard let entity = entity(project.entity) else { return nil }
        let paths = entity.fields.filter { $0.name != "id" }.map { FieldPath(parts: [$0.name]) }
        return rows(Self.projectQuery, entity, .project, columns: paths.map { .field($0, name: $0.description, label: nil, isLink: false) })
    }

    func query(_ name: String, _ node: YAMLNode) -> ReportQuery? {
        if let sql = node.text("sql") {
            return ReportQuery(name: name, source: .sql(sql), columns: (node["columns"]?.pairs ?? []).map { column($0.key, $0.value) })
        }
        guard let entity = entity(node.text("entity")) else { return nil }
        let of = (node["of"]?.pairs ?? []).compactMap { pair in
            pair.value.text.map { ReportQuery.Binding(field: FieldPath(pair.key), column: $0) }
        }
        return rows(
            name, entity, node.word("rows", ExportSheet.Rows.self) ?? .record, columns: node.items("fields").compactMap(ExportBuilder.column),
            where: node.expression("where"), order: node.texts("order").map { FieldPath($0) }, of: of)
    }

    private func rows(
        _ name: String, _ entity: Entity, _ rows: ExportSheet.Rows, columns: [ExportColumn], where condition: Expression? = nil,
        order: [FieldPath] = [], of: [ReportQuery.Binding] = []
    ) -> ReportQuery {
        let all = [ExportColumn.field(FieldPath("id"), name: "id", label: nil, isLink: false)] + columns
        return ReportQuery(
            name: name,
            source: .rows(ExportSheet(name: name, entity: entity.name, rows: rows, columns: all, order: order), where: condition, of: of),
            columns: all.map { column($0, of: entity) })
    }

    private func column(_ column: ExportColumn, of entity: Entity) -> ReportColumn {
        switch column {
        case .field(let path, let name, let label, _):
            guard let (owner, field) = field(at: path, from: entity) else { return ReportColumn(name: name, type: .text, label: label) }
            return described(name, owner, field, label: label)
        case .number(_, let name, let label): return ReportColumn(name: name, type: .integer, label: label ?? "label." + name)
        case .count(_, _, let name, let label): return ReportColumn(name: name, type: .integer, label: label ?? "label." + name)
        case .parameters: return ReportColumn(name: "", type: .json)
        }
    }

    private func described(_ name: String, _ owner: Entity, _ field: Field, label: String?) -> ReportColumn {
        ReportColumn(
            name: name, type: field.type, decimals: field.decimals, unit: field.unit, label: label ?? owner.textKey(of: field),
            vocabulary: field.vocabulary)
    }

    private func column(_ name: String, _ node: YAMLNode) -> ReportColumn {
        if let type = node.text.flatMap(FieldType.init) { return ReportColumn(name: name, type: type) }
        if let like = node.text("like"), let (owner, field) = fieldLike(like) {
            var column = described(name, owner, field, label: node.text("label"))
            if let decimals = node["decimals"]?.integer { column.decimals = decimals }
            if let unit = node.text("unit") { column.unit = unit }
            column.isWithinSentence = node["withinSentence"]?.boolean ?? false
            return column
        }
        return ReportColumn(
            name: name, type: node.word("type", FieldType.self) ?? .text, decimals: node["decimals"]?.integer, unit: node.text("unit"),
            label: node.text("label"), vocabulary: node.text("vocabulary"), texts: node.text("texts"),
            isWithinSentence: node["withinSentence"]?.boolean ?? false)
    }

    /// The field that `ENTITY.FIELD` means.
    func fieldLike(_ text: String) -> (Entity, Field)? {
        let path = FieldPath(text)
        guard path.parts.count > 1, let entity = entity(path.parts[0]) else { return nil }
        return field(at: FieldPath(parts: Array(path.parts.dropFirst())), from: entity)
    }

    private func field(at path: FieldPath, from entity: Entity) -> (Entity, Field)? {
        var owner = entity
        for part in path.parts.dropLast() {
            guard let next = self.entity(owner.field(part)?.references) else { return nil }
            owner = next
        }
        return path.parts.last.flatMap { owner.field($0) }.map { (owner, $0) }
    }

    // MARK: Sections

    private func section(_ node: YAMLNode) -> ReportSection? {
        guard let name = node.text("section"), let title = node.text("title") else { return nil }
        return ReportSection(
            name: name, each: node.text("each"), title: ReportText(title), paper: node["paper"].map(paper),
            blocks: node.items("blocks").compactMap(block))
    }

    private func block(_ node: YAMLNode) -> ReportBlock? {
        guard let name = node.text("block"), let template = TemplateNode(node) else { return nil }
        return ReportBlock(name, when: node.expression("when"), template)
    }

    private func ownPages(of report: String) -> [String: String] {
        let own = pages.filter { $0.key.hasPrefix(report + "/") }
        return Dictionary(own.map { (String($0.key.dropFirst(report.utf8.count + 1)), $0.value) }) { first, _ in first }
    }
}
