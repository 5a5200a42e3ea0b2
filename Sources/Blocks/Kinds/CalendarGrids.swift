import Model

/// Lays days out by weeks: a grid for each month or year that has any. Other periods have none, so
/// that a mistyped year does not fill a thousand pages.
struct CalendarGrids {
    private let cells: [Int: CalendarContent.Cell]
    private let months: [String]
    private let weekdays: [String]
    private(set) var grids: [CalendarContent.Grid] = []

    /// - Parameters:
    ///   - cells: by days since 1970.
    init(_ cells: [Int: CalendarContent.Cell], by period: CalendarContent.Period, _ words: ReportWords) {
        self.cells = cells
        months = Self.names(words("months"), 12)
        weekdays = Self.names(words("weekdays"), 7)
        // Months since the year 0; of a year, its January.
        let periods = Set(cells.keys.map { day in
            let day = GregorianDay(sinceEpoch: day)
            return day.year * 12 + (period == .month ? day.month - 1 : 0)
        })
        grids = periods.sorted().map { period == .month ? month($0 / 12, $0 % 12 + 1) : year($0 / 12) }
    }

    private static func names(_ text: String, _ count: Int) -> [String] {
        let names = text.split(separator: " ").map(String.init)
        return (0..<count).map { names.indices.contains($0) ? names[$0] : String($0 + 1) }
    }

    private func month(_ year: Int, _ month: Int) -> CalendarContent.Grid {
        let weeks = weeks(from: GregorianDay.sinceEpoch(year, month, 1), count: GregorianDay.length(ofMonth: month, in: year))
        return CalendarContent.Grid(name: "\(months[month - 1]) \(year)", heads: weekdays, sides: [], days: weeks)
    }

    private func year(_ year: Int) -> CalendarContent.Grid {
        let first = GregorianDay.sinceEpoch(year, 1, 1)
        let weeks = weeks(from: first, count: GregorianDay.sinceEpoch(year + 1, 1, 1) - first)
        var month = 0
        let heads = weeks.map { week in
            guard week.contains(where: { $0?.number == 1 }) else { return "" }
            month += 1
            return String(months[month - 1].prefix(3))
        }
        let days = (0..<7).map { weekday in weeks.map { $0[weekday] } }
        return CalendarContent.Grid(name: String(year), heads: heads, sides: weekdays, days: days)
    }

    /// The weeks from Monday to Sunday in which these days lie.
    private func weeks(from first: Int, count: Int) -> [[CalendarContent.Day?]] {
        // 1970-01-01 was a Thursday.
        let weekday = ((first + 3) % 7 + 7) % 7
        return stride(from: -weekday, to: count, by: 7).map { start in
            (start..<start + 7).map { place in
                guard (0..<count).contains(place) else { return nil }
                return CalendarContent.Day(number: GregorianDay(sinceEpoch: first + place).day, cell: cells[first + place])
            }
        }
    }
}
