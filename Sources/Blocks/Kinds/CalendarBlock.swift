import Model

/// A calendar heat map: a cell for each day, coloured by its value. A month has its weeks below
/// each other, a year has them side by side; weeks begin on Monday.
struct CalendarBlock: Block {
    static let name = "calendar"
    static let keys: [BlockKey] = [
        .title, .query,
        .required("day", .column(.query), "The column with the day; of an instant, its day at the office."),
        .optional("value", .column(.query), "The column with the numbers; rows are counted without it."),
        .optional("total", .word(of: ReportTotal.self), "What a day with several rows shows; sum by default."),
        .optional("weight", .column(.query), "The column that says how much a row counts in a mean."),
        .required("steps", .numbers(atLeast: 1), "The values from which on the colour is darker."),
        .optional(
            "marks", .objects(mark),
            "Signs that stand in cells in place of the number; the first whose condition holds."),
        .optional(
            "period", .word(of: CalendarContent.Period.self),
            "What is drawn together: a month (by default) or a year."),
    ]

    private static let mark = BlockObject(
        name: "reportMark", about: "A sign in the cells of some days.",
        keys: [
            .required("when", .condition(.query), "Condition over the query's row."),
            .required("mark", .plainText, "The sign: one character or two."),
            .required("label", .text(.section), "Key of the text that the legend has beside it."),
        ])

    private let title: ReportText?
    private let query: String
    private let day: String
    /// The column with the numbers; nil counts rows.
    private let value: String?
    private let total: ReportTotal
    private let weight: String?
    /// The lowest value of each grade except grade 0, in ascending order.
    private let steps: [Double]
    private let marks: [(when: Expression, mark: String, label: ReportText)]
    private let period: CalendarContent.Period

    init?(_ template: PackNode) {
        guard let query = template.text("query"), let day = template.text("day") else { return nil }
        title = template.reportText("title")
        self.query = query
        self.day = day
        value = template.text("value")
        total = value == nil ? .count : template.word("total", ReportTotal.self) ?? .sum
        weight = template.text("weight")
        steps = template.numbers("steps").sorted()
        marks = template.items("marks").compactMap { mark in
            guard let when = mark.expression("when"), let sign = mark.text("mark"), let label = mark.reportText("label")
            else { return nil }
            return (when, sign, label)
        }
        period = template.word("period", CalendarContent.Period.self) ?? .month
    }

    func content(_ row: ReportRow?, _ context: ReportContext) throws -> CalendarContent? {
        guard let query = context.query(self.query), var dayColumn = query.column(day) else { return nil }
        let rows = try context.rows(self.query, for: row)
        if rows.isEmpty { return nil }
        dayColumn.type = .date
        let value = self.value.flatMap { query.column($0) }
        var days: [Int: (tally: Tally, mark: Int?)] = [:]
        var missing = 0
        for row in rows {
            guard let day = Self.day(context.values.cell(row.value(day), dayColumn)) else {
                missing += 1
                continue
            }
            let mark = try days[day.sinceEpoch]?.mark ?? marks.firstIndex { try context.holds($0.when, row) }
            days[day.sinceEpoch, default: (Tally(), nil)].tally.add(row, value?.name, weight: weight, for: total)
            days[day.sinceEpoch]?.mark = mark
        }
        let decimals = total.counts || value?.type == .integer && total != .mean ? 0 : value?.decimals
        let cells = days.mapValues { day in
            let number = day.tally.value(total)
            return CalendarContent.Cell(
                value: day.tally.cell(total, decimals: decimals, context.values),
                grade: number.map { number in steps.count { $0 <= number } },
                mark: day.mark.map { marks[$0].mark })
        }
        let used = Set(days.values.compactMap(\.mark))
        let numbers = steps.map { context.values.number($0, nil) }
        return CalendarContent(
            title: context.text(title, row, totalsOf: rows, query),
            measure: value.map { context.heading(nil, .column($0.name), of: query) },
            grids: CalendarGrids(cells, by: period, context.head.words).grids,
            // Grade 0, for values below the lowest step, has a text only if a day has it.
            grades: (cells.values.contains { $0.grade == 0 } ? ["< \(numbers[0])"] : [""]) + numbers.map { "≥ \($0)" },
            marks: marks.indices.filter(used.contains).map {
                (marks[$0].mark, context.text(marks[$0].label, row) ?? "")
            }, missing: missing)
    }

