import Foundation
import Testing
import Workbench

/// Both sides changed something, and nothing is lost, hidden or asked for ever. Found by
/// `Scripts/simulate-sync`.
@Suite struct ContestedSyncTests {
    private static let coordinator = "coordinadora@example.pe"

    /// A pit that the office follows, as the coordinator.
    private func office(_ way: SyncedOffice.Way) throws -> (SyncedOffice, pit: String) {
        let office = try SyncedOffice(way)
        let pit = try office.pit(1)
        try office.follow(as: Self.coordinator)
        return (office, pit)
    }

    private func run(_ office: SyncedOffice, _ arguments: String..., status: Int32 = 0) throws -> String {
        let done = try office.runs(arguments, as: Self.coordinator)
        #expect(done.status == status, "\(arguments): \(done.output)\(done.error)")
        return done.output + done.error
    }

    private func addPart(_ office: SyncedOffice, _ pit: String, _ number: Int) throws {
        try office.central("INSERT INTO calicata_cortes (id, calicata_id, number) VALUES (gen_random_uuid(), '\(pit)', \(number))")
    }

    private func conflict(_ office: SyncedOffice) throws -> String {
        try office.local("SELECT id FROM conflicts WHERE resolution_status = 'open' AND entity_type = 'calicatas'")
    }

    @Test(arguments: SyncedOffice.Way.kinds) func aDeletionTakesNoPartThatItsAuthorDidNotKnow(_ way: SyncedOffice.Way) throws {
        let (office, pit) = try office(way)
        try addPart(office, pit, 1)
        _ = try run(office, "sync")
        try addPart(office, pit, 2)
        _ = try run(office, "delete", "C-01", "--reason", "dug twice")
        #expect(try run(office, "sync").contains("SYNC-CONFLICT"))
        #expect(try office.central("SELECT count(*), (SELECT string_agg(number::text, ',') FROM calicata_cortes) FROM calicatas") == "1|2", "the known part went, the record waits")
        #expect(try office.local("SELECT count(*) FROM calicatas") == "0")
        // It is said again for as long as it is so.
        _ = try run(office, "conflicts", "keep", conflict(office), "local")
        #expect(try run(office, "sync").contains("SYNC-CONFLICT"))
        _ = try run(office, "conflicts", "keep", conflict(office), "theirs")
        _ = try run(office, "sync", "--prove")
        _ = try run(office, "delete", "C-01", "--reason", "dug twice")
        _ = try run(office, "sync", "--prove")
        #expect(try office.central("SELECT count(*), (SELECT count(*) FROM calicata_cortes) FROM calicatas") == "0|0")
    }

    @Test(arguments: SyncedOffice.Way.kinds) func aRowThatIsHiddenIsNotTakenForGone(_ way: SyncedOffice.Way) throws {
        let (office, _) = try office(way)
        _ = try run(office, "sync")
        _ = try run(office, "delete", "C-01", "--reason", "dug twice")
        try leaveProjects(office)
        #expect(try run(office, "sync", status: 1).contains("the row is hidden or gone"))
        try rejoinProjects(office)
        _ = try run(office, "sync", "--prove")
        _ = try run(office, "sync", "--retry", "--prove")
        #expect(try office.central("SELECT count(*) FROM calicatas") == "0")
        #expect(try office.local("SELECT count(*) FROM sync_queue") == "0")
    }

    /// Projects are followed from different moments; an old deletion is news for one of them only.
    @Test func anOldDeletionTakesNothingThatWasMadeAnewSince() throws {
        let (office, pit) = try office(.postgres)
        try otherProject(office)
        _ = try run(office, "sync")
        _ = try run(office, "offline", "PRUEBA-2", "--available")
        _ = try run(office, "sync")
        try office.central("CREATE TABLE again AS SELECT * FROM calicatas; DELETE FROM calicatas; INSERT INTO calicatas (id, project_id, code, status) SELECT id, project_id, code, status FROM again")
        _ = try run(office, "sync")
        // As if the other project had not been followed then.
        let moved = try OtherProgram.run(
            "/usr/bin/sqlite3", [office.replica, "UPDATE sync_cursors SET snapshot = '10:10:' WHERE scope = '\(Self.other)'"])
        #expect(moved.status == 0)
        _ = try run(office, "sync", "--prove")
        #expect(try office.local("SELECT id FROM calicatas") == pit)
    }

    private static let other = "10000000-0000-4000-8000-000000000002"

