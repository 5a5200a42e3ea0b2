import Foundation
import Testing

/// Exports of the samples, checked with independent readers.
@Suite struct ExportTests {
    /// Where no dialect is named, a person in Lima gets what Excel opens there; who reads another
    /// language, and who asks for it, gets what programs read.
    @Test func aPersonInLimaGetsWordsAndPoints() throws {
        let office = try Office.pits()
        func table(_ folder: String, _ options: String...) throws -> String {
            let made = try office.run(
                ["export", "calicatas", "--project", "HYO-2025", "--format", "csv", "-o", folder, "--again"]
                    + ["--fail-on", "never"] + options)
            #expect(made.status == 0, "\(made.output)\(made.error)")
            let name = try #require(office.files(folder).first { $0.hasSuffix("-calicatas.csv") })
            return try String(contentsOfFile: office.path(folder + "/" + name), encoding: .utf8)
        }
        let lima = try table("lima", "--lang", "es")
        #expect(lima.contains("Código del proyecto,Código,Título,"), "\(lima.prefix(300))")
        #expect(lima.contains(",4.5,") && lima.contains(",Aprobado,"), "\(lima.prefix(900))")
        #expect(!lima.contains("APROBADO"))
        let madrid = try table("madrid", "--lang", "es", "--time-zone", "Europe/Madrid")
        #expect(madrid.contains(";4,5;") && madrid.contains(";Aprobado;"), "\(madrid.prefix(900))")
        for plain in [try table("english"), try table("asked", "--lang", "es", "--dialect", "standard")] {
            #expect(plain.contains(",APROBADO,"), "\(plain.prefix(900))")
        }
    }

    @Test func aWorkbookHasEverySelectedRowForOpenpyxlAndWordsInItsLists() throws {
        let office = try Office.pits()
        let result = try office.run("export", "calicatas", "--format", "xlsx", "-o", "out", "--lang", "es", "--json")
        #expect(result.status == 0, "\(result.error)")
        let outcome = try Reading.json(result.output)
        let projects = try #require(outcome["projects"] as? [[String: Any]])
        #expect(projects.count >= 3)
        for project in projects {
            let files = try #require(project["files"] as? [[String: Any]])
            let path = try #require(files.first?["path"] as? String)
            let reading = try Reading.python(
                """
                import openpyxl, sys
                book = openpyxl.load_workbook(sys.argv[1])
                sheet = book[book.sheetnames[2]]
                print(len(book.sheetnames), sheet.max_row - 1, sheet.freeze_panes, len(sheet.tables))
                print(*(rule.formula1 for sheet in book for rule in sheet.data_validations.dataValidation), sep='\\n')
                print(*{cell.value for row in sheet.iter_rows(min_row=2) for cell in row}, sep='\\n')
                """, path.hasPrefix("/") ? path : office.path(path))
            #expect(reading.status == 0, "\(reading.error)")
            let lines = reading.output.split(separator: "\n").map(String.init)
            let words = lines[0].split(separator: " ").map(String.init)
            #expect(lines.contains("\"Izquierdo,Derecho,Eje\"") && lines.contains("\"No presenta,Presenta,No medida\""), "\(lines)")
            #expect(lines.contains("Aprobado") && !lines.contains { $0.contains("APROBADO") || $0.contains("EJE") })
            #expect(Int(words[1]) == project["selected"] as? Int, "rows of the sheet are the records selected")
            #expect(words[2] != "None")
            #expect(words[3] == "1")
        }
    }

    @Test(arguments: [("ingeplus", "calicatas"), ("ingeplus", "cortes"), ("anagrafica", "assets"), ("anagrafica", "rooms")])
    func xmlFollowsThePrintedSchema(system: String, export: String) throws {
        let office = try system == "ingeplus" ? Office.pits() : Office.assets()
        let schema = try office.run("describe", system, "--xsd")
        try schema.output.write(toFile: office.path("pack.xsd"), atomically: true, encoding: .utf8)
        let result = try office.run("export", export, "--format", "xml", "-o", "out")
        #expect(result.status == 0, "\(result.error)")
        let files = try office.files("out")
        #expect(!files.isEmpty)
        for file in files {
            let check = try ProgramRun.program(
                "/usr/bin/xmllint", ["--nonet", "--noout", "--schema", office.path("pack.xsd"), office.path("out/" + file)])
            #expect(check.status == 0, "\(check.error)")
        }
    }

