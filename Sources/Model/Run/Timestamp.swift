package import Foundation

/// Instants as the replica stores them: UTC text `yyyy-MM-ddTHH:mm:ssZ`, which sorts as text (RFC 3339, the `Z` form only).
///
/// Exact integer arithmetic on the proleptic Gregorian calendar, the same on every machine, without a formatter's locale.
package enum Timestamp {
    /// The instant with whole seconds; a fraction is cut off, never rounded up into the next second.
    package static func format(_ date: Date) -> String {
        format(seconds: Int64(date.timeIntervalSince1970.rounded(.down)), microseconds: 0)
    }

    /// The instant with up to six decimals of a second, as many as it needs and none when it has no fraction.
    package static func formatExactly(_ date: Date) -> String {
        let total = Int64((date.timeIntervalSince1970 * 1_000_000).rounded())
        let (seconds, microseconds) = floorDivision(total, 1_000_000)
        return format(seconds: seconds, microseconds: microseconds)
    }

    /// The instant that a text means; nil for any other form or for a day or time that does not exist.
    package static func parse(_ text: String) -> Date? {
        parse(Array(text.utf8))
    }

    private static func format(seconds: Int64, microseconds: Int64) -> String {
        let (days, secondOfDay) = floorDivision(seconds, 86_400)
        let (year, month, day) = civil(fromDays: days)
        var bytes: [UInt8] = []
        bytes.reserveCapacity(27)
        append(year, digits: 4, to: &bytes)
        bytes.append(UInt8(ascii: "-"))
        append(month, digits: 2, to: &bytes)
        bytes.append(UInt8(ascii: "-"))
        append(day, digits: 2, to: &bytes)
        bytes.append(UInt8(ascii: "T"))
        append(secondOfDay / 3600, digits: 2, to: &bytes)
        bytes.append(UInt8(ascii: ":"))
        append(secondOfDay / 60 % 60, digits: 2, to: &bytes)
        bytes.append(UInt8(ascii: ":"))
        append(secondOfDay % 60, digits: 2, to: &bytes)
        if microseconds != 0 {
            bytes.append(UInt8(ascii: "."))
            append(microseconds, digits: 6, to: &bytes)
            while bytes.last == UInt8(ascii: "0") { bytes.removeLast() }
        }
        bytes.append(UInt8(ascii: "Z"))
        return String(decoding: bytes, as: UTF8.self)
    }

    private static func append(_ number: Int64, digits: Int, to bytes: inout [UInt8]) {
        var divisor: Int64 = 1
        for _ in 1..<digits { divisor *= 10 }
        while divisor > 0 {
            bytes.append(UInt8(ascii: "0") + UInt8(number / divisor % 10))
            divisor /= 10
        }
    }

    private static func parse(_ bytes: [UInt8]) -> Date? {
        // 0123456789012345678 9
        // yyyy-MM-ddTHH:mm:ss[.ffffff]Z
        guard bytes.count == 20 || (22...27).contains(bytes.count), bytes[bytes.count - 1] == UInt8(ascii: "Z") else { return nil }
        for (index, mark) in [(4, "-"), (7, "-"), (10, "T"), (13, ":"), (16, ":")] as [(Int, Unicode.Scalar)] {
            guard bytes[index] == UInt8(ascii: mark) else { return nil }
        }
        guard let year = number(bytes[0..<4]), let month = number(bytes[5..<7]),
            let day = number(bytes[8..<10]), let hour = number(bytes[11..<13]),
            let minute = number(bytes[14..<16]), let second = number(bytes[17..<19]),
            (1...12).contains(month), day >= 1, day <= daysInMonth(month, year), hour < 24, minute < 60, second < 60
        else { return nil }
        var microseconds: Int64 = 0
        if bytes.count > 20 {
            guard bytes[19] == UInt8(ascii: "."), let fraction = number(bytes[20..<(bytes.count - 1)]) else { return nil }
            microseconds = fraction
            for _ in 0..<(27 - bytes.count) { microseconds *= 10 }
        }
        let seconds = days(year: year, month: month, day: day) * 86_400 + hour * 3600 + minute * 60 + second
        return Date(timeIntervalSince1970: Double(seconds) + Double(microseconds) / 1_000_000)
    }

    private static func number(_ digits: ArraySlice<UInt8>) -> Int64? {
        var value: Int64 = 0
        for byte in digits {
            guard (UInt8(ascii: "0")...UInt8(ascii: "9")).contains(byte) else { return nil }
            value = value * 10 + Int64(byte - UInt8(ascii: "0"))
        }
        return value
    }

    private static func daysInMonth(_ month: Int64, _ year: Int64) -> Int64 {
        switch month {
        case 2: year % 4 == 0 && (year % 100 != 0 || year % 400 == 0) ? 29 : 28
        case 4, 6, 9, 11: 30
        default: 31
        }
    }

    /// Days since 1970-01-01. Years are counted from March, so that the leap day comes last (H. Hinnant, "chrono-compatible
    /// low-level date algorithms").
    private static func days(year: Int64, month: Int64, day: Int64) -> Int64 {
        let shifted = month <= 2 ? year - 1 : year
        let (era, yearOfEra) = floorDivision(shifted, 400)
        let dayOfYear = (153 * (month + (month > 2 ? -3 : 9)) + 2) / 5 + day - 1
        return era * 146_097 + yearOfEra * 365 + yearOfEra / 4 - yearOfEra / 100 + dayOfYear - 719_468
    }

    private static func civil(fromDays days: Int64) -> (year: Int64, month: Int64, day: Int64) {
        let (era, dayOfEra) = floorDivision(days + 719_468, 146_097)
        let yearOfEra = (dayOfEra - dayOfEra / 1460 + dayOfEra / 36_524 - dayOfEra / 146_096) / 365
        let dayOfYear = dayOfEra - (365 * yearOfEra + yearOfEra / 4 - yearOfEra / 100)
        let shifted = (5 * dayOfYear + 2) / 153
        let month = shifted < 10 ? shifted + 3 : shifted - 9
        return (yearOfEra + era * 400 + (month <= 2 ? 1 : 0), month, dayOfYear - (153 * shifted + 2) / 5 + 1)
    }

    private static func floorDivision(_ value: Int64, _ divisor: Int64) -> (quotient: Int64, remainder: Int64) {
        let (quotient, remainder) = value.quotientAndRemainder(dividingBy: divisor)
        return remainder < 0 ? (quotient - 1, remainder + divisor) : (quotient, remainder)
    }
}
