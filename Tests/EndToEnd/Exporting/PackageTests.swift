import Foundation
import Testing

/// `fichero package` writes packages as folders and archives, and another replica imports them.
@Suite struct PackageTests {
    private func project(_ office: Office) throws -> String {
        try office.sql("SELECT \(office.system == "ingeplus" ? "code" : "name") FROM projects ORDER BY id LIMIT 1")
    }

    /// The fields of rows of one table, without the replica's own columns, the paths of photos and
    /// the people who made the rows.
    private func rows(_ office: Office, _ table: String, ids: String) throws -> String {
        let own = ["local_path", "filepath", "sync_state", "local_version", "remote_updated_at", "content_stamp", "own_mark", "import_source", "import_row"]
        let people = ["created_by", "logged_by", "reviewed_by", "signed_by", "author"]
        let others = (own + people).map { "'\($0)'" }.joined(separator: ", ")
        let columns = try office.sql("SELECT group_concat(name) FROM pragma_table_info('\(table)') WHERE name NOT IN (\(others))")
        return try office.sql("SELECT \(columns) FROM \(table) WHERE id IN (SELECT value FROM json_each('\(ids)')) ORDER BY id")
    }

    @Test(arguments: ["ingeplus", "anagrafica"], ["out.zip", "out"]) func aPackageGivesTheSameRecordsElsewhere(system: String, name: String) throws {
        let office = try Office(system: system)
        let empty = try Office(system: system, set: nil)
        let made = try office.run("package", "--project", project(office), "-o", name)
        #expect(made.status == 0, "\(made.error)")
        let path = office.path(name)
        let first = try empty.run("import", path, "--json", "--actor", Office.administrator)
        #expect(first.status == 0, "\(first.error) \(first.output.prefix(3000))")
        let tables = system == "ingeplus"
            ? [
                "projects", "calicatas", "calicata_cortes", "calicata_photos", "calicata_samples", "calicata_lab_results", "calicata_water_readings",
                "calicata_field_tests",
            ]
            : ["projects", "schema_versions", "families", "types", "levels", "rooms", "photos", "instances", "room_notes", "events"]
        for table in tables {
            let ids = try empty.sql("SELECT json_group_array(id) FROM \(table)")
            #expect(ids != "[]" || table == "room_notes", "\(table)")
            #expect(try rows(empty, table, ids: ids) == rows(office, table, ids: ids), "\(table)")
        }
        #expect(try empty.files("fichero.db.files").count > 5)
        // A second import changes nothing, neither in the other replica nor in the first one.
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
        let code = try project(office)
        for name in ["a.zip", "b.zip", "folder"] { #expect(try office.run("package", "--project", code, "-o", name).status == 0) }
        #expect(try Data(contentsOf: URL(fileURLWithPath: office.path("a.zip"))) == Data(contentsOf: URL(fileURLWithPath: office.path("b.zip"))))
        let taken = try office.run("package", "--project", code, "-o", "folder")
        #expect(taken.status == 73, "\(taken.error)")
        try Data("mine".utf8).write(to: URL(fileURLWithPath: office.path("c.zip")))
        #expect(try office.run("package", "--project", code, "-o", "c.zip").status == 73)
        #expect(try String(contentsOfFile: office.path("c.zip"), encoding: .utf8) == "mine")
        // An archive is registered as an export. A folder is only noted in the log.
        #expect(try office.run("verify").status == 0)
        #expect(try office.sql("SELECT count(*) FROM exports WHERE export_name = 'package'") == "2")
        #expect(try office.sql("SELECT count(*) FROM activity_logs WHERE action = 'package_written'") == "1")
        let unzipped = try ProgramRun.program("/usr/bin/python3", ["-c", "import sys, zipfile; print(zipfile.ZipFile(sys.argv[1]).testzip())", office.path("a.zip")])
        #expect(unzipped.output == "None\n")
    }

    @Test func onlyWhatTheActorMaySeeGoesIn() throws {
        let office = try Office.pits()
        let foreign = try office.run("package", "--project", "NO-SUCH", "-o", "x.zip")
        #expect(foreign.status == 66 && foreign.error.contains("PROJECT-UNKNOWN"), "\(foreign.status) \(foreign.error)")
        #expect(try office.run("package", "-o", "x.zip").status == 64, "a package is of one project")
        let code = try project(office)
        #expect(try office.run("package", "--project", code, "-o", "plain", "--no-photos").status == 0)
        #expect(try office.files("plain/photos").isEmpty)
        let data = try office.files("plain/data").map { try String(contentsOfFile: office.path("plain/data/" + $0), encoding: .utf8) }.joined()
        #expect(!data.contains(".db.files"), "where photos lie here is nobody else's matter")
        let others = try office.sql("SELECT code FROM projects WHERE code != '\(code)' LIMIT 1")
        #expect(!data.contains("\"\(others)\""))
    }

    /// A row that names no file is a photo that does not go along, and is told like any other.
    @Test func photosWithoutANameAreTold() throws {
        let office = try Office.pits()
        let photo = try office.sql(
            """
            SELECT p.id FROM calicata_photos AS p JOIN calicatas AS c ON c.id = p.calicata_id
            JOIN projects AS o ON o.id = c.project_id WHERE o.code = 'HYO-2025' LIMIT 1
            """)
        _ = try office.writableSQL(
            "UPDATE calicata_photos SET filename = NULL, local_path = NULL, storage_path = NULL WHERE id = '\(photo)'")
        let made = try office.run("package", "--project", "HYO-2025", "-o", "out.zip", "--json")
        let findings = try #require(Reading.json(made.output)["findings"] as? [[String: Any]])
        let missing = findings.filter { $0["code"] as? String == "PHOTO-MISSING" }
        let told = missing.compactMap { ($0["place"] as? [String: Any])?["id"] as? String }
        #expect(told.contains(photo), "\(made.output)\(made.error)")
    }

    @Test func rowsOfPhotosTakeOverWhatTheirFilesSay() throws {
        let office = try Office(system: "ingeplus", set: nil)
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

    @Test func theAppsFolderComesInTwiceWithoutAChange() throws {
        let office = try Office(system: "anagrafica", set: nil)
        let folder = ProgramRun.root + "/Samples/anagrafica/app-folder"
        #expect(try office.run("import", folder, "--actor", Office.administrator).status == 0)
        #expect(try office.sql("SELECT count(*) FROM rooms") == "3")
        let again = try office.run("import", folder, "--json", "--actor", Office.administrator)
        #expect(again.status == 0 && again.output.contains("\"unchanged\" : 3") && again.output.contains("\"filtered\" : 1"))
        let checked = try office.run("validate", "--json", "--fail-on", "never", "--actor", Office.administrator)
        #expect(checked.status == 0)
    }

    /// Another implementation of JSON Schema accepts the package.
    @Test func anotherProgramHoldsAWrittenPackageAgainstTheSchemas() throws {
        let office = try Office(system: "anagrafica")
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
