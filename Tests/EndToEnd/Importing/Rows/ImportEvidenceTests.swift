import Foundation
import Testing

/// What an import says about the cells of its source is compared with what the test wrote.
@Suite struct ImportEvidenceTests {
    private struct Column: Decodable, Equatable {
        var name: String
        var there: Int?
        var read, left, faulty: Int
        var sum: Double?
    }

    private struct Table: Decodable { var table: String, columns: [Column] }
    private struct Evidence: Decodable { var tables: [Table], uncounted: [String: String] }
    private struct Result: Decodable { var evidence: Evidence? }

    private func evidence(_ office: Office, _ arguments: String...) throws -> Evidence {
        let run = try office.run(["import"] + arguments + ["--json", "--actor", Office.administrator])
        return try #require(JSONDecoder().decode([Result].self, from: Data(run.output.utf8)).first?.evidence, "\(run.error)")
    }

    /// The file has a title, a heading, a blank row, a row that the mapping leaves out, a row with
    /// a fault, and a column that no field reads.
    @Test func everyFilledCellIsReadLeftOrFaulty() throws {
        let office = try Office(system: "ingeplus", set: nil)
        let text = """
            REGISTRO;;;;;;
            Proyecto;Calicata;Prof. (m);Estrato;Desde;Hasta;Ensayista
            EV-1;C-1;2,50;1;0,0;1,5;Rosa
            EV-1;C-1;2,50;2;1,5;2,5;
            ;;;;;;
            EV-1;;9,99;;;;nadie
            EV-1;C-2;hondo;1;0,0;1,0;Juan
            """
        try text.write(toFile: office.path("registro.csv"), atomically: true, encoding: .utf8)
        let found = try evidence(office, "registro.csv", "--mapping", "registro-plano")
        #expect(found.uncounted.isEmpty)
        let columns = try #require(found.tables.first).columns
        #expect(columns.map(\.name) == ["Proyecto", "Calicata", "Prof. (m)", "Estrato", "Desde", "Hasta", "Ensayista"])
        #expect(columns.map(\.there) == [6, 4, 5, 4, 4, 4, 4])
        #expect(columns.map(\.left) == [3, 1, 2, 1, 1, 1, 4])
        // The row of C-2 gives a valid project but a faulty pit, so the cells that feed the pit
        // count as faulty.
        #expect(columns.map(\.faulty) == [1, 1, 1, 0, 0, 0, 0])
        #expect(columns.allSatisfy { $0.there == $0.read + $0.left + $0.faulty })
        #expect(columns[5].sum == 5)
    }

