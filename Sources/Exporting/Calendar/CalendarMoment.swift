import Foundation
import Model

/// A day, an instant, or a floating time, which is the same local time in every time zone (RFC
/// 5545, 3.3.4 and 3.3.5).
enum CalendarMoment: Hashable {
    case day(GregorianDay)
    case instant(GregorianDay, seconds: Int)
    case floating(GregorianDay, seconds: Int)

    /// Reads a day or instant as the replica stores them.
    init?(_ text: String?) {
        guard let text else { return nil }
        let bytes = Array(text.utf8)
        if let day = StoredTime.day(bytes.span) {
            self = .day(day)
        } else if let (day, microseconds) = StoredTime.instant(bytes.span) {
            self = .instant(day, seconds: microseconds / 1_000_000)
        } else {
            return nil
        }
    }

    init(_ instant: Date) {
        let (day, seconds) = GregorianDay.split(seconds: Int(instant.timeIntervalSince1970.rounded(.down)))
        self = .instant(day, seconds: seconds)
    }

    /// This day (for an instant, its day in the office's time zone) with a time of day; nil if the
    /// text is not a time.
    func at(_ time: String, _ clock: inout OfficeClock) -> CalendarMoment? {
        let bytes = Array(time.utf8)
        guard StoredTime.isTime(bytes.span), let microseconds = StoredTime.microseconds(bytes.span) else { return nil }
        return .floating(officeDay(&clock), seconds: microseconds / 1_000_000)
    }

    private func officeDay(_ clock: inout OfficeClock) -> GregorianDay {
        switch self {
        case .day(let day), .floating(let day, _): return day
        case .instant(let day, let seconds):
            let instant = day.sinceEpoch * 86_400 + seconds
            return GregorianDay.split(seconds: instant + clock.offset(at: instant)).day
        }
    }

    /// The next day, because a calendar's end is exclusive; a moment with a time is unchanged.
    var afterLastDay: CalendarMoment {
        if case .day(let day) = self { .day(GregorianDay(sinceEpoch: day.sinceEpoch + 1)) } else { self }
    }

    /// Whether another moment is of the same kind, and later.
    func isBefore(_ other: CalendarMoment) -> Bool {
        switch (self, other) {
        case (.day(let first), .day(let second)): first.sinceEpoch < second.sinceEpoch
        case (.instant(let first, let early), .instant(let second, let late)),
            (.floating(let first, let early), .floating(let second, let late)):
            (first.sinceEpoch, early) < (second.sinceEpoch, late)
        default: false
        }
    }

    /// The name and value of a property with this moment.
    func property(_ name: String) -> (name: String, value: String) {
        if case .day = self { (name + ";VALUE=DATE", text) } else { (name, text) }
    }

    var text: String {
        switch self {
        case .day(let day): Self.digits(day)
        case .instant(let day, let seconds): Self.digits(day) + "T" + Self.digits(seconds) + "Z"
        case .floating(let day, let seconds): Self.digits(day) + "T" + Self.digits(seconds)
        }
    }

    private static func digits(_ day: GregorianDay) -> String {
        day.year.padded(4) + day.month.padded(2) + day.day.padded(2)
    }
    private static func digits(_ seconds: Int) -> String {
        (seconds / 3600).padded(2) + (seconds / 60 % 60).padded(2) + (seconds % 60).padded(2)
    }
}

/// The lines of a calendar (RFC 5545, 3.1): one property each, folded at 75 octets, ended by CR LF.
struct CalendarText: ~Copyable {
    var buffer = ByteBuffer()
    /// The number of characters that were replaced because no file may contain them.
    private(set) var replaced = 0
    private let classes = ByteClasses(escaped: Array("\\;,\n\r".utf8))
    private var line = ByteBuffer(capacity: 256)

    /// Adds a property with a value that needs no escapes.
    mutating func add(_ name: String, _ value: String) {
        line.append(utf8: name + ":" + value)
        endLine()
    }

    /// Adds a property whose value is free text (3.3.11). The text is escaped, so that none of its
    /// lines can begin another property.
    mutating func add(text: String, as name: String) {
        line.append(utf8: name + ":")
        append(Array(text.utf8))
        endLine()
    }

    /// Adds a property with the text of a cell, if it has one.
    mutating func add(_ batch: borrowing RowBatch, _ row: Int, _ column: Int?, as name: String, suffix: String = "") {
        guard let column, batch.cell(row, column).kind != .null else { return }
        line.append(utf8: name + ":")
        if batch.cell(row, column).kind == .text {
            append(Array(batch.text[batch.cell(row, column).range]))
        } else {
            append(Array((batch.description(row, column) ?? "").utf8))
        }
        line.append(utf8: suffix)
        endLine()
    }

    private mutating func append(_ bytes: [UInt8]) {
        unsafe bytes.withUnsafeBufferPointer { bytes in
            unsafe line.appendClean(bytes, classes, replaced: &replaced) { byte, line in
                switch byte {
                // CR LF and LF are one break; a CR alone has no meaning.
                case 0x0D: break
                case 0x0A: line.append("\\n" as StaticString)
                default:
                    line.append(UInt8(ascii: "\\"))
                    line.append(byte)
                }
            }
        }
    }

    private static let octets = 75

    private mutating func endLine() {
        let bytes = line.array
        line.removeAll()
        var start = 0, room = Self.octets
        while bytes.count - start > room {
            var end = start + room
            // Folding does not split a character of several octets.
            while bytes[end] & 0xC0 == 0x80 { end -= 1 }
            buffer.append(Array(bytes[start..<end]))
            buffer.append("\r\n " as StaticString)
            (start, room) = (end, Self.octets - 1)
        }
        buffer.append(Array(bytes[start...]))
        buffer.append("\r\n" as StaticString)
    }
}
