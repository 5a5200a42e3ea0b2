import Foundation
import Testing
import Workbench

/// Reports of findings as people get them, as files that other programs open.
@Suite struct ReportTests {
    /// A pit survey with broken strata. Its validation writes the reports.
    private static func office(_ reports: String..., options: [String] = []) throws -> (Office, ProgramRun) {
        let office = try Office(system: "ingeplus", set: "broken/strata")
        let run = try office.run(["validate", "--fail-on", "never"] + reports.flatMap { ["--report", $0] } + options)
        return (office, run)
    }

    @Test func everyKindIsWrittenAndSaid() throws {
        let (office, run) = try Self.office("out/a.txt", "a.json", "a.sarif", "a.xlsx", "a.html", options: ["--json"])
        #expect(run.status == 0, "\(run.error)")
        let result = try Reading.json(run.output)
        let reports = try #require(result["reports"] as? [[String: Any]])
        #expect(reports.count == 5)
        for report in reports {
            let path = try #require(report["path"] as? String)
            let sum = try ProgramRun.program("/usr/bin/sha256sum", [path]).output.prefix(64)
            #expect(String(sum) == report["sha256"] as? String)
            #expect(try FileManager.default.attributesOfItem(atPath: path)[.size] as? Int == report["bytes"] as? Int)
        }
        // No other file is left beside the reports.
        #expect(try office.files("").filter { !$0.hasPrefix("fichero.db") } == ["a.html", "a.json", "a.sarif", "a.xlsx", "out/a.txt"])
        let text = try office.run("validate", "--fail-on", "never", "--report", "b.txt")
        #expect(text.output.contains("Reports") && text.output.contains(office.path("b.txt")))
        #expect(try String(contentsOfFile: office.path("b.txt"), encoding: .utf8).contains("CORTE-HUECO"))
    }

    @Test func equalDataGiveEqualReports() throws {
        let (office, _) = try Self.office("1.json", "1.sarif", "1.xlsx", "1.html", "1.txt")
        try office.run("validate", "--fail-on", "never", "--report", "2.json", "--report", "2.sarif", "--report", "2.xlsx", "--report", "2.html", "--report", "2.txt")
        for kind in ["json", "sarif", "xlsx", "html", "txt"] {
            #expect(FileManager.default.contents(atPath: office.path("1." + kind)) == FileManager.default.contents(atPath: office.path("2." + kind)), "\(kind)")
        }
    }

    @Test func whatCannotBeAReportIsRefusedBeforeTheWork() throws {
        let (office, run) = try Self.office("a.pdf")
        #expect(run.status == 64 && run.error.contains(".sarif"))
        #expect(try office.run("validate", "--report", "a.txt", "--report", "./a.txt").status == 64)
        try FileManager.default.createDirectory(atPath: office.path("d.html"), withIntermediateDirectories: true)
        #expect(try office.run("validate", "--report", "d.html").status == 73)
        #expect(try office.run("validate", "--report", "fichero.db/x.html").status == 73)
        #expect(try office.files("").allSatisfy { $0.hasPrefix("fichero.db") })
    }

    @Test func aReportTakesThePlaceOfTheLastOne() throws {
        let (office, _) = try Self.office("a.txt")
        try Data("old".utf8).write(to: URL(fileURLWithPath: office.path("a.txt")))
        #expect(try office.run("validate", "--fail-on", "never", "--report", "a.txt").status == 0)
        #expect(try String(contentsOfFile: office.path("a.txt"), encoding: .utf8).hasPrefix("Findings"))
    }

    @Test func theJSONFollowsItsSchema() throws {
        let (office, run) = try Self.office("a.json", options: ["--json"])
        try office.run("describe", "--findings-format").output.write(toFile: office.path("schema.json"), atomically: true, encoding: .utf8)
        try run.output.write(toFile: office.path("printed.json"), atomically: true, encoding: .utf8)
        for name in ["a.json", "printed.json"] {
            let judged = try Reading.python(
                """
                import json, sys, jsonschema
                schema = json.load(open(sys.argv[1]))
                jsonschema.Draft202012Validator.check_schema(schema)
                jsonschema.validate(json.load(open(sys.argv[2])), schema)
                print("valid")
                """, office.path("schema.json"), office.path(name))
            #expect(judged.output == "valid\n", "\(name): \(judged.error)")
        }
    }

