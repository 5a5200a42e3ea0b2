import Foundation
import JSONReading
import Testing
import Workbench

/// `fichero status` says how each project stands towards the central database.
@Suite struct StatusSyncTests {
    private func lines(_ run: ProgramRun, _ word: String) -> [String] {
        run.output.split(separator: "\n").map(String.init).filter { $0.contains(word) }
    }

    @Test func statusTellsEachProjectsSync() throws {
        let office = try SyncedOffice()
        #expect(try office.run("sync").status == 0)
        let before = try office.run("status")
        #expect(before.status == 0 && before.output.contains("not kept offline"), "\(before.output)\(before.error)")
        #expect(try office.run("offline", "PRUEBA-1", "--available").status == 0)
        let chosen = try office.run("status")
        #expect(lines(chosen, "PRUEBA-1").first?.contains("never synced") == true, "\(chosen.output)")
        #expect(lines(chosen, "changes to send").first?.contains("1") == true, "\(chosen.output)")
        #expect(try office.run("sync", "--as-of", "2026-05-04T08:00:00Z", "--time-zone", "America/Lima").status == 0)
        let synced = try office.run("status", "--as-of", "2026-05-04T11:20:00Z", "--time-zone", "America/Lima")
        #expect(lines(synced, "PRUEBA-1").first?.contains("2026-05-04 03:00 (3 h ago)") == true, "\(synced.output)")
        #expect(lines(synced, "PRUEBA-1").first?.hasSuffix("/" + office.database) == true, "\(synced.output)")
        #expect(!synced.output.contains("held") && !synced.output.contains("refused"), "nothing empty is shown: \(synced.output)")
    }

    @Test func whatIsRefusedIsToldWithItsClassAndTimes() throws {
        let office = try SyncedOffice()
        try office.follow()
        try office.central("ALTER TABLE calicatas ADD CONSTRAINT shallow CHECK (depth_m < 5)")
        #expect(
            try office.run("add", "calicatas", "--project", "PRUEBA-1", "--set", "code=C-30", "--set", "depth_m=7", "--set", "status=BORRADOR", "--fail-on", "never").status == 0)
        #expect(try office.run("sync", "--as-of", "2026-05-04T08:00:00Z").status == 1)
        let told = try office.run("status", "--as-of", "2026-05-04T08:00:30Z", "--time-zone", "Europe/Rome", "--lang", "it")
        #expect(lines(told, "rifiutate dal server: le sue tabelle sono diverse").first?.contains("dal 2026-05-04 10:00") == true, "\(told.output)\(told.error)")
        #expect(lines(told, "si ritentano più tardi").first?.contains("fino al 2026-05-04 10:0") == true, "\(told.output)")
        let json = try JSONValue.parse(try office.run("status", "--json", "--as-of", "2026-05-04T08:00:30Z").output)
        let project = try #require(json["sync"]?.items?.first)
        #expect(project["project"]?.text == "PRUEBA-1" && project["isOffline"] == .bool(true))
        let push = try #require(project["push"])
        #expect(push["failed"]?.items?.first?["class"]?.text == "schema" && push["failed"]?.items?.first?["since"]?.text == "2026-05-04T08:00:00Z")
        #expect(push["held"]?.items?.first?["reason"]?.text == "waiting" && push["held"]?.items?.first?["until"]?.text?.hasPrefix("2026-05-04T08:01:") == true)
        #expect(push["waiting"]?.items?.first?["entity"]?.text == "calicatas")
    }

    @Test func aPlanSaysWhatWouldStay() throws {
        let office = try SyncedOffice()
        try office.follow()
        try office.central("ALTER TABLE calicatas ADD CONSTRAINT shallow CHECK (depth_m < 5)")
        for (code, depth) in [("C-30", "7"), ("C-31", "2")] {
            #expect(try office.runs(
                ["add", "calicatas", "--project", "PRUEBA-1", "--set", "code=" + code, "--set", "depth_m=" + depth, "--set", "status=BORRADOR", "--fail-on", "never"]).status == 0)
        }
        #expect(try office.run("sync", "--as-of", "2026-05-04T08:00:00Z").status == 1)
        let plan = try office.run("sync", "--plan", "--as-of", "2026-05-04T08:00:30Z", "--time-zone", "Europe/Rome")
        #expect(plan.status == 0 && plan.output.contains("Of these, at present") && plan.output.contains("held: refused, tried again later: 1 (until 2026-05-04 10:0"), "\(plan.output)\(plan.error)")
        let due = try office.run("sync", "--plan", "--retry", "--as-of", "2026-05-04T08:00:30Z")
        #expect(due.output.contains("Insert") && !due.output.contains("held:"), "\(due.output)")
    }

    /// A sync's own entry, for example. Its author sends it, and nobody waits for ever.
    @Test func entriesOfNoProjectGoUpByTheirAuthor() throws {
        let office = try SyncedOffice()
        _ = try office.pit(1)
        try office.follow()
        let unsent = "SELECT count(*) FROM activity_logs WHERE project_id IS NULL AND sync_state <> 'synced' AND actor_id = (SELECT id FROM profiles WHERE email = 'campo@example.pe')"
        #expect(try Int(office.local(unsent)) ?? 0 > 0)
        let synced = try office.run("sync")
        #expect(synced.status == 0, "\(synced.output)\(synced.error)")
        #expect(try office.local(unsent) == "0")
        let status = try office.run("status")
        #expect(!status.output.contains("log entries to send"), "\(status.output)")
        #expect(try office.central("SELECT count(*) > 0 FROM activity_logs WHERE action = 'sync' AND project_id IS NULL") == "t")
        // A colleague sees nothing of them there.
        #expect(try office.central("SELECT count(*) FROM activity_logs WHERE project_id IS NULL", as: office.central("SELECT id FROM profiles WHERE email = 'lector@example.pe'")) == "0")
    }
}
