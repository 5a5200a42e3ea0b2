import Blocks
import Model
import Spreadsheets

/// Draws a calendar as cells: each day's number is its value, with the sign as its format and the
/// grade as its fill. Months are side by side, with the day of the month above each value.
extension CalendarContent: SheetDrawable {
    func draw(with pen: inout SheetPen) throws { try pen.draw(self, spans: pen.mainSpans) }
    func columns(usable: Double, fit: TextFit) -> [Double] {
        CalendarSheetColumns(self, usable: usable, fit: fit).widths
    }
    // A calendar counts as a table, so a sheet with a table and a calendar cannot be filtered.
    var tables: Int { 1 }
}

/// The columns of a calendar on a sheet.
private struct CalendarSheetColumns {
    static let size = 7.0
    private static let (sides, month) = (30.0, 170.0)

    /// The width of each column, in points; the last fills the page.
    let widths: [Double]
    /// The number of months side by side.
    let across: Int
    /// The number of day columns in each grid.
    private let days: Int
    let hasSides: Bool

    init(_ calendar: CalendarContent, usable: Double, fit: TextFit) {
        hasSides = calendar.grids.contains { !$0.sides.isEmpty }
        days = calendar.grids.map(\.heads.count).max() ?? 0
        let most = max(1, Int(usable / Self.month))
        across = hasSides ? 1 : min(most, max(calendar.grids.count, 1))
        var widest = 0.0
        for grid in calendar.grids {
            for row in grid.days {
                for case .some(let day) in row {
                    widest = max(widest, fit.width(day.cell?.text ?? "", size: Self.size))
                }
            }
        }
        // A spreadsheet shows a number as `####` if its cell is too narrow.
        let least = max(widest + TextFit.padding + 1, hasSides ? 12 : 20)
        let room =
            hasSides
            ? (usable - Self.sides) / Double(max(days, 1)) : usable / (Double(7 * most) + 0.5 * Double(most - 1))
        let width = max(least, min(room, 34))
        var widths = hasSides ? [Self.sides] : []
        for index in 0..<across {
            if index > 0 { widths.append(width / 2) }
            widths += [Double](repeating: width, count: days)
        }
        self.widths = widths + [max(usable - widths.reduce(0, +), 12)]
    }

    /// The column of a month's first day.
    func first(of place: Int) -> Int { (hasSides ? 1 : 0) + place * (days + 1) }
}

extension SheetPen {
    fileprivate mutating func draw(_ calendar: CalendarContent, spans: [Range<Int>]?) throws {
        let columns = CalendarSheetColumns(calendar, usable: plan.usable.width, fit: fit)
        let spans = spans ?? grid.spans(columns.widths)
        if let title = calendar.title { try draw(title: title, level: 3) }
        for start in stride(from: 0, to: calendar.grids.count, by: columns.across) {
            try draw(
                Array(calendar.grids[start..<min(start + columns.across, calendar.grids.count)]), of: calendar, columns,
                spans)
        }
        try drawLegend(of: calendar)
        if calendar.missing > 0 {
            try draw(text: draft.head.words("without_day", ["count": String(calendar.missing)]), .note)
        }
        try addRows(height: 6)
    }

    /// Draws grids side by side.
    private mutating func draw(
        _ grids: [CalendarContent.Grid], of calendar: CalendarContent, _ columns: CalendarSheetColumns,
        _ spans: [Range<Int>]
    ) throws {
        let weeks = grids.map(\.days.count).max() ?? 0
        keepTogether(Double(weeks) * 24 + 40)
        let names = try addRows(height: 15)
        let heads = try addRows(height: 11)
        for (place, grid) in grids.enumerated() {
            let first = columns.first(of: place)
            let whole = spans[first].lowerBound..<spans[first + grid.heads.count - 1].upperBound
            try put(.text(grid.name), rows: names, span: whole, styles.calendarName)
            for (column, head) in grid.heads.enumerated() where !head.isEmpty {
                // A month's name spans its weeks.
                let end =
                    grid.sides.isEmpty
                    ? column
                    : (column + 1..<grid.heads.count).first { !grid.heads[$0].isEmpty }.map { $0 - 1 } ?? grid.heads
                        .count - 1
                var style = styles.calendarHead
                if grid.sides.isEmpty { style.side = .center }
                try put(
                    .text(head), rows: heads, span: spans[first + column].lowerBound..<spans[first + end].upperBound,
                    style)
            }
        }
        for week in 0..<weeks {
            let numbers = columns.hasSides ? nil : try addRows(height: 9)
            let values = try addRows(height: 15)
            for (place, grid) in grids.enumerated() where week < grid.days.count {
                let first = columns.first(of: place)
                if grid.sides.indices.contains(week) {
                    try put(.text(grid.sides[week]), rows: values, span: spans[first - 1], styles.calendarHead)
                }
                for (column, day) in grid.days[week].enumerated() {
                    guard let day else { continue }
                    let shade = day.cell?.grade.map(calendar.shade)
                    if let numbers {
                        let number = CellContent(value: .number(Double(day.number)), numberFormat: "0", shown: "")
                        try put(number, rows: numbers, span: spans[first + column], styles.calendarNumber(shade: shade))
                    }
                    try put(
                        content(day.cell), rows: values, span: spans[first + column],
                        styles.calendarDay(shade: shade, isWhole: numbers == nil))
                }
            }
        }
        try addRows(height: 8)
    }

    private mutating func content(_ cell: CalendarContent.Cell?) -> CellContent {
        guard let cell else { return .text("") }
        guard let mark = cell.mark else { return CellContent(cell.value, dates: &draft.dates) }
        guard case .number(let number, _) = cell.value.value else { return .text(mark) }
        return CellContent(value: .number(number), numberFormat: "\"\(mark.filter { $0 != "\"" })\"", shown: mark)
    }

    private mutating func drawLegend(of calendar: CalendarContent) throws {
        if let measure = calendar.measure { try drawRow(measure, styles.calendarName, least: 13) }
        let entries = calendar.legend(draft.head.words)
        let perLine = max(1, min(entries.count, grid.count / 3, 5))
        let spans = grid.spans((0..<perLine).flatMap { _ in [0.2, 0.8] })
        for start in stride(from: 0, to: entries.count, by: perLine) {
            let rows = try addRows(height: 13)
            for (place, entry) in entries[start..<min(start + perLine, entries.count)].enumerated() {
                let sample = styles.calendarDay(shade: entry.grade.map(calendar.shade), isWhole: true)
                try put(.text(entry.mark ?? ""), rows: rows, span: spans[place * 2], sample)
                var label = styles.text(.small)
                (label.alignment, label.indent) = (.middle, 1)
                try put(.text(entry.label), rows: rows, span: spans[place * 2 + 1], label)
            }
        }
    }
}
