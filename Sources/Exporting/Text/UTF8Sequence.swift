/// One character beyond ASCII, or the broken beginning of one, in UTF-8 (RFC 3629, section 4).
struct UTF8Sequence: Hashable {
    /// The number of bytes. For broken ones it is the longest beginning that could have become a
    /// character, at least 1, so that replacements match other programs (Unicode 15, section 3.9,
    /// "U+FFFD substitution of maximal subparts").
    var length: Int
    /// Whether it is a character that XML can hold as well: U+FFFE and U+FFFF are none.
    var isCharacter: Bool

    /// Reads the sequence that begins at `index` with a byte from 0x80 on.
    @inline(__always) init(_ bytes: UnsafeBufferPointer<UInt8>, at index: Int) {
        let lead = unsafe bytes[index]
        let following: Int
        // The bounds of the second byte exclude overlong forms, surrogates and values beyond
        // U+10FFFF.
        var lowest: UInt8 = 0x80
        var highest: UInt8 = 0xBF
        switch lead {
        case 0xC2...0xDF: following = 1
        case 0xE0...0xEF:
            following = 2
            if lead == 0xE0 { lowest = 0xA0 }
            if lead == 0xED { highest = 0x9F }
        case 0xF0...0xF4:
            following = 3
            if lead == 0xF0 { lowest = 0x90 }
            if lead == 0xF4 { highest = 0x8F }
        default:
            length = 1
            isCharacter = false
            return
        }
        length = 1
        isCharacter = false
        while length <= following {
            let next = index &+ length
            guard next < bytes.count, unsafe bytes[next] >= lowest, unsafe bytes[next] <= highest else { return }
            lowest = 0x80
            highest = 0xBF
            length &+= 1
        }
        let isNonCharacter = unsafe lead == 0xEF && bytes[index &+ 1] == 0xBF && bytes[index &+ 2] >= 0xBE
        isCharacter = !isNonCharacter
    }
}
