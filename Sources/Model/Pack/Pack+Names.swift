/// The name of a row for people: the key of its owner, as far as it exists, then its own
/// (`TPA-2025 / C-014 / 3`); its id where its own key is missing.
extension Pack {
    package static let nameSeparator = " / "
    /// A pack's references may form cycles; names never need more steps.
    private static let longestName = 6

    /// The paths to the values of a row's name, outermost first, which is the order in which people
    /// look for rows.
    ///
    /// - Parameter isTaken: whether a field may be part of the name.
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
