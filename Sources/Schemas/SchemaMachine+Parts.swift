package import JSONReading
internal import Patterns

/// Checks of the members of an object and the items of an array. `token` is the value. If `tracks`
/// is true, its evaluated parts are added to `evaluated`.
extension SchemaMachine {
    mutating func members(_ index: Int, _ step: Int, _ node: Int, _ token: Int, _ tracks: Bool) -> Bool {
        guard tokens[token].kind == .object else { return true }
        let plan = program.members[index]
        let isPardoning = token == 0 && !plan.parts.pardoned.isEmpty
        var isRight = true
        var seen: UInt64 = 0
        var key = token + 1
        let end = tokens[token].end
        while key < end {
            guard spend(1, token, node) else { return false }
            let slot = plan.parts.names.slot(tokens[key].number, bytes, tokens[key].range)
            var isKnown = false
            var value = key + 1
            let next = tokens[value].end
            defer { key = next }
            if slot >= 0 {
                if plan.parts.isLenient {
                    value = unwrapped(value)
                    if isMissing(value) { continue }
                }
                seen |= plan.parts.bits[slot]
                isKnown = plan.parts.nodes[slot] >= 0
                if isPardoning, plan.parts.pardoned[slot] {
                    isKnown = true
                } else if isKnown, !descend(plan.parts.nodes[slot], value, key) {
                    isRight = false
                }
            }
            if !plan.parts.patterns.isEmpty {
                let (isMatched, isAllowed) = judgePatterns(plan, key, value, node, token)
                isKnown = isKnown || isMatched
                isRight = isRight && isAllowed
            }
            if !isKnown, plan.parts.additional >= 0 {
                isKnown = true
                isRight = judgeAdditional(plan, key, value, node) && isRight
            }
            if tracks, isKnown { evaluated.append(key) }
            if !isRight, quiet > 0 { return false }
        }
        return judgeRequired(plan, seen, node, token, isPardoning: isPardoning) && isRight
    }

    /// Checks a member against each pattern that its name matches.
    private mutating func judgePatterns(_ plan: MembersPlan, _ key: Int, _ value: Int, _ node: Int, _ token: Int)
        -> (isMatched: Bool, isAllowed: Bool)
    {
        var (isMatched, isAllowed) = (false, true)
        for entry in plan.parts.patterns {
            guard spend(50 + tokens[key].range.count / 16, token, node) else { return (isMatched, false) }
            switch program.patterns[entry.pattern].pattern.matches(bytes.span.extracting(tokens[key].range)) {
            case .notMatched: continue
            case .tooCostly:
                guard spend(50_000, token, node) else { return (isMatched, false) }
                path.append(key)
                isAllowed = fail(at: value, node, entry.location, "", .pattern)
                path.removeLast()
            case .matched:
                if !descend(entry.node, value, key) { isAllowed = false }
            }
            isMatched = true
        }
        return (isMatched, isAllowed)
    }

    /// Checks a member that the schema does not name.
    private mutating func judgeAdditional(_ plan: MembersPlan, _ key: Int, _ value: Int, _ node: Int) -> Bool {
        guard program.nodes[plan.parts.additional].kind == .never else {
            return descend(plan.parts.additional, value, key)
        }
        path.append(key)
        defer { path.removeLast() }
        return fail(at: value, node, plan.parts.additionalLocation, "")
    }

    /// Reports the required members that are missing.
    ///
    /// - Parameter seen: a bit for each of the first 64 required members that is there.
    private mutating func judgeRequired(
        _ plan: MembersPlan, _ seen: UInt64, _ node: Int, _ token: Int, isPardoning: Bool
    ) -> Bool {
        var isRight = true
        for (number, slot) in plan.parts.required.enumerated() {
            let isThere = number < 64 ? seen & (1 << UInt64(number)) != 0 : has(plan.parts.labels[slot], token, node)
            if isThere || isPardoning && plan.parts.pardoned[slot] { continue }
            isRight = fail(at: token, node, plan.parts.requiredLocation, plan.parts.labels[slot], isMissing: true)
            if quiet > 0 { break }
        }
        return isRight
    }

