internal import Model

/// Checks `events:` of `pack.yaml` beyond its shape: its event types are values of the log's
/// vocabulary, and its tables are those that they speak of.
struct EventCheck {
    let context: CheckContext

    func check(_ node: YAMLNode) {
        guard let log = context.entity(node["entity"]) else { return }
        let tables = node.items("tables")
        context.unique(tables.compactMap { $0["entity"] }, .entity)
        for table in tables {
            if let entity = context.entity(table["entity"]) { checkValues(table["values"], of: entity) }
        }
        checkValues(node["acknowledged"], of: log)
        if let files = node["files"], let entity = context.entity(files["entity"]) {
            checkValues(files["values"], of: entity)
        }
        let types = node.items("types")
        context.unique(types.compactMap { $0["type"] }, .value)
        let vocabulary = node.text("type").flatMap { log.field($0)?.vocabulary }.flatMap { context.pack.vocabulary($0) }
        for type in types { check(type, tables: tables.compactMap { $0.text("entity") }, vocabulary) }
    }

    private func checkValues(_ node: YAMLNode?, of entity: Entity) {
        for pair in node?.pairs ?? [] {
            guard let field = context.field(pair.keyNode, of: entity), let value = pair.value.text,
                let vocabulary = field.vocabulary.flatMap({ context.pack.vocabulary($0) }),
                !vocabulary.values.contains(value)
            else { continue }
            context.mistakes.addUnknown(value, .value, at: pair.value.place, known: vocabulary.values)
        }
    }

    private func check(_ node: YAMLNode, tables: [String], _ vocabulary: Vocabulary?) {
        if let type = node["type"], let name = type.text, let vocabulary, !vocabulary.values.contains(name) {
            context.mistakes.addUnknown(name, .value, at: type.place, known: vocabulary.values)
        }
        guard let entity = context.entity(node["entity"]) else { return }
        if let name = node["entity"], !tables.contains(entity.name) {
            context.mistakes.addUnknown(entity.name, .entity, at: name.place, known: tables)
        }
        _ = context.field(node["field"], of: entity)
        if let list = context.field(node["list"], of: entity) {
            context.require(
                list.type == .list && list.references != nil, node["list"], in: entity, .reference, target: "*")
        }
        for pair in node["others"]?.pairs ?? [] { _ = context.entity(pair.keyNode) }
    }
}

extension YAMLNode.Pair {
    /// The key as a node, for keys that name other parts.
    var keyNode: YAMLNode { YAMLNode(content: .scalar(key, isPlain: true), place: keyPlace) }
}
