import Foundation
import Testing

/// Records that a delivery of a line had and this one does not have are reported. History
/// and verification show deliveries.
@Suite struct MissingRecordTests {
    let office: Office

    init() throws { office = try Office.pits() }

    private func deliver(_ options: String...) throws -> ProgramRun {
        try office.run(["export", "calicatas", "--project", "HYO-2025", "--state", "APROBADO", "--state", "EXPORTADO", "--format", "csv", "-o", "out"] + options)
    }

    private func project(_ run: ProgramRun) throws -> [String: Any] {
        try #require((try Reading.json(run.output)["projects"] as? [[String: Any]])?.first)
    }

    @Test func whatIsMissingIsSaidUntilItIsBackOrAccepted() throws {
        #expect(try project(deliver("--json"))["missingCount"] as? Int == 0)
        let codes = try office.sql("SELECT code FROM calicatas WHERE status = 'APROBADO' AND project_id = (SELECT id FROM projects WHERE code = 'HYO-2025') ORDER BY code LIMIT 2").split(separator: "\n")
        _ = try office.writableSQL("""
            UPDATE calicatas SET status = 'OBSERVADO', content_stamp = content_stamp + 1000 WHERE code = '\(codes[0])';
            DELETE FROM calicata_photos WHERE calicata_id IN (SELECT id FROM calicatas WHERE code = '\(codes[1])' AND project_id = (SELECT id FROM projects WHERE code = 'HYO-2025'));
            DELETE FROM calicata_cortes WHERE calicata_id IN (SELECT id FROM calicatas WHERE code = '\(codes[1])' AND project_id = (SELECT id FROM projects WHERE code = 'HYO-2025'));
            DELETE FROM calicatas WHERE code = '\(codes[1])' AND project_id = (SELECT id FROM projects WHERE code = 'HYO-2025');
            """)
        // A delivery of another line, or a draft of this line, does not change what this line
        // remembers.
        #expect(try office.run("export", "calicatas", "--project", "HYO-2025", "--format", "csv", "-o", "out").status <= 1)
        let draft = try project(deliver("--draft", "--json"))
        #expect(draft["missingCount"] as? Int == 2)
        let second = try deliver("--json", "--fail-on", "never")
        #expect(second.status == 1)
        let missing = try #require(try project(second)["missing"] as? [[String: Any]])
        #expect(missing.map { $0["key"] as? String } == codes.map { "HYO-2025 / \($0)" })
        #expect(missing.map { $0["reason"] as? String } == ["state", nil] && missing[0]["detail"] as? String == "OBSERVADO")
        #expect(second.output.contains("DELIVERY-MISSING"))
        let about = try String(contentsOfFile: office.path("out/HYO-2025/calicatas-APROBADO-EXPORTADO-2025-12-01-v2-about.csv"), encoding: .utf8)
        #expect(about.contains("HYO-2025 / \(codes[0])") && about.contains("the record is gone"))
        // It is said again, until it is back, or accepted.
        let again = try deliver("--json")
        let count = try project(again)["missingCount"] as? Int
        #expect(again.status == 1 && count == 2)
        let prints = try #require(try project(again)["missing"] as? [[String: Any]]).compactMap { $0["fingerprint"] as? String }
        #expect(try deliver().output.contains("[\(prints[1].prefix(8))]"))
        #expect(try office.run("accept", prints[1], "--reason", "taken out with the client", "--until", "2026-12-31").status == 0)
        #expect(try deliver().status == 1)
        _ = try office.writableSQL("UPDATE calicatas SET status = 'APROBADO', content_stamp = content_stamp + 1000 WHERE code = '\(codes[0])'")
        let back = try deliver("--json", "--again")
        let left = try project(back)["missingCount"] as? Int
        #expect(back.status == 0 && left == 1, "\(back.output)")
        #expect(try office.run("accept", prints[1], "--withdraw").status == 0)
        #expect(try deliver().status == 1)
        _ = try office.writableSQL("UPDATE calicatas SET status = 'OBSERVADO', content_stamp = content_stamp + 1000 WHERE code = '\(codes[0])'")
        let words = try deliver("--lang", "es")
        #expect(words.output.contains("En una versión anterior, y no en esta: 2 registros\n") && words.output.contains("OBSERVADO"), "\(words.output)")
    }

    @Test func historyOfExportsSaysWhoWhatAndWhere() throws {
        #expect(try deliver().status <= 1)
        let exports = try office.run("history", "exports")
        #expect(exports.output.contains("coordinadora@example.pe") && exports.output.contains("HYO-2025") && exports.output.contains("state=APROBADO,EXPORTADO"), "\(exports.output)")
        let json = try #require(try Reading.json(office.run("history", "exports", "--json").output)["exports"] as? [[String: Any]]?)?.first
        #expect(json?["line"] as? String == "selection:state=APROBADO,EXPORTADO" && json?["project"] as? String == "HYO-2025")
        // Only some roles may see addresses.
        #expect(try !office.run("history", "exports", "--json", "--actor", "lector@example.pe").output.contains("coordinadora@"))
    }

    @Test func theMarkIsFicherosOwn() throws {
        #expect(try deliver("--format", "xlsx", "--mark-exported").status <= 1)
        let id = try office.sql("SELECT row_id FROM own_marks LIMIT 1")
        let record = try Reading.json(office.run("history", id, "--raw", "--json").output)
        let values = try #require(record["values"] as? [[String: Any]])
        let status = try #require(values.first { $0["field"] as? String == "status" })
        #expect(status["isOwn"] as? Bool == true && status["file"] == nil && status["importID"] == nil)
        #expect(values.first { $0["field"] as? String == "code" }?["isOwn"] as? Bool == false)
        #expect(try office.run("history", id, "--raw").output.contains("Fichero itself"))
    }

    @Test func verifyReportsWhatIsGoneAndWhatNeverWas() throws {
        #expect(try deliver().status <= 1)
        let first = try office.files("out")
        #expect(try deliver("--again").status <= 1)
        try FileManager.default.removeItem(atPath: office.path("out/" + first[0]))
        let verified = try office.run("verify", "-o", "out")
        #expect(verified.status == 0 && verified.output.contains("superseded, no longer there: ") && verified.output.contains(first[0]), "\(verified.output)")
        let nowhere = try office.run("verify", "-o", "nowhere")
        #expect(nowhere.status == 66 && nowhere.error.contains("FOLDER-MISSING"), "\(nowhere.error)")
    }

    @Test func aDrawingOfOneOfSeveralIsRefusedWithTheChoices() throws {
        let code = try office.sql("SELECT code FROM calicatas GROUP BY code HAVING count(DISTINCT project_id) > 2 ORDER BY code LIMIT 1")
        let refused = try office.run("draw", "strip", "--record", code, "-o", "x.svg")
        #expect(refused.status == 66 && refused.error.contains("RECORD-AMBIGUOUS") && refused.error.contains("HYO-2025 / \(code)"), "\(refused.error)")
        let one = try office.run("draw", "strip", "--record", code, "--project", "HYO-2025", "-o", "x.svg")
        #expect(one.status == 0 && one.output.contains("registered nowhere"), "\(one.error)")
        #expect(try office.run("draw", "strip", "--record", code, "-o", "all/").status == 0)
        #expect(try office.files("all").count > 2)
    }
}
