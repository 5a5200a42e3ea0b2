package import Foundation

/// A range of days for an office: a month, a week (from Monday, following ISO 8601) or a year.
package struct Period: Sendable, Hashable {
    /// The name in the names of files: `2026-11`, `2026-W48`, `2026`.
    package let name: String
    /// The first and last day, `yyyy-MM-dd`. The period ends at the midnight after the last day, by
    /// the office's clock.
    package let first: String
    package let last: String

    /// The records of a period's delivery.
    package enum Records: String, Sendable, CaseIterable, Codable {
        /// The records of the period's days.
        case within
        /// The records of the period's days and of all days before.
        case until
        /// All records; the period is used only for the delivery's name.
        case all
    }

    /// The accepted words for periods. `forms` has every accepted form, for messages.
    package static let words = ["last-month", "this-month", "last-week", "this-week", "last-year", "this-year"]
    package static let forms = words + ["YYYY-MM", "YYYY-Www", "YYYY"]

    /// - Parameter now: the reference time for a word such as `last-month`.
    package init?(_ text: String, now: Date, in zone: TimeZone) {
        let today = OfficeDay.text(of: now, in: zone)
        guard let day = StoredTime.day(Array(today.utf8).span) else { return nil }
        let (year, month) = (day.year, day.month)
        switch text {
        case "this-month": self.init(year: year, month: month)
        case "last-month": self.init(year: month == 1 ? year - 1 : year, month: month == 1 ? 12 : month - 1)
        case "this-year": self.init(year: year)
        case "last-year": self.init(year: year - 1)
        case "this-week": self.init(monday: Self.monday(of: day.sinceEpoch))
        case "last-week": self.init(monday: Self.monday(of: day.sinceEpoch) - 7)
        default: self.init(named: text)
        }
    }

    /// Whether a text is a valid period at any time.
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

    private init?(year: Int) {
        guard let first = GregorianDay(year: year, month: 1, day: 1),
            let last = GregorianDay(year: year, month: 12, day: 31)
        else { return nil }
        (name, self.first, self.last) = (year.padded(4), first.text, last.text)
    }

    private init?(year: Int, month: Int) {
        guard let first = GregorianDay(year: year, month: month, day: 1) else { return nil }
        name = year.padded(4) + "-" + month.padded(2)
        self.first = first.text
        last = GregorianDay(sinceEpoch: first.nextMonth.sinceEpoch - 1).text
    }

    private init(monday: Int) {
        // A week belongs to the year of its Thursday.
        let year = GregorianDay(sinceEpoch: monday + 3).year
        name = year.padded(4) + "-W" + ((monday - Self.firstMonday(of: year)) / 7 + 1).padded(2)
        first = GregorianDay(sinceEpoch: monday).text
        last = GregorianDay(sinceEpoch: monday + 6).text
    }

    /// The name of the stretch of the calendar with a day: `2026-11-25`, `2026-W48`, `2026-11`,
    /// `2026-Q4`, `2026`.
    package static func name(_ stretch: Anonymity.Period, of day: GregorianDay) -> String {
        let year = day.year.padded(4)
        switch stretch {
        case .day: return day.text
        case .week: return Period(monday: monday(of: day.sinceEpoch)).name
        case .month: return year + "-" + day.month.padded(2)
        case .quarter: return year + "-Q\((day.month + 2) / 3)"
        case .year: return year
        }
    }

    /// The Monday on or before a day, in days since 1970-01-01, which was a Thursday.
    private static func monday(of days: Int) -> Int { days - ((days + 3) % 7 + 7) % 7 }

    /// The Monday of the week with the year's 4 January.
    private static func firstMonday(of year: Int) -> Int { monday(of: GregorianDay.sinceEpoch(year, 1, 4)) }
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
