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
        /// The office's date of the run: 2026-11-22.
        case today
        /// The day that the office's clock shows at an instant.
        case officeDay = "office_day"
        /// Converts a version such as `100.2.0` to a text that sorts in the order of versions.
        case versionKey = "version_key"
    }

    /// Whether the expression's value depends on the date of the run.
    package var asksForToday: Bool { calls(.today) }

    /// Whether the expression's value depends on the office's clock.
    package var asksForOffice: Bool { calls(.today) || calls(.officeDay) }

    private func calls(_ function: Function) -> Bool {
        switch self {
        case .text, .number, .boolean, .null, .field: false
        case .not(let inner), .negative(let inner), .isNull(let inner, _): inner.calls(function)
        case .binary(_, let left, let right): left.calls(function) || right.calls(function)
        case .isIn(let inner, let items, _): inner.calls(function) || items.contains { $0.calls(function) }
        case .call(let called, let arguments): called == function || arguments.contains { $0.calls(function) }
        }
    }
}

extension Expression: CustomStringConvertible {
    /// The expression as text that parses to the same tree; parentheses only where needed.
    package var description: String { text(within: .loosest) }

    /// How tightly a form binds, following the grammar of `ExpressionParser`.
    private enum Binding: Int, Comparable {
        case loosest, and, not, comparison, sum, product, unary, primary

        static func < (left: Binding, right: Binding) -> Bool { left.rawValue < right.rawValue }
        var tighter: Binding { Binding(rawValue: rawValue + 1) ?? .primary }
    }

    private var binding: Binding {
        switch self {
        case .text, .number, .boolean, .null, .field, .call: .primary
        case .negative: .unary
        case .not: .not
        case .isIn, .isNull: .comparison
        case .binary(let operation, _, _): Self.binding(of: operation)
        }
    }

    private static func binding(of operation: Operator) -> Binding {
        switch operation {
        case .or: .loosest
        case .and: .and
        case .equal, .notEqual, .less, .lessOrEqual, .greater, .greaterOrEqual: .comparison
        case .plus, .minus: .sum
        case .times, .dividedBy: .product
        }
    }

    private func text(within outer: Binding) -> String {
        let inner =
            switch self {
            case .text(let text): "'" + text.replacing("'", with: "''") + "'"
            case .number(let digits): digits
            case .boolean(let value): value ? "true" : "false"
            case .null: "null"
            case .field(let path): path.description
            case .not(let operand): "not " + operand.text(within: .not)
            case .negative(let operand): "-" + operand.text(within: .unary)
            case .binary(let operation, let left, let right):
                Self.text(left, operation, right)
            case .isIn(let operand, let items, let negated):
                operand.text(within: .sum) + (negated ? " not in (" : " in (")
                    + items.map { $0.text(within: .sum) }.joined(separator: ", ") + ")"
            case .isNull(let operand, let negated):
                operand.text(within: .sum) + (negated ? " is not null" : " is null")
            case .call(let function, let arguments):
                function.rawValue + "(" + arguments.map { $0.text(within: .loosest) }.joined(separator: ", ") + ")"
            }
        return binding < outer ? "(" + inner + ")" : inner
    }

    private static func text(_ left: Expression, _ operation: Operator, _ right: Expression) -> String {
        let own = binding(of: operation)
        // Operators of one precedence group from the left. Comparisons cannot be chained.
        let first = left.text(within: own == .comparison ? .sum : own)
        return first + " " + operation.rawValue + " " + right.text(within: own.tighter)
    }
}
