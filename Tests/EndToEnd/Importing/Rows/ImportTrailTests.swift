import Foundation
import Testing

/// Imports as people meet them: where a value comes from, how an import is taken back, closed
/// records, and killed runs.
@Suite struct ImportTrailTests {
    private static let survey = ProgramRun.root + "/Samples/ingeplus/survey"

    @Test func historyOfARecordNamesFileChecksumAndRow() throws {
        let office = try Office.pits()
        let id = try office.sql("SELECT id FROM calicatas WHERE code = 'C-02' AND project_id = (SELECT id FROM projects WHERE code = 'CHU-2025')")
        let run = try office.run("history", "C-02", "--project", "CHU-2025", "--raw", "--json")
        #expect(run.status == 0, "\(run.error)")
        let record = try Reading.json(run.output)
        #expect(record["id"] as? String == id)
        let code = (record["values"] as? [[String: Any]])?.first { $0["field"] as? String == "code" }
        let sha256 = try ProgramRun.program("/usr/bin/sha256sum", [Self.survey + "/data/calicatas.json"]).output.prefix(64)
        #expect(code?["sha256"] as? String == String(sha256))
        // The value stands on this line of the file.
        let row = try #require(code?["row"] as? Int)
        let line = try ProgramRun.program("/usr/bin/sed", ["-n", "\(row)p", Self.survey + "/data/calicatas.json"]).output
        #expect(line.contains(id))
        let text = try office.run("history", id)
        #expect(text.status == 0 && text.output.contains("(calicatas.json:\(row))"), "\(text.output)")
        #expect(try office.run("history", "C-9999").status == 66)
        // A person does not see the projects of others.
        let stranger = try office.run("history", id, "--actor", "nobody@example.pe")
        #expect(stranger.status == 77)
    }

    @Test func anImportIsTakenBackWithItsPhotos() throws {
        let office = try Office(system: "ingeplus", set: nil)
        let tables = "SELECT (SELECT count(*) FROM calicatas), (SELECT count(*) FROM calicata_photos), (SELECT count(*) FROM sync_queue), (SELECT count(*) FROM rejects)"
        let before = try office.sql(tables)
        try office.bringIn("survey")
        #expect(try !office.files("fichero.db.files").isEmpty)
        let undone = try office.run("undo", "last", "--actor", Office.administrator)
        #expect(undone.status == 0, "\(undone.error)")
        #expect(try office.sql(tables) == before)
        #expect(try office.files("fichero.db.files").isEmpty)
        #expect(try office.sql("PRAGMA integrity_check; PRAGMA foreign_key_check") == "ok")
        try office.bringIn("survey")
        #expect(Int(try office.sql("SELECT count(*) FROM calicatas")) ?? 0 > 60)
        // A document of one of the projects was registered.
        #expect(try office.run("export", "calicatas", "-o", "out", "--fail-on", "never").status == 0)
        let refused = try office.run("undo", "last", "--actor", Office.administrator)
        #expect(refused.status == 65 && refused.error.contains("UNDO-EXPORTED"))
    }

    @Test func aTrialTellsRecordByRecordInOneDocument() throws {
        let office = try Office.pits()
        let id = try office.sql("SELECT id FROM calicatas WHERE code = 'C-02' AND project_id = (SELECT id FROM projects WHERE code = 'CHU-2025')")
        try "{\"id\":\"\(id)\",\"title\":\"Another\"}\n".write(toFile: office.path("calicatas.ndjson"), atomically: true, encoding: .utf8)
        let arguments = ["import", "calicatas.ndjson", "--policy", "update", "--fail-on", "never", "--records", "--actor", Office.administrator]
        #expect(try office.run(arguments).status == 64)
        let run = try office.run(arguments + ["--dry-run", "--json"])
        #expect(run.status == 0, "\(run.error)")
        let document = try Reading.json(run.output)
        let record = (document["records"] as? [[String: Any]])?.first
        let change = (record?["changes"] as? [[String: Any]])?.first
        #expect(record?["id"] as? String == id && change?["field"] as? String == "title" && change?["after"] as? String == "Another")
        #expect((document["imports"] as? [Any])?.count == 1)
        let text = try office.run(arguments + ["--dry-run"])
        #expect(text.output.contains("→ Another"))
        #expect(try office.sql("SELECT count(*) FROM calicatas WHERE title = 'Another'") == "0")
    }

