/// Recognises decimal numbers in bytes.
package enum DecimalBytes {
    /// Whether the bytes are a number: sign, digits with a point, exponent.
    package static func isNumber(_ bytes: Span<UInt8>) -> Bool {
        var index = 0
        let end = bytes.count
        if index < end, bytes[index] == 0x2D || bytes[index] == 0x2B { index += 1 }
        let start = index
        var points = 0
        while index < end {
            if bytes[index] == 0x2E { points += 1 } else if bytes[index] &- 0x30 > 9 { break }
            index += 1
        }
        guard index - start > points, points <= 1 else { return false }
        guard index < end else { return true }
        guard bytes[index] | 0x20 == 0x65 else { return false }
        index += 1
        if index < end, bytes[index] == 0x2D || bytes[index] == 0x2B { index += 1 }
        guard index < end else { return false }
        while index < end {
            guard bytes[index] &- 0x30 <= 9 else { return false }
            index += 1
        }
        return true
    }
}