    /// Checks a member's value.
    private mutating func descend(_ node: Int, _ value: Int, _ key: Int) -> Bool {
        if program.nodes[node].kind == .always { return true }
        path.append(key)
        defer { path.removeLast() }
        return judge(node, value, false)
    }

    /// Whether an object has a member with this name.
    private mutating func has(_ name: String, _ token: Int, _ node: Int) -> Bool {
        let wanted = Array(name.utf8)
        let hash = JSONDocument.hash(wanted.span, 0..<wanted.count)
        var key = token + 1
        while key < tokens[token].end {
            guard spend(1, token, node) else { return false }
            if tokens[key].number == hash, bytes[tokens[key].range].elementsEqual(wanted) { return true }
            key = tokens[key + 1].end
        }
        return false
    }

    // MARK: values as the field app writes them

    /// The plain value of `{"type": "number", "numberValue": 3}`; any other value unchanged.
    func unwrapped(_ value: Int) -> Int { JSONWrapping.unwrapped(value, tokens, bytes) }

    /// Whether a value is missing: null, a text of white space only, or a type without a value.
    func isMissing(_ value: Int) -> Bool { JSONWrapping.isMissing(value, tokens, bytes) }

    // MARK: names and dependencies

    mutating func propertyNames(_ inner: Int, _ token: Int) -> Bool {
        guard tokens[token].kind == .object else { return true }
        var isRight = true
        var key = token + 1
        while key < tokens[token].end {
            guard spend(1, token, inner) else { return false }
            path.append(key)
            if !judge(inner, key, false) { isRight = false }
            path.removeLast()
            if !isRight, quiet > 0 || isExhausted { return false }
            key = tokens[key + 1].end
        }
        return isRight
    }

    mutating func dependentRequired(_ index: Int, _ step: Int, _ node: Int, _ token: Int) -> Bool {
        guard tokens[token].kind == .object else { return true }
        let plan = program.dependencies[index]
        var isRight = true
        var key = token + 1
        while key < tokens[token].end {
            guard spend(1, token, node) else { return false }
            let slot = plan.names.slot(tokens[key].number, bytes, tokens[key].range)
            for name in slot < 0 ? [] : plan.required[slot] where !has(name, token, node) {
                if token == 0, program.pardoned.slot(name) >= 0 { continue }
                isRight = fail(
                    at: token, node, program.places[step], name, keyword: "dependentRequired", isMissing: true)
            }
            key = tokens[key + 1].end
        }
        return isRight
    }

    mutating func dependentSchemas(_ index: Int, _ token: Int, _ tracks: Bool) -> Bool {
        guard tokens[token].kind == .object else { return true }
        let plan = program.dependencies[index]
        var isRight = true
        var key = token + 1
        while key < tokens[token].end {
            guard spend(1, token, 0) else { return false }
            let slot = plan.names.slot(tokens[key].number, bytes, tokens[key].range)
            if slot >= 0, !judge(plan.nodes[slot], token, tracks) { isRight = false }
            key = tokens[key + 1].end
        }
        return isRight
    }

    // MARK: arrays

    mutating func items(_ index: Int, _ node: Int, _ token: Int, _ tracks: Bool) -> Bool {
        guard tokens[token].kind == .array else { return true }
        let plan = program.items[index]
        var isRight = true
        var (item, position) = (token + 1, 0)
        while item < tokens[token].end {
            guard spend(1, token, node) else { return false }
            let inner = position < plan.prefix.count ? plan.prefix[position] : plan.rest
            if inner < 0 { break }
            path.append(-1 - position)
            if !judge(inner, item, false) { isRight = false }
            path.removeLast()
            if tracks { evaluated.append(item) }
            if !isRight, quiet > 0 { return false }
            (item, position) = (tokens[item].end, position + 1)
        }
        return isRight
    }

    mutating func contains(_ index: Int, _ step: Int, _ node: Int, _ token: Int, _ tracks: Bool) -> Bool {
        guard tokens[token].kind == .array else { return true }
        let plan = program.contains[index]
        var count = 0
        var item = token + 1
        while item < tokens[token].end {
            guard spend(1, token, node) else { return false }
            if quietly({ $0.judge(plan.node, item, false) }) {
                count += 1
                if tracks { evaluated.append(item) }
                if !tracks, count >= plan.minimum, plan.maximum == .max || count > plan.maximum { break }
            }
            item = tokens[item].end
        }
        if count < plan.minimum {
            let hasOwn = plan.minimumLocation > 0
            return fail(
                at: token, node, hasOwn ? plan.minimumLocation : program.places[step],
                hasOwn ? String(plan.minimum) : "")
        }
        return count <= plan.maximum ? true : fail(at: token, node, plan.maximumLocation, String(plan.maximum))
    }

