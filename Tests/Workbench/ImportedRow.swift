package import Model

/// One row of an import, by the names of its fields, as tests write and read it.
package struct ImportedRow {
    package var entity: String
    package var values: [String: MemoryRows.Value]
    package var states = ImportedBatch.States()
    package var raw: String
    package var place: Place

    package init(
        entity: String, values: [String: MemoryRows.Value], syncState: SyncState? = nil, localVersion: Int64? = nil, remoteUpdatedAt: String? = nil,
        raw: String, place: Place
    ) {
        (self.entity, self.values, self.raw, self.place) = (entity, values, raw, place)
        states = ImportedBatch.States(sync: syncState, version: localVersion, remoteUpdatedAt: remoteUpdatedAt)
    }

    package var syncState: SyncState? { states.sync }
    package var localVersion: Int64? {
        get { states.version }
        set { states.version = newValue }
    }
    package var remoteUpdatedAt: String? {
        get { states.remoteUpdatedAt }
        set { states.remoteUpdatedAt = newValue }
    }

    /// The rows of a batch that were converted without a fault.
    package static func rows(of batch: ImportedBatch, _ entity: Entity) -> [ImportedRow] {
        (0..<batch.rows.rowCount).map { row in
            var values: [String: MemoryRows.Value] = [:]
            for (column, field) in batch.fields.enumerated() where batch.shapes[batch.shape(of: row)][column] {
                values[entity.fields[field].name] = batch.rows.value(row, column)
            }
            let states = batch.states[row]
            return ImportedRow(
                entity: batch.entity, values: values, syncState: states?.sync, localVersion: states?.version, remoteUpdatedAt: states?.remoteUpdatedAt,
                raw: batch.raw.json(row), place: batch.place(of: row))
        }
    }

    /// A batch of only this row. A row without an id is a rejected row.
    package func batch(of entity: Entity) -> ImportedBatch {
        let id = entity.fields.firstIndex { $0.name == "id" } ?? 0
        let fields = entity.fields.indices.filter { $0 != id } + [id]
        var common = place
        (common.line, common.pointer, common.id, common.table) = (nil, nil, nil, entity.name)
        var batch = ImportedBatch(entity: self.entity, fields: fields, place: common, raw: RawCells(headings: [], isText: true))
        guard values["id"] != nil else {
            batch.reject(.init(raw: raw, place: place, findings: [Finding(code: "IMPORT-NO-ID", severity: .error, place: place)]))
            return batch
        }
        for field in fields { batch.rows.append(Self.stored(values[entity.fields[field].name] ?? .null, entity.fields[field])) }
        let bytes = Array(raw.utf8)
        batch.raw.append(bytes.span)
        batch.endRow(
            line: place.line, pointer: place.pointer, shape: fields.map { values[entity.fields[$0].name] != nil },
            states: states == ImportedBatch.States() ? nil : states)
        return batch
    }

    /// A test may write whole numbers for decimals.
    private static func stored(_ value: MemoryRows.Value, _ field: Field) -> MemoryRows.Value {
        if case .integer(let integer) = value, field.type == .decimal { return .real(Double(integer)) }
        return value
    }
}

extension ImportTarget {
    /// Stores one row of its table.
    package func store(_ row: ImportedRow, of entity: Entity) throws {
        var stretch = ImportedStretch([row.batch(of: entity)], read: 1)
        try store(&stretch)
    }
}
