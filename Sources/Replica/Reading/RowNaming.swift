import Model

/// A row's name (`Pack.namePaths`) in SQL.
enum RowNaming {
    /// SQL text for a row's name; joins to its owners go into `joins`. If the last part is missing,
    /// the id is used for it.
    static func key(of entity: Entity, pack: Pack, joins: inout PathJoins) -> String {
        key(columns(of: entity, pack: pack, joins: &joins))
    }

    /// The same for messages: keys of owners that messages may not quote are left out; if the row's
    /// own key may not be quoted, its id is used.
    ///
    /// - Parameter isHidden: whether the reader may not see a field.
    static func quotableKey(
        of entity: Entity, pack: Pack, joins: inout PathJoins, isHidden: (_ field: String, _ entity: String) -> Bool = { _, _ in false }
    ) -> String {
        func isShown(_ field: String, _ entity: Entity) -> Bool { pack.mayQuote(entity.field(field)) && !isHidden(field, entity.name) }
        guard entity.key.allSatisfy({ isShown($0, entity) }) else { return "t0.id" }
        return key(pack.namePaths(of: entity, where: isShown).map { joins.column($0) })
    }

    private static func key(_ parts: [String]) -> String {
        guard let last = parts.last else { return "t0.id" }
        // Only operators and functions that do not cut a text at a NUL character are used.
        let owners = parts.dropLast().map { "coalesce(\($0) || \(SQLText.literal(Pack.nameSeparator)), '') || " }.joined()
        return "\(owners)coalesce(\(last), t0.id)"
    }

    /// The columns that a name is made of, outermost first.
    static func columns(of entity: Entity, pack: Pack, joins: inout PathJoins) -> [String] {
        pack.namePaths(of: entity).map { joins.column($0) }
    }
}