    // MARK: unevaluated parts

    mutating func unevaluatedProperties(
        _ inner: Int, _ step: Int, _ node: Int, _ token: Int, _ tracks: Bool, _ base: Int
    ) -> Bool {
        guard tokens[token].kind == .object else { return true }
        let known = evaluated[base...].sorted()
        var isRight = true
        var key = token + 1
        while key < tokens[token].end {
            guard spend(2, token, node) else { return false }
            if !Self.contains(known, key) {
                if program.nodes[inner].kind == .never {
                    path.append(key)
                    isRight = fail(at: key + 1, node, program.places[step], "")
                    path.removeLast()
                } else if !descend(inner, key + 1, key) {
                    isRight = false
                }
                if tracks { evaluated.append(key) }
            }
            key = tokens[key + 1].end
        }
        return isRight
    }

    mutating func unevaluatedItems(_ inner: Int, _ step: Int, _ node: Int, _ token: Int, _ tracks: Bool, _ base: Int)
        -> Bool
    {
        guard tokens[token].kind == .array else { return true }
        let known = evaluated[base...].sorted()
        var isRight = true
        var (item, position) = (token + 1, 0)
        while item < tokens[token].end {
            guard spend(2, token, node) else { return false }
            if !Self.contains(known, item) {
                path.append(-1 - position)
                if !judge(inner, item, false) { isRight = false }
                path.removeLast()
                if tracks { evaluated.append(item) }
            }
            (item, position) = (tokens[item].end, position + 1)
        }
        return isRight
    }

    private static func contains(_ sorted: [Int], _ wanted: Int) -> Bool {
        var (low, high) = (0, sorted.count)
        while low < high {
            let middle = (low + high) / 2
            if sorted[middle] < wanted { low = middle + 1 } else { high = middle }
        }
        return low < sorted.count && sorted[low] == wanted
    }
}

/// Handles values in the field app's form: wrapped with their type, and present even if nothing was
/// entered.
package enum JSONWrapping {
    private static let typeName = Array("type".utf8)
    private static let valueEnding = Array("Value".utf8)

    /// The plain value of `{"type": "number", "numberValue": 3}`; any other value unchanged. A
    /// wrapper without a value is returned itself; `isMissing` recognises it.
    package static func unwrapped(_ value: Int, _ tokens: [JSONDocument.Token], _ bytes: [UInt8]) -> Int {
        guard tokens[value].kind == .object else { return value }
        var (isWrapped, held) = (false, -1)
        var key = value + 1
        while key < tokens[value].end {
            let name = bytes[tokens[key].range]
            if name.elementsEqual(typeName), tokens[key + 1].kind == .string { isWrapped = true }
            if held < 0, name.suffix(valueEnding.count).elementsEqual(valueEnding), tokens[key + 1].kind != .null {
                held = key + 1
            }
            key = tokens[key + 1].end
        }
        return isWrapped && held >= 0 ? held : value
    }

    /// Whether a value is missing: null, a text of white space only, or a type without a value.
    package static func isMissing(_ value: Int, _ tokens: [JSONDocument.Token], _ bytes: [UInt8]) -> Bool {
        switch tokens[value].kind {
        case .null: return true
        case .string:
            let range = tokens[value].range
            for index in range where bytes[index] != 0x20 && !(0x09...0x0D).contains(bytes[index]) {
                return bytes[index] >= 0x80 && String(decoding: bytes[range], as: UTF8.self).allSatisfy(\.isWhitespace)
            }
            return true
        case .object:
            // The caller has already unwrapped objects with a value.
            var key = value + 1
            while key < tokens[value].end {
                if bytes[tokens[key].range].elementsEqual(typeName), tokens[key + 1].kind == .string { return true }
                key = tokens[key + 1].end
            }
            return false
        default: return false
        }
    }
}
