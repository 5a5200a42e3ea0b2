import Foundation
import Testing

/// `fichero package` and packages as archives: there and back, and what is made to hurt.
@Suite struct PackageTests {
    private func project(_ office: Office) throws -> String {
        try office.sql("SELECT \(office.system == "ingeplus" ? "code" : "name") FROM projects ORDER BY id LIMIT 1")
    }

    /// The pack's own fields of a project's rows, without where photos lie and who made them, from one table.
    private func rows(_ office: Office, _ table: String, ids: String) throws -> String {
        let own = ["local_path", "filepath", "sync_state", "local_version", "remote_updated_at", "content_stamp", "own_mark", "import_source", "import_row"]
        let people = ["created_by", "logged_by", "reviewed_by", "author"]
        let others = (own + people).map { "'\($0)'" }.joined(separator: ", ")
        let columns = try office.sql("SELECT group_concat(name) FROM pragma_table_info('\(table)') WHERE name NOT IN (\(others))")
        return try office.sql("SELECT \(columns) FROM \(table) WHERE id IN (SELECT value FROM json_each('\(ids)')) ORDER BY id")
    }

    @Test(arguments: ["ingeplus", "anagrafica"], ["out.zip", "out"]) func aPackageGivesTheSameRecordsElsewhere(system: String, name: String) throws {
        let office = try Office(system: system)
        defer { office.remove() }
        let empty = try Office(system: system, set: nil)
        defer { empty.remove() }
        let made = try office.run("package", "--project", project(office), "-o", name)
        #expect(made.status == 0, "\(made.error)")
        let path = office.path(name)
        let first = try empty.run("import", path, "--json", "--actor", Office.administrator)
        #expect(first.status == 0, "\(first.error) \(first.output.prefix(3000))")
        let tables = system == "ingeplus"
            ? ["projects", "calicatas", "calicata_cortes", "calicata_photos"]
            : ["projects", "schema_versions", "families", "types", "levels", "rooms", "photos", "instances", "room_notes", "events"]
        for table in tables {
            let ids = try empty.sql("SELECT json_group_array(id) FROM \(table)")
            #expect(ids != "[]" || table == "room_notes", "\(table)")
            #expect(try rows(empty, table, ids: ids) == rows(office, table, ids: ids), "\(table)")
        }
        #expect(try empty.files("fichero.db.files").count > 5)
        // Again, there and where it came from: nothing changes.
        for place in [empty, office] {
            let again = try place.run("import", path, "--json", "--actor", Office.administrator)
            #expect(again.status == 0)
            for word in ["imported", "conflict", "rejected", "updated"] {
                let counts = again.output.split(separator: "\n").filter { $0.contains("\"\(word)\" :") }
                #expect(!counts.isEmpty && counts.allSatisfy { $0.hasSuffix(" 0,") || $0.hasSuffix(" 0") }, "\(word)")
            }
        }
    }

