import Foundation
import JSONReading
import Testing
import Workbench

/// A replica that several people use: who sees what waits, and under whose rights it goes up.
@Suite struct SharedReplicaTests {
    private static let coordinator = "coordinadora@example.pe"
    private static let administrator = "00000000-0000-4000-8000-000000000001"

    private func edit(_ office: SyncedOffice, _ statement: String, as email: String = SyncedOffice.field) throws -> ProgramRun {
        try office.run("edit", "C-01", "--set", statement, "--fail-on", "never", as: email)
    }

    // MARK: References

    /// Row security hides the administrator, who is a member of no project, from the field crew.
    @Test func aRecordOfSomebodyUnseenMayBeEdited() throws {
        let office = try SyncedOffice()
        let pit = try office.pit(1)
        try office.central("UPDATE calicatas SET created_by = '\(Self.administrator)'")
        try office.follow()
        #expect(try office.local("SELECT count(*) FROM profiles WHERE id = '\(Self.administrator)'") == "0")
        let edited = try edit(office, "title=Seen")
        #expect(edited.status == 0, "\(edited.output)\(edited.error)")
        let synced = try office.run("sync", "--prove")
        #expect(synced.status == 0, "\(synced.output)\(synced.error)")
        #expect(try office.central("SELECT title, created_by FROM calicatas WHERE id = '\(pit)'") == "Seen|\(Self.administrator)")
        // A reference that the change does make is judged.
        let other = try edit(office, "created_by=00000000-0000-4000-8000-0000000000ff")
        #expect(other.status == 65 && other.output.contains("FIELD-REFERENCE"), "\(other.output)\(other.error)")
        #expect(try office.local("SELECT created_by FROM calicatas") == Self.administrator)
    }

    /// The same by a file, which may change a row that the server does not know yet.
    @Test func aFileIsNotJudgedByWhatItLeaves() throws {
        let office = try SyncedOffice()
        try office.follow()
        let added = try office.run("add", "calicatas", "--project", "PRUEBA-1", "--set", "code=C-30", "--set", "status=BORRADOR", "--fail-on", "never")
        #expect(added.status == 0, "\(added.output)\(added.error)")
        try office.change("UPDATE calicatas SET created_by = '\(Self.administrator)'")
        func bringIn(_ fields: String) throws -> ProgramRun {
            let file = office.folder + "/rows.json"
            try "[{\"id\":\"\(office.local("SELECT id FROM calicatas"))\",\(fields)}]".write(toFile: file, atomically: true, encoding: .utf8)
            return try office.run("import", file, "--entity", "calicatas", "--policy", "update")
        }
        let brought = try bringIn("\"title\":\"From a file\"")
        #expect(brought.status == 0, "\(brought.output)\(brought.error)")
        #expect(try office.local("SELECT title FROM calicatas") == "From a file")
        let refused = try bringIn("\"created_by\":\"00000000-0000-4000-8000-0000000000ff\"")
        #expect(refused.status == 1 && refused.output.contains("FIELD-REFERENCE"), "\(refused.output)\(refused.error)")
        #expect(try office.local("SELECT title, created_by FROM calicatas") == "From a file|\(Self.administrator)")
    }

    // MARK: What an administrator sees

