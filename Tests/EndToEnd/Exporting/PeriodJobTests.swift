import Foundation
import Testing

/// Deliveries for a period that ended some days before.
@Suite struct PeriodJobTests {
    @Test func novembersDeliveryLiesInNovember() throws {
        let office = try Office.pits()
        // In Lima, it is early in the morning of 1 December, when cron runs the job.
        let run = try office.run("run", "monthly", "-o", "out", "--as-of", "2025-12-01T07:15:00Z")
        #expect(run.status == 0, "\(run.error)")
        let files = try office.files("out")
        #expect(!files.isEmpty && files.allSatisfy { $0.hasPrefix("2025-11/") && $0.contains("2025-12-01") }, "\(files)")
        // The delivery of the next month is another one, although no record has changed.
        #expect(try office.run("run", "monthly", "-o", "out", "--as-of", "2026-01-01T07:15:00Z").status == 0)
        #expect(try office.files("out").contains { $0.hasPrefix("2025-12/") })
        #expect(try office.run("verify", "-o", "out").status == 0)
    }

    @Test func anOldMonthMadeAgainLeavesTheNewestAsItIs() throws {
        let office = try Office.pits()
        #expect(try office.run("run", "monthly", "-o", "out").status <= 1)
        let newest = "SELECT count(*) FROM exports WHERE line = 'job:monthly 2025-11' AND status = 'registered'"
        let count = try office.sql(newest)
        #expect(count != "0")
        let old = try office.run("run", "monthly", "-o", "out", "--period", "2025-10")
        #expect(old.status <= 1, "\(old.error)")
        #expect(try office.sql(newest) == count)
        #expect(try office.sql("SELECT count(*) FROM exports WHERE line = 'job:monthly 2025-10' AND status = 'registered'") == count)
        #expect(try office.sql("SELECT count(*) FROM exports WHERE status = 'superseded'") == "0")
        let about = try #require(try office.files("out").first { $0.hasPrefix("2025-10/") && $0.hasSuffix("-about.csv") })
        #expect(try String(contentsOfFile: office.path("out/" + about), encoding: .utf8).contains("Period,2025-10"))
    }

    @Test func whatTheMonthBeforeHeldAndThisOneDoesNotIsReported() throws {
        let office = try Office.pits()
        #expect(try office.run("run", "monthly", "-o", "out", "--period", "2025-10").status <= 1)
        let code = try office.sql("SELECT c.code FROM line_records AS l JOIN calicatas AS c ON c.id = l.record_id JOIN projects AS p ON p.id = c.project_id WHERE l.line = 'job:monthly 2025-10' AND p.code = 'HYO-2025' ORDER BY c.code LIMIT 1")
        #expect(!code.isEmpty)
        _ = try office.writableSQL("UPDATE calicatas SET status = 'OBSERVADO', content_stamp = content_stamp + 1000 WHERE code = '\(code)' AND project_id = (SELECT id FROM projects WHERE code = 'HYO-2025')")
        let next = try office.run("run", "monthly", "-o", "out", "--period", "2025-11", "--json")
        #expect(next.output.contains("DELIVERY-MISSING") && next.output.contains("HYO-2025 / \(code)"), "\(next.error)")
        // A delivery for an older month reports nothing as missing.
        #expect(try !office.run("run", "monthly", "-o", "out", "--period", "2025-09", "--json").output.contains("DELIVERY-MISSING"))
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
