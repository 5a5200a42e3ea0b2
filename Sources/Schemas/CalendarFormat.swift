import Model

/// Dates and times in the forms of RFC 3339.
enum CalendarFormat {
    /// `yyyy-MM-dd`, an existing day: no 31 February.
    static func isDate(_ text: Span<UInt8>) -> Bool {
        text.count == 10 && isDay(text)
    }

    /// `HH:mm:ss`, with any number of decimals, and `Z` or an offset.
    static func isTime(_ text: Span<UInt8>) -> Bool {
        isTime(text, from: 0)
    }

    static func isInstant(_ text: Span<UInt8>) -> Bool {
        text.count > 11 && isDay(text) && text[10] | 0x20 == UInt8(ascii: "t") && isTime(text, from: 11)
    }

    /// Like a stored day, but the RFC also has a year 0.
    private static func isDay(_ text: Span<UInt8>) -> Bool {
        guard text[4] == UInt8(ascii: "-"), text[7] == UInt8(ascii: "-"), let century = StoredTime.two(text, at: 0),
            let rest = StoredTime.two(text, at: 2), let month = StoredTime.two(text, at: 5), let day = StoredTime.two(text, at: 8),
            (1...12).contains(month), day >= 1
        else { return false }
        return day <= GregorianDay.length(ofMonth: month, in: century * 100 + rest)
    }

    private static func isTime(_ text: Span<UInt8>, from start: Int) -> Bool {
        guard text.count >= start + 9, text[start + 5] == UInt8(ascii: ":"),
            var minutes = StoredTime.minutes(text, at: start), let second = StoredTime.two(text, at: start + 6), second <= 60
        else { return false }
        var index = start + 8
        if text[index] == UInt8(ascii: ".") {
            index += 1
            let first = index
            while index < text.count, text[index] &- UInt8(ascii: "0") <= 9 { index += 1 }
            if index == first { return false }
        }
        guard index < text.count else { return false }
        switch text[index] {
        case UInt8(ascii: "Z"), UInt8(ascii: "z"):
            guard index + 1 == text.count else { return false }
        case UInt8(ascii: "+"), UInt8(ascii: "-"):
            guard text.count == index + 6, let ahead = StoredTime.minutes(text, at: index + 1)
            else { return false }
            minutes += ahead * (text[index] == UInt8(ascii: "+") ? -1 : 1)
        default: return false
        }
        // A leap second can only be the last second of a day in universal time.
        return second < 60 || (minutes + 2 * 1440) % 1440 == 1439
    }
}
