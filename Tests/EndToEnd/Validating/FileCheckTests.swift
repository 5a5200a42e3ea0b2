import Foundation
import Testing

/// `validate FILE` judges files before they are imported, and changes nothing.
@Suite struct FileCheckTests {
    @Test func aCleanSurveyIsSaidToBeClean() throws {
        let office = try Office(system: "ingeplus", set: nil)
        let before = try office.state()
        let run = try office.run("validate", ProgramRun.root + "/Samples/ingeplus/survey", "--actor", Office.administrator)
        #expect(run.status == 0, "\(run.output) \(run.error)")
        #expect(run.output.contains("Nothing was changed"))
        #expect(try office.state() == before)
    }

    @Test func whatFilesWouldBringIsFoundAndNothingIsChanged() throws {
        let office = try Office.pits()
        let before = try office.state()
        // The replica has the sample's own findings already, so nothing is new.
        let same = try office.run("validate", ProgramRun.root + "/Samples/ingeplus/survey", "--actor", Office.administrator, "--json")
        #expect(try #require(Reading.json(same.output)["findings"] as? [Any]).isEmpty, "\(same.output.suffix(2000))")
        let pit = try office.sql("SELECT json_object('id', '0198a000-0000-7000-8000-00000000beef', 'project_id', project_id, 'code', 'C-999', 'depth_m', 45, 'status', 'BORRADOR') FROM calicatas LIMIT 1")
        try ("[" + pit + "]").write(toFile: office.path("pits.json"), atomically: true, encoding: .utf8)
        let run = try office.run("validate", office.path("pits.json"), "--entity", "calicatas", "--json")
        #expect(run.status == 1)
        let findings = try #require(Reading.json(run.output)["findings"] as? [[String: Any]])
        #expect(findings.contains { $0["code"] as? String == "FIELD-RANGE" })
        #expect(findings.allSatisfy { (($0["place"] as? [String: Any])?["key"] as? String)?.contains("C-999") ?? false }, "\(findings)")
        let text = try office.run("validate", office.path("pits.json"), "--entity", "calicatas", "--fail-on", "never")
        #expect(text.status == 0 && text.output.contains("FIELD-RANGE") && text.output.contains("Nothing was changed"))
        try FileManager.default.removeItem(atPath: office.path("pits.json"))
        #expect(try office.state() == before)
    }

    @Test func brokenSetsAreReportedBeforeTheImport() throws {
        let office = try Office.assets()
        let before = try office.state()
        for set in ["rooms", "import-rows"] {
            let run = try office.run("validate", ProgramRun.root + "/Samples/anagrafica/broken/" + set, "--actor", Office.administrator)
            #expect(run.status == 1, "\(set): \(run.output.suffix(500)) \(run.error)")
        }
        #expect(try office.state() == before)
    }

    @Test func aTrialThatWasKilledIsTakenAwayByTheNext() throws {
        let office = try Office.pits()
        let running = ".fichero.db.trial-\(ProcessInfo.processInfo.processIdentifier)-a"
        // The process number of the first trial is higher than any real one, so its process is
        // gone.
        for name in [".fichero.db.trial-4194305-b", running] {
            try FileManager.default.createDirectory(atPath: office.path(name), withIntermediateDirectories: true)
            try "copy".write(toFile: office.path(name + "/fichero.db"), atomically: true, encoding: .utf8)
        }
        try office.run("validate", ProgramRun.root + "/Samples/ingeplus/survey", "--actor", Office.administrator)
        #expect(try FileManager.default.contentsOfDirectory(atPath: office.folder).filter { $0.contains("trial") } == [running])
    }

    @Test func whatCannotBeReadIsAnErrorAndLeavesNothing() throws {
        let office = try Office.pits()
        try "[{".write(toFile: office.path("half.json"), atomically: true, encoding: .utf8)
        #expect(try office.run("validate", office.path("half.json"), "--entity", "calicatas").status == 65)
        #expect(try office.run("validate", office.path("none.json")).status == 66)
        #expect(try office.run("validate", office.path("half.json"), "--since", "last").status == 64)
        #expect(try office.run("validate", office.path("half.json"), "--actor", "lector@example.pe").status == 77)
        #expect(try FileManager.default.contentsOfDirectory(atPath: office.folder).filter { $0.contains("trial") }.isEmpty)
    }
}

extension Office {
    /// What must not change: the number of rows in every table, the photos, and the files of the
    /// folder.
    fileprivate func state() throws -> [String] {
        let names = try sql("SELECT name FROM sqlite_schema WHERE type = 'table' AND name NOT LIKE 'sqlite%' ORDER BY 1").split(separator: "\n")
        let counts = try names.map { "\($0) " + (try sql("SELECT count(*) FROM \"\($0)\"")) }
        return counts + (try files("fichero.db.files")) + (try FileManager.default.contentsOfDirectory(atPath: folder).filter { !$0.hasSuffix("-wal") && !$0.hasSuffix("-shm") }.sorted())
    }
}
