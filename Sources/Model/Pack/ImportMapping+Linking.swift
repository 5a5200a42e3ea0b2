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
        guard case .parent(let entity, let by) = value, by.isEmpty, let parent = before.last(where: { $0.entity == entity }) else { return self }
        guard var field = parent.fields.first(where: { $0.name == "id" }) else {
            return ImportMapping.Field(name, .parent(entity: entity, by: parent.key.compactMap { key in parent.fields.first { $0.name == key } }))
        }
        field.name = name
        return field
    }
}
