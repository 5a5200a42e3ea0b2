import Foundation
import Testing

/// Forms as other programs write them: a suggestion brings in all that they hold, or the import says
/// what it left.
@Suite struct ForeignFormTests {
    /// A page named `.xls` with one pit: labels side by side, and a table whose first heading is `#`.
    private static func page(_ strata: [String], below: String = "") -> String {
        func row(_ cells: String...) -> String { "<tr>" + cells.map { "<td>\($0)</td>" }.joined() + "</tr>" }
        let rows = strata.enumerated().map { index, stratum in
            "<tr><td>\(index + 1)</td>" + stratum.split(separator: ";").map { "<td>\($0)</td>" }.joined() + "</tr>"
        }
        return """
            <html><head><meta charset="utf-8"></head><body><table><tr><th colspan="8">FICHA DE CALICATA</th></tr>
            <tr><td>Proyecto</td><td colspan="3">Carretera Norte</td><td>Calicata</td><td colspan="3">C-1</td></tr>
            <tr><td>Supervisor</td><td colspan="3">A. Ruiz</td><td>Máquina</td><td colspan="3">Retro 420</td></tr>
            <tr><td>Fecha Inicio</td><td>2025-03-02</td><td>Fecha Fin</td><td>2025-03-02</td><td>Lado</td><td colspan="3">Derecho</td></tr>
            <tr><td>Este</td><td>500123.4</td><td>Norte</td><td>8650123.2</td><td>Altitud</td><td colspan="3">3250</td></tr>
            \(row("#", "DE", "A", "TIPO", "DESCRIPCIÓN DEL TERRENO", "SUCS", "MUESTRA/ENSAYO", "HUMEDAD"))
            \(rows.joined(separator: "\n"))
            \(below)
            <tr><td>Observaciones</td><td colspan="7">Sin novedad</td></tr></table></body></html>
            """
    }

    private static let strata = [
        "0.00;0.40;Relleno;Relleno con restos;SM;M-1;8.2", "0.40;1.20;Natural;Arcilla inorgánica;CL;M-2;18.1",
        "1.20;2.00;Natural;Grava;GP;M-3;3.0",
    ]

