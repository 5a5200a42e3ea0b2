import Foundation
import Testing
import Workbench

/// Photos and registered documents go to Storage after their rows, and come to whoever keeps them.
@Suite struct FileSyncTests {
    private static let coordinator = "coordinadora@example.pe"

    private func stored(_ office: SyncedOffice) throws -> String {
        try office.central("SELECT string_agg(bucket_id || '/' || name, ',' ORDER BY name) FROM storage.objects")
    }

    @Test func photosGoAfterTheirRowsAndComeToWhoeverKeepsThem() throws {
        let office = try SyncedOffice(.supabase)
        let pit = try office.pit(1)
        try office.follow()
        // One is small; the other goes in three pieces.
        let small = SeededNumbers.bytes(9000, seed: 1), large = SeededNumbers.bytes(13 << 20, seed: 2)
        try office.photo("small.jpg", of: pit, bytes: small)
        try office.photo("large.jpg", of: pit, bytes: large)
        let planned = try office.run("sync", "--plan")
        #expect(planned.output.contains("2 are to be sent, 0 to be fetched"), "\(planned.output)\(planned.error)")
        let sent = try office.run("sync", "--prove")
        #expect(sent.status == 0 && sent.output.contains("Files sent: 2"), "\(sent.output)\(sent.error)")
        let paths = try office.central("SELECT string_agg(storage_path, ',' ORDER BY storage_path) FROM calicata_photos")
        #expect(paths == (try stored(office)) && paths.contains("/projects/\(SyncedOffice.project)/calicatas/\(pit)/photos/"), "\(paths)")
        #expect(try office.local("SELECT count(*) FROM sync_queue") == "0")
        #expect(try office.local("SELECT count(*) FROM activity_logs WHERE action = 'file_sent'") == "2")
        let again = try office.run("sync")
        #expect(again.output.contains("Nothing changed there.") && !again.output.contains("Files"), "\(again.output)")

        let other = try SyncedOffice(following: office)
        try other.follow(as: Self.coordinator)
        #expect(try other.local("SELECT count(local_path) FROM calicata_photos") == "0", "rows alone")
        let kept = try other.run("offline", "PRUEBA-1", "--always", as: Self.coordinator)
        #expect(kept.status == 0, "\(kept.output)\(kept.error)")
        #expect(try other.run("sync", "--plan", as: Self.coordinator).output.contains("0 are to be sent, 2 to be fetched"))
        let fetched = try other.run("sync", "--prove", as: Self.coordinator)
        #expect(fetched.status == 0 && fetched.output.contains("Files fetched: 2"), "\(fetched.output)\(fetched.error)")
        for (name, content) in [("small.jpg", small), ("large.jpg", large)] {
            let path = try other.local("SELECT local_path FROM calicata_photos WHERE filename = '\(name)'")
            #expect(try Data(contentsOf: URL(fileURLWithPath: other.folder + "/" + path)) == Data(content))
        }
        #expect(try other.local("SELECT count(*) FROM sync_queue WHERE entity_type = 'calicata_photos'") == "0", "where a device keeps a file is its own")
    }

    @Test func aTransferThatBreaksOffGoesOn() throws {
        let office = try SyncedOffice(.supabase)
        let pit = try office.pit(1)
        try office.follow()
        let contents = [SeededNumbers.bytes(9000, seed: 3), SeededNumbers.bytes(13 << 20, seed: 4)]
        for (index, content) in contents.enumerated() { try office.photo("\(index).jpg", of: pit, bytes: content) }
        try #require(office.web).fail(#"[{"match": "PATCH /storage/v1/upload", "after": 1, "do": {"close": "after"}}]"#)
        let sent = try office.run("sync")
        #expect(sent.status == 0 && sent.output.contains("Files sent: 2"), "\(sent.output)\(sent.error)")
        for (index, content) in contents.enumerated() {
            let path = try office.central("SELECT storage_path FROM calicata_photos WHERE filename = '\(index).jpg'")
            #expect(try office.web?.file(path) == content, "\(index)")
        }
    }

    @Test func whatOthersRegisteredIsNotMissedHere() throws {
        let office = try SyncedOffice(.postgres)
        _ = try office.pit(1)
        try office.follow(as: Self.coordinator)
        let made = try office.run("export", "calicatas", "--project", "PRUEBA-1", "--format", "csv", "--output-dir", office.folder + "/own", "--fail-on", "never", as: Self.coordinator)
        #expect(made.status == 0, "\(made.output)\(made.error)")
        // As a pull leaves a colleague's registration: the central database knows no local path.
        let other = try OtherProgram.run(
            "/usr/bin/sqlite3", [office.replica, "UPDATE exports SET local_path = NULL WHERE id = (SELECT id FROM exports ORDER BY id LIMIT 1)"])
        #expect(other.status == 0)
        let verified = try office.run("verify", as: Self.coordinator)
        #expect(verified.status == 0 && verified.output.contains("Registered on another computer, with no file here: 1."), "\(verified.output)\(verified.error)")
    }

