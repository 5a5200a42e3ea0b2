import Foundation

/// The steps of a compiled expression with their constants, and their evaluation for a row.
struct ExpressionSteps: Sendable {
    /// One step. It pops its operands from the stack and pushes its result.
    enum Step: Sendable {
        case column(Int32)
        case constant(Int32)
        case compare(Expression.Operator)
        /// A comparison of a column with a constant: the most frequent comparison, in one step.
        case compareColumn(Int32, Expression.Operator, constant: Int32)
        case arithmetic(Expression.Operator)
        case and, or, not, negate
        /// Jumps if the operand alone decides `and` or `or`, and leaves the operand as the result.
        case skipIfNo(to: Int32)
        case skipIfYes(to: Int32)
        case isNull(negated: Bool)
        /// Whether the operand equals one of the given number of operands above it.
        case isIn(count: Int32, negated: Bool)
        case call(Expression.Function, count: Int32)
    }

    var steps: [Step] = []
    var constants: [ExpressionValue] = []
    var constantText: [UInt8] = []
    /// The office's time zone, for `office_day`.
    var zone: TimeZone?

    /// The stack's required size: no step adds more than one value.
    var depth: Int { steps.count }

    /// The value for a row whose cells start at `base`. `stack` must have room for `depth` values.
    /// `made` gets the texts that functions make; it is emptied first. `clock` is the office's.
    func value(
        _ cells: Span<RowBatch.Cell>, _ base: Int, _ text: Span<UInt8>, _ stack: inout MutableSpan<ExpressionValue>,
        _ made: inout [UInt8], _ clock: inout OfficeClock?
    ) -> ExpressionValue {
        if !made.isEmpty { made.removeAll(keepingCapacity: true) }
        let (steps, constants) = (steps.span, constants.span)
        // The values on the stack are those below `top`.
        var (next, top) = (0, 0)
        while next < steps.count {
            let step = steps[next]
            next &+= 1
            switch step {
            case .column(let column): push(ExpressionValue(cells[base &+ Int(column)]), &stack, &top)
            case .constant(let index): push(constants[Int(index)], &stack, &top)
            case .compareColumn(let column, let operation, let constant):
                let (left, right) = (ExpressionValue(cells[base &+ Int(column)]), constants[Int(constant)])
                push(.truth(compare(left, operation, right, text, made.span)), &stack, &top)
            case .compare(let operation):
                top &-= 1
                stack[top &- 1] = .truth(compare(stack[top &- 1], operation, stack[top], text, made.span))
            case .arithmetic(let operation):
                top &-= 1
                stack[top &- 1] = ExpressionArithmetic.apply(operation, stack[top &- 1], stack[top])
            case .and:
                top &-= 1
                stack[top &- 1] = .truth(stack[top &- 1].truth && stack[top].truth)
            case .or:
                top &-= 1
                stack[top &- 1] = .truth(stack[top &- 1].truth || stack[top].truth)
            case .not: stack[top &- 1] = .truth(!stack[top &- 1].truth)
            case .negate: stack[top &- 1] = ExpressionArithmetic.negative(stack[top &- 1])
            case .skipIfNo(let target) where stack[top &- 1].truth == .no:
                stack[top &- 1] = .no
                next = Int(target)
            case .skipIfYes(let target) where stack[top &- 1].truth == .yes:
                stack[top &- 1] = .yes
                next = Int(target)
            case .skipIfNo, .skipIfYes: break
            case .isNull(let negated): stack[top &- 1] = (stack[top &- 1].kind == .null) != negated ? .yes : .no
            case .isIn(let count, let negated):
                top &-= Int(count)
                let found = isIn(stack, top..<top &+ Int(count), text, made.span)
                stack[top &- 1] = .truth(negated ? !found : found)
            case .call(let function, let count):
                top &-= Int(count)
                push(call(function, stack, top..<top &+ Int(count), text, &made, &clock), &stack, &top)
            }
        }
        return top > 0 ? stack[top &- 1] : .null
    }

    @inline(__always)
    private func push(_ value: ExpressionValue, _ stack: inout MutableSpan<ExpressionValue>, _ top: inout Int) {
        stack[top] = value
        top &+= 1
    }

