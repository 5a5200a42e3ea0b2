import Foundation
import Testing
import Workbench

/// A replica follows a central database: what was changed there comes here, once and whole.
@Suite struct SyncTests {
    @Test(arguments: SyncedOffice.Way.allCases) func peopleComeFirstAndRecordsOnlyOfProjectsThatAreKept(_ way: SyncedOffice.Way) throws {
        let office = try SyncedOffice(way)
        _ = try office.pit(1)
        let planned = try office.run("sync", "--plan")
        #expect(planned.status == 0 && planned.output.contains("Profiles"), "\(planned.error)")
        #expect(try office.local("SELECT count(*) FROM profiles") == "0", "a plan changes nothing")
        let first = try office.run("sync")
        #expect(first.status == 0 && first.output.contains("DEV"), "\(first.output)\(first.error)")
        #expect(try office.local("SELECT count(*) FROM projects") == "1")
        #expect(try office.local("SELECT count(*) FROM calicatas") == "0")
        #expect(try office.run("offline", "PRUEBA-1", "--available").status == 0)
        let second = try office.run("sync", "--prove")
        #expect(second.status == 0 && second.output.contains("Proven"), "\(second.output)\(second.error)")
        #expect(try office.local("SELECT code, depth_m, sync_state, local_version FROM calicatas") == "C-01|1.5|synced|1")
        #expect(try office.local("SELECT count(*) FROM sync_queue WHERE entity_type <> 'file_sync_states'") == "0", "nothing waits to go back")
        #expect(try office.local("SELECT group_concat(sync_state) FROM profiles WHERE email = 'campo@example.pe' AND cached_at IS NOT NULL") == "synced")
    }

    @Test(arguments: SyncedOffice.Way.kinds) func aPlanSaysWhatComesAndGoes(_ way: SyncedOffice.Way) throws {
        let office = try SyncedOffice(way)
        let (first, _) = (try office.pit(1), try office.pit(2))
        try office.follow()
        // The person works on another machine now: what is kept offline is known there.
        let other = try SyncedOffice(following: office)
        let planned = try other.run("sync", "--plan")
        #expect(planned.output.contains(/PRUEBA-1 +Test pits +2 +0/), "\(planned.output)\(planned.error)")
        #expect(try !other.run("sync", "--plan", "--push").output.contains("Test pits"), "records are not asked for")
        #expect(try other.run("sync").status == 0)
        #expect(try other.local("SELECT count(*) FROM calicatas") == "2")
        let still = try other.run("sync", "--plan")
        #expect(still.output.contains("Nothing changed there.") || way.isForeign && !still.output.contains("Profiles"), "\(still.output)\(still.error)")
        try office.central("DELETE FROM calicatas WHERE id = '\(first)'; UPDATE profiles SET full_name = 'Otra' WHERE email = '\(SyncedOffice.reader)'")
        let then = try other.run("sync", "--plan")
        #expect(then.output.contains(/PRUEBA-1 +Test pits +[0-9]+ +1/), "\(then.output)\(then.error)")
        #expect(try other.local("SELECT count(*) FROM calicatas") == "2", "a plan changes nothing")
    }

    @Test(arguments: SyncedOffice.Way.allCases) func changesAndDeletionsComeExactlyOnce(_ way: SyncedOffice.Way) throws {
        let office = try SyncedOffice(way)
        let (first, second) = (try office.pit(1), try office.pit(2))
        try office.follow()
        try office.central("INSERT INTO calicata_cortes (id, calicata_id, number) VALUES (gen_random_uuid(), '\(first)', 1), (gen_random_uuid(), '\(second)', 1)")
        try office.central("UPDATE calicatas SET title = 'Río' WHERE id = '\(first)'; DELETE FROM calicatas WHERE id = '\(second)'")
        let synced = try office.run("sync", "--prove")
        #expect(synced.status == 0 && synced.output.contains("Proven"), "\(synced.output)\(synced.error)")
        #expect(try office.local("SELECT id, title FROM calicatas") == "\(first)|Río")
        #expect(try office.local("SELECT count(*) FROM calicata_cortes") == "1", "parts go with their record")
        let logs = try office.local("SELECT count(*) FROM activity_logs WHERE action = 'sync'")
        let again = try office.run("sync")
        #expect(again.output.contains("Nothing changed there."), "\(again.output)")
        #expect(try office.local("SELECT count(*) FROM activity_logs WHERE action = 'sync'") == logs, "a sync that brings nothing changes nothing")
    }