    /// One more project, of which the coordinator is a member.
    private func otherProject(_ office: SyncedOffice) throws {
        try office.central(
            """
            INSERT INTO projects (id, code, name, status) VALUES ('\(Self.other)', 'PRUEBA-2', 'Otro', 'ACTIVO');
            INSERT INTO project_members (id, project_id, profile_id) SELECT gen_random_uuid(), '\(Self.other)', id FROM profiles WHERE email LIKE 'coord%';
            """)
    }

    @Test(arguments: SyncedOffice.Way.kinds) func aRowThatIsDeletedThereAgainIsAskedForAgain(_ way: SyncedOffice.Way) throws {
        let (office, pit) = try office(way)
        for round in 1...2 {
            _ = try run(office, "edit", "C-01", "--set", "title=mine \(round)", "--fail-on", "never")
            try office.central("DELETE FROM calicatas WHERE id = '\(pit)'")
            _ = try office.runs(["sync"], as: Self.coordinator)
            #expect(try !conflict(office).isEmpty, "round \(round)")
            _ = try run(office, "conflicts", "keep", "C-01", "local")
            _ = try run(office, "sync", "--prove")
            #expect(try office.central("SELECT title FROM calicatas") == "mine \(round)")
        }
    }

    @Test(arguments: SyncedOffice.Way.kinds) func whatTheServerHasNowIsWhatIsDecided(_ way: SyncedOffice.Way) throws {
        let (office, pit) = try office(way)
        _ = try run(office, "edit", "C-01", "--set", "title=mine", "--fail-on", "never")
        for title in ["theirs", "theirs later"] {
            try office.central("UPDATE calicatas SET title = '\(title)' WHERE id = '\(pit)'")
            #expect(try run(office, "sync").contains("SYNC-CONFLICT"))
        }
        #expect(try office.local("SELECT count(*) FROM conflicts WHERE resolution_status = 'open'") == "1")
        _ = try run(office, "conflicts", "keep", "C-01", "theirs")
        _ = try run(office, "sync", "--prove")
        #expect(try office.central("SELECT title FROM calicatas") == "theirs later" && office.local("SELECT title FROM calicatas") == "theirs later")
    }

    @Test func aContestedChangeIsDecidedAndNotUndone() throws {
        let (office, pit) = try office(.postgres)
        _ = try run(office, "edit", "C-01", "--set", "title=mine", "--fail-on", "never")
        try office.central("UPDATE calicatas SET title = 'theirs' WHERE id = '\(pit)'")
        _ = try run(office, "sync")
        #expect(try run(office, "undo", "last", status: 65).contains("UNDO-CHANGED"))
        _ = try run(office, "conflicts", "keep", "C-01", "theirs")
        _ = try run(office, "sync", "--prove")
    }

    /// What a decision keeps is a change of what the server had then: what it changes afterwards is its
    /// own again.
    @Test func aDecisionIsAChangeOfWhatTheServerHas() throws {
        let (office, pit) = try office(.postgres)
        _ = try run(office, "edit", "C-01", "--set", "title=mine", "--fail-on", "never")
        try office.central("UPDATE calicatas SET observations = 'v1' WHERE id = '\(pit)'")
        _ = try run(office, "sync", "--pull")
        try office.central("UPDATE calicatas SET observations = 'v2' WHERE id = '\(pit)'")
        _ = try run(office, "conflicts", "merge", "C-01", "--fail-on", "never")
        _ = try run(office, "sync")
        _ = try run(office, "conflicts", "merge", "C-01", "--fail-on", "never")
        _ = try run(office, "sync", "--prove")
        #expect(try office.central("SELECT title, observations FROM calicatas") == "mine|v2")
    }

    /// The row that was removed is no longer the one that the server has: brought back as it was, it
    /// would seem to be of the server's version, and the next change would write over theirs.
    @Test func aContestedRemovalIsDecidedAndNotUndone() throws {
        let (office, pit) = try office(.postgres)
        _ = try run(office, "delete", "C-01", "--reason", "dug twice")
        let removal = try office.local("SELECT substr(id, -8) FROM imports ORDER BY rowid DESC LIMIT 1")
        try office.central("UPDATE calicatas SET title = 'theirs' WHERE id = '\(pit)'")
        _ = try run(office, "sync")
        #expect(try run(office, "undo", "last", status: 65).contains("UNDO-CONTESTED"))
        let contested = try conflict(office)
        _ = try run(office, "conflicts", "keep", contested, "local")
        #expect(try run(office, "undo", removal, status: 65).contains("UNDO-CONTESTED"), "what was decided since counts too")
        _ = try run(office, "undo", "last")
        _ = try run(office, "conflicts", "keep", contested, "theirs")
        _ = try run(office, "sync", "--prove")
        #expect(try office.local("SELECT title FROM calicatas") == "theirs" && office.central("SELECT title FROM calicatas") == "theirs")
    }

