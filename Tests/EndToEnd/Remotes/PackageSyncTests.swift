import Foundation
import Testing

/// `fichero sync` with folders for packages in place of a server: what is sent waits for its
/// acknowledgement. Python reads and writes the packages, and sqlite3 the replica.
@Suite struct PackageSyncTests {
    @Test func whatIsSentWaitsUntilItIsAcknowledged() throws {
        let exchange = try Exchange()
        #expect(try exchange.sync("--plan").output.contains("Events"))
        #expect(try exchange.sent().isEmpty, "a plan changes nothing")
        let first = try exchange.sync()
        #expect(first.status == 0, "\(first.output) \(first.error)")
        let files = try exchange.sent()
        #expect(files.count == 2, "one file for each project: \(files)")
        #expect(try exchange.sql("SELECT count(*) FROM events WHERE sync_state = 'synced' OR synced = 1") == "0", "to be sent is not to be there")
        // Another program counts what is in the files.
        let counted = try files.map(exchange.count)
        for table in ["events", "photos", "instances", "rooms", "types", "projects"] {
            #expect(counted.reduce(0) { $0 + ($1[table] ?? 0) } == Int(try exchange.sql("SELECT count(*) FROM \(table)")), "\(table)")
        }
        #expect(counted.reduce(0) { $0 + ($1["files"] ?? 0) } == Int(try exchange.sql("SELECT count(*) FROM photos WHERE filepath IS NOT NULL")))
        let status = try exchange.office.run("status").output
        #expect(files.allSatisfy(status.contains) && status.contains("2025-12-01"), "which file, and since when")
        // What is on its way is not sent again.
        #expect(try exchange.sync("--plan").output.contains("people"))
        #expect(try exchange.sync().status == 0)
        #expect(try exchange.sent() == files)

        try exchange.acknowledgeAll()
        let answered = try exchange.sync("--json")
        #expect(answered.status == 0, "\(answered.output) \(answered.error)")
        try exchange.expectAllSynced()
        // An answer twice, and under another name, changes nothing.
        for file in files { try FileManager.default.copyItem(atPath: exchange.office.path("in/answer-" + file), toPath: exchange.office.path("in/again-" + file)) }
        let stamp = try exchange.sql("SELECT value FROM fichero_replica WHERE key = 'stamp'")
        #expect(try !exchange.sync().output.contains("Read:"))
        #expect(try exchange.sql("SELECT value FROM fichero_replica WHERE key = 'stamp'") == stamp)
        // What came from there is no change of somebody here.
        let received = try exchange.sql("SELECT max(id) FROM imports WHERE format = 'exchange'")
        #expect(try exchange.office.run("undo", received).error.contains("UNDO-OWN-ACT"))
        #expect(try !exchange.office.run("undo", "last", "--actor", Office.administrator).error.contains("UNDO-OWN-ACT"), "the last change is the import before")
    }

    /// Whoever writes into the folder `receive` speaks for the other side, so nobody names folders of their own.
    @Test func foldersOfAnExchangeAreChosenByAnAdministrator() throws {
        let exchange = try Exchange()
        for folder in ["mine", "mine-in"] {
            try FileManager.default.createDirectory(
                atPath: exchange.office.path(folder), withIntermediateDirectories: true)
        }
        try "packages: {send: mine, receive: mine-in}\n".write(
            toFile: exchange.office.path("mine.yaml"), atomically: true, encoding: .utf8)
        let own = ["sync", "--config", "mine.yaml", "--actor", exchange.office.actor]
        for (options, status, code) in [
            ([], 78, "REMOTE-OTHER"), (["--plan"], 78, "REMOTE-OTHER"), (["--new-server"], 77, "REMOTE-CHOICE"),
        ] {
            let run = try exchange.office.run(own + options)
            #expect(run.status == status && run.error.contains(code), "\(options) \(run.output)\(run.error)")
        }
        // Nor the first time, once an administrator is known.
        _ = try exchange.office.writableSQL("DELETE FROM fichero_replica WHERE key = 'exchange'")
        let first = try exchange.office.run(own)
        #expect(first.status == 77 && first.error.contains("REMOTE-CHOICE"), "\(first.error)")
        #expect(try exchange.office.files("mine").isEmpty)
        #expect(try exchange.office.run("sync", "--config", "mine.yaml", "--actor", Office.administrator).status == 0)
        #expect(try exchange.sync().error.contains("REMOTE-OTHER"))
    }

