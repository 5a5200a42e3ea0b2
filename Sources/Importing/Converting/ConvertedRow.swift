import Model

/// One converted row of a batch, for code that examines single rows.
struct ConvertedRow {
    let id: String
    let place: Place
    private let batch: ImportedBatch
    private let row: Int
    private let entity: Entity

    fileprivate init(_ batch: ImportedBatch, _ row: Int, _ entity: Entity) {
        (self.batch, self.row, self.entity) = (batch, row, entity)
        place = batch.place(of: row)
        id = place.id ?? ""
    }

    /// The value of a field; nil if the row does not contain the field.
    func stated(_ field: String) -> MemoryRows.Value? {
        guard let column = entity.position(ofField: field).flatMap({ batch.column(ofField: $0) }),
            batch.shapes[batch.shape(of: row)][column]
        else {
            return nil
        }
        return batch.rows.value(row, column)
    }

    /// The text of a field; nil if it has none.
    func text(_ field: String) -> String? {
        if case .text(let text)? = stated(field) { return text }
        return nil
    }
}

extension SourceTable {
    /// The same table, with a closure that receives each converted row of one entity during the
    /// reading.
    ///
    /// - Parameters:
    ///   - begin: called before the first row.
    ///   - end: called after the last.
    func seen(
        of entity: Entity, begin: @escaping () -> Void = {}, end: @escaping () throws -> Void = {},
        _ see: @escaping (ConvertedRow) throws -> Void
    ) -> SourceTable {
        var seen = self
        seen.read = { [read] taken, take in
            begin()
            try read(taken) { stretch in
                for batch in stretch.batches where batch.entity == entity.name {
                    for row in 0..<batch.rows.rowCount { try see(ConvertedRow(batch, row, entity)) }
                }
                try take(&stretch)
            }
            try end()
        }
        return seen
    }
}
