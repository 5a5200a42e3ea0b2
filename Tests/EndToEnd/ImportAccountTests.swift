import Foundation
import Testing

/// The account of an import: what was read is what became of it, and the sums of the source are those of the replica.
@Suite struct ImportAccountTests {
    private static let register = ProgramRun.root + "/Samples/ingeplus/legacy/registros/registro-plano.csv"

    /// Rows of a sheet of the account, by its first row's names.
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
        // As the file's own figures add up, by another program.
        let depth = try Reading.python(
            """
            import csv, sys
            seen = {r["Calicata"]: r for r in csv.DictReader(open(sys.argv[1], encoding="cp1252"), delimiter=";") if r["Profundidad"] != "hondo"}
            print(round(sum(float(r["Profundidad"].replace(",", ".")) for r in seen.values()), 6))
            """, Self.register).output.trimmingCharacters(in: .newlines)
        let line = try #require(sums.first { $0[3].hasPrefix("Depth") && $0[2] == "Test pits" }, "\(sums)")
        #expect(line[5] == depth && line[6] == depth && line[7] == "0" && line[8] == "agrees")
        #expect(sums.dropFirst().allSatisfy { $0[8] == "agrees" })
        #expect(try sheet(office, "Findings", of: "a.xlsx").dropFirst().map { $0[2] }.sorted() == ["IMPORT-NO-NUMBER", "IMPORT-NOT-MEMBER", "IMPORT-WAITS"])
        let page = try String(contentsOfFile: office.path("a.html"), encoding: .utf8)
        #expect(page.contains("<h2>Sums</h2>") && page.contains("class=\"sound\"") && page.contains("hondo"))
        let checked = try Reading.python("import sys, html.parser\nhtml.parser.HTMLParser().feed(open(sys.argv[1]).read())", office.path("a.html"))
        #expect(checked.status == 0)
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
        #expect(line[7] == "2.5" && line[8] == "agrees")
    }

    @Test func otherEndingsAreRefusedBeforeAnythingIsRead() throws {
        let office = try Office(system: "ingeplus", set: nil)
        let run = try office.run("import", Self.register, "--report", "a.pdf", "--actor", Office.administrator)
        #expect(run.status == 64)
        #expect(try office.run("import", Self.register, "--report", "a.txt", "--actor", Office.administrator).error.contains("REPORT-KIND"))
        #expect(try office.sql("SELECT count(*) FROM imports") == "0")
    }
}
