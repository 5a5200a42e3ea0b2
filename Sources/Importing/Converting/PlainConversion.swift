import Model

/// Applies conversions directly to the bytes of the plainest texts: ASCII, or letters of Latin-1.
enum PlainConversion {
    /// Whether all of some conversions are supported here.
    static func handles(_ conversions: [CellConversion]) -> Bool {
        conversions.allSatisfy { $0 == .trim || $0 == .upper || $0 == .lower }
    }

    /// Converts the end of a buffer, from a position on; false where the text is not plain enough,
    /// and the end of the buffer is then invalid.
    static func apply(_ conversions: [CellConversion], to buffer: inout [UInt8], from start: Int) -> Bool {
        for conversion in conversions {
            switch conversion {
            case .trim: guard trim(&buffer, start) else { return false }
            case .upper: guard recase(&buffer, start, upper: true) else { return false }
            case .lower: guard recase(&buffer, start, upper: false) else { return false }
            default: return false
            }
        }
        return true
    }

    private static func isSpace(_ byte: UInt8) -> Bool { byte == 0x20 || (0x09...0x0D).contains(byte) }

    /// Whether the byte may begin white space beyond ASCII, or is a control character.
    private static func isDoubtful(_ byte: UInt8) -> Bool { byte < 0x20 || byte == 0x7F || byte == 0xC2 || (0xE1...0xE3).contains(byte) }

    private static func trim(_ buffer: inout [UInt8], _ start: Int) -> Bool {
        while let last = buffer.last, buffer.count > start, isSpace(last) { buffer.removeLast() }
        var first = start
        while first < buffer.count, isSpace(buffer[first]) { first += 1 }
        if first > start { buffer.removeSubrange(start..<first) }
        guard buffer.count > start else { return true }
        var lead = buffer.count - 1
        while lead > start, buffer[lead] & 0xC0 == 0x80 { lead -= 1 }
        return !isDoubtful(buffer[start]) && !isDoubtful(buffer[lead])
    }

    private static func recase(_ buffer: inout [UInt8], _ start: Int, upper: Bool) -> Bool {
        let (first, last): (UInt8, UInt8) = upper ? (0x61, 0x7A) : (0x41, 0x5A)
        var index = start
        while index < buffer.count {
            let byte = buffer[index]
            if byte < 0x80 {
                if byte >= first, byte <= last { buffer[index] = byte ^ 0x20 }
                index += 1
                continue
            }
            // À to Þ and à to þ are U+00C0 to U+00FE, except the signs of multiplication and
            // division, ß and ÿ. A combining accent may follow; it does not begin with C3.
            guard byte == 0xC3, index + 1 < buffer.count else { return false }
            let letter = buffer[index + 1]
            guard letter != 0x97, letter != 0xB7, letter != 0x9F, letter != 0xBF else { return false }
            if upper ? letter >= 0xA0 : letter < 0xA0 { buffer[index + 1] = letter ^ 0x20 }
            index += 2
        }
        return true
    }
}
