import Foundation

/// Turns instants in UTC, as the replica stores them, into the office's wall clock. The offset is asked of the time zone once for
/// each stretch between two changes of the clock, not for each row.
struct OfficeTime {
    private let timeZone: TimeZone
    /// The stretch for which `offset` holds, in seconds since 1970.
    private var valid: Range<Int> = 0..<0
    private var offset = 0

    init(_ timeZone: TimeZone) {
        self.timeZone = timeZone
    }

    /// Appends `yyyy-MM-dd HH:mm:ss` (fractions of a second are dropped); false, with nothing appended, when the text is no instant
    /// as the replica stores them.
    mutating func append(_ bytes: UnsafeBufferPointer<UInt8>, to buffer: inout ByteBuffer) -> Bool {
        guard let instant = unsafe StoredTime.instant(bytes) else { return false }
        let local = instant + offset(at: instant)
        let (days, seconds) = StoredTime.split(local)
        let (year, month, day) = StoredTime.civil(days)
        guard year >= 0, year <= 9999 else { return false }
        buffer.appendDigits(UInt64(year), width: 4)
        buffer.append(UInt8(ascii: "-"))
        buffer.appendDigits(UInt64(month), width: 2)
        buffer.append(UInt8(ascii: "-"))
        buffer.appendDigits(UInt64(day), width: 2)
        buffer.append(UInt8(ascii: " "))
        buffer.appendDigits(UInt64(seconds / 3600), width: 2)
        buffer.append(UInt8(ascii: ":"))
        buffer.appendDigits(UInt64(seconds / 60 % 60), width: 2)
        buffer.append(UInt8(ascii: ":"))
        buffer.appendDigits(UInt64(seconds % 60), width: 2)
        return true
    }

    private mutating func offset(at instant: Int) -> Int {
        if valid.contains(instant) { return offset }
        let date = Date(timeIntervalSince1970: TimeInterval(instant))
        offset = timeZone.secondsFromGMT(for: date)
        let next = timeZone.nextDaylightSavingTimeTransition(after: date).map { Int($0.timeIntervalSince1970) }
        // Without a known change the offset is asked for again each day: zones change their rules.
        valid = instant..<min(next ?? .max, instant - instant % 86_400 + 86_400)
        if valid.isEmpty { valid = instant..<(instant + 1) }
        return offset
    }
}
