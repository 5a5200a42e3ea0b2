/// Dates and times of the rows (`yyyy-MM-dd`, `HH:mm[:ss]`, `yyyy-MM-ddTHH:mm:ss[.ffffff]Z`) as the
/// serial numbers of the 1900 system: days since 1899-12-30, the time as a fraction (ECMA-376 part
/// 1, 18.17.4). Before March 1900 the number is one less, because Excel assumes a 29 February 1900;
/// before 1900 there is no number and the text stays a text.
package struct ExcelDate: Equatable {
    /// Whole days, nil for a time alone.
    package var days: Int64
    /// Fraction of the day in units of 10⁻¹⁰, 9 µs: the precision that a double has beside five
    /// digits of days.
    package var fraction: UInt64

    package static let fractionDigits = 10
    private static let microsecondsOfDay: Int64 = 86_400_000_000

    // MARK: Reading bytes

    package static func date(_ bytes: UnsafeBufferPointer<UInt8>) -> ExcelDate? {
        guard bytes.count == 10, let days = unsafe epochDays(bytes), let serial = serial(days) else { return nil }
        return ExcelDate(days: serial, fraction: 0)
    }

    package static func time(_ bytes: UnsafeBufferPointer<UInt8>) -> ExcelDate? {
        guard let microseconds = unsafe microseconds(bytes, from: 0, to: bytes.count) else { return nil }
        return ExcelDate(days: 0, fraction: parts(microseconds))
    }

    /// An instant in UTC, converted to the office's local time.
    package static func instant(_ bytes: UnsafeBufferPointer<UInt8>, _ clock: inout OfficeClock) -> ExcelDate? {
        guard bytes.count >= 20, unsafe bytes[10] == UInt8(ascii: "T") && bytes[bytes.count - 1] == UInt8(ascii: "Z"),
            let epochDays = unsafe epochDays(bytes), let inDay = unsafe microseconds(bytes, from: 11, to: bytes.count - 1)
        else { return nil }
        let seconds = epochDays * 86_400 + inDay / 1_000_000
        let shifted = inDay + clock.offset(at: seconds) * 1_000_000
        // An offset moves an instant by at most one day either way.
        let carry: Int64 = shifted < 0 ? -1 : shifted >= microsecondsOfDay ? 1 : 0
        let fraction = parts(shifted - carry * microsecondsOfDay)
        let isNextDay = fraction >= 10_000_000_000
        guard let days = serial(epochDays + carry + (isNextDay ? 1 : 0)) else { return nil }
        return ExcelDate(days: days, fraction: isNextDay ? 0 : fraction)
    }

    /// Days since 1970-01-01 of the ten bytes `yyyy-MM-dd`; nil if there is no such day.
    package static func epochDays(_ bytes: UnsafeBufferPointer<UInt8>) -> Int64? {
        guard bytes.count >= 10, unsafe bytes[4] == UInt8(ascii: "-") && bytes[7] == UInt8(ascii: "-"),
            let year = unsafe number(bytes, 0, 4), let month = unsafe number(bytes, 5, 2), let day = unsafe number(bytes, 8, 2),
            (1...12).contains(month), day >= 1, day <= length(ofMonth: month, year)
        else { return nil }
        return epochDays(year, month, day)
    }

    /// Days since 1970-01-01 in the Gregorian calendar: eras of 400 years that begin on 1 March.
    package static func epochDays(_ year: Int64, _ month: Int64, _ day: Int64) -> Int64 {
        let shifted = month <= 2 ? year - 1 : year
        let era = (shifted >= 0 ? shifted : shifted - 399) / 400
        let yearOfEra = shifted - era * 400
        let dayOfYear = (153 * (month > 2 ? month - 3 : month + 9) + 2) / 5 + day - 1
        return era * 146_097 + yearOfEra * 365 + yearOfEra / 4 - yearOfEra / 100 + dayOfYear - 719_468
    }

    private static func length(ofMonth month: Int64, _ year: Int64) -> Int64 {
        switch month {
        case 2: year % 4 == 0 && (year % 100 != 0 || year % 400 == 0) ? 29 : 28
        case 4, 6, 9, 11: 30
        default: 31
        }
    }

    /// Microseconds since midnight of `HH:mm`, `HH:mm:ss` or `HH:mm:ss.ffffff`.
    private static func microseconds(_ bytes: UnsafeBufferPointer<UInt8>, from start: Int, to end: Int) -> Int64? {
        let length = end - start
        guard length == 5 || length == 8 || (10...15).contains(length), unsafe bytes[start + 2] == UInt8(ascii: ":"),
            let hour = unsafe number(bytes, start, 2), let minute = unsafe number(bytes, start + 3, 2), hour < 24, minute < 60
        else { return nil }
        var total = (hour * 60 + minute) * 60_000_000
        guard length > 5 else { return total }
        guard unsafe bytes[start + 5] == UInt8(ascii: ":"), let second = unsafe number(bytes, start + 6, 2), second < 60 else { return nil }
        total += second * 1_000_000
        guard length > 8 else { return total }
        guard unsafe bytes[start + 8] == UInt8(ascii: "."), var part = unsafe number(bytes, start + 9, length - 9) else { return nil }
        for _ in 0..<(15 - length) { part *= 10 }
        return total + part
    }

    private static func number(_ bytes: UnsafeBufferPointer<UInt8>, _ start: Int, _ count: Int) -> Int64? {
        var value: Int64 = 0
        for index in start..<(start + count) {
            let digit = unsafe bytes[index] &- UInt8(ascii: "0")
            guard digit < 10 else { return nil }
            value = value * 10 + Int64(digit)
        }
        return value
    }

    // MARK: Numbers

    private static func serial(_ epochDays: Int64) -> Int64? {
        let serial = epochDays + 25_569
        if serial >= 61 { return serial }
        return serial >= 2 ? serial - 1 : nil
    }

    /// Microseconds of a day in units of 10⁻¹⁰ days, rounded.
    private static func parts(_ microseconds: Int64) -> UInt64 {
        UInt64((microseconds * 100 + 432) / 864)
    }
}