    @Test func anAdministratorWithoutMembershipSeesWhatWaits() throws {
        let office = try SyncedOffice()
        _ = try office.pit(1)
        try office.follow()
        #expect(try edit(office, "title=Here").status == 0)
        try office.central("UPDATE calicatas SET title = 'There'")
        #expect(try office.run("sync").output.contains("SYNC-CONFLICT"))
        #expect(try office.local("SELECT count(*) FROM project_members AS m JOIN profiles AS p ON p.id = m.profile_id WHERE p.email = '\(SyncedOffice.administrator)'") == "0")
        // The administrator's own sync brings the profile.
        #expect(try office.run("sync", as: SyncedOffice.administrator).status == 0)

        let listed = try office.run("conflicts", as: SyncedOffice.administrator)
        #expect(listed.status == 0 && listed.output.contains("C-01"), "\(listed.output)\(listed.error)")
        #expect(try office.run("conflicts", "show", "C-01", as: SyncedOffice.administrator).output.contains("There"))
        let status = try office.run("status", "--json", as: SyncedOffice.administrator)
        let told = try JSONValue.parse(status.output)
        #expect(told["isOfAll"] == .bool(true) && told["openConflicts"]?.stated == "1", "\(status.output)")
        let project = told["sync"]?.items?.first { $0["project"]?.text == "PRUEBA-1" }
        #expect(project?["openConflicts"]?.stated == "1", "\(status.output)")
        #expect(project?["push"]?["held"]?.items?.first?["reason"]?.text == "conflict", "\(status.output)")
        #expect(try office.run("status", as: SyncedOffice.administrator).output.contains("all of them are counted"))
        #expect(try office.run("history", "activity", as: SyncedOffice.administrator).output.contains("Edited"))
        // Records stay with the members.
        let asked = try office.run("query", "SELECT count(*) AS n FROM calicatas", "--format", "csv", as: SyncedOffice.administrator)
        #expect(asked.output.contains("0") && !asked.output.contains("1"), "\(asked.output)\(asked.error)")

        let kept = try office.run("conflicts", "keep", "C-01", "theirs", "--fail-on", "never", as: SyncedOffice.administrator)
        #expect(kept.status == 0, "\(kept.output)\(kept.error)")
        #expect(try office.run("conflicts", as: SyncedOffice.administrator).output.contains("C-01") == false)
    }

    @Test func anAdministratorWithoutMembershipWritesTheProofDown() throws {
        let office = try SyncedOffice()
        _ = try office.pit(1)
        try office.follow(as: SyncedOffice.administrator)
        let out = office.folder + "/out"
        let proven = try office.run("sync", "--prove", "-o", out, as: SyncedOffice.administrator)
        #expect(proven.status == 0 && proven.output.contains("-v1.json"), "\(proven.output)\(proven.error)")
        let names = try FileManager.default.contentsOfDirectory(atPath: out + "/PRUEBA-1")
        let document = try JSONValue.parse(String(contentsOfFile: out + "/PRUEBA-1/" + (names.first ?? ""), encoding: .utf8))
        #expect(document["project"]?.text == "PRUEBA-1")
        #expect(document["tables"]?.items?.first { $0["entity"]?.text == "calicatas" }?["rows"]?.stated == "1")
        #expect(try office.local("SELECT count(*) FROM exports WHERE export_name = 'sync-proof' AND project_id = '\(SyncedOffice.project)'") == "1")
    }

    // MARK: Under whose rights

    /// The gate judges each change when it is made, by the role of the profile that is named.
    @Test func whoMayNotEditLeavesNothingForOthersToSend() throws {
        let office = try SyncedOffice()
        let pit = try office.pit(1)
        try office.follow(as: Self.coordinator)
        for arguments in [
            ["edit", "C-01", "--set", "title=x"], ["delete", "C-01", "--reason", "x"],
            ["add", "calicatas", "--project", "PRUEBA-1", "--set", "code=C-77", "--set", "status=BORRADOR"],
        ] {
            let refused = try office.runs(arguments, as: SyncedOffice.reader)
            #expect(refused.status == 77, "\(arguments) \(refused.output)\(refused.error)")
        }
        let file = office.folder + "/rows.json"
        try "[{\"id\":\"\(pit)\",\"title\":\"x\"}]".write(toFile: file, atomically: true, encoding: .utf8)
        #expect(try office.run("import", file, "--entity", "calicatas", "--policy", "update", as: SyncedOffice.reader).status == 77)
        #expect(try office.local("SELECT count(*) FROM sync_queue WHERE entity_type = 'calicatas'") == "0")
        #expect(try office.run("sync", as: SyncedOffice.administrator).status == 0)
        #expect(try office.central("SELECT count(*), string_agg(title, ',') IS NULL FROM calicatas") == "1|t")
    }