    @Test(arguments: SyncedOffice.Way.kinds) func whatIsCommittedLateComesToo(_ way: SyncedOffice.Way) throws {
        let office = try SyncedOffice(way)
        try office.follow()
        // The transaction begins before the sync and ends after it.
        try office.central(
            """
            BEGIN;
            INSERT INTO calicatas (id, project_id, code, status) VALUES ('20000000-0000-4000-8000-000000000001', '\(SyncedOffice.project)', 'C-01', 'BORRADOR');
            PREPARE TRANSACTION 'late \(office.database)';
            """)
        _ = try office.pit(2)
        try office.run("sync")
        #expect(try office.local("SELECT group_concat(code) FROM calicatas") == "C-02")
        try office.central("COMMIT PREPARED 'late \(office.database)'")
        let synced = try office.run("sync", "--prove")
        #expect(synced.status == 0, "\(synced.output)\(synced.error)")
        #expect(try office.local("SELECT group_concat(code) FROM (SELECT code FROM calicatas ORDER BY 1)") == "C-01,C-02")
    }

    @Test(arguments: SyncedOffice.Way.kinds) func whatWasChangedOnBothSidesIsAConflictAndNothingIsOverwritten(_ way: SyncedOffice.Way) throws {
        let office = try SyncedOffice(way)
        let pit = try office.pit(1)
        try office.follow()
        #expect(try office.run("edit", "C-01", "--set", "title=mine", "--fail-on", "never").status == 0)
        try office.central("UPDATE calicatas SET title = 'theirs', location = 'km 3' WHERE id = '\(pit)'")
        let synced = try office.run("sync")
        #expect(synced.status == 0 && synced.output.contains("SYNC-CONFLICT"), "\(synced.output)\(synced.error)")
        #expect(try office.local("SELECT title, location, sync_state FROM calicatas") == "mine||conflict")
        #expect(try office.run("sync").output.contains("SYNC-CONFLICT") == false, "it is told once")
        let shown = try office.run("conflicts")
        #expect(shown.output.contains("C-01"), "\(shown.output)\(shown.error)")
        #expect(try office.run("sync", as: "coordinadora@example.pe").status == 0, "whoever works here has asked the server once")
        let merged = try office.run("conflicts", "merge", "C-01", "title=mine", as: "coordinadora@example.pe")
        #expect(merged.status == 0, "\(merged.output)\(merged.error)")
        #expect(try office.local("SELECT title, location, sync_state FROM calicatas") == "mine|km 3|pending_upload")
        #expect(try office.run("sync", "--prove").status == 0, "what waits to go up is no difference")
    }

    @Test(arguments: SyncedOffice.Way.kinds) func whatWasChangedHereStaysWhereTheServerDeletesIt(_ way: SyncedOffice.Way) throws {
        let office = try SyncedOffice(way)
        let (first, second) = (try office.pit(1), try office.pit(2))
        try office.follow()
        #expect(try office.run("edit", "C-01", "--set", "title=mine", "--fail-on", "never").status == 0)
        #expect(try office.run("add", "calicata_cortes", "--project", "PRUEBA-1", "--set", "calicata_id=\(second)", "--set", "number=1", "--fail-on", "never").status == 0)
        try office.central("DELETE FROM calicatas WHERE id IN ('\(first)', '\(second)')")
        let synced = try office.run("sync")
        #expect(synced.status == 1 && synced.output.contains("SYNC-DELETED"), "the part has no record there: \(synced.output)\(synced.error)")
        #expect(try office.local("SELECT count(*), sum(sync_state = 'conflict') FROM calicatas") == "2|2", "a part that was added here keeps its record")
        #expect(try office.local("SELECT count(*) FROM calicata_cortes") == "1")
    }

    @Test(arguments: SyncedOffice.Way.kinds) func aChangeThatBothSidesMadeIsNoConflict(_ way: SyncedOffice.Way) throws {
        let office = try SyncedOffice(way)
        let pit = try office.pit(1)
        try office.follow()
        #expect(try office.run("edit", "C-01", "--set", "title=same", "--fail-on", "never").status == 0)
        try office.central("UPDATE calicatas SET title = 'same' WHERE id = '\(pit)'")
        #expect(try office.run("sync").status == 0)
        #expect(try office.local("SELECT title, sync_state, (SELECT count(*) FROM sync_queue WHERE entity_id = calicatas.id) FROM calicatas") == "same|synced|0")
    }

