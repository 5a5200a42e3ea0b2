import Foundation
import Testing
import Workbench

/// A job that syncs: what is delivered is what the server has, and what was registered goes up.
@Suite struct SyncJobTests {
    private static let coordinator = "coordinadora@example.pe"

    private func job(_ office: SyncedOffice, _ keys: String = "sync: [before, after]") throws -> String {
        let path = office.folder + "/entrega.yaml"
        try """
        job: entrega
        \(keys)
        steps:
          - export: calicatas
            formats: [csv]
            policy: mark
        """.write(toFile: path, atomically: true, encoding: .utf8)
        return path
    }

    @Test func whatIsDeliveredIsWhatTheServerHas() throws {
        let office = try SyncedOffice()
        try office.follow(as: Self.coordinator)
        _ = try office.pit(1)
        let run = try office.runs(["run", job(office), "-o", office.folder + "/out"], as: Self.coordinator)
        #expect(run.output.contains("Proven"), "\(run.output)\(run.error)")
        #expect(try office.local("SELECT group_concat(code) FROM calicatas") == "C-01")
        let exports = try office.local("SELECT count(*) FROM exports")
        #expect(try exports != "0" && office.central("SELECT count(*) FROM exports") == exports, "what was registered is there too")
    }

    @Test func aServerThatIsNotThereEndsTheJobBeforeAnythingIsMade() throws {
        let office = try SyncedOffice()
        try office.follow(as: Self.coordinator)
        try office.configure(host: office.folder)
        let run = try office.runs(["run", job(office), "-o", office.folder + "/out"], as: Self.coordinator)
        #expect(run.status == 69, "\(run.error)")
        #expect(!FileManager.default.fileExists(atPath: office.folder + "/out"))
    }

    @Test func whatIsNotTheSameOnBothSidesIsNotDelivered() throws {
        let office = try SyncedOffice()
        _ = try office.pit(1)
        try office.follow(as: Self.coordinator)
        let spoiled = try OtherProgram.run("/usr/bin/sqlite3", [office.replica, "DELETE FROM calicatas"])
        #expect(spoiled.status == 0)
        let run = try office.runs(["run", job(office), "-o", office.folder + "/out"], as: Self.coordinator)
        #expect(run.status == 1 && run.output.contains("Not the same on both sides"), "\(run.output)\(run.error)")
        #expect(!FileManager.default.fileExists(atPath: office.folder + "/out"))
    }

    @Test func aJobThatIsWrongDoesNotSyncFirst() throws {
        let office = try SyncedOffice()
        try office.follow(as: Self.coordinator)
        _ = try office.pit(1)
        let path = try job(office)
        try String(contentsOfFile: path, encoding: .utf8).replacingOccurrences(of: "export: calicatas", with: "export: calicatitas")
            .write(toFile: path, atomically: true, encoding: .utf8)
        let run = try office.runs(["run", path, "-o", office.folder + "/out"], as: Self.coordinator)
        #expect(run.status != 0 && run.error.contains("calicatitas"), "\(run.error)")
        #expect(try office.local("SELECT count(*) FROM calicatas") == "0")
    }

    @Test func inProductionTheJobSaysThatItIsMeant() throws {
        let office = try SyncedOffice()
        try office.follow(as: Self.coordinator)
        try office.configure(environment: "PROD")
        let refused = try office.runs(["run", job(office), "-o", office.folder + "/out"], as: Self.coordinator)
        #expect(refused.status == 64 && refused.error.contains("REMOTE-PRODUCTION"), "\(refused.error)")
        let late = try office.runs(["run", job(office, "sync: [after]"), "-o", office.folder + "/out"], as: Self.coordinator)
        #expect(late.status == 64 && late.error.contains("REMOTE-PRODUCTION"), "\(late.error)")
        #expect(!FileManager.default.fileExists(atPath: office.folder + "/out"), "it is refused before anything is made")
        let planned = try office.runs(["run", job(office), "--plan"], as: Self.coordinator)
        #expect(planned.status == 0 && planned.output.contains("syncs first") && planned.output.contains("syncs at the end"), "\(planned.output)\(planned.error)")
        let meant = try office.runs(["run", job(office, "sync: [before]\nproduction: true"), "-o", office.folder + "/out"], as: Self.coordinator)
        #expect(meant.output.contains("Proven"), "\(meant.output)\(meant.error)")
    }
}
