import Foundation
import Testing
import Workbench

/// Who begins with `init --admin` goes on as himself when his own profile comes with the records.
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
            // The log says once whom the profile replaced.
            #expect(dump.components(separatedBy: standIn).count - 1 == (table == "activity_logs" ? 2 : 0), "\(table)")
        }
        #expect(try office.sql("PRAGMA foreign_key_check; SELECT action FROM activity_logs WHERE action = 'profile_replaced'") == "profile_replaced")
        for command in [["status"], ["validate", "--fail-on", "never"], ["history"], ["rejects"]] {
            let run = try office.run(command)
            #expect(run.status == 0, "\(command) \(run.error)")
        }
        // The person stays, whatever becomes of the import.
        #expect(try office.run("undo", "last").status == 0)
        #expect(try office.run("status").status == 0)
        #expect(try office.run("import", Self.survey, "--fail-on", "never").status == 0)
    }

    /// The last administrator stays one.
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
}
