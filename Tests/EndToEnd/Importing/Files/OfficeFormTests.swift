import Foundation
import Testing

/// Forms as an office fills them in, which the packs do not know. They are described, a mapping is
/// suggested for them, and they come in by a mapping file in any folder.
@Suite struct OfficeFormTests {
    /// There are three pits on each sheet. The sheet has no project, merged labels, headings over
    /// two rows, ranges in one cell, dates in words, and dots that separate thousands.
    private static let workbook = """
        from openpyxl import Workbook
        book = Workbook(); sheet = book.active; sheet.title = "Calicatas"
        PITS = [("C-01","Km 0+250","12 de marzo de 2019","345.120,50 m","8'","2,50 m",[("0,00 - 0,40","Relleno con raíces","GM"),("0,40 - 1,60 m","Arcilla limosa","CL"),("1,60 a 2,50","Grava arenosa","GP")]),
                ("C-02","Km 0+750","13 marzo 2019","345.620,00 m","","1,80 m",[("0,00 - 0,30","Tierra de cultivo","OL"),("0,30 - 1,80","Arena limosa","SM")]),
                ("C-03","Km 1+250","2 de abril del 2019","346.110,25 m","","3,00 m",[("0,00 - 0,50","Relleno","GC"),("0,50 - 1,20","Arcilla","CH"),("1,20 - 3,00","Grava","GW")])]
        sheet["A1"] = "LABORATORIO DE SUELOS"; sheet.merge_cells("A1:H1")
        for n,(code,km,day,east,_,depth,strata) in enumerate(PITS):
            r = 3 + n*14
            sheet.cell(r,1,"REGISTRO DE EXCAVACIÓN"); sheet.merge_cells(start_row=r,start_column=1,end_row=r,end_column=8)
            sheet.cell(r+1,1,"Calicata N°:"); sheet.cell(r+1,3,code); sheet.cell(r+1,5,"Fecha:"); sheet.cell(r+1,7,day)
            sheet.merge_cells(start_row=r+1,start_column=1,end_row=r+1,end_column=2)
            sheet.merge_cells(start_row=r+1,start_column=5,end_row=r+1,end_column=6)
            sheet.cell(r+2,1,"Progresiva:"); sheet.cell(r+2,3,km); sheet.cell(r+2,5,"Prof. total:"); sheet.cell(r+2,7,depth)
            sheet.merge_cells(start_row=r+2,start_column=1,end_row=r+2,end_column=2); sheet.merge_cells(start_row=r+2,start_column=5,end_row=r+2,end_column=6)
            sheet.cell(r+3,1,"Coord. Este:"); sheet.cell(r+3,3,east); sheet.merge_cells(start_row=r+3,start_column=1,end_row=r+3,end_column=2)
            sheet.cell(r+3,5,"Coord. Norte:"); sheet.cell(r+3,7,"8.674.321,50 m"); sheet.merge_cells(start_row=r+3,start_column=5,end_row=r+3,end_column=6)
            sheet.cell(r+5,1,"PROFUNDIDAD (m)"); sheet.merge_cells(start_row=r+5,start_column=1,end_row=r+6,end_column=1)
            sheet.cell(r+5,2,"MATERIAL"); sheet.merge_cells(start_row=r+5,start_column=2,end_row=r+5,end_column=6)
            sheet.cell(r+6,2,"DESCRIPCIÓN"); sheet.merge_cells(start_row=r+6,start_column=2,end_row=r+6,end_column=5); sheet.cell(r+6,6,"SUCS")
            for k,(d,t,s) in enumerate(strata):
                sheet.cell(r+7+k,1,d); sheet.cell(r+7+k,2,t); sheet.cell(r+7+k,6,s)
                sheet.merge_cells(start_row=r+7+k,start_column=2,end_row=r+7+k,end_column=5)
        import sys; book.save(sys.argv[1])
        """

    private func office() throws -> Office {
        let office = try Office(system: "ingeplus", set: nil)
        _ = try Reading.python(Self.workbook, office.path("fichas.xlsx"))
        try #"[{"id":"0197a000-0000-7000-8000-000000000001","code":"CSM-2019","name":"Carretera","status":"ACTIVO"}]"#
            .write(toFile: office.path("projects.json"), atomically: true, encoding: .utf8)
        let made = try office.run("import", "projects.json", "--entity", "projects", "--join", "--actor", Office.administrator)
        #expect(made.status == 0, "\(made.error)")
        return office
    }

