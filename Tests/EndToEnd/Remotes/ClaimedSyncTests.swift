import Foundation
import Testing
import Workbench

/// An administrator brings in a file whose rows say that a central database has them. Whether it
/// does is for the server to say: nothing is left behind, and nothing is there twice.
@Suite struct ClaimedSyncTests {
    private static let (own, pit, other) = ("30000000-0000-4000-8000-000000000001", "30000000-0000-4000-8000-000000000002", "30000000-0000-4000-8000-000000000003")

    private func write(_ rows: String, as name: String, _ office: SyncedOffice) throws {
        try rows.write(toFile: office.folder + "/" + name, atomically: true, encoding: .utf8)
    }

    private func bring(_ files: (name: String, entity: String)..., to office: SyncedOffice) throws {
        for file in files {
            let brought = try office.run("import", file.name, "--entity", file.entity, "--fail-on", "never", as: SyncedOffice.administrator)
            try #require(brought.status == 0, "\(brought.output)\(brought.error)")
        }
    }

    private static let claim = "\"syncStatus\": \"synced\", \"localVersion\": 3, \"remoteUpdatedAt\": \"2026-01-02T03:04:05Z\""

    /// The project and its pit claim it, and a part of the pit was never sent: it waits for both.
    @Test(arguments: SyncedOffice.Way.kinds) func whatTheServerNeverHadGoesUp(_ way: SyncedOffice.Way) throws {
        let office = try SyncedOffice(way)
        let made = try office.run("init", "--pack", "ingeplus", "--admin", SyncedOffice.administrator)
        try #require(made.status == 0, "\(made.error)")
        try write("[{\"id\": \"\(Self.own)\", \"code\": \"FUERA-1\", \"name\": \"De otro equipo\", \"status\": \"ACTIVO\", \(Self.claim)}]", as: "projects.json", office)
        try write(
            """
            [{"id": "\(Self.pit)", "project_id": "\(Self.own)", "code": "C-01", "depth_m": 1.5, "status": "BORRADOR", \(Self.claim)},
             {"id": "\(Self.other)", "project_id": "\(Self.own)", "code": "C-02", "depth_m": 2.5, "status": "BORRADOR", "syncStatus": "pending_upload", "remoteUpdatedAt": "2026-01-02T03:04:05Z"}]
            """, as: "pits.json", office)
        try write("[{\"id\": \"30000000-0000-4000-8000-000000000009\", \"calicata_id\": \"\(Self.pit)\", \"number\": 1, \"syncStatus\": \"local_only\"}]", as: "parts.json", office)
        try bring(("projects.json", "projects"), ("pits.json", "calicatas"), ("parts.json", "calicata_cortes"), to: office)
        #expect(try office.local("SELECT sync_state, remote_updated_at FROM calicatas WHERE code = 'C-01'") == "synced|2026-01-02T03:04:05Z")

        let synced = try office.run("sync", as: SyncedOffice.administrator)
        #expect(synced.status == 0 && synced.output.contains("SYNC-CLAIMED") && !synced.output.contains("SYNC-NOT-SENT"), "\(synced.output)\(synced.error)")
        #expect(try office.central("SELECT code, name FROM projects WHERE id = '\(Self.own)'") == "FUERA-1|De otro equipo")
        #expect(try office.central("SELECT string_agg(code, ' ' ORDER BY code) FROM calicatas WHERE project_id = '\(Self.own)'") == "C-01 C-02")
        #expect(try office.central("SELECT count(*) FROM calicata_cortes WHERE calicata_id = '\(Self.pit)'") == "1")
        #expect(try office.local("SELECT count(*) FROM sync_queue") == "0")
        #expect(try office.local("SELECT count(*) FROM row_claims") == "0")
        #expect(try office.local("SELECT group_concat(DISTINCT sync_state) FROM calicatas") == "synced")
        #expect(try office.run("offline", "FUERA-1", "--available", as: SyncedOffice.administrator).status == 0)
        let proven = try office.run("sync", "--prove", as: SyncedOffice.administrator)
        #expect(proven.status == 0 && proven.output.contains("Proven") && !proven.output.contains("SYNC-CLAIMED"), "\(proven.output)\(proven.error)")
        #expect(try office.central("SELECT count(*) FROM calicatas WHERE project_id = '\(Self.own)'") == "2")
    }

