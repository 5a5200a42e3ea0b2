/// Checks whether a spreadsheet would run a text as a formula when opening a CSV file, which does
/// not declare types (OWASP, "CSV injection").
enum FormulaText {
    /// The bytes with which a dangerous text can begin: signs, white space, and the lead bytes of
    /// full-width signs and Unicode spaces.
    static let leadingBytes: [UInt8] = Array("=+-@\t\r\n ".utf8) + [0x0B, 0x0C, 0xC2, 0xE1, 0xE2, 0xE3, 0xEF]

    /// Whether a text begins with `=`, `+`, `-` or `@` (or their full-width forms), possibly after
    /// white space or invisible characters, and is not a number. Also true for a text that begins
    /// with a tab or carriage return, which some spreadsheets drop.
    static func isDangerous(_ bytes: UnsafeBufferPointer<UInt8>, decimalSeparator: UInt8) -> Bool {
        guard let first = unsafe bytes.first else { return false }
        if first == 0x09 || first == 0x0D { return true }
        var index = 0
        while index < bytes.count {
            let space = unsafe spaceLength(bytes, at: index)
            if space == 0 { break }
            index += space
        }
        guard index < bytes.count else { return false }
        switch unsafe bytes[index] {
        case UInt8(ascii: "="), UInt8(ascii: "@"): return true
        case UInt8(ascii: "+"), UInt8(ascii: "-"):
            return unsafe !isNumber(UnsafeBufferPointer(rebasing: bytes[index...]), decimalSeparator: decimalSeparator)
        default: return unsafe isFullWidthSign(bytes, at: index)
        }
    }

    /// Whether a spreadsheet reads a text as a number:
    /// `[+-] digits [separator digits] [e [+-] digits]` and trailing spaces.
    static func isNumber(_ bytes: UnsafeBufferPointer<UInt8>, decimalSeparator: UInt8) -> Bool {
        var index = 0
        func current() -> UInt8 { index < bytes.count ? unsafe bytes[index] : 0 }
        func skipDigits() -> Int {
            let start = index
            while current() >= UInt8(ascii: "0"), current() <= UInt8(ascii: "9") { index += 1 }
            return index - start
        }
        func skipSign() {
            if current() == UInt8(ascii: "+") || current() == UInt8(ascii: "-") { index += 1 }
        }
        skipSign()
        var digits = skipDigits()
        if current() == decimalSeparator {
            index += 1
            digits += skipDigits()
        }
        guard digits > 0 else { return false }
        if current() | 0x20 == UInt8(ascii: "e") {
            index += 1
            skipSign()
            guard skipDigits() > 0 else { return false }
        }
        while current() == 0x20 { index += 1 }
        return index == bytes.count
    }

    /// The number of bytes of the white space, byte order mark or invisible character at `index`; 0
    /// for a visible character.
    private static func spaceLength(_ bytes: UnsafeBufferPointer<UInt8>, at index: Int) -> Int {
        let lead = unsafe bytes[index]
        if lead <= 0x20 || lead == 0x7F { return 1 }
        guard lead >= 0x80 else { return 0 }
        func at(_ offset: Int) -> UInt8 { index + offset < bytes.count ? unsafe bytes[index + offset] : 0 }
        switch (lead, at(1), at(2)) {
        case (0xC2, 0x85, _), (0xC2, 0xA0, _), (0xC2, 0xAD, _): return 2  // next line, no-break space, soft hyphen
        case (0xE1, 0x9A, 0x80), (0xE1, 0xA0, 0x8E): return 3
        case (0xE2, 0x80, 0x80...0x8F), (0xE2, 0x80, 0xA8...0xAF): return 3  // spaces, zero width, directions
        case (0xE2, 0x81, 0x9F...0xAF): return 3
        case (0xE3, 0x80, 0x80), (0xEF, 0xBB, 0xBF): return 3  // ideographic space, byte order mark
        default: return 0
        }
    }

    private static func isFullWidthSign(_ bytes: UnsafeBufferPointer<UInt8>, at index: Int) -> Bool {
        guard index + 2 < bytes.count, unsafe bytes[index] == 0xEF, unsafe bytes[index + 1] == 0xBC else {
            return false
        }
        // ＋ U+FF0B, － U+FF0D, ＝ U+FF1D, ＠ U+FF20
        return unsafe [0x8B, 0x8D, 0x9D, 0xA0].contains(bytes[index + 2])
    }
}
