package import Model

/// An expression of the pack's language, compiled once to a short list of steps over the columns of a batch.
///
/// It means what SQLite means by the same words: three-valued logic, exact comparison of integers with reals, whole division of
/// integers, division by zero is missing, texts compare by their bytes, `lower` and `upper` change ASCII letters only.
package final class ExpressionProgram: Sendable {
    /// One step. Operands are on a stack; a step takes its own and leaves its result.
    enum Step: Sendable {
        case column(Int32)
        case constant(Int32)
        case compare(Expression.Operator)
        /// The commonest comparison in one step.
        case compareColumn(Int32, Expression.Operator, constant: Int32)
        case arithmetic(Expression.Operator)
        case and, or, not, negate
        /// Leaves the operand and goes on elsewhere when it decides `and` or `or` alone.
        case skipIfNo(to: Int32)
        case skipIfYes(to: Int32)
        case isNull(negated: Bool)
        /// Whether the operand is one of the given number of operands above it.
        case isIn(count: Int32, negated: Bool)
        case call(Expression.Function, count: Int32)
    }

    /// A path that has no column: unknown, or hidden from the actor.
    package struct UnknownPath: Error, Hashable, Sendable {
        package var path: FieldPath
    }

    let steps: [Step]
    let constants: [ExpressionValue]
    let constantText: [UInt8]

    /// Compiles an expression; the closure says in which column the value of a path is.
    package init(_ expression: Expression, column: (FieldPath) -> Int?) throws(UnknownPath) {
        var compiler = Compiler()
        try compiler.emit(expression, column)
        (steps, constants, constantText) = (compiler.steps, compiler.constants, compiler.constantText)
    }
}

/// Puts the steps of an expression in a row, operands before what takes them.
private struct Compiler {
    private(set) var steps: [ExpressionProgram.Step] = []
    private(set) var constants: [ExpressionValue] = []
    private(set) var constantText: [UInt8] = []

    mutating func emit(_ expression: Expression, _ column: (FieldPath) -> Int?) throws(ExpressionProgram.UnknownPath) {
        switch expression {
        case .text(let text): emitConstant(of: text)
        case .number(let digits): emit(constant: Self.value(ofNumber: digits))
        case .boolean(let value): emit(constant: value ? .yes : .no)
        case .null: emit(constant: .null)
        case .field(let path):
            guard let index = column(path) else { throw ExpressionProgram.UnknownPath(path: path) }
            steps.append(.column(Int32(index)))
        case .not(let inner):
            try emit(inner, column)
            steps.append(.not)
        case .negative(let inner):
            try emit(inner, column)
            steps.append(.negate)
        case .binary(let operation, let left, let right):
            try emit(left, column)
            switch operation {
            case .and, .or:
                let jump = steps.count
                steps.append(.and)
                try emit(right, column)
                steps.append(operation == .and ? .and : .or)
                let target = Int32(steps.count)
                steps[jump] = operation == .and ? .skipIfNo(to: target) : .skipIfYes(to: target)
            case .equal, .notEqual, .less, .lessOrEqual, .greater, .greaterOrEqual:
                try emit(right, column)
                if case .field = left, case .constant(let constant)? = steps.last, case .column(let index) = steps[steps.count - 2] {
                    steps.removeLast(2)
                    steps.append(.compareColumn(index, operation, constant: constant))
                } else {
                    steps.append(.compare(operation))
                }
            case .plus, .minus, .times, .dividedBy:
                try emit(right, column)
                steps.append(.arithmetic(operation))
            }
        case .isIn(let inner, let items, let negated):
            try emit(inner, column)
            for item in items { try emit(item, column) }
            steps.append(.isIn(count: Int32(items.count), negated: negated))
        case .isNull(let inner, let negated):
            try emit(inner, column)
            steps.append(.isNull(negated: negated))
        case .call(let function, let arguments):
            for argument in arguments { try emit(argument, column) }
            steps.append(.call(function, count: Int32(arguments.count)))
        }
    }

    private mutating func emit(constant: ExpressionValue) {
        steps.append(.constant(Int32(constants.count)))
        constants.append(constant)
    }

    private mutating func emitConstant(of text: String) {
        let start = constantText.count
        constantText += Array(text.utf8)
        emit(constant: .text(.constantText, start..<constantText.count))
    }

    private static func value(ofNumber digits: String) -> ExpressionValue {
        if let integer = Int64(digits) { return .integer(integer) }
        return Double(digits).map { .real($0) } ?? .null
    }
}
