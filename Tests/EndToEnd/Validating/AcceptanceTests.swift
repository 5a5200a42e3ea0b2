import Foundation
import Testing

/// Findings over time, as an office works with them: which are new, which were corrected, and which
/// were accepted.
@Suite struct AcceptanceTests {
    private func findings(_ run: ProgramRun, _ member: String = "findings") throws -> [[String: Any]] {
        try #require(try Reading.json(run.output)[member] as? [[String: Any]], "\(run.output.prefix(500)) \(run.error)")
    }

    @Test func sinceTellsWhatIsNewAndWhatIsMended() throws {
        let office = try Office.pits()
        let before = try findings(office.run("validate", "--json"))
        #expect(try office.run("validate", "--since", "last").output.contains("0 new, 0 mended, \(before.count) remaining"))
        // A depth of 45 m is out of range and does not agree with the strata.
        try office.change("UPDATE calicatas SET depth_m = 45 WHERE id = (SELECT min(id) FROM calicatas)")
        let worse = try office.run("validate", "--since", "last", "--json")
        let status = { (findings: [[String: Any]], status: String) in findings.filter { $0["status"] as? String == status } }
        #expect(try status(findings(worse), "new").contains { $0["code"] as? String == "FIELD-RANGE" })
        #expect(try status(findings(worse), "remaining").count == before.count)
        // The depth is corrected.
        try office.change("UPDATE calicatas SET depth_m = 1.5 WHERE id = (SELECT min(id) FROM calicatas)")
        let better = try office.run("validate", "--since", "last", "--json")
        #expect(try findings(better, "mended").contains { $0["code"] as? String == "FIELD-RANGE" })
        #expect(try status(findings(better), "new").allSatisfy { $0["code"] as? String != "FIELD-RANGE" })
        #expect(try office.run("validate", "--since", "nonesuch").status == 64)
        #expect(try office.run("validate", "--since", "last", "--rows-only").status == 64)
    }

    @Test func anAcceptedErrorFailsNoRunAndWithholdsNoRecord() throws {
        let office = try Office.pits()
        try office.change("UPDATE calicatas SET easting = 1 WHERE id = (SELECT min(id) FROM calicatas WHERE status = 'APROBADO')")
        let run = try office.run("validate", "--json")
        #expect(run.status == 1)
        let errors = try findings(run).filter { $0["severity"] as? String == "error" }
        let withheld = try office.run("export", "calicatas", "--format", "csv", "-o", "out", "--json", "--fail-on", "never")
        func leftOut(_ run: ProgramRun) throws -> [Int] {
            let projects = try #require(try Reading.json(run.output)["projects"] as? [[String: Any]], "\(run.output.prefix(500)) \(run.error)")
            return projects.compactMap { ($0["leftOut"] as? [String: Int])?["findings"] }
        }
        #expect(try leftOut(withheld) == [1], "one record of one project is withheld")
        let prints = try office.sql("SELECT group_concat(DISTINCT fingerprint) FROM run_findings WHERE severity = 'error'").split(separator: ",").map(String.init)
        #expect(prints.count >= 1 && prints.count <= errors.count)
        let clerk = try office.sql("SELECT email FROM profiles WHERE role = 'LECTOR' AND status = 'ACTIVO' LIMIT 1")
        #expect(try office.run(["accept"] + prints + ["--reason", "r", "--until", "2026-12-31", "--actor", clerk]).status == 77)
        #expect(try office.run(["accept"] + prints + ["--until", "2026-12-31"]).status == 64, "a reason is needed")
        let accepted = try office.run(["accept"] + prints + ["--reason", "confirmed by the client", "--until", "2026-12-31"])
        #expect(accepted.status == 0, "\(accepted.error)")
        #expect(accepted.output.contains("confirmed by the client"))
        let after = try office.run("validate")
        #expect(after.status == 0, "\(after.output)")
        #expect(after.output.contains("accepted"))
        let whole = try office.run("export", "calicatas", "--format", "csv", "-o", "out", "--json")
        #expect(whole.status == 0)
        #expect(try leftOut(whole).isEmpty, "nothing is withheld")
        // After the last day of the acceptance, the error counts again.
        #expect(try office.run("validate", "--as-of", "2027-01-01T12:00:00Z").status == 1)
        #expect(try office.run(["accept", prints[0], "--withdraw"]).status == 0)
        #expect(try office.run("validate").status == 1)
        #expect(try office.run("history", "--json").output.contains("finding_acceptance_withdrawn"))
    }

    @Test func thresholdsOfTheCommandAndOfAJob() throws {
        let office = try Office.pits()
        try office.change("UPDATE calicatas SET easting = 1 WHERE id = (SELECT min(id) FROM calicatas WHERE status = 'APROBADO')")
        let errors = try findings(office.run("validate", "--json")).filter { $0["severity"] as? String == "error" }
        #expect(try office.run("validate", "--max-errors", String(errors.count)).status == 0)
        #expect(try office.run("validate", "--max-errors", String(errors.count - 1)).status == 1)
        let codes = Set(errors.compactMap { $0["code"] as? String })
        func job(_ count: Int, _ codes: Set<String>) throws -> Int32 {
            let allow = codes.sorted().map { "  - {code: \($0), count: \(count)}\n" }.joined()
            try "job: own\nallow:\n\(allow)steps:\n  - {export: calicatas, formats: [csv]}\n"
                .write(toFile: office.path("own.yaml"), atomically: true, encoding: .utf8)
            return try office.run("run", office.path("own.yaml"), "-o", "out").status
        }
        #expect(try job(errors.count, codes) == 0)
        #expect(try job(0, codes) == 1)
        #expect(try job(0, ["NO-SUCH-CODE"]) == 78)
    }
}

extension Office {
    /// Changes the replica as another program would, without a new stamp. Without a stamp, the kept
    /// verdicts would no longer be true, so they are deleted.
    func change(_ sql: String) throws {
        let run = try ProgramRun.program("/usr/bin/sqlite3", ["-cmd", "PRAGMA foreign_keys = ON", replica, sql + "; DELETE FROM kept_verdicts"])
        guard run.status == 0 else { throw Trouble(run) }
    }
}
