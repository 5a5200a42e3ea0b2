import Foundation
import Testing

/// Workbooks of forms come in completely. A second import changes nothing, and faults in the forms
/// can be corrected.
@Suite struct FormImportTests {
    private let office: Office
    private static let samples = ProgramRun.root + "/Samples/ingeplus/legacy/fichas/"

    init() throws {
        office = try Office(system: "ingeplus", set: nil)
    }

    private func bringIn(_ path: String, _ mapping: String) throws -> (status: Int32, json: [String: Any]) {
        let run = try office.run("import", path, "--mapping", mapping, "--actor", Office.administrator, "--json")
        let list = try JSONSerialization.jsonObject(with: Data(run.output.utf8)) as? [[String: Any]]
        let json = try #require(list?.first, "\(run.output) \(run.error)")
        return (run.status, json)
    }

    /// A line for each pit and for each stratum that must be in the replica.
    private func expected(_ name: String) throws -> (pits: [String], strata: [String], pictures: Int, links: Int) {
        let data = try #require(FileManager.default.contents(atPath: Self.samples + name + ".expected.json"))
        let json = try #require(try JSONSerialization.jsonObject(with: data) as? [String: Any])
        let pits = try #require(json["calicatas"] as? [[String: Any]])
        func text(_ value: Any?) -> String {
            switch value {
            case let text as String: text
            case let number as NSNumber: String(format: "%.2f", number.doubleValue)
            default: ""
            }
        }
        let keys = ["code", "chainage", "easting", "northing", "altitude", "date", "depth", "water", "remarks"]
        let strata = pits.flatMap { pit in
            ((pit["strata"] as? [[String: Any]]) ?? []).map { stratum in
                text(pit["code"]) + "|" + ["number", "from", "to", "sucs", "aashto", "description"].map { text(stratum[$0]) }.joined(separator: "|")
            }
        }
        return (
            pits.map { pit in keys.map { text(pit[$0]) }.joined(separator: "|") }, strata,
            pits.reduce(0) { $0 + ($1["pictures"] as? Int ?? 0) }, pits.reduce(0) { $0 + (($1["linked"] as? [Int])?.count ?? 0) }
        )
    }

    private func changed(_ name: String, _ changes: String) throws -> String {
        let path = office.path(name + ".xlsx")
        let script = "import sys, openpyxl\nbook = openpyxl.load_workbook(sys.argv[1])\n\(changes)\nbook.save(sys.argv[2])"
        #expect(try Reading.python(script, Self.samples + name + ".xlsx", path).status == 0)
        return path
    }

    private func faults(_ run: (status: Int32, json: [String: Any])) throws -> [[String]] {
        let findings = try #require(run.json["findings"] as? [[String: Any]])
        return findings.filter { $0["severity"] as? String == "error" }.map { finding in
            let place = finding["place"] as? [String: Any]
            return [finding["code"] as? String ?? "", place?["sheet"] as? String ?? "", place?["cell"] as? String ?? "", place?["key"] as? String ?? ""]
        }
    }

