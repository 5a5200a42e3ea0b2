import Digests

/// Reads the bytes of a JSON text (RFC 8259) in one pass and writes the tokens of `JSONDocument`,
/// without recursion.
struct JSONDocumentReader {
    private struct Open {
        var token: Int
        var isObject: Bool
        /// Only filled if there are many members, because comparing a few one by one is faster.
        var keys: Set<[UInt8]> = []
    }

    private static let fewMembers: UInt32 = 64
    private static let yes = Array("true".utf8)
    private static let no = Array("false".utf8)
    private static let nothing = Array("null".utf8)

    private let limits: JSONLimits
    private let end: Int
    private var index = 0
    private var open: [Open] = []
    /// The positions of keys that repeat an earlier key of their object. Their members are dropped.
    private var dropped: [(key: Int, depth: Int)] = []

    init(count: Int, limits: JSONLimits) {
        end = count
        self.limits = limits
    }

    mutating func read(_ tokens: inout [JSONDocument.Token], _ bytes: inout [UInt8]) throws(JSONMistake) {
        do throws(JSONMistake.Reason) {
            if end >= 3, bytes[0] == 0xEF, bytes[1] == 0xBB, bytes[2] == 0xBF { index = 3 }
            try value(&tokens, &bytes)
            while !open.isEmpty { try next(&tokens, &bytes) }
            skipSpace(bytes)
            if index < end { throw .trailingText }
        } catch {
            var line = 1
            var start = 0
            for at in 0..<min(index, end) where bytes[at] == UInt8(ascii: "\n") { (line, start) = (line + 1, at + 1) }
            throw JSONMistake(reason: error, offset: index, line: line, column: index - start + 1)
        }
    }

    /// Continues in the innermost array or object: with its end, or the next item or member.
    private mutating func next(_ tokens: inout [JSONDocument.Token], _ bytes: inout [UInt8]) throws(JSONMistake.Reason)
    {
        let last = open.count - 1
        let container = open[last].token
        let isObject = open[last].isObject
        skipSpace(bytes)
        guard index < end else { throw .unexpectedEnd }
        let isFirst = tokens[container].next == 0
        tokens[container].next = 1
        if bytes[index] == (isObject ? UInt8(ascii: "}") : UInt8(ascii: "]")) {
            index += 1
            tokens[container].length = UInt32(index) - tokens[container].start
            tokens[container].next = UInt32(tokens.count)
            open.removeLast()
            drop(&tokens)
            return
        }
        if !isFirst {
            guard bytes[index] == UInt8(ascii: ",") else { throw .malformed("a comma is missing") }
            index += 1
        }
        if isObject { try key(&tokens, &bytes, last) }
        tokens[container].number += 1
        try value(&tokens, &bytes)
    }

    private mutating func key(
        _ tokens: inout [JSONDocument.Token], _ bytes: inout [UInt8], _ last: Int
    ) throws(JSONMistake.Reason) {
        skipSpace(bytes)
        guard index < end else { throw .unexpectedEnd }
        guard bytes[index] == UInt8(ascii: "\"") else { throw .malformed("a key is missing") }
        let at = tokens.count
        try string(&tokens, &bytes)
        let container = open[last].token
        let count = tokens[container].number
        var isKnown = false
        if count < Self.fewMembers {
            var other = container + 1
            while other < at, !isKnown {
                isKnown =
                    tokens[other].number == tokens[at].number && bytes[tokens[other].range] == bytes[tokens[at].range]
                other = tokens[other + 1].end
            }
        } else {
            if open[last].keys.isEmpty {
                var other = container + 1
                while other < at {
                    open[last].keys.insert(Array(bytes[tokens[other].range]))
                    other = tokens[other + 1].end
                }
            }
            isKnown = !open[last].keys.insert(Array(bytes[tokens[at].range])).inserted
        }
        guard isKnown else { return }
        guard limits.allowsDuplicateKeys else {
            throw .duplicateKey(String(decoding: bytes[tokens[at].range], as: UTF8.self))
        }
        dropped.append((at, open.count))
    }

