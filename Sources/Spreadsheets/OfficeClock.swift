package import Foundation

/// The offset of an office's clocks from UTC at an instant, including the changes to and from
/// daylight saving time.
///
/// A time zone takes about a microsecond for each answer, and a million rows fall into few years.
/// So each year's changes are looked up once.
package struct OfficeClock {
    private let timeZone: TimeZone
    private var years: [Int64: [Span]] = [:]
    private var recent = Span(start: 0, end: 0, offset: 0)

    /// The period, in seconds since 1970, in which an offset is valid.
    private struct Span {
        var start: Int64
        var end: Int64
        var offset: Int64
    }

    package init(_ timeZone: TimeZone) {
        self.timeZone = timeZone
    }

    /// Seconds to add to UTC at an instant given in seconds since 1970.
    package mutating func offset(at seconds: Int64) -> Int64 {
        if seconds >= recent.start, seconds < recent.end { return recent.offset }
        // Years of 365.2425 days, in whole seconds; they need not match calendar years.
        let length: Int64 = 31_556_952
        let year = seconds >= 0 ? seconds / length : (seconds - length + 1) / length
        if years[year] == nil { years[year] = spans(from: year * length, to: (year + 1) * length) }
        guard let span = years[year]?.first(where: { seconds < $0.end }) else { return ask(seconds) }
        recent = span
        return span.offset
    }

    private func spans(from start: Int64, to end: Int64) -> [Span] {
        var spans: [Span] = []
        var current = Span(start: start, end: end, offset: ask(start))
        var day = start
        while day < end {
            let next = min(day + 86_400, end)
            let offset = ask(next)
            if offset != current.offset {
                let change = firstChange(from: day, to: next, away: current.offset)
                current.end = change
                spans.append(current)
                current = Span(start: change, end: end, offset: offset)
            }
            day = next
        }
        return spans + [current]
    }

    private func firstChange(from start: Int64, to end: Int64, away offset: Int64) -> Int64 {
        var low = start
        var high = end
        while high - low > 1 {
            let middle = (low + high) / 2
            if ask(middle) == offset { low = middle } else { high = middle }
        }
        return high
    }

    private func ask(_ seconds: Int64) -> Int64 {
        Int64(timeZone.secondsFromGMT(for: Date(timeIntervalSince1970: Double(seconds))))
    }
}
