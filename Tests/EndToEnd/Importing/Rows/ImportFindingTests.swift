import Foundation
import Testing
import Workbench

/// What an import says of single records: it names them as people do, and says what is true.
@Suite struct ImportFindingTests {
    private static let headings = "Proyecto;Calicata;Muestra;Tipo;De;A;N° 200;LL;LP;IP;N° informe\n"

    private func bringIn(_ rows: String, _ office: Office, _ options: String...) throws -> ProgramRun {
        let file = office.path("results.csv")
        try Data((Self.headings + rows).utf8).write(to: URL(fileURLWithPath: file))
        return try office.run(["import", file, "--mapping", "resultados-laboratorio", "--fail-on", "never", "--actor", Office.administrator] + options)
    }

    /// Neither the sample nor its result is in the replica: both are named by the rows themselves.
    @Test func aNewPartOfAClosedRecordHasItsName() throws {
        let office = try Office.pits()
        let run = try bringIn("CHU-2025;C-01;M-9;Mab;1,00;1,10;12,0;NP;NP;NP;X-1\n", office)
        #expect(run.output.contains("Sample CHU-2025 / C-01 / M-9 · "), "\(run.output)")
        #expect(run.output.contains("    CHU-2025 / C-01 / M-9 / X-1: it would become part of a record that is closed (ARCHIVADO)"), "\(run.output)")
        #expect(run.output.contains("results.csv · 2"))
        #expect(run.output.firstMatch(of: /[0-9a-f]{8}-[0-9a-f]{4}-/) == nil, "\(run.output)")
        // Once more, nothing more waits.
        let waiting = try office.sql("SELECT count(*) FROM rejects")
        _ = try bringIn("CHU-2025;C-01;M-9;Mab;1,00;1,10;12,0;NP;NP;NP;X-1\n", office)
        #expect(try office.sql("SELECT count(*) FROM rejects") == waiting)
    }

    /// A name that fills a page is no name.
    @Test func aNameIsBounded() throws {
        let office = try Office.pits()
        let long = "M-" + String(repeating: "9", count: 300)
        let run = try bringIn("CHU-2025;C-01;\(long);Mab;1,00;1,10;12,0;NP;NP;NP;X-1\n", office)
        #expect(run.output.contains("Sample CHU-2025 / C-01 / \(long.prefix(80)) · "), "\(run.output)")
        #expect(!run.output.contains(long.prefix(81)), "\(run.output)")
    }

    @Test func theNameOfARejectedRowOfJSONIsBounded() throws {
        let office = try Office.pits()
        let (file, long) = (office.path("calicata_samples.json"), "M-" + String(repeating: "9", count: 300))
        let row = #"[{"id": "0198a000-0000-7000-8000-0000000000aa", "code": "\#(long)", "depth_from_m": "deep"}]"#
        try Data(row.utf8).write(to: URL(fileURLWithPath: file))
        let run = try office.run(["import", file, "--fail-on", "never", "--actor", Office.administrator])
        #expect(run.output.contains("Sample \(long.prefix(80)) · "), "\(run.output) \(run.error)")
    }

    /// Nobody changed the sample here.
    @Test(arguments: ["en", "es", "it"]) func aRecordThatOnlyTheFileChangesIsNotSaidToHaveChangedHere(language: String) throws {
        let office = try Office.pits()
        let run = try bringIn("CHU-2025;C-23;M-1;Mab;0,27;0,60;31,1;NP;NP;NP;LMS-1\n", office, "--lang", language)
        let told = [
            "en": "CHU-2025 / C-23 / M-1: the file says something else than the record here (Sample to); both versions are kept.",
            "es": "CHU-2025 / C-23 / M-1: el archivo dice otra cosa que el registro de aquí (Muestra hasta); se guardaron ambas versiones.",
            "it": "CHU-2025 / C-23 / M-1: il file dice altro rispetto alla registrazione qui (Campione a); entrambe le versioni sono conservate.",
        ]
        #expect(run.output.contains(told[language] ?? "-"), "\(run.output)")
    }

