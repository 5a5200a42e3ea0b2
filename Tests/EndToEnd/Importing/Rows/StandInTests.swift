import Foundation
import Testing
import Workbench

/// A person begins with `init --admin`. When the person's own profile comes with the records, it
/// replaces the first one.
@Suite struct StandInTests {
    private static let address = "admin@example.pe"
    private static let survey = ProgramRun.root + "/Samples/ingeplus/survey"

    private func office() throws -> Office {
        var office = try Office(system: "ingeplus", set: nil)
        try FileManager.default.removeItem(atPath: office.replica)
        office.environment["FICHERO_ACTOR"] = Self.address
        let made = try office.run("init", "--pack", "ingeplus", "--admin", Self.address)
        guard made.status == 0 else { throw Office.Trouble(made) }
        return office
    }

    @Test func theReadmesAdministratorCanWorkAfterTheFirstImport() throws {
        let office = try office()
        let standIn = try office.sql("SELECT id FROM profiles")
        let run = try office.run("import", Self.survey, "--join", "--fail-on", "never")
        #expect(run.status == 0, "\(run.error)")
        #expect(try office.sql("SELECT count(*) FROM profiles WHERE email = '\(Self.address)'") == "1")
        for table in ["activity_logs", "project_members", "sync_queue", "pipeline_runs", "import_details", "profiles"] {
            let dump = try ProgramRun.program("/usr/bin/sqlite3", ["-readonly", office.replica, "SELECT * FROM \(table)"]).output
            // Only the log still names the profile that was replaced.
            #expect(dump.components(separatedBy: standIn).count - 1 == (table == "activity_logs" ? 1 : 0), "\(table)")
        }
        #expect(try office.sql("PRAGMA foreign_key_check; SELECT action FROM activity_logs WHERE action = 'profile_replaced'") == "profile_replaced")
        for command in [["status"], ["validate", "--fail-on", "never"], ["history"], ["rejects"]] {
            let run = try office.run(command)
            #expect(run.status == 0, "\(command) \(run.error)")
        }
        // The person can still work after the import is taken back.
        #expect(try office.run("undo", "last").status == 0)
        #expect(try office.run("status").status == 0)
        #expect(try office.run("import", Self.survey, "--fail-on", "never").status == 0)
    }

    /// The last administrator remains an administrator, whatever a file says.
    @Test func aProfileOfLesserRightsDoesNotLockTheReplica() throws {
        let office = try office()
        let profile = "{\"id\":\"01946a43-8f00-7583-b2d3-6e0d06af65b5\",\"email\":\"Admin@Example.pe\",\"full_name\":\"A\",\"role\":\"LECTOR\",\"status\":\"INACTIVO\"}\n"
        try profile.write(toFile: office.path("profiles.ndjson"), atomically: true, encoding: .utf8)
        try "{\"id\":\"0198a000-0000-7000-8000-0000000000aa\",\"code\":\"X-1\"}\n".write(toFile: office.path("projects.ndjson"), atomically: true, encoding: .utf8)
        let run = try office.run("import", "profiles.ndjson", "projects.ndjson", "--join")
        #expect(run.status == 0, "\(run.error)")
        #expect(try office.sql("SELECT id, role, status FROM profiles") == "01946a43-8f00-7583-b2d3-6e0d06af65b5|ADMINISTRADOR_GENERAL|ACTIVO")
        #expect(try office.sql("SELECT profile_id FROM project_members") == "01946a43-8f00-7583-b2d3-6e0d06af65b5")
        #expect(try office.run("status").status == 0)
    }

    /// If the replica has a profile, only an administrator may make another administrator.
    @Test func onlyAnAdministratorMakesAnother() throws {
        let office = try Office.pits()
        let count = try office.sql("SELECT count(*) FROM profiles")
        for actor in [nil, "lector@example.pe", "nobody@example.pe"] {
            var other = office
            other.environment["FICHERO_ACTOR"] = actor ?? ""
            let run = try other.run("init", "--admin", "new@example.pe")
            #expect(run.status == 77, "\(run.status) \(run.error)")
        }
        #expect(try office.run("init", "--admin", "notanaddress", "--actor", Office.administrator).status == 64)
        #expect(try office.run("init", "--admin", "new@example.pe", "--admin-role", "CAMPO", "--actor", Office.administrator).status == 64)
        #expect(try office.sql("SELECT count(*) FROM profiles") == count)
        // Naming an administrator who exists already is not an error.
        #expect(try office.run("init", "--admin", Office.administrator).status == 0)
        #expect(try office.run("init", "--admin", "new@example.pe", "--actor", Office.administrator).status == 0)
        let log = try office.sql("SELECT p.email FROM activity_logs AS l JOIN profiles AS p ON p.id = l.actor_id WHERE action = 'profile_created' ORDER BY l.rowid DESC LIMIT 1")
        #expect(log == Office.administrator)
    }

    /// Only roles that may see personal data see addresses.
    @Test func historyNamesPeopleOnlyToThoseWhoMaySeeThem() throws {
        let office = try Office.pits()
        for (actor, sees) in [("lector@example.pe", false), ("logistica@example.pe", false), ("admin@example.pe", true)] {
            for arguments in [["history"], ["history", "--json"], ["history", "activity", "--limit", "1000", "--json"]] {
                let run = try office.run(arguments + ["--actor", actor])
                #expect(run.status == 0, "\(run.error)")
                #expect(run.output.contains("@example") == sees, "\(actor) \(arguments)")
            }
        }
    }
}
