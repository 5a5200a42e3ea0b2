/// Length and blankness of a text in UTF-8 bytes.
enum TextLength {
    /// Unicode scalars, counted without decoding: every byte but a continuation starts one.
    static func scalars(_ text: Span<UInt8>, _ range: Range<Int>) -> Int {
        var count = 0
        var index = range.lowerBound
        while index < range.upperBound {
            count &+= text[index] & 0xC0 == 0x80 ? 0 : 1
            index &+= 1
        }
        return count
    }

    /// Whether a text consists of ASCII white space alone, or is empty. In a required field it
    /// counts as missing.
    static func isBlank(_ text: Span<UInt8>, _ range: Range<Int>) -> Bool {
        for index in range where text[index] != 0x20 && !(0x09...0x0D).contains(text[index]) { return false }
        return true
    }
}
