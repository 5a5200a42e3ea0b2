/// One row as an importer read it, its values converted to what the replica stores.
package struct ImportedRow: Sendable {
    package var entity: String
    /// Values by field name; fields that the source did not have are absent.
    package var values: [String: MemoryRows.Value]
    /// The same in the order of the entity's fields, nil for absent ones: from who reads rows in bulk, in place of `values`.
    package var ordered: [MemoryRows.Value?]?
    /// The local row's states, where the source carries them (a replica copied off a device).
    package var syncState: SyncState?
    package var localVersion: Int64?
    package var remoteUpdatedAt: String?
    /// The row as it stood in the source, as JSON, for the quarantine.
    package var raw: String
    package var place: Place

    package init(
        entity: String, values: [String: MemoryRows.Value], syncState: SyncState? = nil, localVersion: Int64? = nil,
        remoteUpdatedAt: String? = nil, raw: String, place: Place
    ) {
        self.entity = entity
        self.values = values
        self.syncState = syncState
        self.localVersion = localVersion
        self.remoteUpdatedAt = remoteUpdatedAt
        self.raw = raw
        self.place = place
    }
}

/// A record that is no longer there where the source comes from.
package struct ImportedDeletion: Sendable {
    package var entity: String
    package var id: String
    /// What the source says of it, a JSON object with `"deleted": true`.
    package var remote: String
    package var place: Place

    package init(entity: String, id: String, remote: String, place: Place) {
        (self.entity, self.id, self.remote, self.place) = (entity, id, remote, place)
    }
}

/// What became of an imported row.
package enum ImportOutcome: String, Sendable, Codable, CaseIterable {
    case imported, updated, unchanged, conflict, rejected
    /// Left out on purpose: a blank row, one that a mapping's filter leaves out, one that repeats what another row made.
    case filtered
}

/// Takes imported rows; everything it took is there as a whole at the end, or not at all.
package protocol ImportTarget: AnyObject {
    /// Begins the reading of a table, by its place in the source. Returns how many of its first rows were taken by an earlier run that
    /// was killed: they are not to be handed over again.
    func begin(table: Int) throws -> Int
    /// Takes a row, or keeps it in the quarantine with the findings that say why. What becomes of a row that is taken is known only
    /// when everything was read; until then it counts as imported.
    func store(_ row: ImportedRow) throws -> ImportOutcome
    /// Takes note that a record was deleted elsewhere. An import takes nothing away: where the record is here it becomes a conflict.
    func delete(_ deletion: ImportedDeletion) throws -> ImportOutcome
    /// Takes all rows of a batch, and counts those that it says were left out; the batch is empty afterwards.
    func store(_ batch: inout ImportedBatch, of entity: Entity) throws
    /// Counts rows that were read and left out on purpose.
    func filter(entity: String, count: Int) throws
    /// Keeps a row that could not be converted in the quarantine, and reports its findings.
    func reject(entity: String?, raw: String, place: Place, findings: [Finding]) throws
    /// Reports what is to be told about rows that are taken all the same.
    func note(_ finding: Finding) throws
}

extension ImportTarget {
    /// One by one, for targets that look at each row.
    package func storeSingly(_ batch: inout ImportedBatch, of entity: Entity) throws {
        for row in 0..<batch.rows.rowCount { _ = try store(batch.row(row, of: entity)) }
        if batch.filtered > 0 { try filter(entity: entity.name, count: batch.filtered) }
        batch.removeAll()
    }

    package func store(_ batch: inout ImportedBatch, of entity: Entity) throws { try storeSingly(&batch, of: entity) }
}