    @Test func theWorkbookOpens() throws {
        let (office, _) = try Self.office("a.xlsx")
        let read = try Reading.python(
            """
            import sys, warnings, openpyxl
            warnings.simplefilter("error")
            wb = openpyxl.load_workbook(sys.argv[1])
            findings = [[c.value for c in r] for r in wb["Findings"].iter_rows(min_row=2)]
            hole = next(f for f in findings if f[1] == "CORTE-HUECO")
            row = int(hole[9].split("→ ")[1].rstrip('")'))
            strata = wb["Strata"] if "Strata" in wb.sheetnames else wb[wb.sheetnames[3]]
            header = [c.value for c in strata[2]]
            cell = strata.cell(row, header.index("From (m)") + 1)
            print(cell.value, cell.comment is not None and "CORTE-HUECO" in cell.comment.text, cell.fill.fgColor.rgb)
            """, office.path("a.xlsx"))
        #expect(read.output == "0.35 True FFFFC7CE\n", "\(read.error)")
    }

    /// The page after Chromium ran its script. The page may not load anything, so Chromium works
    /// offline.
    private static func dom(_ office: Office, _ fragment: String) throws -> String {
        let run = try ProgramRun.program(
            "/usr/bin/chromium",
            ["--headless", "--no-sandbox", "--disable-gpu", "--user-data-dir=" + office.path("chromium"), "--dump-dom", "file://" + office.path("a.html") + fragment],
            environment: ["HOME": office.folder])
        #expect(run.status == 0, "\(run.error)")
        return run.output
    }

    @Test func thePageFiltersInABrowser() throws {
        let (office, run) = try Self.office("a.html", options: ["--json"])
        let findings = try #require(try Reading.json(run.output)["findings"] as? [[String: Any]])
        func count(_ fits: ([String: Any]) -> Bool) -> Int { findings.filter(fits).count }
        let errors = count { $0["severity"] as? String == "error" }
        let ofPit = count { $0["severity"] as? String == "error" && ($0["message"] as? String)?.contains("C-05") == true }
        #expect(errors > ofPit && ofPit > 0 && errors < findings.count)
        for (fragment, expected) in [
            ("", findings.count), ("#severity=error", errors), ("#severity=error&search=c-05", ofPit), ("#code=CORTE-HUECO", 2),
            ("#project=ROTO-ESTRATOS", findings.count), ("#search=nothing%20like%20this", 0), ("#code=%3Cscript%3E", findings.count),
        ] {
            let dom = try Self.dom(office, fragment)
            #expect(dom.contains("data-count=\"\(expected)\""), "\(fragment)")
            #expect(dom.contains("\(expected) of \(findings.count) findings shown"), "\(fragment)")
            let hidden = dom.components(separatedBy: "<tr data-finding").dropFirst().filter { $0.prefix { $0 != ">" }.contains("hidden") }.count
            #expect(hidden == findings.count - expected, "\(fragment)")
        }
    }

    @Test func theCatalogueIsUpToDate() throws {
        let place = try TemporaryFolder()
        let folder = place.file("findings")
        let made = try ProgramRun.program(ProgramRun.root + "/Scripts/make-findings", [ProgramRun.fichero, folder])
        #expect(made.status == 0, "\(made.error)")
        let names = try FileManager.default.contentsOfDirectory(atPath: folder).sorted()
        let kept = ProgramRun.root + "/Docs/findings"
        #expect(try FileManager.default.contentsOfDirectory(atPath: kept).sorted() == names)
        for name in names {
            let now = try String(contentsOfFile: folder + "/" + name, encoding: .utf8)
            #expect(try String(contentsOfFile: kept + "/" + name, encoding: .utf8) == now, "Scripts/make-findings .build/debug/fichero: \(name)")
        }
    }
}