    @Test func whatRowSecurityRefusesInSilenceIsNoConflict() throws {
        let (office, _) = try office(.postgres)
        try office.central("DROP POLICY fichero_update ON calicatas; DROP POLICY fichero_delete ON calicatas")
        _ = try run(office, "edit", "C-01", "--set", "title=mine", "--fail-on", "never")
        let refused = try run(office, "sync", status: 1)
        #expect(refused.contains("SYNC-NOT-SENT") && refused.contains("rls") && !refused.contains("SYNC-CONFLICT"), "\(refused)")
        _ = try run(office, "undo", "last")
        _ = try run(office, "delete", "C-01", "--reason", "dug twice")
        #expect(try run(office, "sync", status: 1).contains("rls"))
    }

    @Test func keepingOnesOwnSideMovesTheServersState() throws {
        let (office, pit) = try office(.postgres)
        _ = try run(office, "edit", "C-01", "--set", "title=mine", "--fail-on", "never")
        try office.central("UPDATE calicatas SET title = 'theirs', status = 'EN_REVISION' WHERE id = '\(pit)'")
        _ = try run(office, "sync")
        // A coordinator may not make a draft of what is under review.
        #expect(try run(office, "conflicts", "keep", "C-01", "local", status: 77).contains("CHANGE-TRANSITION"))
        _ = try run(office, "conflicts", "keep", "C-01", "title=mine", "status=theirs", "--fail-on", "never")
        _ = try run(office, "sync", "--prove")
        #expect(try office.central("SELECT title, status FROM calicatas") == "mine|EN_REVISION")
    }

    /// Whoever takes what the server has changes nothing of the record: it may have gone on to a state
    /// there in which they may not correct it, or be in one here, or be deleted there.
    @Test(arguments: [(SyncedOffice.administrator, "EN_REVISION", "APROBADO"), (coordinator, "BORRADOR", "ARCHIVADO"), (coordinator, "EN_REVISION", nil)])
    func theServersSideMayAlwaysBeTaken(_ decider: String, _ here: String, _ there: String?) throws {
        let (office, pit) = try office(.postgres)
        #expect(try office.run("sync", as: decider).status == 0)
        _ = try run(office, "edit", "C-01", "--set", "title=mine", "--fail-on", "never")
        // For a review a pit has its place and its depth.
        let sound = ["easting=500000", "northing=8700000", "depth_m=1.5", "status=\(here)"].flatMap { ["--set", $0] }
        if here != "BORRADOR" {
            let moved = try office.runs(["edit", "C-01", "--fail-on", "never"] + sound, as: Self.coordinator)
            #expect(moved.status == 0, "\(moved.output)\(moved.error)")
        }
        try office.central(there.map { "UPDATE calicatas SET title = 'theirs', status = '\($0)' WHERE id = '\(pit)'" } ?? "DELETE FROM calicatas WHERE id = '\(pit)'")
        _ = try run(office, "sync")
        #expect(try office.local("SELECT count(*) FROM conflicts WHERE resolution_status = 'open'") == "1")
        if there == "ARCHIVADO" {
            // To keep one's own is a change, of the record as it is there.
            let own = try office.run("conflicts", "keep", "C-01", "title=mine", "status=theirs", as: Self.coordinator)
            #expect(own.status == 65 && own.output.contains("CHANGE-CLOSED"), "\(own.output)\(own.error)")
        }
        let taken = try office.run("conflicts", "keep", "C-01", "theirs", "--fail-on", "never", as: decider)
        #expect(taken.status == 0, "\(taken.output)\(taken.error)")
        _ = try run(office, "sync", "--prove")
        let expected = there.map { "theirs|\($0)" } ?? ""
        #expect(try office.central("SELECT title, status FROM calicatas") == expected && office.local("SELECT title, status FROM calicatas") == expected)
    }

