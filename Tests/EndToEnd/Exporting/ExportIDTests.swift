import Foundation
import Testing

/// The numbers by which a client knows the assets stay the same for ever.
@Suite struct ExportIDTests {
    private static let ordered = """
        SELECT i.id, i.export_id FROM instances i JOIN rooms r ON r.id = i.room_id JOIN levels l ON l.id = r.level_id JOIN projects p ON p.id = l.project_id
        WHERE p.state IN ('Approved', 'Archived') ORDER BY l.number, l.id, r.number, r.id, i.created_at, i.id
        """

    private static func numbers(_ office: Office) throws -> [String] {
        try office.sql(ordered).split(separator: "\n").map(String.init)
    }

    private func number(_ line: String) -> Int? { line.split(separator: "|").dropFirst().first.flatMap { Int($0) } }

    @Test func theFirstExportNumbersTheWholeProjectWhateverItHolds() throws {
        let office = try Office.assets()
        #expect(try Self.numbers(office).allSatisfy { number($0) == nil })
        // A draft gives no numbers. An export of one asset gives numbers to all assets of the
        // project.
        let third = try Self.numbers(office)[2].split(separator: "|")[0]
        #expect(try office.run("export", "assets", "--format", "csv", "--draft", "-o", "out").status <= 1)
        #expect(try Self.numbers(office).allSatisfy { number($0) == nil })
        #expect(try office.run("export", "assets", "--format", "csv", "--where", "id = '\(third)'", "-o", "out").status <= 1)
        let given = try Self.numbers(office)
        #expect(given.map(number) == Array(1...given.count))
        // Each row waits for upload with its number. Its content counts as unchanged.
        #expect(try office.sql("SELECT count(*) FROM sync_queue WHERE entity_type = 'instances' AND json_extract(payload_json, '$.export_id') IS NOT NULL") == String(given.count))
        let again = try office.run("export", "assets", "--format", "csv", "--where", "id = '\(third)'", "-o", "out", "--json")
        #expect(again.output.contains("unchanged") && !again.output.contains("\"written\""))
        // A later asset gets the next number, wherever it lies in the building.
        let room = try office.sql("SELECT room_id FROM instances WHERE id = '\(third)'"), type = try office.sql("SELECT type_id FROM instances WHERE id = '\(third)'")
        _ = try office.writableSQL("""
            INSERT INTO instances (id, room_id, type_id, created_at, photo_ids, sync_state, content_stamp)
            VALUES ('01990000-0000-7000-8000-000000000001', '\(room)', '\(type)', '2024-01-01T00:00:00Z', '[]', 'local_only', 99999)
            """)
        #expect(try office.run("export", "assets", "--format", "csv", "--policy", "mark", "-o", "out").status <= 1)
        #expect(try office.sql("SELECT export_id FROM instances WHERE id = '01990000-0000-7000-8000-000000000001'") == String(given.count + 1))
        // The number of a deleted asset is not given again.
        _ = try office.writableSQL("DELETE FROM instances WHERE id = '01990000-0000-7000-8000-000000000001'")
        _ = try office.writableSQL("""
            INSERT INTO instances (id, room_id, type_id, created_at, photo_ids, sync_state, content_stamp)
            VALUES ('01990000-0000-7000-8000-000000000002', '\(room)', '\(type)', '2024-01-01T00:00:00Z', '[]', 'local_only', 99999)
            """)
        #expect(try office.run("export", "assets", "--format", "csv", "--policy", "mark", "-o", "out").status <= 1)
        #expect(try office.sql("SELECT export_id FROM instances WHERE id = '01990000-0000-7000-8000-000000000002'") == String(given.count + 2))
    }

