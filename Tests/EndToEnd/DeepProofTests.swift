import Foundation
import Testing
import Workbench

/// `sync --prove --deep` compares values, where a version alone says that all is well.
@Suite struct DeepProofTests {
    private static let coordinator = "coordinadora@example.pe"

    @Test(arguments: SyncedOffice.Way.allCases) func damageHereIsFoundToldAndMended(_ way: SyncedOffice.Way) throws {
        let office = try SyncedOffice(way)
        _ = try (office.pit(1), office.pit(2))
        try office.follow(as: Self.coordinator)
        #expect(try office.runs(["edit", "C-02", "--set", "location=km 3", "--fail-on", "never"], as: Self.coordinator).status == 0)
        #expect(try office.runs(["sync"], as: Self.coordinator).status == 0)
        try office.change("UPDATE calicatas SET depth_m = 9.5, title = 'Damaged' WHERE code = 'C-01'")
        // A server that does not tell exactly what changed sends the newest rows again.
        if !way.isForeign {
            let proven = try office.runs(["sync", "--prove"], as: Self.coordinator)
            #expect(proven.status == 0 && proven.output.contains("Proven"), "versions alone do not show it: \(proven.output)\(proven.error)")
        }
        let deep = try office.runs(["sync", "--prove", "--deep"], as: Self.coordinator)
        #expect(deep.status == 1 && deep.output.contains("SYNC-VALUES-DIFFER") && deep.output.contains("PRUEBA-1 / C-01"), "\(deep.output)\(deep.error)")
        #expect(!deep.output.contains("C-02"), "what was sent from here is the same there: \(deep.output)")
        #expect(try office.local("SELECT depth_m, title IS NULL, sync_state FROM calicatas WHERE code = 'C-01'") == "1.5|1|synced")
        let log = try office.local("SELECT details FROM activity_logs WHERE action = 'values_corrected'")
        #expect(log.contains("Damaged") && log.contains("9.5"), "what was here is kept: \(log)")
        let out = office.folder + "/out"
        for (options, isDeep) in [(["--deep"], true), ([], false)] {
            let again = try office.runs(["sync", "--prove", "-o", out] + options, as: Self.coordinator)
            #expect(again.status == 0 && again.output.contains("with all their values") == isDeep, "\(again.output)\(again.error)")
            let names = try FileManager.default.contentsOfDirectory(atPath: out + "/PRUEBA-1").sorted()
            let text = try String(contentsOfFile: out + "/PRUEBA-1/" + (names.last ?? ""), encoding: .utf8)
            #expect(text.contains(#""comparesValues" : \#(isDeep)"#), "\(text)")
        }
        #expect(try office.runs(["sync", "--deep"], as: Self.coordinator).status == 64)
    }

    /// A change with a trigger switched off leaves the version as it was.
    @Test(arguments: SyncedOffice.Way.exact) func aChangeThereWithoutATraceComes(_ way: SyncedOffice.Way) throws {
        let office = try SyncedOffice(way)
        let pit = try office.pit(1)
        try office.follow(as: Self.coordinator)
        try office.central("SET session_replication_role = replica; UPDATE calicatas SET title = 'Unseen' WHERE id = '\(pit)'")
        #expect(try office.runs(["sync", "--prove"], as: Self.coordinator).status == 0)
        #expect(try office.local("SELECT title IS NULL FROM calicatas") == "1")
        let deep = try office.runs(["sync", "--prove", "--deep"], as: Self.coordinator)
        #expect(deep.status == 1 && deep.output.contains("SYNC-VALUES-DIFFER"), "\(deep.output)\(deep.error)")
        #expect(try office.local("SELECT title FROM calicatas") == "Unseen")
    }

    /// Changes that wait here are no damage.
    @Test func whatWaitsHereStays() throws {
        let office = try SyncedOffice()
        _ = try office.pit(1)
        try office.follow(as: Self.coordinator)
        #expect(try office.runs(["edit", "C-01", "--set", "location=km 3", "--fail-on", "never"], as: Self.coordinator).status == 0)
        let deep = try office.runs(["sync", "--pull", "--prove", "--deep"], as: Self.coordinator)
        #expect(deep.status == 0 && !deep.output.contains("SYNC-VALUES-DIFFER"), "\(deep.output)\(deep.error)")
        #expect(try office.local("SELECT location FROM calicatas") == "km 3")
    }
}