    @Test(arguments: SyncedOffice.Way.kinds) func whatWasRemovedHereStaysAwayUntilItIsDecided(_ way: SyncedOffice.Way) throws {
        let (office, pit) = try office(way)
        try addPart(office, pit, 1)
        _ = try run(office, "sync")
        _ = try run(office, "delete", "C-01", "--reason", "dug twice")
        try office.central("UPDATE calicatas SET title = 'theirs'; UPDATE calicata_cortes SET description = 'theirs'")
        #expect(try run(office, "sync").contains("SYNC-CONFLICT"))
        _ = try run(office, "sync", "--prove")
        #expect(try office.local("SELECT (SELECT count(*) FROM calicatas), count(*) FROM calicata_cortes") == "0|0")
        let listed = try run(office, "conflicts", "--json")
        #expect(listed.contains("\"calicata_cortes\""), "the record waits for its part: \(listed)")
        for entity in ["calicata_cortes", "calicatas"] {
            _ = try run(office, "conflicts", "keep", office.local("SELECT id FROM conflicts WHERE entity_type = '\(entity)' AND resolution_status = 'open'"), "local")
            _ = try run(office, "sync", "--prove")
        }
        #expect(try office.central("SELECT (SELECT count(*) FROM calicatas), count(*) FROM calicata_cortes") == "0|0")
    }

    /// A record waits for a decision in one project here, and is in another one there.
    private func movedElsewhere() throws -> SyncedOffice {
        let (office, pit) = try office(.postgres)
        try addPart(office, pit, 1)
        try otherProject(office)
        _ = try run(office, "sync")
        _ = try run(office, "offline", "PRUEBA-2", "--available")
        _ = try run(office, "edit", "C-01", "--set", "title=mine", "--fail-on", "never")
        try office.central("UPDATE calicatas SET project_id = '\(Self.other)', title = 'theirs' WHERE id = '\(pit)'")
        _ = try run(office, "sync", "--prove")
        #expect(try office.local("SELECT sync_state FROM calicatas") == "conflict")
        return office
    }

    @Test func itsPartsAreNoDifferenceEvenIfTheyAreHidden() throws {
        let office = try movedElsewhere()
        try office.central("DELETE FROM project_members WHERE project_id = '\(Self.other)'")
        _ = try run(office, "sync", "--prove")
    }

    /// Seed 31 of the simulation: a record moves out of sight, which its parts follow unseen.
    @Test func partsOfARecordThatMovedOutOfSightWaitWithIt() throws {
        let (office, pit) = try office(.postgres)
        try addPart(office, pit, 1)
        try office.central("INSERT INTO projects (id, code, status) VALUES ('\(Self.other)', 'PRUEBA-2', 'ACTIVO')")
        _ = try run(office, "sync", "--prove")
        _ = try run(office, "edit", "C-01", "--set", "title=mine")
        try office.central("UPDATE calicatas SET project_id = '\(Self.other)' WHERE id = '\(pit)'; UPDATE calicata_cortes SET description = 'theirs'")
        _ = try office.runs(["sync", "--pull"], as: Self.coordinator)
        _ = try run(office, "sync", "--pull", "--prove")
        #expect(try office.local("SELECT sync_state, (SELECT count(*) FROM calicata_cortes) FROM calicatas") == "conflict|1")
    }

    @Test func aRecordThatMovedElsewhereAndWaitsForADecisionIsNoDifference() throws {
        let office = try movedElsewhere()
        // What is wrong without such a reason is still found.
        let spoiled = try OtherProgram.run("/usr/bin/sqlite3", [office.replica, "DELETE FROM calicata_cortes"])
        #expect(spoiled.status == 0)
        _ = try run(office, "sync", "--prove", status: 1)
    }

    private static let member = "project_members WHERE profile_id = (SELECT id FROM profiles WHERE email = '\(coordinator)')"

    /// Seed 20261125: a part was changed while its record was not here, so that nobody knew its project.
    @Test(arguments: SyncedOffice.Way.kinds) func aChangeOfAPartBelongsToTheProjectThatComesWithItsRecord(_ way: SyncedOffice.Way) throws {
        let (office, pit) = try office(way)
        try addPart(office, pit, 1)
        _ = try run(office, "sync")
        _ = try run(office, "edit", "C-01/1", "--set", "description=mine", "--fail-on", "never")
        // As it is queued while its record is not here.
        let unplaced = try OtherProgram.run("/usr/bin/sqlite3", [office.replica, "UPDATE sync_queue SET project_id = NULL"])
        #expect(unplaced.status == 0)
        try office.central("UPDATE calicatas SET title = 'theirs' WHERE id = '\(pit)'")
        _ = try run(office, "sync")
        _ = try run(office, "sync", "--prove")
        #expect(try office.central("SELECT description FROM calicata_cortes") == "mine")
        #expect(try office.local("SELECT count(*) FROM sync_queue") == "0")
    }

    private func leaveProjects(_ office: SyncedOffice) throws { try office.central("CREATE TABLE aside AS SELECT * FROM \(Self.member); DELETE FROM \(Self.member)") }

