import Foundation
import Testing
import Workbench

/// `sync --plan` says what a sync would do, and the sync does it.
@Suite struct SyncPlanTests {
    private static let coordinator = "coordinadora@example.pe"

    private func run(_ office: SyncedOffice, _ arguments: String...) throws -> String {
        let done = try office.runs(arguments, as: Self.coordinator)
        #expect(done.status == 0, "\(arguments): \(done.output)\(done.error)")
        return done.output
    }

    /// A line of a table, without the spaces between its columns.
    private func line(_ text: String, _ entity: String) -> String? {
        text.split(separator: "\n").map { $0.split(separator: " ").joined(separator: " ") }.first { $0.contains(entity) }
    }

    @Test func whatMovesToAProjectThatDoesNotComeIsRemoved() throws {
        let office = try SyncedOffice()
        let pit = try office.pit(1)
        _ = try office.pit(2)
        try office.follow(as: Self.coordinator)
        try office.central("UPDATE calicatas SET project_id = (SELECT id FROM projects WHERE code = 'PRUEBA-2') WHERE id = '\(pit)'")
        #expect(try line(run(office, "sync", "--plan"), "Test pits") == "PRUEBA-1 Test pits 0 1")
        #expect(try line(run(office, "sync"), "Test pits")?.hasSuffix(" 1") == true)
        #expect(try run(office, "sync", "--plan").contains("Nothing changed there."))
    }

    @Test func aLostMembershipIsPlanned() throws {
        let office = try SyncedOffice()
        _ = try office.pit(1)
        try office.follow(as: Self.coordinator)
        try office.central("DELETE FROM project_members WHERE project_id = '\(SyncedOffice.project)' AND profile_id = (SELECT id FROM profiles WHERE email = '\(Self.coordinator)')")
        #expect(try run(office, "sync", "--plan").contains("Projects that you no longer see: 1"))
        #expect(try run(office, "sync").contains("Projects that you no longer see: 1"))
        #expect(try !run(office, "sync", "--plan").contains("no longer see"))
    }

    /// Documents of others wait for somebody who may send them.
    @Test func whatTheRoleMayNotSendIsNotPlanned() throws {
        let office = try SyncedOffice()
        _ = try office.pit(1)
        try office.follow(as: Self.coordinator)
        let export = ["export", "calicatas", "--project", "PRUEBA-1", "--format", "csv", "-o", "out"]
        let made = try office.runs(export + ["--fail-on", "never"], as: Self.coordinator)
        #expect(try office.local("SELECT count(*) > 0 FROM exports") == "1", "\(made.output)\(made.error)")
        func logs(_ part: String, _ arguments: String...) throws -> Int? {
            let done = try office.runs(arguments, as: SyncedOffice.field)
            #expect(done.status == 0, "\(done.output)\(done.error)")
            return (try Reading.json(done.output)[part] as? [String: Any])?["logs"] as? Int
        }
        let planned = try logs("waiting", "sync", "--plan", "--json")
        #expect(try planned == logs("sent", "sync", "--json"))
        #expect(try office.local("SELECT count(*) > 0 FROM exports WHERE sync_state <> 'synced'") == "1")
    }

    /// As many rows came as went: their number says nothing.
    @Test func oneWentAndAnotherCame() throws {
        let office = try SyncedOffice(.foreign)
        let pit = try office.pit(1)
        _ = try office.pit(2)
        try office.follow(as: Self.coordinator)
        try office.central("DELETE FROM calicatas WHERE id = '\(pit)'")
        _ = try office.pit(3)
        #expect(try line(run(office, "sync", "--plan"), "Test pits") == "PRUEBA-1 Test pits 1 1")
    }
}
