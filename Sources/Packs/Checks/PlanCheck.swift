internal import Model

/// Checks `plans:` of `pack.yaml` beyond its shape: its fields exist and have the right types, and
/// its references have the right targets.
struct PlanCheck {
    let context: CheckContext

    func check(_ node: YAMLNode) {
        let project = context.pack.project.entity
        let levels = context.entity(node["levels"]?["entity"]), rooms = context.entity(node["rooms"]?["entity"])
        if let levels, let node = node["levels"] {
            reference(node["project"], of: levels, to: project)
            require(node, ["name", "key"], of: levels, [.text], .textField)
            require(node, ["number", "north"], of: levels, [.integer, .decimal], .numberField)
            require(node, ["background"], of: levels, [.json], .jsonField)
            exist(node, ["origin", "boundary"], of: levels)
        }
        if let rooms, let node = node["rooms"] {
            if let levels { reference(node["level"], of: rooms, to: levels.name) }
            require(node, ["name", "key", "number"], of: rooms, [.text], .textField)
            require(node, ["area"], of: rooms, [.integer, .decimal], .numberField)
            exist(node, ["polygon", "raw", "centroid"], of: rooms)
        }
        if let schema = node["folder"]?["schema"] { checkSchema(schema, project) }
    }

    private func checkSchema(_ node: YAMLNode, _ project: String) {
        if let projects = context.pack.entity(project) { exist(node, ["version"], of: projects) }
        let families = node["families"]
        guard let version = context.entity(node["entity"]) else { return }
        reference(node["project"], of: version, to: project)
        require(node, ["kept"], of: version, [.json], .jsonField)
        checkMembers(node, of: version)
        guard let families, let entity = context.entity(families["entity"]) else { return }
        reference(families["project"], of: entity, to: project)
        reference(families["version"], of: entity, to: version.name)
        require(families, ["parameters"], of: entity, [.json], .jsonField)
        checkMembers(families, of: entity)
    }

    /// Checks that each member has the name or an alias of a field.
    private func checkMembers(_ node: YAMLNode, of entity: Entity) {
        context.unique(node.items("members"), .field)
        for member in node.items("members") where member.text.map({ entity.field(called: $0) == nil }) ?? false { _ = context.field(member, of: entity) }
    }

    private func reference(_ node: YAMLNode?, of entity: Entity, to target: String) {
        guard let field = context.field(node, of: entity) else { return }
        context.require(field.references == target && field.type != .list, node, in: entity, .reference, target: target)
    }

    private func require(_ node: YAMLNode, _ keys: [String], of entity: Entity, _ types: [FieldType], _ expected: PackWord) {
        for key in keys {
            guard let field = context.field(node[key], of: entity) else { continue }
            context.require(types.contains(field.type), node[key], in: entity, expected)
        }
    }

    private func exist(_ node: YAMLNode, _ keys: [String], of entity: Entity) {
        for key in keys { _ = context.field(node[key], of: entity) }
    }
}
