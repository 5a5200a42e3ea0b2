import Testing
import Workbench

@testable import Blocks
@testable import Canvas
@testable import Drawing

@Suite struct CalendarTests {
    /// A grid with numbers by a rule; the rule gives nil for days without data.
    private static func grid(_ name: String, weeks: Int, isYear: Bool, _ value: (Int) -> (text: String, grade: Int?)?) -> CalendarContent.Grid {
        var number = 0
        let days = (0..<weeks).map { _ in
            (0..<7).map { _ -> CalendarContent.Day? in
                number += 1
                guard isYear || number <= 31 else { return nil }
                return .init(number: (number - 1) % 31 + 1, cell: value(number).map { .init(value: .text($0.text), grade: $0.grade) })
            }
        }
        let weekdays = ["Lun", "Mar", "Mié", "Jue", "Vie", "Sáb", "Dom"]
        guard isYear else { return .init(name: name, heads: weekdays, sides: [], days: days) }
        let heads = (0..<weeks).map { week in days[week].contains { $0?.number == 1 } ? "Mes" : "" }
        return .init(name: name, heads: heads, sides: weekdays, days: (0..<7).map { weekday in days.map { $0[weekday] } })
    }

    private static func legend(_ calendar: CalendarDrawing) -> CalendarLegend {
        let grades: [CalendarLegend.Entry] = (0..<5).map { (grade: Int) in ("≥ \(grade)", grade, nil) }
        return CalendarLegend("Pozos", [("Sin dato", nil, nil)] + grades + [("Omitido", nil, "–")], of: calendar)
    }

    private static func calendar(_ grids: [CalendarContent.Grid]) -> CalendarDrawing { CalendarDrawing(grids) { 0.14 + 0.2 * Double($0) } }

    private func draw(_ calendar: CalendarDrawing, _ canvas: Canvas, _ box: Box) {
        var y = box.y
        for band in calendar.bands(width: box.width) {
            calendar.draw(band, on: canvas, in: Box(x: box.x, y: y, width: box.width, height: band.height))
            y += band.height
        }
        let legend = Self.legend(calendar)
        let height = legend.height(width: box.width, typesetter: canvas.typesetter)
        legend.draw(on: canvas, in: Box(x: box.x, y: y, width: box.width, height: height))
    }

    @Test(arguments: [false, true], 0..<20) func textsStayApart(isYear: Bool, seed: Int) throws {
        var numbers = SeededNumbers(seed)
        let most = [9, 99, 9999, 1_000_000_000].randomElement(using: &numbers)!
        let grids = (0..<Int.random(in: 1...5, using: &numbers)).map { index in
            Self.grid("Septiembre \(2020 + index)", weeks: isYear ? 53 : 6, isYear: isYear) { _ in
                Bool.random(using: &numbers) ? (String(Int.random(in: 0...most, using: &numbers)), Int.random(in: 0...4, using: &numbers)) : nil
            }
        }
        let width = [240.0, 527, 773].randomElement(using: &numbers)!
        let found = try problems(width: width + 20, height: 1600) { draw(Self.calendar(grids), $0, $1) }
        #expect(found.outside.isEmpty && found.collisions.isEmpty, "\(found.outside.prefix(3)) \(found.collisions.prefix(3))")
    }

    /// Where numbers have no room, dots tell the grades apart without colour.
    @Test func numbersWithoutRoomBecomeDots() throws {
        func texts(_ number: String) throws -> [String] {
            let calendar = Self.calendar([Self.grid("2025", weeks: 53, isYear: true) { $0 == 9 ? (number, 3) : nil }])
            return try problems(width: 500, height: 400) { draw(calendar, $0, $1) }.texts
        }
        #expect(try texts("100").contains("100"))
        #expect(try !texts("123456789").contains("123456789"))
    }

    @Test func monthsStandBesideEachOther() {
        let calendar = Self.calendar((1...7).map { Self.grid("Mes \($0)", weeks: 5, isYear: false) { _ in nil } })
        #expect(calendar.bands(width: 773).map(\.grids.count) == [4, 3])
        #expect(calendar.bands(width: 527).map(\.grids.count) == [3, 3, 1])
        #expect(calendar.bands(width: 100).map(\.grids.count) == [1, 1, 1, 1, 1, 1, 1])
        #expect(Self.calendar([]).bands(width: 500).isEmpty)
    }

    @Test func calendarsAreAsApproved() throws {
        func value(_ day: Int) -> (text: String, grade: Int?)? {
            day % 11 == 0 ? ("–", nil) : day % 9 == 0 ? nil : (String(day * 7 % 101), min(4, day * 7 % 101 / 25))
        }
        try Golden.expect("calendar", width: 800, height: 480) { canvas in
            let months = Self.calendar((1...4).map { month in Self.grid("Noviembre 202\(month)", weeks: 5, isYear: false) { value($0 + month) } })
            draw(months, canvas, Box(x: 10, y: 10, width: 780, height: 150))
            draw(Self.calendar([Self.grid("2025", weeks: 53, isYear: true, value)]), canvas, Box(x: 10, y: 175, width: 780, height: 160))
            let large = Self.calendar([Self.grid("2026", weeks: 53, isYear: true) { value($0).map { ($0.text + "00000000", $0.grade) } }])
            draw(large, canvas, Box(x: 10, y: 330, width: 520, height: 150))
        }
    }
}
