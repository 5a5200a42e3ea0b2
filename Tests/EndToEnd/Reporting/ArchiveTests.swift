import Foundation
import Testing
import Workbench

/// Every report is PDF/A-3b, tagged, and carries its data. Others judge: veraPDF the norm, clause
/// by clause; qpdf the file; poppler title and attachments; zbar the codes.
@Suite struct ArchiveTests {
    private static func documents(_ system: String) throws -> [(name: String, pdf: String)] {
        try DocumentGoldenTests.documents.filter { $0.system == system }.flatMap { try $0.make() }
    }

    /// What veraPDF says: a line for each clause that a file breaks, and one with the verdict.
    static func breaches(_ profile: String, _ files: [String]) throws -> [String] {
        let folder = ProgramRun.root + "/.build-tools/verapdf"
        let run = try ProgramRun.program("/usr/bin/java", ["-cp", "\(folder)/verapdf.jar:\(folder)", "CheckArchive", profile] + files)
        try #require(run.status == 0, "\(run.error)")
        let lines = run.output.split(separator: "\n").map(String.init)
        try #require(lines.filter { line in files.contains { line.hasPrefix($0 + " ") } }.count == files.count, "\(lines)")
        return lines.filter { line in !files.contains { line.hasPrefix($0 + " compliant") } }
    }

