import Model

/// How people name a row: the key of what it belongs to, then its own (`C-014 / 3`).
enum RowNaming {
    /// SQL text for a row's name; joins to its parents go into `joins`. A row without a key is named by its id.
    static func key(of entity: Entity, pack: Pack, joins: inout PathJoins) -> String {
        let parts = columns(of: entity, pack: pack, joins: &joins)
        guard !parts.isEmpty else { return "t0.id" }
        return parts.map { "coalesce(\($0), '?')" }.joined(separator: " || ' / ' || ")
    }

    /// The columns that a name is made of, outermost first: the order in which people look for rows.
    static func columns(of entity: Entity, pack: Pack, joins: inout PathJoins) -> [String] {
        var parts: [String] = []
        collect(entity, path: [], pack: pack, joins: &joins, depth: 0, into: &parts)
        return parts
    }

    private static func collect(
        _ entity: Entity, path: [String], pack: Pack, joins: inout PathJoins, depth: Int, into parts: inout [String]
    ) {
        // A pack's references may go in circles; names never need more than a few steps.
        if depth < 4, let scope = entity.keyScope, let target = entity.field(scope)?.references, let parent = pack.entity(target) {
            collect(parent, path: path + [scope], pack: pack, joins: &joins, depth: depth + 1, into: &parts)
        }
        for field in entity.key {
            parts.append(joins.column(FieldPath(parts: path + [field])))
        }
    }
}
