import Foundation
import Testing
import Workbench

/// Sheets as three laboratories send them, read by `resultados-laboratorio`.
@Suite struct LaboratorySheetTests {
    private func bringIn(_ file: String, _ office: Office, _ options: String...) throws -> ProgramRun {
        try office.run(["import", file, "--mapping", "resultados-laboratorio"] + options)
    }

    /// A file of text in the office's folder, while results wait for their upload, so that an import may change them.
    private func sheet(_ text: String, in office: Office, changing values: String = "") throws -> String {
        _ = try office.writableSQL("UPDATE calicata_lab_results SET sync_state = 'pending_upload'" + values)
        let file = office.path("sheet.csv")
        try Data(text.utf8).write(to: URL(fileURLWithPath: file))
        return file
    }

    /// Values of the results of a sample of project CHU-2025, with `|` between them.
    private func result(_ fields: String, of sample: String, _ pit: String, _ office: Office) throws -> String {
        try office.sql(
            """
            SELECT \(fields) FROM calicata_lab_results AS r JOIN calicata_samples AS s ON s.id = r.sample_id JOIN calicatas AS c ON c.id = s.calicata_id
            JOIN projects AS p ON p.id = c.project_id WHERE p.code = 'CHU-2025' AND c.code = '\(pit)' AND s.code = '\(sample)'
            """)
    }

    /// Titles above, headings of two rows with merged cells, no project; limits of a soil without,
    /// a value below what can be measured, a sample with only Proctor and CBR.
    @Test func aSheetWithHeadingsOfTwoRows() throws {
        let office = try Office.pits()
        let script = """
            import openpyxl, sys
            book = openpyxl.Workbook(); sheet = book.active
            sheet["A1"] = "LABORATORIO GEOTECNIA DEL NORTE"; sheet["A3"] = "Cuadro resumen de ensayos"
            above = ["Calicata", "Muestra", "Profundidad (m)", None, "Granulometría (% que pasa)", None, None, "Límites de Atterberg", None, None, "Humedad (%)", "Clasificación", None, "Proctor", None, "CBR 95 %"]
            below = [None, None, "De", "A", "N° 4", "N° 40", "N° 200", "LL", "LP", "IP", None, "SUCS", "AASHTO", "MDS", "OCH", None]
            for column, (upper, lower) in enumerate(zip(above, below), 1):
                if upper: sheet.cell(5, column, upper)
                if lower: sheet.cell(6, column, lower)
                else: sheet.merge_cells(start_row=5, end_row=6, start_column=column, end_column=column)
            for cells in ("C5:D5", "E5:G5", "H5:J5", "L5:M5", "N5:O5"): sheet.merge_cells(cells)
            rows = [
                ["C-23", "M-7", 0.1, 0.2, 85.5, 51.8, 31.1, "NP", "NP", "N.P.", 3.3, "SM", "A-2-4(0)", None, None, None],
                ["C-23", "M-8", 0.3, 0.4, " 96,2 ", "54,6%", "<5", 20, 16, 4, "3,8 %", "sc-sm", "A-2-4", "-", "--", "-"],
                ["C-24", "M-7", 0.5, 0.6] + [None] * 9 + [1.95, "8,4", "22 %"],
            ]
            for number, row in enumerate(rows, 7):
                for column, value in enumerate(row, 1):
                    if value is not None: sheet.cell(number, column, value)
            sheet["A11"] = "NP: no plástico"
            book.save(sys.argv[1])
            """
        let file = office.path("cuadro.xlsx")
        let made = try Reading.python(script, file)
        try #require(made.status == 0, "\(made.error)")
        // Nobody says the project.
        let refused = try bringIn(file, office)
        #expect(refused.status == 65 && refused.error.contains("Proyecto | Obra.") && refused.error.contains("--project"), "\(refused.error)")

        let run = try bringIn(file, office, "--project", "CHU-2025")
        #expect(run.status == 0, "\(run.output) \(run.error)")
        #expect(run.output.contains("CHU-2025 / C-23 / M-8: “<5” in G8 is no value of “Passing No. 200 (0.075 mm)”"), "\(run.output)")
        #expect(run.output.contains("error: 0  warning: 1  note: 0"), "\(run.output)")
        #expect(try result("passing_4_75_mm, passing_0_075_mm, plasticity_index, non_plastic, moisture_pct, r.sucs", of: "M-7", "C-23", office) == "85.5|31.1||1|3.3|SM")
        #expect(try result("passing_4_75_mm, passing_0_425_mm, passing_0_075_mm, liquid_limit, non_plastic, moisture_pct, r.sucs", of: "M-8", "C-23", office) == "96.2|54.6||20.0|0|3.8|SC-SM")
        #expect(try result("max_dry_density, optimum_moisture_pct, cbr_95_pct, non_plastic, depth_to_m", of: "M-7", "C-24", office) == "1.95|8.4|22.0||0.6")
    }

