/// A check beyond one field. Texts: `rule.CODE` (title), `rule.CODE.message` and `rule.CODE.remedy`, whose placeholders
/// are `{key}` (the row's name for people) and the names in `arguments`.
package struct Rule: Sendable, Hashable {
    package enum Check: Sendable, Hashable {
        /// An expression over one row that must not be false; unknown (a missing operand) passes.
        case row(Expression)
        /// A read-only query that returns the offenders: a column `id` (of a row of `entity`) and one column for each argument.
        case query(String)
        /// The number of rows of another entity that refer to the row (or whose ids the row's list field holds) lies within bounds;
        /// each bound is an integer literal or a path from the row (`type_id.family_id.photo_min`).
        case count(of: String, by: String, minimum: Expression?, maximum: Expression?)
        /// The row's photo is opened and held against what is recorded of it. Each fault has a code of the program's own (`PHOTO-…`);
        /// the rule's code only names the rule.
        case photo(PhotoCheck)
    }

    /// Which rows decide about one: the narrower, the less has to be judged again when something changed.
    package enum Scope: String, Sendable, CaseIterable {
        /// The row itself.
        case row
        /// The rows of its record.
        case record
        /// The rows of its project.
        case project
    }

    /// Stable, upper case with hyphens: `CORTE-INVERTIDO`.
    package var code: String
    package var entity: String
    package var severity: Severity
    /// The field that the finding points to.
    package var field: String?
    /// Only rows for which this is true are judged.
    package var when: Expression?
    package var check: Check
    /// Fields (or query columns) whose values the message quotes.
    package var arguments: [String]
    /// Of a query; nil: any row that it reads may decide about any other.
    package var scope: Scope?

    package init(
        code: String, entity: String, severity: Severity, field: String? = nil, when: Expression? = nil, check: Check,
        arguments: [String] = [], scope: Scope? = nil
    ) {
        self.code = code
        self.entity = entity
        self.severity = severity
        self.field = field
        self.when = when
        self.check = check
        self.arguments = arguments
        self.scope = scope
    }

    /// The codes of its findings.
    package var findingCodes: [String] {
        if case .photo = check { return PhotoCheck.codes }
        return [code]
    }

    /// Whether the rule is judged by itself, over tables or files, and not in the pass over the rows.
    package var isOverTables: Bool {
        if case .row = check { return false }
        return true
    }
}