    private func rejoinProjects(_ office: SyncedOffice) throws {
        try office.central("INSERT INTO project_members (id, project_id, profile_id) SELECT id, project_id, profile_id FROM aside")
    }

    @Test(arguments: SyncedOffice.Way.kinds) func whatWentWhileNobodyLookedIsGoneWithItsParts(_ way: SyncedOffice.Way) throws {
        let (office, pit) = try office(way)
        try addPart(office, pit, 1)
        _ = try run(office, "sync")
        try leaveProjects(office)
        _ = try run(office, "sync")
        try office.central("DELETE FROM calicata_cortes; DELETE FROM calicatas")
        try rejoinProjects(office)
        _ = try run(office, "sync", "--prove")
        #expect(try office.local("SELECT (SELECT count(*) FROM calicatas), count(*) FROM calicata_cortes") == "0|0")
    }

    /// A pit moves to a project that one of two colleagues sees, who work with one replica.
    @Test func whatMovedOutOfOnesSightStaysForAColleague() throws {
        let (office, pit) = try office(.postgres)
        try addPart(office, pit, 1)
        try otherProject(office)
        _ = try run(office, "sync")
        _ = try run(office, "offline", "PRUEBA-2", "--available")
        _ = try run(office, "sync")
        try office.follow()
        try office.central("UPDATE calicatas SET project_id = '\(Self.other)' WHERE id = '\(pit)'")
        _ = try run(office, "sync", "--prove")
        #expect(try office.run("sync", "--prove").status == 0, "the other person does not see it")
        _ = try run(office, "sync", "--prove")
        #expect(try office.local("SELECT (SELECT count(*) FROM calicatas), count(*) FROM calicata_cortes") == "1|1")
    }

    /// Who may edit and not resolve need not wait for somebody else to take back what is their own.
    @Test func whoeverMayEditMayGiveWay() throws {
        let office = try SyncedOffice()
        let pit = try office.pit(1)
        try office.follow()
        func contest(as email: String) throws {
            #expect(try office.run("edit", "C-01", "--set", "title=mine", "--fail-on", "never", as: email).status == 0)
            try office.central("UPDATE calicatas SET title = 'theirs', location = gen_random_uuid()::text WHERE id = '\(pit)'")
            #expect(try office.run("sync").output.contains("SYNC-CONFLICT"))
        }
        try contest(as: SyncedOffice.field)
        for kept in [["keep", "C-01", "local"], ["keep", "C-01", "title=mine"], ["merge", "C-01"]] {
            let refused = try office.runs(["conflicts"] + kept)
            #expect(refused.status == 77, "\(kept): \(refused.error)")
        }
        let given = try office.run("conflicts", "keep", "C-01", "theirs")
        #expect(given.status == 0, "\(given.output)\(given.error)")
        #expect(try office.run("sync", "--prove").status == 0)
        #expect(try office.central("SELECT title FROM calicatas") == "theirs" && office.local("SELECT title FROM calicatas") == "theirs")
        #expect(try office.local("SELECT count(*) FROM sync_queue") == "0")
        // What a colleague changed here is not theirs to take back.
        #expect(try office.run("sync", as: Self.coordinator).status == 0)
        try contest(as: Self.coordinator)
        #expect(try office.run("conflicts", "keep", "C-01", "theirs").status == 77)
        #expect(try office.run("conflicts", "keep", "C-01", "theirs", as: Self.coordinator).status == 0)
    }

    /// A record that was deleted there goes with its parts, of which some are a colleague's work.
    @Test func nobodyGivesWayForOthers() throws {
        let office = try SyncedOffice()
        let pit = try office.pit(1)
        try addPart(office, pit, 1)
        try office.follow()
        #expect(try office.run("sync", as: Self.coordinator).status == 0)
        #expect(try office.run("edit", "C-01", "--set", "title=mine", "--fail-on", "never").status == 0)
        let part = try office.local("SELECT id FROM calicata_cortes")
        #expect(try office.run("edit", part, "--set", "description=a colleague's", "--fail-on", "never", as: Self.coordinator).status == 0)
        try office.central("DELETE FROM calicatas")
        _ = try office.run("sync")
        let refused = try office.run("conflicts", "keep", conflict(office), "theirs")
        #expect(refused.status == 77, "\(refused.output)\(refused.error)")
        #expect(try office.local("SELECT description FROM calicata_cortes") == "a colleague's")
        _ = try run(office, "conflicts", "keep", conflict(office), "theirs")
        #expect(try office.local("SELECT count(*) FROM calicata_cortes") == "0")
    }
}
