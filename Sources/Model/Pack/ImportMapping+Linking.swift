extension [ImportMapping.Target] {
    /// Completes references to a row that the same row of the file gives before (`parent` without
    /// `by`): the parent is known by what was said there of its id, or of its key.
    var linked: [ImportMapping.Target] {
        reduce(into: []) { linked, target in
            var target = target
            target.fields = target.fields.map { $0.linked(to: linked) }
            linked.append(target)
        }
    }
}

extension ImportMapping.Field {
    fileprivate func linked(to before: [ImportMapping.Target]) -> ImportMapping.Field {
        func all(_ fields: [ImportMapping.Field]) -> [ImportMapping.Field] { fields.map { $0.linked(to: before) } }
        var field = self
        switch value {
        case .parent(let entity, let by) where by.isEmpty:
            guard let parent = before.last(where: { $0.entity == entity }) else { return self }
            guard var id = parent.fields.first(where: { $0.name == "id" }) else {
                return ImportMapping.Field(name, .parent(entity: entity, by: parent.key.compactMap { key in parent.fields.first { $0.name == key } }))
            }
            id.name = name
            return id
        case .parent(let entity, let by): field.value = .parent(entity: entity, by: all(by))
        case .identifier(let parts): field.value = .identifier(all(parts))
        case .object(let members): field.value = .object(all(members))
        case .merge(let parts): field.value = .merge(all(parts))
        default: break
        }
        return field
    }
}
