package import Model

/// Dates and times of the rows (`yyyy-MM-dd`, `HH:mm[:ss]`, `yyyy-MM-ddTHH:mm:ss[.ffffff]Z`) as the
/// serial numbers of the 1900 system: days since 1899-12-30, the time as a fraction (ECMA-376 part
/// 1, 18.17.4). Before March 1900 the number is one less, because Excel assumes a 29 February 1900;
/// before 1900 there is no number, and the value remains a text.
package struct ExcelDate: Equatable {
    /// Whole days; 0 for a time alone.
    package var days: Int64
    /// Fraction of the day in units of 10⁻¹⁰ days (9 µs), about the precision of a double with five
    /// digits before the point.
    package var fraction: UInt64

    package static let fractionDigits = 10
    private static let microsecondsOfDay = 86_400_000_000

    // MARK: Reading bytes

    package static func date(_ bytes: UnsafeBufferPointer<UInt8>) -> ExcelDate? {
        guard let day = unsafe StoredTime.day(bytes.span), let serial = serial(day.sinceEpoch) else { return nil }
        return ExcelDate(days: serial, fraction: 0)
    }

    package static func time(_ bytes: UnsafeBufferPointer<UInt8>) -> ExcelDate? {
        guard let microseconds = unsafe StoredTime.microseconds(bytes.span) else { return nil }
        return ExcelDate(days: 0, fraction: parts(microseconds))
    }

    /// An instant in UTC, converted to the office's local time.
    package static func instant(_ bytes: UnsafeBufferPointer<UInt8>, _ clock: inout OfficeClock) -> ExcelDate? {
        guard let (day, inDay) = unsafe StoredTime.instant(bytes.span) else { return nil }
        let epochDays = day.sinceEpoch
        let shifted = inDay + clock.offset(at: epochDays * 86_400 + inDay / 1_000_000) * 1_000_000
        // A time zone's offset moves an instant by at most one day in either direction.
        let carry = shifted < 0 ? -1 : shifted >= microsecondsOfDay ? 1 : 0
        let fraction = parts(shifted - carry * microsecondsOfDay)
        let isNextDay = fraction >= 10_000_000_000
        guard let days = serial(epochDays + carry + (isNextDay ? 1 : 0)) else { return nil }
        return ExcelDate(days: days, fraction: isNextDay ? 0 : fraction)
    }

    // MARK: Numbers

    private static func serial(_ epochDays: Int) -> Int64? {
        let serial = GregorianDay.serial(sinceEpoch: epochDays)
        return serial >= 1 ? Int64(serial) : nil
    }

    /// Microseconds of a day in units of 10⁻¹⁰ days, rounded.
    private static func parts(_ microseconds: Int) -> UInt64 { UInt64((microseconds * 100 + 432) / 864) }
}
