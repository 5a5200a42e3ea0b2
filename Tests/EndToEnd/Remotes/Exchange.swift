import Foundation
import Testing

/// An office of Anagrafica that exchanges packages with another side, which Python plays.
struct Exchange {
    let office: Office

    /// - Parameter isUnsent: whether nothing of the survey was ever sent.
    init(isUnsent: Bool = true) throws {
        office = try Office(system: "anagrafica", set: nil)
        for folder in ["out", "in"] { try FileManager.default.createDirectory(atPath: office.path(folder), withIntermediateDirectories: true) }
        try "packages: {send: out, receive: in}\n".write(toFile: office.path("fichero.yaml"), atomically: true, encoding: .utf8)
        try FileManager.default.copyItem(atPath: ProgramRun.root + "/Samples/anagrafica/survey", toPath: office.path("survey"))
        if isUnsent { try python(Self.unsent, office.path("survey")) }
        let brought = try office.run("import", "survey", "--fail-on", "never", "--actor", Office.administrator)
        guard brought.status == 0 else { throw Office.Trouble(brought) }
        try FileManager.default.removeItem(atPath: office.path("survey"))
        // Where an administrator is known, only administrators choose with whom packages are exchanged.
        let chosen = try office.run("sync", "--pull", "--actor", Office.administrator)
        guard chosen.status == 0 else { throw Office.Trouble(chosen) }
    }

    func sync(_ options: String..., actor: String? = nil, at time: String = Office.asOf) throws -> ProgramRun {
        try office.run(["sync", "--actor", actor ?? office.actor, "--as-of", time] + options)
    }

    func sql(_ query: String) throws -> String { try office.sql(query) }

    /// Names of the files in the folder for what is sent, hidden ones too.
    func sent() throws -> [String] { try office.files("out") }

    @discardableResult
    func python(_ script: String, _ arguments: String...) throws -> String {
        let run = try ProgramRun.program("/usr/bin/python3", ["-c", script] + arguments)
        try #require(run.status == 0, "\(run.error)")
        return run.output
    }

    /// Rows by table, and `files` of photos, as another program counts them.
    func count(_ file: String) throws -> [String: Int] {
        let output = try python(
            """
            import json, sys, zipfile, hashlib
            archive = zipfile.ZipFile(sys.argv[1])
            assert archive.testzip() is None
            manifest = json.loads(archive.read("manifest.json"))
            counts = {"files": len(manifest["photos"])}
            for table in manifest["entities"]:
                rows = [json.loads(line) for line in archive.read(table["file"]).splitlines()]
                assert len(rows) == table["rows"] == len({row["id"] for row in rows})
                counts[table["entity"]] = len(rows)
            for photo in manifest["photos"]:
                assert hashlib.sha256(archive.read(photo["file"])).hexdigest() == photo["sha256"]
            print(json.dumps(counts))
            """, office.path("out/" + file))
        return try JSONDecoder().decode([String: Int].self, from: Data(output.utf8))
    }

    /// Answers every file that was sent.
    func acknowledgeAll(_ prefix: String = "answer-", change: String = "pass", keep: String = "True", at time: String = "2025-12-01T13:00:00Z") throws {
        for file in try sent() { try acknowledge(file, as: prefix + file, change: change, keep: keep, at: time) }
    }

    /// Answers a file as the other side does: the same rows, which say that they are there.
    ///
    /// - Parameters:
    ///   - change: Python that changes a row `row` of the table `table`, the number `n` of its kind.
    ///   - keep: Python condition on the same; the other rows are left out.
    func acknowledge(_ file: String, as name: String, change: String = "pass", keep: String = "True", at time: String = "2025-12-01T13:00:00Z") throws {
        try python(Self.answer, office.path("out/" + file), office.path("in/" + name), change, keep, time)
    }

    /// What must be so when the other side has everything.
    func expectAllSynced(sourceLocation: SourceLocation = #_sourceLocation) throws {
        #expect(try office.sql("SELECT count(*) FROM events WHERE sync_state <> 'synced' OR synced IS NOT 1 OR status IS NOT 'UPLOADED'") == "0", sourceLocation: sourceLocation)
        #expect(
            try office.sql("SELECT count(*) FROM photos WHERE upload_status <> 'Completed' OR uploaded_at IS NULL OR sync_state <> 'synced'") == "0",
            sourceLocation: sourceLocation)
        #expect(try office.sql("SELECT count(*) FROM sync_queue WHERE entity_type NOT IN ('profiles', 'project_members')") == "0", sourceLocation: sourceLocation)
        #expect(try office.sql("SELECT count(*) FROM sent_items") == "0", sourceLocation: sourceLocation)
        #expect(try office.sql("SELECT count(*) FROM conflicts") == "0", sourceLocation: sourceLocation)
        let status = try office.run("status", "--json").output
        #expect(status.contains("\"isSynced\" : true") && !status.contains("\"isSynced\" : false"), sourceLocation: sourceLocation)
        #expect(try office.sql("SELECT count(*) FROM row_bases") == "0", sourceLocation: sourceLocation)
    }

    private static let unsent = """
        import json, sys
        folder = sys.argv[1] + "/"
        manifest = json.load(open(folder + "manifest.json"))
        for table in manifest["entities"]:
            path = folder + table["file"]
            text = open(path).read()
            rows = [json.loads(line) for line in text.splitlines()] if path.endswith("ndjson") else json.loads(text)
            for row in rows:
                row.pop("syncStatus", None)
                if table["entity"] == "events": row.pop("synced", None), row.pop("status", None)
                if table["entity"] == "photos": row["uploadStatus"] = "Pending"; row.pop("uploadedAt", None)
            open(path, "w").write("\\n".join(map(json.dumps, rows)) if path.endswith("ndjson") else json.dumps(rows))
            for name in ("sha256", "bytes"): table.pop(name, None)
        json.dump(manifest, open(folder + "manifest.json", "w"))
        """

    private static let answer = """
        import json, sys, zipfile
        source, target, change, keep, time = sys.argv[1:]
        old, new = zipfile.ZipFile(source), zipfile.ZipFile(target, "w", zipfile.ZIP_DEFLATED)
        manifest = json.loads(old.read("manifest.json"))
        manifest["createdAt"], manifest["photos"] = time, []
        del manifest["counts"]
        for item in manifest["entities"]:
            table, rows = item["entity"], []
            for n, line in enumerate(old.read(item["file"]).splitlines()):
                row = json.loads(line)
                row["syncStatus"] = "synced"
                if table == "events": row.update(synced=True, status="UPLOADED")
                if table == "photos": row.update(upload_status="Completed", uploaded_at="2025-12-01T12:30:00Z")
                exec(change)
                # Members come back in another order.
                if eval(keep): rows.append(dict(reversed(row.items())))
            new.writestr(item["file"], "\\n".join(map(json.dumps, rows)))
            item["rows"] = len(rows)
            for name in ("sha256", "bytes"): item.pop(name)
        new.writestr("manifest.json", json.dumps(manifest))
        new.close()
        """
}
