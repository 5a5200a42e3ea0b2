import Foundation
import Testing
import Workbench

/// A record gets a state by which somebody vouches for it only without errors, as it will be and by
/// whatever command.
@Suite struct VouchedRecordTests {
    private let office: Office
    /// A reviewed pit without errors.
    private let code: String
    private let id: String

    init() throws {
        office = try Office.pits()
        let project = "project_id = (SELECT id FROM projects WHERE code = 'CHU-2025')"
        code = try office.sql(
            "SELECT code FROM calicatas WHERE status = 'REVISADO' AND \(project) ORDER BY code LIMIT 1")
        id = try office.sql("SELECT id FROM calicatas WHERE code = '\(code)' AND \(project)")
    }

    private var state: String { get throws { try office.sql("SELECT status FROM calicatas WHERE id = '\(id)'") } }

    private func edit(_ words: String...) throws -> ProgramRun {
        try office.run(["edit", code, "--project", "CHU-2025", "--fail-on", "never"] + words)
    }

    @Test func whatTheCommandItselfMakesWrongBars() throws {
        let before = try office.sql("SELECT * FROM calicatas WHERE id = '\(id)'")
        let refused = try edit("--set", "easting=", "--state", "APROBADO")
        #expect(
            refused.status == 65 && refused.error.contains("CHANGE-FINDINGS") && refused.error.contains(code),
            "\(refused.output)\(refused.error)")
        #expect(try office.sql("SELECT * FROM calicatas WHERE id = '\(id)'") == before)
        #expect(try edit("--set", "easting=", "--state", "APROBADO", "--dry-run").status == 65)
    }

    @Test func whatTheCommandItselfMendsDoesNot() throws {
        let easting = try office.sql("SELECT easting FROM calicatas WHERE id = '\(id)'")
        #expect(try edit("--set", "easting=").status == 0)
        #expect(try office.run("review", code, "--to", "APROBADO", "--project", "CHU-2025").status == 65)
        let mended = try edit("--set", "easting=\(easting)", "--state", "APROBADO")
        #expect(try mended.status == 0 && state == "APROBADO", "\(mended.output)\(mended.error)")
    }

    @Test func aNewRecordIsJudgedToo() throws {
        let add = { (status: String) in
            try office.run(
                "add", "calicatas", "--project", "CHU-2025", "--set", "code=C-99", "--set", "status=\(status)",
                "--fail-on", "never")
        }
        let refused = try add("APROBADO")
        #expect(
            refused.status == 65 && refused.error.contains("CHANGE-FINDINGS") && refused.error.contains("C-99"),
            "\(refused.output)\(refused.error)")
        #expect(try office.sql("SELECT count(*) FROM calicatas WHERE code = 'C-99'") == "0")
        #expect(try add("BORRADOR").status == 0)
    }

    /// A file's value that a person takes is the person's.
    @Test(arguments: [["theirs"], ["status=theirs", "easting=theirs"]]) func aFilesSideOfAConflictIsJudged(
        kept: [String]
    ) throws {
        _ = try office.writableSQL("UPDATE calicatas SET sync_state = 'synced' WHERE id = '\(id)'")
        let file = office.path("c.json")
        try Data(#"[{"id":"\#(id)","status":"APROBADO","easting":null}]"#.utf8).write(to: URL(fileURLWithPath: file))
        let brought = try office.run("import", file, "--entity", "calicatas", "--fail-on", "never")
        #expect(brought.status == 0, "\(brought.output)\(brought.error)")
        let refused = try office.run(
            ["conflicts", "keep", code] + kept + ["--project", "CHU-2025", "--fail-on", "never"])
        #expect(refused.status == 65 && refused.error.contains("CHANGE-FINDINGS"), "\(refused.output)\(refused.error)")
        #expect(try state == "REVISADO")
        let mine = try office.run(
            "conflicts", "keep", code, "status=theirs", "easting=mine", "--project", "CHU-2025", "--fail-on", "never")
        #expect(try mine.status == 0 && state == "APROBADO", "\(mine.output)\(mine.error)")
    }

    @Test func anUndoThatApprovesAgainIsJudgedOnceSomethingElseHappened() throws {
        #expect(try edit("--state", "OBSERVADO").status == 0)
        let observed = try office.sql("SELECT import_id FROM import_details ORDER BY stamp DESC LIMIT 1")
        let part = try office.sql(
            "SELECT number FROM calicata_cortes WHERE calicata_id = '\(id)' ORDER BY number DESC LIMIT 1")
        let strata = try office.run(
            "edit", "\(code)/\(part)", "--project", "CHU-2025", "--set", "depth_from_m=0", "--fail-on", "never")
        #expect(strata.status == 0, "\(strata.output)\(strata.error)")
        let refused = try office.run("undo", observed)
        #expect(
            try refused.status == 65 && refused.error.contains("CHANGE-FINDINGS") && state == "OBSERVADO",
            "\(refused.output)\(refused.error)")
        #expect(try office.run("undo", "last").status == 0)
        #expect(try office.run("undo", observed).status == 0)
        #expect(try state == "REVISADO")
    }

    /// What was wrong before, such as what a legacy file brought, is so again.
    @Test func theLastChangeIsTakenBackExactly() throws {
        _ = try office.writableSQL("UPDATE calicatas SET easting = NULL WHERE id = '\(id)'")
        #expect(try edit("--state", "OBSERVADO").status == 0)
        #expect(try office.run("undo", "last").status == 0)
        #expect(try state == "REVISADO")
    }
}