    /// Whether one of the items equals the value below them on the stack.
    @inline(__always)
    private func isIn(
        _ stack: borrowing MutableSpan<ExpressionValue>, _ items: Range<Int>, _ text: Span<UInt8>, _ made: Span<UInt8>
    ) -> Truth {
        let value = stack[items.lowerBound &- 1]
        guard value.kind != .null else { return .unknown }
        var found = Truth.no
        var item = items.lowerBound
        while item < items.upperBound, found != .yes {
            // With a missing item the result is unknown, unless a later item is equal.
            let same = compare(value, .equal, stack[item], text, made)
            if same != .no { found = same }
            item &+= 1
        }
        return found
    }

    // MARK: comparison

    @inline(__always)
    private func compare(
        _ left: ExpressionValue, _ operation: Expression.Operator, _ right: ExpressionValue, _ text: Span<UInt8>,
        _ made: Span<UInt8>
    ) -> Truth {
        guard left.kind != .null, right.kind != .null else { return .unknown }
        let order: Int
        if left.isNumber, right.isNumber {
            order = ExpressionArithmetic.order(left, right)
        } else if left.isText, right.isText {
            if operation == .equal || operation == .notEqual, left.length != right.length {
                return operation == .equal ? .no : .yes
            }
            order = textOrder(left, right, text, made)
        } else {
            // Numbers sort before texts.
            order = left.isNumber ? -1 : 1
        }
        let holds =
            switch operation {
            case .equal: order == 0
            case .notEqual: order != 0
            case .less: order < 0
            case .lessOrEqual: order <= 0
            case .greater: order > 0
            default: order >= 0
            }
        return holds ? .yes : .no
    }

    @inline(__always)
    private func byte(_ value: ExpressionValue, _ index: Int, _ text: Span<UInt8>, _ made: Span<UInt8>) -> UInt8 {
        switch value.kind {
        case .rowText: text[value.start &+ index]
        case .constantText: constantText[value.start &+ index]
        default: made[value.start &+ index]
        }
    }

    private func textOrder(_ left: ExpressionValue, _ right: ExpressionValue, _ text: Span<UInt8>, _ made: Span<UInt8>)
        -> Int
    {
        let common = min(left.length, right.length)
        var index = 0
        while index < common {
            let first = byte(left, index, text, made)
            let second = byte(right, index, text, made)
            if first != second { return first < second ? -1 : 1 }
            index &+= 1
        }
        return left.length - right.length
    }

    // MARK: functions

    private func call(
        _ function: Expression.Function, _ stack: borrowing MutableSpan<ExpressionValue>, _ operands: Range<Int>,
        _ text: Span<UInt8>, _ made: inout [UInt8], _ clock: inout OfficeClock?
    ) -> ExpressionValue {
        let first = operands.lowerBound
        if function == .coalesce {
            for index in operands where stack[index].kind != .null { return stack[index] }
            return .null
        }
        for index in operands where stack[index].kind == .null { return .null }
        let value = stack[first]
        switch function {
        case .absolute: return ExpressionArithmetic.absolute(value)
        case .round:
            return ExpressionArithmetic.round(value, decimals: operands.count > 1 ? stack[first + 1] : .integer(0))
        // `coalesce` was handled above, and `today` was compiled to a constant.
        case .coalesce, .today: return .null
        case .officeDay:
            guard value.isText else { return .null }
            return officeDay(of: value, text, &made, &clock)
        case .length, .lower, .upper, .metres, .year, .versionKey, .contains, .startsWith:
            guard value.isText else { return .null }
            return call(function, value, operands.count > 1 ? stack[first + 1] : .null, text, &made)
        }
    }

