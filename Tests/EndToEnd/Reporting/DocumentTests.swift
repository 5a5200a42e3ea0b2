import Foundation
import Testing

/// Reports as people and cron make them: they are registered, found unchanged, previewed and
/// packed.
@Suite struct DocumentTests {
    private func outcome(_ run: ProgramRun) throws -> [[String: Any]] {
        try #require(Reading.json(run.output)["projects"] as? [[String: Any]])
    }

    private func files(_ projects: [[String: Any]]) -> [[String: Any]] { projects.flatMap { $0["files"] as? [[String: Any]] ?? [] } }

    @Test func aReportIsRegisteredAsExportsAreAndRecognised() throws {
        let office = try Office.pits()
        let arguments = ["report", "ficha-calicata", "--project", "HYO-2025", "-o", "out", "--json"]
        let first = try office.run(arguments)
        #expect(first.status == 0, "\(first.error)")
        let made = files(try outcome(first))
        #expect(made.compactMap { $0["format"] as? String }.sorted() == ["pdf", "xlsx"])
        #expect(try office.sql("SELECT count(*) FROM exports WHERE export_name = 'ficha-calicata'") == "2")
        #expect(try Int(office.sql("SELECT count(*) FROM activity_logs WHERE entity_type = 'exports'")) ?? 0 >= 2)
        #expect(try office.run("verify", "-o", "out").status == 0)
        let second = try office.run(arguments)
        #expect(try outcome(second).first?["state"] as? String == "unchanged")
        #expect(files(try outcome(second)).compactMap { $0["sha256"] as? String }.sorted() == made.compactMap { $0["sha256"] as? String }.sorted())
    }

    @Test func theSameInputGivesTheSameBytes() throws {
        let sums = try (0..<2).map { _ -> [String] in
            let office = try Office.pits()
            let run = try office.run("report", "ficha-calicata", "--project", "BAY-2025", "-o", "out", "--json")
            return files(try outcome(run)).compactMap { $0["sha256"] as? String }
        }
        #expect(sums[0] == sums[1] && sums[0].count == 2)
    }