    /// The client knows the assets by their numbers: neither a person nor a file changes one.
    @Test func aNumberIsNobodysToSet() throws {
        let office = try Office.assets()
        #expect(try office.run("export", "assets", "--format", "csv", "-o", "out").status <= 1)
        let given = try Self.numbers(office)
        let asset = String(given[0].split(separator: "|")[0])
        for value in ["7777", "", String(given.count)] {
            for actor in [office.actor, Office.administrator] {
                let run = try office.run(
                    "edit", asset, "--set", "export_id=\(value)", "--reason", "x", "--actor", actor)
                #expect(
                    run.status == 65 && run.output.contains("CHANGE-NUMBER"),
                    "\(actor) \(value) \(run.output)\(run.error)")
            }
        }
        #expect(try Self.numbers(office) == given)
        // Where it differs in a file, others decide, as about any delivered row: the number stays until then.
        let room = try office.sql("SELECT room_id FROM instances WHERE id = '\(asset)'")
        _ = try office.writableSQL("UPDATE instances SET sync_state = 'local_only', own_mark = 0 WHERE id = '\(asset)'")
        let row = "[{\"id\": \"\(asset)\", \"roomId\": \"\(room)\", \"exportId\": 7777}]"
        try Data(row.utf8).write(to: URL(fileURLWithPath: office.path("rows.json")))
        let brought = try office.run(
            "import", "rows.json", "--entity", "instances", "--policy", "update", "--reason", "x", "--fail-on", "never",
            "--actor", Office.administrator)
        #expect(brought.output.contains("CHANGE-NUMBER"), "\(brought.output)\(brought.error)")
        #expect(try Self.numbers(office) == given)
        // A file from before the export knows no number, and takes none away.
        try Data(row.replacing("7777", with: "null").utf8).write(to: URL(fileURLWithPath: office.path("rows.json")))
        let earlier = try office.run(
            "import", "rows.json", "--entity", "instances", "--policy", "update", "--reason", "x", "--fail-on", "never",
            "--actor", Office.administrator)
        #expect(!earlier.output.contains("CHANGE-NUMBER"), "\(earlier.output)\(earlier.error)")
        #expect(try Self.numbers(office) == given)
    }

    @Test func aPackageCarriesTheNumbers() throws {
        let office = try Office.assets()
        #expect(try office.run("export", "assets", "--format", "csv", "-o", "out").status <= 1)
        let given = try Self.numbers(office)
        let project = try office.sql("SELECT name FROM projects WHERE state = 'Approved'")
        let made = try office.run("package", "--project", project, "-o", "survey.zip")
        #expect(made.status <= 1, "\(made.error)")
        let other = try Office(system: "anagrafica", set: nil)
        let brought = try other.run("import", office.path("survey.zip"), "--fail-on", "never", "--join", "--actor", Office.administrator)
        #expect(brought.status == 0, "\(brought.error)")
        #expect(try Self.numbers(other) == given)
        // An export in the other replica gives no other numbers.
        #expect(try other.run("export", "assets", "--format", "csv", "-o", "out", "--actor", Office.administrator).status <= 1)
        #expect(try Self.numbers(other) == given)
        // A survey from before the export changes no number.
        let before = try office.bringIn("survey", "--json")
        #expect(!before.output.contains("\"conflict\" : 1") && before.status == 0)
        #expect(try Self.numbers(office) == given)
        #expect(try office.sql("SELECT count(*) FROM instances WHERE sync_state = 'conflict' AND export_id IS NOT NULL") == "0")
    }

    @Test func numbersOfAnOlderVersionMoveIntoTheField() throws {
        let office = try Office.assets()
        #expect(try office.run("export", "assets", "--format", "csv", "-o", "out").status <= 1)
        let given = try Self.numbers(office)
        _ = try office.writableSQL("ALTER TABLE instances DROP COLUMN export_id; DELETE FROM sync_queue")
        #expect(try office.run("init", "--pack", "anagrafica").status == 0)
        #expect(try Self.numbers(office) == given)
        #expect(try office.sql("SELECT count(*) FROM sync_queue WHERE entity_type = 'instances'") == String(given.count))
    }
}
