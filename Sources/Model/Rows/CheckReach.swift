/// The data on which the verdict of a check depends, so that rows that were judged before and have
/// not changed since need not be judged again.
package struct CheckReach: Sendable, Hashable {
    package enum Kind: Sendable, Hashable {
        /// Each row by itself, with the rows on its paths.
        case rows(paths: [FieldPath])
        /// Rows with the same values in these fields, where each has one; those of the last list
        /// may be missing.
        case alike(values: [String], within: [String])
        /// A row with the rows of another entity from which this path leads to it, or that its own
        /// list field names.
        case count(of: String, by: FieldPath, paths: [FieldPath])
        /// The rows that a query of the pack finds; `paths` start at those rows and end at the
        /// other data that the check needs.
        case query(String, scope: Rule.Scope?, paths: [FieldPath])
        /// All rows of these entities together.
        case whole([String])
    }

    /// Names the check among those of its pack: `CORTE-HUECO`, `FIELD-UNIQUE calicatas.code`,
    /// `rows of calicatas`.
    package var name: String
    /// The entity of the rows that its findings are about.
    package var entity: String
    package var kind: Kind
    /// Whether it opens the files of rows; `ValidationSource.noteFile` reports what it reads of
    /// them.
    package var opensFiles = false
    /// Whether its verdict depends on the day.
    package var asksForToday = false

    package init(_ name: String, entity: String, kind: Kind, opensFiles: Bool = false, asksForToday: Bool = false) {
        self.name = name
        self.entity = entity
        self.kind = kind
        self.opensFiles = opensFiles
        self.asksForToday = asksForToday
    }
}