    // MARK: Killed imports

    /// An office with a project, and a file with this number of pits of the project.
    private func manyPits(_ count: Int, asCSV: Bool = false) throws -> Office {
        let office = try Office(system: "ingeplus", set: nil)
        let project = "0198a000-0000-7000-8000-0000000000aa"
        try "{\"id\":\"\(project)\",\"code\":\"KILL-1\"}\n".write(toFile: office.path("projects.ndjson"), atomically: true, encoding: .utf8)
        let run = try office.run("import", "projects.ndjson", "--actor", Office.administrator)
        guard run.status == 0 else { throw Office.Trouble(run) }
        var text = asCSV ? "id,project_id,code,depth_m,status\n" : ""
        for number in 0..<count {
            let id = "0198b000-0000-7000-8000-" + String(format: "%012x", number)
            if asCSV {
                text += "\(id),\(project),C-\(number),\(Double(number % 300) / 100),BORRADOR\n"
                continue
            }
            text += "{\"id\":\"\(id)\",\"project_id\":\"\(project)\",\"code\":\"C-\(number)\",\"depth_m\":\(Double(number % 300) / 100),\"status\":\"BORRADOR\"}\n"
        }
        try text.write(toFile: office.path(asCSV ? "calicatas.csv" : "calicatas.ndjson"), atomically: true, encoding: .utf8)
        return office
    }

    private static let columns = ["import", "calicatas.csv", "--entity", "calicatas", "--as-of", Office.asOf, "--actor", Office.administrator]
    private static let arguments = ["import", "calicatas.ndjson", "--as-of", Office.asOf, "--actor", Office.administrator]

    /// What must be the same after every import of the file. The ids of queue items and log entries
    /// are left out.
    private func state(_ office: Office) throws -> String {
        try office.sql("""
            SELECT count(*), sum(import_row), sum(depth_m), min(content_stamp), max(content_stamp), min(import_source), max(import_source) FROM calicatas;
            SELECT operation, entity_type, count(*), count(DISTINCT entity_id), min(payload_json) FROM sync_queue WHERE entity_type <> 'profiles' GROUP BY 1, 2;
            SELECT action, count(*) FROM activity_logs GROUP BY 1; SELECT count(*), min(counts) FROM imports; SELECT count(*) FROM rejects
            """)
    }