    private func office() throws -> Office {
        let office = try Office(system: "ingeplus", set: nil)
        try #"[{"id":"0197a000-0000-7000-8000-000000000001","code":"CSM-2019","name":"Carretera","status":"ACTIVO"}]"#
            .write(toFile: office.path("projects.json"), atomically: true, encoding: .utf8)
        #expect(
            try office.run("import", "projects.json", "--entity", "projects", "--join", "--actor", Office.administrator)
                .status == 0)
        return office
    }

    private func suggest(_ file: String, _ office: Office) throws -> String {
        let run = try office.run("import", "--suggest", file, "-o", "mine.yaml")
        #expect(run.status == 0, "\(run.error)")
        return try String(contentsOfFile: office.path("mine.yaml"), encoding: .utf8)
    }

    private func bringIn(_ file: String, _ office: Office) throws -> ProgramRun {
        try office.run(
            "import", file, "--mapping", "./mine.yaml", "--project", "CSM-2019", "--actor", Office.administrator)
    }

    private static let read = """
        SELECT group_concat(code || ' ' || number || ' ' || printf('%.2f', depth_from_m) || ' ' || printf('%.2f', depth_to_m) || ' ' || sucs, '|')
        FROM (SELECT p.code, s.* FROM calicata_cortes s JOIN calicatas p ON p.id = s.calicata_id ORDER BY p.code, s.number)
        """

    @Test func everyStratumOfAFormComesInBySuggestionAlone() throws {
        let office = try office()
        try Self.page(Self.strata).write(toFile: office.path("app.xls"), atomically: true, encoding: .utf8)
        _ = try suggest("app.xls", office)
        let run = try bringIn("app.xls", office)
        #expect(run.status == 0, "\(run.output)\(run.error)")
        #expect(try office.sql(Self.read) == "C-1 1 0.00 0.40 SM|C-1 2 0.40 1.20 CL|C-1 3 1.20 2.00 GP")
    }

    @Test func rowsThatNothingReadsAreAnErrorUnlessTheyAreLeftOutOnPurpose() throws {
        let office = try office()
        let page = Self.page(Self.strata, below: "<tr><td></td></tr><tr><td>Tamiz 4</td><td>85.5</td><td>12</td></tr>")
        try page.write(toFile: office.path("app.xls"), atomically: true, encoding: .utf8)
        let mapping = try suggest("app.xls", office)
        let refused = try bringIn("app.xls", office)
        #expect(
            refused.status == 1 && refused.output.contains("IMPORT-UNREAD-ROW")
                && refused.output.contains("Tamiz 4, 85.5, 12"), "\(refused.output)")
        try ("ignore: [Tamiz *]\n" + mapping).write(toFile: office.path("mine.yaml"), atomically: true, encoding: .utf8)
        let run = try bringIn("app.xls", office)
        #expect(run.status == 0 && !run.output.contains("IMPORT-UNREAD-ROW"), "\(run.output)\(run.error)")
    }

    /// Strata are merged cells as high as they are thick. The heading of their depths is wider than the values, and lies
    /// beside a heading over sizes of grains.
    private static let workbook = """
        from openpyxl import Workbook
        book = Workbook(); book.remove(book.active)
        for n in range(1, 4):
            sheet = book.create_sheet("C-%02d" % n)
            def put(r, c, value, r2=None, c2=None):
                sheet.cell(r, c, value)
                if r2: sheet.merge_cells(start_row=r, start_column=c, end_row=r2, end_column=c2)
            put(1, 1, "REGISTRO DE EXCAVACION DE CALICATA", 1, 12)
            for k, (label, value) in enumerate([("N° DE CALICATA", "C-%02d" % n), ("NIVEL FREATICO (m)", "No Presenta"), ("PROFUNDIDAD TOTAL (m)", "2.10"), ("FECHA DE EXCAVACION", "2022-07-%02d" % n)]):
                put(3 + k, 1, label, 3 + k, 4); put(3 + k, 5, ":"); put(3 + k, 6, value, 3 + k, 12)
            put(9, 1, "PROF. (m)", 10, 3); put(9, 4, "SIMBOLO", 10, 4); put(9, 5, "DESCRIPCION ESTRATIGRAFICA", 10, 6); put(9, 7, "SUCS", 10, 7)
            put(9, 8, "GRANULOMETRIA", 9, 9); put(10, 8, "<0.0075mm"); put(10, 9, "4.750mm a 75mm"); put(9, 10, "MUESTRA", 10, 10)
            top = 11
            for bottom, text, soil in (("0.80", "Relleno", "SM"), ("1.40", "Arcilla", "CL"), ("2.10", "Grava", "GP")):
                end = 10 + int(float(bottom) * 10 + 0.5)
                put(top, 3, bottom, end, 3); put(top, 5, text, end, 6); put(top, 7, soil, end, 7)
                put(top, 8, "-", end, 8); put(top, 9, "-", end, 9); put(top, 10, "M-1", end, 10)
                top = end + 1
            put(top + 2, 1, "Observaciones")
        import sys; book.save(sys.argv[1])
        """

    @Test func strataThatAreMergedCellsToScaleComeIn() throws {
        let office = try office()
        _ = try Reading.python(Self.workbook, office.path("registros.xlsx"))
        _ = try suggest("registros.xlsx", office)
        let run = try bringIn("registros.xlsx", office)
        #expect(run.status == 0, "\(run.output)\(run.error)")
        let expected = (1...3).map { "C-0\($0) 1 0.00 0.80 SM|C-0\($0) 2 0.80 1.40 CL|C-0\($0) 3 1.40 2.10 GP" }
        #expect(try office.sql(Self.read) == expected.joined(separator: "|"))
    }
}
