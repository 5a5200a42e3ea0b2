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
    case imported, updated, unchanged
    /// The replica's row differs, and stays as it is because the policy says so.
    case skipped
    case conflict, rejected
    /// Kept until the record that it belongs to, which was rejected, has come in.
    case waiting
    /// Left out on purpose: a blank row, one that a mapping's filter leaves out, one that repeats what another row made.
    case filtered
}

/// Takes imported rows; everything it took is there as a whole at the end, or not at all.
package protocol ImportTarget: AnyObject {
    /// Begins the reading of a table, by its place in the source. Returns how many of its first rows were taken by an earlier run that
    /// was killed: they are not to be handed over again.
    func begin(table: Int) throws -> Int
    /// Takes all that a stretch holds: rows, rejected rows, deletions, what is to be told. What becomes of a row is known only when
    /// everything was read. The stretch is empty afterwards.
    func store(_ stretch: inout ImportedStretch) throws
}