    @Test func aKillWhileStagingOrApplyingLeavesNothingAndTheNextRunGoesOn() throws {
        // The import is too small to leave the write-ahead log out, but large enough to be staged
        // in several parts.
        let count = 16_000
        func staging(_ office: Office) -> BrokenCall { BrokenCall(paths: office.replica + ".import/*", calls: "write") }
        func log(_ office: Office) -> BrokenCall { BrokenCall(paths: office.replica + "-wal", calls: "write") }
        let counted = try manyPits(count)
        let stagingWrites = try staging(counted).count(Self.arguments, in: counted)
        let undisturbed = try manyPits(count)
        let logWrites = try log(undisturbed).count(Self.arguments, in: undisturbed)
        let expected = try state(undisturbed)

        let office = try manyPits(count)
        #expect(try staging(office).run(Self.arguments, in: office, at: stagingWrites * 9 / 10, .kill).status == 128 + SIGKILL)
        #expect(try office.sql("SELECT count(*) FROM calicatas") == "0")
        #expect(try office.files("fichero.db.import").count >= 1)
        let examined = try office.run("doctor", "--actor", Office.administrator)
        #expect(examined.status == 0)
        #expect(examined.output.contains("! REPLICA-STAGING ") && examined.output.contains("calicatas.ndjson") && examined.output.contains(Office.asOf), "\(examined.output)")
        // The second run is killed in the transaction that applies the staged rows.
        let again = try log(office).run(Self.arguments, in: office, at: logWrites / 2, .kill)
        #expect(again.status == 128 + SIGKILL)
        #expect(again.error.contains("goes on with what an interrupted import had staged"))
        #expect(try office.sql("SELECT count(*) FROM calicatas; PRAGMA integrity_check") == "0\nok")
        let last = try office.run(Self.arguments)
        #expect(last.status == 0 && last.error.contains("goes on with what an interrupted import had staged"), "\(last.error)")
        #expect(try state(office) == expected)
        #expect(try office.sql("SELECT count(*) FROM calicatas; SELECT count(*) FROM sync_queue WHERE entity_type = 'calicatas'; PRAGMA integrity_check")
            == "\(count)\n\(count)\nok")
        #expect(!FileManager.default.fileExists(atPath: (office.replica + ".import")))
    }

    /// A large import does not use the write-ahead log if nobody else has the replica open. After a
    /// kill, everything must be as before.
    @Test(arguments: [columns, arguments])
    func aKillWhileALargeImportWritesThroughAJournalLeavesNothing(_ arguments: [String]) throws {
        let count = 24_000
        let isCSV = arguments == Self.columns
        func file(_ office: Office) -> BrokenCall { BrokenCall(paths: office.replica, calls: "write") }
        func journal(_ office: Office) -> BrokenCall { BrokenCall(paths: office.replica + "-journal", calls: "write") }
        let undisturbed = try manyPits(count, asCSV: isCSV)
        let writes = try file(undisturbed).count(arguments, in: undisturbed)
        let expected = try state(undisturbed)

        let office = try manyPits(count, asCSV: isCSV)
        #expect(try journal(office).run(arguments, in: office, at: 2, .kill).status == 128 + SIGKILL)
        #expect(try office.writableSQL("SELECT count(*) FROM calicatas; PRAGMA integrity_check") == "0\nok")
        // The next kill comes when pages of the file itself have been written. Any program that may
        // write takes back what the killed run wrote.
        #expect(try file(office).run(arguments, in: office, at: writes / 2, .kill).status == 128 + SIGKILL)
        #expect(FileManager.default.fileExists(atPath: office.replica + "-journal"))
        #expect(try office.writableSQL("SELECT count(*) FROM calicatas; PRAGMA integrity_check") == "0\nok")
        // After the last kill, Fichero itself takes back what the killed run wrote.
        #expect(try file(office).run(arguments, in: office, at: writes * 9 / 10, .kill).status == 128 + SIGKILL)
        let last = try office.run(arguments)
        #expect(last.status == 0 && last.error.contains("goes on with what an interrupted import had staged"), "\(last.error)")
        #expect(try state(office) == expected)
        #expect(
            try office.sql("SELECT count(*) FROM calicatas; SELECT count(*) FROM sync_queue WHERE entity_type = 'calicatas'; PRAGMA integrity_check; PRAGMA journal_mode")
            == "\(count)\n\(count)\nok\nwal")
        #expect(!FileManager.default.fileExists(atPath: office.replica + "-journal"))
    }

    @Test func aFolderThatCannotBeWrittenIsSaid() throws {
        let office = try manyPits(3)
        // A file in the place of the staging folder acts like a missing permission. A real one
        // would not stop root.
        try Data().write(to: URL(fileURLWithPath: office.replica + ".import"))
        let run = try office.run(Self.arguments)
        #expect(run.status == 73 && run.error.contains("REPLICA-CANNOT-CREATE"))
        #expect(try office.sql("SELECT count(*) FROM calicatas") == "0")
    }

    @Test func aFullDiskWhileStagingLeavesNothing() throws {
        let office = try manyPits(24_000)
        // A limit on the size of files ends a write in the same way as a full disk.
        let run = try ProgramRun.program(
            "/bin/bash", ["-c", "ulimit -f 1500; trap '' XFSZ; exec \"$0\" \"$@\"", ProgramRun.fichero] + Self.arguments, in: office.folder,
            environment: office.variables)
        #expect(run.status == 74, "\(run.status) \(run.error)")
        #expect(try office.sql("SELECT count(*) FROM calicatas; PRAGMA integrity_check") == "0\nok")
        #expect(!FileManager.default.fileExists(atPath: office.replica + ".import"))
        #expect(try office.run(Self.arguments).status == 0)
    }
}