    /// What was removed again before the server was asked is no removal there, if it never had it.
    @Test(arguments: SyncedOffice.Way.kinds) func whatWasRemovedBeforeItWasAskedForIsForgotten(_ way: SyncedOffice.Way) throws {
        let office = try SyncedOffice(way)
        try office.follow(as: SyncedOffice.administrator)
        try write("[{\"id\": \"\(Self.own)\", \"code\": \"FUERA-1\", \"name\": \"De otro equipo\", \"status\": \"ACTIVO\", \(Self.claim)}]", as: "projects.json", office)
        let pits = [(Self.pit, SyncedOffice.project), (Self.other, Self.own)]
        try write("[" + pits.map { "{\"id\": \"\($0)\", \"project_id\": \"\($1)\", \"code\": \"C-09\", \"depth_m\": 1.5, \"status\": \"BORRADOR\", \(Self.claim)}" }.joined(separator: ",") + "]", as: "pits.json", office)
        try write("[{\"id\": \"30000000-0000-4000-8000-000000000009\", \"calicata_id\": \"\(Self.pit)\", \"number\": 1, \(Self.claim)}]", as: "parts.json", office)
        try bring(("projects.json", "projects"), ("pits.json", "calicatas"), ("parts.json", "calicata_cortes"), to: office)
        for pit in [Self.pit, Self.other] {
            // A change of before goes the same way as the removal.
            let edited = try office.run(
                "edit", pit, "--set", "title=mine", "--fail-on", "never", as: SyncedOffice.administrator)
            #expect(edited.status == 0, "\(edited.output)\(edited.error)")
            let deleted = try office.run("delete", pit, "--reason", "twice", as: SyncedOffice.administrator)
            #expect(deleted.status == 0, "\(deleted.output)\(deleted.error)")
        }
        let synced = try office.run("sync", "--prove", as: SyncedOffice.administrator)
        #expect(synced.status == 0 && !synced.output.contains("SYNC-NOT-SENT"), "\(synced.output)\(synced.error)")
        for table in ["sync_queue", "row_claims", "row_bases", "own_bases"] {
            #expect(try office.local("SELECT count(*) FROM \(table)") == "0", "\(table)")
        }
    }

    /// A survey package as a device leaves it: nearly all of its rows say that they are there.
    @Test func aWholeSurveyGoesUpAndIsProven() throws {
        let office = try SyncedOffice(.postgres, system: "anagrafica")
        let administrator = "admin@example.it"
        try #require(try office.run("init", "--pack", "anagrafica", "--admin", administrator, as: administrator).status == 0)
        let brought = try office.run("import", ProgramRun.root + "/Samples/anagrafica/survey", "--fail-on", "never", as: administrator)
        try #require(brought.status == 0, "\(brought.output)\(brought.error)")
        let synced = try office.run("sync", as: administrator)
        #expect(synced.output.contains("SYNC-CLAIMED") && !synced.output.contains("SYNC-NOT-SENT"), "\(synced.output)\(synced.error)")
        for table in ["rooms", "instances", "photos", "types"] {
            #expect(try office.central("SELECT count(*) FROM \(table)") == office.local("SELECT count(*) FROM \(table)"), "\(table)")
        }
        for code in try office.local("SELECT id FROM projects").split(separator: "\n") {
            #expect(try office.run("offline", String(code), "--available", as: administrator).status == 0)
        }
        let proven = try office.run("sync", "--prove", as: administrator)
        #expect(proven.status == 0 && proven.output.contains("Proven"), "\(proven.output)\(proven.error)")
    }