    /// What somebody might change when it was changed goes up, whoever sends it, though the role is
    /// another one now. The server knows both who says to have made it and who sent it.
    @Test func workFromBeforeAChangeOfRoleIsNotLost() throws {
        let office = try SyncedOffice()
        _ = try office.pit(1)
        try office.follow()
        #expect(try edit(office, "title=Dug").status == 0)
        try office.central("UPDATE profiles SET role = 'LECTOR' WHERE email = '\(SyncedOffice.field)'")
        let plan = try office.run("sync", "--plan")
        #expect(plan.output.contains("held: your role may not send: 1"), "\(plan.output)\(plan.error)")
        let own = try office.run("sync")
        #expect(own.status == 0 && !own.output.contains("Sent:"), "a reader sends nothing: \(own.output)\(own.error)")
        #expect(own.output.contains("1 change waits here, which your role may not send"), "\(own.output)")
        #expect(try office.central("SELECT title IS NULL FROM calicatas") == "t")
        #expect(try edit(office, "title=Later").status == 77)
        let sent = try office.run("sync", as: SyncedOffice.administrator)
        #expect(sent.status == 0, "\(sent.output)\(sent.error)")
        #expect(try office.central("SELECT title FROM calicatas") == "Dug")
        let entry = try office.central(
            """
            SELECT m.email, s.email FROM activity_logs AS l JOIN profiles AS m ON m.id = l.actor_id JOIN profiles AS s ON s.id = l.sent_by
            WHERE l.entity_type = 'calicatas'
            """)
        #expect(entry == "\(SyncedOffice.field)|\(SyncedOffice.administrator)")
    }

    /// A proof counts what waits of records and of the project itself.
    /// What one person may not send does not wait for them when another one syncs.
    @Test func whoMaySendNeedNotWaitForWhoMayNot() throws {
        let office = try SyncedOffice()
        _ = try office.pit(1)
        try office.follow()
        let coordinator = "coordinadora@example.pe"
        #expect(try office.run("sync", as: coordinator).status == 0 && office.run("sync").status == 0)
        try office.central("CREATE POLICY strict ON calicatas AS RESTRICTIVE FOR UPDATE TO authenticated USING (EXISTS (SELECT FROM profiles WHERE id = fichero.actor() AND role = 'COORDINADOR_PROYECTO'))")
        #expect(try office.run("edit", "C-01", "--set", "title=mine", "--fail-on", "never").status == 0)
        #expect(try office.run("sync").output.contains("SYNC-NOT-SENT"))
        #expect(try office.run("sync").output.contains("tried again later: 1"), "the same person waits")
        let sent = try office.run("sync", as: coordinator)
        #expect(sent.status == 0 && sent.output.contains("Sent: 1 change"), "\(sent.output)\(sent.error)")
        #expect(try office.central("SELECT title FROM calicatas") == "mine")
    }

    @Test func aProofTellsAllThatWaits() throws {
        let office = try SyncedOffice()
        _ = try office.pit(1)
        try office.follow(as: Self.coordinator)
        #expect(try edit(office, "title=Dug", as: Self.coordinator).status == 0)
        let renamed = try office.run("edit", SyncedOffice.project, "--set", "name=Renamed", "--fail-on", "never", as: Self.coordinator)
        #expect(renamed.status == 0, "\(renamed.output)\(renamed.error)")
        try office.central("UPDATE profiles SET role = 'LECTOR' WHERE email = '\(Self.coordinator)'")
        let proven = try office.run("sync", "--prove", as: Self.coordinator)
        #expect(proven.output.contains("2 changes wait here") && proven.output.contains("with changes of their own: 2"), "\(proven.output)\(proven.error)")
    }

    /// What a colleague made goes up under the rights of whoever syncs, and the server judges those.
    @Test func theServerJudgesWhoeverSends() throws {
        let office = try SyncedOffice()
        try office.follow(as: Self.coordinator)
        try office.follow()
        let renamed = try office.run("edit", SyncedOffice.project, "--set", "name=Renamed", "--fail-on", "never", as: Self.coordinator)
        #expect(renamed.status == 0, "\(renamed.output)\(renamed.error)")
        let field = try office.run("sync")
        #expect(field.status == 1 && field.output.contains("SYNC-NOT-SENT"), "\(field.output)\(field.error)")
        #expect(try office.central("SELECT name FROM projects") == "Proyecto de prueba")
        let coordinator = try office.run("sync", "--retry", as: Self.coordinator)
        #expect(coordinator.status == 0, "\(coordinator.output)\(coordinator.error)")
        #expect(try office.central("SELECT name FROM projects") == "Renamed")
    }
}
