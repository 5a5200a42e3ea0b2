import Testing
import Workbench

/// A server that checks no references may have rows of a project that is nowhere.
@Suite struct UnknownProjectSyncTests {
    private static let coordinator = "coordinadora@example.pe", nowhere = "99999999-0000-4000-8000-000000000009"

    private func run(_ office: SyncedOffice, _ arguments: String..., status: Int32 = 0) throws -> String {
        let done = try office.runs(arguments, as: Self.coordinator)
        #expect(done.status == status, "\(arguments): \(done.output)\(done.error)")
        return done.output + done.error
    }

    @Test(arguments: SyncedOffice.Way.kinds) func theyAreToldAndNotTakenAwayAgain(_ way: SyncedOffice.Way) throws {
        let office = try SyncedOffice(way)
        _ = try office.pit(1)
        try office.follow(as: Self.coordinator)
        try office.central(
            """
            ALTER TABLE project_members DROP CONSTRAINT IF EXISTS fk_project_members_project_id;
            INSERT INTO project_members (id, project_id, profile_id)
              SELECT gen_random_uuid(), '\(Self.nowhere)', id FROM profiles WHERE email IN ('\(Self.coordinator)', 'campo@example.pe')
            """)
        for number in 1...3 {
            let told = try run(office, "sync", "--prove")
            for part in ["SYNC-PROJECT", Self.nowhere, "project_members"] { #expect(told.contains(part), "\(told)") }
            #expect(!told.contains("no longer see") && told.contains("Proven"), "\(told)")
            #expect(number == 1 || told.contains("Nothing changed there."), "\(told)")
        }
        let here = "SELECT count(*) FROM project_members WHERE project_id = '\(Self.nowhere)'"
        let coordinator = try office.central("SELECT id FROM profiles WHERE email = '\(Self.coordinator)'")
        let there = try office.central(here, as: coordinator)
        #expect(try office.local(here) == there)
        #expect(try run(office, "sync", "--plan").contains("Nothing changed there."))
        // Once the project is there, they are rows like any other.
        try office.central(
            "INSERT INTO projects (id, code, name, status) VALUES ('\(Self.nowhere)', 'PRUEBA-7', 'Siete', 'ACTIVO')")
        #expect(try !run(office, "sync", "--prove").contains("SYNC-PROJECT"))
        try office.central(
            """
            DELETE FROM project_members WHERE project_id = '\(Self.nowhere)';
            DELETE FROM projects WHERE id = '\(Self.nowhere)'
            """)
        #expect(try run(office, "sync", "--prove").contains("no longer see"))
        let own = "profile_id = (SELECT id FROM profiles WHERE email = '\(Self.coordinator)')"
        #expect(try office.local(here + " AND " + own) == "0")
    }

    /// To send it again would never help.
    @Test(arguments: SyncedOffice.Way.kinds) func aValueThatIsTooLongIsNamed(_ way: SyncedOffice.Way) throws {
        let office = try SyncedOffice(way)
        let pit = try office.pit(1)
        try office.follow(as: Self.coordinator)
        try office.central("UPDATE calicatas SET observations = repeat('x', 68 << 20) WHERE id = '\(pit)'")
        let told = try run(office, "sync", status: 65)
        for part in ["REMOTE-VALUE-LONG", "calicatas", pit, "observations", "64 MiB"] {
            #expect(told.contains(part), "\(told)")
        }
        #expect(!told.contains("Run the sync again"), "\(told)")
        try office.central("UPDATE calicatas SET observations = 'short' WHERE id = '\(pit)'")
        #expect(try run(office, "sync", "--prove").contains("Proven"))
        #expect(try office.local("SELECT observations FROM calicatas") == "short")
    }

    /// The record has a code, and what was changed here has a name.
    @Test func aConflictWithADeletionNamesWhatWasChangedHere() throws {
        let office = try SyncedOffice()
        let pit = try office.pit(1)
        try office.follow(as: Self.coordinator)
        _ = try run(office, "edit", "C-01", "--set", "title=mine", "--fail-on", "never")
        try office.central("DELETE FROM calicatas WHERE id = '\(pit)'")
        #expect(try run(office, "sync").contains("PRUEBA-1 / C-01"))
        let (listed, shown) = (try run(office, "conflicts"), try run(office, "conflicts", "show", "C-01"))
        for part in ["PRUEBA-1 / C-01", "Title", "deleted"] { #expect(listed.contains(part), "\(listed)") }
        #expect(shown.contains("Title") && shown.contains("mine") && !shown.contains("Depth"), "\(shown)")
    }
}