    /// Semicolons and decimal commas in Windows-1252; depths as ranges; one line without any.
    @Test func aTextInWindows1252() throws {
        let office = try Office.pits()
        let text = """
            Informe;Fecha;Calicata;Muestra;Prof. (m);"3""\"; N° 200 ;LL;LP;IP;SUCS;AASHTO;Expansión;CBR 95 %\r
            LSG-1;21/03/2025;C-24;M-7;0,10 - 0,20;100,0;12,5%; NP ;NP;NP;SM;A-1-b;;\r
            LSG-2;21/03/2025;C-24;M-8;0,30 a 0,40;100;;32;18;14;;;;\r
            LSG-3;21-03-25;C-24;M-9;0,50-0,60 m;;;;;;;;0,4;18,5\r
            LSG-4;21/03/2025;C-24;M-10;0,70;100;<5;N.P.;N.P.;N.P.;SP;A-3;-;-\r

            """
        let file = office.path("ensayos.csv")
        try #require(text.data(using: .windowsCP1252)).write(to: URL(fileURLWithPath: file))
        let run = try bringIn(file, office, "--project", "CHU-2025", "--fail-on", "never")
        // A single depth is no interval of a sample.
        #expect(run.output.contains("“0,70” (E5)") && run.output.contains("Laboratory result CHU-2025 / C-24 / M-10 · "), "\(run.output) \(run.error)")
        #expect(try result("passing_75_mm, passing_0_075_mm, non_plastic, r.aashto, tested_at", of: "M-7", "C-24", office) == "100.0|12.5|1|A-1-b|2025-03-21")
        #expect(try result("passing_0_075_mm, liquid_limit, plasticity_index, non_plastic", of: "M-8", "C-24", office) == "|32.0|14.0|0")
        #expect(try result("swell_pct, cbr_95_pct, depth_from_m, depth_to_m, tested_at", of: "M-9", "C-24", office) == "0.4|18.5|0.5|0.6|2025-03-21")
    }

    /// Only CBR, for samples that are known: what the file has no column for stays.
    @Test func aSheetOfOneTestAddsToWhatIsKnown() throws {
        let office = try Office.pits()
        let file = try sheet("Proyecto,Pozo,Muestra,CBR 95 %\nCHU-2025,C-20,M-1,\"18,5\"\nCHU-2025,C-20,M1,\"18,5\"\n", in: office)
        let others = "passing_0_075_mm, liquid_limit, non_plastic, organic, r.sucs, report_number"
        let before = try result(others, of: "M-1", "C-20", office)
        try #require(before.count > 10)
        let run = try bringIn(file, office, "--policy", "update", "--fail-on", "never", "--actor", Office.administrator)
        #expect(run.output.contains("CHU-2025 / C-20 / M1: “Sample” points to the record CHU-2025 / C-20 / M1"), "\(run.output)")
        #expect(try result("cbr_95_pct", of: "M-1", "C-20", office) == "18.5", "\(run.output)")
        #expect(try result(others, of: "M-1", "C-20", office) == before)
    }

    /// A cell that is no value, and a blank one, say nothing about what is known: neither do they
    /// erase it, nor are they in conflict with it.
    @Test func aValueLeftOutErasesNothing() throws {
        let office = try Office.pits()
        let own = "(SELECT r.id FROM calicata_lab_results AS r JOIN calicata_samples AS s ON s.id = r.sample_id JOIN calicatas AS c ON c.id = s.calicata_id JOIN projects AS p ON p.id = c.project_id WHERE p.code = 'CHU-2025' AND c.code = 'C-20' AND s.code = 'M-1')"
        let file = try sheet(
            "Proyecto,Pozo,Muestra,N° 200,LL,CBR 95 %\nCHU-2025,C-20,M-1,<5,-,\"18,5\"\n", in: office,
            changing: ", passing_0_075_mm = 12.5, liquid_limit = 31, cbr_95_pct = 17 WHERE id = \(own)")
        let kept = try bringIn(file, office, "--dry-run", "--fail-on", "never", "--actor", Office.administrator)
        #expect(kept.output.contains("the record here (CBR at 95 %); both"), "\(kept.output)")
        let run = try bringIn(file, office, "--policy", "update", "--fail-on", "never", "--actor", Office.administrator)
        #expect(run.output.contains("“<5” in D2 is no value"), "\(run.output)")
        #expect(try result("passing_0_075_mm, liquid_limit, cbr_95_pct", of: "M-1", "C-20", office) == "12.5|31.0|18.5", "\(run.output)")
    }

