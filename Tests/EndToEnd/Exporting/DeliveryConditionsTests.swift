import Foundation
import Testing

/// How deliveries are handed over: drafts, empty selections, and Fichero's own mark.
@Suite struct DeliveryConditionsTests {
    let office: Office

    init() throws { office = try Office.pits() }

    private func projects(_ run: ProgramRun) throws -> [[String: Any]] {
        try #require(try Reading.json(run.output)["projects"] as? [[String: Any]])
    }

    private func selected(_ run: ProgramRun) throws -> Int { try projects(run).compactMap { $0["selected"] as? Int }.reduce(0, +) }

    // MARK: Drafts

    @Test(arguments: [("en", "draft", "DRAFT"), ("es", "borrador", "BORRADOR"), ("it", "bozza", "BOZZA")])
    func aDraftIsInNoBook(language: String, word: String, banner: String) throws {
        let run = ["export", "calicatas", "--project", "HYO-2025", "--format", "csv,xml", "--draft", "--lang", language, "-o", "out"]
        #expect(try office.run(run).status <= 1)
        let files = try office.files("out")
        #expect(!files.isEmpty && files.allSatisfy { $0.contains("-v1-\(word)") }, "\(files)")
        #expect(try String(contentsOfFile: office.path("out/HYO-2025/calicatas-2025-12-01-v1-\(word).xml"), encoding: .utf8).contains(banner))
        #expect(try office.sql("SELECT count(*) FROM exports") == "0")
        // If a draft is made again, it replaces itself. `verify` does not complain about it.
        #expect(try office.run(run).status <= 1)
        #expect(try office.files("out") == files)
        #expect(try office.run("verify", "-o", "out").status == 0)
        try FileManager.default.removeItem(atPath: office.path("out/" + files[0]))
        #expect(try office.run("verify", "-o", "out").status == 0)
        try "foreign".write(toFile: office.path("out/HYO-2025/x.csv"), atomically: true, encoding: .utf8)
        #expect(try office.run("verify", "-o", "out").status == 1)
    }

    @Test func aDraftReportSaysSoOnItsPages() throws {
        let run = try office.run("report", "ficha-calicata", "--project", "HYO-2025", "--record", "C-01", "--format", "pdf", "--draft", "-o", "out", "--lang", "es")
        #expect(run.status == 0, "\(run.error)")
        let file = try #require(try office.files("out").first)
        #expect(file == "HYO-2025/ficha-calicata-C-01-2025-12-01-v1-borrador.pdf")
        let pages = try ProgramRun.program("/usr/bin/pdftotext", [office.path("out/" + file), "-"]).output
        #expect(pages.contains("BORRADOR"))
        #expect(try office.sql("SELECT count(*) FROM exports") == "0")
        #expect(try office.run("export", "calicatas", "--draft", "--mark-exported").status == 64)
    }

    // MARK: Nothing selected

    @Test func nothingSelectedIsNoDocument() throws {
        for command in [["export", "calicatas"], ["report", "ficha-calicata"], ["report", "entrega"]] {
            let empty = try office.run(command + ["--from", "2031-01-01", "-o", "out"])
            #expect(empty.status == 66 && empty.error.contains("SELECTION-EMPTY"), "\(command) \(empty.status) \(empty.error)")
        }
        #expect(try office.files("out").isEmpty)
        #expect(try office.sql("SELECT count(*) FROM exports") == "0")
        #expect(try office.run("export", "calicatas", "--format", "xlsx", "--from", "2031-01-01", "--allow-empty", "-o", "out").status == 0)
        #expect(try office.files("out").count == 4)
        // A report about the project itself needs no record.
        #expect(try office.run("report", "pendientes", "--format", "pdf", "--from", "2031-01-01", "-o", "out").status == 0)
    }

    @Test func aProjectWithoutRecordsGetsNoFileBesideOthers() throws {
        let run = try office.run("export", "calicatas", "--format", "xlsx", "--where", "project_id.code = 'HYO-2025'", "-o", "out", "--json")
        #expect(run.status <= 1, "\(run.error)")
        #expect(Set(try projects(run).compactMap { $0["state"] as? String }) == ["written", "empty"])
        #expect(try office.files("out").allSatisfy { $0.hasPrefix("HYO-2025/") })
    }

    @Test func aJobDoesItsOtherSteps() throws {
        let steps = """
            job: own
            steps:
              - {export: calicatas, formats: [csv], from: 2031-01-01%@}
              - {export: cortes, formats: [csv]}
            """
        try steps.replacing("%@", with: "").write(toFile: office.path("own.yaml"), atomically: true, encoding: .utf8)
        let run = try office.run("run", "own.yaml", "-o", "out")
        #expect(run.status == 66 && run.error.contains("calicatas"), "\(run.error)")
        #expect(try office.sql("SELECT DISTINCT export_name FROM exports") == "cortes")
        #expect(try office.sql("SELECT exit_code FROM pipeline_runs ORDER BY rowid DESC LIMIT 1") == "66")
        try steps.replacing("%@", with: ", allowEmpty: true").write(toFile: office.path("own.yaml"), atomically: true, encoding: .utf8)
        #expect(try office.run("run", "own.yaml", "-o", "out").status <= 1)
    }

    @Test func aRecordThatIsNotThereIsReportedByItsName() throws {
        let run = try office.run("report", "ficha-calicata", "--project", "HYO-2025", "--record", "C-01", "--record", "C-999", "--format", "pdf", "-o", "out")
        #expect(run.status == 66 && run.error.contains("C-999"), "\(run.error)")
        #expect(try office.files("out").isEmpty)
    }

