import Foundation
import Testing
import Workbench

/// What a file or a message could tell of values and records that the actor may not see.
@Suite struct ClassedValueTests {
    private static let surveyor = "asistente@example.pe"

    /// A mapping of one's own and a trial would tell right guesses of a number from wrong ones.
    @Test(arguments: ["999 888 777", "111"]) func rowsAreNotFoundByColumnsThatTheRoleDoesNotSee(_ guess: String) throws
    {
        let folder = try MappedFolder(MappedFolder.pits("logged_by: {parent: profiles, by: {phone: Numero}}"))
        try folder.write("Pozos", "Proyecto;Pozo;Numero", "P-1;C-77;\(guess)")
        let office = folder.office
        #expect(
            try office.run("users", "add", Self.surveyor, "--role", "ASISTENTE", "--actor", Office.administrator).status
                == 0)
        _ = try office.writableSQL("UPDATE profiles SET phone = '999 888 777' WHERE email = '\(Office.administrator)'")
        let arguments = ["import", "viejo", "--mapping", "./own.yaml", "--dry-run", "--fail-on", "never"]
        let refused = try office.run(arguments + ["--actor", Self.surveyor])
        #expect(
            refused.status == 77 && refused.error.contains("IMPORT-LOOKUP-HIDDEN") && !refused.error.contains(guess),
            "\(refused.output)\(refused.error)")
        // Whoever sees the column may.
        let seen = try folder.run(arguments)
        #expect(!seen.error.contains("IMPORT-LOOKUP-HIDDEN"), "\(seen.error)")
    }

    /// A rejected row holds what its file held, also of columns that go to closed fields or nowhere.
    @Test func rejectedRowsShowNoValueThatTheRoleDoesNotSee() throws {
        let mapping = MappedFolder.pits("logged_by: {parent: profiles, by: {phone: Numero}}", "depth_m: Prof")
        let folder = try MappedFolder(mapping)
        let office = folder.office, phone = "999 888 777", note = "vive en Jr. Lima 12"
        let added = try office.run(
            "users", "add", Self.surveyor, "--role", "ASISTENTE", "--actor", Office.administrator)
        #expect(added.status == 0, "\(added.error)")
        try folder.write("Pozos", "Proyecto;Pozo;Numero;Prof;Nota", "P-9;C-77;\(phone);hondo;\(note)")
        _ = try folder.run(["import", "viejo", "--mapping", "./own.yaml", "--fail-on", "never"])
        #expect(try office.sql("SELECT count(*) FROM rejects") != "0")
        // As if the surveyor had brought them in.
        _ = try office.writableSQL(
            "UPDATE pipeline_runs SET actor_id = (SELECT id FROM profiles WHERE email = '\(Self.surveyor)')")
        let id = try office.sql("SELECT id FROM rejects LIMIT 1")
        for arguments in [["list"], ["show", id], ["list", "--json"], ["show", id, "--json"]] {
            let shown = try office.run(["rejects"] + arguments + ["--actor", Self.surveyor])
            let text = shown.output + shown.error
            #expect(shown.status == 0 && !text.contains(phone) && !text.contains(note), "\(text)")
            let all = try office.run(["rejects"] + arguments + ["--actor", Office.administrator]).output
            #expect(arguments == ["list"] || all.contains(phone) && all.contains(note), "\(all)")
        }
        let shown = try office.run("rejects", "show", id, "--actor", Self.surveyor).output
        #expect(shown.contains("C-77") && shown.contains("•••"), "\(shown)")
        let exported = try office.run("rejects", "export", "-o", "r.xlsx", "--actor", Self.surveyor)
        #expect(exported.status == 0, "\(exported.error)")
        let cells = try ReadBook(path: office.path("r.xlsx"))("[c.value for w in wb.worksheets for r in w for c in r]")
        #expect(cells.contains("C-77") && cells.contains("•••"), "\(cells)")
        #expect(!cells.contains(phone) && !cells.contains(note), "\(cells)")
        // What was not shown stays as it is.
        _ = try office.run("rejects", "retry", "--from", "r.xlsx", "--actor", Self.surveyor)
        let whole = "raw LIKE '%\(phone)%' AND raw LIKE '%\(note)%'"
        #expect(try office.sql("SELECT count(*) FROM rejects WHERE \(whole)") != "0")
        #expect(try office.sql("SELECT count(*) FROM rejects WHERE raw LIKE '%•••%'") == "0")
    }

    /// A person who is no member learns no code of the project from a refusal.
    @Test func aRefusalDoesNotNameTheRecordOfAForeignProject() throws {
        let office = try Office.assets()
        let stranger = "estraneo@example.it"
        #expect(
            try office.run("users", "add", stranger, "--role", "OPERATORE", "--actor", Office.administrator).status == 0
        )
        let (project, name) = try (
            office.sql("SELECT id FROM projects ORDER BY id LIMIT 1"),
            office.sql("SELECT name FROM projects ORDER BY id LIMIT 1")
        )
        try Data(#"[{"id":"\#(project)","state":"Archived"}]"#.utf8).write(
            to: URL(fileURLWithPath: office.path("rows.json")))
        let run = try office.run(
            "import", "rows.json", "--entity", "projects", "--policy", "update", "--json", "--actor", stranger)
        #expect(
            run.output.contains("CHANGE-PROJECT") && !run.output.contains("CHANGE-EDITOR")
                && !run.output.contains(name), "\(run.output)\(run.error)")
    }

    /// What somebody keeps offline is for nobody else's file to say.
    @Test func aFileDoesNotChangeTheChoicesOfAnother() throws {
        let office = try Office.pits()
        let (own, other) = ("campo.uno@example.pe", "campo.dos@example.pe")
        for person in [own, other] {
            #expect(
                try office.run(
                    "users", "add", person, "--role", "CAMPO", "--project", "HYO-2025", "--actor", Office.administrator
                ).status == 0)
        }
        #expect(try office.run("offline", "HYO-2025", "--always", "--actor", own).status == 0)
        let id = try office.sql(
            "SELECT id FROM file_sync_states WHERE profile_id = (SELECT id FROM profiles WHERE email = '\(own)') LIMIT 1"
        )
        let stored = "SELECT sync_mode FROM file_sync_states WHERE id = '\(id)'"
        let mode = try office.sql(stored)
        func bringIn(_ row: String, as actor: String) throws -> ProgramRun {
            try Data(row.utf8).write(to: URL(fileURLWithPath: office.path("rows.json")))
            return try office.run(
                "import", "rows.json", "--entity", "file_sync_states", "--policy", "update", "--json", "--fail-on",
                "never", "--actor", actor)
        }
        let changed = #"[{"id":"\#(id)","sync_mode":"available_offline"}]"#
        try #require(!mode.isEmpty && !changed.contains(mode))
        let refused = try bringIn(changed, as: other)
        #expect(refused.output.contains("CHANGE-NOT-OWN"), "\(refused.output)\(refused.error)")
        #expect(try office.sql(stored) == mode)
        // The row as it is is no change, and one's own file changes one's own choice.
        let same = try bringIn(#"[{"id":"\#(id)","sync_mode":"\#(mode)"}]"#, as: other)
        #expect(!same.output.contains("CHANGE-NOT-OWN"), "\(same.output)")
        #expect(try !bringIn(changed, as: own).output.contains("CHANGE-NOT-OWN"))
        #expect(try office.sql(stored) == "available_offline")
    }
}
