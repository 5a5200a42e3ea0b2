internal import JSONReading
internal import Patterns

/// Checks of a value by itself. `token` is the value; `step` and `node` identify the check.
extension SchemaMachine {
    mutating func isType(_ types: TypeSet, _ step: Int, _ node: Int, _ token: Int) -> Bool {
        let isRight =
            switch tokens[token].kind {
            case .null: types.contains(.null)
            case .no, .yes: types.contains(.boolean)
            case .string: types.contains(.string)
            case .array: types.contains(.array)
            case .object: types.contains(.object)
            case .number: types.contains(.number) || types.contains(.integer)
            }
        if isRight, tokens[token].kind == .number {
            guard let number = number(at: token) else {
                return fail(step, node, token, Self.names(types), limit: .number)
            }
            if !types.contains(.number), !number.isWhole { return fail(step, node, token, Self.names(types)) }
        }
        return isRight ? true : fail(step, node, token, Self.names(types))
    }

    private static func names(_ types: TypeSet) -> String {
        TypeSet.names.filter { types.contains($0.type) }.map(\.name).joined(separator: ", ")
    }

    mutating func isInBounds(_ step: Int, _ node: Int, _ token: Int) -> Bool {
        guard tokens[token].kind == .number else { return true }
        let bound: NumberPlan
        let isRight: Bool
        let number = number(at: token)
        switch program.steps[step] {
        case .minimum(let index):
            bound = program.numbers[index]
            isRight = number.map { $0.order(bound.number) >= 0 } ?? false
        case .maximum(let index):
            bound = program.numbers[index]
            isRight = number.map { $0.order(bound.number) <= 0 } ?? false
        case .exclusiveMinimum(let index):
            bound = program.numbers[index]
            isRight = number.map { $0.order(bound.number) > 0 } ?? false
        case .exclusiveMaximum(let index):
            bound = program.numbers[index]
            isRight = number.map { $0.order(bound.number) < 0 } ?? false
        case .multipleOf(let index, let origin):
            bound = program.numbers[index]
            let start = origin < 0 ? DecimalNumber.zero : program.numbers[origin].number
            isRight = number.flatMap { $0.isMultiple(of: bound.number, from: start) } ?? false
        default: return true
        }
        return isRight ? true : fail(step, node, token, bound.text, limit: number == nil ? .number : nil)
    }

    /// Whether a text meets a length, pattern or format; true for any other value.
    mutating func isText(_ step: Int, _ node: Int, _ token: Int) -> Bool {
        guard tokens[token].kind == .string else { return true }
        let range = tokens[token].range
        // A long text costs steps each time it is read.
        guard range.count < 1024 || spend(range.count / 64, token, node) else { return false }
        switch program.steps[step] {
        case .minLength(let count):
            let found = characters(range)
            return found >= count ? true : fail(step, node, token, count, count: found)
        case .maxLength(let count):
            if range.count <= count { return true }
            let found = characters(range)
            return found <= count ? true : fail(step, node, token, count, count: found)
        case .pattern(let index):
            // The pattern itself bounds the cost of one match; this bounds the number of matches.
            guard spend(50 + range.count / 16, token, node) else { return false }
            let pattern = program.patterns[index].pattern
            switch pattern.matches(bytes.span.extracting(range)) {
            case .matched: return true
            case .notMatched: return fail(step, node, token, pattern.source)
            case .tooCostly:
                guard spend(50_000, token, node) else { return false }
                return fail(step, node, token, pattern.source, limit: .pattern)
            }
        case .format(let format):
            return format.matches(bytes.span.extracting(range)) ? true : fail(step, node, token, format.rawValue)
        default:
            return true
        }
    }

    /// Counts Unicode scalars: every byte except continuation bytes starts one.
    private func characters(_ range: Range<Int>) -> Int {
        var count = 0
        for index in range { count &+= bytes[index] & 0xC0 == 0x80 ? 0 : 1 }
        return count
    }

    /// Whether an array or object meets a minimum or maximum number of items or properties.
    mutating func isCounted(_ step: Int, _ node: Int, _ token: Int) -> Bool {
        let (kind, found) = (tokens[token].kind, tokens[token].count)
        switch program.steps[step] {
        case .minProperties(let count):
            return kind != .object || found >= count ? true : fail(step, node, token, count, count: found)
        case .maxProperties(let count):
            return kind != .object || found <= count ? true : fail(step, node, token, count, count: found)
        case .minItems(let count):
            return kind != .array || found >= count ? true : fail(step, node, token, count, count: found)
        case .maxItems(let count):
            return kind != .array || found <= count ? true : fail(step, node, token, count, count: found)
        default: return true
        }
    }

    // MARK: equality by value: 1, 1.0 and 1e0 are one number, and members have no order

    mutating func isOption(_ plan: Int, _ token: Int) -> Bool {
        if tokens[token].kind == .string {
            return program.options[plan].texts.slot(tokens[token].number, bytes, tokens[token].range) >= 0
        }
        for constant in program.options[plan].others where isEqual(token, constant) { return true }
        return false
    }

    mutating func isEqual(_ token: Int, _ constant: Int) -> Bool {
        // The maximum cost of the comparison.
        guard spend(tokens[token].end - token, token, 0) else { return false }
        return JSONEquality(tokens, bytes, program.constants.tokens, program.constants.bytes).isEqual(token, constant)
    }

    func constantText(_ constant: Int) -> String {
        program.constants.text(constant)
    }

    /// Whether all items of an array differ. Equal items have equal hashes, so only items with
    /// equal hashes are compared.
    mutating func isUnique(_ token: Int, _ node: Int) -> Bool {
        guard tokens[token].kind == .array, tokens[token].count > 1 else { return true }
        guard spend(tokens[token].end - token, token, node) else { return false }
        let equality = JSONEquality(tokens, bytes, tokens, bytes)
        var seen: [Int: [Int]] = [:]
        var item = token + 1
        while item < tokens[token].end {
            let hash = equality.hash(item)
            for other in seen[hash] ?? [] {
                guard spend(tokens[other].end - other, token, node) else { return false }
                if equality.isEqual(item, other) { return false }
            }
            seen[hash, default: []].append(item)
            item = tokens[item].end
        }
        return true
    }
}
