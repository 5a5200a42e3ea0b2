import Foundation
import Testing

/// What people change here leaves as events of the pack's log, and a sync by packages stands kills.
@Suite struct OwnEventTests {
    private static let administrator = "amministratore@example.it"
    private static let draft = "(SELECT r.id FROM rooms r JOIN levels l ON l.id = r.level_id JOIN projects p ON p.id = l.project_id WHERE p.state = 'Draft')"

    @Test func changesOfPeopleLeaveAsEvents() throws {
        let exchange = try Exchange(), office = exchange.office
        let assets = try exchange.sql("SELECT group_concat(id) FROM (SELECT id FROM instances WHERE room_id IN \(Self.draft) ORDER BY id LIMIT 2)").split(separator: ",").map(String.init)
        let room = try exchange.sql(
            "SELECT min(id) FROM rooms WHERE id IN \(Self.draft) AND lifecycle_state = 'Complete'")
        #expect(try exchange.sync().status == 0)
        let old = try exchange.sent()
        func change(_ arguments: String...) throws {
            let run = try office.run(arguments + ["--actor", Self.administrator, "--as-of", "2025-12-01T15:00:00Z"])
            #expect(run.status == 0, "\(run.output) \(run.error)")
        }
        let own = "FROM events WHERE timestamp = '2025-12-01T15:00:00Z'"
        try change("edit", assets[0], "--set", "plan_point=[1.5,2.5]", "--fail-on", "never")
        try change("edit", room, "--set", "lifecycle_state=Empty", "--fail-on", "never")
        try change("delete", assets[1])
        #expect(
            try exchange.sql("SELECT group_concat(type || ' ' || entity_id || ' ' || payload, ';') FROM (SELECT * \(own) ORDER BY rowid)")
                == "InstanceUpdated \(assets[0]) {\"planPoint\":[1.5,2.5]};RoomStateChanged \(room) {\"to\":\"Empty\"};InstanceDeleted \(assets[1]) {}"
        )
        #expect(try exchange.sql("SELECT min(substr(id, 15, 1)) || count(DISTINCT operator_id) || count(DISTINCT project_id) \(own)") == "711", "UUIDs of version 7, of one person")
        // What is taken back was never done; then it is done again.
        try change("undo", "last")
        #expect(try exchange.sql("SELECT count(*) \(own) AND type = 'InstanceDeleted'") == "0")
        #expect(try exchange.sql("SELECT count(*) FROM sync_queue WHERE entity_type = 'events' AND entity_id NOT IN (SELECT id FROM events)") == "0")
        try change("delete", assets[1])

