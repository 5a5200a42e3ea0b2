import Model

/// A row's name (`Pack.namePaths`) in SQL.
enum RowNaming {
    /// SQL text for a row's name; joins to what it belongs to go into `joins`. Its id stands for the last part where that is missing.
    static func key(of entity: Entity, pack: Pack, joins: inout PathJoins) -> String {
        let parts = columns(of: entity, pack: pack, joins: &joins)
        guard let last = parts.last else { return "t0.id" }
        // No function takes part that would end a text at a NUL character.
        let owners = parts.dropLast().map { "coalesce(\($0) || \(SQLText.literal(Pack.nameSeparator)), '') || " }.joined()
        return "\(owners)coalesce(\(last), t0.id)"
    }

    /// The columns that a name is made of, outermost first.
    static func columns(of entity: Entity, pack: Pack, joins: inout PathJoins) -> [String] {
        pack.namePaths(of: entity).map { joins.column($0) }
    }
}
