import Foundation
import Model
import Testing
import Workbench

@testable import Replica

@Suite struct SchemaTests {
    let place: TemporaryFolder
    let file: String

    init() throws {
        place = try TemporaryFolder()
        file = place.file("fichero.db")
        try Replica.create(at: file, pack: PitPack.make(), now: testTime)
    }

    @Test func filesFactsAreWhatOtherProgramsSee() throws {
        #expect(try place.sqlite3(file, "PRAGMA application_id; PRAGMA user_version; PRAGMA journal_mode; PRAGMA integrity_check")
            == ["1179206472", "\(ProgramTables.version)", "wal", "ok"])
        #expect(try place.sqlite3(file, "SELECT value FROM fichero_replica WHERE key = 'created_at'") == ["2026-03-01T12:00:00Z"])
        let attributes = try FileManager.default.attributesOfItem(atPath: file)
        #expect((attributes[.posixPermissions] as? NSNumber)?.intValue == 0o600)
        #expect(try FileManager.default.contentsOfDirectory(atPath: place.path) == ["fichero.db"])
    }

    @Test func everyTableIsStrict() throws {
        #expect(try place.sqlite3(file, "SELECT name FROM pragma_table_list WHERE schema = 'main' AND NOT strict AND name NOT LIKE 'sqlite_%'") == [])
    }

    @Test func columnsHaveTheirStorageAndOnlyTheIdIsRequired() throws {
        let columns = try place.sqlite3(
            file, "SELECT name, type, \"notnull\", pk FROM pragma_table_info('calicatas') ORDER BY cid")
        #expect(columns == [
            "id|TEXT|1|1", "project_id|TEXT|0|0", "code|TEXT|0|0", "title|TEXT|0|0", "depth_m|REAL|0|0", "water_found|INTEGER|0|0",
            "end_date|TEXT|0|0", "status|TEXT|0|0", "sync_state|TEXT|1|0", "local_version|INTEGER|1|0", "remote_updated_at|TEXT|0|0",
            "content_stamp|INTEGER|1|0", "own_mark|INTEGER|1|0", "import_source|INTEGER|0|0", "import_row|INTEGER|0|0", "key_text|TEXT|0|0",
        ])
    }

    @Test func referencesAreDeferredAndCascadeWhereThePackSaysSo() throws {
        #expect(try place.sqlite3(
            file, "SELECT \"from\", \"table\", \"to\", on_delete FROM pragma_foreign_key_list('calicata_cortes')")
            == ["calicata_id|calicatas|id|CASCADE"])
        #expect(try place.sqlite3(file, "SELECT on_delete FROM pragma_foreign_key_list('calicatas')") == ["NO ACTION"])
        // A child may be inserted before its parent. The transaction fails at its end if the parent
        // is missing.
        _ = try place.sqlite3(
            file,
            "PRAGMA foreign_keys = ON; BEGIN; INSERT INTO calicatas (id, project_id) VALUES ('c', 'p'); INSERT INTO projects (id) VALUES ('p'); COMMIT")
        #expect(throws: TemporaryFolder.ProgramFailed.self) {
            try place.sqlite3(file, "PRAGMA foreign_keys = ON; INSERT INTO calicatas (id, project_id) VALUES ('d', 'q')")
        }
    }

    @Test func onlyTheSixSyncStatesAreTaken() throws {
        for state in ["local_only", "pending_upload", "pending_download", "synced", "conflict", "error"] {
            _ = try place.sqlite3(file, "INSERT INTO projects (id, sync_state) VALUES ('\(state)', '\(state)')")
        }
        #expect(throws: TemporaryFolder.ProgramFailed.self) {
            try place.sqlite3(file, "INSERT INTO projects (id, sync_state) VALUES ('x', 'dirty')")
        }
    }

    @Test func indexesFollowReferencesKeysStatesDatesAndOrders() throws {
        let names = try place.sqlite3(
            file, "SELECT name FROM sqlite_schema WHERE type = 'index' AND tbl_name LIKE 'calicata%' AND name LIKE 'ix_%' ORDER BY name")
        #expect(names == [
            "ix_calicata_cortes_calicata_id_number_id_content_stamp", "ix_calicata_cortes_calicata_id_unsynced", "ix_calicata_cortes_content_stamp",
            "ix_calicata_cortes_sync_state",
            "ix_calicata_photos_calicata_id_file_name", "ix_calicata_photos_calicata_id_key_text", "ix_calicata_photos_calicata_id_unsynced", "ix_calicata_photos_content_stamp",
            "ix_calicata_photos_sync_state", "ix_calicatas_content_stamp",
            "ix_calicatas_project_id_code_id_content_stamp", "ix_calicatas_project_id_end_date", "ix_calicatas_project_id_key_text", "ix_calicatas_project_id_status",
            "ix_calicatas_project_id_unsynced", "ix_calicatas_sync_state",
        ])
    }

    @Test func exportsWalkAnIndexInsteadOfSorting() throws {
        let plan = try place.sqlite3(
            file, "EXPLAIN QUERY PLAN SELECT * FROM calicatas c CROSS JOIN calicata_cortes s ON s.calicata_id = c.id WHERE c.project_id = 'p' ORDER BY c.code, c.id, s.number")
        // Only strata of pits with the same code are sorted among themselves. The whole result is
        // not sorted.
        #expect(!plan.joined().contains("TEMP B-TREE FOR ORDER BY"))
        #expect(plan.joined().contains("ix_calicatas_project_id_code_id"))
        #expect(plan.joined().contains("ix_calicata_cortes_calicata_id_number_id_content_stamp"))
    }

    @Test func aSecondCreationLeavesTheFirst() throws {
        #expect(throws: ReplicaFailure.exists(path: file)) { try Replica.create(at: file, pack: PitPack.make(), now: testTime) }
        _ = try Replica.open(at: file, pack: PitPack.make())
    }

    @Test func creationWhereThereIsNoDirectorySaysWhy() {
        let nowhere = place.file("none/fichero.db")
        #expect { try Replica.create(at: nowhere, pack: PitPack.make(), now: testTime) } throws: {
            ($0 as? ReplicaFailure)?.code == "REPLICA-CANNOT-CREATE"
        }
    }
}
