package import Model

/// Works programs out, row after row; keeps its stack from one to the next, so that a row costs no memory.
package struct ExpressionMachine {
    private var stack: [ExpressionValue] = []
    /// Texts made by `lower` and `upper` for the current row.
    private var made: [UInt8] = []

    package init() {
        stack.reserveCapacity(32)
    }

    /// What an expression says of a row, whose cells start at an index of a batch's cells.
    package mutating func truth(of program: ExpressionProgram, cells: [RowBatch.Cell], at base: Int, text: [UInt8]) -> Truth {
        value(of: program, cells, base, text).truth
    }

    /// The value of an expression for a row, for tests and messages.
    package mutating func result(of program: ExpressionProgram, cells: [RowBatch.Cell], at base: Int, text: [UInt8]) -> MemoryRows.Value {
        let value = value(of: program, cells, base, text)
        switch value.kind {
        case .null: return .null
        case .integer: return .integer(value.integer)
        case .real: return .real(value.real)
        case .rowText: return .text(String(decoding: text[value.range], as: UTF8.self))
        case .constantText: return .text(String(decoding: program.constantText[value.range], as: UTF8.self))
        case .madeText: return .text(String(decoding: made[value.range], as: UTF8.self))
        }
    }

    private mutating func value(
        of program: ExpressionProgram, _ cells: [RowBatch.Cell], _ base: Int, _ text: [UInt8]
    ) -> ExpressionValue {
        stack.removeAll(keepingCapacity: true)
        made.removeAll(keepingCapacity: true)
        var next = 0
        let steps = program.steps
        while next < steps.count {
            let step = steps[next]
            next &+= 1
            switch step {
            case .column(let column):
                stack.append(ExpressionValue(cells[base &+ Int(column)]))
            case .constant(let index):
                stack.append(program.constants[Int(index)])
            case .compareColumn(let column, let operation, let constant):
                let left = ExpressionValue(cells[base &+ Int(column)])
                let right = program.constants[Int(constant)]
                stack.append(.truth(compare(left, operation, right, program, text)))
            case .compare(let operation):
                let right = pop()
                let left = pop()
                stack.append(.truth(compare(left, operation, right, program, text)))
            case .arithmetic(let operation):
                let right = pop()
                let left = pop()
                stack.append(ExpressionArithmetic.apply(operation, left, right))
            case .and:
                let right = pop().truth
                stack.append(.truth(pop().truth && right))
            case .or:
                let right = pop().truth
                stack.append(.truth(pop().truth || right))
            case .not:
                stack.append(.truth(!pop().truth))
            case .negate:
                stack.append(ExpressionArithmetic.negative(pop()))
            case .skipIfNo(let target):
                if stack[stack.count - 1].truth == .no {
                    stack[stack.count - 1] = .no
                    next = Int(target)
                }
            case .skipIfYes(let target):
                if stack[stack.count - 1].truth == .yes {
                    stack[stack.count - 1] = .yes
                    next = Int(target)
                }
            case .isNull(let negated):
                stack.append((pop().kind == .null) != negated ? .yes : .no)
            case .isIn(let count, let negated):
                let items = stack.count - Int(count)
                let found = isIn(stack[items - 1], items, program, text)
                stack.removeLast(Int(count) + 1)
                stack.append(.truth(negated ? !found : found))
            case .call(let function, let count):
                let first = stack.count - Int(count)
                let result = call(function, first, program, text)
                stack.removeLast(Int(count))
                stack.append(result)
            }
        }
        return stack.last ?? .null
    }

    @inline(__always) private mutating func pop() -> ExpressionValue { stack.removeLast() }

    // MARK: comparison

    private func isIn(_ value: ExpressionValue, _ items: Int, _ program: ExpressionProgram, _ text: [UInt8]) -> Truth {
        guard value.kind != .null else { return .unknown }
        var result = Truth.no
        for index in items..<stack.count {
            switch compare(value, .equal, stack[index], program, text) {
            case .yes: return .yes
            case .unknown: result = .unknown
            case .no: break
            }
        }
        return result
    }

    private func compare(
        _ left: ExpressionValue, _ operation: Expression.Operator, _ right: ExpressionValue, _ program: ExpressionProgram, _ text: [UInt8]
    ) -> Truth {
        guard left.kind != .null, right.kind != .null else { return .unknown }
        let order: Int
        if left.isNumber, right.isNumber {
            order = ExpressionArithmetic.order(left, right)
        } else if left.isText, right.isText {
            if operation == .equal || operation == .notEqual, left.length != right.length {
                return operation == .equal ? .no : .yes
            }
            order = textOrder(left, right, program, text)
        } else {
            // Numbers stand before texts.
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
    private func byte(_ value: ExpressionValue, _ index: Int, _ program: ExpressionProgram, _ text: [UInt8]) -> UInt8 {
        switch value.kind {
        case .rowText: text[value.start &+ index]
        case .constantText: program.constantText[value.start &+ index]
        default: made[value.start &+ index]
        }
    }

    private func textOrder(_ left: ExpressionValue, _ right: ExpressionValue, _ program: ExpressionProgram, _ text: [UInt8]) -> Int {
        let common = min(left.length, right.length)
        var index = 0
        while index < common {
            let first = byte(left, index, program, text)
            let second = byte(right, index, program, text)
            if first != second { return first < second ? -1 : 1 }
            index &+= 1
        }
        return left.length - right.length
    }

    // MARK: functions

    private mutating func call(
        _ function: Expression.Function, _ first: Int, _ program: ExpressionProgram, _ text: [UInt8]
    ) -> ExpressionValue {
        if function == .coalesce {
            for index in first..<stack.count where stack[index].kind != .null { return stack[index] }
            return .null
        }
        for index in first..<stack.count where stack[index].kind == .null { return .null }
        let value = stack[first]
        switch function {
        case .absolute: return ExpressionArithmetic.absolute(value)
        case .round: return ExpressionArithmetic.round(value, decimals: stack.count - first > 1 ? stack[first + 1] : .integer(0))
        case .coalesce: return .null
        case .length, .lower, .upper, .metres, .year, .contains, .startsWith: break
        }
        guard value.isText else { return .null }
        switch function {
        case .length:
            var count: Int64 = 0
            for index in 0..<value.length where byte(value, index, program, text) & 0xC0 != 0x80 { count += 1 }
            return .integer(count)
        case .lower, .upper:
            let start = made.count
            let range: ClosedRange<UInt8> = function == .lower ? 0x41...0x5A : 0x61...0x7A
            for index in 0..<value.length {
                let byte = byte(value, index, program, text)
                made.append(range.contains(byte) ? byte ^ 0x20 : byte)
            }
            return .text(.madeText, start..<made.count)
        case .metres:
            return ExpressionArithmetic.metres(count: value.length) { byte(value, $0, program, text) }
        case .year:
            guard value.length >= 5, byte(value, 4, program, text) == UInt8(ascii: "-") else { return .null }
            var year: Int64 = 0
            for index in 0..<4 {
                let digit = byte(value, index, program, text) &- UInt8(ascii: "0")
                guard digit <= 9 else { return .null }
                year = year * 10 + Int64(digit)
            }
            return .integer(year)
        default:
            let part = stack[first + 1]
            guard part.isText else { return .null }
            guard part.length <= value.length else { return .no }
            let lastStart = function == .startsWith ? 0 : value.length - part.length
            search: for start in 0...lastStart {
                for index in 0..<part.length
                where byte(value, start &+ index, program, text) != byte(part, index, program, text) { continue search }
                return .yes
            }
            return .no
        }
    }
}