    @Test func aFileThatTheDiskDidNotGiveIsNotSaidToBeMissing() throws {
        let office = try SyncedOffice(.supabase)
        let pit = try office.pit(1)
        try office.follow()
        try office.photo("pit.jpg", of: pit, bytes: SeededNumbers.bytes(9000, seed: 5))
        // The check of the rows reads the photo first.
        let broken = BrokenCall(paths: "*/fichero.db.files/*", calls: "read").variables(at: 2, .fault)
        let failed = try office.run("sync", with: broken)
        #expect(failed.status == 1, "\(failed.output)\(failed.error)")
        #expect(failed.output.contains("SYNC-FILE-NOT-READ") && !failed.output.contains("SYNC-FILE-MISSING"), "\(failed.output)")
        let again = try office.run("sync")
        #expect(again.status == 0 && again.output.contains("Files sent: 1"), "\(again.output)\(again.error)")
    }

    @Test func registeredDocumentsGoUpOnceAndOnlyAsTheyWereRegistered() throws {
        let office = try SyncedOffice(.supabase)
        _ = try office.pit(1)
        try office.follow()
        #expect(try office.run("sync", as: Self.coordinator).status == 0)
        for name in ["first", "second"] {
            let made = try office.run("export", "calicatas", "--project", "PRUEBA-1", "--format", "csv", "--output-dir", office.folder + "/" + name, "--fail-on", "never", as: Self.coordinator)
            #expect(made.status == 0, "\(made.output)\(made.error)")
        }
        let paths = try office.local("SELECT local_path FROM exports ORDER BY started_at, id").split(separator: "\n").map(String.init)
        try #require(paths.count >= 2)
        try Data("changed".utf8).write(to: URL(fileURLWithPath: paths[0]))
        let synced = try office.run("sync", as: Self.coordinator)
        #expect(synced.status == 1 && synced.output.contains("SYNC-FILE-CHANGED"), "\(synced.output)\(synced.error)")
        #expect(try office.local("SELECT count(*) FROM sync_queue WHERE operation = 'UPLOAD'") == "1", "what was not sent waits")
        #expect(try office.central("SELECT count(*) FROM storage.objects WHERE bucket_id = 'exports'") == "\(paths.count - 1)")
        try FileManager.default.removeItem(atPath: paths[0])
        let missing = try office.run("sync", as: Self.coordinator)
        #expect(missing.output.contains("SYNC-FILE-MISSING"), "\(missing.output)\(missing.error)")
    }

    @Test func whatTheServerRefusesOrHasDifferentlyIsSaid() throws {
        let office = try SyncedOffice(.supabase)
        let pit = try office.pit(1)
        try office.follow()
        let file = try office.photo("p.jpg", of: pit, bytes: SeededNumbers.bytes(100, seed: 5))
        try office.central("CREATE POLICY none ON storage.objects AS RESTRICTIVE FOR INSERT TO authenticated WITH CHECK (false)")
        let refused = try office.run("sync")
        #expect(refused.status == 1 && refused.output.contains("SYNC-FILE-NOT-SENT") && refused.output.contains("permission"), "\(refused.output)\(refused.error)")
        #expect(try office.local("SELECT coalesce(storage_path, '-') FROM calicata_photos") == "-")
        try office.central("DROP POLICY none ON storage.objects")
        #expect(try office.run("sync").status == 0)
        // The row says what the file is; the file there is another, or is gone.
        try office.central("UPDATE calicata_photos SET sha256 = repeat('0', 64)")
        try office.change("UPDATE calicata_photos SET local_path = NULL")
        try FileManager.default.removeItem(atPath: file)
        #expect(try office.run("offline", "PRUEBA-1", "--always").status == 0)
        let differs = try office.run("sync")
        #expect(differs.status == 1 && differs.output.contains("SYNC-FILE-DIFFERS"), "\(differs.output)\(differs.error)")
        #expect(try office.local("SELECT coalesce(local_path, '-') FROM calicata_photos") == "-")
        try office.central("DELETE FROM storage.objects")
        let gone = try office.run("sync")
        #expect(gone.status == 1 && gone.output.contains("SYNC-FILE-NOT-FETCHED"), "\(gone.output)\(gone.error)")
        let files = try FileManager.default.subpathsOfDirectory(atPath: office.folder + "/fichero.db.files").filter { $0.hasSuffix("jpg") || $0.hasSuffix("partial") }
        #expect(files.isEmpty, "\(files)")
        #expect(try office.run("sync", "--no-files").status == 0)
    }

