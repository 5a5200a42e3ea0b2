import Foundation
import Testing
import Workbench

/// What a file may not do, whoever imports it. Membership, states, tables of the program and names
/// are checked before a row goes in.
@Suite struct JudgeTests {
    private func bringIn(_ rows: String, _ entity: String, _ office: Office, as actor: String, _ options: String...) throws -> ProgramRun {
        let file = office.path("rows.json")
        try Data(rows.utf8).write(to: URL(fileURLWithPath: file))
        return try office.run(["import", file, "--entity", entity, "--actor", actor, "--json"] + options)
    }

    private func project(_ code: String, _ office: Office) throws -> String { try office.sql("SELECT id FROM projects WHERE code = '\(code)'") }

    private static let assistant = "asistente@example.pe"
    private static let new = "0199c000-0000-7000-8000-00000000000"

    private func pit(_ number: Int, _ project: String, _ more: String) -> String {
        #"[{"id":"\#(Self.new)\#(number)","project_id":"\#(project)","code":"C-9\#(number)",\#(more)}]"#
    }

    @Test func aNewRecordStandsWhereTheRoleCouldHaveLedIt() throws {
        let office = try Office.pits()
        let own = try project("HYO-2025", office)
        let approved = try bringIn(pit(1, own, #""status":"APROBADO""#), "calicatas", office, as: Self.assistant)
        #expect(approved.status == 1)
        #expect(approved.output.contains("CHANGE-NEW-STATE"))
        let draft = try bringIn(pit(2, own, #""status":"BORRADOR""#), "calicatas", office, as: Self.assistant)
        #expect(draft.status == 0, "\(draft.output)")
        // Only an administrator may import a record that was approved elsewhere.
        #expect(try bringIn(pit(3, own, #""status":"APROBADO""#), "calicatas", office, as: Office.administrator).status == 0)
        #expect(try office.sql("SELECT group_concat(code) FROM (SELECT code FROM calicatas WHERE id LIKE '\(Self.new)%' ORDER BY code)") == "C-92,C-93")
    }

    @Test func aRecordIsNotMovedOnByAFile() throws {
        let office = try Office.pits()
        let id = Self.new + "1"
        #expect(try bringIn(pit(1, project("HYO-2025", office), #""status":"BORRADOR""#), "calicatas", office, as: Self.assistant).status == 0)
        let moved = try bringIn(#"[{"id":"\#(id)","status":"APROBADO"}]"#, "calicatas", office, as: Self.assistant, "--policy", "update")
        #expect(moved.output.contains("CHANGE-TRANSITION"))
        #expect(try office.sql("SELECT status FROM calicatas WHERE id = '\(id)'") == "BORRADOR")
        // No role may make this move, so nobody is named; for another that there is, those who may.
        func refusal(_ state: String) throws -> String {
            try bringIn(#"[{"id":"\#(id)","status":"\#(state)"}]"#, "calicatas", office, as: Self.assistant, "--policy", "update").output
        }
        #expect(try refusal("APROBADO").contains(#""may" : """#))
        let sent = try bringIn(#"[{"id":"\#(id)","status":"EN_REVISION"}]"#, "calicatas", office, as: Self.assistant, "--policy", "update")
        #expect(sent.status == 0, "\(sent.output)")
        #expect(try office.sql("SELECT status FROM calicatas WHERE id = '\(id)'") == "EN_REVISION")
        #expect(try refusal("REVISADO").contains(#""may" : "ESPECIALISTA_TECNICO, COORDINADOR_PROYECTO""#))
    }

    /// Whoever may approve signs; the same by every command, and nobody else takes it back.
    @Test func whoSignedIsSetByWhoMaySign() throws {
        let office = try Office.pits()
        let (field, coordinator) = ("campo.tres@example.pe", "coordinador.dos@example.pe")
        for (person, role) in [(field, "CAMPO"), (coordinator, "COORDINADOR_PROYECTO")] {
            let added = try office.run(
                "users", "add", person, "--role", role, "--project", "HYO-2025", "--actor", Office.administrator)
            #expect(added.status == 0, "\(added.error)")
        }
        let own = try project("HYO-2025", office)
        let person = try office.sql("SELECT id FROM profiles WHERE email = '\(field)'")
        let more = #""status":"BORRADOR""#
        #expect(try bringIn(pit(1, own, more), "calicatas", office, as: field).status == 0)
        func run(_ arguments: String..., as actor: String) throws -> ProgramRun {
            try office.run(arguments + ["--fail-on", "never", "--actor", actor])
        }
        let signed = ["signed_by": person, "reviewed_by": person, "signed_at": "2025-11-01"]
        for (name, value) in signed {
            let edited = try run("edit", Self.new + "1", "--set", "\(name)=\(value)", as: field)
            #expect(edited.status == 77 && edited.output.contains("CHANGE-ACT"), "\(edited.output)\(edited.error)")
            #expect(edited.output.contains("COORDINADOR_PROYECTO"), "\(edited.output)")
            let added = try run(
                "add", "calicatas", "--project", "HYO-2025", "--set", "code=C-99", "--set", "status=BORRADOR", "--set",
                "\(name)=\(value)", as: field)
            #expect(added.status == 77 && added.output.contains("CHANGE-ACT"), "\(added.output)\(added.error)")
            for policy in ["update", "conflict"] {
                let row = #"[{"id":"\#(Self.new)1","\#(name)":"\#(value)"}]"#
                let brought = try bringIn(row, "calicatas", office, as: field, "--policy", policy)
                #expect(brought.output.contains("CHANGE-ACT"), "\(policy): \(brought.output)")
            }
        }
        let own91 = "id = '\(Self.new)1'", contested = "SELECT count(*) FROM conflicts WHERE entity_id = calicatas.id"
        let state = "SELECT signed_by, reviewed_by, signed_at, (\(contested)) FROM calicatas WHERE \(own91)"
        #expect(try office.sql(state) == "|||0")
        #expect(try run("edit", Self.new + "1", "--set", "signed_by=\(person)", as: coordinator).status == 0)
        let change = try office.sql("SELECT id FROM imports ORDER BY rowid DESC LIMIT 1")
        // Nor may the coordinator take it back who is none any more.
        for (role, status) in [("CAMPO", 77), ("COORDINADOR_PROYECTO", 0)] as [(String, Int32)] {
            #expect(try office.sql(state) == "\(person)|||0")
            _ = try office.writableSQL("UPDATE profiles SET role = '\(role)' WHERE email = '\(coordinator)'")
            let undone = try office.run("undo", change, "--actor", coordinator)
            #expect(undone.status == status, "\(role): \(undone.output)\(undone.error)")
        }
        #expect(try office.sql(state) == "|||0")
        // What was signed elsewhere comes with an administrator's file.
        let other = pit(2, own, more + #","signed_by":"\#(person)""#)
        #expect(try bringIn(other, "calicatas", office, as: Office.administrator).status == 0)
        let present = #"[{"id":"\#(Self.new)1","signed_by":"\#(person)"}]"#
        #expect(try bringIn(present, "calicatas", office, as: Office.administrator, "--policy", "update").status == 0)
        #expect(try office.sql(state) == "\(person)|||0")
        let file = try office.sql("SELECT id FROM imports ORDER BY rowid DESC LIMIT 1")
        #expect(try office.run("undo", file, "--actor", Office.administrator).status == 0)
        #expect(try office.sql(state) == "|||0")
    }

    @Test func aProjectOfOthersTakesNoRows() throws {
        let office = try Office.pits()
        let other = try project("CHU-2025", office)
        let brought = try bringIn(pit(4, other, #""status":"BORRADOR""#), "calicatas", office, as: Self.assistant)
        #expect(brought.status == 1)
        #expect(brought.output.contains("CHANGE-PROJECT"))
        #expect(try office.sql("SELECT count(*) FROM calicatas WHERE id = '\(Self.new)4'") == "0")
        // When the person is a member, the rejected row goes in.
        #expect(try office.run("users", "join", Self.assistant, "--project", "CHU-2025", "--actor", Office.administrator).status == 0)
        #expect(try office.run("rejects", "retry", "--actor", Self.assistant).status == 0)
        #expect(try office.sql("SELECT count(*) FROM calicatas WHERE id = '\(Self.new)4'") == "1")
    }

    @Test func statesOfSyncAreBelievedOnAnAdministratorsWord() throws {
        let office = try Office.pits()
        let own = try project("HYO-2025", office)
        let claimed = try bringIn(pit(5, own, #""status":"BORRADOR","syncStatus":"synced""#), "calicatas", office, as: Self.assistant)
        #expect(claimed.output.contains("IMPORT-STATES"))
        let state = { (number: Int) in
            try office.sql("SELECT sync_state, (SELECT count(*) FROM sync_queue WHERE entity_id = c.id) FROM calicatas AS c WHERE id = '\(Self.new)\(number)'")
        }
        #expect(try state(5) == "local_only|1")
        #expect(try bringIn(pit(6, own, #""status":"BORRADOR","syncStatus":"synced""#), "calicatas", office, as: Office.administrator).status == 0)
        #expect(try state(6) == "synced|0")
        #expect(try bringIn(pit(7, own, #""status":"BORRADOR","syncStatus":"pending_upload""#), "calicatas", office, as: Office.administrator).status == 0)
        #expect(try state(7) == "pending_upload|1")
    }

    @Test func booksAreNotForged() throws {
        let office = try Office.pits()
        let own = try project("HYO-2025", office)
        let before = try office.sql("SELECT count(*) FROM exports")
        let row = #"[{"id":"\#(Self.new)8","project_id":"\#(own)","run_id":"\#(Self.new)8","export_name":"x","format":"csv","environment":"PROD","pack_name":"ingeplus","pack_version":"1","file_name":"x.csv","status":"registered"}]"#
        let brought = try bringIn(row, "exports", office, as: Office.administrator)
        #expect(brought.status == 0, "\(brought.output)")
        #expect(brought.output.contains("IMPORT-BOOKS"))
        #expect(try office.sql("SELECT count(*) FROM exports") == before)
    }

    @Test func twoProjectsOfOneCodeDoNotComeToBe() throws {
        let office = try Office.pits()
        let brought = try bringIn(#"[{"id":"\#(Self.new)9","code":"HYO-2025","name":"Otra"}]"#, "projects", office, as: Office.administrator)
        #expect(brought.status == 1)
        #expect(brought.output.contains("CHANGE-KEY"))
        #expect(try office.sql("SELECT count(*) FROM projects WHERE code = 'HYO-2025'") == "1")
    }

    @Test func whatOthersReferToIsNotDeleted() throws {
        let office = try Office.assets()
        let found = try office.sql(
            """
            SELECT t.id FROM types AS t JOIN families AS f ON f.id = t.family_id JOIN projects AS p ON p.id = f.project_id
            WHERE p.state IN ('Draft', 'Ready', 'Active') AND EXISTS (SELECT 1 FROM instances AS i WHERE i.type_id = t.id) LIMIT 1
            """)
        try #require(!found.isEmpty)
        let refused = try office.run("delete", found)
        #expect(refused.output.contains("CHANGE-REFERRED"), "\(refused.output)\(refused.error)")
        #expect(refused.status == 65)
        #expect(try office.sql("SELECT count(*) FROM types WHERE id = '\(found)'") == "1")
    }

    /// A field worker may import new families, but may not change projects and families that are in
    /// the replica.
    @Test func whatIsNotARolesToChangeStaysAsItIs() throws {
        let office = try Office.assets()
        let project = try office.sql("SELECT p.id FROM projects AS p WHERE p.state <> 'Archived' AND EXISTS (SELECT 1 FROM families AS f WHERE f.project_id = p.id) ORDER BY p.id LIMIT 1")
        // In this state a field worker may work.
        _ = try office.writableSQL("UPDATE projects SET state = 'Active' WHERE id = '\(project)'")
        let surveyor = "operatore.prova@example.it"
        #expect(try office.run("users", "add", surveyor, "--role", "OPERATORE", "--actor", Office.administrator).status == 0)
        let name = try office.sql("SELECT name FROM projects WHERE id = '\(project)'")
        #expect(try office.run("users", "join", surveyor, "--project", name, "--actor", Office.administrator).status == 0)
        let renamed = try office.run("edit", project, "--set", "name=Altro", "--actor", surveyor)
        #expect(renamed.status == 77 && renamed.output.contains("CHANGE-EDITOR") && renamed.output.contains(" may."), "\(renamed.output)\(renamed.error)")
        let family = try office.sql("SELECT id FROM families WHERE project_id = '\(project)' LIMIT 1")
        let changed = try office.run("edit", family, "--set", "photo_max=99", "--actor", surveyor)
        #expect(changed.output.contains("CHANGE-EDITOR"), "\(changed.output)")
        let made = try office.run("add", "families", "--project", name, "--set", "name=Nuova", "--actor", surveyor)
        #expect(made.output.contains("CHANGE-EDITOR"), "\(made.output)")
        #expect(try office.run("edit", family, "--set", "photo_max=99", "--reason", "deciso", "--actor", Office.administrator).status == 0)
        // New families may come in with what was captured.
        let row = #"[{"id":"\#(Self.new)7","project_id":"\#(project)","name":"Portata","parameter_schema":{}}]"#
        let brought = try bringIn(row, "families", office, as: surveyor, "--fail-on", "never")
        #expect(brought.status == 0 && brought.output.contains("IMPORT-NOT-TO-SEND"), "\(brought.output)\(brought.error)")
        #expect(try office.sql("SELECT count(*) FROM families WHERE id = '\(Self.new)7'") == "1")
        // A file cannot make others decide about a row that this role may not change.
        _ = try office.writableSQL("UPDATE families SET sync_state = 'synced' WHERE id = '\(family)'")
        let contested = try bringIn(#"[{"id":"\#(family)","photo_max":98}]"#, "families", office, as: surveyor, "--fail-on", "never")
        #expect(contested.output.contains("CHANGE-EDITOR"), "\(contested.output)\(contested.error)")
        #expect(try office.sql("SELECT photo_max, sync_state FROM families WHERE id = '\(family)'") == "99|synced")
        #expect(try office.sql("SELECT count(*) FROM conflicts") == "0")
        #expect(try office.sql("SELECT count(*) FROM rejects WHERE state = 'open' AND entity = 'families'") == "1", "what the file says is kept")
        // A state is no exception, but for moves that are this role's.
        _ = try office.writableSQL("UPDATE projects SET sync_state = 'synced' WHERE id = '\(project)'")
        let archived = try bringIn(#"[{"id":"\#(project)","state":"Archived"}]"#, "projects", office, as: surveyor, "--fail-on", "never")
        #expect(archived.output.contains("CHANGE-EDITOR"), "\(archived.output)\(archived.error)")
        #expect(try office.sql("SELECT count(*) FROM conflicts") == "0")
    }

    @Test func aRowRefersToItsOwnProject() throws {
        let office = try Office.assets()
        let asset = try office.sql("SELECT i.id FROM instances AS i JOIN rooms AS r ON r.id = i.room_id JOIN levels AS l ON l.id = r.level_id JOIN projects AS p ON p.id = l.project_id WHERE p.state <> 'Archived' LIMIT 1")
        let project = try office.sql("SELECT l.project_id FROM instances AS i JOIN rooms AS r ON r.id = i.room_id JOIN levels AS l ON l.id = r.level_id WHERE i.id = '\(asset)'")
        let other = try office.sql("SELECT t.id FROM types AS t JOIN families AS f ON f.id = t.family_id WHERE f.project_id <> '\(project)' LIMIT 1")
        let led = try office.run("edit", asset, "--set", "type_id=\(other)", "--reason", "prova", "--actor", Office.administrator)
        #expect(led.status == 65 && led.output.contains("CHANGE-OTHER-PROJECT"), "\(led.output)\(led.error)")
    }
}
