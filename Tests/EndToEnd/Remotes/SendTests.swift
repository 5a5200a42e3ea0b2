import Foundation
import Testing
import Workbench

/// What was changed here goes to the central database, once and in order.
@Suite struct SendTests {
    private func add(_ office: SyncedOffice, _ code: String, depth: String = "2.5") throws -> String {
        let added = try office.run("add", "calicatas", "--project", "PRUEBA-1", "--set", "code=\(code)", "--set", "depth_m=\(depth)", "--set", "status=BORRADOR", "--fail-on", "never")
        #expect(added.status == 0, "\(added.output)\(added.error)")
        return try office.local("SELECT id FROM calicatas WHERE code = '\(code)'")
    }

    private func part(_ office: SyncedOffice, of pit: String, number: Int) throws {
        let added = try office.run("add", "calicata_cortes", "--project", "PRUEBA-1", "--set", "calicata_id=\(pit)", "--set", "number=\(number)", "--fail-on", "never")
        #expect(added.status == 0, "\(added.output)\(added.error)")
    }

    private func edit(_ office: SyncedOffice, _ record: String, _ statement: String) throws {
        let edited = try office.run("edit", record, "--set", statement, "--fail-on", "never")
        #expect(edited.status == 0, "\(edited.output)\(edited.error)")
    }