    @Test(arguments: SyncedOffice.Way.kinds) func whatALaterVersionSupersedesGoesUp(_ way: SyncedOffice.Way) throws {
        let office = try SyncedOffice(way)
        let pit = try office.pit(1)
        try office.follow(as: Self.coordinator)
        for version in ["first", "second"] {
            #expect(try office.run("edit", "C-01", "--set", "title=" + version, "--fail-on", "never", as: Self.coordinator).status == 0)
            let made = try office.run("export", "calicatas", "--project", "PRUEBA-1", "--format", "csv", "--output-dir", office.folder + "/out", "--fail-on", "never", as: Self.coordinator)
            #expect(made.status == 0, "\(made.output)\(made.error)")
            let synced = try office.run("sync", as: Self.coordinator)
            #expect(synced.status == 0, "\(synced.output)\(synced.error)")
        }
        let statuses = "SELECT file_name, status FROM exports ORDER BY file_name"
        #expect(try office.central(statuses) == office.local(statuses) && office.local(statuses).contains("superseded"), "\(pit)")
        #expect(try office.local("SELECT count(*) FROM exports WHERE sync_state <> 'synced'") == "0")
        #expect(try office.local("SELECT count(*) FROM sync_queue WHERE operation <> 'UPLOAD'") == "0", "nothing is held for ever")
    }

    /// A row of one project may name a file of another, which whoever syncs may see.
    @Test func aPlaceOfAnotherProjectIsNeitherFetchedNorSent() throws {
        let office = try SyncedOffice(.supabase)
        let pit = try office.pit(1)
        try office.follow(as: Self.coordinator)
        try office.follow(as: SyncedOffice.administrator)
        #expect(try office.run("offline", "PRUEBA-1", "--always", as: SyncedOffice.administrator).status == 0)
        let foreign = "project-files/orgs/-/projects/10000000-0000-4000-8000-000000000002/calicatas/x/photos/secret.jpg"
        try office.central(
            """
            INSERT INTO storage.objects (bucket_id, name) VALUES ('project-files', '\(foreign.dropFirst("project-files/".count))');
            INSERT INTO calicata_photos (id, calicata_id, kind, filename, storage_path) VALUES ('40000000-0000-4000-8000-000000000001', '\(pit)', 'pit', 'p.jpg', '\(foreign)');
            """)
        let synced = try office.run("sync", as: SyncedOffice.administrator)
        #expect(synced.status == 1 && synced.output.contains("SYNC-FILE-PLACE") && !synced.output.contains("NOT-FETCHED"), "\(synced.output)\(synced.error)")
        #expect(try office.local("SELECT count(local_path) FROM calicata_photos") == "0")
        // Nor does a registered document overwrite one of another project.
        let made = try office.run("export", "calicatas", "--project", "PRUEBA-1", "--format", "csv", "--output-dir", office.folder + "/out", "--fail-on", "never", as: Self.coordinator)
        #expect(made.status == 0, "\(made.output)\(made.error)")
        try office.change("UPDATE exports SET storage_path = replace(storage_path, '\(SyncedOffice.project)', '10000000-0000-4000-8000-000000000002')")
        let sent = try office.run("sync", as: SyncedOffice.administrator)
        #expect(sent.status == 1 && sent.output.contains("SYNC-FILE-PLACE") && sent.output.contains("Export "), "\(sent.output)\(sent.error)")
        #expect(try office.central("SELECT count(*) FROM storage.objects WHERE bucket_id = 'exports'") == "0")
    }

    /// What somebody registered on a shared replica waits for somebody who may send it.
    @Test func whoMayNotExportSendsNoDocumentsOfOthers() throws {
        let office = try SyncedOffice(.supabase)
        _ = try office.pit(1)
        try office.follow(as: Self.coordinator)
        try office.follow()
        let made = try office.run("export", "calicatas", "--project", "PRUEBA-1", "--format", "csv", "--output-dir", office.folder + "/out", "--fail-on", "never", as: Self.coordinator)
        #expect(made.status == 0, "\(made.output)\(made.error)")
        let field = try office.run("sync")
        #expect(field.status == 0, "\(field.output)\(field.error)")
        #expect(try office.central("SELECT count(*) FROM exports") == "0")
        // The log goes up, though it tells what a colleague did: so `actor_id` is a claim there.
        let claims = "SELECT count(*) > 0 FROM activity_logs AS l JOIN profiles AS s ON s.id = l.sent_by WHERE l.action = 'export_registered' AND l.actor_id <> s.id AND s.email = '\(SyncedOffice.field)'"
        #expect(try office.central(claims) == "t")
        let coordinator = try office.run("sync", as: Self.coordinator)
        #expect(coordinator.status == 0 && coordinator.output.contains("Files sent"), "\(coordinator.output)\(coordinator.error)")
        #expect(try office.central("SELECT (SELECT count(*) FROM exports) = (SELECT count(*) FROM storage.objects WHERE bucket_id = 'exports')") == "t")
    }
}