    @Test func whatTheOtherSideHasAlreadyDoesNotTravel() throws {
        let exchange = try Exchange(isUnsent: false)
        let known = try exchange.sql("SELECT count(*) FROM events WHERE synced = 1")
        #expect(Int(known) ?? 0 > 0)
        #expect(try exchange.sync().status == 0)
        let sent = try exchange.sent().map(exchange.count).reduce(0) { $0 + ($1["events"] ?? 0) }
        #expect(sent == Int(try exchange.sql("SELECT count(*) FROM events WHERE synced IS NOT 1")))
        #expect(try exchange.sql("SELECT count(*) FROM events WHERE sync_state = 'synced'") == known)
    }

    @Test func answersComeInPartsInAnyOrder() throws {
        let exchange = try Exchange()
        #expect(try exchange.sync("--push").status == 0)
        // The second half comes first, and again with the first one, when the same file comes too.
        try exchange.acknowledgeAll("b-", keep: "n % 2", at: "2025-12-01T13:30:00Z")
        let half = try exchange.sync("--pull")
        #expect(half.status == 0, "\(half.output) \(half.error)")
        let events = Int(try exchange.sql("SELECT count(*) FROM events")) ?? 0
        let done = Int(try exchange.sql("SELECT count(*) FROM events WHERE sync_state = 'synced' AND synced = 1")) ?? 0
        #expect(done > 0 && done < events)
        #expect(try exchange.office.run("status", "--json").output.contains("\"isSynced\" : false"))
        try exchange.acknowledgeAll("a-", keep: "n % 2 == 0 or n % 3 == 0", at: "2025-12-01T13:00:00Z")
        #expect(try exchange.sync("--pull").status == 0)
        try exchange.expectAllSynced()
    }

    @Test func whatDoesNotSayThatItWasTakenAcknowledgesNothing() throws {
        let exchange = try Exchange()
        #expect(try exchange.sync().status == 0)
        for file in try exchange.sent() { try FileManager.default.copyItem(atPath: exchange.office.path("out/" + file), toPath: exchange.office.path("in/copy-" + file)) }
        #expect(try exchange.sync().status == 0)
        try exchange.acknowledgeAll(change: "row.pop('syncStatus'); 'synced' in row and row.update(synced=False); 'upload_status' in row and row.update(upload_status='Failed')")
        #expect(try exchange.sync().status == 0)
        #expect(try exchange.sql("SELECT count(*) FROM events WHERE synced = 1 OR sync_state = 'synced'") == "0")
        #expect(try exchange.sql("SELECT count(*) FROM photos WHERE upload_status = 'Completed'") == "0")
        #expect(try exchange.sql("SELECT count(*) FROM conflicts") == "0")
    }

    @Test func anEventWithAnotherContentIsToldAndNotAcknowledged() throws {
        let exchange = try Exchange()
        #expect(try exchange.sync().status == 0)
        let event = try exchange.sql("SELECT min(id) FROM events")
        try exchange.acknowledgeAll(change: "row['id'] == '\(event)' and row.update(payload={'forged': True})")
        let run = try exchange.sync("--json")
        #expect(run.status == 1 && run.output.contains("SYNC-EVENT-DIFFERS"), "\(run.error)")
        #expect(try exchange.sql("SELECT group_concat(id) FROM events WHERE synced IS NOT 1") == event)
        #expect(try exchange.sql("SELECT payload LIKE '%forged%' FROM events WHERE id = '\(event)'") == "0")
        #expect(try exchange.sql("SELECT count(*) FROM conflicts") == "0")
        #expect(try exchange.sync().status == 0, "the file was read")
        // It is sent again when that is asked for, alone.
        let before = Set(try exchange.sent())
        #expect(try exchange.sync("--retry", at: "2025-12-02T14:00:00Z").status == 0)
        let again = try exchange.sent().filter { !before.contains($0) }
        #expect(try again.map(exchange.count) == [["events": 1, "files": 0]])
    }