    /// Removes a member once its value is complete, if its key was a repeated one.
    private mutating func drop(_ tokens: inout [JSONDocument.Token]) {
        guard let (key, depth) = dropped.last, depth == open.count, let last = open.last else { return }
        dropped.removeLast()
        tokens.removeSubrange(key...)
        tokens[last.token].number -= 1
    }

    private mutating func value(_ tokens: inout [JSONDocument.Token], _ bytes: inout [UInt8]) throws(JSONMistake.Reason)
    {
        if let last = open.last, last.isObject {
            skipSpace(bytes)
            guard index < end else { throw .unexpectedEnd }
            guard bytes[index] == UInt8(ascii: ":") else { throw .malformed("a colon is missing") }
            index += 1
        }
        skipSpace(bytes)
        guard index < end else { throw .unexpectedEnd }
        switch bytes[index] {
        case UInt8(ascii: "\""): try string(&tokens, &bytes)
        case UInt8(ascii: "{"), UInt8(ascii: "["):
            guard open.count < limits.depth else { throw .tooDeep(limit: limits.depth) }
            let isObject = bytes[index] == UInt8(ascii: "{")
            open.append(Open(token: tokens.count, isObject: isObject))
            add(isObject ? .object : .array, index, 1, &tokens)
            tokens[tokens.count - 1].next = 0
            index += 1
            return
        case UInt8(ascii: "t"): try word(Self.yes, .yes, &tokens, bytes)
        case UInt8(ascii: "f"): try word(Self.no, .no, &tokens, bytes)
        case UInt8(ascii: "n"): try word(Self.nothing, .null, &tokens, bytes)
        default: try number(&tokens, bytes)
        }
        drop(&tokens)
    }

    private func add(
        _ kind: JSONDocument.Kind, _ start: Int, _ length: Int, _ tokens: inout [JSONDocument.Token], hash: UInt32 = 0
    ) {
        tokens.append(.init(
            kind: kind, start: UInt32(start), length: UInt32(length), next: UInt32(tokens.count + 1), number: hash))
    }

    // MARK: texts

    private mutating func string(_ tokens: inout [JSONDocument.Token], _ bytes: inout [UInt8]) throws(JSONMistake
        .Reason)
    {
        index += 1
        let start = index
        var bits: UInt8 = 0
        var hash = QuickDigest.Short()
        while index < end {
            let byte = bytes[index]
            if byte == UInt8(ascii: "\"") {
                try check(bytes, start..<index, bits)
                add(.string, start, index - start, &tokens, hash: hash.value)
                index += 1
                return
            }
            if byte == UInt8(ascii: "\\") { return try escapedString(&tokens, &bytes, from: start) }
            guard byte >= 0x20 else { throw .malformed("invalid character inside string") }
            bits |= byte
            hash.add(byte)
            index &+= 1
        }
        throw .unexpectedEnd
    }

    /// Copies a text with escapes to the end of the bytes, without the escapes.
    private mutating func escapedString(
        _ tokens: inout [JSONDocument.Token], _ bytes: inout [UInt8], from start: Int
    ) throws(JSONMistake.Reason) {
        let target = bytes.count
        bytes.append(contentsOf: bytes[start..<index])
        while index < end {
            let byte = bytes[index]
            index += 1
            if byte == UInt8(ascii: "\"") {
                let range = target..<bytes.count
                try check(bytes, range, 0xFF)
                add(.string, target, range.count, &tokens, hash: JSONDocument.hash(bytes.span, range))
                return
            }
            guard byte >= 0x20 else { throw .malformed("invalid character inside string") }
            if byte != UInt8(ascii: "\\") {
                bytes.append(byte)
                continue
            }
            guard index < end else { throw .unexpectedEnd }
            let escape = bytes[index]
            index += 1
            switch escape {
            case UInt8(ascii: "\""), UInt8(ascii: "\\"), UInt8(ascii: "/"): bytes.append(escape)
            case UInt8(ascii: "b"): bytes.append(0x08)
            case UInt8(ascii: "f"): bytes.append(0x0C)
            case UInt8(ascii: "n"): bytes.append(0x0A)
            case UInt8(ascii: "r"): bytes.append(0x0D)
            case UInt8(ascii: "t"): bytes.append(0x09)
            case UInt8(ascii: "u"): bytes.append(contentsOf: UTF8.encode(try scalar(bytes)).map(Array.init) ?? [])
            default: throw .malformed("invalid escape")
            }
        }
        throw .unexpectedEnd
    }

