/// A record that was deleted at the source.
package struct ImportedDeletion: Sendable {
    package var entity: String
    package var id: String
    /// The source's statement about it, a JSON object with `"deleted": true`.
    package var remote: String
    package var place: Place

    package init(entity: String, id: String, remote: String, place: Place) {
        (self.entity, self.id, self.remote, self.place) = (entity, id, remote, place)
    }
}

/// The outcome of an imported row.
package enum ImportOutcome: String, Sendable, Codable, CaseIterable {
    case imported, updated, unchanged
    /// The replica's row differs, and stays unchanged by the import's policy.
    case skipped
    case conflict, rejected
    /// Kept until its record, which was rejected, is imported.
    case waiting
    /// Left out on purpose: a blank row, a row that a mapping's filter leaves out, or a repetition
    /// of another row's result.
    case filtered
}

/// Takes imported rows. At the end, either all of them are in the replica or none.
package protocol ImportTarget: AnyObject {
    /// Begins the reading of a table, by its place in the source. Returns the number of its first
    /// rows that an earlier, killed run took: they must not be passed again.
    func begin(table: Int) throws -> Int
    /// Takes all of a stretch: rows, rejected rows, deletions and findings. The outcome of a row is
    /// known only when everything was read. The stretch is empty afterwards.
    func store(_ stretch: inout ImportedStretch) throws
}
