import Foundation
import Testing
import Workbench

/// Administrators decide who may work. Nobody decides it for themselves.
@Suite struct UsersTests {
    @Test func anAdministratorAddsAPersonWhoCanWork() throws {
        let office = try Office.pits()
        let added = try office.run(
            "users", "add", "rojas@example.pe", "--role", "ESPECIALISTA_TECNICO", "--name", "Ing. Rojas", "--project", "HYO-2025", "--actor", Office.administrator)
        #expect(added.status == 0, "\(added.output)\(added.error)")
        #expect(try office.run("add", "calicatas", "--project", "HYO-2025", "--set", "code=C-96", "--actor", "rojas@example.pe").status == 0)
        #expect(try office.run("users", "change", "rojas@example.pe", "--status", "INACTIVO", "--actor", Office.administrator).status == 0)
        #expect(try office.run("status", "--actor", "rojas@example.pe").status == 77)
        let twice = try office.run("users", "add", "ROJAS@example.pe", "--role", "CAMPO", "--actor", Office.administrator)
        #expect(twice.status == 65)
        #expect(twice.output.contains("CHANGE-KEY"))
    }

    @Test func theListSaysWhoMayDoWhatAndWhere() throws {
        let office = try Office.pits()
        let list = try office.run("users", "list", "--actor", Office.administrator)
        let lines = list.output.split(separator: "\n").map(String.init)
        #expect(lines.count == 1 + Int(try office.sql("SELECT count(*) FROM profiles"))!)
        #expect(lines[0].split(separator: " ").map(String.init) == ["Address", "Name", "Role", "Status", "Projects"])
        let projects = try office.sql(
            "SELECT group_concat(code, ', ') FROM (SELECT code FROM projects WHERE id IN (SELECT project_id FROM project_members JOIN profiles AS p ON p.id = profile_id WHERE email = 'excampo@example.pe') ORDER BY code)")
        let one = try #require(lines.first { $0.hasPrefix("excampo@example.pe ") })
        #expect(one.contains(" Field ") && one.contains(" Inactive ") && one.hasSuffix(projects))
    }

    @Test func oneAdministratorStays() throws {
        let office = try Office(system: "ingeplus", set: nil)
        let id = try office.sql("SELECT id FROM profiles")
        let file = office.path("p.json")
        try Data(#"[{"id":"\#(id)","role":"LECTOR"}]"#.utf8).write(to: URL(fileURLWithPath: file))
        let refused = try office.run("import", file, "--entity", "profiles", "--policy", "update", "--actor", Office.administrator)
        #expect(refused.status == 77 && refused.error.contains("CHANGE-LAST-ADMINISTRATOR"), "\(refused.output)\(refused.error)")
        #expect(try office.sql("SELECT role FROM profiles") == "ADMINISTRADOR_GENERAL")
    }

    @Test func membershipComesAndGoes() throws {
        let office = try Office.pits()
        func projects() throws -> String { try office.run("status", "--actor", "asistente@example.pe").output }
        #expect(try !projects().contains("CHU-2025"))
        #expect(try office.run("users", "join", "asistente@example.pe", "--project", "CHU-2025", "--actor", Office.administrator).status == 0)
        #expect(try projects().contains("CHU-2025"))
        #expect(try office.run("users", "leave", "asistente@example.pe", "--project", "CHU-2025", "--actor", Office.administrator).status == 0)
        #expect(try !projects().contains("CHU-2025"))
        #expect(try office.run("users", "leave", "asistente@example.pe", "--project", "CHU-2025", "--actor", Office.administrator).status == 64)
        #expect(try office.run("undo", "last", "--actor", Office.administrator).status == 0)
        #expect(try projects().contains("CHU-2025"))
    }

    @Test func nobodyDecidesForHimself() throws {
        let office = try Office.pits()
        let own = try office.run("users", "change", Office.administrator, "--role", "GERENCIA", "--actor", Office.administrator)
        #expect(own.status == 77)
        #expect(own.output.contains("CHANGE-OWN-ROLE"))
        #expect(try office.run("users").status == 77)
        #expect(try office.run("delete", Office.administrator, "--actor", Office.administrator).status == 77)
        #expect(try office.run("users", "add", Office.administrator.uppercased(), "--role", "LECTOR", "--actor", Office.administrator).status == 65)
        #expect(try office.run("users", "change", "nobody@example.pe", "--role", "CAMPO", "--actor", Office.administrator).status == 66)
        #expect(try office.run("users", "add", "x@example.pe", "--role", "ADMINISTRADOR_GENERAL").status == 77)
        #expect(try office.run("users", "add", "x@example.pe", "--role", "JEFE", "--actor", Office.administrator).status == 64)
    }

    /// A person who is no longer a member of a project takes nothing back there, not even their own
    /// deletion.
    @Test func whoLeftDoesNotUndoHisDeletion() throws {
        let office = try Office.pits()
        let assistant = "asistente@example.pe"
        #expect(try office.run("add", "calicatas", "--project", "HYO-2025", "--set", "code=C-98", "--set", "depth_m=1.5", "--actor", assistant).status == 0)
        #expect(try office.run("delete", "C-98", "--project", "HYO-2025", "--actor", assistant).status == 0)
        #expect(try office.run("users", "leave", assistant, "--project", "HYO-2025", "--actor", Office.administrator).status == 0)
        let refused = try office.run("undo", "last", "--actor", assistant)
        #expect(refused.status == 77, "\(refused.output)\(refused.error)")
        #expect(try office.sql("SELECT count(*) FROM calicatas WHERE code = 'C-98'") == "0")
        #expect(try office.run("users", "join", assistant, "--project", "HYO-2025", "--actor", Office.administrator).status == 0)
        #expect(try office.run("undo", "last", "--actor", assistant).status == 0)
        #expect(try office.sql("SELECT count(*) FROM calicatas WHERE code = 'C-98'") == "1")
    }
}
