/// How people name a row: the key of what it belongs to, as far as it is there, then its own (`TPA-2025 / C-014 / 3`); its id where its own is missing.
extension Pack {
    package static let nameSeparator = " / "
    /// A pack's references may go in circles; names never need more steps.
    private static let longestName = 6

    /// The paths to the values that a row's name is made of, outermost first: the order in which people look for rows.
    ///
    /// - Parameter isTaken: whether a field may stand in the name.
    package func namePaths(of entity: Entity, where isTaken: (_ field: String, _ entity: Entity) -> Bool = { _, _ in true }) -> [FieldPath] {
        namePaths(of: entity, levels: Self.longestName, isTaken)
    }

    private func namePaths(of entity: Entity, levels: Int, _ isTaken: (String, Entity) -> Bool) -> [FieldPath] {
        var paths: [FieldPath] = []
        if levels > 0, let scope = entity.keyScope, isTaken(scope, entity), let outer = entity.field(scope)?.references.flatMap({ self.entity($0) }) {
            paths = namePaths(of: outer, levels: levels - 1, isTaken).map { FieldPath(parts: [scope] + $0.parts) }
        }
        return paths + entity.key.filter { isTaken($0, entity) }.map { FieldPath(parts: [$0]) }
    }
}
