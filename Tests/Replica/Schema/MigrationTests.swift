import Foundation
import Testing
import Workbench

@testable import Model
@testable import Replica

@Suite struct MigrationTests {
    let place: TemporaryFolder
    let file: String

    init() throws {
        place = try TemporaryFolder()
        file = place.file("fichero.db")
        #expect(try Replica.initialise(at: file, pack: PitPack.make(), now: testTime) == .created)
        _ = try place.sqlite3(file, "INSERT INTO projects (id, code, client) VALUES ('p', 'TPA', 'MTC')")
    }

    @Test func nothingToDo() throws {
        #expect(try Replica.initialise(at: file, pack: PitPack.make(), now: testTime) == .current)
        #expect(try place.sqlite3(file, "SELECT count(*) FROM fichero_replica WHERE key = 'migrated_at'") == ["0"])
    }

    @Test func tablesColumnsAndIndexesAreAdded() throws {
        let newer = PitPack.make { entities in
            entities[1].fields += [Field(name: "side", type: .text), PitPack.reference("reviewed_by", "profiles")]
            entities[1].indexes = [["side", "code"]]
            entities.append(Entity(name: "road_classes", key: ["name"], fields: [PitPack.id, Field(name: "name", type: .text)]))
        }
        #expect(try Replica.initialise(at: file, pack: newer, now: testTime) == .migrated(
            additions: [
                "calicatas.side", "calicatas.reviewed_by", "ix_calicatas_side_code", "ix_calicatas_reviewed_by_given", "road_classes",
            ], leftovers: []))
        #expect(try place.sqlite3(file, "SELECT code FROM projects; SELECT side, reviewed_by FROM calicatas; PRAGMA integrity_check") == ["TPA", "ok"])
        #expect(try place.sqlite3(file, "SELECT \"table\" FROM pragma_foreign_key_list('calicatas') WHERE \"from\" = 'reviewed_by'") == ["profiles"])
        _ = try Replica.open(at: file, pack: newer)
        #expect(try Replica.initialise(at: file, pack: newer, now: testTime) == .current)
        // The migrated replica has the same tables and indexes as a new one.
        let fresh = place.file("fresh.db")
        try Replica.create(at: fresh, pack: newer, now: testTime)
        let names = "SELECT name FROM sqlite_schema WHERE name NOT LIKE 'sqlite_%' ORDER BY 1"
        #expect(try place.sqlite3(file, names) == place.sqlite3(fresh, names))
    }

    @Test func indexesThatNobodyAsksForGo() throws {
        _ = try place.sqlite3(
            file, "CREATE INDEX ix_sync_queue_created_at ON sync_queue (created_at); CREATE INDEX own ON projects (client); CREATE INDEX ix_other ON projects (client)")
        #expect(try Replica.initialise(at: file, pack: PitPack.make(), now: testTime) == .migrated(additions: [], leftovers: []))
        #expect(try place.sqlite3(file, "SELECT name FROM sqlite_schema WHERE name IN ('ix_sync_queue_created_at', 'own', 'ix_other')") == ["own"])
        #expect(try Replica.initialise(at: file, pack: PitPack.make(), now: testTime) == .current)
    }

    @Test func whatThePackNoLongerNamesStays() throws {
        let smaller = PitPack.make { entities in
            entities[0].fields.removeAll { $0.name == "client" }
            entities.remove(at: 3)
        }
        #expect(try Replica.initialise(at: file, pack: smaller, now: testTime)
            == .migrated(additions: [], leftovers: ["projects.client", "calicata_photos"]))
        #expect(try place.sqlite3(file, "SELECT client FROM projects") == ["MTC"])
        _ = try Replica.open(at: file, pack: smaller)
        // The data is used again when the pack names it again.
        #expect(try Replica.initialise(at: file, pack: PitPack.make(), now: testTime) == .migrated(additions: [], leftovers: []))
        _ = try Replica.open(at: file, pack: PitPack.make())
    }

    @Test func whatWouldTouchDataIsListedAndNothingIsDone() throws {
        let other = PitPack.make { entities in
            entities[0].fields[3] = Field(name: "client", type: .integer)
            entities[1].fields[1] = PitPack.reference("project_id", "projects", cascades: true)
            entities[1].fields.append(Field(name: "side", type: .text))
        }
        #expect(throws: ReplicaFailure.migration(
            path: file,
            obstacles: [
                "projects.client (TEXT → INTEGER)", "calicatas.project_id (REFERENCES projects → REFERENCES projects ON DELETE CASCADE)",
            ])) { try Replica.initialise(at: file, pack: other, now: testTime) }
        #expect(try place.sqlite3(file, "SELECT count(*) FROM pragma_table_info('calicatas') WHERE name = 'side'") == ["0"])
        _ = try Replica.open(at: file, pack: PitPack.make())
    }

    @Test func anotherKindOfTextNeedsNoChange() throws {
        let other = PitPack.make { $0[0].fields[3] = Field(name: "client", type: .date) }
        #expect(throws: ReplicaFailure.packChanged(path: file, pack: "pits")) { try Replica.open(at: file, pack: other) }
        #expect(try Replica.initialise(at: file, pack: other, now: testTime) == .migrated(additions: [], leftovers: []))
        _ = try Replica.open(at: file, pack: other)
    }

    @Test func anotherPackIsRefused() {
        #expect(throws: ReplicaFailure.otherPack(path: file, found: "pits", expected: "anagrafica")) {
            try Replica.initialise(at: file, pack: PitPack.make(name: "anagrafica"), now: testTime)
        }
    }
}