    /// The character of `\uXXXX`, after `\u` has been read.
    private mutating func scalar(_ bytes: [UInt8]) throws(JSONMistake.Reason) -> Unicode.Scalar {
        let first = try unit(bytes)
        if let scalar = Unicode.Scalar(first) { return scalar }
        guard first < 0xDC00, index + 1 < end, bytes[index] == UInt8(ascii: "\\"), bytes[index + 1] == UInt8(ascii: "u")
        else {
            throw .loneSurrogate
        }
        index += 2
        let second = try unit(bytes)
        guard (0xDC00..<0xE000).contains(second),
            let scalar = Unicode.Scalar(0x10000 + (first - 0xD800) << 10 + (second - 0xDC00))
        else {
            throw .loneSurrogate
        }
        return scalar
    }

    private mutating func unit(_ bytes: [UInt8]) throws(JSONMistake.Reason) -> UInt32 {
        guard index + 4 <= end else { throw .unexpectedEnd }
        var value: UInt32 = 0
        for _ in 0..<4 {
            let byte = bytes[index]
            let digit =
                byte &- UInt8(ascii: "0") <= 9 ? byte &- UInt8(ascii: "0") : (byte | 0x20) &- UInt8(ascii: "a") &+ 10
            guard digit < 16, digit <= 9 || (byte | 0x20) >= UInt8(ascii: "a") else {
                throw .malformed("invalid escape")
            }
            value = value << 4 | UInt32(digit)
            index += 1
        }
        return value
    }

    private func check(_ bytes: [UInt8], _ range: Range<Int>, _ bits: UInt8) throws(JSONMistake.Reason) {
        guard range.count <= limits.textBytes else { throw .textTooLong(limit: limits.textBytes) }
        if bits >= 0x80, (try? UTF8Span(validating: bytes.span.extracting(range))) == nil { throw .invalidUTF8 }
    }

    // MARK: numbers and words

    private mutating func number(_ tokens: inout [JSONDocument.Token], _ bytes: [UInt8]) throws(JSONMistake.Reason) {
        let start = index
        if bytes[index] == UInt8(ascii: "-") { index += 1 }
        let isZero = index < end && bytes[index] == UInt8(ascii: "0")
        let whole = digits(bytes)
        guard whole > 0, !isZero || whole == 1 else { throw .malformed("this is no value") }
        if index < end, bytes[index] == UInt8(ascii: ".") {
            index += 1
            guard digits(bytes) > 0 else { throw .malformed("this is no number") }
        }
        if index < end, bytes[index] | 0x20 == UInt8(ascii: "e") {
            index += 1
            if index < end, bytes[index] == UInt8(ascii: "+") || bytes[index] == UInt8(ascii: "-") { index += 1 }
            guard digits(bytes) > 0 else { throw .malformed("this is no number") }
        }
        guard index - start <= limits.numberLength else { throw .numberTooLong(limit: limits.numberLength) }
        add(.number, start, index - start, &tokens)
    }

    private mutating func digits(_ bytes: [UInt8]) -> Int {
        let start = index
        while index < end, bytes[index] &- UInt8(ascii: "0") <= 9 { index &+= 1 }
        return index - start
    }

    private mutating func word(
        _ letters: [UInt8], _ kind: JSONDocument.Kind, _ tokens: inout [JSONDocument.Token], _ bytes: [UInt8]
    ) throws(JSONMistake.Reason) {
        guard end - index >= letters.count, bytes[index..<(index + letters.count)].elementsEqual(letters) else {
            throw .malformed("this is no value")
        }
        add(kind, index, letters.count, &tokens)
        index += letters.count
    }

    private mutating func skipSpace(_ bytes: [UInt8]) {
        while index < end {
            switch bytes[index] {
            case 0x20, 0x09, 0x0A, 0x0D: index &+= 1
            default: return
            }
        }
    }
}