    private func suggest(_ file: String, _ office: Office) throws -> String {
        let run = try office.run("import", "--suggest", file, "-o", "mine.yaml")
        #expect(run.status == 0, "\(run.error)")
        return try String(contentsOfFile: office.path("mine.yaml"), encoding: .utf8)
    }

    private func bringIn(_ file: String, _ office: Office, _ more: String...) throws -> ProgramRun {
        try office.run(["import", file, "--mapping", "./mine.yaml", "--actor", Office.administrator] + more)
    }

    private static let strata = """
        SELECT group_concat(c.code || ' ' || s.number || ' ' || printf('%.2f', s.depth_from_m) || ' ' || printf('%.2f', s.depth_to_m) || ' ' || coalesce(s.sucs, ''), '|')
        FROM (SELECT * FROM calicata_cortes ORDER BY calicata_id, number) s JOIN (SELECT * FROM calicatas) c ON c.id = s.calicata_id ORDER BY c.code, s.number
        """

    @Test func comeInBySuggestionWithoutACorrection() throws {
        let office = try office()
        let text = try suggest("fichas.xlsx", office)
        #expect(text.contains("every: {rows: 14}") && text.contains("headingRows: 2"))
        let run = try bringIn("fichas.xlsx", office, "--project", "CSM-2019")
        #expect(run.status == 0, "\(run.output)\(run.error)")
        #expect(run.output.contains("IMPORT-UNREAD-CELL") && run.output.contains("LABORATORIO DE SUELOS"))
        let pits = try office.sql(
            "SELECT group_concat(code || ' ' || progresiva || ' ' || end_date || ' ' || depth_m || ' ' || easting || ' ' || northing, '|') FROM (SELECT * FROM calicatas ORDER BY code)")
        #expect(pits == "C-01 0+250 2019-03-12 2.5 345120.5 8674321.5|C-02 0+750 2019-03-13 1.8 345620.0 8674321.5|C-03 1+250 2019-04-02 3.0 346110.25 8674321.5")
        let strata = try office.sql(Self.strata).split(separator: "|").sorted()
        #expect(strata == [
            "C-01 1 0.00 0.40 GM", "C-01 2 0.40 1.60 CL", "C-01 3 1.60 2.50 GP", "C-02 1 0.00 0.30 OL", "C-02 2 0.30 1.80 SM", "C-03 1 0.00 0.50 GC",
            "C-03 2 0.50 1.20 CH", "C-03 3 1.20 3.00 GW",
        ])
        let format = try office.sql("SELECT format FROM imports WHERE source LIKE '%fichas.xlsx' LIMIT 1")
        #expect(format.wholeMatch(of: /xlsx .*\/mine\.yaml@[0-9a-f]{64}#CSM-2019/) != nil, "\(format)")
        #expect(try bringIn("fichas.xlsx", office, "--project", "CSM-2019").status == 0)
        #expect(try office.sql("SELECT count(*) FROM calicatas") == "3")
    }

    @Test func describeShowsLabelsAndTables() throws {
        let office = try office()
        let run = try office.run("describe", "fichas.xlsx", "--json")
        let json = try #require(try JSONSerialization.jsonObject(with: Data(run.output.utf8)) as? [String: Any])
        let sheet = try #require((json["tables"] as? [[String: Any]])?.first)
        let pairs = try #require(sheet["pairs"] as? [[String: String]])
        #expect(pairs.count == 18)
        #expect(pairs.contains(["label": "Fecha", "cell": "E18", "value": "13 marzo 2019", "valueCell": "G18", "stands": "right"]))
        let blocks = try #require(sheet["blocks"] as? [[String: Any]])
        #expect(blocks.map { $0["range"] as? String } == ["A8:F12", "A22:F25", "A36:F40"])
        #expect(blocks[0]["headings"] as? [String] == ["PROFUNDIDAD (m)", "MATERIAL DESCRIPCIÓN", "MATERIAL SUCS"])
        #expect(try office.run("describe", "fichas.xlsx").output.contains("12 de marzo de 2019"))
    }

    @Test func describeShowsTablesOnTheirSide() throws {
        let office = try office()
        let run = try office.run("describe", ProgramRun.root + "/Samples/ingeplus/legacy/fichas/fichas-laterales.xlsx", "--json")
        let json = try #require(try JSONSerialization.jsonObject(with: Data(run.output.utf8)) as? [String: Any])
        let blocks = try #require(((json["tables"] as? [[String: Any]])?.last)?["blocks"] as? [[String: Any]])
        #expect(blocks.map { $0["range"] as? String } == ["B14:I20"])
        #expect(blocks.map { $0["sideways"] as? Bool } == [true])
        #expect(blocks.first?["headings"] as? [String] == ["ESTRATO", "DE (m)", "A (m)", "SUCS", "AASHTO", "COLOR", "DESCRIPCIÓN"])
    }

    @Test func aMappingOfAnotherProjectIsRefused() throws {
        let office = try office()
        try "Calicata\nC-01\n".write(toFile: office.path("r.csv"), atomically: true, encoding: .utf8)
        try """
            import: mio
            title: mío
            accepts: [csv]
            tables:
              - rows:
                  - entity: calicatas
                    key: [project_id, code]
                    fields:
                      project_id: {parent: projects, by: {code: {value: OTRO-1}}}
                      code: {column: Calicata}
                      status: {value: BORRADOR}
            """.write(toFile: office.path("mine.yaml"), atomically: true, encoding: .utf8)
        let run = try bringIn("r.csv", office, "--project", "CSM-2019")
        #expect(run.status == 64 && run.error.contains("IMPORT-PROJECT-DIFFERS") && run.error.contains("OTRO-1") && run.error.contains("CSM-2019"), "\(run.error)")
        #expect(try office.sql("SELECT count(*) FROM calicatas") == "0")
    }

    @Test func thicknessesBecomeDepths() throws {
        let office = try office()
        try "Calicata;Progresiva;Espesor (m);SUCS;Este;Norte\nC-01;0+250;0,40;GM;345120,5;8674321\nC-01;0+250;1,20;CL;345120,5;8674321\nC-02;0+750;1,20;ML;345125,5;8674321\n"
            .write(toFile: office.path("t.csv"), atomically: true, encoding: .utf8)
        let text = try suggest("t.csv", office)
        #expect(text.contains("thickness:") && text.contains("edge: bottom"), "\(text)")
        let run = try bringIn("t.csv", office, "--project", "CSM-2019")
        #expect(run.status == 0, "\(run.output)")
        #expect(try office.sql(Self.strata).split(separator: "|").map(String.init).sorted() == ["C-01 1 0.00 0.40 GM", "C-01 2 0.40 1.60 CL", "C-02 1 0.00 1.20 ML"])
    }

    @Test func aSecondFormThatNothingReadsIsAnError() throws {
        let office = try office()
        let text = try suggest("fichas.xlsx", office).replacing("every: {rows: 14}", with: "hidden: false")
        try text.write(toFile: office.path("mine.yaml"), atomically: true, encoding: .utf8)
        let run = try bringIn("fichas.xlsx", office, "--project", "CSM-2019")
        #expect(run.status == 1 && run.output.contains("IMPORT-UNREAD-FORM") && run.output.contains("A18"), "\(run.output)")
    }

    @Test func theProjectIsAskedForAndHeldTo() throws {
        let office = try office()
        _ = try suggest("fichas.xlsx", office)
        let without = try bringIn("fichas.xlsx", office)
        #expect(without.status == 64 && without.error.contains("IMPORT-PROJECT-NEEDED"))
        #expect(try bringIn("fichas.xlsx", office, "--project", "NADA").error.contains("PROJECT-UNKNOWN"))
        let other = ProgramRun.root + "/Samples/ingeplus/legacy/registros/registro-plano.csv"
        let run = try office.run("import", other, "--mapping", "registro-plano", "--project", "CSM-2019", "--actor", Office.administrator)
        #expect(run.status == 1 && run.output.contains("IMPORT-OTHER-PROJECT"), "\(run.output)")
        #expect(try office.sql("SELECT count(*) FROM projects") == "1")
    }

    @Test func aMappingsFileIsCheckedAsPackFilesAre() throws {
        let office = try office()
        let text = try suggest("fichas.xlsx", office).replacing("present:", with: "presnt:")
        try text.write(toFile: office.path("mine.yaml"), atomically: true, encoding: .utf8)
        for arguments in [["import", "fichas.xlsx", "--mapping", "./mine.yaml", "--dry-run"], ["describe", "./mine.yaml"]] {
            let run = try office.run(arguments + ["--actor", Office.administrator])
            #expect(run.status == 78 && run.error.contains("presnt") && run.error.contains("present"), "\(run.error)")
        }
        #expect(try office.run("import", "fichas.xlsx", "--mapping", "./gone.yaml", "--actor", Office.administrator).status == 66)
    }

    @Test func rejectedRowsFindTheirMappingAgain() throws {
        let office = try office()
        let text = try suggest("fichas.xlsx", office).replacing("dd MMMM yyyy", with: "dd/MM/yyyy")
        try text.write(toFile: office.path("mine.yaml"), atomically: true, encoding: .utf8)
        #expect(try bringIn("fichas.xlsx", office, "--project", "CSM-2019").status == 1)
        #expect(try office.sql("SELECT count(*) FROM calicatas") == "0")
        // The rows have readable names, although the project was given by option and its code is
        // not in the file.
        #expect(try office.sql("SELECT count(*) FROM rejects WHERE findings LIKE '%\"key\":\"CSM-2019 / C-01\"%'") == "1")
        #expect(try office.sql("SELECT count(*) FROM rejects WHERE findings LIKE '%000000000001 / C-%'") == "0")
        try FileManager.default.moveItem(atPath: office.path("mine.yaml"), toPath: office.path("away.yaml"))
        let gone = try office.run("rejects", "retry", "--actor", Office.administrator)
        #expect(gone.status == 66 && gone.error.contains("mine.yaml"), "\(gone.error)")
        try text.replacing("dd/MM/yyyy", with: "dd MMMM yyyy").write(toFile: office.path("mine.yaml"), atomically: true, encoding: .utf8)
        let again = try office.run("rejects", "retry", "--actor", Office.administrator)
        #expect(again.status == 0 && again.output.contains("IMPORT-MAPPING-CHANGED"), "\(again.output)\(again.error)")
        #expect(try office.sql("SELECT count(*) FROM calicatas") == "3")
        #expect(try office.sql("SELECT count(*) FROM calicata_cortes") == "8")
    }

    @Test func registersWithHeadingsOfTwoRowsAndOnlyBottoms() throws {
        let office = try office()
        try """
            Registro;;;;;
            Calicata;Prog.;Profundidad;;Clasificación;
            ;;De;A;SUCS;AASHTO
            C-01;0+250;0,00;0,40;GM;A-1-a
            C-01;0+250;0,40;1,60;CL;A-6
            C-02;0+750;0,00;1,20;ML;A-4
            """.write(toFile: office.path("r.csv"), atomically: true, encoding: .utf8)
        #expect(try suggest("r.csv", office).contains("header: 2-3"))
        let run = try bringIn("r.csv", office, "--project", "CSM-2019")
        #expect(run.status == 0, "\(run.output)")
        let expected = ["C-01 1 0.00 0.40 GM", "C-01 2 0.40 1.60 CL", "C-02 1 0.00 1.20 ML"]
        #expect(try office.sql(Self.strata).split(separator: "|").map(String.init).sorted() == expected)

        let other = try self.office()
        try "Calicata;Progresiva;Hasta (m);SUCS;Este;Norte\nC-01;0+250;0,40;GM;345120,5;8674321\nC-01;0+250;1,60;CL;345120,5;8674321\nC-02;0+750;1,20;ML;345125,5;8674321\n"
            .write(toFile: other.path("b.csv"), atomically: true, encoding: .utf8)
        #expect(try suggest("b.csv", other).contains("above:"))
        #expect(try bringIn("b.csv", other, "--project", "CSM-2019").status == 0)
        #expect(try other.sql(Self.strata).split(separator: "|").map(String.init).sorted() == expected)
    }

    @Test func aMuseumsListIsNoRegisterOfPits() throws {
        let office = try office()
        try "Inventory no.;Title;Artist;Date;Material;Height;Location;Notes\nM-001;Vaso;Anon;12/03/1901;Arcilla;12;Sala 1;x\nM-002;Plato;Anon;13/03/1901;Arcilla;14;Sala 1;x\nM-003;Jarra;Anon;14/03/1902;Piedra;9;Sala 2;x\n"
            .write(toFile: office.path("m.csv"), atomically: true, encoding: .utf8)
        let run = try office.run("import", "--suggest", "m.csv")
        #expect(run.status == 65 && run.error.contains("IMPORT-SUGGEST-NOTHING"), "\(run.output)")
    }
}