    @Test(arguments: SyncedOffice.Way.kinds) func aLostMembershipHidesItsRowsAndANewOneBringsThemAll(_ way: SyncedOffice.Way) throws {
        let office = try SyncedOffice(way)
        _ = try office.pit(1)
        try office.follow()
        let member = "project_members WHERE profile_id = (SELECT id FROM profiles WHERE email = '\(SyncedOffice.field)')"
        try office.central("CREATE TABLE aside AS SELECT * FROM \(member); DELETE FROM \(member)")
        _ = try office.pit(2)
        let lost = try office.run("sync", "--prove")
        #expect(lost.status == 0 && lost.output.contains("no longer see"), "\(lost.output)\(lost.error)")
        #expect(try office.local("SELECT count(*) FROM calicatas") == "1", "hidden is not deleted")
        #expect(!(try office.run("status").output.contains("PRUEBA-1")))
        try office.central("INSERT INTO project_members (id, project_id, profile_id) SELECT id, project_id, profile_id FROM aside")
        let back = try office.run("sync", "--prove")
        #expect(back.status == 0, "\(back.output)\(back.error)")
        #expect(try office.local("SELECT count(*) FROM calicatas") == "2", "also what came while nobody looked")
    }

    @Test func aRestoredServerIsComparedRowByRow() throws {
        let office = try SyncedOffice()
        let pit = try office.pit(1)
        _ = try office.pit(2)
        try office.follow()
        // As after a restore: a row is gone without a trace, and the timeline is another one.
        try office.central("DELETE FROM calicatas WHERE id = '\(pit)'; DELETE FROM fichero.removed_rows")
        #expect(try office.run("sync").status == 0)
        #expect(try office.run("sync", "--prove").status == 1, "the proof finds what no cursor can")
        let changed = try OtherProgram.run("/usr/bin/sqlite3", [office.replica, "UPDATE sync_cursors SET timeline = '99'"])
        #expect(changed.status == 0)
        let synced = try office.run("sync")
        #expect(synced.status == 1 && synced.output.contains("SYNC-LOST"), "\(synced.output)\(synced.error)")
        #expect(try office.local("SELECT group_concat(code) FROM (SELECT code FROM calicatas ORDER BY code)") == "C-01,C-02", "somebody decides")
    }

    @Test func whoMayNotWorkGetsNothing() throws {
        let office = try SyncedOffice()
        let former = try office.run("sync", as: "excampo@example.pe")
        #expect(former.status == 77 && former.error.contains("REMOTE-INACTIVE"), "\(former.error)")
        let unknown = try office.run("sync", as: "nobody@example.pe")
        #expect(unknown.status == 77 && unknown.error.contains("REMOTE-PERSON"), "\(unknown.error)")
        #expect(try office.local("SELECT count(*) FROM profiles") == "0")
    }

    @Test func whoMayNotWorkThereAnyMoreDoesNotGoOnHere() throws {
        let office = try SyncedOffice()
        _ = try office.pit(1)
        try office.follow()
        try office.central("UPDATE profiles SET status = 'SUSPENDIDO' WHERE email = '\(SyncedOffice.field)'")
        #expect(try office.run("sync", "--plan").status == 77)
        #expect(try office.run("validate", "--fail-on", "never").status == 0, "a plan changes nothing")
        #expect(try office.run("sync").status == 77)
        let here = try office.run("validate")
        #expect(here.status == 77 && here.error.contains("ACTOR-INACTIVE"), "\(here.output)\(here.error)")
        try office.central("UPDATE profiles SET status = 'ACTIVO' WHERE email = '\(SyncedOffice.field)'")
        let back = try office.run("sync", "--prove")
        #expect(back.status == 0, "\(back.output)\(back.error)")
        #expect(try office.run("validate", "--fail-on", "never").status == 0)
    }

    /// A database that the replica does not follow says nothing about its people.
    /// What somebody changed of a profile here, and did not send yet, does not keep its person at work.
    @Test func aStatusIsLearnedBesideAChangeOfTheProfile() throws {
        let office = try SyncedOffice()
        try office.follow()
        #expect(try office.run("sync", as: SyncedOffice.administrator).status == 0)
        let changed = try office.run("users", "change", SyncedOffice.field, "--name", "Otro Nombre", as: SyncedOffice.administrator)
        #expect(changed.status == 0, "\(changed.output)\(changed.error)")
        try office.central("UPDATE profiles SET status = 'INACTIVO' WHERE email = '\(SyncedOffice.field)'")
        #expect(try office.run("sync").status == 77)
        #expect(try office.local("SELECT status FROM profiles WHERE email = '\(SyncedOffice.field)'") == "INACTIVO")
        #expect(try office.run("status").status == 77)
    }