    @Test func filesThatAreNoPackagesAreToldAndTheRestGoesOn() throws {
        let exchange = try Exchange()
        #expect(try exchange.sync().status == 0)
        try exchange.acknowledgeAll("m-")
        try exchange.python(
            """
            import os, shutil, sys, zipfile
            folder = sys.argv[1] + "/"
            good = [name for name in sorted(os.listdir(folder)) if name.startswith("m-")][0]
            data = open(folder + good, "rb").read()
            open(folder + "a-cut.zip", "wb").write(data[:len(data) // 2])
            open(folder + "b-text.zip", "w").write("not a package")
            open(folder + "c-note.txt", "w").write("hello")
            os.symlink("/etc/passwd", folder + "d-link.zip")
            os.mkdir(folder + "e-folder.zip")
            os.mkfifo(folder + "f-pipe.zip")
            for name, manifest in (("g-other", '"pack": "ingeplus"'), ("h-newer", '"pack": "anagrafica", "later": 1')):
                archive = zipfile.ZipFile(folder + name + ".zip", "w")
                archive.writestr("manifest.json", '{"format": "fichero-package", "formatVersion": %d, %s}' % (9 if "later" in manifest else 1, manifest))
                archive.close()
            archive = zipfile.ZipFile(folder + "i-escape.zip", "w")
            archive.writestr("manifest.json", '{"format": "fichero-package", "formatVersion": 1, "pack": "anagrafica", "entities": [{"entity": "rooms", "file": "../../x"}]}')
            archive.writestr("../../x", "[]")
            archive.close()
            open(folder + ".half.zip", "wb").write(data[:10])
            """, exchange.office.path("in"))
        for _ in 0..<2 {
            let run = try exchange.sync("--json")
            #expect(run.status == 1 && run.output.contains("SYNC-PACKAGE-REFUSED"), "\(run.error)")
            for name in ["a-cut.zip", "b-text.zip", "c-note.txt", "d-link.zip", "e-folder.zip", "f-pipe.zip", "g-other.zip", "h-newer.zip", "i-escape.zip"] {
                #expect(run.output.contains(name), "\(name)")
            }
            #expect(!run.output.contains(".half"), "a hidden file is not finished")
            try exchange.expectAllSynced()
        }
    }

    @Test func whatTheOtherSideAddsAndChangesComesHere() throws {
        let exchange = try Exchange()
        #expect(try exchange.sync().status == 0)
        let draft = "(SELECT r.id FROM rooms r JOIN levels l ON l.id = r.level_id JOIN projects p ON p.id = l.project_id WHERE p.state = 'Draft')"
        let asset = try exchange.sql("SELECT min(id) FROM instances WHERE room_id IN \(draft)")
        let new = "019e0000-0000-7000-8000-00000000000a"
        try exchange.acknowledgeAll()
        #expect(try exchange.sync().status == 0)
        try exchange.expectAllSynced()
        // A new asset, and another place for an old one.
        let change = "row['id'] == '\(asset)' and row.update(plan_point=[7.5, 8.5])"
        try exchange.acknowledgeAll("c-", change: change, keep: "table != 'events'", at: "2025-12-01T13:40:00Z")
        try exchange.acknowledgeAll("d-", change: "row['id'] == '\(asset)' and row.update(id='\(new)')", keep: "row['id'] == '\(new)'", at: "2025-12-01T13:50:00Z")
        let run = try exchange.sync()
        #expect(run.status == 0, "\(run.output) \(run.error)")
        #expect(try exchange.sql("SELECT plan_point || sync_state FROM instances WHERE id = '\(asset)'") == "[7.5,8.5]synced")
        #expect(try exchange.sql("SELECT sync_state FROM instances WHERE id = '\(new)'") == "synced")
        try exchange.expectAllSynced()
        // An older package changes nothing back.
        try exchange.acknowledgeAll("old-", change: "row['id'] == '\(asset)' and row.update(plan_point=[1, 1])", at: "2025-12-01T12:00:00Z")
        #expect(try exchange.sync().status == 0)
        #expect(try exchange.sql("SELECT plan_point || sync_state FROM instances WHERE id = '\(asset)'") == "[7.5,8.5]synced")
        // Both sides changed it: both versions are kept.
        let administrator = "amministratore@example.it"
        #expect(try exchange.office.run("edit", asset, "--set", "plan_point=[3,4]", "--actor", administrator, "--fail-on", "never").status == 0)
        try exchange.acknowledgeAll("e-", change: change, at: "2025-12-01T13:55:00Z")
        #expect(try exchange.sync("--pull").status == 0)
        #expect(try exchange.sql("SELECT count(*) FROM conflicts") == "0", "the other side still has what it had")
        try exchange.acknowledgeAll("f-", change: "row['id'] == '\(asset)' and row.update(plan_point=[5, 6])", at: "2025-12-01T13:58:00Z")
        #expect(try exchange.sync("--pull").output.contains("IMPORT-CONFLICT"))
        #expect(try exchange.sql("SELECT plan_point || sync_state FROM instances WHERE id = '\(asset)'") == "[3,4]conflict")
        #expect(try exchange.sql("SELECT json_extract(remote_payload, '$.plan_point') FROM conflicts") == "[5,6]")
    }
}