    @Test func findingsOfOthersDoNotCount() throws {
        // One pit has wrong strata, and one pit is in order.
        let faulty = try office.sql("SELECT id FROM calicatas WHERE project_id = (SELECT id FROM projects WHERE code = 'HYO-2025') AND code = 'C-02'")
        _ = try office.writableSQL("UPDATE calicata_cortes SET depth_to_m = depth_from_m - 1 WHERE calicata_id = '\(faulty)' AND number = 1")
        let others = try office.run("export", "calicatas", "--project", "HYO-2025", "--where", "code = 'C-01'", "--format", "csv", "--max-errors", "0", "-o", "out", "--json")
        #expect(others.status == 0, "\(others.output) \(others.error)")
        let own = try office.run("export", "calicatas", "--project", "HYO-2025", "--where", "code in ('C-01', 'C-02')", "--format", "csv", "-o", "out")
        #expect(own.status == 1, "\(own.output)")
    }

    // MARK: The mark

    @Test func whatFicheroMarkedStaysInItsSelection() throws {
        let run = ["export", "calicatas", "--state", "APROBADO", "--format", "xlsx", "--mark-exported", "-o", "out", "--json"]
        let first = try office.run(run)
        let count = try selected(first)
        #expect(count > 0)
        let second = try office.run(run + ["--again"])
        #expect(try selected(second) == count)
        #expect(try projects(second).allSatisfy { $0["state"] as? String != "written" || $0["markNote"] as? String == "already" })
        // Only the records that Fichero marked have its mark, not those that another program set to
        // the same state.
        let other = try office.sql("SELECT count(*) FROM own_marks")
        #expect(Int(other) == count)
        // A move that a person makes counts, so the record leaves the selection.
        let id = try office.sql("SELECT row_id FROM own_marks LIMIT 1")
        _ = try office.writableSQL("UPDATE calicatas SET status = 'ARCHIVADO', content_stamp = content_stamp + 1000 WHERE id = '\(id)'")
        #expect(try selected(office.run(run)) == count - 1)
    }

    @Test func anUnchangedDocumentStillMarks() throws {
        let run = ["export", "calicatas", "--state", "APROBADO", "--format", "xlsx", "-o", "out"]
        #expect(try office.run(run).status <= 1)
        let marking = try office.run(run + ["--mark-exported", "--json"])
        #expect(try projects(marking).allSatisfy { ["unchanged", "empty"].contains($0["state"] as? String) })
        #expect(try projects(marking).compactMap { $0["marked"] as? Int }.reduce(0, +) > 0)
        let again = try office.run(run + ["--mark-exported"])
        #expect(again.output.contains("marked, or beyond, already"), "\(again.output)")
        let table = try office.run("export", "calicatas", "--format", "csv", "--mark-exported", "-o", "out")
        #expect(table.output.contains("tables for programs do not"), "\(table.output)")
    }

    @Test func onlyDeliveriesMark() throws {
        let report = try office.run("report", "pendientes", "--format", "pdf", "--mark-exported", "-o", "out")
        #expect(report.status == 64 && report.error.contains("DELIVERY-NONE") && report.error.contains("entrega"), "\(report.error)")
        #expect(try office.sql("SELECT count(*) FROM own_marks") == "0")
        let draft = try office.run("export", "calicatas", "--state", "BORRADOR", "--mark-exported", "-o", "out")
        #expect(draft.status == 64 && draft.error.contains("DELIVERY-STATE"), "\(draft.error)")
        // Without a state in the command, only approved records are handed over.
        let handed = try office.run("export", "calicatas", "--format", "xlsx", "--mark-exported", "-o", "out", "--json")
        #expect(try projects(handed).contains { ($0["leftOut"] as? [String: Int])?["state"] ?? 0 > 0 })
    }

    @Test func theClientsPackageHoldsWhatIsApproved() throws {
        let run = try office.run("report", "entrega", "--project", "HYO-2025", "-o", "out", "--json")
        #expect(run.status == 0, "\(run.error)")
        let approved = try office.sql("SELECT count(*) FROM calicatas WHERE status IN ('APROBADO', 'EXPORTADO', 'ARCHIVADO') AND sync_state NOT IN ('conflict', 'error') AND project_id = (SELECT id FROM projects WHERE code = 'HYO-2025')")
        #expect(try selected(run) <= Int(approved) ?? 0)
        let left = try #require(try projects(run).first?["leftOutRecords"] as? [[String: Any]])
        #expect(left.contains { $0["reason"] as? String == "state" })
        let file = try #require((try projects(run).first?["files"] as? [[String: Any]])?.first?["path"] as? String)
        try ProgramRun.program("/usr/bin/unzip", ["-q", file, "-d", office.path("zip")])
        let cover = try #require(try office.files("zip").first { $0.hasSuffix(".pdf") && !$0.contains("/") })
        let text = try ProgramRun.program("/usr/bin/pdftotext", ["-layout", office.path("zip/" + cover), "-"]).output
        let name = try #require(left.first { $0["reason"] as? String == "state" }?["key"] as? String)
        #expect(text.contains(name.split(separator: " ").last.map(String.init) ?? "?"), "\(text)")
        // If the command asks for records that are not approved, the delivery is marked as a draft.
        let draft = try office.run("report", "entrega", "--project", "HYO-2025", "--state", "REVISADO", "-o", "out", "--json")
        #expect(try projects(draft).first?["isDraft"] as? Bool == true, "\(draft.error)")
    }
}
