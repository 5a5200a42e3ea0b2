package import Model

/// The outcome of one row of an import.
package struct ImportRecord: Sendable, Hashable, Codable {
    package var entity: String
    package var id: String?
    /// The row's name for people, if the actor may see it.
    package var key: String?
    package var outcome: ImportOutcome
    /// The differences from the existing row.
    package var changes: [RowDifference] = []
    package var place: Place
}

/// One field of a row that differs.
package struct RowDifference: Sendable, Hashable, Codable {
    package var field: String
    package var before: String?
    package var after: String?
}
