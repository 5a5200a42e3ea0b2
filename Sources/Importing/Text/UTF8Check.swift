/// Checks bytes for valid UTF-8 (The Unicode Standard, table 3-7), piece by piece; a piece may end
/// within a character.
struct UTF8Check {
    /// Bytes that are checked together: most blocks contain only ASCII.
    private static let blockSize = 64

    /// Whether there were characters of several bytes, all of them valid.
    private(set) var hasSeenCharacters = false
    /// Number of continuation bytes that the last character still needs.
    private var following = 0
    private var lowest: UInt8 = 0x80
    private var highest: UInt8 = 0xBF

    var isAtEndOfCharacter: Bool { following == 0 }

    /// The position of the first invalid byte; nil where all are valid.
    mutating func firstWrong(in bytes: Span<UInt8>) -> Int? {
        var start = 0
        while start < bytes.count {
            let end = min(start + Self.blockSize, bytes.count)
            var all: UInt8 = 0
            for index in start..<end { all |= bytes[index] }
            if all >= 0x80 || following > 0, let wrong = look(at: bytes, start..<end) { return wrong }
            start = end
        }
        return nil
    }

    private mutating func look(at bytes: Span<UInt8>, _ range: Range<Int>) -> Int? {
        for index in range {
            let byte = bytes[index]
            if following > 0 {
                guard byte >= lowest, byte <= highest else { return index }
                (following, lowest, highest) = (following - 1, 0x80, 0xBF)
                if following == 0 { hasSeenCharacters = true }
            } else if byte >= 0x80 {
                switch byte {
                case 0xC2...0xDF: following = 1
                case 0xE0: (following, lowest) = (2, 0xA0)
                case 0xED: (following, highest) = (2, 0x9F)
                case 0xE1...0xEF: following = 2
                case 0xF0: (following, lowest) = (3, 0x90)
                case 0xF4: (following, highest) = (3, 0x8F)
                case 0xF1...0xF3: following = 3
                default: return index
                }
            }
        }
        return nil
    }
}
