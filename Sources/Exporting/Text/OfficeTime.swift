import Foundation
import Model

/// Converts instants in UTC, as the replica stores them, to the office's local time. It asks the
/// time zone for the offset once for each period between two changes of the clock, not for each
/// row.
struct OfficeTime {
    private var clock: OfficeClock

    init(_ timeZone: TimeZone) {
        clock = OfficeClock(timeZone)
    }

    /// Appends `yyyy-MM-dd HH:mm:ss`; fractions of a second are dropped. Returns false, and appends
    /// nothing, when the text is not an instant as the replica stores them.
    mutating func append(_ bytes: UnsafeBufferPointer<UInt8>, to buffer: inout ByteBuffer) -> Bool {
        guard let (day, microseconds) = unsafe StoredTime.instant(bytes.span) else { return false }
        let instant = day.sinceEpoch * 86_400 + microseconds / 1_000_000
        let (shown, seconds) = GregorianDay.split(seconds: instant + clock.offset(at: instant))
        guard shown.year >= 0, shown.year <= 9999 else { return false }
        buffer.appendDigits(UInt64(shown.year), width: 4)
        buffer.append(UInt8(ascii: "-"))
        buffer.appendDigits(UInt64(shown.month), width: 2)
        buffer.append(UInt8(ascii: "-"))
        buffer.appendDigits(UInt64(shown.day), width: 2)
        buffer.append(UInt8(ascii: " "))
        buffer.appendDigits(UInt64(seconds / 3600), width: 2)
        buffer.append(UInt8(ascii: ":"))
        buffer.appendDigits(UInt64(seconds / 60 % 60), width: 2)
        buffer.append(UInt8(ascii: ":"))
        buffer.appendDigits(UInt64(seconds % 60), width: 2)
        return true
    }
}
