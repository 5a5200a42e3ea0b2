import Foundation
import Testing
import Workbench

/// A person decides a conflict for one side, for the other side, or field by field.
@Suite struct ConflictTests {
    private static let pit = "(SELECT id FROM calicatas WHERE code = 'C-19' AND project_id = (SELECT id FROM projects WHERE code = 'CHU-2025'))"

    private func state(_ office: Office) throws -> String {
        try office.sql("SELECT depth_m, sync_state FROM calicatas WHERE id = \(Self.pit)")
    }

    private func remoteDepth(_ office: Office) throws -> String {
        try office.sql("SELECT json_extract(remote_payload, '$.depth_m') FROM conflicts WHERE entity_id = \(Self.pit)")
    }

    @Test func bothSidesAreShown() throws {
        let office = try Office.pits()
        let list = try office.run("conflicts")
        #expect(list.output.contains("CHU-2025 / C-19"))
        let shown = try office.run("conflicts", "show", "C-19", "--project", "CHU-2025")
        #expect(shown.status == 0, "\(shown.error)")
        #expect(try shown.output.contains(remoteDepth(office)))
        #expect(try office.run("conflicts", "show", "C-19").status == 64)
        // What the list names, commands accept, with its spaces or without.
        for name in ["CHU-2025 / C-19", "CHU-2025/C-19"] {
            #expect(try office.run("conflicts", "show", name).status == 0, "\(name)")
            let tried = try office.run("conflicts", "keep", name, "theirs", "--dry-run")
            #expect(tried.status == 0, "\(tried.output)\(tried.error)")
            #expect(try office.run("history", name).status == 0, "\(name)")
        }
        // The assistant is not a member of this project.
        #expect(try !office.run("conflicts", "--actor", "asistente@example.pe").output.contains("CHU-2025"))
    }

    @Test(arguments: [["local"], ["theirs"], ["depth_m=theirs", "observations=mine"], ["depth_m=1.23", "observations=mine"]]) func whatIsKeptGoesUp(kept: [String]) throws {
        let office = try Office.pits()
        let before = try state(office)
        let depth = String(before.split(separator: "|")[0])
        let ended = try office.run(["conflicts", "keep", "C-19"] + kept + ["--project", "CHU-2025", "--reason", "field book", "--fail-on", "never"])
        #expect(ended.status == 0, "\(ended.output)\(ended.error)")
        let expected = kept == ["local"] ? depth : kept[0] == "depth_m=1.23" ? "1.23" : try remoteDepth(office)
        #expect(try state(office) == "\(expected)|pending_upload")
        let side = kept == ["local"] ? "local" : kept == ["theirs"] ? "remote" : "merged"
        #expect(try office.sql("SELECT resolution_status FROM conflicts WHERE entity_id = \(Self.pit)") == side)
        #expect(try office.sql("SELECT operation FROM sync_queue WHERE entity_id = \(Self.pit) ORDER BY rowid DESC LIMIT 1") == "UPDATE")
        #expect(try office.sql("SELECT count(*) FROM activity_logs WHERE action = 'conflict_resolved'") == "1")
        #expect(try office.run("conflicts", "keep", "C-19", "local", "--project", "CHU-2025").status == 66)

        let undone = try office.run("undo", "last")
        #expect(undone.status == 0, "\(undone.error)")
        #expect(try state(office) == before)
        #expect(try office.sql("SELECT resolution_status, resolved_by IS NULL FROM conflicts WHERE entity_id = \(Self.pit)") == "open|1")
    }

    /// How the record was before both changes is not known here, so each field that differs may
    /// have been changed by both.
    @Test(arguments: ["keep", "merge"]) func withoutTheOldValuesEachDifferenceIsDecided(verb: String) throws {
        let office = try Office.pits()
        let before = try state(office)
        let refused = try office.run("conflicts", verb, "C-19", "depth_m=theirs", "--project", "CHU-2025")
        #expect(refused.status == 65 && refused.error.contains("CONFLICT-BOTH-CHANGED") && refused.error.contains("observations"), "\(refused.error)")
        #expect(!refused.error.contains("depth_m"), "\(refused.error)")
        #expect(try state(office) == before)
    }

    /// A log of events says that a record was deleted elsewhere. The person's decision deletes it
    /// here too, or keeps it.
    @Test(arguments: ["theirs", "local"]) func aDeletionIsDecided(kept: String) throws {
        let office = try Office.pits()
        let id = try office.sql("SELECT id FROM calicatas WHERE status = 'BORRADOR' AND sync_state = 'local_only' LIMIT 1")
        let project = try office.sql("SELECT project_id FROM calicatas WHERE id = '\(id)'")
        _ = try office.writableSQL(
            """
            UPDATE calicatas SET sync_state = 'conflict' WHERE id = '\(id)';
            INSERT INTO conflicts (id, project_id, entity_type, entity_id, local_payload, remote_payload, detected_at, resolution_status)
            VALUES ('0199c000-0000-7000-8000-0000000000c1', '\(project)', 'calicatas', '\(id)', '{}', '{"id":"\(id)","deleted":true}', '2025-11-01T00:00:00Z', 'open')
            """)
        let ended = try office.run("conflicts", "keep", "0000000000c1", kept)
        #expect(ended.status == 0, "\(ended.output)\(ended.error)")
        #expect(try office.sql("SELECT count(*) FROM calicatas WHERE id = '\(id)'") == (kept == "theirs" ? "0" : "1"))
        #expect(try office.sql("SELECT resolution_status FROM conflicts WHERE id LIKE '%0000000000c1'") == (kept == "theirs" ? "remote" : "local"))
    }

    @Test func aConfirmedRecordStaysSoAfterItsConflict() throws {
        let office = try Office.pits()
        #expect(try office.run("conflicts", "keep", "C-19", "local", "--project", "CHU-2025").status == 0)
        #expect(try office.sql("SELECT own_mark FROM calicatas WHERE id = \(Self.pit)") == "1")
    }

    @Test func aRecordInConflictIsNotEdited() throws {
        let office = try Office.pits()
        let refused = try office.run("edit", "C-19", "--project", "CHU-2025", "--set", "depth_m=1")
        #expect(refused.status == 65)
        #expect(refused.output.contains("CHANGE-CONFLICT"))
    }

    @Test func whoMayNotResolveDoesNot() throws {
        let office = try Office.pits()
        #expect(try office.run("conflicts", "keep", "C-19", "theirs", "--project", "CHU-2025", "--actor", "campo1@example.pe").status == 77)
    }

    @Test func aConflictOfALegacyFileIsEnded() throws {
        let office = try Office.pits()
        let file = office.path("c.json")
        let id = try office.sql("SELECT id FROM calicatas WHERE code = 'C-01' AND project_id = (SELECT id FROM projects WHERE code = 'HYO-2025')")
        try Data(#"[{"id":"\#(id)","depth_m":4.25}]"#.utf8).write(to: URL(fileURLWithPath: file))
        #expect(try office.run("import", file, "--entity", "calicatas", "--fail-on", "never").status == 0)
        #expect(try office.run("conflicts", "keep", "C-01", "theirs", "--project", "HYO-2025", "--fail-on", "never").status == 0)
        #expect(try office.sql("SELECT depth_m, sync_state FROM calicatas WHERE id = '\(id)'") == "4.25|pending_upload")
        // The value of the decided conflict does not open the conflict again.
        #expect(try office.run("import", file, "--entity", "calicatas", "--fail-on", "never").status == 0)
        #expect(try office.sql("SELECT count(*) FROM conflicts WHERE entity_id = '\(id)' AND resolution_status = 'open'") == "0")
    }
}
