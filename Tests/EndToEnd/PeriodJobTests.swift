import Foundation
import Testing

/// Deliveries for a period, made some days after it.
@Suite struct PeriodJobTests {
    @Test func novembersDeliveryLiesInNovember() throws {
        let office = try Office.pits()
        // 1 December, early in the morning in Lima; as cron runs it.
        let run = try office.run("run", "monthly", "-o", "out", "--as-of", "2025-12-01T07:15:00Z")
        #expect(run.status == 0, "\(run.error)")
        let files = try office.files("out")
        #expect(!files.isEmpty && files.allSatisfy { $0.hasPrefix("2025-11/") && $0.contains("2025-12-01") }, "\(files)")
        // The next month's is another, though nothing has changed.
        #expect(try office.run("run", "monthly", "-o", "out", "--as-of", "2026-01-01T07:15:00Z").status == 0)
        #expect(try office.files("out").contains { $0.hasPrefix("2025-12/") })
        #expect(try office.run("verify", "-o", "out").status == 0)
    }

    @Test func aPeriodSelectsItsDays() throws {
        let office = try Office.pits()
        let pits = "SELECT count(*) FROM calicatas AS c JOIN projects AS p ON p.id = c.project_id WHERE p.code = 'HYO-2025' AND end_date"
        let all = try office.sql(pits + " IS NOT NULL"), may = try office.sql(pits + " BETWEEN '2025-05-01' AND '2025-05-31'")
        let first = try office.sql(pits + " BETWEEN '2025-05-12' AND '2025-05-18'")
        #expect(all == may && Int(first) ?? 0 > 0)
        func selected(_ options: String...) throws -> Int? {
            let run = try office.run(["export", "calicatas", "--project", "HYO-2025", "--format", "csv", "--policy", "mark", "-o", "out", "--json", "--again"] + options)
            let text = try Reading.json(run.output)
            return ((text["projects"] as? [[String: Any]])?.first?["selected"] as? NSNumber)?.intValue
        }
        for (period, from, to) in [("2025-05", "2025-05-01", "2025-05-31"), ("2025-W20", "2025-05-12", "2025-05-18"), ("2025", "2025-01-01", "2025-12-31")] {
            let found = try selected("--period", period)
            #expect(found != nil)
            #expect(try found == selected("--from", from, "--to", to), "\(period)")
        }
        for wrong in [["--period", "May"], ["--period", "2025-05", "--from", "2025-05-01"]] {
            #expect(try office.run(["export", "calicatas", "-o", "out"] + wrong).status == 64)
        }
    }
}