    @Test("Each data file of a package is counted, also in an archive, and also if the pack does not know its table", arguments: [false, true])
    func packages(isArchive: Bool) throws {
        let office = try Office(system: "anagrafica", set: nil)
        let made = try Reading.python(
            """
            import json, os, shutil, sys
            folder = sys.argv[2] + '/survey'
            shutil.copytree(sys.argv[1] + '/Samples/anagrafica/survey', folder)
            manifest = json.load(open(folder + '/manifest.json'))
            manifest['entities'].append({'entity': 'boreholes', 'file': 'data/boreholes.ndjson'})
            open(folder + '/data/boreholes.ndjson', 'w').write('{"a": 1, "b": "x"}\\n{"a": 2}\\n')
            json.dump(manifest, open(folder + '/manifest.json', 'w'))
            shutil.make_archive(sys.argv[2] + '/survey', 'zip', sys.argv[2], 'survey')
            print(' '.join('%s:%d' % (t['entity'], t.get('rows', 2)) for t in manifest['entities']))
            """, ProgramRun.root, office.path(""))
        try #require(made.status == 0, "\(made.error)")
        let stated = made.output.split(whereSeparator: \.isWhitespace).map { $0.split(separator: ":").map(String.init) }
        let found = try evidence(office, isArchive ? "survey.zip" : "survey", "--fail-on", "never")
        #expect(found.uncounted.isEmpty, "\(found.uncounted)")
        #expect(found.tables.map(\.table) == stated.map { $0[0] })
        for (table, said) in zip(found.tables, stated) {
            if said[0] != "boreholes" { #expect(table.columns.first { $0.name == "id" }?.there == Int(said[1]), "\(table.table)") }
            #expect(table.columns.allSatisfy { $0.there == $0.read + $0.left + $0.faulty }, "\(table.table)")
        }
        #expect(found.tables.last?.columns == [
            Column(name: "a", there: 2, read: 0, left: 0, faulty: 2, sum: 3), Column(name: "b", there: 1, read: 0, left: 0, faulty: 1, sum: nil),
        ])
    }

    @Test("Families, levels and rooms of the app's folder are counted by their members")
    func appFolder() throws {
        let office = try Office(system: "anagrafica", set: nil)
        let found = try evidence(office, ProgramRun.root + "/Samples/anagrafica/app-folder", "--fail-on", "never")
        #expect(found.uncounted.isEmpty, "\(found.uncounted)")
        #expect(found.tables.map(\.table) == ["families", "levels", "rooms"])
        for table in found.tables {
            let counted = table.columns.filter { $0.there != nil }
            #expect(counted.count >= 3 && counted.allSatisfy { ($0.there ?? 0) > 0 && $0.there == $0.read + $0.left + $0.faulty }, "\(table)")
        }
        #expect(found.tables[1].columns.first { $0.name == "number" }?.sum == 1)
    }

    @Test("The entities of a drawing are counted by layer and kind", arguments: ["school", "school-broken"])
    func drawings(name: String) throws {
        let office = try Office(system: "anagrafica", set: "survey")
        let project = try office.sql("SELECT name FROM projects ORDER BY id DESC LIMIT 1")
        let run = try office.run(
            "import", ProgramRun.root + "/Samples/anagrafica/plans/\(name).dxf", "--project", project, "--json", "--fail-on", "never")
        let found = try #require(JSONDecoder().decode([Result].self, from: Data(run.output.utf8)).first?.evidence, "\(run.error)")
        #expect(found.uncounted.isEmpty, "\(found.uncounted)")
        #expect(found.tables.first?.table == "ENTITIES")
        let columns = found.tables.flatMap(\.columns)
        #expect(columns.contains { $0.name.hasPrefix("1_ROOMS ") && ($0.there ?? 0) > 0 && $0.sum != nil })
        #expect(columns.allSatisfy { $0.there == $0.read + $0.left + $0.faulty })
    }

    @Test func linesOfJSONAreCountedByMember() throws {
        let office = try Office(system: "ingeplus", set: nil)
        let rows = (1...300).map { number in
            "{\"id\":\"0198b000-0000-7000-8000-" + String(format: "%012x", number)
                + "\",\"code\":\"P-\(number)\",\"name\":\(number % 3 == 0 ? "null" : "\"Obra\""),\"extraño\":{\"a\":[1,\"}\"]}}"
        }
        try rows.joined(separator: "\n").write(toFile: office.path("projects.ndjson"), atomically: true, encoding: .utf8)
        let found = try evidence(office, "projects.ndjson")
        let columns = try #require(found.tables.first).columns
        #expect(columns.map(\.name) == ["id", "code", "name", "extraño"])
        #expect(columns.map(\.there) == [300, 300, 200, 300])
        #expect(columns.map(\.read) == [300, 300, 200, 0])
        #expect(columns.map(\.left) == [0, 0, 0, 300])
    }

    /// The reader decides for each line whether it is JSON. The count compares every line with a
    /// row or with a rejected line.
    @Test(arguments: [
        #"{"id":"ID","code":"B","code":"C"}"#, #"{"id":"ID","code":"B","name":{"a":1,"a":2}}"#, #"{"id":"ID","code":"\x41"}"#,
        #"{"id":"ID","code":"\uD800"}"#, "{\"id\":\"ID\",\"code\":\"\u{FF}\"}", #"{"id":"ID","code":01}"#, #"{"id":"ID","code":1.}"#,
        #"{"id":"ID","code":tru}"#, #"{"id":"ID","code":"B"}{"id":"ID","code":"C"}"#, "{\"id\":\"ID\",\"code\":\"B\"}\r{\"id\":\"ID\",\"code\":\"C\"}",
        #"["ID"]"#, "{\"id\":\"ID\"", "\u{0B}",
    ])
    func aBadLineIsRejectedAndReadingGoesOn(bad: String) throws {
        let office = try Office(system: "ingeplus", set: nil)
        let id = { (number: Int) in "0198b000-0000-7000-8000-00000000000\(number)" }
        let row = { (number: Int) in "{\"id\":\"\(id(number))\",\"code\":\"P-\(number)\",\"name\":\"Obra\"}" }
        let lines = [row(1), bad.replacing("ID", with: id(2)), " \t\r", row(3).replacing("code", with: "\\u0063ode"), row(4)]
        // The letter ÿ stands for a byte that is not UTF-8.
        let bytes = Array((lines.joined(separator: "\n") + "\n").utf8).split(separator: [0xC3, 0xBF]).joined(separator: [0xFF])
        try Data(bytes).write(to: URL(fileURLWithPath: office.path("projects.ndjson")))
        let run = try office.run("import", "projects.ndjson", "--json", "--actor", Office.administrator)
        #expect(run.status == 1, "\(run.error)")
        #expect(run.output.contains("IMPORT-UNREADABLE"))
        #expect(try office.sql("SELECT group_concat(code, ' ') FROM (SELECT code FROM projects ORDER BY code)") == "P-1 P-3 P-4")
        let found = try #require(JSONDecoder().decode([Result].self, from: Data(run.output.utf8)).first?.evidence)
        #expect(found.uncounted.isEmpty && found.tables.first?.columns.map(\.there) == [3, 3, 3])
    }

    @Test func anObjectWithArraysHoldsTheRowsOfOneTable() throws {
        let office = try Office(system: "ingeplus", set: nil)
        let row = { (number: Int) in "{\"id\": \"0198b000-0000-7000-8000-00000000000\(number)\", \"code\": \"P-\(number)\"}" }
        let two = "{\n  \"projects\": [\n    \(row(1))\n  ],\n  \"OTHER\": [\n    \(row(2))\n  ]\n}\n"
        try two.replacing("OTHER", with: "more").write(toFile: office.path("projects.json"), atomically: true, encoding: .utf8)
        #expect(try evidence(office, "projects.json").tables.first?.columns.map(\.there) == [2, 2])
        // Rows that state their own table do not become rows of another table.
        try two.replacing("OTHER", with: "calicatas").write(toFile: office.path("projects.json"), atomically: true, encoding: .utf8)
        let run = try office.run("import", "projects.json", "--actor", Office.administrator)
        #expect(run.status == 65 && run.error.contains("IMPORT-BROKEN") && run.error.contains("calicatas"), "\(run.error)")
    }

    /// The workbook has a form that waits, an invalid number, rows that nobody filled in, labels
    /// and a title.
    @Test func cellsOfFormsAreReadLeftOrFaulty() throws {
        let office = try Office(system: "ingeplus", set: nil)
        let script = """
            import sys, openpyxl
            book = openpyxl.load_workbook(sys.argv[1]); sheet = book.active
            sheet['J4'] = None; sheet['C10'] = 'hondo'
            book.save('fichas.xlsx')
            print([sum(1 for row in sheet.iter_rows() if row[n].value is not None) for n in range(sheet.max_column)])
            """
        let made = try ProgramRun.program(
            "/usr/bin/python3", ["-c", script, ProgramRun.root + "/Samples/ingeplus/legacy/fichas/fichas-apiladas.xlsx"], in: office.folder)
        #expect(made.status == 0, "\(made.error)")
        let found = try evidence(office, "fichas.xlsx", "--mapping", "fichas-apiladas")
        #expect(found.uncounted.isEmpty && found.tables.map(\.table) == ["Calicatas"])
        let columns = try #require(found.tables.first).columns
        #expect("\(columns.map { $0.there ?? -1 })" == made.output.trimmingCharacters(in: .newlines))
        #expect(columns.allSatisfy { $0.there == $0.read + $0.left + $0.faulty })
        // All cells of the stratum with the invalid number count as faulty. The other strata are
        // read.
        #expect(columns[...5].map(\.faulty) == [1, 1, 1, 1, 1, 1])
        // The pit without its code has 3 values in column J and 4 in M. Its strata only wait for
        // it, and its project came in.
        #expect(columns[8...].map(\.faulty) == [0, 3, 0, 0, 4, 0])
        // The cells that are left are the title, labels, headings and the numbers of blank rows.
        #expect(columns[0].left == 39 && columns[0].read == 6)
    }

    /// The account that people read shows the same cells.
    @Test func theAccountShowsTheCells() throws {
        let office = try Office(system: "ingeplus", set: nil)
        let file = ProgramRun.root + "/Samples/ingeplus/legacy/registros/registro-legado.xlsx"
        let run = try office.run("import", file, "--report", "account.html", "--actor", Office.administrator)
        #expect(run.status == 0, "\(run.error)")
        let page = try String(contentsOfFile: office.path("account.html"), encoding: .utf8)
        let table = try #require(page.components(separatedBy: "Cells of the source</h2>").dropFirst().first?.components(separatedBy: "</table>").first)
        func cells(_ row: String) -> [String] { row.matches(of: /<t[hd][^>]*>(.*?)<\/t[hd]>/).map { String($0.output.1) } }
        let rows = table.components(separatedBy: "<tr>").map(cells)
        #expect(rows[1] == ["Source", "Table", "Column", "Filled in the source", "Read", "Left", "Faulty", "Sum in the source", "Check"])
        // The heading of each column is left. Two columns have a row of sums, the first a title and
        // a note.
        for (column, there, left, sum) in [("Proyecto", 9, 3, ""), ("Este (m)", 7, 1, "3677804.7"), ("Prof. (m)", 8, 2, "21.4")] {
            #expect(rows.contains(["registro-legado.xlsx", "Calicatas", column, "\(there)", "6", "\(left)", "0", sum, "whole"]), "\(column)")
        }
        #expect(rows.dropFirst(2).allSatisfy { $0.last == "whole" })
    }

    @Test func oldWorkbooksAreCountedRecordByRecord() throws {
        let office = try Office(system: "ingeplus", set: nil)
        let run = try ProgramRun.program("/usr/bin/python3", ["-c", """
            import xlwt
            book = xlwt.Workbook(); sheet = book.add_sheet('registro')
            for row, cells in enumerate([['Proyecto', 'Calicata', 'Estrato', 'Desde', 'Hasta'], ['EV-3', 'C-1', 1, 0, 1.5]]):
                for column, cell in enumerate(cells): sheet.write(row, column, cell)
            book.save('registro.xls')
            """], in: office.folder)
        #expect(run.status == 0, "\(run.error)")
        let found = try evidence(office, "registro.xls", "--mapping", "registro-plano")
        #expect(found.uncounted.isEmpty && found.tables.first?.columns.first?.there == 2)
    }
}