    @Test func csvReadsBackWithTheRowsThatWereRegistered() throws {
        let office = try Office.pits()
        #expect(try office.run("export", "cortes", "--format", "csv", "-o", "out").status == 0)
        let files = try office.files("out").filter { !$0.hasSuffix("-about.csv") && !$0.contains("left") }
        var rows = 0
        for file in files {
            let reading = try Reading.python(
                "import csv, sys; print(sum(1 for _ in csv.DictReader(open(sys.argv[1], newline='', encoding='utf-8'))))",
                office.path("out/" + file))
            rows += Int(reading.output.trimmingCharacters(in: .whitespacesAndNewlines)) ?? -1
        }
        #expect(String(rows) == (try office.sql("SELECT sum(rows) FROM exports WHERE export_name = 'cortes' AND file_name NOT LIKE '%about%' AND file_name NOT LIKE '%left%'")))
    }

    /// Several tables make several files instead of the one that was planned. The run still counts
    /// as complete, so the next run does not call it interrupted.
    @Test(arguments: ["csv", "xlsx,csv", "xml"]) func aRunThatIsDoneStaysDone(_ formats: String) throws {
        let office = try Office.pits()
        #expect(try office.run("export", "cortes", "--format", formats, "-o", "out").status == 0)
        let next = try office.run("export", "calicatas", "--format", "xlsx", "-o", "out")
        #expect(next.status == 0 && !next.error.contains("interrupted"), "\(next.error)")
        #expect(try office.sql("SELECT count(*) FROM run_outputs WHERE state <> 'registered'; SELECT DISTINCT state FROM pipeline_runs") == "0\ndone")
    }

    @Test func theSameSelectionIsNotMadeTwice() throws {
        let office = try Office.pits()
        #expect(try office.run("export", "calicatas", "-o", "out").status == 0)
        let files = try office.files("out")
        let registered = try office.sql("SELECT count(*) FROM exports")
        let second = try office.run("export", "calicatas", "-o", "out", "--json", "--as-of", "2025-12-02T14:00:00Z")
        #expect(second.status == 0)
        #expect(try office.files("out") == files)
        #expect(try office.sql("SELECT count(*) FROM exports") == registered)
        let projects = try #require(try Reading.json(second.output)["projects"] as? [[String: Any]])
        #expect(projects.allSatisfy { $0["state"] as? String == "unchanged" })
    }

    @Test func theSameInputGivesTheSameBytes() throws {
        let first = try Office.pits(), second = try Office.pits()
        for office in [first, second] {
            #expect(try office.run("export", "calicatas", "-o", "out").status == 0)
        }
        let names = try first.files("out")
        #expect(try second.files("out") == names)
        for name in names {
            #expect(FileManager.default.contentsEqual(atPath: first.path("out/" + name), andPath: second.path("out/" + name)), "\(name)")
        }
    }

    @Test func aChangedRecordMakesANewVersion() throws {
        let office = try Office.pits()
        #expect(try office.run("export", "calicatas", "--format", "xlsx", "-o", "out").status == 0)
        let before = try office.files("out").count
        try ProgramRun.program("/usr/bin/sqlite3", [office.replica, """
            UPDATE calicatas SET observations = 'revisada', local_version = local_version + 1,
                content_stamp = 1 + (SELECT max(content_stamp) FROM calicatas)
            WHERE id = (SELECT id FROM calicatas WHERE sync_state = 'synced' AND status = 'APROBADO' LIMIT 1)
            """])
        #expect(try office.run("export", "calicatas", "--format", "xlsx", "-o", "out").status == 0)
        #expect(try office.files("out").count == before + 1)
        #expect(try office.files("out").contains { $0.contains("-v2.") })
    }

    @Test func onlyAWorkbookMarksApprovedRecordsAsExported() throws {
        let office = try Office.pits()
        let approved = try office.sql("SELECT count(*) FROM calicatas WHERE status = 'APROBADO'")
        #expect(try office.run("export", "calicatas", "--format", "csv", "--mark-exported", "-o", "out").status == 0)
        #expect(try office.sql("SELECT count(*) FROM calicatas WHERE status = 'APROBADO'") == approved)
        let result = try office.run("export", "calicatas", "--format", "xlsx", "--mark-exported", "-o", "out", "--json")
        let projects = try #require(try Reading.json(result.output)["projects"] as? [[String: Any]])
        let marked = projects.compactMap { $0["marked"] as? Int }.reduce(0, +)
        #expect(marked > 0)
        #expect(try office.sql("SELECT count(*) FROM activity_logs WHERE action = 'marked_exported'") == String(marked))
        // The mark is Fichero's own. So the records stay in the selection, and no new version is
        // made.
        let again = try office.run("export", "calicatas", "--format", "xlsx", "--mark-exported", "-o", "out", "--json")
        let states = try #require(try Reading.json(again.output)["projects"] as? [[String: Any]]).compactMap { $0["state"] as? String }
        #expect(states.allSatisfy { $0 == "unchanged" })
    }
}
