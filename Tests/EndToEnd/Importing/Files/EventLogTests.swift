import Foundation
import Testing

/// Logs of events, alone and beside the records of a package. Events create records, end them, or
/// contradict them.
@Suite struct EventLogTests {
    @Test func aLogOfEventsAloneMakesItsRecordsOnce() throws {
        let office = try Office(system: "anagrafica")
        let (room, type, project) = (
            try office.sql("SELECT id FROM rooms LIMIT 1"), try office.sql("SELECT id FROM types LIMIT 1"),
            try office.sql("SELECT project_id FROM levels WHERE id = (SELECT level_id FROM rooms LIMIT 1)")
        )
        let asset = "019e0000-0000-7000-8000-00000000000a", photo = "019e0000-0000-7000-8000-00000000000b"
        func event(_ number: Int, _ type: String, _ entity: String, _ payload: String) -> String {
            "{\"id\":\"019e0000-000\(number)-7000-8000-000000000001\",\"type\":\"\(type)\",\"timestamp\":\"2026-05-07T10:00:0\(number)Z\",\"projectId\":\"\(project)\",\"operatorId\":\"op\",\"entityId\":\"\(entity)\",\"payload\":\(payload)}"
        }
        // The events are not in order and have both spellings of their types.
        let log = [
            event(3, "PHOTO_ATTACHED", photo, "{\"instanceId\":\"\(asset)\",\"photoId\":\"\(photo)\"}"),
            event(1, "INSTANCE_CREATED", asset, "{\"typeId\":\"\(type)\",\"roomId\":\"\(room)\",\"parameters\":{\"x\":{\"type\":\"text\",\"stringValue\":\"a\"}}}"),
            event(2, "PhotoCaptured", photo, "{\"filename\":\"019C6576_op_1778148000_1.jpg\",\"size\":10}"),
            event(4, "InstanceUpdated", "019e0000-0000-7000-8000-0000000000ff", "{}"), event(5, "ROOF_RAISED", asset, "{}"),
        ]
        // One event is in the log twice.
        try Data((log + [log[1]]).joined(separator: "\n").utf8).write(to: URL(fileURLWithPath: office.path("events.ndjson")))
        let first = try office.run("import", "events.ndjson", "--json", "--fail-on", "never", "--actor", Office.administrator)
        #expect(first.status == 0, "\(first.error)")
        #expect(first.output.contains("\"filtered\" : 1") && !first.output.contains("IMPORT-DUPLICATE"), "\(first.output)")
        #expect(first.output.contains("EVENT-GAP") && first.output.contains("EVENT-TYPE-UNKNOWN"))
        #expect(try office.sql("SELECT photo_ids FROM instances WHERE id = '\(asset)'") == "[\"\(photo)\"]")
        #expect(try office.sql("SELECT filename FROM photos WHERE id = '\(photo)'") == "019C6576_op_1778148000_1.jpg")
        let before = try office.sql("SELECT count(*) FROM events")
        let again = try office.run(
            "import", "events.ndjson", "--json", "--fail-on", "never", "--actor", Office.administrator, "--as-of", "2025-12-02T14:00:00Z")
        #expect(again.status == 0)
        #expect(try office.sql("SELECT count(*) FROM events") == before)
        let counts = try office.sql("SELECT counts FROM imports ORDER BY started_at DESC LIMIT 1")
        #expect(counts.contains("events") && !counts.contains("instances"), "events that are here are not applied again: \(counts)")
        // A different event under a known id is reported and does not count as sent twice.
        let other = [event(6, "InstanceUpdated", asset, "{\"position\":[1,2]}"), event(6, "InstanceUpdated", asset, "{\"position\":[3,4]}")]
        try Data(other.joined(separator: "\n").utf8).write(to: URL(fileURLWithPath: office.path("events.ndjson")))
        #expect(try office.run("import", "events.ndjson", "--actor", Office.administrator).output.contains("IMPORT-DUPLICATE"))
    }

