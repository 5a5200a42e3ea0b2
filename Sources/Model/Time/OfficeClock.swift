package import Foundation

/// The offset of an office's clocks from UTC at an instant, including the changes to and from
/// daylight saving time.
///
/// A lookup in a time zone takes about a microsecond, and a million rows fall into few years. So
/// each year's changes are looked up only once.
package struct OfficeClock {
    private let timeZone: TimeZone
    private var years: [Int: [Stretch]] = [:]
    /// The stretch that was used last.
    @usableFromInline package var recent = Stretch(start: 0, end: 0, offset: 0)

    /// The period, in seconds since 1970, in which an offset is valid.
    @usableFromInline package struct Stretch {
        @usableFromInline package var start: Int
        @usableFromInline package var end: Int
        @usableFromInline package var offset: Int
    }

    package init(_ timeZone: TimeZone) {
        self.timeZone = timeZone
    }

    /// The instant at which a zone's clocks show this number of seconds since 1970-01-01 00:00. If
    /// they show a time twice, because they are put back, it is the first of the two. If they skip
    /// a time, it is as long after the change as that time lies beyond the skip's beginning.
    package static func instant(showing seconds: TimeInterval, in zone: TimeZone) -> Date {
        func offset(_ instant: TimeInterval) -> TimeInterval {
            TimeInterval(zone.secondsFromGMT(for: Date(timeIntervalSince1970: instant)))
        }
        // Clocks are never a day away from UTC, so a relevant change lies between these two.
        let before = offset(seconds - 86_400), after = offset(seconds + 86_400)
        let isLate = before != after && offset(seconds - before) != before && offset(seconds - after) == after
        return Date(timeIntervalSince1970: seconds - (isLate ? after : before))
    }

    /// An instant shifted so that UTC shows the time of the zone's clocks.
    package static func shown(_ instant: Date, in zone: TimeZone) -> Date {
        instant.addingTimeInterval(TimeInterval(zone.secondsFromGMT(for: instant)))
    }

    /// Seconds to add to UTC at an instant given in seconds since 1970.
    @inlinable @inline(__always) package mutating func offset(at seconds: Int) -> Int {
        seconds >= recent.start && seconds < recent.end ? recent.offset : lookUp(seconds)
    }

    /// Day and second of the day that the clock shows at a stored instant. A stored day is returned
    /// unchanged, without a time; nil for any other text.
    package mutating func shown(_ stored: Span<UInt8>) -> (day: GregorianDay, seconds: Int?)? {
        if let day = StoredTime.day(stored) { return (day, nil) }
        guard let (day, microseconds) = StoredTime.instant(stored) else { return nil }
        let instant = day.sinceEpoch * 86_400 + microseconds / 1_000_000
        let (office, seconds) = GregorianDay.split(seconds: instant + offset(at: instant))
        return (office, seconds)
    }

    @usableFromInline package mutating func lookUp(_ seconds: Int) -> Int {
        // Years of 365.2425 days, in whole seconds; they need not match calendar years.
        let length = 31_556_952
        let year = seconds >= 0 ? seconds / length : (seconds - length + 1) / length
        if years[year] == nil { years[year] = stretches(from: year * length, to: (year + 1) * length) }
        guard let stretch = years[year]?.first(where: { seconds < $0.end }) else { return ask(seconds) }
        recent = stretch
        return stretch.offset
    }

    private func stretches(from start: Int, to end: Int) -> [Stretch] {
        var stretches: [Stretch] = []
        var current = Stretch(start: start, end: end, offset: ask(start))
        var day = start
        while day < end {
            let next = min(day + 86_400, end)
            let offset = ask(next)
            if offset != current.offset {
                let change = firstChange(from: day, to: next, away: current.offset)
                current.end = change
                stretches.append(current)
                current = Stretch(start: change, end: end, offset: offset)
            }
            day = next
        }
        return stretches + [current]
    }

    private func firstChange(from start: Int, to end: Int, away offset: Int) -> Int {
        var low = start
        var high = end
        while high - low > 1 {
            let middle = (low + high) / 2
            if ask(middle) == offset { low = middle } else { high = middle }
        }
        return high
    }

    /// The time zone's offset from UTC at an instant given in seconds since 1970.
    private func ask(_ seconds: Int) -> Int {
        timeZone.secondsFromGMT(for: Date(timeIntervalSince1970: Double(seconds)))
    }
}

/// Days in an office's time zone.
package enum OfficeDay {
    /// The day of an instant in a time zone, `yyyy-MM-dd`.
    package static func text(of instant: Date, in timeZone: TimeZone) -> String {
        String(Timestamp.format(OfficeClock.shown(instant, in: timeZone)).prefix(10))
    }

    /// Day and time of an instant at the office, `yyyy-MM-dd HH:mm`.
    package static func time(of instant: Date, in timeZone: TimeZone) -> String {
        String(Timestamp.format(OfficeClock.shown(instant, in: timeZone)).prefix(16)).replacing("T", with: " ")
    }

    /// The distance of an office's clock from UTC at an instant: `UTC-5`, `UTC+5:30`, `UTC`.
    package static func offset(of instant: Date, in timeZone: TimeZone) -> String {
        let minutes = timeZone.secondsFromGMT(for: instant) / 60
        guard minutes != 0 else { return "UTC" }
        let rest = abs(minutes) % 60
        return "UTC\(minutes < 0 ? "-" : "+")\(abs(minutes) / 60)" + (rest == 0 ? "" : ":\(rest)")
    }

    /// Day and time of the first full minute at or after an instant, at the office.
    package static func minute(after instant: Date, in timeZone: TimeZone) -> String {
        time(of: Date(timeIntervalSince1970: (instant.timeIntervalSince1970 / 60).rounded(.up) * 60), in: timeZone)
    }
}
