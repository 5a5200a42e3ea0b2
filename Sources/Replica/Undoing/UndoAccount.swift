/// What undoing an import did.
package struct UndoAccount: Sendable, Hashable, Codable {
    package struct Line: Sendable, Hashable, Codable {
        package var entity: String
        /// Rows that the import had added and that were removed.
        package var removed: Int
        /// Rows that the import had changed and that have their earlier values again.
        package var restored: Int
    }

    package var importID: String
    package var source: String
    package var lines: [Line]
    package var rejectsRemoved: Int
    /// Paths of photos' files, as the rows named them, that no row names any more.
    package var photos: [String]
}
