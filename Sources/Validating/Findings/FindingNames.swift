import Model

/// The names of an entity's rows (`Pack.namePaths`) in findings. They lack the fields that are
/// hidden from the actor, and hide what messages may not quote.
struct FindingNames {
    private let entity: Entity
    private let paths: [FieldPath]
    private let fields: [Field?]
    private let quotation: Quotation

    init(of entity: Entity, in pack: Pack, source: any ValidationSource, quotation: Quotation) {
        self.entity = entity
        self.quotation = quotation
        paths = pack.namePaths(of: entity) { field, owner in !source.isHidden(field, of: owner.name) }
        fields = paths.map { pack.field(at: $0, from: entity) }
    }

    /// Names by id; rows that have none are absent.
    func names(of ids: [String], in source: any ValidationSource, seconds: Double) throws -> [String: String] {
        var names: [String: String] = [:]
        guard !paths.isEmpty else { return names }
        do {
            try source.forEachRow(of: entity, ids: ids, paths: paths, seconds: seconds) { batch, row in
                guard let id = batch.description(row, 0) else { return }
                var parts = fields.indices.map { quotation.quote(batch, row, $0 + 1, of: fields[$0]) }
                guard parts.contains(where: { $0 != nil }), let last = parts.popLast() else { return }
                names[id] = (parts.compactMap(\.self) + [last ?? id]).joined(separator: Pack.nameSeparator)
            }
        } catch is QueryTimeout {
            // A finding without its row's name still has the id.
        }
        return names
    }
}
