extension Expression: CustomStringConvertible {
    /// The expression as text that parses to the same tree; parentheses only where needed.
    package var description: String { text(within: .loosest) }

    /// How tightly a form binds, after the grammar of `ExpressionParser`.
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