    /// A person who was deleted there and made anew has another id, and goes on under it.
    @Test func aPersonWhoWasMadeAnewGoesOn() throws {
        let office = try SyncedOffice()
        _ = try office.pit(1)
        try office.follow()
        try office.central(
            """
            UPDATE profiles SET email = 'antes@example.pe' WHERE email = '\(SyncedOffice.field)';
            INSERT INTO profiles (id, email, full_name, role, status) SELECT gen_random_uuid(), '\(SyncedOffice.field)', full_name, role, status FROM profiles WHERE email = 'antes@example.pe';
            INSERT INTO project_members (id, project_id, profile_id) SELECT gen_random_uuid(), '\(SyncedOffice.project)', id FROM profiles WHERE email = '\(SyncedOffice.field)';
            SET session_replication_role = replica; DELETE FROM profiles WHERE email = 'antes@example.pe'
            """)
        let synced = try office.run("sync")
        #expect(synced.status == 0, "\(synced.output)\(synced.error)")
        #expect(try office.local("SELECT count(*) FROM profiles WHERE email = '\(SyncedOffice.field)'") == "2", "who has worked stays in the books")
        let status = try office.run("status")
        #expect(status.status == 0, "\(status.output)\(status.error)")
        let proven = try office.run("sync", "--prove")
        #expect(proven.status == 0, "\(proven.output)\(proven.error)")
    }

    /// A server may show more people than those of one's projects.
    @Test func whoMaySeeEverybodyProvesEverybody() throws {
        let office = try SyncedOffice()
        try office.central("CREATE POLICY everybody ON profiles FOR SELECT TO authenticated USING (true)")
        let proven = try office.run("sync", "--prove")
        #expect(proven.status == 0, "\(proven.output)\(proven.error)")
        #expect(try office.local("SELECT count(*) FROM profiles") == office.central("SELECT count(*) FROM profiles"))
    }

    /// A text may be longer here than in any file that is read.
    @Test func aTextOfManyMegabytesIsContestedAndBroughtBackLikeAnother() throws {
        let office = try SyncedOffice()
        let coordinator = "coordinadora@example.pe"
        _ = try office.pit(1)
        try office.central("UPDATE calicatas SET description = repeat('x', 8000000)")
        try office.follow(as: coordinator)
        for step in [["delete", "C-01", "--reason", "dug twice"], ["undo", "last"], ["edit", "C-01", "--set", "title=mine", "--fail-on", "never"]] {
            let done = try office.runs(step, as: coordinator)
            #expect(done.status == 0, "\(step): \(done.error)")
        }
        try office.central("UPDATE calicatas SET title = 'theirs'")
        let contested = try office.runs(["sync"], as: coordinator)
        #expect(contested.output.contains("SYNC-CONFLICT"), "\(contested.output)\(contested.error)")
        #expect(try office.local("SELECT title, sync_state FROM calicatas") == "mine|conflict")
        #expect(try office.runs(["conflicts", "show", "C-01"], as: coordinator).output.contains("theirs"))
        #expect(try office.runs(["conflicts", "keep", "C-01", "theirs"], as: coordinator).status == 0)
        #expect(try office.runs(["sync", "--prove"], as: coordinator).status == 0)
        #expect(try office.local("SELECT title, length(description) FROM calicatas") == "theirs|8000000")
    }

    @Test func whatAnotherServerSaysOfAPersonIsNotTakenOver() throws {
        let (office, other) = (try SyncedOffice(), try SyncedOffice())
        try office.follow()
        try other.central("UPDATE profiles SET status = 'SUSPENDIDO' WHERE email = '\(SyncedOffice.field)'")
        try office.configure(remote: "postgres: {host: '\(other.server.host)', database: \(other.database), user: \(other.server.user)}")
        let refused = try office.run("sync")
        #expect(refused.status == 77 && refused.error.contains("REMOTE-INACTIVE"), "\(refused.error)")
        #expect(try office.local("SELECT status FROM profiles WHERE email = '\(SyncedOffice.field)'") == "ACTIVO")
    }

    @Test func theDatabaseOfAnotherSystemIsNamed() throws {
        let office = try SyncedOffice()
        try office.central("ALTER TABLE calicatas RENAME TO instances")
        let refused = try office.run("sync", as: "nobody@example.pe")
        #expect(refused.status == 78 && refused.error.contains("REMOTE-SYSTEM"), "\(refused.error)")
        #expect(try office.local("SELECT count(*) FROM profiles") == "0")
    }

