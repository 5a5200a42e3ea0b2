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

    private static func isDay(_ text: Span<UInt8>) -> Bool {
        guard text[4] == UInt8(ascii: "-"), text[7] == UInt8(ascii: "-"), let century = two(text, 0), let rest = two(text, 2),
            let month = two(text, 5), let day = two(text, 8), (1...12).contains(month), day >= 1
        else { return false }
        let year = century * 100 + rest
        let isLeap = year % 4 == 0 && (year % 100 != 0 || year % 400 == 0)
        switch month {
        case 2: return day <= (isLeap ? 29 : 28)
        case 4, 6, 9, 11: return day <= 30
        default: return day <= 31
        }
    }

    private static func isTime(_ text: Span<UInt8>, from start: Int) -> Bool {
        guard text.count >= start + 9, text[start + 2] == UInt8(ascii: ":"), text[start + 5] == UInt8(ascii: ":"),
            let hour = two(text, start), let minute = two(text, start + 3), let second = two(text, start + 6),
            hour < 24, minute < 60, second <= 60
        else { return false }
        var index = start + 8
        if text[index] == UInt8(ascii: ".") {
            index += 1
            let first = index
            while index < text.count, text[index] &- UInt8(ascii: "0") <= 9 { index += 1 }
            if index == first { return false }
        }
        guard index < text.count else { return false }
        var minutes = hour * 60 + minute
        switch text[index] {
        case UInt8(ascii: "Z"), UInt8(ascii: "z"):
            guard index + 1 == text.count else { return false }
        case UInt8(ascii: "+"), UInt8(ascii: "-"):
            guard text.count == index + 6, text[index + 3] == UInt8(ascii: ":"), let hours = two(text, index + 1),
                let rest = two(text, index + 4), hours < 24, rest < 60
            else { return false }
            minutes += (hours * 60 + rest) * (text[index] == UInt8(ascii: "+") ? -1 : 1)
        default: return false
        }
        // A leap second can only be the last second of a day in universal time.
        return second < 60 || (minutes + 2 * 1440) % 1440 == 1439
    }

    private static func two(_ text: Span<UInt8>, _ start: Int) -> Int? {
        guard start + 1 < text.count else { return nil }
        let (tens, ones) = (text[start] &- UInt8(ascii: "0"), text[start + 1] &- UInt8(ascii: "0"))
        return tens <= 9 && ones <= 9 ? Int(tens) * 10 + Int(ones) : nil
    }
}
