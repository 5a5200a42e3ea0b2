internal import Model

/// Checks `subjects`: every reference to a person must be provided for, so that no erasure forgets
/// a table.
struct SubjectCheck {
    let context: CheckContext

    func check(_ node: YAMLNode) {
        guard let subject = context.entity(node["entity"]) else { return }
        for key in ["identity", "mentions"] {
            for item in node.items(key) {
                guard let field = context.field(item, of: subject) else { continue }
                context.require([.text, .uuid].contains(field.type), item, in: subject, .textField)
            }
        }
        var known: Set<[String]> = []
        for rows in node.items("rows") {
            guard let entity = context.entity(rows["entity"]), let field = context.field(rows["by"], of: entity) else { continue }
            context.require(field.references == subject.name, rows["by"], in: entity, .reference, target: subject.name)
            rows.items("clear").forEach { _ = context.field($0, of: entity) }
            known.insert([entity.name, field.name])
        }
        guard let place = node["rows"]?.place else { return }
        for entity in context.pack.entities {
            for field in entity.fields where field.references == subject.name && !known.contains([entity.name, field.name]) {
                context.mistakes.add(.missingKey, at: place, ["key": "rows: {entity: \(entity.name), by: \(field.name)}"])
            }
        }
    }
}
