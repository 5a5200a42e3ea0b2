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
    @Test(arguments: SyncedOffice.Way.exact) func aRecordOfSomebodyUnseenMayBeEdited(_ way: SyncedOffice.Way) throws {
        let office = try SyncedOffice(way)
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
}
