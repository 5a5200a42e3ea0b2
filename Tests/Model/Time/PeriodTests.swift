import Foundation
import Testing
import Workbench

@testable import Model

/// Periods as an office writes them.
@Suite struct PeriodTests {
    private func period(_ text: String, _ now: String, _ zone: String = "America/Lima") throws -> [String]? {
        let period = Period(text, now: try #require(Timestamp.parse(now)), in: try #require(TimeZone(identifier: zone)))
        return period.map { [$0.name, $0.first, $0.last] }
    }

    @Test func wordsAreCountedByTheOfficesClock() throws {
        #expect(try period("last-month", "2026-12-01T07:15:00Z") == ["2026-11", "2026-11-01", "2026-11-30"])
        // At this time it is still November in Lima.
        #expect(try period("last-month", "2026-12-01T04:59:59Z") == ["2026-10", "2026-10-01", "2026-10-31"])
        #expect(try period("this-month", "2024-02-10T12:00:00Z") == ["2024-02", "2024-02-01", "2024-02-29"])
        #expect(try period("last-month", "2026-01-15T12:00:00Z") == ["2025-12", "2025-12-01", "2025-12-31"])
        #expect(try period("last-year", "2026-01-15T12:00:00Z") == ["2025", "2025-01-01", "2025-12-31"])
    }

    @Test func weeksBeginOnMondayAndBelongToTheYearOfTheirThursday() throws {
        #expect(try period("this-week", "2026-11-22T12:00:00Z") == ["2026-W47", "2026-11-16", "2026-11-22"])
        #expect(try period("last-week", "2026-11-23T12:00:00Z") == ["2026-W47", "2026-11-16", "2026-11-22"])
        #expect(try period("last-week", "2027-01-04T12:00:00Z") == ["2026-W53", "2026-12-28", "2027-01-03"])
        #expect(try period("2026-W53", "2020-01-01T12:00:00Z") == ["2026-W53", "2026-12-28", "2027-01-03"])
        #expect(try period("2025-W01", "2020-01-01T12:00:00Z") == ["2025-W01", "2024-12-30", "2025-01-05"])
        #expect(try period("2025-W53", "2020-01-01T12:00:00Z") == nil)
    }

    @Test(arguments: ["", "last month", "2026-13", "2026-00", "26-11", "2026-1", "2026-11-01", "2026-W00", "2026-W54", "2026-w01", "-2026", "２０２６"])
    func othersAreNone(_ text: String) throws {
        #expect(try period(text, "2026-12-01T12:00:00Z") == nil && !Period.isPeriod(text))
    }

    @Test func aSelectionForAPeriod() throws {
        let period = try #require(Period("2026-11", now: Date(timeIntervalSince1970: 0), in: .gmt))
        let request = SelectionRequest(from: "2020-01-01", to: "2020-12-31")
        let expected: [Period.Records: [String]] = [.within: ["2026-11-01", "2026-11-30"], .until: ["2020-01-01", "2026-11-30"], .all: ["2020-01-01", "2020-12-31"]]
        for (records, days) in expected {
            let result = request.of(period, records)
            #expect([result.from, result.to] == days && result.period == "2026-11")
        }
    }

    /// Days that the queries ask for choose no records, so they are there whatever is said of records.
    @Test func aJobsPeriodReachesTheQueriesThatAskForIt() throws {
        let pack = try ShippedPack.named("mesync")
        var job = try #require(pack.job("semana"))
        #expect(job.records == .all && job.steps.map(\.product.name) == ["adherencia", "lista-tareas", "plan-medicacion"])
        job.steps[2].records = .until
        let week = try #require(Period("2026-W48", now: Date(timeIntervalSince1970: 0), in: .gmt))
        let chosen = job.of(week, in: pack).steps.map { [$0.selection.from, $0.selection.to] }
        #expect(chosen == [["2026-11-23", "2026-11-29"], [nil, nil], [nil, "2026-11-29"]])
    }
}
