import Foundation
import Testing
import Workbench

/// An import was killed after its rows were stored. The import that repeats it completes it, so
/// there is one entry in the log and one account.
@Suite struct RepeatedImportTests {
    private static let survey = ["import", ProgramRun.root + "/Samples/ingeplus/survey", "--fail-on", "never", "--actor", Office.administrator, "--json"]

    private func books(_ office: Office) throws -> String {
        try office.writableSQL(
            "SELECT (SELECT count(*) FROM imports WHERE format <> 'init') || ' ' || (SELECT count(*) FROM import_sources) || ' ' || (SELECT count(*) FROM rejects) || ' ' "
                + "|| (SELECT count(*) FROM activity_logs)")
    }

    /// What the import reported, without the ids that are new each time.
    private func told(_ run: ProgramRun) throws -> [String] {
        let results = try #require(try JSONSerialization.jsonObject(with: Data(run.output.utf8)) as? [[String: Any]])
        return try results.map { result in
            var result = result
            var report = try #require(result["report"] as? [String: Any])
            for key in ["id", "isCompleted"] { report[key] = nil }
            result["report"] = report
            result["evidence"] = nil
            return String(decoding: try JSONSerialization.data(withJSONObject: result, options: .sortedKeys), as: UTF8.self)
        }
    }

    @Test func whatWasCommittedIsReportedAndNotLoggedAgain() throws {
        let plain = try Office(system: "ingeplus", set: nil)
        let wanted = try plain.run(Self.survey)
        let books = try books(plain)
        let counted = try Office(system: "ingeplus", set: nil)
        let calls = try BrokenCall(paths: counted.replica + "-wal", calls: "write").count(Self.survey, in: counted)
        var completed = 0
        // The end of the run is noted in the last few writes.
        for number in stride(from: calls, to: calls - 12, by: -1) {
            let office = try Office(system: "ingeplus", set: nil)
            let killed = try BrokenCall(paths: office.replica + "-wal", calls: "write").run(Self.survey, in: office, at: number, .kill)
            #expect(killed.status == 128 + SIGKILL)
            guard try office.writableSQL("SELECT state FROM pipeline_runs") == "running", try office.writableSQL("SELECT count(*) FROM imports WHERE format <> 'init'") == "1" else { continue }
            completed += 1
            let again = try office.run(Self.survey)
            #expect(again.output.contains("\"isCompleted\" : true"))
            #expect(again.status == 0, "\(again.error)")
            #expect(try told(again) == told(wanted))
            #expect(try self.books(office) == books, "killed at \(number) of \(calls)")
            #expect(!FileManager.default.fileExists(atPath: office.replica + ".import"))
            // The next import of the same file is an import of its own.
            #expect(try office.run(Self.survey).status == 0)
            #expect(try office.sql("SELECT count(*) FROM imports WHERE format <> 'init'") == "2")
        }
        #expect(completed > 0)
    }

    @Test func anAccountThatAKillPreventedIsWrittenByTheRepeatedImport() throws {
        let office = try Office(system: "ingeplus", set: nil)
        let command = Self.survey + ["--report", "cuenta.html"]
        let killed = try BrokenCall(paths: office.folder + "/.cuenta*", calls: "write").run(command, in: office, at: 1, .kill)
        #expect(killed.status == 128 + SIGKILL)
        #expect(try office.run(command).status == 0)
        #expect(try office.sql("SELECT count(*) FROM imports WHERE format <> 'init'") == "1")
        #expect(try office.files("").filter { $0.contains("cuenta") } == ["cuenta.html"])
    }

    /// An import that was taken back is not completed. The repeated import detects its conflicts
    /// again.
    @Test func whatWasTakenBackIsNotCompleted() throws {
        let office = try Office(system: "ingeplus", set: nil)
        #expect(try office.run(Self.survey).status == 0)
        _ = try office.writableSQL("UPDATE calicatas SET sync_state = 'synced'")
        let id = try office.sql("SELECT id FROM calicatas ORDER BY id LIMIT 1")
        try Data("{\"id\": \"\(id)\", \"depth_m\": 1.11}".utf8).write(to: URL(fileURLWithPath: office.path("one.ndjson")))
        let file = ["import", office.path("one.ndjson"), "--entity", "calicatas", "--fail-on", "never", "--actor", Office.administrator]
        #expect(try office.run(file).status == 0)
        let open = "SELECT count(*) FROM conflicts WHERE entity_id = '\(id)' AND resolution_status = 'open'"
        #expect(try office.sql(open) == "1")
        _ = try office.writableSQL("UPDATE pipeline_runs SET state = 'interrupted' WHERE rowid = (SELECT max(rowid) FROM pipeline_runs)")
        #expect(try office.run("undo", "last", "--actor", Office.administrator).status == 0)
        #expect(try office.sql(open) == "0")
        #expect(try office.run(file).status == 0)
        #expect(try office.sql(open) == "1")
    }

    @Test func whatChangedSinceIsAnImportOfItsOwn() throws {
        let office = try Office(system: "ingeplus", set: nil)
        _ = try BrokenCall(paths: office.folder + "/.cuenta*", calls: "write").run(Self.survey + ["--report", "cuenta.html"], in: office, at: 1, .kill)
        #expect(try office.run("edit", "C-01", "--project", "HYO-2025", "--set", "depth_m=2.85", "--actor", Office.administrator).status == 0)
        #expect(try office.run(Self.survey).status == 0)
        #expect(try office.sql("SELECT count(*) FROM imports WHERE format <> 'init'") == "3")
    }
}
