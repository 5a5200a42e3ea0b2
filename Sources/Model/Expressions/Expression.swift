/// The pack's expression language as a tree, for filters, row rules and `required when`.
/// `ExpressionParser` reads it from text, and `ExpressionCheck` checks its types for an entity.
/// Stages compile it once: to a program over rows, or to SQL for selections.
///
/// Unknown values follow SQL: a comparison with a missing value is unknown. Only true selects a
/// row, and only false breaks a rule.
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
        /// The office's day of the run: 2026-11-22.
        case today
        /// A version such as `100.2.0` as a text that sorts as versions do.
        case versionKey = "version_key"
    }

    /// Whether its value depends on the day of the run.
    package var asksForToday: Bool {
        switch self {
        case .text, .number, .boolean, .null, .field: false
        case .not(let inner), .negative(let inner), .isNull(let inner, _): inner.asksForToday
        case .binary(_, let left, let right): left.asksForToday || right.asksForToday
        case .isIn(let inner, let items, _): inner.asksForToday || items.contains(where: \.asksForToday)
        case .call(let function, let arguments): function == .today || arguments.contains(where: \.asksForToday)
        }
    }
}
