// Reads a mapping's parts from its file, after the checks have compared the file with the format.

extension ImportMapping.Header {
    init(_ text: String?) {
        switch text {
        case nil, "auto": self = .auto
        case "none": self = .none
        case .some(let number): self = Int(number).map(Self.row) ?? Self.range(number).map(Self.rows) ?? .auto
        }
    }

    /// Reads `5-6`: at most ten rows.
    package static func range(_ text: String) -> ClosedRange<Int>? {
        let ends = text.split(separator: "-", omittingEmptySubsequences: false).map { Int($0) }
        guard ends.count == 2, let first = ends[0], let last = ends[1], first >= 1, last <= 1_048_576,
            (0...9).contains(last - first)
        else { return nil }
        return first...last
    }
}

extension ImportMapping.Table {
    init(_ node: PackNode) {
        self.init(
            names: node.texts("tables"), header: .init(node.text("header")), isBlock: node.isTrue("block"),
            columns: node.pairs("columns").map(ImportMapping.Column.init), down: node.texts("down"),
            requires: node.texts("requires"),
            filter: node.expression("where"), targets: node.items("rows").compactMap(ImportMapping.Target.init).linked)
        except = node.texts("except")
        keyed = node["keyed"]?.table ?? [:]
    }
}

extension ImportMapping.Column {
    package init(_ pair: PackNode.Pair) {
        let node = pair.value
        self.init(
            name: pair.key, type: node.word("type") ?? .text, headings: (node["column"] ?? node).textOrTexts,
            conversions: node.conversions,
            other: node["from"] == nil ? nil : ImportMapping.Field(node))
    }

    /// The columns as an entity, so that the types of expressions over them can be checked.
    package static func entity(_ columns: [Self]) -> Entity {
        Entity(name: "columns", fields: columns.map { Field(name: $0.name, type: $0.type) })
    }
}

extension ImportMapping.Target {
    init?(_ node: PackNode) {
        guard let entity = node.text("entity") else { return nil }
        let each = node.items("each").compactMap(\.integer)
        self.init(
            entity: entity, key: node.texts("key"), fields: node.pairs("fields").map(ImportMapping.Field.init),
            repeats: node.isTrue("repeats"),
            requires: node.texts("requires"), filter: node.expression("where"),
            each: each.count == 2 && each[0] <= each[1] ? each[0]...each[1] : nil,
            photo: node["photo"].map { node in
                let content = node.text("content").map { [$0] }
                return .init(
                    headings: content ?? node.textOrTexts("column"), folder: node.text("folder"),
                    isContent: content != nil)
            },
            several: node.items("several").map {
                .init(headings: $0.textOrTexts("column"), separator: $0.text("split") ?? ",")
            })
        operation = node.word("does") ?? .add
        match = node.texts("match")
        isLenient = node.isTrue("lenient")
        onlyNew = node.texts("onlyNew")
    }
}

extension ImportMapping.Field {
    init(_ pair: PackNode.Pair) {
        self.init(pair.key, ImportMapping.Value(pair.value), pair.value.conversions)
        zone = pair.value.text("zone")
        isOptional = pair.value.isTrue("optional")
    }

    /// A value that does not belong to a field.
    fileprivate init(_ node: PackNode) { self.init("", ImportMapping.Value(node), node.conversions) }
}

extension ImportMapping.Value {
    init(_ node: PackNode) {
        if let heading = node.text {
            self = .column([heading])
        } else if node["join"] != nil {
            self = .join(node.texts("join"), separator: node.text("with") ?? " ")
        } else if let value = node.text("value") {
            self = .constant(value)
        } else if let name = node.text("option") {
            self = .option(name)
        } else if let expression = node.expression("expression") {
            self = .expression(expression)
        } else if let parent = node.text("parent") {
            self = .parent(entity: parent, by: node.pairs("by").map(ImportMapping.Field.init))
        } else if let part = node.word("table", ImportMapping.TablePart.self) {
            self = .ofTable(part)
        } else if node["named"] != nil {
            self = .named(node.texts("named"), words: node.texts("words"))
        } else if node["ordinal"] != nil {
            self = .ordinal(node.texts("ordinal"))
        } else if let bottom = node["above"] {
            self = .layer(.init(.bottom, .top, bottom, node))
        } else if let thickness = node["thickness"] {
            self = .layer(.init(.thickness, node.word("edge") ?? .top, thickness, node))
        } else if let table = node.text("from") {
            self = .other(.init(table: table, node))
        } else if let values = node["identifier"] {
            self = .identifier(values.items.map(ImportMapping.Field.init))
        } else if let members = node["object"] {
            self = .object(members.pairs.map(ImportMapping.Field.init))
        } else if let objects = node["merge"] {
            self = .merge(objects.items.map(ImportMapping.Field.init))
        } else {
            self = .column(node.textOrTexts("column"))
        }
    }
}

extension ImportMapping.Layer {
    fileprivate init(_ given: Given, _ edge: Edge, _ column: PackNode, _ node: PackNode) {
        self.init(
            given, edge: edge, headings: column.textOrTexts, within: node.texts("within"),
            unless: node.textOrTexts("unless"),
            first: node.text("first") ?? "0")
    }
}

extension ImportMapping.Other {
    fileprivate init(table: String, _ node: PackNode) {
        self.init(
            table: table, key: node.items("key").map(ImportMapping.Field.init),
            by: node.items("by").map(ImportMapping.Field.init),
            only: node["only"]?.table ?? [:], content: Content(node))
    }
}

extension ImportMapping.Other.Content {
    fileprivate init(_ node: PackNode) {
        if let members = node["members"] {
            self = .members(name: members.textOrTexts("name"), value: members.textOrTexts("value"))
        } else if let schema = node["schema"] {
            self = .schema(
                name: schema.textOrTexts("name"), value: schema.textOrTexts("value"), unit: schema.textOrTexts("unit"),
                scope: schema.text("scope") ?? "instance")
        } else {
            self = .value(
                headings: node.textOrTexts("take"), node.word("as") ?? .first, separator: node.text("with") ?? " ")
        }
    }
}
