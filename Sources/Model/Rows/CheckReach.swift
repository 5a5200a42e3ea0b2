/// On what the verdict of a check hangs, so that what was judged before, and has not changed since, need not be judged again.
package struct CheckReach: Sendable, Hashable {
    package enum Kind: Sendable, Hashable {
        /// Each row by itself, with what the paths from it lead to.
        case rows(paths: [FieldPath])
        /// Rows that have the same values in these fields, where each has one; those of the last list may be missing.
        case alike(values: [String], within: [String])
        /// A row with the rows of another entity that refer to it by this field, or that its own list field names.
        case count(of: String, by: String, paths: [FieldPath])
        /// What a query of the pack finds; `paths` lead from its offenders to what else is asked of them.
        case query(String, scope: Rule.Scope?, paths: [FieldPath])
        /// All rows of these entities together.
        case whole([String])
    }

    /// Names the check among those of its pack: `CORTE-HUECO`, `FIELD-UNIQUE calicatas.code`, `rows of calicatas`.
    package var name: String
    /// The entity of the rows that its findings are about.
    package var entity: String
    package var kind: Kind
    /// It opens the files that rows name: what it reads of them is reported by `ValidationSource.noteFile`.
    package var opensFiles = false
    /// It says something else tomorrow.
    package var asksForToday = false

    package init(_ name: String, entity: String, kind: Kind, opensFiles: Bool = false, asksForToday: Bool = false) {
        self.name = name
        self.entity = entity
        self.kind = kind
        self.opensFiles = opensFiles
        self.asksForToday = asksForToday
    }
}