extension MigrationTests {
    @Test func aReplicaOfVersionEightLearnsToWait() throws {
        _ = try place.sqlite3(file, "DROP TABLE push_waits; DROP TABLE sent_items; DROP TABLE received_files; PRAGMA user_version = 8")
        #expect(throws: ReplicaFailure.packChanged(path: file, pack: "pits")) { try Replica.open(at: file, pack: PitPack.make()) }
        #expect(try Replica.initialise(at: file, pack: PitPack.make(), now: testTime) == .migrated(additions: ["push_waits", "sent_items", "received_files"], leftovers: []))
        _ = try Replica.open(at: file, pack: PitPack.make())
    }

    @Test func aReplicaOfVersionNineLearnsToKeepUploads() throws {
        _ = try place.sqlite3(file, "DROP TABLE file_uploads; PRAGMA user_version = 9")
        #expect(try Replica.initialise(at: file, pack: PitPack.make(), now: testTime) == .migrated(additions: ["file_uploads"], leftovers: []))
        _ = try Replica.open(at: file, pack: PitPack.make())
    }

    @Test func aReplicaOfVersionTenLearnsToAskForClaims() throws {
        _ = try place.sqlite3(file, "DROP TABLE row_claims; PRAGMA user_version = 10")
        #expect(try Replica.initialise(at: file, pack: PitPack.make(), now: testTime) == .migrated(additions: ["row_claims"], leftovers: []))
        _ = try Replica.open(at: file, pack: PitPack.make())
    }

    @Test func aReplicaOfVersionElevenLearnsToKeepBases() throws {
        _ = try place.sqlite3(file, "DROP TABLE own_bases; PRAGMA user_version = 11")
        #expect(try Replica.initialise(at: file, pack: PitPack.make(), now: testTime) == .migrated(additions: ["own_bases"], leftovers: []))
        _ = try Replica.open(at: file, pack: PitPack.make())
    }

    @Test func aReplicaOfVersionTwelveLearnsToForget() throws {
        _ = try place.sqlite3(file, "DROP TABLE erased_marks; PRAGMA user_version = 12")
        #expect(try Replica.initialise(at: file, pack: PitPack.make(), now: testTime) == .migrated(additions: ["erased_marks"], leftovers: []))
        _ = try Replica.open(at: file, pack: PitPack.make())
    }

    @Test func aReplicaOfVersionTwoLearnsWhereRowsComeFrom() throws {
        let tables = ["import_details", "import_readings", "import_sources", "import_changes"]
        // Version 2 did not have these tables and columns.
        let columns = ["projects", "calicatas", "calicata_cortes", "calicata_photos"] + PitPack.core.map(\.name)
        _ = try place.sqlite3(
            file,
            tables.map { "DROP TABLE \($0);" }.joined()
                + columns.map { "ALTER TABLE \($0) DROP COLUMN import_source; ALTER TABLE \($0) DROP COLUMN import_row;" }.joined()
                + "INSERT INTO imports (id, source, format, started_at, finished_at, counts) VALUES ('i', 's', 'json', 't', 't', '[]'); PRAGMA user_version = 2")
        #expect(throws: ReplicaFailure.packChanged(path: file, pack: "pits")) { try Replica.open(at: file, pack: PitPack.make()) }
        guard case .migrated(_, let additions, let leftovers) = try Replica.initialise(at: file, pack: PitPack.make(), now: testTime) else {
            Issue.record("nothing was migrated")
            return
        }
        #expect(Set(additions) == Set(tables + columns.flatMap { ["\($0).import_source", "\($0).import_row"] }) && leftovers.isEmpty)
        #expect(try place.sqlite3(file, "SELECT code, import_source IS NULL FROM projects; SELECT count(*) FROM imports; PRAGMA integrity_check") == ["TPA|1", "1", "ok"])
        _ = try Replica.open(at: file, pack: PitPack.make())
        #expect(try Replica.initialise(at: file, pack: PitPack.make(), now: testTime) == .current)
    }
}
