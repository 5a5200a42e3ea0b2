internal import Model

/// Looks up the names in a file that its shape declares (`Reference`): entities, vocabularies,
/// roles, fields and paths of references.
struct ReferenceCheck {
    let context: CheckContext

    /// - Parameter entity: the entity that the whole file describes, if it describes one.
    func check(_ root: YAMLNode, _ shape: Shape, about entity: Entity? = nil) {
        check(root, shape, [entity].compactMap(\.self))
    }

    /// - Parameter subjects: the entities that the objects around are about, from the outermost.
    private func check(_ node: YAMLNode, _ shape: Shape, _ subjects: [Entity]) {
        switch shape {
        case .scalar, .table: break
        case .object(let object): check(node, object, subjects)
        case .list(let item, _): for element in node.items { check(element, item, subjects) }
        case .map(let value): for pair in node.pairs { check(pair.value, value, subjects) }
        case .deferred(let shape): if !node.pairs.isEmpty || !node.items.isEmpty { check(node, shape(), subjects) }
        case .choice(_, let objects):
            guard case .mapping = node.content else { return }
            let object = objects.first { node[$0.keys[0].name] != nil }
            if let object = object ?? (objects.count == 1 ? objects[0] : nil) { check(node, object, subjects) }
        case .oneOrMany(let item):
            if case .sequence(let items) = node.content {
                for element in items { check(element, item, subjects) }
            } else {
                check(node, item, subjects)
            }
        case .byKind(_, let list, let map):
            switch node.content {
            case .scalar: break
            case .sequence: check(node, list, subjects)
            case .mapping: if let map { check(node, map, subjects) }
            }
        }
    }

    private func check(_ node: YAMLNode, _ object: ObjectShape, _ subjects: [Entity]) {
        var subjects = subjects
        if let key = object.subject {
            guard let entity = context.entity(node[key]) else { return }
            subjects.append(entity)
        }
        let variant = object.variants.flatMap { variants in
            variants.keys.first { $0.value == node.text(variants.key) }
        }
        for key in object.keys + (variant?.keys ?? []) {
            guard let value = node[key.name] else { continue }
            if let reference = key.reference { check(value, reference, subjects) }
            check(value, key.shape, subjects)
        }
    }

    /// Checks a name, or the names in a list.
    private func check(_ node: YAMLNode, _ reference: Reference, _ subjects: [Entity]) {
        guard node.text == nil else { return checkName(node, reference, subjects) }
        switch reference {
        case .roles: context.unique(node.items, .role)
        case .fields, .members: context.unique(node.items, .field)
        case .entity, .vocabulary, .field, .path: break
        }
        for item in node.items { check(item, reference, subjects) }
    }

    private func checkName(_ node: YAMLNode, _ reference: Reference, _ subjects: [Entity]) {
        let pack = context.pack
        switch reference {
        case .entity: _ = context.entity(node)
        case .vocabulary:
            if let name = node.text, pack.vocabulary(name) == nil {
                context.mistakes.addUnknown(name, .vocabulary, at: node.place, known: pack.vocabularies.map(\.name))
            }
        case .roles:
            if let name = node.text, pack.role(name) == nil {
                context.mistakes.addUnknown(name, .role, at: node.place, known: pack.roles.map(\.name))
            }
        case .field(let fit, let isOfProject):
            let owner = isOfProject ? pack.entity(pack.project.entity) : subjects.last
            guard let owner, let field = context.field(node, of: owner) else { return }
            check(field, fit, node, in: owner, subjects)
        case .fields: if let owner = subjects.last { _ = context.field(node, of: owner) }
        case .members:
            guard let owner = subjects.last, let name = node.text, owner.field(called: name) == nil else { return }
            _ = context.field(node, of: owner)
        case .path(let fit):
            guard let owner = subjects.last, let field = context.path(node, from: owner) else { return }
            check(field, fit, node, in: owner, subjects)
        }
    }

    private func check(
        _ field: Field, _ fit: Reference.Fit, _ node: YAMLNode, in owner: Entity, _ subjects: [Entity]
    ) {
        switch fit {
        case .any: break
        case .types(let types, let word): context.require(types.contains(field.type), node, in: owner, word)
        case .state: context.require(field.vocabulary != nil, node, in: owner, .stateField)
        case .reference(let target, let orList):
            let name: String? =
                switch target {
                case .any: nil
                case .project: context.pack.project.entity
                case .entity(let name): name
                case .outer: subjects.dropLast().last?.name
                }
            let leads = name.map { field.references == $0 } ?? (field.references != nil)
            context.require(leads && (orList || field.type != .list), node, in: owner, .reference, target: name ?? "*")
        }
    }
}