    @Test func aPitOfAStackWithoutItsCodeWaits() throws {
        let run = try bringIn(changed("fichas-apiladas", "book['Calicatas']['J4'] = None"), "fichas-apiladas")
        #expect(run.status == 1)
        #expect(try faults(run) == [
            ["IMPORT-NO-REQUIRED", "Calicatas", "J4", "FIC-2011 / —"], ["IMPORT-WAITS", "Calicatas", "", "FIC-2011 / —"],
        ])
        #expect(try office.sql("SELECT count(*) FROM calicatas") == "3")
        // Without its code, the row is rejected again, and its strata wait for it again.
        #expect(try office.run("rejects", "retry", "--actor", Office.administrator).status == 1)
        #expect(try rejected() == [["calicatas", "open", "2"], ["calicata_cortes", "waiting", "0"], ["calicata_cortes", "waiting", "0"]])
        let pit = try office.sql("SELECT id FROM rejects WHERE entity = 'calicatas' AND state = 'open'")
        #expect(try office.run("rejects", "edit", pit, "--set", "calicata=P-02", "--actor", Office.administrator).status == 0)
        #expect(try office.run("rejects", "retry", "--actor", Office.administrator).status == 0)
        #expect(try rejected().isEmpty)
        try check("fichas-apiladas")
    }

    /// The entity and the state of each row in the quarantine, and how many rows wait for it.
    private func rejected() throws -> [[String]] {
        let run = try office.run("rejects", "list", "--state", "open", "--json", "--actor", Office.administrator)
        let waiting = try office.run("rejects", "list", "--state", "waiting", "--json", "--actor", Office.administrator)
        return try [run, waiting].flatMap { run in
            let rows = try #require(try JSONSerialization.jsonObject(with: Data(run.output.utf8)) as? [[String: Any]])
            return rows.map { [$0["entity"] as? String ?? "", $0["state"] as? String ?? "", String($0["waiting"] as? Int ?? 0)] }
        }
    }

    @Test("A form without its project is one rejected row")
    func aPitWithoutItsProjectIsOneRow() throws {
        let run = try bringIn(changed("fichas-calicatas", "book['C-03']['C5'].value = None if book['C-03']['C5'].value else 1/0"), "ficha-calicata")
        #expect(run.status == 1)
        let pits = try faults(run).filter { $0[0] != "IMPORT-WAITS" }
        #expect(pits.count { $0[1] == "C-03" && $0[3].hasPrefix("— / C-03") } == 1, "\(pits)")
        #expect(try rejected().filter { $0[1] == "open" && $0[0] != "projects" }.map { $0[0] } == ["calicatas"])
        let pit = try office.sql("SELECT id FROM rejects WHERE entity = 'calicatas' AND state = 'open'")
        #expect(try office.run("rejects", "edit", pit, "--set", "codigo=FIC-2011", "--actor", Office.administrator).status == 0)
        _ = try office.run("rejects", "retry", "--actor", Office.administrator)
        #expect(try office.sql("SELECT count(*) FROM rejects WHERE state = 'open' AND entity <> 'projects'") == "0")
        #expect(try office.sql("SELECT count(*) FROM calicata_photos f JOIN calicatas p ON p.id = f.calicata_id WHERE p.code = 'C-03'") == "2")
    }

    @Test func whatLacksWhatItNeedsOnASheetOfItsOwnWaits() throws {
        let run = try bringIn(changed("fichas-calicatas", "book['C-02']['B16'].value = None; book['C-03']['C7'].value = None; book['C-04']['A14'].value = None"), "ficha-calicata")
        #expect(run.status == 1)
        let faults = try faults(run)
        #expect(faults.contains(["IMPORT-NO-REQUIRED", "C-03", "C7", "FIC-2011 / —"]))
        #expect(faults.contains(["IMPORT-NO-REQUIRED", "C-02", "B16", "FIC-2011 / C-02 / 2"]))
        #expect(faults.contains { $0[0] == "IMPORT-NO-KEY" && $0[1] == "C-04" && $0[3] == "FIC-2011 / C-04 / —" }, "\(faults)")
        #expect(faults.count(where: { $0[1] == "C-02" }) == 1)
    }

    @Test func photosSayWhatTheirFilesSay() throws {
        try FileManager.default.copyItem(atPath: Self.samples + "fotos", toPath: office.path("fotos"))
        let survey = ProgramRun.root + "/Samples/ingeplus/survey/photos/CHU-2025_C-01_pared_20250303-091747.jpg"
        try FileManager.default.removeItem(atPath: office.path("fotos/C-05_1.jpg"))
        try FileManager.default.copyItem(atPath: survey, toPath: office.path("fotos/C-05_1.jpg"))
        _ = try bringIn(changed("fichas-calicatas", ""), "ficha-calicata")
        #expect(try office.sql("SELECT count(*) FROM calicata_photos WHERE width_px = 320 AND height_px = 240") == "6")
        let said = try office.sql(
            "SELECT width_px || ' ' || height_px || ' ' || round(latitude, 4) || ' ' || round(longitude, 4) || ' ' || taken_at FROM calicata_photos WHERE filename = 'C-05_1.jpg'")
        #expect(said == "640 480 -5.092 -80.152 2025-03-03T14:17:47Z")
        let again = try bringIn(office.path("fichas-calicatas.xlsx"), "ficha-calicata")
        #expect(try office.sql("SELECT count(*) FROM conflicts") == "0" && again.json["photos"] as? Int == 0)
    }

    private func check(_ name: String, photos: Bool = true) throws {
        let expected = try expected(name)
        let number = { (column: String) in "CASE WHEN \(column) IS NULL THEN '' ELSE printf('%.2f', \(column)) END" }
        let pits = try office.sql(
            """
            SELECT group_concat(code || '|' || progresiva || '|' || \(number("easting")) || '|' || \(number("northing")) || '|' || \(number("altitude_m"))
                || '|' || end_date || '|' || \(number("depth_m")) || '|' || \(number("groundwater_depth_m")) || '|' || coalesce(observations, ''), char(10))
            FROM (SELECT * FROM calicatas ORDER BY code)
            """)
        #expect(pits.split(separator: "\n").map(String.init) == expected.pits)
        let strata = try office.sql(
            """
            SELECT group_concat(code || '|' || printf('%.2f', number) || '|' || \(number("depth_from_m")) || '|' || \(number("depth_to_m")) || '|' || sucs
                || '|' || aashto || '|' || description, char(10))
            FROM (SELECT p.code, s.* FROM calicata_cortes s JOIN calicatas p ON p.id = s.calicata_id ORDER BY p.code, s.number)
            """)
        #expect(strata == expected.strata.joined(separator: "\n"))
        #expect(try office.sql("SELECT count(*) FROM calicata_photos") == String(photos ? expected.pictures + expected.links : 0))
        #expect(try office.sql("SELECT count(*) FROM calicatas WHERE (groundwater_depth_m IS NULL) = (water_status = 'dry')") == String(expected.pits.count))
    }

    @Test(arguments: [
        ("fichas-calicatas", "ficha-calicata", ["IMPORT-UNREAD-CELL", "IMPORT-UNMAPPED-TABLE", "IMPORT-UNMAPPED-TABLE"]), ("fichas-laterales", "ficha-calicata-lateral", []),
        ("fichas-apiladas", "fichas-apiladas", ["IMPORT-EMPTY-FORM", "IMPORT-UNREAD-CELL"]),
    ])
    func whatAnOfficeFilledInComesInWhole(_ name: String, _ mapping: String, _ findings: [String]) throws {
        let first = try bringIn(Self.samples + name + ".xlsx", mapping)
        #expect(first.status == 0)
        // The administrator is not a member of the project that came in.
        #expect((first.json["findings"] as? [[String: Any]])?.map { $0["code"] as? String } == findings + ["IMPORT-NOT-MEMBER"])
        try check(name)
        let marks = try office.sql("SELECT count(*) FROM sync_queue")
        let second = try bringIn(Self.samples + name + ".xlsx", mapping)
        #expect(second.status == 0)
        try check(name)
        #expect(try office.sql("SELECT count(*) FROM sync_queue") == marks, "nothing has changed")
        #expect(second.json["photos"] as? Int == 0)
        #expect(try office.sql("SELECT count(*) FROM conflicts") == "0")
    }

    @Test func picturesAndLinkedFilesBecomePhotosOfTheirPit() throws {
        let run = try bringIn(Self.samples + "fichas-calicatas.xlsx", "ficha-calicata")
        #expect(run.json["photos"] as? Int == 7)
        #expect(
            try office.sql("SELECT group_concat(code || ' ' || n) FROM (SELECT p.code, count(*) n FROM calicata_photos f JOIN calicatas p ON p.id = f.calicata_id GROUP BY 1 ORDER BY 1)")
                == "C-03 2,C-05 2,C-07 1,C-12 2")
        #expect(try office.sql("SELECT count(*) FROM calicata_photos WHERE mime_type = 'image/jpeg' AND sha256 IS NOT NULL AND local_path IS NOT NULL") == "7")
        // The logo on each sheet is not a photo. A stored picture has the same bytes as in the
        // workbook.
        let kept = try office.files("fichero.db.files")
        #expect(kept.count == 7)
        let script = """
            import hashlib, sys, zipfile
            book = zipfile.ZipFile(sys.argv[1])
            print(sorted(hashlib.sha256(book.read(n)).hexdigest() for n in book.namelist() if n.startswith('xl/media/') and n.endswith('.jpeg')))
            """
        let inBook = try Reading.python(script, Self.samples + "fichas-calicatas.xlsx").output
        let stored = kept.map { URL(fileURLWithPath: $0).deletingPathExtension().lastPathComponent }
        #expect(stored.count { inBook.contains($0) } == 4)
    }

    @Test("The same forms come in from a workbook of Excel 97, which has merged cells too")
    func olderWorkbooks() throws {
        let made = try ProgramRun.program(
            "/usr/bin/soffice",
            [
                "--headless", "-env:UserInstallation=file://" + office.path("profile"), "--convert-to", "xls:MS Excel 97", "--outdir", office.folder,
                Self.samples + "fichas-calicatas.xlsx",
            ])
        #expect(made.status == 0)
        #expect(try bringIn(office.path("fichas-calicatas.xls"), "ficha-calicata").status == 0)
        try check("fichas-calicatas", photos: false)
    }

    @Test func aBrokenCellWaitsAndIsMended() throws {
        let script = """
            import sys, openpyxl
            book = openpyxl.load_workbook(sys.argv[1])
            book['C-01']['C10'] = 'dos y medio'
            book['C-03']['B15'] = '?'
            book['C-20']['A7'] = 'Sondeo:'
            book.save(sys.argv[2])
            """
        let path = office.path("fichas.xlsx")
        #expect(try Reading.python(script, Self.samples + "fichas-calicatas.xlsx", path).status == 0)
        let run = try bringIn(path, "ficha-calicata")
        #expect(run.status == 1)
        let findings = try #require(run.json["findings"] as? [[String: Any]])
        let numbers = findings.filter { $0["code"] as? String == "IMPORT-NO-NUMBER" }
        #expect(numbers.map { ($0["place"] as? [String: Any])?["cell"] as? String } == ["C10", "B15"])
        #expect(numbers.map { ($0["place"] as? [String: Any])?["sheet"] as? String } == ["C-01", "C-03"])
        // The row of a pit without a name is rejected, and its strata wait for it.
        let nameless = findings.filter { $0["code"] as? String == "IMPORT-NO-REQUIRED" }
        #expect(nameless.map { ($0["place"] as? [String: Any])?["sheet"] as? String } == ["C-20"])
        #expect(try office.sql("SELECT count(*) FROM calicatas") == "18")
        let listed = try office.run("rejects", "list", "--json", "--actor", Office.administrator)
        let rejects = try #require(try JSONSerialization.jsonObject(with: Data(listed.output.utf8)) as? [[String: Any]])
        for (word, change) in [("dos y medio", "profundidad=2.8"), ("\"?\"", "desde=0.55")] {
            let row = try #require(rejects.first { ($0["raw"] as? String)?.contains(word) == true })
            let id = try #require(row["id"] as? String)
            #expect(try office.run("rejects", "edit", id, "--set", change, "--actor", Office.administrator).status == 0)
        }
        #expect(try office.run("rejects", "retry", "--actor", Office.administrator).status == 1, "C-20 has no name yet")
        #expect(try Int(office.sql("SELECT count(*) FROM rejects WHERE state = 'open'")) ?? 0 > 1)
        let pit = try office.sql("SELECT id FROM rejects WHERE state = 'open' AND entity = 'calicatas'")
        #expect(try office.run("rejects", "edit", pit, "--set", "calicata=C-20", "--actor", Office.administrator).status == 0)
        #expect(try office.run("rejects", "retry", "--actor", Office.administrator).status == 0)
        #expect(try office.sql("SELECT count(*) FROM calicata_cortes") == "68")
        #expect(try office.sql("SELECT depth_m FROM calicatas WHERE code = 'C-01'") == "2.8")
        #expect(try office.sql("SELECT count(*) FROM calicata_cortes s JOIN calicatas p ON p.id = s.calicata_id WHERE p.code IN ('C-01', 'C-03')") == "7")
    }

    /// A form without a code is known only by its place. If it is corrected in the same file, its
    /// pit, strata and pictures come in.
    @Test func aMendedFileResolvesAFormWithoutACode() throws {
        let script = """
            import sys, openpyxl
            book = openpyxl.load_workbook(sys.argv[1])
            for name, change in zip(sys.argv[3::2], sys.argv[4::2]):
                sheet, cell = name.split('!')
                book[sheet][cell] = change
            book.save(sys.argv[2])
            """
        func write(_ changes: String...) throws -> String {
            let path = office.path("fichas.xlsx")
            #expect(try ProgramRun.program("/usr/bin/python3", ["-c", script, Self.samples + "fichas-calicatas.xlsx", path] + changes).status == 0)
            return path
        }
        func open(_ sheet: String) throws -> Int {
            try Int(office.sql("SELECT count(*) FROM rejects WHERE state = 'open' AND json_extract(place, '$.sheet') = '\(sheet)'")) ?? 0
        }
        #expect(try bringIn(write("C-20!A7", "Sondeo:", "C-03!A7", "Sondeo:"), "ficha-calicata").status == 1)
        let before = try (open("C-20"), open("C-03"))
        #expect(before.0 > 1 && before.1 > 1)
        // The unchanged file resolves no rejected form. A file in which another form is corrected
        // does not resolve this one.
        #expect(try bringIn(office.path("fichas.xlsx"), "ficha-calicata").status == 1)
        #expect(try open("C-20") == before.0 && open("C-03") == before.1)
        #expect(try bringIn(write("C-20!A7", "Sondeo:"), "ficha-calicata").status == 1)
        #expect(try open("C-20") == before.0 && open("C-03") == 0)
        #expect(try bringIn(write(), "ficha-calicata").status == 0)
        #expect(try office.sql("SELECT count(*) FROM rejects WHERE state = 'open'") == "0")
        #expect(try office.sql("SELECT count(*) FROM calicatas WHERE code IN ('C-03', 'C-20')") == "2")
        // If the import is taken back, the form is rejected again.
        #expect(try office.run("undo", "last", "--actor", Office.administrator).status == 0)
        #expect(try open("C-20") == before.0 && open("C-03") == 0)
    }

    @Test func picturesOfAPitThatWaitedComeWithIt() throws {
        let script = """
            import sys, openpyxl
            book = openpyxl.load_workbook(sys.argv[1])
            book['C-03']['C10'] = 'dos y medio'
            book.save(sys.argv[2])
            """
        let folder = Self.samples + "fotos"
        if FileManager.default.fileExists(atPath: folder) { try FileManager.default.copyItem(atPath: folder, toPath: office.path("fotos")) }
        let path = office.path("fichas.xlsx")
        #expect(try Reading.python(script, Self.samples + "fichas-calicatas.xlsx", path).status == 0)
        #expect(try bringIn(path, "ficha-calicata").status == 1)
        let whole = try office.sql("SELECT count(*) FROM calicata_photos")
        let waiting = try office.sql("SELECT count(*) FROM rejects WHERE entity = 'calicata_photos' AND state = 'open'")
        #expect(waiting == "2", "the pictures of the pit that could not go in")
        let pit = try office.sql("SELECT id FROM rejects WHERE raw LIKE '%dos y medio%' AND entity = 'calicatas'")
        #expect(try office.run("rejects", "edit", pit, "--set", "profundidad=2.8", "--actor", Office.administrator).status == 0)
        let retried = try office.run("rejects", "retry", "--actor", Office.administrator)
        #expect(retried.status == 0, "\(retried.output) \(retried.error)")
        #expect(try office.sql("SELECT count(*) - \(whole) FROM calicata_photos") == waiting)
        #expect(try office.sql("SELECT count(*) FROM calicata_photos f JOIN calicatas p ON p.id = f.calicata_id WHERE p.code = 'C-03' AND f.sha256 IS NOT NULL AND f.local_path IS NOT NULL") == "2")
        #expect(try office.files("fichero.db.files").count == Int(try office.sql("SELECT count(DISTINCT sha256) FROM calicata_photos")))
    }
}
