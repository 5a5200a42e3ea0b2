/// Finds, chunk after chunk, those mistakes in the bytes of a JSON text that YAJL accepts: `\uD800`
/// without its second half, which YAJL would replace with a question mark, and form feeds and
/// vertical tabs as white space.
///
/// In JSON a backslash occurs only inside texts, and the two white space characters nowhere. So the
/// check need not know where texts begin and end.
struct JSONByteCheck {
    private enum State {
        case plain
        case backslash
        /// Digits of an escape read so far, and their value.
        case digits(count: Int, value: UInt32)
    }

    private var state = State.plain
    /// Whether the last escape was the first half of a pair, whose second half must follow at once.
    private var awaitsSecondHalf = false

    /// Scans some bytes; returns the first byte at which a mistake is certain.
    mutating func firstMistake(in bytes: Span<UInt8>) -> (index: Int, reason: JSONMistake.Reason)? {
        var index = 0
        let space = min(
            bytes.position(of: 0x0B, from: 0) ?? bytes.count, bytes.position(of: 0x0C, from: 0) ?? bytes.count)
        while index < bytes.count {
            let byte = bytes[index]
            switch state {
            case .plain:
                if byte == UInt8(ascii: "\\") {
                    state = .backslash
                } else if awaitsSecondHalf {
                    return (index, .loneSurrogate)
                } else {
                    // Skips to the next byte that matters.
                    let next = bytes.position(of: UInt8(ascii: "\\"), from: index) ?? bytes.count
                    if index <= space, space < next { return (space, .malformed("invalid white space")) }
                    index = next
                    continue
                }
            case .backslash:
                if byte == UInt8(ascii: "u") {
                    state = .digits(count: 0, value: 0)
                } else {
                    if awaitsSecondHalf { return (index, .loneSurrogate) }
                    state = .plain
                }
            case .digits(let count, let value):
                guard let digit = Self.hexadecimalDigit(byte) else {
                    // The escape is not valid; the parser reports that.
                    state = .plain
                    awaitsSecondHalf = false
                    break
                }
                let value = value << 4 | digit
                guard count == 3 else {
                    state = .digits(count: count + 1, value: value)
                    break
                }
                state = .plain
                let isSecondHalf = (0xDC00...0xDFFF).contains(value)
                if isSecondHalf != awaitsSecondHalf { return (index, .loneSurrogate) }
                awaitsSecondHalf = (0xD800...0xDBFF).contains(value)
            }
            index += 1
        }
        return nil
    }

    private static func hexadecimalDigit(_ byte: UInt8) -> UInt32? {
        switch byte {
        case UInt8(ascii: "0")...UInt8(ascii: "9"): UInt32(byte - UInt8(ascii: "0"))
        case UInt8(ascii: "a")...UInt8(ascii: "f"): UInt32(byte - UInt8(ascii: "a") + 10)
        case UInt8(ascii: "A")...UInt8(ascii: "F"): UInt32(byte - UInt8(ascii: "A") + 10)
        default: nil
        }
    }
}
