internal import Model

/// Makes the declaration of a log of events of `events:` in `pack.yaml`.
struct EventBuilder {
    func events(_ node: YAMLNode) -> EventLogDefinition? {
        guard let entity = node.text("entity"), let type = node.text("type"), let record = node.text("record"), let payload = node.text("payload") else {
            return nil
        }
        return EventLogDefinition(
            entity: entity, type: type, record: record, payload: payload, project: node.text("project"), operator: node.text("operator"),
            time: node.text("time"), tables: node.items("tables").compactMap(table), kinds: node.items("types").compactMap(kind))
    }

    private func table(_ node: YAMLNode) -> EventLogDefinition.Table? {
        guard let entity = node.text("entity") else { return nil }
        let values = (node["values"]?.pairs ?? []).compactMap { pair in pair.value.text.map { (pair.key, $0) } }
        return EventLogDefinition.Table(
            entity: entity, project: node.text("project"), operator: node.text("operator"), time: node.text("time"),
            values: Dictionary(values) { first, _ in first })
    }

    private func kind(_ node: YAMLNode) -> EventLogDefinition.Kind? {
        guard let type = node.text("type"), let entity = node.text("entity"), let action = action(node) else { return nil }
        return EventLogDefinition.Kind(type: type, entity: entity, action: action)
    }

    private func action(_ node: YAMLNode) -> EventLogDefinition.Action? {
        switch node.text("does") {
        case "create": return .create
        case "update": return .update
        case "delete": return .delete
        case "set": return node.text("field").map { .set(field: $0, members: node.texts("members")) }
        case "link":
            let others = (node["others"]?.pairs ?? []).map { ($0.key, $0.value.texts) }
            return node.text("list").map { list in
                .link(.init(list: list, owner: node.texts("owner"), item: node.texts("item"), others: Dictionary(others) { first, _ in first }))
            }
        default: return nil
        }
    }
}