    /// ISO 19005-3, level B. `Scripts/try-documents` asks veraPDF about every report; these are some of each system.
    /// One has letters that no font has: they stand as their names in brackets, or in a font that the machine has.
    @Test func reportsKeepToTheNorm() throws {
        let files = try ProjectFolder.systems.flatMap { system in
            var documents = try Self.documents(system).shuffled()
            _ = documents.partition { !$0.name.hasSuffix("adherencia") }
            return documents.prefix(4).map(\.pdf)
        }
        let letters = try ProgramRun.program("/usr/bin/pdftotext", [#require(files.first { $0.contains("adherencia") }), "-"])
        #expect(letters.output.contains("[GIRL") || letters.output.contains("👧"))
        #expect(files.count == 4 * ProjectFolder.systems.count)
        let broken = try Self.breaches("PDFA-3B", files)
        #expect(broken.isEmpty, "\(broken.joined(separator: "\n"))")
    }

    @Test(arguments: ProjectFolder.systems) func everyReportIsAnArchive(_ system: String) throws {
        let documents = try Self.documents(system)
        #expect(documents.count >= 4)
        for (name, pdf) in documents {
            let checked = try ProgramRun.program("/usr/bin/qpdf", ["--check", pdf])
            #expect(checked.status == 0, "\(name): \(checked.error)")
            let info = try ProgramRun.program("/usr/bin/pdfinfo", [pdf]).output
            #expect(info.contains("Tagged:          yes"), "\(name): \(info)")
            #expect(info.contains(try Regex(#"Title: +\S"#)), "\(name): \(info)")
            let catalog = try Self.catalog(of: pdf)
            #expect(catalog["/Lang"] as? String == (system == "anagrafica" ? "u:it" : "u:es"), "\(name): \(catalog["/Lang"] ?? "")")
            #expect(catalog["/Outlines"] != nil, "\(name)")
        }
    }

    /// Of level A only the declaration is missing: structure, letters and figures hold. So it is with
    /// PDF/UA-1 (ISO 14289-1), as far as a program can judge it.
    @Test func levelAIsNotFar() throws {
        let office = try Office.pits()
        let files = try ["ficha-calicata", "perfil-longitudinal", "resumen-proyecto"].map { try office.document($0, "pdf", of: "CHU-2025") }
        for (profile, declaration) in [("PDFA-3A", "6.6.4-3 "), ("PDFUA-1", "5-1 ")] {
            let above = try Self.breaches(profile, files).filter { !$0.hasPrefix("/") }
            #expect(above.count == files.count && above.allSatisfy { $0.hasPrefix(declaration) }, "\(above.joined(separator: "\n"))")
        }
    }

    private static func catalog(of pdf: String) throws -> [String: Any] {
        let run = try Reading.python(
            """
            import json, subprocess, sys
            objects = json.loads(subprocess.run(['qpdf', '--json=2', '--json-key=qpdf', sys.argv[1]], capture_output=True, check=True).stdout)['qpdf'][1]
            print(json.dumps(objects['obj:' + objects['trailer']['value']['/Root']]['value']))
            """, pdf)
        try #require(run.status == 0, "\(run.error)")
        return try Reading.json(run.output)
    }

    // MARK: Data

    /// The files within a document by their names.
    private static func attachments(of pdf: String, in office: Office) throws -> [String: String] {
        let folder = "attached-" + UUID().uuidString
        try FileManager.default.createDirectory(atPath: office.path(folder), withIntermediateDirectories: true)
        let run = try ProgramRun.program("/usr/bin/pdfdetach", ["-saveall", "-o", office.path(folder), pdf])
        try #require(run.status == 0 && run.error.isEmpty, "\(run.error)")
        let files = try office.files(folder).map { ($0, office.path(folder) + "/" + $0) }
        return Dictionary(uniqueKeysWithValues: files)
    }

    private static let codes = """
        import glob, subprocess, sys, tempfile, zbar
        from PIL import Image
        folder = tempfile.mkdtemp()
        subprocess.run(['pdftoppm', '-r', '200', '-y', '0', '-H', '340', '-gray', sys.argv[1], folder + '/page'], check=True)
        for path in sorted(glob.glob(folder + '/page-*')):
            picture = Image.open(path).convert('L')
            image = zbar.Image(*picture.size, 'Y800', picture.tobytes())
            zbar.ImageScanner().scan(image)
            print(' '.join(symbol.data for symbol in image))
        """

    @Test func theRowsGoAlongAndTheCodesLeadToThem() throws {
        let office = try Office.pits()
        let pdf = try office.document("ficha-calicata", "pdf", of: "CHU-2025")
        let files = try Self.attachments(of: pdf, in: office)
        let pits = try office.sql(
            """
            SELECT json_group_array(json_array(id, code, depth_m, revision, json((SELECT json_group_array(json_array(number, depth_to_m, sucs))
              FROM (SELECT * FROM calicata_cortes WHERE calicata_id = c.id ORDER BY depth_from_m, number, id))))) FROM calicatas c
            WHERE project_id = (SELECT id FROM projects WHERE code = 'CHU-2025') AND sync_state NOT IN ('conflict', 'error') ORDER BY code
            """)
        let stored = try #require(try JSONSerialization.jsonObject(with: Data(pits.utf8)) as? [[Any]])
        // One more has the pits that are left out.
        #expect(files.keys.filter { $0.hasPrefix("pits-") }.count == stored.count && files.count == stored.count + 1, "\(files.keys.sorted())")
        var wanted: Set<String> = []
        for pit in stored {
            let id = try #require(pit[0] as? String)
            let path = try #require(files["pits-\(id).json"])
            let data = try Reading.json(String(decoding: try #require(FileManager.default.contents(atPath: path)), as: UTF8.self))
            #expect(data["format"] as? String == "fichero-report-data" && data["section"] as? String == "pits/\(id)")
            let row = try #require(data["row"] as? [String: Any])
            #expect(row["code"] as? String == pit[1] as? String && row["depth_m"] as? Double == pit[2] as? Double)
            let strata = try #require((data["queries"] as? [String: Any])?["strata"] as? [[String: Any]])
            let expected = try #require(pit[4] as? [[Any]])
            #expect(strata.map { $0["depth_to_m"] as? Double } == expected.map { $0[1] as? Double } && strata.map { $0["sucs"] as? String } == expected.map { $0[2] as? String })
            let revision = (pit[3] as? Int).map { "/rev/\($0)" } ?? ""
            wanted.insert("fichero:pits/\(id)\(revision)/sha256/\(try OtherProgram.sha256(path))".uppercased())
        }
        let read = try Reading.python(Self.codes, pdf)
        try #require(read.status == 0, "\(read.error)")
        let sheets = read.output.split(separator: "\n", omittingEmptySubsequences: false).dropLast().map(String.init)
        // Every sheet has one, and all sheets of a pit the same.
        #expect(sheets.count > stored.count)
        #expect(Set(sheets.filter { $0.contains(":PITS/") }) == wanted)
        #expect(sheets.count { $0.hasPrefix("FICHERO:ABSENT/") } == 1)
    }

    @Test func whatAPersonMayNotSeeDoesNotGoAlong() throws {
        let office = try Office.pits()
        #expect(try office.sql("SELECT count(DISTINCT author) > 1 FROM calicata_photos") == "1")
        // Names of authors are personal; a specialist sees what is internal.
        for (actor, sees) in [(office.actor, true), ("especialista@example.pe", false)] {
            let files = try Self.attachments(of: office.document("ficha-calicata", "pdf", of: "CHU-2025", ["--actor", actor]), in: office)
            let photos = try files.values.flatMap { path -> [[String: Any]] in
                let data = try Reading.json(String(decoding: try #require(FileManager.default.contents(atPath: path)), as: UTF8.self))
                return (data["queries"] as? [String: Any])?["photos"] as? [[String: Any]] ?? []
            }
            #expect(photos.count > 20)
            #expect(photos.contains { $0["author"] is String } == sees, "\(actor)")
        }
    }

    /// The data tells nothing of the run: another language, another day, the same sums.
    @Test func theSameRowsHaveTheSameSum() throws {
        let office = try Office.pits()
        let sums = try [("es", Office.asOf), ("en", "2025-12-24T09:30:00Z")].map { language, asOf in
            let pdf = try office.document("ficha-calicata", "pdf", of: "CHU-2025", language: language, ["--as-of", asOf])
            return try Self.attachments(of: pdf, in: office).mapValues { try OtherProgram.sha256($0) }
        }
        #expect(sums[0].count > 20 && sums[0] == sums[1])
    }
}
