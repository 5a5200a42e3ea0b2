internal import Model

/// Makes mappings of `imports/*.yaml`.
struct ImportBuilder {
    func mapping(_ node: YAMLNode) -> ImportMapping? {
        guard let name = node.text("import") else { return nil }
        let lookups = (node["lookups"]?.pairs ?? []).map { ($0.key, Self.table($0.value)) }
        var mapping = ImportMapping(
            name: name, accepts: node.texts("accepts"), lookups: Dictionary(lookups) { first, _ in first }, blanks: node.texts("blank"),
            tables: node.items("tables").map(table), forms: node.items("forms").map(FormBuilder(target: target).form))
        if let title = node["title"] {
            for language in Language.allCases { mapping.titles[language] = title.text ?? title.text(language.rawValue) ?? title.pairs.first?.value.text }
        }
        return mapping
    }

    private func table(_ node: YAMLNode) -> ImportMapping.Table {
        .init(
            names: node.texts("tables"), header: Self.header(node.text("header")), isBlock: node["block"]?.boolean ?? false,
            columns: (node["columns"]?.pairs ?? []).map(Self.column), down: node.texts("down"), requires: node.texts("requires"), filter: node.expression("where"), targets: node.items("rows").compactMap(target))
    }

    static func header(_ text: String?) -> ImportMapping.Header {
        switch text {
        case nil, "auto": .auto
        case "none": .none
        case .some(let number): Int(number).map(ImportMapping.Header.row) ?? headerRows(number).map(ImportMapping.Header.rows) ?? .auto
        }
    }

    /// `5-6`: at most ten rows.
    static func headerRows(_ text: String) -> ClosedRange<Int>? {
        let ends = text.split(separator: "-", omittingEmptySubsequences: false).map { Int($0) }
        guard ends.count == 2, let first = ends[0], let last = ends[1], first >= 1, last <= 1_048_576, (first...max(first, first + 9)).contains(last) else { return nil }
        return first...last
    }

    static func column(_ pair: YAMLNode.Pair) -> ImportMapping.Column {
        ImportMapping.Column(
            name: pair.key, type: pair.value.word("type", FieldType.self) ?? .text, headings: headings(pair.value["column"] ?? pair.value),
            conversions: conversions(pair.value),
            other: pair.value["from"] == nil ? nil : part(pair.value))
    }

    private func target(_ node: YAMLNode) -> ImportMapping.Target? {
        guard let entity = node.text("entity") else { return nil }
        let each = node.items("each").compactMap(\.integer)
        return .init(
            entity: entity, key: node.texts("key"), fields: (node["fields"]?.pairs ?? []).map(Self.field),
            repeats: node["repeats"]?.boolean ?? false, requires: node.texts("requires"), filter: node.expression("where"),
            each: each.count == 2 && each[0] <= each[1] ? each[0]...each[1] : nil,
            photo: node["photo"].map { .init(headings: Self.headings($0["column"]), folder: $0.text("folder")) },
            several: (node["several"]?.items ?? []).map { .init(headings: Self.headings($0["column"]), separator: $0.text("split") ?? ",") })
    }

    static func field(_ pair: YAMLNode.Pair) -> ImportMapping.Field {
        ImportMapping.Field(pair.key, value(pair.value), conversions(pair.value))
    }

    private static func value(_ node: YAMLNode) -> ImportMapping.Value {
        if let heading = node.text { return .column([heading]) }
        if node["join"] != nil { return .join(node.texts("join"), separator: node.text("with") ?? " ") }
        if let value = node.text("value") { return .constant(value) }
        if let expression = node.expression("expression") { return .expression(expression) }
        if let parent = node.text("parent") { return .parent(entity: parent, by: (node["by"]?.pairs ?? []).map(field)) }
        if node["ordinal"] != nil { return .ordinal(node.texts("ordinal")) }
        if let bottom = node["above"] { return .layer(layer(.bottom, .top, bottom, node)) }
        if let thickness = node["thickness"] { return .layer(layer(.thickness, node.word("edge", ImportMapping.Layer.Edge.self) ?? .top, thickness, node)) }
        if let table = node.text("from") {
            return .other(.init(
                table: table, key: node.items("key").map(part), by: node.items("by").map(part), only: node["only"].map(Self.table) ?? [:], content: content(node)))
        }
        if let values = node["identifier"] { return .identifier(values.items.map(part)) }
        if let members = node["object"] { return .object(members.pairs.map(field)) }
        if let objects = node["merge"] { return .merge(objects.items.map(part)) }
        return .column(headings(node["column"]))
    }

    private static func layer(
        _ given: ImportMapping.Layer.Given, _ edge: ImportMapping.Layer.Edge, _ column: YAMLNode, _ node: YAMLNode
    ) -> ImportMapping.Layer {
        .init(
            given, edge: edge, headings: headings(column), within: node.texts("within"), unless: headings(node["unless"]),
            first: node.text("first") ?? "0")
    }

    /// A value that is no field of its own.
    private static func part(_ node: YAMLNode) -> ImportMapping.Field {
        ImportMapping.Field("", value(node), conversions(node))
    }

    private static func content(_ node: YAMLNode) -> ImportMapping.Other.Content {
        if let members = node["members"] { return .members(name: headings(members["name"]), value: headings(members["value"])) }
        if let schema = node["schema"] {
            return .schema(
                name: headings(schema["name"]), value: headings(schema["value"]), unit: headings(schema["unit"]), scope: schema.text("scope") ?? "instance")
        }
        return .value(
            headings: headings(node["take"]), node.word("as", ImportMapping.Other.Taking.self) ?? .first, separator: node.text("with") ?? " ")
    }

    static func headings(_ node: YAMLNode?) -> [String] {
        guard let node else { return [] }
        return node.text.map { [$0] } ?? node.texts
    }

    static func table(_ node: YAMLNode) -> [String: String] {
        Dictionary(node.pairs.map { ($0.key, $0.value.text ?? "") }) { first, _ in first }
    }

    static func conversions(_ node: YAMLNode) -> [CellConversion] {
        node.items("convert").compactMap { item in
            if let word = item.text { return CellConversion.words.first { $0.word == word }?.conversion }
            if let lookup = item.text("lookup") { return .lookup(lookup) }
            if let date = item["date"] { return .date(headings(date)) }
            if let separator = item.text("split") { return .split(separator, piece: item["piece"]?.integer ?? 1) }
            if let pattern = item.text("match") { return .match(pattern) }
            if let text = item.text("replace") { return .replace(text, with: item.text("with") ?? "") }
            if let end = item.word("range", CellConversion.RangeEnd.self) { return .range(end) }
            if let mark = item.text("thousands") { return .thousands(mark) }
            if item["unit"] != nil { return .unit(headings(item["unit"])) }
            if item["blank"] != nil { return .blank(item.texts("blank")) }
            return nil
        }
    }
}