    @Test func oneWayLeavesTheOtherAlone() throws {
        let office = try SyncedOffice()
        let pit = try office.pit(1)
        let coordinator = "coordinadora@example.pe"
        try office.follow(as: coordinator)
        #expect(try office.runs(["edit", "C-01", "--set", "location=km 3", "--fail-on", "never"], as: coordinator).status == 0)
        try office.central("INSERT INTO calicata_cortes (id, calicata_id, number) VALUES (gen_random_uuid(), '\(pit)', 1)")
        let pulled = try office.runs(["sync", "--pull"], as: coordinator)
        #expect(pulled.status == 0, "\(pulled.output)\(pulled.error)")
        #expect(try office.local("SELECT count(*) FROM calicata_cortes") == "1")
        #expect(try office.central("SELECT location IS NULL FROM calicatas") == "t")
        try office.central("INSERT INTO calicata_cortes (id, calicata_id, number) VALUES (gen_random_uuid(), '\(pit)', 2)")
        let pushed = try office.runs(["sync", "--push"], as: coordinator)
        #expect(pushed.status == 0, "\(pushed.output)\(pushed.error)")
        #expect(try office.central("SELECT location FROM calicatas") == "km 3")
        #expect(try office.local("SELECT count(*) FROM calicata_cortes") == "1")
        #expect(try office.runs(["sync", "--push", "--prove"], as: coordinator).status == 64)
        #expect(try office.runs(["sync", "--prove"], as: coordinator).output.contains("Proven"))
    }

    @Test func aProofIsWrittenDownRegisteredAndGoesUp() throws {
        let office = try SyncedOffice()
        _ = try office.pit(1)
        let coordinator = "coordinadora@example.pe"
        try office.follow(as: coordinator)
        let out = office.folder + "/out"
        #expect(try office.runs(["sync", "-o", out], as: coordinator).status == 64, "without a proof there is nothing to write")
        for version in 1...2 {
            let proven = try office.runs(["sync", "--prove", "-o", out], as: coordinator)
            #expect(proven.status == 0 && proven.output.contains("-v\(version).json"), "\(proven.output)\(proven.error)")
        }
        let names = try FileManager.default.contentsOfDirectory(atPath: out + "/PRUEBA-1").sorted()
        #expect(names.count == 2)
        let text = try String(contentsOfFile: out + "/PRUEBA-1/" + (names.last ?? ""), encoding: .utf8)
        #expect(text.contains("\"calicatas\"") && !text.contains("@"), "no address of a person: \(text)")
        #expect(try office.runs(["verify"], as: coordinator).status == 0)
        #expect(try office.runs(["sync"], as: coordinator).status == 0)
        #expect(try office.central("SELECT count(*) FROM exports WHERE file_name LIKE 'sync-proof%'") == "2")
        #expect(try office.run("sync", "--prove", "-o", out, as: SyncedOffice.reader).status == 77, "who may not hand over registers nothing")
        #expect(try OtherProgram.run("/usr/bin/sqlite3", [office.replica, "DELETE FROM calicatas"]).status == 0)
        #expect(try office.runs(["sync", "--prove", "-o", out], as: coordinator).status == 1)
        #expect(try FileManager.default.contentsOfDirectory(atPath: out + "/PRUEBA-1").count == 2, "what is not proven has no document")
    }

    @Test func recordsThatGoUpWithErrorsAreTold() throws {
        let office = try SyncedOffice()
        let pit = try office.pit(1)
        let coordinator = "coordinadora@example.pe"
        try office.central("INSERT INTO calicata_cortes (id, calicata_id, number, depth_from_m, depth_to_m) VALUES (gen_random_uuid(), '\(pit)', 1, 1.00, 0.50)")
        try office.follow(as: coordinator)
        #expect(try office.runs(["edit", "C-01", "--set", "location=km 3", "--fail-on", "never"], as: coordinator).status == 0)
        let synced = try office.runs(["sync", "--json"], as: coordinator)
        #expect(synced.status == 0 && synced.output.contains("SYNC-UNSOUND"), "\(synced.output)\(synced.error)")
        #expect(try office.central("SELECT location FROM calicatas") == "km 3", "a draft goes all the same")
        #expect(try !office.runs(["sync", "--json"], as: coordinator).output.contains("SYNC-UNSOUND"), "nothing waits")
    }

