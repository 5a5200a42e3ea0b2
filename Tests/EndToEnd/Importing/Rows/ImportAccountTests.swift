import Foundation
import Testing

/// The account of an import lists every row that was read. The sums of the source agree with those
/// of the replica.
@Suite struct ImportAccountTests {
    private static let register = ProgramRun.root + "/Samples/ingeplus/legacy/registros/registro-plano.csv"

    /// The rows of a sheet of the account. The first row has the headings.
    private func sheet(_ office: Office, _ name: String, of file: String) throws -> [[String]] {
        let run = try Reading.python(
            """
            import json, sys, openpyxl
            rows = openpyxl.load_workbook(sys.argv[1])[sys.argv[2]].iter_rows(values_only=True)
            print(json.dumps([["" if v is None else str(v) for v in row] for row in rows]))
            """, office.path(file), name)
        return try JSONDecoder().decode([[String]].self, from: Data(run.output.utf8))
    }

    @Test func rowsAndSumsAgreeWithTheSource() throws {
        let office = try Office(system: "ingeplus", set: nil)
        let run = try office.run(
            "import", Self.register, "--report", "a.xlsx", "--report", "a.html", "--fail-on", "never", "--actor", Office.administrator)
        #expect(run.status == 0, "\(run.error)")
        let rows = try sheet(office, "Rows", of: "a.xlsx")
        #expect(rows[0].prefix(4) == ["Source", "Table", "Read", "New"])
        #expect(rows.count == 4 && rows.dropFirst().allSatisfy { $0[2] == "14" && $0.last == "complete" })
        let sums = try sheet(office, "Sums", of: "a.xlsx")
        // Python adds the figures of the file: those of all rows, and those of one row for each pit
        // with a valid depth.
        let depths = try Reading.python(
            """
            import csv, sys
            rows = [r for r in csv.DictReader(open(sys.argv[1], encoding="cp1252"), delimiter=";") if r["Profundidad"] != "hondo"]
            number = lambda r: float(r["Profundidad"].replace(",", "."))
            pits = {r["Calicata"]: number(r) for r in rows}
            print(len(rows), round(sum(map(number, rows)), 6), round(sum(pits.values()), 6), round(sum(map(number, rows)) - sum(pits.values()), 6))
            """, Self.register).output.split(whereSeparator: \.isWhitespace).map(String.init)
        let line = try #require(sums.first { $0[3].hasPrefix("Depth") && $0[2] == "Test pits" }, "\(sums)")
        #expect(Array(line[4...7]) == depths && line[8] == "agrees", "\(line)")
        #expect(sums.dropFirst().allSatisfy { $0[8] == "agrees" || ($0[8] == "not covered by the count" && $0[4].isEmpty && $0[5].isEmpty) }, "\(sums)")
        #expect(sums.dropFirst().count { $0[8] == "agrees" } == 5)
        let found = try sheet(office, "Findings", of: "a.xlsx").dropFirst().map { $0[2] }.sorted()
        #expect(found == ["IMPORT-CODE-PAGE", "IMPORT-NO-NUMBER", "IMPORT-NOT-MEMBER", "IMPORT-WAITS"])
        let page = try String(contentsOfFile: office.path("a.html"), encoding: .utf8)
        #expect(page.contains("<h2>Sums</h2>") && page.contains("class=\"sound\"") && page.contains("hondo"))
        let checked = try Reading.python("import sys, html.parser\nhtml.parser.HTMLParser().feed(open(sys.argv[1]).read())", office.path("a.html"))
        #expect(checked.status == 0)
    }

    /// In every language, each row of the printed account is high enough for its texts.
    @Test(arguments: ["en", "es", "it"])
    func nothingIsCutOffInPrint(_ language: String) throws {
        let office = try Office(system: "ingeplus", set: nil)
        let run = try office.run("import", Self.register, "--report", "a.xlsx", "--fail-on", "never", "--lang", language, "--actor", Office.administrator)
        #expect(run.status == 0, "\(run.error)")
        let cut = try Reading.python(
            """
            import sys, openpyxl, textwrap
            from openpyxl.utils import get_column_letter as letter
            several = 0
            for sheet in openpyxl.load_workbook(sys.argv[1]):
                for row in sheet.iter_rows():
                    room = (sheet.row_dimensions[row[0].row].height or 15) // 15
                    for cell in row:
                        if not isinstance(cell.value, str): continue
                        lines = len(textwrap.wrap(cell.value, int(sheet.column_dimensions[letter(cell.column)].width) - 1))
                        several += lines > 1
                        if lines > room: print(sheet.title, cell.coordinate, lines, room)
            print("several" if several > 1 else "few")
            """, office.path("a.xlsx"))
        #expect(cut.output == "several\n", "\(cut.output)\(cut.error)")
    }