    /// Entries of a project that is not here would wait for ever, and nobody would see them.
    @Test func entriesOfAProjectThatIsNotHereAreNotPassedOver() throws {
        let office = try SyncedOffice(), coordinator = "coordinadora@example.pe"
        _ = try office.pit(1)
        try office.follow(as: coordinator)
        #expect(
            try office.run("edit", "C-01", "--set", "title=mine", "--fail-on", "never", as: coordinator).status == 0)
        try office.change(
            "UPDATE activity_logs SET project_id = '10000000-0000-4000-8000-000000000009' WHERE remote_updated_at IS NULL AND entity_id IS NOT NULL"
        )
        let told = try office.run("sync", as: coordinator)
        #expect(
            told.status == 1 && told.output.contains("SYNC-NOT-SENT") && told.output.contains("activity_logs"),
            "\(told.output)\(told.error)")
    }

    @Test(arguments: SyncedOffice.Way.allCases) func whatWasMadeOfflineAppearsThereUnderItsProject(_ way: SyncedOffice.Way) throws {
        let office = try SyncedOffice(way)
        _ = try office.pit(1)
        try office.follow()
        let new = try add(office, "C-20")
        try part(office, of: new, number: 1)
        try part(office, of: new, number: 2)
        try edit(office, "C-20", "title=Ñandú “x”\\y")
        try edit(office, "C-01", "depth_m=3.25")
        let planned = try office.run("sync", "--plan")
        #expect(planned.output.contains(/Strata +Insert +2/), "\(planned.output)")
        let synced = try office.run("sync", "--prove")
        #expect(synced.status == 0 && synced.output.contains("Proven"), "\(synced.output)\(synced.error)")
        #expect(
            try office.central("SELECT code, title, depth_m, project_id FROM calicatas ORDER BY code")
                == "C-01||3.25|\(SyncedOffice.project)\nC-20|Ñandú “x”\\y|2.5|\(SyncedOffice.project)")
        #expect(try office.central("SELECT string_agg(number::text, ',' ORDER BY number) FROM calicata_cortes") == "1,2")
        #expect(try office.local("SELECT count(*) FROM sync_queue") == "0")
        #expect(try office.local("SELECT group_concat(DISTINCT sync_state) FROM calicatas") == "synced")
        #expect(try office.central("SELECT count(*) FROM activity_logs WHERE action = 'row_added' AND entity_type = 'calicatas'") == "1", "the log goes up too")
        let again = try office.run("sync")
        #expect(again.output.contains("Nothing changed there.") && again.output.contains("Sent: 0 changes"), "\(again.output)")
    }

    @Test(arguments: SyncedOffice.Way.kinds) func aDeletionGoesUpWithItsParts(_ way: SyncedOffice.Way) throws {
        let office = try SyncedOffice(way)
        let pit = try office.pit(1)
        try office.central("INSERT INTO calicata_cortes (id, calicata_id, number) VALUES (gen_random_uuid(), '\(pit)', 1)")
        try office.follow()
        #expect(try office.run("sync", as: "coordinadora@example.pe").status == 0)
        let deleted = try office.run("delete", "C-01", "--reason", "dug twice", as: "coordinadora@example.pe")
        #expect(deleted.status == 0, "\(deleted.output)\(deleted.error)")
        let synced = try office.run("sync", "--prove", as: "coordinadora@example.pe")
        #expect(synced.status == 0, "\(synced.output)\(synced.error)")
        #expect(try office.central("SELECT count(*) FROM calicatas") == "0" && office.local("SELECT count(*) FROM calicatas") == "0")
    }

    @Test func aValueWithoutColumnThereIsTold() throws {
        let office = try SyncedOffice()
        _ = try office.pit(1)
        try office.follow()
        try office.central("ALTER TABLE calicatas DROP COLUMN observations")
        try edit(office, "C-01", "observations=rained")
        let synced = try office.run("sync")
        #expect(synced.status == 0 && synced.output.contains("SYNC-FIELD-UNKNOWN") && synced.output.contains("bservations"), "\(synced.output)\(synced.error)")
        #expect(try !office.run("sync").output.contains("SYNC-FIELD-UNKNOWN"), "only with what goes")
        #expect(try office.local("SELECT observations FROM calicatas") == "rained")
    }

    @Test(arguments: SyncedOffice.Way.kinds) func whatTheServerRefusesWaitsAndHoldsBackOnlyItsOwn(_ way: SyncedOffice.Way) throws {
        let office = try SyncedOffice(way)
        try office.follow()
        try office.central("ALTER TABLE calicatas ADD CONSTRAINT shallow CHECK (depth_m < 5)")
        let deep = try add(office, "C-30", depth: "7")
        try part(office, of: deep, number: 1)
        _ = try add(office, "C-31")
        let synced = try office.run("sync")
        #expect(synced.status == 1 && synced.output.contains("SYNC-NOT-SENT") && synced.output.contains("schema"), "\(synced.output)\(synced.error)")
        #expect(try office.central("SELECT string_agg(code, ',') FROM calicatas") == "C-31")
        #expect(try office.local("SELECT sync_state FROM calicatas WHERE code = 'C-30'") == "error")
        #expect(try office.local("SELECT retry_count FROM sync_queue WHERE entity_id = '\(deep)'") == "1")
        #expect(try office.local("SELECT count(*) FROM sync_queue WHERE entity_type = 'calicata_cortes'") == "1", "a part waits for its record")
        try office.central("ALTER TABLE calicatas DROP CONSTRAINT shallow")
        let soon = try office.run("sync")
        #expect(soon.status == 0 && soon.output.contains("tried again later: 1, the first at"), "\(soon.output)\(soon.error)")
        #expect(try office.local("SELECT retry_count FROM sync_queue WHERE entity_id = '\(deep)'") == "1", "it is not tried at once")
        let again = try office.run("sync", "--prove", "--retry")
        #expect(again.status == 0, "\(again.output)\(again.error)")
        #expect(try office.central("SELECT count(*) FROM calicata_cortes") == "1")
        #expect(try office.local("SELECT count(*) FROM sync_queue") == "0")
    }

    @Test func aRefusedRowThatIsMendedGoesWithTheNextSync() throws {
        let office = try SyncedOffice()
        try office.follow()
        try office.central("ALTER TABLE calicatas ADD CONSTRAINT shallow CHECK (depth_m < 5)")
        let deep = try add(office, "C-30", depth: "7")
        try part(office, of: deep, number: 1)
        #expect(try office.run("sync").status == 1)
        try edit(office, "C-30", "depth_m=4")
        let mended = try office.run("sync", "--prove")
        #expect(mended.status == 0 && !mended.output.contains("SYNC-NOT-SENT"), "\(mended.output)\(mended.error)")
        #expect(try office.central("SELECT code, depth_m = 4 FROM calicatas") == "C-30|t")
        #expect(try office.central("SELECT count(*) FROM calicata_cortes") == "1")
        #expect(try office.local("SELECT count(*) FROM sync_queue") == "0" && office.local("SELECT count(*) FROM push_waits") == "0")
    }

    @Test(arguments: SyncedOffice.Way.allCases) func aConflictThatIsDecidedGoesUpOnTheServersVersion(_ way: SyncedOffice.Way) throws {
        let office = try SyncedOffice(way)
        let pit = try office.pit(1)
        try office.follow()
        try edit(office, "C-01", "title=mine")
        try office.central("UPDATE calicatas SET location = 'km 3' WHERE id = '\(pit)'")
        let contested = try office.run("sync")
        #expect(contested.status == 0 && contested.output.contains("SYNC-CONFLICT"), "\(contested.output)\(contested.error)")
        #expect(try office.central("SELECT title, location FROM calicatas") == "|km 3", "nothing is overwritten there either")
        #expect(try office.run("sync", as: "coordinadora@example.pe").status == 0)
        let merged = try office.run("conflicts", "merge", "C-01", as: "coordinadora@example.pe")
        #expect(merged.status == 0, "\(merged.output)\(merged.error)")
        let synced = try office.run("sync", "--prove")
        #expect(synced.status == 0, "\(synced.output)\(synced.error)")
        #expect(try office.central("SELECT title, location FROM calicatas") == "mine|km 3")
        #expect(try office.local("SELECT sync_state FROM calicatas") == "synced")
    }

    @Test func aProofSaysHowMuchWaitsHere() throws {
        let office = try SyncedOffice()
        for number in 1...3 { _ = try office.pit(number) }
        try office.follow()
        try edit(office, "C-01", "title=mine")
        try edit(office, "C-02", "title=mine too")
        let proven = try office.run("sync", "--pull", "--prove")
        #expect(proven.status == 0 && proven.output.contains("Rows that wait here with changes of their own: 2."), "\(proven.output)\(proven.error)")
        let sent = try office.run("sync", "--prove")
        #expect(sent.output.contains("Proven") && !sent.output.contains("wait here"), "\(sent.output)")
        try edit(office, "C-01", "title=again")
        #expect(try office.run("sync", "--push").output.contains("What changed there was not asked for."))
    }

    @Test(arguments: SyncedOffice.Way.kinds) func whatWasDeletedThereAndIsKeptHereIsMadeAnew(_ way: SyncedOffice.Way) throws {
        let office = try SyncedOffice(way)
        let pit = try office.pit(1)
        try office.follow()
        try edit(office, "C-01", "title=mine")
        try office.central("DELETE FROM calicatas WHERE id = '\(pit)'")
        let told = try office.run("sync", "--json")
        #expect(told.output.contains("\"SYNC-DELETED\"") && told.output.contains("\"contested\" : \(way.isForeign ? 0 : 1)"), "\(told.output)")
        #expect(!told.output.contains("\"calicatas\" : 1"), "it was not sent")
        #expect(try office.run("sync", as: "coordinadora@example.pe").status == 0)
        let kept = try office.run("conflicts", "keep", "C-01", "local", as: "coordinadora@example.pe")
        #expect(kept.status == 0, "\(kept.output)\(kept.error)")
        let synced = try office.run("sync", "--prove")
        #expect(synced.status == 0, "\(synced.output)\(synced.error)")
        #expect(try office.central("SELECT id, title FROM calicatas") == "\(pit)|mine")
    }

    /// A run that is killed after the server has committed: the replica does not know it.
    @Test(arguments: SyncedOffice.Way.kinds) func whatIsSentTwiceIsThereOnce(_ way: SyncedOffice.Way) throws {
        let office = try SyncedOffice(way)
        _ = try office.pit(1)
        try office.follow()
        _ = try add(office, "C-40")
        try edit(office, "C-01", "title=mine")
        try edit(office, "C-01", "title=mine too")
        let before = office.folder + "/before.db"
        _ = try OtherProgram.run("/usr/bin/sqlite3", [office.replica, "VACUUM INTO '\(before)'"])
        #expect(try office.run("sync").status == 0)
        let versions = try office.central("SELECT string_agg(code || title, ',' ORDER BY code) FROM calicatas")
        for suffix in ["-wal", "-shm", ""] { try? FileManager.default.removeItem(atPath: office.replica + suffix) }
        try FileManager.default.moveItem(atPath: before, toPath: office.replica)
        let again = try office.run("sync", "--prove")
        #expect(again.status == 0, "\(again.output)\(again.error)")
        #expect(try office.central("SELECT count(*) FROM calicatas") == "2")
        #expect(try office.central("SELECT string_agg(code || title, ',' ORDER BY code) FROM calicatas") == versions)
        #expect(try office.local("SELECT count(*) FROM sync_queue") == "0")
        #expect(try office.local("SELECT count(*) FROM conflicts") == "0")
        #expect(try office.central("SELECT count(*) - count(DISTINCT id) FROM activity_logs") == "0")
    }
}