    /// The value of a function of texts. `part` is the second operand of the functions that have one.
    private func call(
        _ function: Expression.Function, _ value: ExpressionValue, _ part: ExpressionValue, _ text: Span<UInt8>,
        _ made: inout [UInt8]
    ) -> ExpressionValue {
        switch function {
        case .length:
            var count: Int64 = 0
            for index in 0..<value.length where byte(value, index, text, made.span) & 0xC0 != 0x80 { count += 1 }
            return .integer(count)
        case .lower, .upper:
            let start = made.count
            let range: ClosedRange<UInt8> = function == .lower ? 0x41...0x5A : 0x61...0x7A
            for index in 0..<value.length {
                let byte = byte(value, index, text, made.span)
                made.append(range.contains(byte) ? byte ^ 0x20 : byte)
            }
            return .text(.madeText, start..<made.count)
        case .metres:
            let made = made
            return Chainage.metres(count: value.length) { byte(value, $0, text, made.span) }.map(ExpressionValue.real)
                ?? .null
        case .year:
            return year(of: value, text, made.span)
        case .versionKey:
            guard let key = VersionKey.of((0..<value.length).map { byte(value, $0, text, made.span) }) else {
                return .null
            }
            let start = made.count
            made += key
            return .text(.madeText, start..<made.count)
        default:
            guard part.isText else { return .null }
            return contains(value, part, atStart: function == .startsWith, text, made.span) ? .yes : .no
        }
    }

    private func officeDay(
        of value: ExpressionValue, _ text: Span<UInt8>, _ made: inout [UInt8], _ clock: inout OfficeClock?
    ) -> ExpressionValue {
        let day: GregorianDay?
        switch value.kind {
        case .rowText: day = clock?.shown(text.extracting(value.range))?.day
        case .constantText: day = clock?.shown(constantText.span.extracting(value.range))?.day
        default: day = clock?.shown(made.span.extracting(value.range))?.day
        }
        guard let day else { return .null }
        let start = made.count
        made.append(contentsOf: day.text.utf8)
        return .text(.madeText, start..<made.count)
    }

    private func year(of value: ExpressionValue, _ text: Span<UInt8>, _ made: Span<UInt8>) -> ExpressionValue {
        guard value.length >= 5, byte(value, 4, text, made) == UInt8(ascii: "-") else { return .null }
        var year: Int64 = 0
        for index in 0..<4 {
            let digit = byte(value, index, text, made) &- UInt8(ascii: "0")
            guard digit <= 9 else { return .null }
            year = year * 10 + Int64(digit)
        }
        return .integer(year)
    }

    private func contains(
        _ value: ExpressionValue, _ part: ExpressionValue, atStart: Bool, _ text: Span<UInt8>, _ made: Span<UInt8>
    ) -> Bool {
        guard part.length <= value.length else { return false }
        search: for start in 0...(atStart ? 0 : value.length - part.length) {
            for index in 0..<part.length where byte(value, start &+ index, text, made) != byte(part, index, text, made)
            { continue search }
            return true
        }
        return false
    }
}

/// Converts a version of numbers and points to a text that sorts in the order of versions. It sorts
/// number by number: 100.10 is more than 100.9 and equal to 100.10.0.
package enum VersionKey {
    /// The maximum count of numbers, and of digits in a number. A longer version is a typing error,
    /// which must not sort above every real version.
    private static let (mostNumbers, mostDigits) = (16, 10)

    /// Nil for a text that is not a version: versions consist of digits separated by points.
    package static func of(_ text: String) -> String? {
        of(Array(text.utf8)).map { String(decoding: $0, as: UTF8.self) }
    }

    /// Writes the count of digits before each number, in two digits: `100.2` is `03100.012`. Zeros
    /// at the end are left out.
    package static func of(_ text: [UInt8]) -> [UInt8]? {
        let parts = text.split(separator: UInt8(ascii: "."), omittingEmptySubsequences: false)
        guard parts.count <= mostNumbers else { return nil }
        var numbers: [[UInt8]] = []
        for part in parts {
            guard !part.isEmpty, part.allSatisfy({ (0x30...0x39).contains($0) }) else { return nil }
            let digits = Array(part.drop { $0 == 0x30 })
            guard digits.count <= mostDigits else { return nil }
            numbers.append(digits)
        }
        while numbers.count > 1, numbers.last?.isEmpty == true { numbers.removeLast() }
        return Array(
            numbers.map { [UInt8(0x30 + $0.count / 10), UInt8(0x30 + $0.count % 10)] + $0 }.joined(separator: [
                UInt8(ascii: ".")
            ]))
    }
}