    @Test func aServerThatIsNotThereOrNotPreparedIsSaid() throws {
        let office = try SyncedOffice(isPrepared: false)
        let bare = try office.run("sync")
        #expect(bare.status == 78 && bare.error.contains("REMOTE-NOT-PREPARED"), "\(bare.error)")
        try office.configure(host: office.folder)
        let gone = try office.run("sync")
        #expect(gone.status == 69 && gone.error.contains("REMOTE-UNREACHABLE"), "\(gone.error)")
        // Names under .invalid never resolve (RFC 6761).
        try office.configure(host: "db.invalid")
        let unresolved = try office.run("sync")
        #expect(unresolved.status == 69 && unresolved.error.contains("REMOTE-UNREACHABLE"), "\(unresolved.error)")
        try office.configure(environment: "PROD")
        let careful = try office.run("sync")
        #expect(careful.status == 64 && careful.error.contains("REMOTE-PRODUCTION"), "\(careful.error)")
    }

    @Test func aReplicaFollowsOneServerUntilSomebodySaysOtherwise() throws {
        let (office, other) = (try SyncedOffice(), try SyncedOffice())
        _ = try (office.pit(1), other.pit(2))
        try office.follow()
        // From now on an administrator is known here.
        #expect(try office.run("sync", as: SyncedOffice.administrator).status == 0)
        try office.configure(remote: "postgres: {host: '\(other.server.host)', database: \(other.database), user: \(other.server.user)}")
        for command in [["sync"], ["sync", "--plan"], ["sync", "--push"]] {
            let refused = try office.runs(command)
            #expect(refused.status == 78 && refused.error.contains("REMOTE-OTHER") && refused.error.contains(office.database), "\(refused.error)")
        }
        #expect(try office.local("SELECT group_concat(code) FROM calicatas") == "C-01")
        // The same database, moved: an administrator says so, since a server decides about people and roles.
        #expect(try office.run("sync", "--new-server").error.contains("REMOTE-CHOICE"))
        let moved = try office.run("sync", "--new-server", as: SyncedOffice.administrator)
        #expect(moved.status == 0, "\(moved.output)\(moved.error)")
        // What is kept offline is known to the server, so this one is told anew.
        try office.follow()
        #expect(try office.local("SELECT group_concat(code) FROM calicatas") == "C-02")
        #expect(try office.run("sync").status == 0, "from now on that is the server")
        try office.configure()
        #expect(try office.run("sync").error.contains("REMOTE-OTHER"))
    }

    @Test func whoeverIsNotLetInIsNotPermitted() throws {
        let office = try SyncedOffice()
        try office.central("DO $$ BEGIN CREATE ROLE \(PostgresServer.guarded) LOGIN PASSWORD 'right-one-5'; EXCEPTION WHEN duplicate_object OR unique_violation THEN NULL; END $$")
        try office.configure(user: PostgresServer.guarded)
        for environment in [[:], ["PGPASSWORD": "wrong-password-17"]] {
            let refused = try office.sync(environment)
            #expect(refused.status == 77 && refused.error.contains("REMOTE-USER-REFUSED") && !refused.error.contains("wrong-password-17"), "\(refused.error)")
        }
        let known = try office.sync(["PGPASSWORD": "right-one-5"])
        #expect(known.status != 0 && !known.error.contains("REMOTE-USER-REFUSED"), "it is let in, and may not read profiles: \(known.error)")
    }

    /// The statements of Docs/sync.md make a user who can do no more than a sync needs.
    @Test func theUserOfTheGuideCanSyncAndNothingElse() throws {
        let office = try SyncedOffice()
        let guide = try String(contentsOfFile: ProgramRun.root + "/Docs/sync.md", encoding: .utf8)
        let sql = try #require(guide.firstMatch(of: /```sql\n(CREATE ROLE [^`]+)```/)?.output.1)
        try office.central(String(sql))
        _ = try office.pit(1)
        try office.configure(user: "fichero")
        try office.follow()
        #expect(try office.local("SELECT code FROM calicatas") == "C-01")
        for (query, may) in [("SELECT count(id) FROM profiles", true), ("SELECT role FROM profiles", false), ("SELECT * FROM calicatas", false)] {
            let asked = try ProgramRun.program("/usr/bin/psql", ["-h", office.server.host, "-U", "fichero", "-d", office.database, "-X", "-c", query])
            #expect((asked.status == 0) == may, "\(query): \(asked.output)\(asked.error)")
        }
    }
}
