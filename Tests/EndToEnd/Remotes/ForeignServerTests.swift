import Testing
import Workbench

/// A server that is not ours to change has the time of a row's last change alone, and tells no
/// deletions. What the other suites ask of every server holds for it too; here is what it lacks.
@Suite struct ForeignServerTests {
    private static let coordinator = "coordinadora@example.pe"

    private func office(_ way: SyncedOffice.Way) throws -> SyncedOffice {
        let office = try SyncedOffice(way)
        for number in 1...3 { _ = try office.pit(number) }
        try office.follow(as: Self.coordinator)
        return office
    }

    private func run(_ office: SyncedOffice, _ arguments: String..., status: Int32 = 0) throws -> String {
        let done = try office.runs(arguments, as: Self.coordinator)
        #expect(done.status == status, "\(arguments): \(done.output)\(done.error)")
        return done.output + done.error
    }

    private func codes(_ office: SyncedOffice) throws -> String { try office.local("SELECT group_concat(code) FROM (SELECT code FROM calicatas ORDER BY 1)") }

    @Test func itIsNotPreparedAndStillFollowed() throws {
        let office = try office(.foreign)
        #expect(try office.central("SELECT to_regprocedure('fichero.columns()') IS NULL") == "t")
        #expect(try codes(office) == "C-01,C-02,C-03")
        #expect(try run(office, "sync").contains("Nothing changed there."), "what comes again within the overlap is nothing new")
    }

    @Test func aDeletionIsFoundByTheNumberOfRows() throws {
        let office = try office(.foreign)
        try office.central("DELETE FROM calicatas WHERE code = 'C-02'")
        #expect(try run(office, "sync").contains("Test pits"))
        #expect(try codes(office) == "C-01,C-03")
    }

    @Test func timesThatAreNoneAreNoDifference() throws {
        let office = try office(.foreign)
        for (table, condition) in [("projects", "true"), ("calicatas", "code = 'C-02'")] {
            for time in ["'infinity'", "'-infinity'", "NULL"] {
                try office.central("ALTER TABLE \(table) DISABLE TRIGGER touch; UPDATE \(table) SET updated_at = \(time) WHERE \(condition); ALTER TABLE \(table) ENABLE TRIGGER touch")
                #expect(try run(office, "sync", "--prove").contains("Proven"), "\(table) \(time)")
            }
        }
        try office.central("ALTER TABLE calicatas DISABLE TRIGGER touch; UPDATE calicatas SET updated_at = 'infinity' WHERE code = 'C-02'; ALTER TABLE calicatas ENABLE TRIGGER touch")
        _ = try run(office, "sync", "--prove")
        _ = try run(office, "edit", "C-02", "--set", "title=Sin fecha", "--fail-on", "never")
        #expect(try run(office, "sync", "--prove").contains("Proven"))
        #expect(try office.central("SELECT title FROM calicatas WHERE code = 'C-02'") == "Sin fecha")
    }

    /// A table of somebody else that has another kind of ids.
    @Test func idsThatAreNoUUIDsAreToldWithTheirTable() throws {
        let office = try SyncedOffice(.foreign)
        try office.central("DROP TABLE exports CASCADE; CREATE TABLE exports (id text PRIMARY KEY, project_id uuid); GRANT SELECT ON exports TO authenticated")
        let told = try office.run("sync", as: Self.coordinator)
        #expect(told.status == 78 && told.error.contains("REMOTE-IDS") && told.error.contains("exports") && told.error.contains("uuid"), "\(told.output)\(told.error)")
    }

    /// What was committed longer ago than the overlap is out of sight of the time alone.
    @Test(arguments: SyncedOffice.Way.inexact) func whatCameLateIsFoundByTheNumberOrTheProof(_ way: SyncedOffice.Way) throws {
        let office = try office(way)
        let late = "20000009-0000-4000-8000-000000000000"
        try office.central(
            """
            INSERT INTO calicatas (id, project_id, code, status, updated_at) VALUES ('\(late)', '\(SyncedOffice.project)', 'C-09', 'BORRADOR', now() - interval '2 days')
            """)
        _ = try run(office, "sync")
        #expect(try codes(office) == "C-01,C-02,C-03,C-09")
        // As many rows as before, none of them with a new time.
        try office.central(
            """
            DELETE FROM calicatas WHERE code = 'C-01';
            INSERT INTO calicatas (id, project_id, code, status, updated_at)
            VALUES ('\(late.replacing("0009", with: "0008"))', '\(SyncedOffice.project)', 'C-08', 'BORRADOR', now() - interval '2 days')
            """)
        _ = try run(office, "sync")
        #expect(try codes(office) == "C-01,C-02,C-03,C-09", "this is what a number cannot tell")
        #expect(try run(office, "sync", "--prove").contains("Proven"))
        #expect(try codes(office) == "C-02,C-03,C-08,C-09")
    }

