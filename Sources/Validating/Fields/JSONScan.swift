/// Reads the JSON text of a cell without building anything, to check whether it is well formed, a
/// point, a polygon or a list.
///
/// It accepts JSON according to RFC 8259, to a depth of 200. The pass over the rows checks whether
/// texts are valid UTF-8.
struct JSONScan {
    private let text: [UInt8]
    private let end: Int
    private var index: Int

    private static let maximumDepth = 200
    private static let yes = Array("true".utf8)
    private static let no = Array("false".utf8)
    private static let nothing = Array("null".utf8)

    private init(_ text: [UInt8], _ range: Range<Int>) {
        self.text = text
        index = range.lowerBound
        end = range.upperBound
    }

    /// Whether the text is one JSON value.
    static func isValue(_ text: [UInt8], _ range: Range<Int>) -> Bool {
        var scan = JSONScan(text, range)
        return scan.value() && scan.isAtEnd()
    }

    /// Whether the text is `[x, y]`.
    static func isPoint(_ text: [UInt8], _ range: Range<Int>) -> Bool {
        var scan = JSONScan(text, range)
        return scan.point() && scan.isAtEnd()
    }

    /// Whether the text is an array of at least three points.
    static func isPolygon(_ text: [UInt8], _ range: Range<Int>) -> Bool {
        var scan = JSONScan(text, range)
        guard scan.take("[") else { return false }
        var count = 0
        repeat {
            guard scan.point() else { return false }
            count += 1
        } while scan.take(",")
        return scan.take("]") && scan.isAtEnd() && count >= 3
    }

    /// Whether the text is an array of texts. `item` gets the range of each item's bytes between
    /// the quotes, and whether the item contains an escape.
    static func isList(_ text: [UInt8], _ range: Range<Int>, item: (Range<Int>, _ isEscaped: Bool) -> Void) -> Bool {
        var scan = JSONScan(text, range)
        guard scan.take("[") else { return false }
        if scan.take("]") { return scan.isAtEnd() }
        repeat {
            scan.skipSpace()
            let start = scan.index + 1
            guard let isEscaped = scan.string() else { return false }
            item(start..<(scan.index - 1), isEscaped)
        } while scan.take(",")
        return scan.take("]") && scan.isAtEnd()
    }

    // MARK: values

    private mutating func value() -> Bool {
        // One bit for each level records whether it is an object. 200 levels fit into four words.
        var levels = SIMD4<UInt64>()
        var depth = 0
        while true {
            skipSpace()
            guard index < end else { return false }
            var opened = false
            switch text[index] {
            case UInt8(ascii: "{"), UInt8(ascii: "["):
                guard depth < Self.maximumDepth else { return false }
                let isObject = text[index] == UInt8(ascii: "{")
                let bit = UInt64(1) << UInt64(depth & 63)
                if isObject { levels[depth >> 6] |= bit } else { levels[depth >> 6] &= ~bit }
                depth += 1
                index += 1
                opened = !take(isObject ? "}" : "]")
                if opened {
                    if isObject, !key() { return false }
                } else {
                    depth -= 1
                }
            case UInt8(ascii: "\""): if string() == nil { return false }
            case UInt8(ascii: "t"): if !word(Self.yes) { return false }
            case UInt8(ascii: "f"): if !word(Self.no) { return false }
            case UInt8(ascii: "n"): if !word(Self.nothing) { return false }
            default: if !number() { return false }
            }
            if opened { continue }
            // A value is complete: close the levels that end with it, or continue after a comma.
            while true {
                if depth == 0 { return true }
                let isObject = levels[(depth - 1) >> 6] & UInt64(1) << UInt64((depth - 1) & 63) != 0
                if take(",") {
                    if isObject, !key() { return false }
                    break
                }
                guard take(isObject ? "}" : "]") else { return false }
                depth -= 1
            }
        }
    }

    private mutating func key() -> Bool {
        skipSpace()
        return string() != nil && take(":")
    }

    private mutating func point() -> Bool {
        guard take("[") else { return false }
        skipSpace()
        guard number(), take(",") else { return false }
        skipSpace()
        return number() && take("]")
    }

    /// Skips a text; returns whether it contains an escape, nil when it is not a text.
    private mutating func string() -> Bool? {
        guard index < end, text[index] == UInt8(ascii: "\"") else { return nil }
        index += 1
        var isEscaped = false
        while index < end {
            let byte = text[index]
            index &+= 1
            if byte == UInt8(ascii: "\"") { return isEscaped }
            if byte < 0x20 { return nil }
            if byte == UInt8(ascii: "\\") {
                isEscaped = true
                guard index < end else { return nil }
                let escape = text[index]
                index &+= 1
                switch escape {
                case UInt8(ascii: "u"):
                    guard index + 4 <= end else { return nil }
                    for _ in 0..<4 {
                        guard Self.isHexadecimal(text[index]) else { return nil }
                        index &+= 1
                    }
                case UInt8(ascii: "\""), UInt8(ascii: "\\"), UInt8(ascii: "/"), UInt8(ascii: "b"), UInt8(ascii: "f"),
                    UInt8(ascii: "n"),
                    UInt8(ascii: "r"), UInt8(ascii: "t"):
                    break
                default:
                    return nil
                }
            }
        }
        return nil
    }

    private mutating func number() -> Bool {
        if index < end, text[index] == UInt8(ascii: "-") { index += 1 }
        guard index < end else { return false }
        if text[index] == UInt8(ascii: "0") {
            index += 1
        } else if !digits() {
            return false
        }
        if index < end, text[index] == UInt8(ascii: ".") {
            index += 1
            guard digits() else { return false }
        }
        if index < end, text[index] | 0x20 == UInt8(ascii: "e") {
            index += 1
            if index < end, text[index] == UInt8(ascii: "+") || text[index] == UInt8(ascii: "-") { index += 1 }
            guard digits() else { return false }
        }
        return true
    }

    private mutating func digits() -> Bool {
        let start = index
        while index < end, text[index] &- UInt8(ascii: "0") <= 9 { index &+= 1 }
        return index > start
    }

    private mutating func word(_ word: [UInt8]) -> Bool {
        guard index + word.count <= end else { return false }
        for offset in word.indices where text[index + offset] != word[offset] { return false }
        index += word.count
        return true
    }

    // MARK: bytes

    private mutating func skipSpace() {
        while index < end {
            switch text[index] {
            case 0x20, 0x09, 0x0A, 0x0D: index &+= 1
            default: return
            }
        }
    }

    private mutating func take(_ character: Unicode.Scalar) -> Bool {
        skipSpace()
        guard index < end, text[index] == UInt8(ascii: character) else { return false }
        index += 1
        return true
    }

    private mutating func isAtEnd() -> Bool {
        skipSpace()
        return index == end
    }

    private static func isHexadecimal(_ byte: UInt8) -> Bool {
        byte &- UInt8(ascii: "0") <= 9 || (byte | 0x20) &- UInt8(ascii: "a") < 6
    }
}