    @Test func thePagesHoldEverySelectedPit() throws {
        let office = try Office.pits()
        let run = try office.run("report", "ficha-calicata", "--project", "CHU-2025", "--format", "pdf", "-o", "out", "--json")
        let path = try #require(files(try outcome(run)).first?["path"] as? String)
        let text = try ProgramRun.program("/usr/bin/pdftotext", ["-layout", path, "-"]).output
        let codes = try office.sql("SELECT code FROM calicatas WHERE project_id = (SELECT id FROM projects WHERE code = 'CHU-2025') AND sync_state NOT IN ('conflict', 'error') ORDER BY code")
            .split(separator: "\n")
        #expect(codes.count > 15)
        for code in codes { #expect(text.contains(code), "\(code)") }
        #expect(text.contains("Huamaní") && (text.contains("Ñ") || text.contains("ñ")), "accents survive")
        #expect(try Data(contentsOf: URL(fileURLWithPath: path)).range(of: Data("project-files/orgs/".utf8)) == nil, "no photo has a link that opens nothing")
        let fonts = try ProgramRun.program("/usr/bin/pdffonts", [path]).output.split(separator: "\n").dropFirst(2)
        #expect(!fonts.isEmpty)
        for line in fonts { #expect(line.contains(" yes "), "embedded: \(line)") }
    }

    @Test func onePitAndItsPreview() throws {
        let office = try Office.pits()
        let one = try office.run("report", "ficha-calicata", "--project", "CHU-2025", "--record", "C-16", "--format", "pdf", "-o", "one", "--json")
        #expect(try outcome(one).first?["selected"] as? Int == 1)
        let preview = try office.run("report", "ficha-calicata", "--project", "CHU-2025", "--format", "pdf", "--preview", "-o", "look", "--json")
        #expect(preview.status == 0, "\(preview.error)")
        let path = try #require(files(try outcome(preview)).first?["path"] as? String)
        #expect(path.hasSuffix("-preview.pdf"))
        #expect(try ProgramRun.program("/usr/bin/pdftotext", [path, "-"]).output.contains("PREVIEW"))
        #expect(try office.sql("SELECT count(*) FROM exports") == "1", "a preview is registered nowhere")
    }

    /// A preview has the first page of each kind. It has no links, because the other pages are not
    /// there.
    @Test(arguments: [("ingeplus", "resumen-proyecto"), ("ingeplus", "registro-fotografico"), ("anagrafica", "inventario"), ("anagrafica", "schede-tipo")])
    func aPreviewOfLinkedPagesIsMade(system: String, report: String) throws {
        let office = try system == "ingeplus" ? Office.pits() : Office.assets()
        let preview = try office.run("report", report, "--format", "pdf", "--preview", "-o", "look")
        #expect(preview.status == 0, "\(preview.error)")
        let file = try #require(try office.files("look").first)
        #expect(try ProgramRun.program("/usr/bin/pdfinfo", [office.path("look/" + file)]).status == 0)
    }

    @Test func aPackageWhoseInnerReportAsksForTheDayIsAnotherTomorrow() throws {
        let office = try Office.pits()
        let templates = office.path("Templates"), file = templates + "/ingeplus/reports/ficha-calicata/report.yaml"
        try FileManager.default.copyItem(atPath: ProgramRun.root + "/Templates", toPath: templates)
        func states(_ day: String) throws -> [String] {
            let run = try office.run("report", "entrega", "--project", "HYO-2025", "-o", "out", "--json", "--templates", templates, "--as-of", day)
            #expect(run.status <= 1, "\(run.error)")
            return try #require(Reading.json(run.output)["projects"] as? [[String: Any]]).compactMap { $0["state"] as? String }
        }
        #expect(try states("2025-12-01T14:00:00Z") == ["written"])
        #expect(try states("2025-12-02T14:00:00Z") == ["unchanged"])
        let text = try String(contentsOfFile: file, encoding: .utf8), query = "    entity: calicatas\n"
        #expect(text.contains(query))
        try text.replacing(query, with: query + "    where: start_date is null or start_date <= today()\n").write(toFile: file, atomically: true, encoding: .utf8)
        #expect(try states("2025-12-02T14:00:00Z") == ["written"])
        #expect(try states("2025-12-02T20:00:00Z") == ["unchanged"])
        #expect(try states("2025-12-03T14:00:00Z") == ["written"])
    }

    @Test func theClientsPackageHoldsDocumentsDataPhotosAndTheirSums() throws {
        let office = try Office.pits()
        let run = try office.run("report", "entrega", "--project", "HYO-2025", "-o", "out", "--json")
        #expect(run.status == 0, "\(run.error)")
        let path = try #require(files(try outcome(run)).first?["path"] as? String)
        let check = try Reading.python(
            """
            import csv, hashlib, io, sys, zipfile
            package = zipfile.ZipFile(sys.argv[1])
            rows = list(csv.DictReader(io.TextIOWrapper(package.open('index.csv'), encoding='utf-8')))
            for row in rows:
                name = row['name']
                data = package.read(name)
                assert hashlib.sha256(data).hexdigest() == row['sha256'] and len(data) == int(row['bytes']), name
            print(len(rows), sum(n.startswith('photos/') for n in package.namelist()), *sorted(n for n in package.namelist() if not n.startswith('photos/')))
            """, path)
        #expect(check.status == 0, "\(check.error)")
        let words = check.output.split(whereSeparator: \.isWhitespace).map(String.init)
        #expect(words.dropFirst(2) == ["00-cover.pdf", "data/calicatas.xlsx", "data/cortes.xlsx", "data/ensayos.xlsx", "documents/cuadro-resumen-ensayos.pdf", "documents/ficha-calicata.pdf", "index.csv"])
        let expected = try office.sql(
            "SELECT count(*) FROM calicata_photos p JOIN calicatas c ON c.id = p.calicata_id JOIN projects j ON j.id = c.project_id WHERE j.code = 'HYO-2025' AND c.status = 'APROBADO'")
        #expect(words[1] == expected, "every photo of the selected pits, which are the approved ones")
    }

    /// In a package the photos' names in a workbook are links to the photos beside it. A photo that
    /// is not there has none.
    @Test(arguments: [("ingeplus", ["report", "entrega", "--project", "CHU-2025"]), ("anagrafica", ["export", "client-package"])])
    func photosInAPackageAreLinked(_ system: String, _ command: [String]) throws {
        let office = try Office(system: system)
        var absent: String?
        if system == "ingeplus" {
            let path = try office.sql("SELECT local_path FROM calicata_photos p JOIN calicatas c ON c.id = p.calicata_id WHERE c.code = 'C-01' AND c.status = 'ARCHIVADO' ORDER BY filename LIMIT 1")
            try FileManager.default.removeItem(atPath: office.path(path))
            absent = try office.sql("SELECT filename FROM calicata_photos WHERE local_path = '\(path)'")
        }
        let run = try office.run(command + ["-o", "out", "--json"])
        #expect(run.status < 2, "\(run.error)")
        let path = try #require(files(try outcome(run)).first?["path"] as? String)
        let check = try Reading.python(
            """
            import io, posixpath, re, sys, zipfile, openpyxl
            package = zipfile.ZipFile(sys.argv[1])
            photos, linked, plain = {n for n in package.namelist() if n.startswith('photos/')}, [], []
            for book in [n for n in package.namelist() if n.endswith('.xlsx')]:
                for sheet in openpyxl.load_workbook(io.BytesIO(package.read(book))):
                    for row in sheet.iter_rows():
                        for cell in row:
                            link = re.fullmatch(r'=HYPERLINK\\("(.*)","(.*)"\\)', str(cell.value))
                            if link:
                                assert link[1].endswith('/' + link[2]), cell.value
                                linked.append(posixpath.normpath(posixpath.join(posixpath.dirname(book), link[1])))
                            elif re.fullmatch(r'\\S+\\.jpg', str(cell.value)):
                                plain.append(cell.value)
            assert photos and set(linked) == photos and len(linked) == len(photos), (len(linked), len(photos))
            print(*plain, sep='\\n')
            """, path)
        #expect(check.status == 0, "\(check.error)")
        if let absent { #expect(check.output.split(separator: "\n").contains { $0 == absent }) }
    }

    @Test(arguments: [("strip", "svg"), ("log", "png"), ("strip", "pdf")]) func drawingsStandByThemselves(_ kind: String, _ format: String) throws {
        let office = try Office.pits()
        let run = try office.run("draw", kind, "--project", "CHU-2025", "--record", "C-16", "-o", "drawing.\(format)")
        #expect(run.status == 0, "\(run.error)")
        let program = ["svg": ("/usr/bin/xmllint", ["--noout"]), "png": ("/usr/bin/python3", ["-c", "import sys; from PIL import Image; Image.open(sys.argv[1]).verify()"]), "pdf": ("/usr/bin/pdfinfo", [])]
        let (path, options) = try #require(program[format])
        #expect(try ProgramRun.program(path, options + [office.path("drawing.\(format)")]).status == 0)
    }

    @Test(arguments: [
        (["report", "fichas"], 64, "DOCUMENT-UNKNOWN"), (["report", "ficha-calicata", "--format", "docx"], 64, "FORMAT-UNKNOWN"),
        (["report", "ficha-calicata", "--actor", "lector@example.pe"], 77, ""), (["draw", "plan", "-o", "x.svg"], 64, "DRAWING-UNKNOWN"),
        (["draw", "strip", "--record", "C-99999", "-o", "x.svg"], 66, "RECORD-UNKNOWN"), (["report", "ficha-calicata", "--brand", "none.yaml"], 78, "REPORT-BRAND"),
    ])
    func whatCannotBeMadeIsSaid(_ arguments: [String], _ status: Int, _ code: String) throws {
        let office = try Office.pits()
        if arguments.contains("lector@example.pe") {
            _ = try ProgramRun.program("/usr/bin/sqlite3", [office.replica, "UPDATE profiles SET role = 'LECTOR', email = 'lector@example.pe' WHERE email = 'coordinadora@example.pe'"])
        }
        let run = try office.run(arguments + ["-o", "out"].filter { _ in arguments[0] == "report" })
        #expect(run.status == status, "\(run.error)")
        if !code.isEmpty { #expect(run.error.contains(code), "\(run.error)") }
    }

    /// If a template names something that does not exist, the command reports the line before it
    /// makes any file.
    @Test func aWrongTemplateIsFoundWithItsLine() throws {
        let office = try Office.pits()
        let templates = office.path("Templates")
        try FileManager.default.copyItem(atPath: ProgramRun.root + "/Templates", toPath: templates)
        let file = templates + "/ingeplus/reports/ficha-calicata/report.yaml"
        let text = try String(contentsOfFile: file, encoding: .utf8)
        try text.replacingOccurrences(of: "total: depth_m", with: "total: deep_m").write(toFile: file, atomically: true, encoding: .utf8)
        let run = try office.run("report", "ficha-calicata", "-o", "out", "--templates", templates)
        #expect(run.status == 78)
        let line = (text.components(separatedBy: "\n").firstIndex { $0.contains("total: depth_m") } ?? 0) + 1
        #expect(run.error.contains("report.yaml:\(line):") && run.error.contains("deep_m"), "\(run.error)")
    }
}
