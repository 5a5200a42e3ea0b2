import Foundation
import Testing
import Workbench

/// The queue and the log give changes in the order in which they happened, with the machine's time.
/// This also holds if a run was given another time.
@Suite struct BookOrderTests {
    @Test func changesOfOneRecordStandInTheirOrder() throws {
        let office = try Office.pits()
        let depths = ["4.1", "4.2", "4.3", "4.4", "4.5", "4.6"]
        for (number, depth) in depths.enumerated() {
            // The time that each run is given lies before that of the run before it.
            let time = "2026-03-\(20 - number)T12:00:00Z"
            #expect(try office.run("edit", "C-02", "--project", "HYO-2025", "--set", "depth_m=\(depth)", "--as-of", time, "--fail-on", "never").status == 0)
        }
        let pit = "(SELECT id FROM calicatas WHERE code = 'C-02' AND project_id = (SELECT id FROM projects WHERE code = 'HYO-2025'))"
        let queue = "FROM sync_queue WHERE entity_id = \(pit) AND operation = 'UPDATE'"
        #expect(try office.sql("SELECT group_concat(d, ' ') FROM (SELECT json_extract(payload_json, '$.depth_m') AS d \(queue) ORDER BY content_stamp, id)") == depths.joined(separator: " "))
        #expect(try office.sql(
            "SELECT group_concat(d, ' ') FROM (SELECT json_extract(details, '$.after.depth_m') AS d FROM activity_logs WHERE entity_id = \(pit) AND action = 'row_edited' ORDER BY content_stamp, id)")
            == depths.joined(separator: " "))
        // The row and its queue item have the number of the same write.
        #expect(try office.sql("SELECT count(*) \(queue) AND content_stamp = (SELECT content_stamp FROM calicatas WHERE id = \(pit))") == "1")
        // Each write has the time of the machine's clock.
        #expect(try office.sql("SELECT count(*) FROM fichero_writes AS w JOIN activity_logs AS l ON l.content_stamp = w.stamp WHERE l.action = 'row_edited' AND abs(julianday('now') - julianday(w.written_at)) < 0.1") == "6")
        let history = try Reading.json(office.run("history", "--raw", "--json").output)
        let newest = try #require((history["changes"] as? [[String: Any]])?.first)
        #expect((newest["time"] as? String)?.hasPrefix("2026-03-15") == true && (newest["writtenAt"] as? String)?.isEmpty == false, "\(newest)")
    }

    @Test func anExportSaysWhenItWasMadeByBothClocks() throws {
        let office = try Office.pits()
        let made = try office.run("export", "calicatas", "--project", "HYO-2025", "--format", "csv", "-o", "out", "--fail-on", "never", "--as-of", "2026-03-15T12:00:00Z")
        #expect(made.status == 0, "\(made.error)")
        #expect(try office.sql("SELECT DISTINCT as_of, started_at <= finished_at, abs(julianday('now') - julianday(finished_at)) < 0.1 FROM exports") == "2026-03-15T12:00:00Z|1|1")
        #expect(try office.sql("SELECT DISTINCT created_at FROM document_versions") == "2026-03-15T12:00:00Z")
        #expect(try office.run("history", "exports").output.contains("(as of 2026-03-15"))
    }

    /// A date that a run was given does not stand alone where people read what happened.
    @Test(arguments: ["changes", "activity", "runs"]) func aRunWithAnotherDateShowsTheMachinesClockToo(_ kind: String)
        throws
    {
        let office = try Office.pits()
        #expect(
            try office.run(
                "edit", "C-02", "--project", "HYO-2025", "--set", "depth_m=4.1", "--as-of", "2019-03-15T12:00:00Z",
                "--fail-on", "never"
            ).status == 0)
        let newest = try #require(office.run("history", kind, "--limit", "1").output.split(separator: "\n").last)
        let year = Calendar(identifier: .gregorian).component(.year, from: Date())
        #expect(newest.hasPrefix("\(year)-") && newest.contains("(as of 2019-03-15"), "\(newest)")
        // So does the history of the record, where each value says when it was set.
        let values = try office.run("history", "C-02", "--project", "HYO-2025", "--raw").output.split(separator: "\n")
        let depth = try #require(values.first { $0.hasPrefix("depth_m") })
        #expect(depth.contains("\(year)-") && depth.contains("(as of 2019-03-15"), "\(depth)")
    }

    /// An entry that a file brings is what that file says, whoever brought it.
    @Test func entriesOfAFileAreMarkedAsItsWord() throws {
        let office = try Office.pits()
        let id = "0199c000-0000-7000-8000-000000000001"
        let project = try office.sql("SELECT id FROM projects WHERE code = 'HYO-2025'")
        let entry = """
            [{"id":"\(id)","project_id":"\(project)","action":"row_edited","entity_type":"calicatas",
              "environment":"DEV","created_at":"2025-01-01T00:00:00Z"}]
            """
        try Data(entry.utf8).write(to: URL(fileURLWithPath: office.path("log.json")))
        let brought = try office.run(
            "import", "log.json", "--entity", "activity_logs", "--fail-on", "never", "--actor", Office.administrator)
        #expect(brought.status == 0, "\(brought.output)\(brought.error)")
        #expect(try office.sql("SELECT count(*) FROM activity_logs WHERE id = '\(id)'") == "1")
        let history = try office.run("history", "--raw", "--json", "--actor", Office.administrator)
        let activity = try Reading.json(history.output)["activity"]
        let entries = try #require(activity as? [[String: Any]])
        #expect(entries.first { $0["id"] as? String == id }?["isClaimed"] as? Bool == true)
        #expect(entries.contains { $0["isClaimed"] as? Bool == false })
        let text = try office.run("history", "activity", "--actor", Office.administrator).output
        #expect(text.contains("Edited (says a file)"), "\(text)")
    }
}
