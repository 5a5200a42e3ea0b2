import Foundation
import Testing
import Workbench

/// Changes of two sides to different fields are merged if the row before both changes is known.
@Suite struct MergeTests {
    private static let pit = "(SELECT id FROM calicatas WHERE code = 'C-01' AND project_id = (SELECT id FROM projects WHERE code = 'HYO-2025'))"

    /// The depth of C-01 was corrected here, and a file has other values in some fields.
    private func office(_ theirs: [String: Any]) throws -> Office {
        let office = try Office.pits()
        #expect(try office.run("edit", "C-01", "--project", "HYO-2025", "--set", "depth_m=4.25", "--fail-on", "never").status == 0)
        var row: [String: Any] = ["id": try office.sql("SELECT \(Self.pit)"), "updated_at": "2026-01-01T00:00:00Z"]
        row.merge(theirs) { _, new in new }
        try JSONSerialization.data(withJSONObject: [row]).write(to: URL(fileURLWithPath: office.path("theirs.json")))
        #expect(try office.run("import", "theirs.json", "--entity", "calicatas", "--fail-on", "never").status == 0)
        return office
    }

    @Test func changesToDifferentFieldsArePutTogether() throws {
        let office = try office(["observations": "visto", "depth_m": 4.5])
        let shown = try office.run("conflicts", "show", "C-01", "--project", "HYO-2025")
        #expect(shown.output.contains("Before") && shown.output.firstMatch(of: /Depth \(m\)\s+4\.5\s+4\.25\s+4\.5/) != nil, "\(shown.output)")
        let tried = try office.run("conflicts", "merge", "C-01", "--project", "HYO-2025", "--dry-run")
        #expect(tried.status == 0 && tried.output.contains("visto") && !tried.output.contains("depth_m"), "\(tried.output)\(tried.error)")
        #expect(try office.run("conflicts", "merge", "C-01", "--project", "HYO-2025").status == 0)
        #expect(try office.sql("SELECT depth_m, observations, sync_state FROM calicatas WHERE id = \(Self.pit)") == "4.25|visto|pending_upload")
        #expect(try office.run("undo", "last").status == 0)
        #expect(try office.sql("SELECT depth_m, sync_state FROM calicatas WHERE id = \(Self.pit)") == "4.25|conflict")
    }

    @Test func whatBothChangedIsForSomebodyToDecide() throws {
        let office = try office(["observations": "visto", "depth_m": 4.75])
        let refused = try office.run("conflicts", "merge", "C-01", "--project", "HYO-2025")
        #expect(refused.status == 65 && refused.error.contains("CONFLICT-BOTH-CHANGED") && refused.error.contains("depth_m") && !refused.error.contains("observations"), "\(refused.error)")
        #expect(try office.run("conflicts", "merge", "C-01", "depth_m=theirs", "--project", "HYO-2025").status == 0)
        #expect(try office.sql("SELECT depth_m, observations FROM calicatas WHERE id = \(Self.pit)") == "4.75|visto")
    }

    /// Keeping by fields does not put away what only the other side changed.
    @Test func whatIsKeptByFieldsIsMergedOtherwise() throws {
        let method = try Office.pits().sql("SELECT excavation_method FROM calicatas WHERE id = \(Self.pit)") == "MANUAL" ? "MAQUINA" : "MANUAL"
        let office = try office(["observations": "visto", "depth_m": 4.75, "excavation_method": method])
        let refused = try office.run("conflicts", "keep", "C-01", "observations=theirs", "--project", "HYO-2025")
        #expect(refused.status == 65 && refused.error.contains("CONFLICT-BOTH-CHANGED") && refused.error.contains("depth_m"), "\(refused.error)")
        #expect(try office.run("conflicts", "keep", "C-01", "depth_m=mine", "--project", "HYO-2025").status == 0)
        let kept = try office.sql("SELECT depth_m, observations, excavation_method FROM calicatas WHERE id = \(Self.pit)")
        #expect(kept == "4.25|visto|\(method)")
    }

    @Test func withoutTheOldValuesNothingIsMerged() throws {
        let office = try Office.pits()
        let refused = try office.run("conflicts", "merge", "C-19", "--project", "CHU-2025")
        #expect(refused.status == 64 && refused.error.contains("CONFLICT-NO-BASE"), "\(refused.error)")
    }

    @Test func theOldValuesGoWithTheChangeThatKeptThem() throws {
        let office = try Office.pits()
        #expect(try office.run("edit", "C-01", "--project", "HYO-2025", "--set", "depth_m=4.25", "--fail-on", "never").status == 0)
        #expect(try office.sql("SELECT json_extract(row, '$.depth_m') FROM row_bases") == "4.5")
        #expect(try office.run("edit", "C-01", "--project", "HYO-2025", "--set", "depth_m=4.3", "--fail-on", "never").status == 0)
        #expect(try office.sql("SELECT json_extract(row, '$.depth_m') FROM row_bases") == "4.5")
        #expect(try office.run("undo", "last").status == 0)
        #expect(try office.sql("SELECT count(*) FROM row_bases") == "1")
        #expect(try office.run("undo", "last").status == 0)
        #expect(try office.sql("SELECT count(*) FROM row_bases") == "0")
    }

    /// The time of the last change is not content, so a difference in it is not a conflict.
    @Test func anotherTimeAloneIsNoConflict() throws {
        let office = try Office.pits()
        let row = ["id": try office.sql("SELECT \(Self.pit)"), "updated_at": "2026-01-01T00:00:00Z"]
        try JSONSerialization.data(withJSONObject: [row]).write(to: URL(fileURLWithPath: office.path("theirs.json")))
        #expect(try office.run("import", "theirs.json", "--entity", "calicatas", "--fail-on", "never").status == 0)
        #expect(try office.sql("SELECT sync_state FROM calicatas WHERE id = \(Self.pit)") == "synced")
    }

    @Test func whatTheOtherSideEmptiedIsEmptied() throws {
        let office = try Office.pits()
        #expect(try office.run("edit", "C-01", "--project", "HYO-2025", "--set", "observations=algo", "--actor", Office.administrator).status == 0)
        _ = try office.writableSQL("UPDATE calicatas SET sync_state = 'synced', own_mark = 0 WHERE id = \(Self.pit)")
        #expect(try office.run("edit", "C-01", "--project", "HYO-2025", "--set", "depth_m=4.25", "--fail-on", "never").status == 0)
        // The row was confirmed again after the first change, so the base is the row that was
        // confirmed last.
        #expect(try office.sql("SELECT json_extract(row, '$.observations') FROM row_bases") == "algo")
        let row: [String: Any] = ["id": try office.sql("SELECT \(Self.pit)"), "observations": NSNull()]
        try JSONSerialization.data(withJSONObject: [row]).write(to: URL(fileURLWithPath: office.path("theirs.json")))
        #expect(try office.run("import", "theirs.json", "--entity", "calicatas", "--fail-on", "never").status == 0)
        #expect(try office.run("conflicts", "merge", "C-01", "--project", "HYO-2025").status == 0)
        #expect(try office.sql("SELECT depth_m, observations IS NULL FROM calicatas WHERE id = \(Self.pit)") == "4.25|1")
    }
}