    /// Each of the headings that the document names for the sample.
    @Test(arguments: ["N° muestra", "Muestra N°"]) func aSheetMayNumberItsSamples(_ heading: String) throws {
        let office = try Office.pits()
        let file = office.path("numeradas.csv")
        try Data("Pozo,\(heading),Prof. (m),LL\nC-24,M-7,\"0,10 - 0,20\",31\nPromedio,,,31\n".utf8).write(to: URL(fileURLWithPath: file))
        let run = try bringIn(file, office, "--project", "CHU-2025")
        #expect(run.status == 0, "\(run.output) \(run.error)")
        #expect(try result("liquid_limit, depth_to_m", of: "M-7", "C-24", office) == "31.0|0.2", "\(run.output)")
    }

    /// Any single result makes a result.
    @Test func aLineMayHaveOneResult() throws {
        let office = try Office.pits()
        let headings = [
            "3\"", "2\"", "1 1/2\"", "1\"", "3/4\"", "3/8\"", "N° 4", "N° 10", "N° 20", "N° 40", "N° 60", "N° 100", "N° 140", "N° 200", "LL", "LP", "IP", "SUCS", "AASHTO",
            "IG", "w", "Gs", "MDS", "OCH", "CBR 95 %", "CBR 100 %", "Expansión",
        ]
        var lines = [(["Pozo", "Muestra", "De", "A"] + headings.map { $0.contains("\"") ? "\"\($0.replacing("\"", with: "\"\""))\"" : $0 }).joined(separator: ";")]
        for (column, heading) in headings.enumerated() {
            let value = heading == "SUCS" ? "SM" : heading == "AASHTO" ? "A-3" : "2"
            lines.append(("C-24;M-\(50 + column);0,1;0,2;" + headings.indices.map { $0 == column ? value : "" }.joined(separator: ";")))
        }
        let file = office.path("uno.csv")
        try Data((lines.joined(separator: "\n") + "\n").utf8).write(to: URL(fileURLWithPath: file))
        let run = try bringIn(file, office, "--project", "CHU-2025", "--fail-on", "never")
        let missing = try headings.indices.filter { try result("s.code", of: "M-\(50 + $0)", "C-24", office).isEmpty }.map { headings[$0] }
        #expect(missing == [], "\(run.output) \(run.error)")
    }

    /// What stands above the heading is no heading of a column without a name.
    @Test func particularsAboveTheHeadingNameNoColumn() throws {
        let office = try Office.pits()
        let file = office.path("datos.csv")
        try Data(";;;;;Laboratorio;GEONORTE\nPozo;Muestra;De;A;LL;;\nC-24;M-7;0,1;0,2;31;visto;x\n".utf8).write(to: URL(fileURLWithPath: file))
        let run = try bringIn(file, office, "--project", "CHU-2025", "--fail-on", "never")
        #expect(try result("liquid_limit, r.laboratory, s.laboratory", of: "M-7", "C-24", office) == "31.0||", "\(run.output) \(run.error)")
    }

    @Test func theExampleOfTheDocumentIsTrue() throws {
        let office = try Office.pits()
        let page = try String(contentsOfFile: ProgramRun.root + "/Docs/import.md", encoding: .utf8)
        func section(_ name: String) throws -> String { try #require(page.components(separatedBy: "<!-- laboratory: \(name) -->\n").dropFirst().first) }
        let file = try #require(section("file").components(separatedBy: "```csv\n").dropFirst().first?.components(separatedBy: "```").first)
        try Data(file.utf8).write(to: URL(fileURLWithPath: office.path("resultados.csv")))
        let steps = try ReadmeTests.transcript(of: section("commands"))
        #expect(steps.count == 2)
        for step in steps {
            let run = try office.run(Array(ReadmeTests.words(step.command).dropFirst()))
            #expect(run.status == 0, "\(run.error)")
            let output = run.output.trimmingCharacters(in: .newlines).replacing(office.folder + "/", with: "")
            #expect(output == step.output, "\(output)")
        }
    }
}
