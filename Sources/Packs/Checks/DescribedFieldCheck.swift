internal import Model

/// Checks a field beyond its shape: keys that fit its type, and names of other parts.
struct DescribedFieldCheck {
    let context: CheckContext
    let entity: Entity

    /// Keys that fit only some types.
    private static let fits: [(key: String, types: [FieldType])] = [
        ("min", [.integer, .decimal]),
        ("max", [.integer, .decimal]),
        ("unit", [.integer, .decimal, .point, .polygon]),
        ("decimals", [.decimal]),
        ("minLength", [.text]),
        ("maxLength", [.text]),
        ("pattern", [.text]),
        ("vocabulary", [.text, .list]),
        ("references", [.uuid, .list]),
        ("schema", [.json]),
    ]

    func check(_ node: YAMLNode) {
        if let text = node.text("type"), let type = FieldType(rawValue: text) {
            for (key, types) in Self.fits where !types.contains(type) {
                guard let value = node[key] else { continue }
                add(key, at: value.place, type: text, allowed: types)
            }
        }
        checkRange(node, "min", "max") { $0.number }
        checkRange(node, "minLength", "maxLength") { $0.integer.map(Double.init) }
        if let deletes = node["deletesWithParent"], deletes.boolean == true,
            node["references"] == nil || node.text("type") == "list"
        {
            add("deletesWithParent", at: deletes.place, type: node.text("type") ?? "", allowed: [.uuid])
        }
        if !entity.isCore, let privacy = node["privacy"], let name = privacy.text,
            !context.pack.privacyClasses.contains(name)
        {
            context.mistakes.addUnknown(name, .privacyClass, at: privacy.place, known: context.pack.privacyClasses)
        }
        if let unique = node["unique"], unique.boolean == nil, let scope = context.field(unique, of: entity) {
            context.require(scope.references != nil && scope.type != .list, unique, in: entity, .reference, target: "*")
        }
        // A version contains the schemas for rows of several tables, so both paths must follow a
        // reference.
        if let path = node["schema"]?["version"], let field = context.path(path, from: entity) {
            let goesOn = [path.text, node["schema"]?.text("path")].allSatisfy { $0?.contains(".") == true }
            context.require(field.type == .json && goesOn, path, in: entity, .jsonField)
        }
        context.condition(node["requiredWhen"], over: entity, knowsDay: true)
        if let anonymous = node["anonymous"] { checkAnonymity(anonymous, node) }
    }

    /// Only fields that messages may quote may have the anonymity `keep` (`Pack.mayQuote`). A
    /// period needs a day; a square and a band need numbers.
    private func checkAnonymity(_ node: YAMLNode, _ field: YAMLNode) {
        let type = field.text("type").flatMap(FieldType.init)
        if node.text == "keep", let described = entity.fields.first(where: { $0.name == field.text("name") }),
            !context.pack.mayQuote(described)
        {
            context.mistakes.add(
                .badValue, at: node.place,
                ["key": "anonymous", "value": "keep", "allowed": "omit, pseudonym, period, grid, band"])
        }
        let fits: [(key: String, types: [FieldType])] = [
            ("period", [.date, .datetime]), ("grid", [.decimal]), ("band", [.integer, .decimal]),
        ]
        for (key, types) in fits {
            if let value = node[key], let type, !types.contains(type) {
                add(key, at: value.place, type: type.rawValue, allowed: types)
            }
        }
    }

    private func add(_ key: String, at place: PackPlace, type: String, allowed: [FieldType]) {
        context.mistakes.add(
            .unfitKey, at: place,
            ["key": key, "type": type, "allowed": allowed.map(\.rawValue).joined(separator: ", ")])
    }

    private func checkRange(_ node: YAMLNode, _ least: String, _ greatest: String, _ number: (YAMLNode) -> Double?) {
        guard let low = node[least], let high = node[greatest], let from = number(low), let to = number(high), from > to
        else {
            return
        }
        context.mistakes.add(.range, at: high.place, ["minimum": low.text ?? "", "maximum": high.text ?? ""])
    }
}