    private static func day(_ cell: ReportCell) -> GregorianDay? {
        guard case .date(let text) = cell.value else { return nil }
        let parts = text.prefix(10).split(separator: "-").compactMap { Int($0) }
        return parts.count == 3 ? GregorianDay(year: parts[0], month: parts[1], day: parts[2]) : nil
    }
}

package struct CalendarContent: BlockContent {
    package enum Period: String, Sendable, CaseIterable {
        case month, year
    }

    /// A day with rows.
    package struct Cell: Sendable {
        package var value: ReportCell
        /// The number of steps that the day's value reaches; nil: the day has no value.
        package var grade: Int?
        /// The sign in place of the number.
        package var mark: String?

        /// The text in the cell.
        package var text: String { mark ?? value.text }
    }

    /// A day of a grid.
    package struct Day: Sendable {
        /// The day of the month, from 1.
        package var number: Int
        /// Nil if the day has no rows.
        package var cell: Cell?
    }

    /// The days of one month or year.
    package struct Grid: Sendable {
        /// `Noviembre 2025`, `2025`.
        package var name: String
        /// The heading of each column: weekdays; in a year, the months above their first weeks.
        package var heads: [String]
        /// The heading of each row: none, or the weekdays of a year.
        package var sides: [String]
        /// By row and column; nil for a cell outside the month or year.
        package var days: [[Day?]]
    }

    package var title: String?
    /// Label and unit of the numbers; nil if rows are counted.
    package var measure: String?
    package var grids: [Grid]
    /// The legend's text for each grade; empty for a grade without days.
    package var grades: [String]
    /// The signs that occur, with their meanings.
    package var marks: [(sign: String, label: String)]
    /// The number of rows without a day, which are in no cell.
    package var missing: Int

    /// The entries of the legend, in order: days without data, grades, signs.
    package func legend(_ words: ReportWords) -> [(label: String, grade: Int?, mark: String?)] {
        var entries: [(label: String, grade: Int?, mark: String?)] = [(words("none"), nil, nil)]
        entries += grades.enumerated().filter { !$1.isEmpty }.map { ($1, $0, nil) }
        return entries + marks.map { ($0.label, nil, $0.sign) }
    }

    /// The darkness of a grade, from 0 (white) to 1: steps of equal lightness, which also differ in
    /// print without colour. The lowest grade is not white, because white is a day without data.
    package func shade(of grade: Int) -> Double { 0.14 + 0.86 * Double(grade) / Double(max(grades.count - 1, 1)) }
}

/// Lays days out by weeks: a grid for each month or year with data. Empty periods have no grid, so
/// that a mistyped year does not fill a thousand pages.
struct CalendarGrids {
    private let cells: [Int: CalendarContent.Cell]
    private let months: [String]
    private let weekdays: [String]
    private(set) var grids: [CalendarContent.Grid] = []

    /// - Parameters:
    ///   - cells: the cells by days since 1970.
    init(_ cells: [Int: CalendarContent.Cell], by period: CalendarContent.Period, _ words: ReportWords) {
        self.cells = cells
        months = Self.names(words("months"), 12)
        weekdays = Self.names(words("weekdays"), 7)
        // Each period as a number of months since the year 0; a year has the number of its January.
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
        let weeks = weeks(
            from: GregorianDay.sinceEpoch(year, month, 1), count: GregorianDay.length(ofMonth: month, in: year))
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

    /// The weeks from Monday to Sunday that contain these days.
    private func weeks(from first: Int, count: Int) -> [[CalendarContent.Day?]] {
        // 1970-01-01 was a Thursday.
        let weekday = ((first + 3) % 7 + 7) % 7
        return stride(from: -weekday, to: count, by: 7).map { start in
            (start..<start + 7).map { place in
                guard (0..<count).contains(place) else { return nil }
                return CalendarContent.Day(
                    number: GregorianDay(sinceEpoch: first + place).day, cell: cells[first + place])
            }
        }
    }
}
