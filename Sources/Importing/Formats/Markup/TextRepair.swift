/// Repairs the bytes of a cell's text: invalid UTF-8 becomes U+FFFD, and Excel's escapes such as
/// `_x000D_` are resolved.
enum TextRepair {
    static func repair(_ bytes: inout [UInt8], resolvesEscapes: Bool = true) {
        var union: UInt8 = 0
        var hasUnderscore = false
        for byte in bytes {
            union |= byte
            hasUnderscore = hasUnderscore || byte == 0x5F
        }
        if hasUnderscore, resolvesEscapes { resolve(&bytes) }
        guard union >= 0x80 else { return }
        if !isValid(bytes.span) { bytes = Array(String(decoding: bytes, as: UTF8.self).utf8) }
    }

    /// Trims white space from both ends of the text that begins at `start`: Excel shows it only if
    /// `xml:space` preserves it.
    static func trim(_ bytes: inout [UInt8], from start: Int) {
        while bytes.count > start, let last = bytes.last, isSpace(last) { bytes.removeLast() }
        var first = start
        while first < bytes.count, isSpace(bytes[first]) { first += 1 }
        if first > start { bytes.removeSubrange(start..<first) }
    }

    private static func isSpace(_ byte: UInt8) -> Bool { byte == 0x20 || byte == 0x0A || byte == 0x09 || byte == 0x0D }

    /// Whether the bytes are UTF-8.
    static func isValid(_ bytes: Span<UInt8>) -> Bool {
        var check = UTF8Check()
        return check.firstWrong(in: bytes) == nil && check.isAtEndOfCharacter
    }

    /// Resolves escapes: `_x0041_` stands for `A` (ECMA-376, 22.9.2.19).
    private static func resolve(_ bytes: inout [UInt8]) {
        guard bytes.count >= 7 else { return }
        var result: [UInt8] = []
        var index = 0
        var isChanged = false
        while index < bytes.count {
            if let unit = escape(bytes, at: index) {
                isChanged = true
                var scalar = Unicode.Scalar(UInt32(unit))
                index += 7
                if unit >= 0xD800, unit < 0xDC00, let low = escape(bytes, at: index), low >= 0xDC00, low < 0xE000 {
                    scalar = Unicode.Scalar(0x10000 + (UInt32(unit) - 0xD800) << 10 + UInt32(low) - 0xDC00)
                    index += 7
                }
                result.append(contentsOf: String(Character(unit == 0 ? "\u{FFFD}" : scalar ?? "\u{FFFD}")).utf8)
            } else {
                result.append(bytes[index])
                index += 1
            }
        }
        if isChanged { bytes = result }
    }

    private static func escape(_ bytes: [UInt8], at index: Int) -> UInt16? {
        guard index + 7 <= bytes.count, bytes[index] == 0x5F, bytes[index + 1] == 0x78, bytes[index + 6] == 0x5F else { return nil }
        var number: UInt16 = 0
        for place in (index + 2)..<(index + 6) {
            let digit: UInt8
            switch bytes[place] {
            case 0x30...0x39: digit = bytes[place] - 0x30
            case 0x41...0x46: digit = bytes[place] - 0x37
            case 0x61...0x66: digit = bytes[place] - 0x57
            default: return nil
            }
            number = number << 4 | UInt16(digit)
        }
        return number
    }
}
