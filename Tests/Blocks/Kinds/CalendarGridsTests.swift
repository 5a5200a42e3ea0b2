import Foundation
import Testing
import Workbench

@testable import Blocks
@testable import Model

/// Days lie in the right week of the right month or year, whatever days there are.
@Suite struct CalendarGridsTests {
    private static let words = ReportWords { key in
        ["word.report.months": "Ene Feb Mar Abr May Jun Jul Ago Sep Oct Nov Diciembre", "word.report.weekdays": "L M X J V S D"][key] ?? key
    }

    private func grids(_ days: [GregorianDay], by period: CalendarContent.Period) -> [CalendarContent.Grid] {
        let cells = days.map { ($0.sinceEpoch, CalendarContent.Cell(value: .text($0.text), grade: 1, mark: nil)) }
        return CalendarGrids(Dictionary(cells) { first, _ in first }, by: period, Self.words).grids
    }

    private func day(_ year: Int, _ month: Int, _ day: Int) throws -> GregorianDay { try #require(GregorianDay(year: year, month: month, day: day)) }

    @Test func aMonthHasItsWeeksFromMonday() throws {
        let grid = try #require(grids([day(2025, 11, 30)], by: .month).first)
        #expect(grid.name == "Nov 2025" && grid.heads == ["L", "M", "X", "J", "V", "S", "D"] && grid.sides == [])
        // 1 November 2025 was a Saturday.
        #expect(grid.days.map { $0.map { $0?.number ?? 0 } } == [
            [0, 0, 0, 0, 0, 1, 2], [3, 4, 5, 6, 7, 8, 9], [10, 11, 12, 13, 14, 15, 16], [17, 18, 19, 20, 21, 22, 23], [24, 25, 26, 27, 28, 29, 30],
        ])
        #expect(grid.days.flatMap { $0 }.compactMap { $0?.cell?.value.text } == ["2025-11-30"])
    }

    @Test func aYearHasItsWeekdaysBelowEachOther() throws {
        let grid = try #require(grids([day(2024, 2, 29), day(2024, 12, 31)], by: .year).first)
        #expect(grid.name == "2024" && grid.sides.count == 7 && grid.days.count == 7)
        #expect(grid.days.allSatisfy { $0.count == grid.heads.count } && grid.days.flatMap { $0 }.compactMap { $0 }.count == 366)
        #expect(grid.heads.filter { !$0.isEmpty } == ["Ene", "Feb", "Mar", "Abr", "May", "Jun", "Jul", "Ago", "Sep", "Oct", "Nov", "Dic"])
        // 29 February 2024 was a Thursday.
        #expect(grid.days[3].compactMap { $0?.cell?.value.text } == ["2024-02-29"])
        #expect(grid.days[1].last??.number == 31)
    }

    /// A mistyped year makes one grid more, not thousands.
    @Test func onlyPeriodsWithDaysHaveAGrid() throws {
        let days = try [day(205, 3, 4), day(2025, 12, 31), day(2026, 2, 1), day(9999, 12, 31), day(1, 1, 1)]
        #expect(grids(days, by: .month).map(\.name) == ["Ene 1", "Mar 205", "Diciembre 2025", "Feb 2026", "Diciembre 9999"])
        #expect(grids(days, by: .year).map(\.name) == ["1", "205", "2025", "2026", "9999"])
    }

    @Test(arguments: 0..<40) func everyDayStandsOnceInItsWeekday(_ seed: Int) throws {
        var numbers = SeededNumbers(seed)
        let days = (0..<Int.random(in: 1...60, using: &numbers)).map { _ in
            GregorianDay(sinceEpoch: Int.random(in: GregorianDay.sinceEpoch(1, 1, 1)...GregorianDay.sinceEpoch(9999, 12, 31), using: &numbers))
        }
        for period in CalendarContent.Period.allCases {
            var found: Set<String> = []
            for grid in grids(days, by: period) {
                for (row, line) in grid.days.enumerated() {
                    for (column, day) in line.enumerated() {
                        guard let text = day?.cell?.value.text else { continue }
                        let weekday = (period == .month ? column : row)
                        let date = try #require(Timestamp.parse(text + "T12:00:00Z"))
                        var calendar = Calendar(identifier: .iso8601)
                        calendar.timeZone = .gmt
                        #expect((calendar.component(.weekday, from: date) + 5) % 7 == weekday, "\(text)")
                        #expect(found.insert(text).inserted)
                    }
                }
            }
            #expect(found == Set(days.map(\.text)))
        }
    }
}