    @Test func whatIsInConflictStandsAside() throws {
        let office = try Office(system: "ingeplus", set: nil)
        try office.run("import", Self.register, "--fail-on", "never", "--actor", Office.administrator)
        let text = try String(contentsOfFile: Self.register, encoding: .windowsCP1252)
        let changed = text.replacingOccurrences(of: "246,85;2,00;", with: "246,85;2,50;")
        #expect(changed != text)
        try changed.write(toFile: office.path("b.csv"), atomically: true, encoding: .utf8)
        try office.run("import", "b.csv", "--report", "b.xlsx", "--dry-run", "--fail-on", "never", "--actor", Office.administrator)
        let line = try #require(try sheet(office, "Sums", of: "b.xlsx").first { $0[3].hasPrefix("Depth") && $0[2] == "Test pits" })
        let sums = try line[5...7].map { try #require(Double($0)) }
        // The difference is the pit in conflict and the rows that repeat pits.
        #expect(abs(sums[0] - sums[1] - sums[2]) < 1e-9 && line[8] == "agrees", "\(line)")
    }

    /// Rejected rows still count in the sum of the source. The figure comes from the count and not
    /// from the converter.
    @Test func whatWasRejectedIsInTheSum() throws {
        let office = try Office(system: "ingeplus", set: nil)
        let days = ["01/02/2020", "01/02/2020", "hoy", "hoy", "hoy", "hoy", "hoy"]
        let rows = days.enumerated().map { "EV-1;Obra;C-\($0 + 1);\($0 + 1),5;\($1);" }
        try (["Proyecto;Nombre del proyecto;Calicata;Prof. (m);Fecha;Estrato"] + rows).joined(separator: "\n")
            .write(toFile: office.path("seven.csv"), atomically: true, encoding: .utf8)
        try office.run("import", "seven.csv", "--mapping", "registro-plano", "--report", "a.xlsx", "--fail-on", "never", "--actor", Office.administrator)
        let line = try #require(try sheet(office, "Sums", of: "a.xlsx").first { $0[3].hasPrefix("Depth") && $0[2] == "Test pits" })
        #expect(Array(line[4...]) == ["7", "31.5", "4", "27.5", "agrees"])
        // If all rows are rejected, the source still has its sum, and the sum of the replica is 0.
        try (["Proyecto;Nombre del proyecto;Calicata;Prof. (m);Fecha;Estrato"] + rows.dropFirst(2)).joined(separator: "\n")
            .write(toFile: office.path("five.csv"), atomically: true, encoding: .utf8)
        try office.run("import", "five.csv", "--mapping", "registro-plano", "--report", "b.xlsx", "--fail-on", "never", "--actor", Office.administrator)
        let none = try #require(try sheet(office, "Sums", of: "b.xlsx").first { $0[3].hasPrefix("Depth") && $0[2] == "Test pits" })
        #expect(Array(none[4...]) == ["5", "27.5", "0", "27.5", "agrees"])
    }

    /// A value that is not the unchanged number of one cell has no sum in the source.
    @Test func whatIsConvertedIsSaidNotToBeCovered() throws {
        let office = try Office(system: "ingeplus", set: nil)
        try "Proyecto;Calicata;Prof. (m);Este;Norte;Estrato\nEV-1;C-1;1,5;478.123,5;8600000;\nEV-1;C-2;2,5;478.124,5;8600000;\n"
            .write(toFile: office.path("miles.csv"), atomically: true, encoding: .utf8)
        try office.run("import", "miles.csv", "--mapping", "registro-plano", "--report", "a.xlsx", "--fail-on", "never", "--actor", Office.administrator)
        let sums = try sheet(office, "Sums", of: "a.xlsx")
        let line = try #require(sums.first { $0[3].hasPrefix("Depth") })
        #expect(Array(line[4...]) == ["2", "4", "4", "0", "agrees"])
        let east = try #require(sums.first { $0[3].hasPrefix("East") }, "\(sums)")
        #expect(east[5].isEmpty && east[8] == "not covered by the count", "\(east)")
    }

    @Test func otherEndingsAreRefusedBeforeAnythingIsRead() throws {
        let office = try Office(system: "ingeplus", set: nil)
        let run = try office.run("import", Self.register, "--report", "a.pdf", "--actor", Office.administrator)
        #expect(run.status == 64)
        #expect(try office.run("import", Self.register, "--report", "a.txt", "--actor", Office.administrator).error.contains("REPORT-KIND"))
        #expect(try office.sql("SELECT count(*) FROM imports WHERE format <> 'init'") == "0")
    }
}
