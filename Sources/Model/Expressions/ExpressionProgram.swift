package import Foundation

/// An expression of the pack's language, compiled to a short list of steps over the columns of a
/// batch.
///
/// A program follows SQLite: three-valued logic, exact comparison of integers with reals, integer
/// division of integers. Division by zero gives null, texts compare by their bytes, and `lower` and
/// `upper` change only ASCII letters.
package final class ExpressionProgram: Sendable {
    /// A path without a column: the field is unknown, or hidden from the actor.
    package struct UnknownPath: Error, Hashable, Sendable {
        package var path: FieldPath
    }

    let parts: ExpressionSteps

    /// Compiles an expression. The closure returns the column with the value of a path.
    ///
    /// - Parameters:
    ///   - day: the value of `today()`; nil if checks refuse `today()`.
    ///   - zone: the office's time zone; nil if checks refuse `office_day()`.
    package init(
        _ expression: Expression, on day: String? = nil, in zone: TimeZone? = nil, column: (FieldPath) -> Int?
    ) throws(UnknownPath) {
        var compiler = Compiler(day: day)
        try compiler.emit(expression, column)
        var parts = compiler.parts
        parts.zone = zone
        self.parts = parts
    }

    /// Compiles a condition of a validation: what is compared with a day counts by the office's clock.
    package convenience init(
        _ condition: Expression, over entity: Entity, of pack: Pack, by source: any ValidationSource,
        column: (FieldPath) -> Int?
    ) throws(UnknownPath) {
        try self.init(
            condition.byOfficeDays(over: entity, in: pack), on: source.today, in: source.timeZone, column: column)
    }
}

/// Arranges the steps of an expression: operands before the step that uses them.
private struct Compiler {
    private(set) var parts = ExpressionSteps()
    private let day: String?

    init(day: String?) { self.day = day }

    mutating func emit(_ expression: Expression, _ column: (FieldPath) -> Int?) throws(ExpressionProgram.UnknownPath) {
        switch expression {
        case .text(let text): emitConstant(of: text)
        case .number(let digits): emit(constant: Self.value(ofNumber: digits))
        case .boolean(let value): emit(constant: value ? .yes : .no)
        case .null: emit(constant: .null)
        case .field(let path):
            guard let index = column(path) else { throw ExpressionProgram.UnknownPath(path: path) }
            parts.steps.append(.column(Int32(index)))
        case .not(let inner):
            try emit(inner, column)
            parts.steps.append(.not)
        case .negative(let inner):
            try emit(inner, column)
            parts.steps.append(.negate)
        case .binary(let operation, let left, let right):
            try emit(operation, left, right, column)
        case .isIn(let inner, let items, let negated):
            try emit(inner, column)
            for item in items { try emit(item, column) }
            parts.steps.append(.isIn(count: Int32(items.count), negated: negated))
        case .isNull(let inner, let negated):
            try emit(inner, column)
            parts.steps.append(.isNull(negated: negated))
        case .call(.today, _):
            if let day { emitConstant(of: day) } else { emit(constant: .null) }
        case .call(let function, let arguments):
            for argument in arguments { try emit(argument, column) }
            parts.steps.append(.call(function, count: Int32(arguments.count)))
        }
    }

    private mutating func emit(
        _ operation: Expression.Operator, _ left: Expression, _ right: Expression, _ column: (FieldPath) -> Int?
    ) throws(ExpressionProgram.UnknownPath) {
        try emit(left, column)
        switch operation {
        case .and, .or:
            // The jump's target is known only after the right operand, so a placeholder is added first.
            let jump = parts.steps.count
            parts.steps.append(.and)
            try emit(right, column)
            parts.steps.append(operation == .and ? .and : .or)
            let target = Int32(parts.steps.count)
            parts.steps[jump] = operation == .and ? .skipIfNo(to: target) : .skipIfYes(to: target)
        case .equal, .notEqual, .less, .lessOrEqual, .greater, .greaterOrEqual:
            try emit(right, column)
            if case .field = left, case .constant(let constant)? = parts.steps.last,
                case .column(let index) = parts.steps[parts.steps.count - 2]
            {
                parts.steps.removeLast(2)
                parts.steps.append(.compareColumn(index, operation, constant: constant))
            } else {
                parts.steps.append(.compare(operation))
            }
        case .plus, .minus, .times, .dividedBy:
            try emit(right, column)
            parts.steps.append(.arithmetic(operation))
        }
    }

    private mutating func emit(constant: ExpressionValue) {
        parts.steps.append(.constant(Int32(parts.constants.count)))
        parts.constants.append(constant)
    }

    private mutating func emitConstant(of text: String) {
        let start = parts.constantText.count
        parts.constantText += Array(text.utf8)
        emit(constant: .text(.constantText, start..<parts.constantText.count))
    }

    private static func value(ofNumber digits: String) -> ExpressionValue {
        if let integer = Int64(digits) { return .integer(integer) }
        return Double(digits).map { .real($0) } ?? .null
    }
}
