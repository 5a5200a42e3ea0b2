/// Reads days, times and instants in the replica's stored form, from bytes, without creating
/// strings. Other forms are refused; `Timestamp` reads forms from other programs.
///
/// Everything is inlined, because importers, checks and writers read a cell of each row with it.
/// Without inlining, a day takes more than twice as many instructions.
package enum StoredTime {
    /// `yyyy-MM-dd`.
    @inlinable @inline(__always) package static func day(_ text: Span<UInt8>) -> GregorianDay? {
        text.count == 10 ? day(text, at: 0) : nil
    }

    @inlinable @inline(__always) package static func isDate(_ text: Span<UInt8>) -> Bool { day(text) != nil }

    /// `HH:mm`.
    @inlinable @inline(__always) package static func isShortTime(_ text: Span<UInt8>) -> Bool {
        text.count == 5 && minutes(text, at: 0) != nil
    }

    /// `HH:mm` or `HH:mm:ss`.
    @inlinable @inline(__always) package static func isTime(_ text: Span<UInt8>) -> Bool {
        text.count == 8 ? seconds(text, at: 0) != nil : isShortTime(text)
    }

    /// `yyyy-MM-ddTHH:mm:ssZ`, with up to six decimals of a second.
    @inlinable @inline(__always) package static func isInstant(_ text: Span<UInt8>) -> Bool { instant(text) != nil }

    /// An instant's day and its microseconds, both in UTC.
    @inlinable @inline(__always) package static func instant(_ text: Span<UInt8>) -> (
        day: GregorianDay, microseconds: Int
    )? {
        guard text.count >= 20, text[10] == UInt8(ascii: "T"), text[text.count - 1] == UInt8(ascii: "Z"),
            let day = day(text, at: 0),
            let microseconds = microseconds(text.extracting(11..<(text.count - 1)))
        else { return nil }
        return (day, microseconds)
    }

    /// Microseconds since midnight of `HH:mm`, `HH:mm:ss` or `HH:mm:ss.ffffff`.
    @inlinable @inline(__always) package static func microseconds(_ text: Span<UInt8>) -> Int? {
        if text.count == 5 { return minutes(text, at: 0).map { $0 * 60_000_000 } }
        guard text.count >= 8, text.count <= 15, var total = seconds(text, at: 0) else { return nil }
        total *= 1_000_000
        guard text.count > 8 else { return total }
        guard text.count > 9, text[8] == UInt8(ascii: ".") else { return nil }
        var unit = 100_000
        for index in 9..<text.count {
            let digit = text[index] &- UInt8(ascii: "0")
            guard digit <= 9 else { return nil }
            total += Int(digit) * unit
            unit /= 10
        }
        return total
    }

    // MARK: Parts, wherever they stand in a text

    @inlinable @inline(__always) package static func day(_ text: Span<UInt8>, at start: Int) -> GregorianDay? {
        guard text.count >= start + 10, text[start + 4] == UInt8(ascii: "-"), text[start + 7] == UInt8(ascii: "-"),
            let century = two(text, at: start), let rest = two(text, at: start + 2),
            let month = two(text, at: start + 5),
            let day = two(text, at: start + 8)
        else { return nil }
        return GregorianDay(year: century * 100 + rest, month: month, day: day)
    }

    /// Minutes since midnight of `HH:mm`.
    @inlinable @inline(__always) package static func minutes(_ text: Span<UInt8>, at start: Int) -> Int? {
        guard text.count >= start + 5, text[start + 2] == UInt8(ascii: ":"), let hour = two(text, at: start),
            let minute = two(text, at: start + 3), hour < 24, minute < 60
        else { return nil }
        return hour * 60 + minute
    }

    /// Seconds since midnight of `HH:mm:ss`.
    @inlinable @inline(__always) package static func seconds(_ text: Span<UInt8>, at start: Int) -> Int? {
        guard text.count >= start + 8, text[start + 5] == UInt8(ascii: ":"), let minutes = minutes(text, at: start),
            let second = two(text, at: start + 6), second < 60
        else { return nil }
        return minutes * 60 + second
    }

    /// Two digits.
    @inlinable @inline(__always) package static func two(_ text: Span<UInt8>, at start: Int) -> Int? {
        guard text.count >= start + 2 else { return nil }
        let tens = text[start] &- UInt8(ascii: "0"), ones = text[start + 1] &- UInt8(ascii: "0")
        return tens <= 9 && ones <= 9 ? Int(tens) * 10 + Int(ones) : nil
    }
}