    /// Of two pits of a project that the server knows, it has one, with another value.
    @Test(arguments: SyncedOffice.Way.kinds) func whatTheServerHasIsNotThereTwice(_ way: SyncedOffice.Way) throws {
        let office = try SyncedOffice(way)
        let there = try office.pit(1)
        try #require(try office.run("sync", as: SyncedOffice.administrator).status == 0)
        try write(
            """
            [{"id": "\(there)", "project_id": "\(SyncedOffice.project)", "code": "C-01", "depth_m": 1.2, "status": "BORRADOR", \(Self.claim)},
             {"id": "\(Self.other)", "project_id": "\(SyncedOffice.project)", "code": "C-02", "depth_m": 2.5, "status": "BORRADOR", \(Self.claim)}]
            """, as: "pits.json", office)
        try bring(("pits.json", "calicatas"), to: office)
        let synced = try office.run("sync", "--json", as: SyncedOffice.administrator)
        #expect(synced.status == 0 && synced.output.contains("\"SYNC-CLAIMED\"") && synced.output.contains("\"count\" : \"1\""), "\(synced.output)\(synced.error)")
        let rows = "SELECT code, cast(depth_m AS numeric(8, 2)) + 0.0 FROM calicatas ORDER BY code"
        for ask in [office.local, { try office.central($0) }] {
            let found = try ask(rows).split(separator: "\n").map { $0.split(separator: "|") }
            #expect(found.map { String($0[0]) } == ["C-01", "C-02"] && found.compactMap { Double($0[1]) } == [1.5, 2.5], "the server's value counts")
        }
        #expect(try office.local("SELECT group_concat(DISTINCT sync_state) FROM calicatas") == "synced")
        for table in ["sync_queue", "row_claims", "conflicts"] { #expect(try office.local("SELECT count(*) FROM \(table)") == "0", "\(table)") }
        #expect(try !office.run("sync", as: SyncedOffice.administrator).output.contains("SYNC-CLAIMED"))
    }

    /// What was deleted there before anybody followed it does not come back with a file.
    @Test func whatWasDeletedThereStaysDeleted() throws {
        let office = try SyncedOffice()
        let (deleted, kept) = (try office.pit(1), try office.pit(2))
        let part = "30000000-0000-4000-8000-000000000009"
        try office.central("INSERT INTO calicata_cortes (id, calicata_id, number) VALUES ('\(part)', '\(deleted)', 1); DELETE FROM calicatas WHERE id = '\(deleted)'")
        let made = try office.run("init", "--pack", "ingeplus", "--admin", SyncedOffice.administrator)
        try #require(made.status == 0, "\(made.error)")
        try write("[{\"id\": \"\(SyncedOffice.project)\", \"code\": \"PRUEBA-1\", \"name\": \"Proyecto de prueba\", \"status\": \"ACTIVO\", \(Self.claim)}]", as: "projects.json", office)
        try write(
            """
            [{"id": "\(deleted)", "project_id": "\(SyncedOffice.project)", "code": "C-01", "depth_m": 1.5, "status": "BORRADOR", \(Self.claim)},
             {"id": "\(kept)", "project_id": "\(SyncedOffice.project)", "code": "C-02", "depth_m": 1.5, "status": "BORRADOR", \(Self.claim)}]
            """, as: "pits.json", office)
        try write("[{\"id\": \"\(part)\", \"calicata_id\": \"\(deleted)\", \"number\": 1, \(Self.claim)}]", as: "parts.json", office)
        try bring(("projects.json", "projects"), ("pits.json", "calicatas"), ("parts.json", "calicata_cortes"), to: office)
        for step in [["sync"], ["offline", "PRUEBA-1", "--available"], ["sync", "--prove"]] {
            let done = try office.runs(step, as: SyncedOffice.administrator)
            #expect(done.status == 0, "\(step): \(done.output)\(done.error)")
        }
        for ask in [office.local, { try office.central($0) }] {
            #expect(try ask("SELECT code FROM calicatas") == "C-02")
            #expect(try ask("SELECT count(*) FROM calicata_cortes") == "0")
        }
        for table in ["sync_queue", "row_claims", "conflicts"] { #expect(try office.local("SELECT count(*) FROM \(table)") == "0", "\(table)") }
    }

    /// The same for somebody who has followed the project since, and heard of the removal.
    @Test func whatWasDeletedThereLongAgoStaysDeleted() throws {
        let office = try SyncedOffice()
        let (deleted, _) = (try office.pit(1), try office.pit(2))
        try office.follow(as: SyncedOffice.administrator)
        try office.central("DELETE FROM calicatas WHERE id = '\(deleted)'")
        try #require(try office.run("sync", as: SyncedOffice.administrator).status == 0)
        #expect(try office.local("SELECT code FROM calicatas") == "C-02")
        try write("[{\"id\": \"\(deleted)\", \"project_id\": \"\(SyncedOffice.project)\", \"code\": \"C-01\", \"depth_m\": 1.5, \"status\": \"BORRADOR\", \(Self.claim)}]", as: "pits.json", office)
        try bring(("pits.json", "calicatas"), to: office)
        let synced = try office.run("sync", "--prove", as: SyncedOffice.administrator)
        #expect(synced.status == 0 && !synced.output.contains("SYNC-CLAIMED"), "\(synced.output)\(synced.error)")
        for ask in [office.local, { try office.central($0) }] { #expect(try ask("SELECT code FROM calicatas") == "C-02") }
        // The note of the claim goes with the next sync.
        try #require(try office.run("sync", as: SyncedOffice.administrator).status == 0)
        for table in ["sync_queue", "row_claims", "conflicts"] { #expect(try office.local("SELECT count(*) FROM \(table)") == "0", "\(table)") }
    }

    /// Somebody lost a project; a file that says otherwise gives it back neither here nor there.
    @Test(arguments: SyncedOffice.Way.kinds) func noFileGivesBackAMembership(_ way: SyncedOffice.Way) throws {
        let office = try SyncedOffice(way)
        _ = try office.pit(1)
        try office.follow()
        try #require(try office.run("sync", as: SyncedOffice.administrator).status == 0)
        let person = try office.central("SELECT id FROM profiles WHERE email = '\(SyncedOffice.field)'")
        try office.central("DELETE FROM project_members WHERE profile_id = '\(person)'")
        try #require(try office.run("sync").status == 0)
        #expect(try office.run("query", "SELECT count(*) AS n FROM calicatas", "--format", "csv").output.contains("0"))
        try write("[{\"id\": \"\(Self.other)\", \"project_id\": \"\(SyncedOffice.project)\", \"profile_id\": \"\(person)\", \(Self.claim)}]", as: "members.json", office)
        try bring(("members.json", "project_members"), to: office)
        for email in [SyncedOffice.field, SyncedOffice.administrator, SyncedOffice.field] {
            let synced = try office.run("sync", as: email)
            #expect(synced.status == 0 && !synced.output.contains("SYNC-CLAIMED"), "\(email): \(synced.output)\(synced.error)")
        }
        #expect(try office.central("SELECT count(*) FROM project_members WHERE profile_id = '\(person)'") == "0")
        #expect(try office.local("SELECT count(*) FROM project_members WHERE profile_id = '\(person)'") == "0")
        let asked = try office.run("query", "SELECT count(*) AS n FROM calicatas", "--format", "csv")
        #expect(asked.output.contains("0") && !asked.output.contains("1"), "\(asked.output)\(asked.error)")
    }
}
