import Model

/// One row of a batch, as those read it who look at single rows.
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

    /// The value of a field; nil where the row does not state it.
    func stated(_ field: String) -> MemoryRows.Value? {
        guard let column = entity.position(ofField: field).flatMap({ batch.column(ofField: $0) }), batch.shapes[batch.shape(of: row)][column] else {
            return nil
        }
        return batch.rows.value(row, column)
    }

    /// The text of a field; nil where it has none.
    func text(_ field: String) -> String? {
        if case .text(let text)? = stated(field) { return text }
        return nil
    }
}

extension SourceTable {
    /// Calls the body with each row that could be converted, of one entity.
    func forEachRow(of entity: Entity, _ body: (ConvertedRow) throws -> Void) throws {
        try read(0) { stretch in
            for batch in stretch.batches where batch.entity == entity.name {
                for row in 0..<batch.rows.rowCount { try body(ConvertedRow(batch, row, entity)) }
            }
        }
    }
}