    /// Nothing gives a changed row a new version there.
    @Test func whatWasChangedWithoutANewVersionIsNotWrittenOver() throws {
        let office = try office(.foreign)
        try office.central("DROP TRIGGER touch ON calicatas")
        try office.central("UPDATE calicatas SET title = 'theirs' WHERE code = 'C-01'")
        _ = try run(office, "edit", "C-01", "--set", "title=mine")
        #expect(try run(office, "sync").contains("SYNC-CONFLICT"))
        #expect(try office.central("SELECT title FROM calicatas WHERE code = 'C-01'") == "theirs")
        #expect(try office.local("SELECT title FROM calicatas WHERE code = 'C-01'") == "mine")
        // What goes up gets one, so that others find it.
        let other = try SyncedOffice(following: office)
        try other.follow(as: Self.coordinator)
        _ = try run(office, "edit", "C-02", "--set", "title=new")
        _ = try run(office, "sync")
        _ = try run(other, "sync")
        #expect(try other.local("SELECT title FROM calicatas WHERE code = 'C-02'") == "new")
    }

    /// A deletion destroys no change that its author did not know; a decision about it counts.
    @Test(arguments: SyncedOffice.Way.inexact) func whatWasChangedWithoutANewVersionIsNotDeleted(
        _ way: SyncedOffice.Way
    ) throws {
        let office = try office(way)
        try office.central("DROP TRIGGER touch ON calicatas; UPDATE calicatas SET title = 'theirs'")
        for code in ["C-01", "C-02"] { _ = try run(office, "delete", code, "--reason", "dug twice") }
        _ = try run(office, "sync")
        #expect(try office.local("SELECT count(*) FROM conflicts WHERE resolution_status = 'open'") == "2")
        #expect(try office.central("SELECT count(*) FROM calicatas WHERE title = 'theirs'") == "3")
        let listed = try run(office, "conflicts")
        #expect(
            listed.contains("PRUEBA-1 / C-01") && listed.contains("PRUEBA-1 / C-02") && listed.contains("Title"),
            "\(listed)")
        let shown = try run(office, "conflicts", "show", "C-01")
        #expect(shown.contains("removed here") && shown.contains("theirs"), "\(shown)")
        _ = try run(office, "conflicts", "keep", "C-01", "mine")
        _ = try run(office, "conflicts", "keep", "C-02", "theirs", "--fail-on", "never")
        _ = try run(office, "sync", "--prove")
        #expect(
            try office.central("SELECT string_agg(code || ' ' || title, ',' ORDER BY code) FROM calicatas")
                == "C-02 theirs,C-03 theirs")
        #expect(try office.local("SELECT title FROM calicatas WHERE code = 'C-02'") == "theirs")
        #expect(
            try office.local(
                "SELECT (SELECT count(*) FROM sync_queue), (SELECT count(*) FROM row_bases), (SELECT count(*) FROM own_bases)"
            ) == "0|0|0")
    }

    /// The log has entries of no project: nobody tells them, and no project's rows are without them.
    @Test(arguments: SyncedOffice.Way.inexact) func entriesOfNoProjectStay(_ way: SyncedOffice.Way) throws {
        let office = try office(way),
            entries = "SELECT count(*) FROM activity_logs WHERE project_id IS NULL AND remote_updated_at IS NOT NULL"
        let other = "10000000-0000-4000-8000-000000000009"
        try office.central(
            """
            INSERT INTO projects (id, code, status) VALUES ('\(other)', 'PRUEBA-9', 'ACTIVO');
            INSERT INTO project_members (id, project_id, profile_id) SELECT gen_random_uuid(), '\(other)', id FROM profiles ON CONFLICT DO NOTHING
            """)
        _ = try run(office, "sync")
        let before = try Int(office.local(entries)) ?? 0
        #expect(before > 0)
        _ = try run(office, "offline", "PRUEBA-9", "--available")
        #expect(try !run(office, "sync").contains("activity_logs"))
        _ = try run(office, "sync", "--prove", "--deep")
        #expect(try Int(office.local(entries)) ?? 0 >= before)
    }

    @Test func aTableWithoutTimesComesWholeAndIsComparedByItsValues() throws {
        let office = try SyncedOffice(.foreign)
        try office.central("DROP TRIGGER touch ON calicatas; ALTER TABLE calicatas DROP COLUMN updated_at")
        _ = try office.pit(1)
        _ = try office.pit(2)
        try office.follow(as: Self.coordinator)
        try office.central("UPDATE calicatas SET title = 'theirs'")
        _ = try run(office, "sync", "--prove")
        #expect(try office.local("SELECT group_concat(DISTINCT title) FROM calicatas") == "theirs")
        _ = try run(office, "edit", "C-01", "--set", "title=mine")
        _ = try run(office, "sync", "--prove")
        #expect(try office.central("SELECT string_agg(title, ',' ORDER BY code) FROM calicatas") == "mine,theirs")
        try office.central("UPDATE calicatas SET title = 'again' WHERE code = 'C-02'")
        _ = try run(office, "edit", "C-02", "--set", "title=mine too")
        #expect(try run(office, "sync").contains("SYNC-CONFLICT"))
        #expect(try office.central("SELECT title FROM calicatas WHERE code = 'C-02'") == "again")
    }

    /// What somebody decided about once may be there again, and no version tells.
    @Test func aDecisionCountsUntilItHasGoneUp() throws {
        let office = try SyncedOffice(.foreign)
        try office.central("DROP TRIGGER touch ON calicatas; ALTER TABLE calicatas DROP COLUMN updated_at")
        _ = try office.pit(1)
        try office.follow(as: Self.coordinator)
        for mine in ["first", "second"] {
            try office.central("UPDATE calicatas SET title = 'theirs'")
            _ = try run(office, "edit", "C-01", "--set", "title=\(mine)")
            #expect(try run(office, "sync").contains("SYNC-CONFLICT"), "\(mine)")
            #expect(try office.central("SELECT title FROM calicatas") == "theirs")
            _ = try run(office, "conflicts", "keep", "C-01", "mine", "--fail-on", "never")
            _ = try run(office, "sync")
            #expect(try office.central("SELECT title FROM calicatas") == mine)
        }
        #expect(try office.local("SELECT count(*) FROM sync_queue") == "0")
    }

    /// PostgreSQL writes `jsonb` in its own way.
    @Test func twoChangesOfARowWithJSONGoUp() throws {
        let office = try office(.foreign)
        try office.central("ALTER TABLE calicata_photos ALTER gps_json TYPE jsonb USING gps_json::jsonb")
        let photo = "40000000-0000-4000-8000-000000000001"
        try office.central("INSERT INTO calicata_photos (id, calicata_id, filename, kind, gps_json) VALUES ('\(photo)', (SELECT id FROM calicatas WHERE code = 'C-01'), 'a.jpg', 'pit', '{\"b\": 1, \"a\": [2, 3]}')")
        _ = try run(office, "sync")
        for caption in ["one", "two"] {
            let json = caption == "one" ? ["--set", #"gps_json={"long":1.50,"b":[1,2]}"#] : []
            let edited = try office.runs(["edit", photo, "--set", "caption=\(caption)", "--fail-on", "never"] + json, as: Self.coordinator)
            #expect(edited.status == 0, "\(edited.output)\(edited.error)")
        }
        #expect(try office.local("SELECT count(*) FROM sync_queue WHERE entity_type = 'calicata_photos'") == "2")
        let synced = try run(office, "sync", "--prove")
        #expect(!synced.contains("SYNC-CONFLICT"), "\(synced)")
        #expect(try office.central("SELECT caption, gps_json FROM calicata_photos") == "two|{\"b\": [1, 2], \"long\": 1.50}")
        #expect(try office.local("SELECT count(*) FROM sync_queue") == "0")
    }

    /// A deletion that was done before its answer was lost has no memory there.
    @Test func aDeletionThatWasDoneIsDone() throws {
        let office = try office(.foreign)
        _ = try run(office, "delete", "C-03", "--reason", "dug twice")
        try office.central("DELETE FROM calicatas WHERE code = 'C-03'")
        _ = try run(office, "sync", "--prove")
        #expect(try office.local("SELECT count(*) FROM sync_queue") == "0")
    }

    /// A record that moves takes its parts along, also such as were changed here.
    @Test func partsOfAMovedRecordAreNotTakenForRemoved() throws {
        let office = try office(.foreign)
        let (pit, other) = ("20000001-0000-4000-8000-000000000000", "10000000-0000-4000-8000-000000000009")
        try office.central(
            """
            INSERT INTO projects (id, code, status) VALUES ('\(other)', 'PRUEBA-9', 'ACTIVO');
            INSERT INTO project_members (id, project_id, profile_id) SELECT gen_random_uuid(), '\(other)', id FROM profiles
            ON CONFLICT DO NOTHING;
            INSERT INTO calicata_cortes (id, calicata_id, number, updated_at) VALUES (gen_random_uuid(), '\(pit)', 1, now() - interval '2 days')
            """)
        _ = try run(office, "sync")
        _ = try run(office, "offline", "PRUEBA-9", "--available")
        _ = try run(office, "sync")
        #expect(try office.local("SELECT count(*) FROM calicata_cortes") == "1")
        try office.central("UPDATE calicatas SET project_id = '\(other)' WHERE id = '\(pit)'")
        #expect(try !run(office, "sync").contains("SYNC-DELETED"))
        #expect(try office.local("SELECT p.code, (SELECT count(*) FROM calicata_cortes) FROM calicatas AS c JOIN projects AS p ON p.id = c.project_id WHERE c.id = '\(pit)'") == "PRUEBA-9|1")
    }
}
