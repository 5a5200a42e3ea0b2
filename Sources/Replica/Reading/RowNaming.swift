import Model

/// A row's name (`Pack.namePaths`) in SQL.
enum RowNaming {
    /// SQL text for a row's name; joins to what it belongs to go into `joins`. A row of whose name nothing is there is named by its id.
    static func key(of entity: Entity, pack: Pack, joins: inout PathJoins) -> String {
        let parts = columns(of: entity, pack: pack, joins: &joins)
        guard !parts.isEmpty else { return "t0.id" }
        let separator = SQLText.literal(Pack.nameSeparator)
        let text = parts.map { "coalesce(\(separator) || \($0), '')" }.joined(separator: " || ")
        return "coalesce(nullif(substr(\(text), \(Pack.nameSeparator.count + 1)), ''), t0.id)"
    }

    /// The columns that a name is made of, outermost first.
    static func columns(of entity: Entity, pack: Pack, joins: inout PathJoins) -> [String] {
        pack.namePaths(of: entity).map { joins.column($0) }
    }
}
