// Keeps an office's mapping valid after a rename in the pack: former field names become present
// ones.

extension Entity {
    /// The entity with each former name of a field as a further field.
    package var withFormerNames: Entity {
        var entity = self
        for field in fields {
            for name in field.formerNames {
                var former = field
                former.name = name
                entity.fields.append(former)
            }
        }
        return entity
    }

    /// The present name of a field that has this former name; other names unchanged.
    fileprivate func present(_ name: String) -> String {
        field(name) == nil ? fields.first { $0.formerNames.contains(name) }?.name ?? name : name
    }
}

extension ImportMapping {
    /// The mapping with present names of fields in place of former ones.
    package func withPresentNames(of pack: Pack) -> ImportMapping {
        guard pack.entities.contains(where: { $0.fields.contains { !$0.formerNames.isEmpty } }) else { return self }
        var mapping = self
        for table in tables.indices {
            for target in tables[table].targets.indices {
                mapping.tables[table].targets[target].takePresentNames(of: pack)
            }
        }
        for form in forms.indices {
            for row in forms[form].rows.indices { mapping.forms[form].rows[row].target.takePresentNames(of: pack) }
        }
        return mapping
    }
}

extension ImportMapping.Target {
    fileprivate mutating func takePresentNames(of pack: Pack) {
        guard let entity = pack.entity(entity) else { return }
        (key, match, onlyNew) = (key.map(entity.present), match.map(entity.present), onlyNew.map(entity.present))
        fields = fields.map { $0.withPresentName(of: entity, pack) }
    }
}

extension ImportMapping.Field {
    /// - Parameter entity: the field's entity; nil: the field belongs to none.
    fileprivate func withPresentName(of entity: Entity?, _ pack: Pack) -> Self {
        var field = self
        if let entity { field.name = entity.present(name) }
        switch value {
        case .parent(let parent, let by):
            field.value = .parent(entity: parent, by: by.map { $0.withPresentName(of: pack.entity(parent), pack) })
        case .identifier(let parts): field.value = .identifier(parts.map { $0.withPresentName(of: nil, pack) })
        case .object(let parts): field.value = .object(parts.map { $0.withPresentName(of: nil, pack) })
        case .merge(let parts): field.value = .merge(parts.map { $0.withPresentName(of: nil, pack) })
        case .column, .join, .constant, .option, .ofTable, .expression, .named, .ordinal, .layer, .other: break
        }
        return field
    }
}
