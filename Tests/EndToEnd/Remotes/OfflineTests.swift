import Foundation
import Testing
import Workbench

/// Each person chooses which records they keep offline.
@Suite struct OfflineTests {
    private func modes(_ office: Office) throws -> String {
        try office.sql("SELECT group_concat(m, ' ') FROM (SELECT f.sync_mode || ':' || coalesce(f.path, '-') AS m FROM file_sync_states AS f JOIN profiles AS p ON p.id = f.profile_id WHERE p.email = '\(office.actor)' AND f.project_id = (SELECT id FROM projects WHERE code = 'HYO-2025') AND f.document_node_id IS NULL ORDER BY 1)")
    }

    @Test func aProjectIsKeptInAnotherModeAndNoLonger() throws {
        let office = try Office.pits()
        _ = try office.writableSQL("DELETE FROM file_sync_states")
        let items = "SELECT count(*) FROM sync_queue WHERE entity_type = 'file_sync_states'"
        let before = try Int(office.sql(items)) ?? 0
        let kept = try office.run("offline", "HYO-2025", "--available")
        #expect(kept.status == 0, "\(kept.output)\(kept.error)")
        #expect(try modes(office) == "available_offline:-")
        #expect(try office.run("offline", "HYO-2025", "--always", "--dry-run").status == 0)
        #expect(try modes(office) == "available_offline:-")
        #expect(try office.run("offline", "HYO-2025", "--always").status == 0)
        #expect(try modes(office) == "always_synced:-")
        #expect(try office.run("offline").output.contains("HYO-2025"))
        #expect(try Int(office.sql(items)) == before + 2)
        #expect(try office.run("offline", "HYO-2025", "--off").status == 0)
        #expect(try modes(office) == "")
        #expect(try office.run("undo", "last").status == 0)
        #expect(try modes(office) == "always_synced:-")
    }

    @Test func recordsFoldersAndDocumentsAreNamedAsPeopleDo() throws {
        let office = try Office.pits()
        _ = try office.writableSQL("DELETE FROM file_sync_states")
        #expect(try office.run("offline", "C-01", "--project", "HYO-2025", "--always").status == 0)
        #expect(try modes(office).hasPrefix("always_synced:calicatas/"))
        #expect(try office.run("offline").output.contains("C-01"))
        let project = try office.sql("SELECT id FROM projects WHERE code = 'HYO-2025'")
        _ = try office.writableSQL(
            """
            INSERT INTO document_nodes (id, project_id, name, type) VALUES ('0199d000-0000-7000-8000-000000000001', '\(project)', 'Informes', 'folder');
            INSERT INTO document_nodes (id, project_id, parent_id, name, type)
            VALUES ('0199d000-0000-7000-8000-000000000002', '\(project)', '0199d000-0000-7000-8000-000000000001', '2026', 'folder');
            INSERT INTO document_nodes (id, project_id, name, type) VALUES ('0199d000-0000-7000-8000-000000000003', '\(project)', '2026', 'folder')
            """)
        #expect(try office.run("offline", "Informes/2026", "--available", "--project", "HYO-2025").status == 0)
        #expect(try office.sql("SELECT document_node_id FROM file_sync_states WHERE document_node_id IS NOT NULL") == "0199d000-0000-7000-8000-000000000002")
        #expect(try office.run("offline").output.contains("Informes/2026"))
        #expect(try office.run("offline", "nada", "--available").status == 66)
        #expect(try office.run("offline", "HYO-2025").status == 64)
    }

    @Test func nobodyChoosesForAnother() throws {
        let office = try Office.pits()
        let other = try office.sql("SELECT id FROM profiles WHERE email <> '\(office.actor)' AND status = 'ACTIVO' LIMIT 1")
        let refused = try office.run(
            "add", "file_sync_states", "--project", "HYO-2025", "--set", "profile_id=\(other)", "--set", "sync_mode=always_synced", "--set", "sync_status=local_only")
        #expect(refused.status == 77 && refused.output.contains("CHANGE-NOT-OWN"), "\(refused.output)\(refused.error)")
        // A reader may choose this in their own projects only, and others are as if they were not
        // there.
        let outside = try office.run("offline", "HYO-2025", "--available", "--actor", "lector@example.pe")
        #expect(outside.status == 66 && outside.error.contains("OFFLINE-UNKNOWN"), "\(outside.output)\(outside.error)")
        let own = try office.sql("SELECT p.code FROM projects AS p JOIN project_members AS m ON m.project_id = p.id WHERE m.profile_id = (SELECT id FROM profiles WHERE email = 'lector@example.pe') LIMIT 1")
        #expect(try office.run("offline", own, "--available", "--actor", "lector@example.pe").status == 0, "\(own)")
    }
}
