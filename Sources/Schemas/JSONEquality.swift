internal import JSONReading

/// Compares two JSON values: numbers by value, objects regardless of the order of their members.
struct JSONEquality {
    private let leftTokens: [JSONDocument.Token]
    private let leftBytes: [UInt8]
    private let rightTokens: [JSONDocument.Token]
    private let rightBytes: [UInt8]

    init(
        _ leftTokens: [JSONDocument.Token], _ leftBytes: [UInt8], _ rightTokens: [JSONDocument.Token],
        _ rightBytes: [UInt8]
    ) {
        (self.leftTokens, self.leftBytes) = (leftTokens, leftBytes)
        (self.rightTokens, self.rightBytes) = (rightTokens, rightBytes)
    }

    /// The recursion is bounded: documents are at most 200 levels deep.
    func isEqual(_ left: Int, _ right: Int) -> Bool {
        let (one, other) = (leftTokens[left], rightTokens[right])
        guard one.kind == other.kind else { return false }
        switch one.kind {
        case .null, .yes, .no: return true
        case .string: return one.number == other.number && hasSameBytes(one, other)
        case .number:
            if hasSameBytes(one, other) { return true }
            guard let number = DecimalNumber(leftBytes.span, one.range) else { return false }
            return number == DecimalNumber(rightBytes.span, other.range)
        case .array:
            guard one.count == other.count else { return false }
            var (item, otherItem) = (left + 1, right + 1)
            while item < one.end {
                guard isEqual(item, otherItem) else { return false }
                (item, otherItem) = (leftTokens[item].end, rightTokens[otherItem].end)
            }
            return true
        case .object: return one.count == other.count && hasSameMembers(left, right)
        }
    }

    private func hasSameMembers(_ left: Int, _ right: Int) -> Bool {
        let (mine, others) = (Self.members(left, leftTokens, leftBytes), Self.members(right, rightTokens, rightBytes))
        // All keys of an object differ, so the sorted keys of equal objects are in the same order.
        for (one, other) in zip(mine, others) {
            guard hasSameBytes(leftTokens[one], rightTokens[other]), isEqual(one + 1, other + 1) else { return false }
        }
        return true
    }

    /// The keys of an object, sorted by hash and then by bytes.
    private static func members(_ token: Int, _ tokens: [JSONDocument.Token], _ bytes: [UInt8]) -> [Int] {
        var keys: [Int] = []
        var key = token + 1
        while key < tokens[token].end {
            keys.append(key)
            key = tokens[key + 1].end
        }
        return keys.sorted { left, right in
            if tokens[left].number != tokens[right].number { return tokens[left].number < tokens[right].number }
            return bytes[tokens[left].range].lexicographicallyPrecedes(bytes[tokens[right].range])
        }
    }

    private func hasSameBytes(_ left: JSONDocument.Token, _ right: JSONDocument.Token) -> Bool {
        leftBytes[left.range] == rightBytes[right.range]
    }

    /// A hash that is equal for equal values and cannot be predicted outside this run.
    func hash(_ left: Int) -> Int {
        var hasher = Hasher()
        let token = leftTokens[left]
        hasher.combine(token.kind)
        switch token.kind {
        case .null, .yes, .no: break
        case .string: for byte in leftBytes[token.range] { hasher.combine(byte) }
        case .number: hasher.combine(DecimalNumber(leftBytes.span, token.range))
        case .array:
            var item = left + 1
            while item < token.end {
                hasher.combine(hash(item))
                item = leftTokens[item].end
            }
        case .object:
            var sum = 0
            var key = left + 1
            while key < token.end {
                var member = Hasher()
                member.combine(hash(key))
                member.combine(hash(key + 1))
                sum &+= member.finalize()
                key = leftTokens[key + 1].end
            }
            hasher.combine(sum)
        }
        return hasher.finalize()
    }
}
