import Foundation
import Model
import Testing

@Suite struct GregorianDayTests {
    @Test func monthsAreAsLongAsFoundationSays() throws {
        var calendar = Calendar(identifier: .iso8601)
        calendar.timeZone = .gmt
        for year in [1896, 1900, 1999, 2000, 2024, 2025, 2100, 2400] {
            for month in 1...12 {
                let first = try #require(calendar.date(from: DateComponents(year: year, month: month, day: 1)))
                let length = calendar.range(of: .day, in: .month, for: first)?.count
                #expect(GregorianDay.length(ofMonth: month, in: year) == length, "\(year)-\(month)")
            }
        }
    }

    @Test func everyDayOfFourCenturiesGoesThereAndBack() throws {
        let first = try #require(GregorianDay(year: 1800, month: 1, day: 1)).sinceEpoch
        let last = try #require(GregorianDay(year: 2200, month: 12, day: 31)).sinceEpoch
        #expect(last - first == 146_461)
        for number in first...last {
            let day = GregorianDay(sinceEpoch: number)
            #expect(GregorianDay(year: day.year, month: day.month, day: day.day)?.sinceEpoch == number)
        }
    }

    @Test func daysThatDoNotExistAreNone() {
        for (year, month, day) in [(0, 1, 1), (10_000, 1, 1), (2025, 0, 1), (2025, 13, 1), (2025, 1, 0), (2025, 2, 29), (1900, 2, 29), (2025, 4, 31)] {
            #expect(GregorianDay(year: year, month: month, day: day) == nil, "\(year)-\(month)-\(day)")
        }
        #expect(GregorianDay(year: 1, month: 1, day: 1)?.text == "0001-01-01")
        #expect(GregorianDay(year: 2000, month: 2, day: 29)?.text == "2000-02-29")
    }

    @Test func julianDaysAreDays() {
        #expect(GregorianDay(julian: 2_451_545)?.text == "2000-01-01")
        #expect(GregorianDay(julian: 1_721_426)?.text == "0001-01-01")
        #expect(GregorianDay(julian: 5_373_484)?.text == "9999-12-31")
        #expect(GregorianDay(julian: 1_721_425) == nil && GregorianDay(julian: 5_373_485) == nil)
    }

    @Test func spreadsheetsHaveADayThatNeverWas() {
        for (text, serial) in [("1899-12-31", 0), ("1900-01-01", 1), ("1900-02-28", 59), ("1900-03-01", 61), ("1970-01-01", 25_569)] {
            let day = GregorianDay(serial: serial)
            #expect(day?.text == text && day?.serial == serial, "\(text)")
        }
        #expect(GregorianDay(serial: 60) == nil)
    }

    @Test(arguments: [(0, "1970-01-01", 0), (86_399, "1970-01-01", 86_399), (-1, "1969-12-31", 86_399), (-86_400, "1969-12-31", 0), (86_400, "1970-01-02", 0)])
    func instantsFallOnDays(_ instant: Int, _ text: String, _ seconds: Int) {
        let split = GregorianDay.split(seconds: instant)
        #expect(split.day.text == text && split.seconds == seconds)
    }
}
