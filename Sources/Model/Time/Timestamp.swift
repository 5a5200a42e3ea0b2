package import Foundation

/// Instants in the replica's stored form: text in UTC, `yyyy-MM-ddTHH:mm:ssZ`, with up to six
/// decimals of a second if there is a fraction. The order of such texts is that of the instants.
/// This type uses no formatter and no locale.
package enum Timestamp {
    /// The text of an instant, to the microsecond.
    package static func format(_ date: Date) -> String {
        let microseconds = Int64((date.timeIntervalSince1970 * 1_000_000).rounded())
        return format(microseconds: microseconds)
    }

    /// The instant of a text with a zone: `Z` or an offset, a `T` or a space, any number of
    /// decimals. Nil for other texts.
    package static func parse(_ text: String) -> Date? {
        microseconds(of: text).map { Date(timeIntervalSince1970: Double($0) / 1_000_000) }
    }

    /// Microseconds since 1970 of a text with a zone; nil for other texts.
    package static func microseconds(_ text: String) -> Int64? { microseconds(of: text) }

    /// Converts any text of an instant to the replica's stored form; nil for other texts.
    package static func normalized(_ text: String) -> String? {
        microseconds(of: text).map(format(microseconds:))
    }

    /// The instant, in the replica's stored form, of a day or a local time without a zone
    /// (`yyyy-MM-dd`, `yyyy-MM-ddTHH:mm:ss`); nil for any other text.
    package static func instant(local text: String, in zone: TimeZone) -> String? {
        let full = text.utf8.count == 10 ? text + "T00:00:00Z" : text + "Z"
        return parse(full).flatMap { shown in
            let instant = OfficeClock.instant(showing: shown.timeIntervalSince1970, in: zone)
            return years.contains(Int(instant.timeIntervalSince1970)) ? format(instant) : nil
        }
    }

    /// Whether a text is an existing day: `yyyy-MM-dd`.
    package static func isDate(_ text: String) -> Bool { StoredTime.isDate(Array(text.utf8).span) }

    /// The day of a text that is a day, or a day and a time with or without a zone; nil for any
    /// other text.
    package static func day(of text: String) -> String? {
        let bytes = text.utf8
        guard bytes.count > 10 else { return isDate(text) ? text : nil }
        return microseconds(of: text) != nil || microseconds(of: text + "Z") != nil ? String(text.prefix(10)) : nil
    }

    /// The range of the years 1 to 9999 in seconds since 1970; the replica stores no other years.
    private static let years =
        GregorianDay.sinceEpoch(1, 1, 1) * 86_400..<GregorianDay.sinceEpoch(10_000, 1, 1) * 86_400

    private static func format(microseconds: Int64) -> String {
        let second = Int64(1_000_000)
        let seconds = microseconds >= 0 ? microseconds / second : (microseconds - second + 1) / second
        let fraction = Int(microseconds - seconds * second)
        let (day, secondOfDay) = GregorianDay.split(seconds: Int(seconds))
        var text = day.text + "T"
        text +=
            (secondOfDay / 3600).padded(2) + ":" + (secondOfDay / 60 % 60).padded(2) + ":"
            + (secondOfDay % 60).padded(2)
        if fraction > 0 {
            var digits = fraction.padded(6)
            while digits.last == "0" { digits.removeLast() }
            text += "." + digits
        }
        return text + "Z"
    }

    private static func microseconds(of text: String) -> Int64? {
        var reader = Reader(Array(text.utf8))
        guard let days = reader.day(), reader.take("T") || reader.take(" "),
            let hour = reader.number(2), hour < 24, reader.take(":"), let minute = reader.number(2), minute < 60
        else { return nil }
        var seconds = 0
        var fraction = 0
        if reader.take(":") {
            guard let whole = reader.number(2), whole < 60 else { return nil }
            seconds = whole
            if reader.take(".") {
                guard let part = reader.microseconds() else { return nil }
                fraction = part
            }
        }
        guard let offset = reader.offset(), reader.isAtEnd else { return nil }
        let total = days * 86_400 + hour * 3600 + minute * 60 + seconds - offset
        guard years.contains(total) else { return nil }
        return Int64(total) * 1_000_000 + Int64(fraction)
    }

    /// Reads digits and signs from ASCII bytes.
    private struct Reader {
        private let bytes: [UInt8]
        private var position = 0

        init(_ bytes: [UInt8]) { self.bytes = bytes }

        var isAtEnd: Bool { position == bytes.count }

        mutating func take(_ character: Unicode.Scalar) -> Bool {
            guard position < bytes.count, bytes[position] == UInt8(ascii: character) else { return false }
            position += 1
            return true
        }

        mutating func number(_ width: Int) -> Int? {
            guard position + width <= bytes.count else { return nil }
            var value = 0
            for byte in bytes[position..<position + width] {
                guard (48...57).contains(byte) else { return nil }
                value = value * 10 + Int(byte - 48)
            }
            position += width
            return value
        }

        /// An existing day, as days since 1970-01-01.
        mutating func day() -> Int? {
            guard let day = StoredTime.day(bytes.span, at: position) else { return nil }
            position += 10
            return day.sinceEpoch
        }

        /// The digits after the decimal point, truncated after the sixth.
        mutating func microseconds() -> Int? {
            var value = 0
            var count = 0
            while position < bytes.count, (48...57).contains(bytes[position]) {
                if count < 6 { value = value * 10 + Int(bytes[position] - 48) }
                count += 1
                position += 1
            }
            guard count > 0 else { return nil }
            for _ in min(count, 6)..<6 { value *= 10 }
            return value
        }

        /// Seconds east of UTC: `Z`, `+00`, `-05:00`, `-0500`; up to 18 hours.
        mutating func offset() -> Int? {
            if take("Z") || take("z") { return 0 }
            let isWest: Bool
            if take("-") { isWest = true } else if take("+") { isWest = false } else { return nil }
            guard let hours = number(2) else { return nil }
            let isDivided = take(":")
            var minutes = 0
            if isDivided || !isAtEnd {
                guard let stated = number(2), stated < 60 else { return nil }
                minutes = stated
            }
            let seconds = hours * 3600 + minutes * 60
            guard seconds <= 18 * 3600 else { return nil }
            return isWest ? -seconds : seconds
        }
    }
}