    @Test func aRecordThatWasDeletedElsewhereWaitsForADecision() throws {
        let office = try Office(system: "anagrafica")
        let assets = try office.sql("SELECT group_concat(id) FROM (SELECT id FROM instances ORDER BY id LIMIT 2)").split(separator: ",").map(String.init)
        let project = try office.sql("SELECT l.project_id FROM instances i JOIN rooms r ON r.id = i.room_id JOIN levels l ON l.id = r.level_id WHERE i.id = '\(assets[0])'")
        func event(_ number: Int, _ type: String, _ entity: String) -> String {
            "{\"id\":\"019f0000-000\(number)-7000-8000-000000000001\",\"type\":\"\(type)\",\"timestamp\":\"2026-08-07T10:00:00Z\",\"projectId\":\"\(project)\",\"operatorId\":\"op\",\"entityId\":\"\(entity)\",\"payload\":{}}"
        }
        let never = "019e0000-0000-7000-8000-0000000000ee"
        // Both spellings of the type occur. One record is in the replica and one never was.
        let log = [event(1, "INSTANCE_DELETED", assets[0]), event(2, "InstanceCreated", never), event(3, "InstanceDeleted", never)]
        try Data(log.joined(separator: "\n").utf8).write(to: URL(fileURLWithPath: office.path("events.ndjson")))
        let before = try office.sql("SELECT group_concat(id || sync_state) FROM instances WHERE id <> '\(assets[0])'")
        let state = try office.sql("SELECT sync_state FROM instances WHERE id = '\(assets[0])'")

        // The policy `skip` does not change the record, but the deletion is reported.
        let skipped = try office.run("import", "events.ndjson", "--dry-run", "--json", "--policy", "skip", "--fail-on", "never", "--actor", Office.administrator)
        #expect(skipped.output.contains("EVENT-DELETED"))
        for policy in ["update", "conflict"] {
            let run = try office.run("import", "events.ndjson", "--json", "--policy", policy, "--fail-on", "never", "--actor", Office.administrator)
            #expect(run.status == 0 && run.output.contains("EVENT-DELETED"), "\(run.output) \(run.error)")
            #expect(try office.sql("SELECT sync_state FROM instances WHERE id = '\(assets[0])'") == "conflict", "the record stays, whatever the policy")
            #expect(
                try office.sql("SELECT count(*) || ' ' || min(json_extract(remote_payload, '$.deleted')) || ' ' || (min(json_extract(local_payload, '$.id')) = '\(assets[0])') FROM conflicts")
                    == "1 1 1", "once, with both sides")
            #expect(try office.sql("SELECT count(*) FROM activity_logs WHERE action = 'conflict_detected' AND entity_id = '\(assets[0])'") == "1")
        }
        #expect(try office.sql("SELECT count(*) FROM instances WHERE id = '\(never)'") == "0")
        #expect(try office.sql("SELECT group_concat(id || sync_state) FROM instances WHERE id <> '\(assets[0])'") == before)
        // The conflict is counted in the account of the import.
        #expect(try office.sql("SELECT counts FROM imports ORDER BY rowid DESC LIMIT 1").contains("\"conflict\":1"))
        // The second import changed nothing, so the first is the last that can be taken back.
        #expect(try office.run("undo", "last", "--actor", Office.administrator).status == 0)
        #expect(try office.sql("SELECT sync_state FROM instances WHERE id = '\(assets[0])'") == state)
        #expect(try office.sql("SELECT count(*) FROM conflicts") == "0")
    }

    /// Whoever could not change the asset does not make others decide about its removal either.
    @Test func aRemovalThatTheActorMayNotMakeIsRefused() throws {
        let office = try Office(system: "anagrafica")
        let found = try office.sql(
            """
            SELECT i.id || ' ' || l.project_id FROM instances i JOIN rooms r ON r.id = i.room_id
            JOIN levels l ON l.id = r.level_id ORDER BY i.id LIMIT 1
            """
        ).split(separator: " ").map(String.init)
        let (asset, project) = (try #require(found.first), try #require(found.last))
        let event = """
            {"id":"019f0000-0009-7000-8000-000000000001","type":"InstanceDeleted","timestamp":"2026-08-07T10:00:00Z",\
            "projectId":"\(project)","operatorId":"op","entityId":"\(asset)","payload":{}}
            """
        try Data(event.utf8).write(to: URL(fileURLWithPath: office.path("events.ndjson")))
        _ = try office.writableSQL(
            "UPDATE rooms SET state = 'Approved' WHERE id = (SELECT room_id FROM instances WHERE id = '\(asset)')")
        let before = try office.sql("SELECT sync_state FROM instances WHERE id = '\(asset)'")
        let operatore = "operatore@example.it"
        _ = try office.run("users", "join", operatore, "--project", project, "--actor", Office.administrator)
        for policy in ["update", "conflict"] {
            let run = try office.run(
                "import", "events.ndjson", "--policy", policy, "--fail-on", "never", "--actor", operatore)
            #expect(run.output.contains("CHANGE-EDIT"), "\(run.output)\(run.error)")
            #expect(try office.sql("SELECT sync_state FROM instances WHERE id = '\(asset)'") == before)
            #expect(try office.sql("SELECT count(*) FROM conflicts") == "0")
        }
    }

    @Test func aPackageWithoutWhatItsLogEndsIsSound() throws {
        let office = try Office(system: "anagrafica", set: nil)
        try FileManager.default.copyItem(atPath: ProgramRun.root + "/Samples/anagrafica/survey", toPath: office.path("survey"))
        let script = """
            import json, sys
            folder, drop = sys.argv[1] + "/", sys.argv[2] == "drop"
            manifest = json.load(open(folder + "manifest.json"))
            file = lambda name: folder + next(t["file"] for t in manifest["entities"] if t["entity"] == name)
            rows = json.load(open(file("instances")))
            asset = rows[-1]
            events = file("events")
            text = open(events).read()
            log = [json.loads(line) for line in text.splitlines()] if events.endswith("ndjson") else json.loads(text)
            if not drop:
                log.append(dict(log[-1], id="019fffff-0001-7000-8000-000000000001", type="InstanceDeleted", entityId=asset["id"], payload={}))
                for name in ("entity_id",): log[-1].pop(name, None)
            else:
                rows = rows[:-1]
            json.dump(rows, open(file("instances"), "w"))
            open(events, "w").write("\\n".join(map(json.dumps, log)) if events.endswith("ndjson") else json.dumps(log))
            for table in manifest["entities"]:
                for name in ("sha256", "bytes", "rows"): table.pop(name, None)
            json.dump(manifest, open(folder + "manifest.json", "w"))
            print(asset["id"])
            """
        let id = try Reading.python(script, office.path("survey"), "add").output.trimmingCharacters(in: .whitespacesAndNewlines)
        let contradiction = try office.run("import", "survey", "--json", "--fail-on", "never", "--actor", Office.administrator)
        #expect(contradiction.output.contains("EVENT-STATE-DIFFERS") && !contradiction.output.contains("EVENT-DELETED"), "the package has the record: it comes in")
        #expect(try office.sql("SELECT count(*) FROM instances WHERE id = '\(id)'") == "1")
        // The package of the next day no longer has the record.
        #expect(try Reading.python(script, office.path("survey"), "drop").status == 0)
        let next = try office.run("import", "survey", "--json", "--fail-on", "never", "--actor", Office.administrator)
        #expect(next.output.contains("EVENT-DELETED") && !next.output.contains("EVENT-STATE-DIFFERS"), "\(next.output)")
        #expect(try office.sql("SELECT sync_state FROM instances WHERE id = '\(id)'") == "conflict")
        // Another replica never had the record, so nothing is reported there.
        let other = try Office(system: "anagrafica", set: nil)
        let clean = try other.run("import", office.path("survey"), "--json", "--fail-on", "never", "--actor", Office.administrator)
        #expect(!clean.output.contains("EVENT-"), "the snapshot is what follows from the log")
        #expect(try other.sql("SELECT count(*) FROM instances WHERE id = '\(id)'") == "0")
    }

    @Test func recordsThatTheirEventsContradictAreReported() throws {
        let office = try Office(system: "anagrafica", set: nil)
        let survey = ProgramRun.root + "/Samples/anagrafica/survey"
        try FileManager.default.copyItem(atPath: survey, toPath: office.path("survey"))
        let clean = try office.run("import", "survey", "--dry-run", "--json", "--actor", Office.administrator)
        #expect(clean.status == 0 && !clean.output.contains("EVENT-"), "the state after replay is the snapshot")
        let path = office.path("survey/data/instances.json")
        let text = try String(contentsOfFile: path, encoding: .utf8)
        let range = try #require(text.range(of: "\"condition\": \"buono\""))
        try text.replacingCharacters(in: range, with: "\"condition\": \"ottimo\"").write(toFile: path, atomically: true, encoding: .utf8)
        let changed = try office.run("import", "survey", "--dry-run", "--json", "--fail-on", "never", "--actor", Office.administrator)
        #expect(changed.output.contains("EVENT-STATE-DIFFERS") && changed.output.contains("ottimo"))
    }
}