        #expect(try exchange.sync(at: "2025-12-01T16:00:00Z").status == 0)
        let new = try exchange.sent().filter { !old.contains($0) }
        #expect(try new.map(exchange.count) == [["events": 3, "instances": 1, "rooms": 1, "files": 0]])
        #expect(try office.run("undo", "last", "--actor", Self.administrator).status != 0, "it is on its way")
        // The answer to the later file comes first. The earlier one does not bring back what was removed.
        try exchange.acknowledge(new[0], as: "late.zip", at: "2025-12-01T16:30:00Z")
        let late = try exchange.sync(at: "2025-12-01T17:00:00Z")
        #expect(late.status == 0, "\(late.output)")
        #expect(try exchange.sql("SELECT count(*) FROM sync_queue WHERE operation = 'DELETE'") == "0", "who has the event has removed the record")
        for file in old { try exchange.acknowledge(file, as: "early-" + file, at: "2025-12-01T14:30:00Z") }
        #expect(try exchange.sync(at: "2025-12-01T18:00:00Z").status == 0)
        #expect(try exchange.sql("SELECT count(*) FROM instances WHERE id = '\(assets[1])'") == "0")
        #expect(try exchange.sql("SELECT plan_point || sync_state FROM instances WHERE id = '\(assets[0])'") == "[1.5,2.5]synced")
        try exchange.expectAllSynced()
    }

    @Test func aPersonsEventIsWrittenOnceWhateverBreaks() throws {
        let exchange = try Exchange(), office = exchange.office
        let asset = try exchange.sql("SELECT min(id) FROM instances WHERE room_id IN \(Self.draft)")
        let edit = ["edit", asset, "--set", "plan_point=[1.5,2.5]", "--fail-on", "never", "--actor", Self.administrator]
        for part in 1...5 {
            // The calls of a run vary by a few.
            let killed = try BrokenCall.any(in: office).run(edit, in: office, at: part * 3, .kill)
            #expect(killed.status == 128 + SIGKILL)
            let done = try exchange.sql("SELECT plan_point = '[1.5,2.5]' FROM instances WHERE id = '\(asset)'")
            #expect(try exchange.sql("SELECT count(*) FROM events WHERE type = 'InstanceUpdated' AND payload = '{\"planPoint\":[1.5,2.5]}'") == done, "both or none")
        }
        #expect(try office.run(edit).status == 0)
        #expect(try exchange.sql("SELECT count(*) FROM events WHERE payload = '{\"planPoint\":[1.5,2.5]}'") == "1")
    }

    @Test func aKilledSyncSendsEverythingOnce() throws {
        let undisturbed = try Exchange()
        let arguments = ["sync", "--quiet"]
        let calls = try BrokenCall.any(in: undisturbed.office).count(arguments, in: undisturbed.office)
        let expected = try undisturbed.sent().map(undisturbed.count).reduce(into: [:]) { $0.merge($1, uniquingKeysWith: +) }
        try undisturbed.acknowledgeAll()
        let reading = try BrokenCall.any(in: undisturbed.office).count(arguments, in: undisturbed.office)
        for part in 1...6 {
            let exchange = try Exchange()
            let killed = try BrokenCall.any(in: exchange.office).run(arguments, in: exchange.office, at: max(1, calls * part / 7), .kill)
            #expect(killed.status == 128 + SIGKILL)
            // What is there under its own name is whole.
            for file in try exchange.sent() where !file.hasPrefix(".") { _ = try exchange.count(file) }
            for _ in 0..<2 {
                #expect(try exchange.sync().status == 0)
                let files = try exchange.sent()
                #expect(files.count == 2, "part \(part): one for each project, nothing half done: \(files)")
                #expect(try files.map(exchange.count).reduce(into: [:]) { $0.merge($1, uniquingKeysWith: +) } == expected)
            }
            try exchange.acknowledgeAll()
            #expect(try BrokenCall.any(in: exchange.office).run(arguments, in: exchange.office, at: max(1, reading * part / 7), .kill).status == 128 + SIGKILL)
            #expect(try exchange.sync().status == 0)
            try exchange.expectAllSynced()
        }
    }

    @Test func theCommandSaysWhatItCannotDo() throws {
        let exchange = try Exchange(), office = exchange.office
        let proof = try exchange.sync("--prove")
        #expect(proof.status == 64 && proof.error.contains("REMOTE-NO-PROOF"))
        #expect(try exchange.sync(actor: "committente@example.it").status == 77, "who only reads sends nothing")
        let quiet = try exchange.sync("--quiet")
        #expect(quiet.status == 0 && quiet.output.isEmpty && quiet.error.isEmpty, "\(quiet.output) \(quiet.error)")
        func configure(_ text: String) throws { try text.write(toFile: office.path("fichero.yaml"), atomically: true, encoding: .utf8) }
        try configure("packages: {send: out, receive: out/in}\n")
        #expect(try exchange.sync().status == 78)
        try configure("packages: {send: out}\n")
        #expect(try exchange.sync().status == 78)
        try configure("packages: {send: out, receive: gone}\n")
        let gone = try exchange.sync()
        #expect(gone.status == 69 && gone.error.contains("REMOTE-FOLDER"))
        #expect(!FileManager.default.fileExists(atPath: office.path("gone")), "a share that is not mounted is not made")
        try configure("environment: PROD\npackages: {send: out, receive: in}\n")
        #expect(try exchange.sync().error.contains("REMOTE-PRODUCTION"))
        #expect(try exchange.sync("--yes").status == 0)
    }
}
