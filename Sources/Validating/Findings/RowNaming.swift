import Model

/// How people name the rows of an entity: the fields of its key, after the name of the row within which they are unique
/// (`TPA-2025 / C-014 / 3`).
struct RowNaming {
    private let query: PathQuery?
    private let fields: [Field?]
    private let quotation: Quotation

    init(of entity: Entity, in pack: Pack, source: any ValidationSource, quotation: Quotation) {
        self.quotation = quotation
        let paths = Self.paths(of: entity, in: pack, source: source, levels: 6)
        fields = paths.map { pack.field(at: $0, from: entity) }
        query = paths.isEmpty ? nil : PathQuery(pack: pack, entity: entity, paths: paths)
    }

    private static func paths(of entity: Entity, in pack: Pack, source: any ValidationSource, levels: Int) -> [FieldPath] {
        var paths: [FieldPath] = []
        if levels > 0, let scope = entity.keyScope, !source.isHidden(scope, of: entity.name),
            let outer = entity.field(scope)?.references.flatMap({ pack.entity($0) }) {
            paths = Self.paths(of: outer, in: pack, source: source, levels: levels - 1).map { FieldPath(parts: [scope] + $0.parts) }
        }
        return paths + entity.key.filter { !source.isHidden($0, of: entity.name) }.map { FieldPath(parts: [$0]) }
    }

    /// Names by id; rows that have none are absent.
    func names(of ids: [String], in source: any ValidationSource, seconds: Double) throws -> [String: String] {
        guard let query else { return [:] }
        var names: [String: String] = [:]
        do {
            try query.forEach(of: ids, in: source, seconds: seconds) { batch, row in
                guard let id = batch.description(row, 0) else { return }
                let parts = fields.indices.compactMap { index in
                    quotation.quote(batch, row, index + 1, of: fields[index])
                }
                if !parts.isEmpty { names[id] = parts.joined(separator: " / ") }
            }
        } catch is QueryTimeout {
            // A finding without its row's name still has the id.
        }
        return names
    }
}
