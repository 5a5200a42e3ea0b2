extension [Entity] {
    /// Each table after those that it refers to. Packs have no cycles of references
    /// (`fichero doctor`), but a table may refer to itself.
    package var parentsFirst: [Entity] {
        var rest = self
        var order: [Entity] = []
        while !rest.isEmpty {
            let open = Set(rest.map(\.name))
            let ready = rest.firstIndex { entity in
                entity.fields.allSatisfy { field in field.references.map { $0 == entity.name || !open.contains($0) } ?? true }
            } ?? 0
            order.append(rest.remove(at: ready))
        }
        return order
    }
}
