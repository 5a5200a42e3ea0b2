import Foundation
import Testing
import Workbench

/// An office begins alone: its person, a project and pits. The central database knows the person
/// and the project already, under ids of its own, which count.
@Suite struct AdoptedProjectTests {
    private static let coordinator = "coordinadora@example.pe"

    /// An office that has worked alone.
    private func office(_ way: SyncedOffice.Way) throws -> SyncedOffice {
        let office = try SyncedOffice(way)
        for step in [
            ["init", "--pack", "ingeplus", "--admin", Self.coordinator],
            ["add", "projects", "--set", "code=PRUEBA-1", "--set", "name=Como lo llama la oficina", "--set", "status=ACTIVO"],
            ["add", "calicatas", "--project", "PRUEBA-1", "--set", "code=C-90", "--set", "depth_m=1.5", "--set", "status=BORRADOR", "--fail-on", "never"],
        ] {
            let done = try office.runs(step, as: Self.coordinator)
            guard done.status == 0 else { throw SyncedOffice.Trouble(description: "\(step): \(done.output)\(done.error)") }
        }
        return office
    }

    @Test(arguments: SyncedOffice.Way.kinds) func whatIsThereAlreadyIsNotThereTwice(_ way: SyncedOffice.Way) throws {
        let office = try office(way)
        let own = try office.local("SELECT id FROM projects")
        #expect(own != SyncedOffice.project)
        let synced = try office.run("sync", as: Self.coordinator)
        #expect(synced.status == 0, "\(synced.output)\(synced.error)")
        for ask in [office.local, { try office.central($0) }] {
            #expect(try ask("SELECT id FROM projects WHERE code = 'PRUEBA-1'") == SyncedOffice.project)
            #expect(try ask("SELECT project_id FROM calicatas WHERE code = 'C-90'") == SyncedOffice.project)
            #expect(try ask("SELECT count(*) FROM profiles WHERE email = '\(Self.coordinator)'") == "1")
            #expect(try ask("SELECT count(*) FROM project_members WHERE project_id = '\(SyncedOffice.project)' AND profile_id = (SELECT id FROM profiles WHERE email = '\(Self.coordinator)')") == "1")
        }
        #expect(try office.local("SELECT id FROM profiles WHERE email = '\(Self.coordinator)'") == office.central("SELECT id FROM profiles WHERE email = '\(Self.coordinator)'"))
        // What the office called it is not lost.
        #expect(try office.local("SELECT json_extract(details, '$.before.name') FROM activity_logs WHERE action = 'project_replaced'") == "Como lo llama la oficina")
        #expect(try office.local("SELECT count(*) FROM sync_queue") == "0")
        for step in [["offline", "PRUEBA-1", "--available"], ["sync", "--prove"], ["status"], ["validate", "--fail-on", "never"], ["history"]] {
            let done = try office.runs(step, as: Self.coordinator)
            #expect(done.status == 0, "\(step): \(done.output)\(done.error)")
        }
        #expect(try office.local("SELECT group_concat(sync_state) FROM calicatas") == "synced")
        #expect(try office.local("PRAGMA foreign_key_check") == "")
    }

    @Test func aProjectThatNobodyKnowsThereStaysItsOwn() throws {
        let office = try office(.postgres)
        try office.central("UPDATE projects SET code = 'PRUEBA-7' WHERE code = 'PRUEBA-1'")
        let own = try office.local("SELECT id FROM projects")
        let synced = try office.run("sync", as: Self.coordinator)
        #expect(synced.status == 0, "\(synced.output)\(synced.error)")
        #expect(try office.central("SELECT id FROM projects WHERE code = 'PRUEBA-1'") == own)
        #expect(try office.central("SELECT project_id FROM calicatas WHERE code = 'C-90'") == own)
        // The server joined who made it; that is the membership here, too.
        #expect(try office.run("sync", as: Self.coordinator).status == 0)
        let members = "SELECT id FROM project_members WHERE project_id = '\(own)'"
        #expect(try office.local(members) == office.central(members) && !office.local(members).isEmpty)
        #expect(try office.local("SELECT count(*) FROM sync_queue") == "0")
    }

    /// Somebody was added here whom the server knows, and the project was refused there once.
    @Test func whoWasAddedHereAndWhatWasRefusedOnceIsAdoptedToo() throws {
        let office = try office(.postgres)
        #expect(try office.runs(["users", "add", SyncedOffice.field, "--role", "CAMPO", "--name", "Campo"], as: Self.coordinator).status == 0)
        // The person is no member there yet, and no two projects may have one code.
        try office.central("CREATE TABLE aside AS SELECT * FROM project_members; DELETE FROM project_members; CREATE UNIQUE INDEX one_code ON projects (code)")
        let refused = try office.run("sync", as: Self.coordinator)
        #expect(refused.status == 1 && refused.output.contains("SYNC-NOT-SENT"), "\(refused.output)\(refused.error)")
        #expect(try office.local("SELECT count(*) FROM projects") == "1")
        try office.central("INSERT INTO project_members SELECT * FROM aside")
        let synced = try office.run("sync", "--retry", as: Self.coordinator)
        #expect(synced.status == 0, "\(synced.output)\(synced.error)")
        #expect(try office.local("SELECT id FROM projects") == SyncedOffice.project)
        #expect(try office.central("SELECT project_id FROM calicatas WHERE code = 'C-90'") == SyncedOffice.project)
        #expect(try office.local("SELECT count(*), min(id) = '\(office.central("SELECT id FROM profiles WHERE email = '\(SyncedOffice.field)'"))' FROM profiles WHERE email = '\(SyncedOffice.field)'") == "1|1")
        #expect(try office.run("sync").status == 0, "who was added here works under the server's id")
    }
}
