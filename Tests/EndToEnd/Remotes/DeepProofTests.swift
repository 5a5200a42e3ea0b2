import Foundation
import Testing
import Workbench

/// `sync --prove --deep` compares values, where a version alone says that all is well.
@Suite struct DeepProofTests {
    private static let coordinator = "coordinadora@example.pe"

    @Test(arguments: [SyncedOffice.Way.postgres, .supabase, .foreign]) func damageHereIsFoundToldAndMended(_ way: SyncedOffice.Way) throws {
        let office = try SyncedOffice(way)
        _ = try (office.pit(1), office.pit(2))
        try office.follow(as: Self.coordinator)
        // It goes up with the sync that compares.
        #expect(try office.runs(["edit", "C-02", "--set", "location=km 3", "--fail-on", "never"], as: Self.coordinator).status == 0)
        try office.change("UPDATE calicatas SET depth_m = 9.5, title = 'Damaged' WHERE code = 'C-01'")
        // A server that does not tell exactly what changed sends the newest rows again.
        if !way.isForeign {
            let proven = try office.runs(["sync", "--prove"], as: Self.coordinator)
            #expect(proven.status == 0 && proven.output.contains("Proven"), "versions alone do not show it: \(proven.output)\(proven.error)")
            #expect(try office.runs(["edit", "C-02", "--set", "location=km 4", "--fail-on", "never"], as: Self.coordinator).status == 0)
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

    @Test func rowsThatWereLostOrMadeHereByNobodyAreTold() throws {
        let office = try SyncedOffice()
        _ = try (office.pit(1), office.pit(2))
        try office.follow(as: Self.coordinator)
        // What is new there is no damage.
        _ = try office.pit(3)
        let stray = "29999999-0000-4000-8000-000000000000"
        try office.change(
            """
            CREATE TEMP TABLE stray AS SELECT * FROM calicatas WHERE code = 'C-02'; UPDATE stray SET id = '\(stray)', code = 'C-99', key_text = NULL;
            INSERT INTO calicatas SELECT * FROM stray; DELETE FROM calicatas WHERE code = 'C-01'
            """)
        let plain = try office.runs(["sync", "--prove"], as: Self.coordinator)
        #expect(plain.status == 1 && plain.output.contains("--prove --deep"), "a proof that fails says what mends it: \(plain.output)")
        let deep = try office.runs(["sync", "--prove", "--deep"], as: Self.coordinator)
        #expect(deep.status == 1 && deep.output.contains("SYNC-ROW-MISSING") && deep.output.contains("SYNC-ROW-SURPLUS"), "\(deep.output)\(deep.error)")
        #expect(deep.output.contains("C-99") && !deep.output.contains("SYNC-VALUES-DIFFER"), "\(deep.output)")
        #expect(try office.local("SELECT group_concat(code) FROM (SELECT code FROM calicatas ORDER BY code)") == "C-01,C-02,C-03")
        #expect(try office.local("SELECT details FROM activity_logs WHERE action = 'values_corrected'").contains("C-99"))
        #expect(try office.runs(["sync", "--prove", "--deep"], as: Self.coordinator).status == 0)
    }

    /// A wrong index would lead to other rows than those that are meant.
    @Test func aDamagedFileIsNotCompared() throws {
        let office = try SyncedOffice()
        _ = try office.pit(1)
        try office.follow(as: Self.coordinator)
        try office.change("PRAGMA writable_schema = ON; DELETE FROM sqlite_schema WHERE name LIKE 'ix_calicatas%'; PRAGMA writable_schema = OFF")
        let page = try Int(office.local("PRAGMA page_size")) ?? 0, root = try Int(office.local("SELECT rootpage FROM sqlite_schema WHERE name = 'sqlite_autoindex_calicatas_1'")) ?? 0
        let file = try #require(FileHandle(forUpdatingAtPath: office.replica))
        try file.seek(toOffset: UInt64(page * root - 8))
        try file.write(contentsOf: Data([0xff, 0x01]))
        try file.close()
        let refused = try office.runs(["sync", "--prove", "--deep"], as: Self.coordinator)
        #expect(refused.status == 65 && refused.error.contains("REPLICA-DAMAGED"), "\(refused.output)\(refused.error)")
    }

    /// Without a time of the last change, news and damage look alike.
    @Test func aTableWithoutTimesIsNotJudged() throws {
        let office = try SyncedOffice(.foreign)
        let pit = try office.pit(1)
        try office.central("INSERT INTO calicata_cortes (id, calicata_id, number) VALUES (gen_random_uuid(), '\(pit)', 1); DROP TRIGGER IF EXISTS touch ON calicata_cortes; ALTER TABLE calicata_cortes DROP COLUMN IF EXISTS updated_at")
        try office.follow(as: Self.coordinator)
        try office.central("UPDATE calicata_cortes SET description = 'sand'")
        let deep = try office.runs(["sync", "--prove", "--deep"], as: Self.coordinator)
        #expect(deep.status == 0, "\(deep.output)\(deep.error)")
        #expect(try office.local("SELECT description FROM calicata_cortes") == "sand")
    }

    /// A change with a trigger switched off leaves the version as it was.
    @Test func aChangeThereWithoutATraceComes() throws {
        let office = try SyncedOffice()
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
