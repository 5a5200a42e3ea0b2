/// The pack's expression language as a tree: for filters, row rules, `required when`. `ExpressionParser` reads it from text,
/// `ExpressionCheck` types it against an entity, stages compile it once: to closures over rows, or to SQL for selections.
///
/// Unknown values follow SQL: a comparison with a missing value is unknown, and only true selects or offends.
package indirect enum Expression: Sendable, Hashable {
    case text(String)
    /// A number as it was written, so that no digit is lost.
    case number(String)
    case boolean(Bool)
    case null
    case field(FieldPath)
    case not(Expression)
    case negative(Expression)
    case binary(Operator, Expression, Expression)
    case isIn(Expression, [Expression], negated: Bool)
    case isNull(Expression, negated: Bool)
    case call(Function, [Expression])

    package enum Operator: String, Sendable, CaseIterable {
        case and, or
        case equal = "=", notEqual = "!=", less = "<", lessOrEqual = "<=", greater = ">", greaterOrEqual = ">="
        case plus = "+", minus = "-", times = "*", dividedBy = "/"
    }

    package enum Function: String, Sendable, CaseIterable {
        case length, lower, upper, absolute = "abs", round, coalesce
        /// A chainage such as `12+300` as metres.
        case metres
        case contains
        case startsWith = "starts_with"
        /// Year of a date or instant.
        case year
    }
}
