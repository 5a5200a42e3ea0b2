/// Dates, times, instants and UUIDs as bytes of a row, in the forms that the replica stores.
enum CalendarText {
    /// `yyyy-MM-dd`, a day of the Gregorian calendar from 0001-01-01 on.
    static func isDate(_ text: Span<UInt8>, _ range: Range<Int>) -> Bool {
        range.count == 10 && isDay(text, range.lowerBound)
    }

    /// `HH:mm` or `HH:mm:ss`.
    static func isTime(_ text: Span<UInt8>, _ range: Range<Int>) -> Bool {
        let start = range.lowerBound
        switch range.count {
        case 5: return isHourAndMinute(text, start)
        case 8: return isClock(text, start)
        default: return false
        }
    }

    /// `yyyy-MM-ddTHH:mm:ssZ`, with up to six decimals of a second.
    static func isInstant(_ text: Span<UInt8>, _ range: Range<Int>) -> Bool {
        let start = range.lowerBound
        guard range.count >= 20, range.count <= 27, isDay(text, start), text[start + 10] == UInt8(ascii: "T"),
            isClock(text, start + 11), text[range.upperBound - 1] == UInt8(ascii: "Z")
        else { return false }
        if range.count == 20 { return true }
        guard range.count >= 22, text[start + 19] == UInt8(ascii: ".") else { return false }
        var index = start + 20
        while index < range.upperBound - 1 {
            guard isDigit(text[index]) else { return false }
            index += 1
        }
        return true
    }

    /// A canonical UUID in lower case, of any version.
    static func isUUID(_ text: Span<UInt8>, _ range: Range<Int>) -> Bool {
        guard range.count == 36 else { return false }
        let start = range.lowerBound
        for offset in 0..<36 {
            let byte = text[start &+ offset]
            switch offset {
            case 8, 13, 18, 23:
                if byte != UInt8(ascii: "-") { return false }
            default:
                guard isDigit(byte) || byte &- UInt8(ascii: "a") < 6 else { return false }
            }
        }
        return true
    }

    private static func isDay(_ text: Span<UInt8>, _ start: Int) -> Bool {
        guard text[start + 4] == UInt8(ascii: "-"), text[start + 7] == UInt8(ascii: "-"),
            let century = two(text, start), let rest = two(text, start + 2), let month = two(text, start + 5), let day = two(text, start + 8)
        else { return false }
        let year = century * 100 + rest
        guard year >= 1, month >= 1, month <= 12, day >= 1 else { return false }
        if day <= 28 { return true }
        let isLeap = year % 4 == 0 && (year % 100 != 0 || year % 400 == 0)
        switch month {
        case 2: return day <= (isLeap ? 29 : 28)
        case 4, 6, 9, 11: return day <= 30
        default: return day <= 31
        }
    }

    private static func isClock(_ text: Span<UInt8>, _ start: Int) -> Bool {
        guard isHourAndMinute(text, start), text[start + 5] == UInt8(ascii: ":"), let second = two(text, start + 6) else { return false }
        return second < 60
    }

    private static func isHourAndMinute(_ text: Span<UInt8>, _ start: Int) -> Bool {
        guard let hour = two(text, start), text[start + 2] == UInt8(ascii: ":"), let minute = two(text, start + 3) else { return false }
        return hour < 24 && minute < 60
    }

    @inline(__always) private static func two(_ text: Span<UInt8>, _ start: Int) -> Int? {
        let tens = text[start] &- UInt8(ascii: "0")
        let ones = text[start + 1] &- UInt8(ascii: "0")
        return tens <= 9 && ones <= 9 ? Int(tens) * 10 + Int(ones) : nil
    }

    @inline(__always) private static func isDigit(_ byte: UInt8) -> Bool { byte &- UInt8(ascii: "0") <= 9 }
}
