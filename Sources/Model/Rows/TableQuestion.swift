/// A question about whole tables: which rows contradict each other. The replica answers; it alone
/// uses SQL.
///
/// Every answer has the column `id` of the rows found, and the columns that are named here.
package enum TableQuestion: Sendable, Hashable {
    /// Rows with equal values in some fields, within the same value of a reference where one is
    /// given; missing values are equal to nothing. Columns: `value0`, `value1`… and `count`.
    case alike(Entity, fields: [String], within: String?)
    /// Rows whose names are equal but for their spelling (`KeyText`), except names with the same
    /// characters. Columns: `value`, `count`.
    case sameName(Entity, Field, within: String?)
    /// Dangling references: values of a reference, or of a list of them, without a row. Column:
    /// `value`.
    case dangling(Entity, Field, to: Entity)
    /// Rows with fewer or more parts than they may have. Columns: `count`, `minimum`, `maximum`,
    /// and `a0`, `a1`… for the paths.
    case parts(PartCount)
    /// What a query of the pack finds, over the plain table names.
    case query(String)

    package struct PartCount: Sendable, Hashable {
        package enum Bound: Sendable, Hashable {
            case none
            case number(String)
            case field(FieldPath)
        }

        package var owner: Entity
        package var parts: Entity
        /// The references that lead from a part to its owner, or the owner's own list of its parts.
        package var by: FieldPath
        package var minimum: Bound
        package var maximum: Bound
        package var quoted: [FieldPath]

        package init(owner: Entity, parts: Entity, by: FieldPath, minimum: Bound, maximum: Bound, quoted: [FieldPath]) {
            (self.owner, self.parts, self.by, self.minimum, self.maximum, self.quoted) = (owner, parts, by, minimum, maximum, quoted)
        }
    }
}