    @Test func equalRecordsGiveEqualBytesAndWhatIsThereIsNotReplaced() throws {
        let office = try Office.pits()
        defer { office.remove() }
        let code = try project(office)
        for name in ["a.zip", "b.zip", "folder"] { #expect(try office.run("package", "--project", code, "-o", name).status == 0) }
        #expect(try Data(contentsOf: URL(fileURLWithPath: office.path("a.zip"))) == Data(contentsOf: URL(fileURLWithPath: office.path("b.zip"))))
        let taken = try office.run("package", "--project", code, "-o", "folder")
        #expect(taken.status == 73, "\(taken.error)")
        try Data("mine".utf8).write(to: URL(fileURLWithPath: office.path("c.zip")))
        #expect(try office.run("package", "--project", code, "-o", "c.zip").status == 73)
        #expect(try String(contentsOfFile: office.path("c.zip"), encoding: .utf8) == "mine")
        // The archive is registered as an export, the folder noted.
        #expect(try office.run("verify").status == 0)
        #expect(try office.sql("SELECT count(*) FROM exports WHERE export_name = 'package'") == "2")
        #expect(try office.sql("SELECT count(*) FROM activity_logs WHERE action = 'package_written'") == "1")
        let unzipped = try ProgramRun.program("/usr/bin/python3", ["-c", "import sys, zipfile; print(zipfile.ZipFile(sys.argv[1]).testzip())", office.path("a.zip")])
        #expect(unzipped.output == "None\n")
    }

    @Test func onlyWhatTheActorMaySeeGoesIn() throws {
        let office = try Office.pits()
        defer { office.remove() }
        let foreign = try office.run("package", "--project", "NO-SUCH", "-o", "x.zip")
        #expect(foreign.status == 64 || foreign.status == 66 || foreign.status == 77, "\(foreign.status)")
        #expect(try office.run("package", "-o", "x.zip").status == 64, "a package is of one project")
        let code = try project(office)
        #expect(try office.run("package", "--project", code, "-o", "plain", "--no-photos").status == 0)
        #expect(try office.files("plain/photos").isEmpty)
        let data = try office.files("plain/data").map { try String(contentsOfFile: office.path("plain/data/" + $0), encoding: .utf8) }.joined()
        #expect(!data.contains(".db.files"), "where photos lie here is nobody else's matter")
        let others = try office.sql("SELECT code FROM projects WHERE code != '\(code)' LIMIT 1")
        #expect(!data.contains("\"\(others)\""))
    }

    /// Archives made to hurt, by a script of their own; each is refused with a clear error and changes nothing.
    @Test func hostileArchivesAreRefusedAndChangeNothing() throws {
        let office = try Office(system: "anagrafica", set: nil)
        defer { office.remove() }
        let made = try Reading.python(Self.hostileArchives, office.folder, ProgramRun.root + "/Samples/anagrafica/survey")
        #expect(made.status == 0, "\(made.error)")
        let expected = [
            "escape": "IMPORT-PATH", "absolute": "IMPORT-PATH", "link": "IMPORT-PATH", "twice": "PACKAGE-NAME-TWICE", "case": "PACKAGE-NAME-TWICE",
            "encrypted": "PACKAGE-ENCRYPTED", "cut": "PACKAGE-DAMAGED", "crc": "PACKAGE-DAMAGED", "bomb": "PACKAGE-TOO-LARGE",
            "method": "PACKAGE-DAMAGED", "photo-crc": "PACKAGE-DAMAGED", "manifest": "IMPORT-MANIFEST", "overlap": "PACKAGE-DAMAGED",
        ]
        for (name, code) in expected.sorted(by: { $0.key < $1.key }) {
            let run = try office.run("import", "\(name).zip", "--actor", Office.administrator)
            #expect(run.status == 65, "\(name): \(run.status) \(run.error)")
            #expect(run.error.contains(code), "\(name): \(run.error)")
            #expect(run.error.contains("→"), "\(name) has a remedy")
        }
        #expect(try office.sql("SELECT (SELECT count(*) FROM projects) + (SELECT count(*) FROM imports) + (SELECT count(*) FROM rejects)") == "0")
        #expect(try office.files("fichero.db.files").isEmpty)
        // Bounds can be set; the archive within a folder of its own is a package all the same.
        let bounded = try office.run("import", "good.zip", "--limit", "packageEntries=3", "--actor", Office.administrator)
        #expect(bounded.status == 65 && bounded.error.contains("packageEntries"))
        #expect(try office.run("import", "good.zip", "--limit", "nonsense", "--actor", Office.administrator).status == 64)
        #expect(try office.run("import", "good.zip", "--actor", Office.administrator).status == 0)
        #expect(try office.sql("SELECT count(*) FROM instances") == "412")
    }

    private static let hostileArchives = #"""
        import pathlib, struct, sys, zipfile
        folder, survey = map(pathlib.Path, sys.argv[1:])
        manifest = (survey / "manifest.json").read_bytes()

        def archive(name, entries, method=zipfile.ZIP_DEFLATED):
            path = folder / (name + ".zip")
            with zipfile.ZipFile(path, "w", method) as zip:
                for entry, data in entries:
                    zip.writestr(entry, data)
            return path

        def patch(path, find, at, value, last=True):
            data = bytearray(path.read_bytes())
            offset = data.rfind(find) if last else data.find(find)
            data[offset + at:offset + at + len(value)] = value
            path.write_bytes(data)

        import warnings
        warnings.simplefilter("ignore")
        m = ("manifest.json", manifest)
        archive("escape", [m, ("../outside.json", "[]")])
        archive("absolute", [m, ("/etc/outside.json", "[]")])
        link = zipfile.ZipInfo("data/projects.json")
        link.external_attr = 0o120777 << 16
        archive("link", [m, (link, "/etc/passwd")])
        archive("twice", [m, ("data/a.json", "[]"), ("data/a.json", "[]")])
        archive("case", [m, ("data/a.json", "[]"), ("data/A.json", "[]")])
        patch(archive("encrypted", [m, ("data/a.json", "[]")]), b"PK\x01\x02", 8, b"\x01\x00")
        whole = archive("cut", [m, ("data/a.json", "[]" * 999)])
        whole.write_bytes(whole.read_bytes()[:-40])
        small = b'{"format": "fichero-package", "formatVersion": 1, "pack": "anagrafica", "entities": [{"entity": "projects", "file": "data/p.json"}]}'
        patch(archive("crc", [("manifest.json", small), ("data/p.json", b"[" + b" " * 5000 + b"]")]), b"PK\x01\x02", 16, b"\x00\x00\x00\x00")
        archive("bomb", [m, ("data/zeros.json", b"\x00" * (100 << 20))])
        patch(archive("method", [m, ("data/a.json", "[]")]), b"PK\x01\x02", 10, b"c\x00")
        archive("manifest", [("manifest.json", b"{}")])
        # Sizes that are more than the file.
        big = archive("overlap", [m, ("data/a.json", "[]")], zipfile.ZIP_STORED)
        patch(big, b"PK\x01\x02", 20, struct.pack("<II", 60 << 20, 60 << 20))
        files = sorted(path for path in survey.rglob("*") if path.is_file())
        good = archive("good", [("rilievo/" + str(path.relative_to(survey)), path.read_bytes()) for path in files])
        photo = [path for path in files if path.suffix == ".jpg"][-1]
        data = bytearray(archive("photo-crc", [(str(path.relative_to(survey)), path.read_bytes()) for path in files], zipfile.ZIP_STORED).read_bytes())
        data[data.find(photo.read_bytes()) + 500] ^= 1
        (folder / "photo-crc.zip").write_bytes(data)
        """#

    @Test func aLogOfEventsAloneMakesItsRecordsOnce() throws {
        let office = try Office(system: "anagrafica")
        defer { office.remove() }
        let (room, type, project) = (
            try office.sql("SELECT id FROM rooms LIMIT 1"), try office.sql("SELECT id FROM types LIMIT 1"),
            try office.sql("SELECT project_id FROM levels WHERE id = (SELECT level_id FROM rooms LIMIT 1)")
        )
        let asset = "019e0000-0000-7000-8000-00000000000a", photo = "019e0000-0000-7000-8000-00000000000b"
        func event(_ number: Int, _ type: String, _ entity: String, _ payload: String) -> String {
            "{\"id\":\"019e0000-000\(number)-7000-8000-000000000001\",\"type\":\"\(type)\",\"timestamp\":\"2026-05-07T10:00:0\(number)Z\",\"projectId\":\"\(project)\",\"operatorId\":\"op\",\"entityId\":\"\(entity)\",\"payload\":\(payload)}"
        }
        // Out of order, in both spellings.
        let log = [
            event(3, "PHOTO_ATTACHED", photo, "{\"instanceId\":\"\(asset)\",\"photoId\":\"\(photo)\"}"),
            event(1, "INSTANCE_CREATED", asset, "{\"typeId\":\"\(type)\",\"roomId\":\"\(room)\",\"parameters\":{\"x\":{\"type\":\"text\",\"stringValue\":\"a\"}}}"),
            event(2, "PhotoCaptured", photo, "{\"filename\":\"019C6576_op_1778148000_1.jpg\",\"size\":10}"),
            event(4, "InstanceUpdated", "019e0000-0000-7000-8000-0000000000ff", "{}"), event(5, "ROOF_RAISED", asset, "{}"),
        ]
        // One was sent twice.
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
        // Another event under a known id is none that was sent twice.
        let other = [event(6, "InstanceUpdated", asset, "{\"position\":[1,2]}"), event(6, "InstanceUpdated", asset, "{\"position\":[3,4]}")]
        try Data(other.joined(separator: "\n").utf8).write(to: URL(fileURLWithPath: office.path("events.ndjson")))
        #expect(try office.run("import", "events.ndjson", "--actor", Office.administrator).output.contains("IMPORT-DUPLICATE"))
    }

    @Test func aRecordThatWasDeletedElsewhereWaitsForADecision() throws {
        let office = try Office(system: "anagrafica")
        defer { office.remove() }
        let assets = try office.sql("SELECT group_concat(id) FROM (SELECT id FROM instances ORDER BY id LIMIT 2)").split(separator: ",").map(String.init)
        let project = try office.sql("SELECT l.project_id FROM instances i JOIN rooms r ON r.id = i.room_id JOIN levels l ON l.id = r.level_id WHERE i.id = '\(assets[0])'")
        func event(_ number: Int, _ type: String, _ entity: String) -> String {
            "{\"id\":\"019f0000-000\(number)-7000-8000-000000000001\",\"type\":\"\(type)\",\"timestamp\":\"2026-08-07T10:00:00Z\",\"projectId\":\"\(project)\",\"operatorId\":\"op\",\"entityId\":\"\(entity)\",\"payload\":{}}"
        }
        let never = "019e0000-0000-7000-8000-0000000000ee"
        // Both spellings; one record that is here, one that never was.
        let log = [event(1, "INSTANCE_DELETED", assets[0]), event(2, "InstanceCreated", never), event(3, "InstanceDeleted", never)]
        try Data(log.joined(separator: "\n").utf8).write(to: URL(fileURLWithPath: office.path("events.ndjson")))
        let before = try office.sql("SELECT group_concat(id || sync_state) FROM instances WHERE id <> '\(assets[0])'")
        let state = try office.sql("SELECT sync_state FROM instances WHERE id = '\(assets[0])'")

        // Left alone, but never without a word.
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
        // Every row that was read is accounted for.
        #expect(try office.sql("SELECT counts FROM imports ORDER BY rowid DESC LIMIT 1").contains("\"conflict\":1"))
        #expect(try office.run("undo", "last", "--actor", Office.administrator).status == 0)
        #expect(try office.run("undo", "last", "--actor", Office.administrator).status == 0)
        #expect(try office.sql("SELECT sync_state FROM instances WHERE id = '\(assets[0])'") == state)
        #expect(try office.sql("SELECT count(*) FROM conflicts") == "0")
    }

    @Test func aPackageWithoutWhatItsLogEndsIsSound() throws {
        let office = try Office(system: "anagrafica", set: nil)
        defer { office.remove() }
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
        // The package of the next day has it no more.
        #expect(try Reading.python(script, office.path("survey"), "drop").status == 0)
        let next = try office.run("import", "survey", "--json", "--fail-on", "never", "--actor", Office.administrator)
        #expect(next.output.contains("EVENT-DELETED") && !next.output.contains("EVENT-STATE-DIFFERS"), "\(next.output)")
        #expect(try office.sql("SELECT sync_state FROM instances WHERE id = '\(id)'") == "conflict")
        // Elsewhere, where it never was, there is nothing to tell.
        let other = try Office(system: "anagrafica", set: nil)
        defer { other.remove() }
        let clean = try other.run("import", office.path("survey"), "--json", "--fail-on", "never", "--actor", Office.administrator)
        #expect(!clean.output.contains("EVENT-"), "the snapshot is what follows from the log")
        #expect(try other.sql("SELECT count(*) FROM instances WHERE id = '\(id)'") == "0")
    }

    @Test func recordsThatTheirEventsContradictAreTold() throws {
        let office = try Office(system: "anagrafica", set: nil)
        defer { office.remove() }
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

    @Test func rowsOfPhotosTakeOverWhatTheirFilesSay() throws {
        let office = try Office(system: "ingeplus", set: nil)
        defer { office.remove() }
        try FileManager.default.copyItem(atPath: ProgramRun.root + "/Samples/ingeplus/survey", toPath: office.path("survey"))
        let script = """
            import json, sys
            path = sys.argv[1]
            rows = json.load(open(path))
            first, second = rows[0], rows[1]
            print(first["id"], first["latitude"], first["width_px"], first["taken_at"])
            for name in ("latitude", "longitude", "width_px", "height_px", "taken_at"):
                first[name] = None
            second["latitude"], second["width_px"] = -1.5, 77
            print(second["id"])
            json.dump(rows, open(path, "w"))
            """
        let told = try Reading.python(script, office.path("survey/data/calicata_photos.json")).output.split { $0 == " " || $0 == "\n" }.map(String.init)
        #expect(told.count == 5)
        for _ in 0..<2 {
            let run = try office.run("import", "survey", "--fail-on", "never", "--actor", Office.administrator)
            #expect(run.status == 0, "\(run.error)")
        }
        let found = try office.sql("SELECT latitude, width_px, taken_at, length(sha256) FROM calicata_photos WHERE id = '\(told[0])'").split(separator: "|")
        #expect(abs((Double(found[0]) ?? 0) - (Double(told[1]) ?? 1)) < 0.001)
        #expect(found[1] == told[2] && found[2] == told[3] && found[3] == "64")
        #expect(try office.sql("SELECT latitude || ' ' || width_px FROM calicata_photos WHERE id = '\(told[4])'") == "-1.5 77", "what a row says stays")
        #expect(try office.sql("SELECT count(*) FROM conflicts WHERE entity_type = 'calicata_photos'") == "0", "a second import changes nothing")
    }

    @Test func aWorkbookIsNoPackage() throws {
        let office = try Office(system: "anagrafica", set: nil)
        defer { office.remove() }
        let script = """
            import sys, zipfile
            with zipfile.ZipFile(sys.argv[1], "w") as zip:
                for name in ("[Content_Types].xml", "xl/workbook.xml", "manifest.json"):
                    zip.writestr(name, "{}")
            """
        _ = try Reading.python(script, office.path("book.xlsx"))
        let run = try office.run("import", "book.xlsx", "--actor", Office.administrator)
        #expect(run.status == 65 && run.error.contains("TABLE-DAMAGED"), "\(run.error)")
    }

    @Test func aFloorPlanIsCheckedAndBroughtIn() throws {
        let office = try Office(system: "anagrafica")
        defer { office.remove() }
        let plans = ProgramRun.root + "/Samples/anagrafica/plans/"
        let name = try office.sql("SELECT name FROM projects ORDER BY id DESC LIMIT 1")
        #expect(try office.run("import", plans + "school.dxf").status == 64, "which project must be said")
        let broken = try office.run("validate", plans + "school-broken.dxf", "--project", name)
        #expect(broken.status == 1 && broken.output.contains("DRAWING-OVERLAP"))
        #expect(try office.run("import", plans + "school-broken.dxf", "--project", name, "--dry-run").status == 1)
        let before = try office.sql("SELECT count(*) FROM rooms")
        #expect(try office.run("import", plans + "school.dxf", "--project", name).status == 0)
        #expect(try office.sql("SELECT count(*) - \(before) FROM rooms") == "5")
        // Another reader of DXF sees rooms of the same areas.
        let script = """
            import sys, ezdxf, ezdxf.path
            from ezdxf.math import area
            space = ezdxf.readfile(sys.argv[1]).modelspace()
            rooms = [e for e in space if e.dxf.layer == "1_ROOMS" and e.dxftype().endswith("POLYLINE")]
            print(" ".join(sorted("%.1f" % (abs(area(list(ezdxf.path.make_path(e).flattening(0.1)))) / 1e6) for e in rooms)))
            """
        let other = try Reading.python(script, plans + "school.dxf")
        #expect(other.status == 0, "\(other.error)")
        let areas = try office.sql("SELECT group_concat(printf('%.1f', area), ' ') FROM (SELECT area FROM rooms WHERE source_key LIKE 'P%/%' ORDER BY printf('%.1f', area))")
        #expect(areas == other.output.trimmingCharacters(in: .whitespacesAndNewlines))
        let again = try office.run("import", plans + "school.dxf", "--project", name, "--json")
        #expect(again.status == 0 && again.output.contains("\"unchanged\" : 5"))
    }

    @Test func theSoundRoomsOfABrokenDrawingComeIn() throws {
        let office = try Office(system: "anagrafica")
        defer { office.remove() }
        let script = """
            import sys
            text = open(sys.argv[1], newline="").read()
            # The second room's last corner goes over the first room.
            groups = text.split("\\r\\n")
            places = [i for i, line in enumerate(groups) if line == "1_ROOMS" and groups[i - 6] == "LWPOLYLINE"]
            x = next(i for i in range(places[1], len(groups), 2) if groups[i + 1].strip() == "10") + 2
            groups[x] = "23000.0"
            open(sys.argv[2], "w", newline="").write("\\r\\n".join(groups))
            """
        let made = try Reading.python(script, ProgramRun.root + "/Samples/anagrafica/plans/school.dxf", office.path("plan.dxf"))
        try #require(made.status == 0, "\(made.error)")
        let name = try office.sql("SELECT name FROM projects ORDER BY id DESC LIMIT 1")
        let before = try office.sql("SELECT count(*) FROM rooms")
        let run = try office.run("import", "plan.dxf", "--project", name)
        #expect(run.status == 1 && run.output.contains("DRAWING-OVERLAP"), "\(run.output) \(run.error)")
        #expect(try office.sql("SELECT count(*) - \(before) FROM rooms") == "3")
        #expect(try office.sql("SELECT count(*) FROM rejects WHERE entity = 'rooms' AND state = 'open'") == "2")
        #expect(try office.run("rejects", "retry").status == 1, "nothing was mended")
        #expect(try office.sql("SELECT count(*) FROM rejects WHERE entity = 'rooms' AND state = 'open'") == "2")
        #expect(try office.sql("SELECT count(*) - \(before) FROM rooms") == "3")
        // The drawing is mended: the rest comes in, and nothing else changes.
        let mended = try office.run("import", ProgramRun.root + "/Samples/anagrafica/plans/school.dxf", "--project", name, "--json")
        #expect(mended.status == 0 && mended.output.contains("\"unchanged\" : 3"), "\(mended.output)")
        #expect(try office.sql("SELECT count(*) - \(before) FROM rooms") == "5")
        #expect(try office.sql("SELECT count(*) FROM conflicts") == "0")
        #expect(try office.sql("SELECT count(*) FROM rejects WHERE state = 'open'") == "0", "what waited has come in")
    }

    @Test func theAppsFolderComesInTwiceWithoutAChange() throws {
        let office = try Office(system: "anagrafica", set: nil)
        defer { office.remove() }
        let folder = ProgramRun.root + "/Samples/anagrafica/app-folder"
        #expect(try office.run("import", folder, "--actor", Office.administrator).status == 0)
        #expect(try office.sql("SELECT count(*) FROM rooms") == "3")
        let again = try office.run("import", folder, "--json", "--actor", Office.administrator)
        #expect(again.status == 0 && again.output.contains("\"unchanged\" : 3") && again.output.contains("\"filtered\" : 1"))
        let checked = try office.run("validate", "--json", "--fail-on", "never", "--actor", Office.administrator)
        #expect(checked.status == 0)
    }

    /// Another implementation of JSON Schema than ours, where it is installed.
    @Test func anotherProgramHoldsAWrittenPackageAgainstTheSchemas() throws {
        let office = try Office(system: "anagrafica")
        defer { office.remove() }
        guard try Reading.python("import jsonschema; jsonschema.Draft202012Validator").status == 0 else { return }
        #expect(try office.run("package", "--project", project(office), "-o", "out", "--no-photos").status == 0)
        #expect(try office.run("package", "--schema", "-o", "schemas").status == 0)
        let script = """
            import json, pathlib, sys, jsonschema
            package, schemas = map(pathlib.Path, sys.argv[1:])
            validator = lambda name: jsonschema.Draft202012Validator(json.loads((schemas / (name + ".schema.json")).read_text()))
            manifest = json.loads((package / "manifest.json").read_text())
            validator("manifest").validate(manifest)
            count = 0
            for table in manifest["entities"]:
                check = validator(table["entity"])
                for line in (package / table["file"]).read_text().splitlines():
                    check.validate(json.loads(line))
                    count += 1
            print(count == manifest["counts"]["rows"])
            """
        let run = try Reading.python(script, office.path("out"), office.path("schemas"))
        #expect(run.output == "True\n", "\(run.error)")
    }
}
