/// The type that a person sees in a text: text files contain numbers and dates as text.
package enum ApparentType: Sendable {
    case text, number, date, time, dateTime

    package init(_ bytes: Span<UInt8>) {
        var start = 0
        var end = bytes.count
        while start < end, bytes[start] == 0x20 { start += 1 }
        while start < end, bytes[end - 1] == 0x20 { end -= 1 }
        guard start < end, end - start <= 40 else {
            self = .text
            return
        }
        // Numbers and dates begin with a digit, a sign or a point.
        let first = bytes[start]
        guard first &- 0x30 <= 9 || first == 0x2D || first == 0x2B || first == 0x2E || first == 0x2C else {
            self = .text
            return
        }
        var points = 0, commas = 0, colons = 0, strokes = 0, digits = 0, letters = 0
        for index in start..<end {
            switch bytes[index] {
            case 0x30...0x39: digits += 1
            case 0x2E: points += 1
            case 0x2C: commas += 1
            case 0x3A: colons += 1
            case 0x2D, 0x2F: if index > start { strokes += 1 }
            case 0x54, 0x20: letters += 1
            case 0x45, 0x65, 0x2B: if index > start { letters += 100 }
            default: letters += 1_000
            }
        }
        let isPlain = letters == 0 && colons == 0 && strokes == 0 && digits > 0
        if isPlain,
            points <= 1 || commas == 1 || digits > 8 || points > 2 || (end - start > 4 && bytes[end - 4] == 0x2E)
        {
            self = .number
        } else if letters >= 100, letters < 1_000, commas == 0, DecimalBytes.isNumber(bytes.extracting(start..<end)) {
            self = .number
        } else if strokes == 2 || (points == 2 && strokes == 0 && colons == 0), digits >= 6, digits <= 8, letters == 0,
            commas == 0
        {
            self = .date
        } else if strokes == 2, colons >= 1, colons <= 3, letters == 1, digits >= 10 {
            self = .dateTime
        } else if strokes == 0, colons == 1 || colons == 2, letters == 0, digits >= 3, digits <= 9, commas == 0 {
            self = .time
        } else {
            self = .text
        }
    }
}

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
