import Foundation
import GRDB
import Testing
import Workbench

@testable import Model
@testable import Replica

@Suite struct DoctorTests {
    let scene: ReplicaScene
    init() throws {
        scene = try ReplicaScene()
        try scene.importing(smallPit)
    }

    private func check(_ code: String, _ pack: Pack? = nil) -> DoctorCheck? {
        Replica.doctor(at: scene.file, pack: pack ?? scene.pack).first { $0.code == code }
    }

    @Test func aSoundReplicaHasNothingToComplainOf() {
        let checks = Replica.doctor(at: scene.file, pack: scene.pack)
        #expect(checks.map(\.code) == [
                "REPLICA-FILE", "REPLICA-DRIVE", "REPLICA-PERMISSIONS", "REPLICA-NAMES", "REPLICA-VERSION",
                "REPLICA-PACK", "REPLICA-SCHEMA",
                "REPLICA-INTEGRITY", "REPLICA-REFERENCES", "REPLICA-FOREIGN-WRITES", "REPLICA-WAL",
                "REPLICA-FOREIGN-KEYS", "REPLICA-RUNS", "REPLICA-KEYS", "REPLICA-QUEUE",
            "REPLICA-CONFLICTS", "REPLICA-REJECTS", "REPLICA-LOG", "REPLICA-PHOTOS", "REPLICA-STAGING",
        ])
        #expect(checks.allSatisfy { $0.state == .ok })
        #expect(check("REPLICA-QUEUE")?.arguments == ["count": "6"])
    }

    @Test func aSecondNameOfTheFileIsTold() throws {
        try FileManager.default.linkItem(atPath: scene.file, toPath: scene.file + ".second")
        #expect(check("REPLICA-NAMES") == DoctorCheck("REPLICA-NAMES", .warning, ["path": scene.file, "count": "2"]))
    }

    /// Who has an address of two people cannot work, and no command says why.
    @Test func peopleAndProjectsThatStandTwiceAreTold() throws {
        _ = try scene.sql(
            """
            INSERT INTO profiles (id, email, role, status)
              VALUES ('x', 'One@example.pe', 'LECTOR', 'ACTIVO'), ('y', 'one@example.pe', 'LECTOR', 'ACTIVO');
            INSERT INTO projects (id, code) VALUES ('v', 'P-7'), ('w', 'P-7')
            """)
        let found = ["count": "2", "rows": "profiles x, y; projects v, w"]
        #expect(check("REPLICA-KEYS") == DoctorCheck("REPLICA-KEYS", .error, found))
    }

    @Test func rowsWithoutTheirParents() throws {
        _ = try scene.sql("PRAGMA foreign_keys = OFF; INSERT INTO calicatas (id, project_id) VALUES ('x', 'y')")
        #expect(check("REPLICA-REFERENCES") == DoctorCheck("REPLICA-REFERENCES", .error, ["tables": "calicatas: 1"]))
    }

    /// A central database shows a person a row and hides the one that it refers to.
    @Test func rowsWhoseParentsOnlyOthersSee() throws {
        _ = try scene.sql(
            """
            PRAGMA foreign_keys = OFF; INSERT INTO calicatas (id, project_id, remote_updated_at, sync_state) VALUES ('x', 'y', '1', 'synced');
            INSERT INTO calicatas (id, project_id) VALUES ('z', 'y')
            """)
        #expect(check("REPLICA-REFERENCES") == DoctorCheck("REPLICA-REFERENCES", .error, ["tables": "calicatas: 1"]))
        #expect(check("REPLICA-REFERENCES-UNSEEN") == DoctorCheck("REPLICA-REFERENCES-UNSEEN", .ok, ["tables": "calicatas: 1"]))
        _ = try scene.sql("DELETE FROM calicatas WHERE id = 'z'")
        #expect(check("REPLICA-REFERENCES")?.state == .ok)
    }

    @Test func aTableWithoutItsIndexEntries() throws {
        // The index is hidden while a row is inserted and shown again afterwards. SQLite still
        // opens the file, and only the check finds the fault.
        let index = "FROM sqlite_schema WHERE name = 'ix_calicatas_sync_state'"
        _ = try scene.sql("CREATE TABLE kept AS SELECT * \(index); PRAGMA writable_schema = ON; DELETE \(index)")
        _ = try scene.sql("INSERT INTO calicatas (id) VALUES ('x')")
        _ = try scene.sql("PRAGMA writable_schema = ON; INSERT INTO sqlite_schema SELECT * FROM kept")
        #expect(check("REPLICA-INTEGRITY")?.arguments["problems"]?.contains("ix_calicatas_sync_state") == true)
        #expect(check("REPLICA-INTEGRITY")?.state == .error)
    }

    @Test func anIndexThatIsMissing() throws {
        _ = try scene.sql("DROP INDEX ix_calicatas_sync_state")
        #expect(check("REPLICA-SCHEMA") == DoctorCheck(
            "REPLICA-SCHEMA", .warning, ["missing": "ix_calicatas_sync_state", "leftovers": "", "obstacles": ""]))
    }

    @Test func anotherPackAndAnotherShape() {
        #expect(check("REPLICA-PACK", PitPack.make(name: "anagrafica"))?.state == .error)
        let reshaped = PitPack.make { $0[0].fields[3] = Field(name: "client", type: .decimal) }
        #expect(check("REPLICA-SCHEMA", reshaped)?.arguments["obstacles"] == "projects.client (TEXT → REAL)")
    }

    @Test func withoutWriteAheadLog() throws {
        try scene.replica.queue.close()
        _ = try scene.sql("PRAGMA journal_mode = DELETE")
        #expect(check("REPLICA-WAL")?.state == .error)
    }

    @Test func readableByEverybody() throws {
        try FileManager.default.setAttributes([.posixPermissions: 0o644], ofItemAtPath: scene.file)
        #expect(check("REPLICA-PERMISSIONS")?.arguments["mode"] == "644")
        #expect(check("REPLICA-PERMISSIONS")?.state == .warning)
    }

    @Test func whatWaits() throws {
        try scene.importing([row("calicatas", "c1", ["code": .text("other")]), row("calicatas", nil)])
        try scene.beginRun("r1")
        _ = try scene.sql("UPDATE pipeline_runs SET pid = 999999999")
        for code in ["REPLICA-CONFLICTS", "REPLICA-REJECTS", "REPLICA-RUNS"] {
            #expect(check(code) == DoctorCheck(code, .warning, ["count": "1"]))
        }
    }

    @Test func whatIsNoReplica() throws {
        try Data("no".utf8).write(to: URL(fileURLWithPath: scene.place.file("x.db")))
        #expect(Replica.doctor(at: scene.place.file("x.db"), pack: scene.pack).map(\.code) == ["REPLICA-DAMAGED"])
        #expect(Replica.doctor(at: scene.place.file("none.db"), pack: scene.pack) == [
            DoctorCheck("REPLICA-MISSING", .error, ["path": scene.place.file("none.db")])
        ])
    }
}
