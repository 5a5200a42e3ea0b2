package import Foundation

/// A stretch of days that an office speaks of: a month, a week (from Monday, as ISO 8601 counts them), a year.
package struct Period: Sendable, Hashable {
    /// As names of files carry it: `2026-11`, `2026-W48`, `2026`.
    package let name: String
    /// First and last day, `yyyy-MM-dd`. The period ends where the office's clock shows the midnight after the last.
    package let first: String
    package let last: String

    /// Which records a period's delivery holds.
    package enum Records: String, Sendable, CaseIterable, Codable {
        /// Those of its days.
        case within
        /// Those of its days and of all before.
        case until
        /// All: the period only names the delivery.
        case all
    }

    package static let words = ["last-month", "this-month", "last-week", "this-week", "last-year", "this-year"]
    package static let forms = words + ["YYYY-MM", "YYYY-Www", "YYYY"]

    /// - Parameter now: what a word such as `last-month` is counted from.
    package init?(_ text: String, now: Date, in zone: TimeZone) {
        let today = OfficeDay.text(of: now, in: zone)
        let numbers = today.split(separator: "-").compactMap { Int($0) }
        guard numbers.count == 3 else { return nil }
        let (year, month, day) = (numbers[0], numbers[1], numbers[2])
        let days = Timestamp.days(year: year, month: month, day: day)
        switch text {
        case "this-month": self.init(year: year, month: month)
        case "last-month": self.init(year: month == 1 ? year - 1 : year, month: month == 1 ? 12 : month - 1)
        case "this-year": self.init(year: year)
        case "last-year": self.init(year: year - 1)
        case "this-week": self.init(monday: Self.monday(of: days))
        case "last-week": self.init(monday: Self.monday(of: days) - 7)
        default: self.init(named: text)
        }
    }

    /// Whether a text names a period, whenever it is read.
    package static func isPeriod(_ text: String) -> Bool { words.contains(text) || Period(named: text) != nil }

    private init?(named text: String) {
        let parts = text.split(separator: "-", omittingEmptySubsequences: false)
        func number(_ text: Substring, _ digits: Int) -> Int? {
            text.utf8.count == digits && text.utf8.allSatisfy { (0x30...0x39).contains($0) } ? Int(text) : nil
        }
        guard let year = parts.first.flatMap({ number($0, 4) }), year > 0, parts.count <= 2 else { return nil }
        guard parts.count == 2 else {
            self.init(year: year)
            return
        }
        if parts[1].hasPrefix("W"), let week = number(parts[1].dropFirst(), 2), week > 0 {
            let monday = Self.firstMonday(of: year) + 7 * (week - 1)
            // The last days of a year may be in the first week of the next.
            guard monday < Self.firstMonday(of: year + 1) else { return nil }
            self.init(monday: monday)
        } else if let month = number(parts[1], 2), (1...12).contains(month) {
            self.init(year: year, month: month)
        } else {
            return nil
        }
    }

    private init(year: Int) {
        (name, first, last) = (Self.padded(year, 4), Self.text(Timestamp.days(year: year, month: 1, day: 1)), Self.text(Timestamp.days(year: year, month: 12, day: 31)))
    }

    private init(year: Int, month: Int) {
        let next = month == 12 ? Timestamp.days(year: year + 1, month: 1, day: 1) : Timestamp.days(year: year, month: month + 1, day: 1)
        name = Self.padded(year, 4) + "-" + Self.padded(month, 2)
        first = Self.text(Timestamp.days(year: year, month: month, day: 1))
        last = Self.text(next - 1)
    }

    private init(monday: Int) {
        // A week belongs to the year of its Thursday.
        let year = Timestamp.civil(days: monday + 3).year
        name = Self.padded(year, 4) + "-W" + Self.padded((monday - Self.firstMonday(of: year)) / 7 + 1, 2)
        first = Self.text(monday)
        last = Self.text(monday + 6)
    }

    /// Days since 1970-01-01, which was a Thursday.
    private static func monday(of days: Int) -> Int { days - ((days + 3) % 7 + 7) % 7 }

    /// The Monday of the week that has the year's 4 January.
    private static func firstMonday(of year: Int) -> Int { monday(of: Timestamp.days(year: year, month: 1, day: 4)) }

    private static func text(_ days: Int) -> String {
        let (year, month, day) = Timestamp.civil(days: days)
        return padded(year, 4) + "-" + padded(month, 2) + "-" + padded(day, 2)
    }

    private static func padded(_ number: Int, _ width: Int) -> String {
        let digits = String(number)
        return String(repeating: "0", count: max(0, width - digits.count)) + digits
    }
}

extension SelectionRequest {
    /// The same selection for a period.
    package func of(_ period: Period, _ records: Period.Records) -> SelectionRequest {
        var request = self
        request.period = period.name
        if records == .within { request.from = period.first }
        if records != .all { request.to = period.last }
        return request
    }
}