    /// What the remedies name works.
    @Test(arguments: [true, false]) func theRemediesWork(isClosed: Bool) throws {
        let office = try Office.pits()
        let pit = isClosed ? "C-01" : "C-23"
        let sample = "(SELECT s.id FROM calicata_samples AS s JOIN calicatas AS c ON c.id = s.calicata_id JOIN projects AS p ON p.id = c.project_id WHERE p.code = 'CHU-2025' AND c.code = '\(pit)' AND s.code = 'M-1')"
        let from = try office.sql("SELECT depth_from_m FROM calicata_samples WHERE id = \(sample)").replacing(".", with: ",")
        let row = "CHU-2025;\(pit);M-1;Mab;\(from);0,60;31,1;NP;NP;NP;\n"
        _ = try office.writableSQL("UPDATE calicata_samples SET sync_state = 'local_only' WHERE id = \(sample)")
        let code = isClosed ? "IMPORT-CLOSED " : "IMPORT-CONFLICT "
        #expect(try bringIn(row, office).output.contains(code))
        #expect(try office.sql("SELECT sync_state FROM calicata_samples WHERE id = \(sample)") == "conflict")
        #expect(try office.run("undo", "last", "--actor", Office.administrator).status == 0)
        let updated = try bringIn(row, office, "--policy", "update", "--reason", "measured again")
        #expect(try office.sql("SELECT depth_to_m FROM calicata_samples WHERE id = \(sample)") == "0.6", "\(updated.output)")
        // To take back what changed a part of a closed record needs a reason as well.
        let undone = try office.run("undo", "last", "--actor", Office.administrator)
        #expect(undone.status == (isClosed ? 65 : 0) && undone.error.contains("UNDO-CLOSED") == isClosed, "\(undone.error)")
        if isClosed { #expect(try office.run("undo", "last", "--reason", "the wrong sheet", "--actor", Office.administrator).status == 0) }
        #expect(try bringIn(row, office).output.contains(code))
        let conflict = try office.sql("SELECT id FROM conflicts WHERE entity_id = \(sample) AND resolution_status = 'open'")
        // A coordinator may not change what is archived.
        #expect(try office.run("users", "join", Office.administrator, "--project", "CHU-2025", "--actor", Office.administrator).status == 0)
        let kept = try office.run("conflicts", "keep", conflict, "theirs", "--reason", "measured again", "--fail-on", "never", "--actor", isClosed ? Office.administrator : office.actor)
        #expect(kept.status == 0, "\(kept.output) \(kept.error)")
        #expect(try office.sql("SELECT depth_to_m FROM calicata_samples WHERE id = \(sample)") == "0.6")
    }

    /// A photo of a pit that is closed waits with its file; the file is not one too many.
    @Test func aFileWhoseRowIsRefusedIsToldOnce() throws {
        let office = try Office.pits()
        try FileManager.default.copyItem(atPath: ProgramRun.root + "/Samples/ingeplus/survey", toPath: office.path("survey"))
        let script = """
            import json, sys
            paths = [sys.argv[1] + "/" + name for name in ("manifest.json", "data/calicata_photos.json", "data/calicatas.json")]
            manifest, photos, pits = [json.load(open(path)) for path in paths]
            closed = {pit["id"] for pit in pits if pit["status"] == "ARCHIVADO"}
            new = {photo["id"]: photo["id"][:-1] + ("1" if photo["id"][-1] == "0" else "0") for photo in photos if photo["calicata_id"] in closed}
            for entry in photos + manifest["photos"]: entry["id"] = new.get(entry["id"], entry["id"])
            for table in manifest["entities"]: table.update(sha256=None, bytes=None)
            manifest["photos"].append(dict(manifest["photos"][0], id="0198a000-0000-7000-8000-000000abcdef"))
            for path, content in zip(paths, (manifest, photos)): json.dump(content, open(path, "w"))
            """
        let made = try Reading.python(script, office.path("survey"))
        try #require(made.status == 0, "\(made.error)")
        let run = try office.run("import", office.path("survey"), "--fail-on", "never", "--json", "--actor", Office.administrator)
        let found = try MappedFolder.findings(run)
        #expect(found.contains { $0.code == "IMPORT-CLOSED-PART" }, "\(run.output)")
        // The one file that the manifest names for a record that is not there.
        #expect(found.count { $0.code == "IMPORT-EXTRA-FILE" } == 1, "\(run.output)")
    }
}
