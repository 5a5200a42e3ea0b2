import Foundation
import Testing

/// Drawings of test pits, of what is recorded wrong too.
@Suite struct PitDrawingTests {
    private static func pit(_ code: String, of project: String = "CHU-2025") -> String { "code = '\(code)' AND project_id = (SELECT id FROM projects WHERE code = '\(project)')" }

    private static func words(_ report: String, of project: String, in office: Office, language: String = "es", _ options: String...) throws -> String {
        let file = try office.document(report, "pdf", of: project, language: language, options)
        return try ProgramRun.program("/usr/bin/pdftotext", ["-raw", file, "-"]).output.split(whereSeparator: \.isWhitespace).joined(separator: " ")
    }

    @Test func absurdElevationsAndDepthsAreGapsOfTheProfile() throws {
        let office = try Office.pits()
        let plain = try Self.words("perfil-longitudinal", of: "CHU-2025", in: office)
        try PitReportTests.change(
            """
            UPDATE calicatas SET altitude_m = 99999 WHERE \(Self.pit("C-05")); UPDATE calicatas SET altitude_m = -400 WHERE \(Self.pit("C-10"));
            UPDATE calicatas SET depth_m = 300 WHERE \(Self.pit("C-15"));
            """, in: office)
        let said = ["es": ["cota 99999.00 m fuera de la escala", "cota −400.00 m fuera", "profundidad 300.00 m fuera de la escala"], "en": ["elevation 99999.00 m off the scale", "elevation −400.00 m off", "depth 300.00 m off the scale"], "it": ["quota 99999,00 m fuori scala", "quota −400,00 m fuori", "profondità 300,00 m fuori scala"]]
        for (language, reasons) in said {
            let words = try Self.words("perfil-longitudinal", of: "CHU-2025", in: office, language: language, "--no-validation")
            for reason in reasons { #expect(words.contains(reason), "\(language): \(reason)") }
            #expect(words.contains("C-05 · "))
        }
        let scales = try #require(plain.firstMatch(of: /Escala H 1:[0-9]+ · V 1:[0-9]+ · exageración ×[0-9.]+ · columnas 1:[0-9]+/))
        #expect(try Self.words("perfil-longitudinal", of: "CHU-2025", in: office, "--no-validation").contains(scales.output), "the scales of the others")
    }

    @Test(arguments: ["12+", "abc", "1+2+3", "12+5"]) func aChainageThatCannotBeReadHasNoPlace(_ chainage: String) throws {
        let office = try Office.pits()
        try PitReportTests.change("UPDATE calicatas SET progresiva = '\(chainage)' WHERE \(Self.pit("C-20"))", in: office)
        let lines = try PitReportTests.lines("perfil-longitudinal", of: "CHU-2025", in: office, "--no-validation")
        #expect(lines.contains("Sin progresiva: C-20."))
        let table = try #require(lines.firstIndex(of: "Calicatas sin progresiva"))
        #expect(lines[table...].contains { $0.hasPrefix("C-20 ") })
        // The codes over the columns of the profile.
        let codes = try #require(lines.first { $0.hasPrefix("C-01 C-02 ") })
        #expect(!codes.contains("C-20") && codes.contains("C-21"))
    }

    @Test func aProfileSaysWhyThereIsNoSection() throws {
        let office = try Office.pits()
        let reasons = [
            "es": ["sección A–A′", "todas las coordenadas son de un mismo punto", "menos de dos tienen coordenadas"], "en": ["section A–A′", "all coordinates are of one point", "fewer than two have coordinates"],
            "it": ["sezione A–A′", "tutte le coordinate sono di un solo punto", "meno di due hanno coordinate"],
        ]
        let changes = ["", "UPDATE calicatas SET easting = 477000, northing = 8670000", "UPDATE calicatas SET easting = NULL"]
        for (place, change) in changes.enumerated() {
            if !change.isEmpty { try PitReportTests.change(change, in: office) }
            for (language, said) in reasons {
                let words = try Self.words("perfil-longitudinal", of: "HYO-2025", in: office, language: language, "--no-validation")
                #expect(said.map(words.contains) == said.indices.map { $0 == place }, "\(language) \(place)")
                #expect(words.contains(" · V 1:") == (place == 0), "a drawing, or none")
            }
        }
        let run = try office.run("report", "perfil-longitudinal", "--project", "HYO-2025", "--format", "xlsx", "-o", "book", "--lang", "es", "--no-validation")
        #expect(run.status == 0, "\(run.error)")
        let book = try #require(try office.files("book").first)
        let strings = try ProgramRun.program("/usr/bin/unzip", ["-p", office.path("book") + "/" + book, "xl/sharedStrings.xml"]).output
        #expect(strings.contains("menos de dos tienen coordenadas") && !strings.contains("A–A′"))
    }

    /// A workbook has a picture for each sheet that a profile takes at its scale, and loses no pit.
    @Test func aWorkbookHasEverySheetOfAProfile() throws {
        let office = try Office.pits()
        let script = """
            import io, sys, zipfile
            from PIL import Image
            book = zipfile.ZipFile(sys.argv[1])
            sizes = [Image.open(io.BytesIO(book.read(name))).size for name in book.namelist() if name.endswith('.png')]
            # Legends are small, and the sketch is the same in both.
            print(sum(width > 1000 for width, _ in sizes))
            """
        func pictures(_ folder: String) throws -> Int {
            let run = try office.run("report", "perfil-longitudinal", "--project", "CHU-2025", "--format", "xlsx", "-o", folder, "--again")
            try #require(run.status == 0, "\(run.error)")
            let made = try Reading.python(script, office.path(folder + "/" + office.files(folder)[0]))
            return try #require(Int(made.output.trimmingCharacters(in: .whitespacesAndNewlines)), "\(made.error)")
        }
        let usual = try pictures("usual")
        // 11.5 km at 1:10000 are 1.15 m, and a sheet is 0.4 m wide.
        try PitReportTests.change("UPDATE projects SET profile_scale_horizontal = 10000 WHERE code = 'CHU-2025'", in: office)
        #expect(try pictures("asked") >= usual + 2)
    }

    @Test func scalesComeFromTheProject() throws {
        let office = try Office.pits()
        try PitReportTests.change("UPDATE projects SET profile_scale_horizontal = 20000, profile_scale_vertical = 2000, log_scale = 20 WHERE code = 'CHU-2025'", in: office)
        #expect(try Self.words("perfil-longitudinal", of: "CHU-2025", in: office).contains("Escala H 1:20000 · V 1:2000 · exageración ×10"))
        let scales = try PitReportTests.lines("ficha-calicata", of: "CHU-2025", in: office).filter { $0.hasPrefix("Escala vertical") }
        #expect(scales.count > 15 && Set(scales) == ["Escala vertical 1:20"])
        let other = try PitReportTests.lines("ficha-calicata", of: "JLP-2025", in: office).filter { $0.hasPrefix("Escala vertical") }
        #expect(other.count > 15 && !other.contains("Escala vertical 1:20"), "chosen where it is empty")
    }

    @Test func anOldReplicaGetsTheScales() throws {
        let office = try Office(system: "ingeplus", set: nil)
        let old = office.path("Old")
        try FileManager.default.copyItem(atPath: ProgramRun.root + "/Templates", toPath: old)
        func edit(_ file: String, _ change: (String) -> String) throws {
            let path = old + "/ingeplus/" + file
            let text = try String(contentsOfFile: path, encoding: .utf8)
            let changed = change(text)
            #expect(changed != text, "\(file)")
            try changed.write(toFile: path, atomically: true, encoding: .utf8)
        }
        func without(_ text: String, _ words: String...) -> String { text.split(separator: "\n", omittingEmptySubsequences: false).filter { line in !words.contains { line.contains($0) } }.joined(separator: "\n") }
        try edit("entities/projects.yaml") { $0.replacing(/[ ]+- {name: (?:profile_scale_horizontal|profile_scale_vertical|log_scale),[^\n]*\n[^\n]*\n/, with: "") }
        for language in ["es", "en", "it"] { try edit("texts/\(language).yaml") { without($0, "field.projects.profile_scale", "field.projects.log_scale") } }
        try edit("reports/ficha-calicata/report.yaml") { without($0, "log_scale") }
        try edit("reports/perfil-longitudinal/report.yaml") { without($0.replacing(" p.profile_scale_horizontal, p.profile_scale_vertical,", with: ""), "profile_scale") }
        try FileManager.default.removeItem(atPath: office.replica)
        let made = try office.run("init", "--pack", "ingeplus", "--admin", Office.administrator, "--templates", old)
        #expect(made.status == 0, "\(made.error)")
        #expect(try office.run("import", ProgramRun.root + "/Samples/ingeplus/survey", "--fail-on", "never", "--actor", Office.administrator, "--templates", old).status == 0)
        let projects = try office.sql("SELECT count(*) FROM projects")
        let migrated = try office.run(
            "init", "--templates", ProgramRun.root + "/Templates", "--actor", Office.administrator)
        #expect(migrated.status == 0, "\(migrated.error)")
        #expect(try office.sql("SELECT count(*) FROM projects WHERE profile_scale_horizontal IS NULL AND profile_scale_vertical IS NULL AND log_scale IS NULL") == projects)
    }

    /// In C-02 a density is measured at the surface, and the light probe is driven from the bottom of the pit.
    @Test func fieldTestsBesideTheLogAreRead() throws {
        let office = try Office.pits()
        for language in ["es", "en", "it"] {
            let words = try Self.words("ficha-calicata", of: "CHU-2025", in: office, language: language, "--record", "C-02")
            let point = language == "it" ? "," : "."
            #expect(words.contains("Dens. 1\(point)910 94\(point)0") && words.contains("2\(point)30–2\(point)80 DPL 7, 13, 18, 19, 20"), "\(language)")
            #expect(!words.contains("…") && !words.contains("γd"))
        }
    }

    @Test func everyFigureOfTheLimitsHasItsName() throws {
        let office = try Office.pits()
        let words = try Self.words("ficha-calicata", of: "CHU-2025", in: office, "--record", "C-02")
        #expect(words.contains("LL 32.0 LP 18.0 IP 14 w 9.6") && words.contains("NP w 3.2") && !words.contains("LP 18.0 14"))
    }

    @Test func impossibleSharesOfTheLaboratoryAreMarked() throws {
        let office = try Office.pits()
        let results = "(SELECT r.id FROM calicata_lab_results r JOIN calicatas c ON c.id = r.calicata_id WHERE c.\(Self.pit("C-02")) ORDER BY r.id LIMIT 1)"
        func marked() throws -> Int { try PitReportTests.lines("cuadro-resumen-ensayos", of: "CHU-2025", in: office, "--no-validation").count { $0.hasPrefix("✗ C-02 ") } }
        #expect(try marked() == 0)
        for change in ["passing_4_75_mm = 104", "passing_4_75_mm = 60, passing_0_075_mm = 70", "passing_4_75_mm = 60, passing_0_075_mm = -3"] {
            // Without groups nothing differs.
            try PitReportTests.change("UPDATE calicata_lab_results SET sucs = NULL, aashto = NULL, group_index = NULL, \(change) WHERE id = \(results)", in: office)
            #expect(try marked() == 1, "\(change)")
        }
    }

    /// ASTM D2487: vertical at a liquid limit of 16 up to an index of 7, then PI = 0.9 (LL − 8).
    @Test func theUpperLineOfThePlasticityChartIsThatOfTheNorm() throws {
        let office = try Office.pits()
        let run = try office.run("draw", "plot", "--project", "CHU-2025", "-o", "chart.svg")
        #expect(run.status == 0, "\(run.error)")
        let text = try String(contentsOfFile: office.path("chart.svg"), encoding: .utf8)
        // The dashed lines are the upper line, and that of LL 50 from index 0 to 60.
        let lines = text.matches(of: /stroke-dasharray:4,2\.5;[^>]* d="M ([0-9. L]+)"/).map { line in
            line.1.split(separator: "L").map { $0.split(separator: " ").compactMap { Double($0) } }
        }
        try #require(lines.map(\.count) == [3, 2])
        let (upper, fifty) = (lines[0], lines[1]), perIndex = (fifty[0][1] - fifty[1][1]) / 60
        let perLimit = (fifty[0][0] - upper[0][0]) / (50 - 16)
        let points = upper.map { point in
            (liquid: 16 + (point[0] - upper[0][0]) / perLimit, index: (fifty[0][1] - point[1]) / perIndex)
        }
        #expect(abs(points[0].index) < 0.01 && abs(points[1].index - 7) < 0.01 && abs(points[1].liquid - 16) < 0.01)
        #expect(abs(points[2].index - 0.9 * (points[2].liquid - 8)) < 0.1, "\(points)")
    }

    /// What is printed, by the rows' heights and the sheet's scale, and by LibreOffice.
    @Test func thePrintedWorkbooksLogIsToScale() throws {
        let office = try Office.pits()
        let run = try office.run("report", "ficha-calicata", "--project", "CHU-2025", "--record", "C-02", "--format", "xlsx", "-o", "book", "--lang", "es")
        #expect(run.status == 0, "\(run.error)")
        let file = try #require(try office.files("book").first)
        let path = office.path("book") + "/" + file
        let strings = try ProgramRun.program("/usr/bin/unzip", ["-p", path, "xl/sharedStrings.xml"]).output
        let ratio = try #require(strings.firstMatch(of: /1:([0-9]+); más altas/).flatMap { Double($0.1) })
        #expect(["SUCS visual D2488", "SUCS labor. D2487", "AASHTO visual M\u{A0}145", "AASHTO labor. M\u{A0}145"].allSatisfy(strings.contains), "one is not the other")
        let sheet = try ProgramRun.program("/usr/bin/unzip", ["-p", path, "xl/worksheets/sheet1.xml"]).output
        #expect(!sheet.contains("fitToPage") && !sheet.contains(/<pageSetup[^>]* scale=/), "it prints in its own size")
        // Two of the four layers need no more height for their text than they have.
        let rows = sheet.matches(of: /<row [^>]* ht="([0-9.]+)"/).compactMap { Double($0.1) }
        func isToScale(_ row: Double, _ metres: Double) -> Bool { abs(row / 72 * 25.4 - metres * 1000 / ratio) < 0.3 }
        let second = try #require(rows.indices.dropFirst().dropLast().first { isToScale(rows[$0], 0.60) && isToScale(rows[$0 + 1], 0.75) })
        let printed = try ProgramRun.program("/usr/bin/soffice", ["-env:UserInstallation=file://\(office.path("office"))", "--headless", "--convert-to", "pdf", "--outdir", office.path("printed"), path])
        let pages = try #require(try office.files("printed").first, "\(printed.error)")
        let images = try ProgramRun.program("/usr/bin/pdfimages", ["-list", office.path("printed") + "/" + pages]).output
        // The strip of the first page, with three layers, is the only picture that is much higher than wide.
        let heights = images.split(separator: "\n").dropFirst(2).compactMap { line -> Double? in
            let words = line.split(separator: " ")
            guard words.count > 13, let width = Double(words[3]), let height = Double(words[4]), height > 3 * width, let perInch = Double(words[13]) else { return nil }
            return height / perInch * 25.4
        }
        let height = try #require(heights.first)
        #expect(heights.count == 1)
        let expected = rows[(second - 1)...(second + 1)].reduce(0, +) / 72 * 25.4
        #expect(abs(height - expected) < 0.02 * expected && expected >= 1750 / ratio - 1, "\(height) mm for \(expected) at 1:\(ratio)")
    }
}
