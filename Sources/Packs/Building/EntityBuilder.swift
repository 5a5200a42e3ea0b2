internal import Model

/// Makes entities of `entities/*.yaml`.
struct EntityBuilder {
    /// What `projects` means in the core.
    let projectEntity: String
    let defaultPrivacy: String

    /// The name under which the core speaks of the pack's projects, whatever the pack calls them.
    static let coreProjects = "projects"

    func entity(_ node: YAMLNode, isCore: Bool) -> Entity? {
        guard let name = node.text("entity") else { return nil }
        let origin = node.word("origin", Entity.Origin.self) ?? .source
        return Entity(
            name: name, aliases: node.texts("aliases"), origin: origin, writer: node.word("writers", Entity.Writer.self) ?? .people,
            projectPath: node.path("project"), key: node.texts("key"),
            keyScope: node.text("within"), fields: node.items("fields").compactMap { field($0, origin: origin, isCore: isCore) },
            states: node["states"].flatMap(states),
            deletion: node["deletes"].map { Entity.Deletion(roles: $0.texts("roles"), states: $0.texts("states")) }, editors: node["edits"] == nil ? nil : node.texts("edits"), owner: node.text("owner"), indexes: node.items("indexes").map(\.texts),
            alike: node["alike"].flatMap(alike), file: file(node["file"]), isCore: isCore)
    }

    private func alike(_ node: YAMLNode) -> Entity.Alike? {
        guard let name = node.text("name"), let above = node["above"]?.number else { return nil }
        return Entity.Alike(name: name, parameters: node.text("parameters"), within: node.text("within"), above: above)
    }

    private func file(_ node: YAMLNode?) -> [Entity.FileFact: String] {
        let facts = Entity.FileFact.allCases.compactMap { fact in node?.text(fact.rawValue).map { (fact, $0) } }
        return Dictionary(uniqueKeysWithValues: facts)
    }

    private func states(_ node: YAMLNode) -> StateMachine? {
        guard let field = node.text("field"), let initial = node.text("initial") else { return nil }
        return StateMachine(
            field: field, initial: initial, transitions: node.items("transitions").compactMap(transition),
            exported: node["exported"].flatMap(transition), closed: node.texts("closed"))
    }

    private func transition(_ node: YAMLNode) -> StateMachine.Transition? {
        guard let from = node.text("from"), let to = node.text("to") else { return nil }
        return StateMachine.Transition(from: from, to: to, roles: node.texts("roles"))
    }

    private func field(_ node: YAMLNode, origin: Entity.Origin, isCore: Bool) -> Field? {
        guard let name = node.text("name") else { return nil }
        var references = node.text("references")
        if isCore, references == Self.coreProjects { references = projectEntity }
        let uniqueness: Field.Uniqueness? =
            switch node.text("unique") {
            case nil, "false": nil
            case "true": .replica
            case .some(let field): .within(field)
            }
        return Field(
            name: name, aliases: node.texts("aliases"), synonyms: node.texts("synonyms"), type: node.word("type", FieldType.self) ?? .text,
            origin: node.word("origin", Entity.Origin.self) ?? origin, isRequired: node["required"]?.boolean ?? false,
            requiredWhen: node.expression("requiredWhen"), unit: node.text("unit"), minimum: node["min"]?.number,
            maximum: node["max"]?.number, minimumLength: node["minLength"]?.integer, maximumLength: node["maxLength"]?.integer,
            pattern: node.text("pattern"), vocabulary: node.text("vocabulary"), references: references,
            deletesWithParent: node["deletesWithParent"]?.boolean ?? false, privacy: node.text("privacy") ?? defaultPrivacy,
            uniqueness: uniqueness, decimals: node["decimals"]?.integer, schemaPath: node["schema"]?.path("path"),
            schemaScope: node["schema"]?.text("scope"), schemaVersion: node["schema"]?.path("version"))
    }
}
