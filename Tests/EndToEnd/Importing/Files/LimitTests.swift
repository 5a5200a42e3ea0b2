import Foundation
import Testing
import Workbench

/// The bounds of the readers can be set by option or configuration. A refusal names the bound, and
/// the documents list all of them.
@Suite struct LimitTests {
    private func describe(_ bytes: [UInt8], name: String, _ arguments: String..., configuration: String? = nil) throws -> ProgramRun {
        let folder = try TemporaryFolder()
        try folder.write(bytes, to: name)
        if let configuration { try folder.write(configuration, to: "fichero.yaml") }
        return try ProgramRun.fichero(
            ["describe", name] + arguments, in: folder.path, environment: ["FICHERO_TEMPLATES": ProgramRun.root + "/Templates", "FICHERO_LANG": "en"])
    }

    private static let texts = [
        ("columns=2", "a,b,c\n1,2,3\n", "d.csv"), ("rows=2", "a,b\n1,2\n3,4\n5,6\n", "d.csv"),
        ("rows=1", "<table><tr><td>1<tr><td>2</table>", "d.html"), ("columns=1", "<table><tr><td>1<td>2</table>", "d.html"),
        ("tables=1", "<table><tr><td>1</table><table><tr><td>2</table>", "d.html"),
        ("depth=3", "<?xml version='1.0'?><a><b><c><d>1</d></c></b></a>", "d.xml"),
        ("rows=1", "<?xml version='1.0'?><a><p><n>1</n></p><p><n>2</n></p></a>", "d.xml"),
        ("submissionColumns=2", #"{"_xform_id_string":"f","a":1,"b":[{"c":2}]}"# + "\n", "d.jsonl"),
        ("propertyListBytes=100", "<plist><array><true/><true/><true/><true/><true/></array></plist>", "d.plist"),
        ("cellBytes=3", "<?xml version='1.0'?><a><b>12345</b><b>2</b></a>", "d.xml"),
    ]

    @Test(arguments: texts)
    func aFileBeyondABoundIsRefusedByName(limit: String, text: String, name: String) throws {
        #expect(try describe(Array(text.utf8), name: name).status == 0)
        let run = try describe(Array(text.utf8), name: name, "--limit", limit)
        let bound = String(limit.prefix { $0 != "=" })
        #expect(run.status == 65 && run.error.contains("TABLE-TOO-LARGE"), "\(run.error)")
        #expect(run.error.contains("the bound \(bound)") && run.error.contains("--limit \(bound)=VALUE"), "\(run.error)")
    }

    @Test func ofPackagesToo() throws {
        let office = try Office(system: "ingeplus", set: nil)
        let run = try office.run(
            "import", ProgramRun.root + "/Samples/ingeplus/survey", "--limit", "jsonNumberLength=2", "--actor", Office.administrator)
        #expect(run.status != 0 && (run.output + run.error).contains("jsonNumberLength"), "\(run.output)\(run.error)")
    }

    private static let oldFiles = [
        ("CALICATA.DBF", "dbfRecords=1"), ("../device.db", "sqliteTables=1"), ("../device.db", "sqliteValueBytes=3"),
        ("../access/calicatas.mdb", "accessOutputBytes=10"), ("../registros/registro-legado.xls", "xlsBytes=100"),
        ("../registros/registro-legado.xls", "xlsSheets=1"), ("../registros/registro-legado.xls", "xlsCells=3"),
        ("../registros/registro-legado.xlsx", "archiveEntries=3"), ("../registros/registro-legado.xlsx", "sharedStringBytes=10"),
        ("../registros/registro-legado.xlsx", "partBytes=10"), ("../registros/registro-legado.xlsx", "entryBytes=100"),
    ]

    @Test(arguments: oldFiles)
    func soAreTheOldFilesOfTheOffice(name: String, limit: String) throws {
        let file = ProgramRun.root + "/Samples/ingeplus/legacy/foxpro/" + name
        let run = try ProgramRun.fichero(["describe", file, "--limit", limit], in: "/", environment: ["FICHERO_LANG": "es"])
        #expect(run.status == 65 && run.error.contains("pasa el límite " + limit.prefix { $0 != "=" }), "\(run.error)")
    }

    private static let documents = [
        ("jsonDepth=2", #"[{"code":"C","a":[[1]]}]"#), ("jsonTextBytes=4", #"[{"code":"C-12345"}]"#), ("jsonRowBytes=8", #"{"code":"C-12345"}"# + "\n"),
        ("jsonNumberLength=3", #"[{"depth_m":1.2345}]"#),
    ]

    @Test(arguments: documents)
    func anImportBeyondABoundChangesNothing(limit: String, text: String) throws {
        let office = try Office.pits()
        try text.write(toFile: office.path("calicatas.json"), atomically: true, encoding: .utf8)
        let before = try office.sql("SELECT count(*) FROM calicatas")
        for command in ["import", "validate"] {
            let run = try office.run(command, office.path("calicatas.json"), "--limit", limit)
            #expect(run.status == 65 && run.error.contains("TABLE-TOO-LARGE") && run.error.contains(String(limit.prefix { $0 != "=" })), "\(run.error)")
        }
        #expect(try office.sql("SELECT count(*) FROM calicatas") == before)
    }

    @Test func aManifestHasItsBound() throws {
        let office = try Office(system: "ingeplus", set: nil)
        let run = try office.run(
            "import", ProgramRun.root + "/Samples/ingeplus/survey", "--limit", "documentBytes=1K", "--actor", Office.administrator)
        #expect(run.status == 65 && run.error.contains("documentBytes") && run.error.contains("1024"), "\(run.error)")
    }

    @Test func theConfigurationSetsBoundsAndTheOptionGoesBefore() throws {
        let table = Array("a,b,c\n1,2,3\n".utf8)
        #expect(try describe(table, name: "d.csv", configuration: "limits:\n  columns: 2\n").status == 65)
        #expect(try describe(table, name: "d.csv", "--limit", "columns=3", configuration: "limits:\n  columns: 2\n").status == 0)
    }

    @Test(arguments: ["limits:\n  colums: 2\n", "limits:\n  columns: many\n", "limits:\n  columns: 0\n", "limits:\n  columns: [1]\n", "limits:\n  columns: 99999999999G\n"])
    func aMistakeInTheConfigurationHasItsLine(configuration: String) throws {
        let run = try describe(Array("a,b\n1,2\n".utf8), name: "d.csv", configuration: configuration)
        #expect(run.status == 78 && run.error.contains("fichero.yaml:2") && run.error.contains("colum"), "\(run.error)")
    }

    @Test(arguments: ["colums=2", "columns", "columns=", "columns=-1", "columns=1.5", "columns=2T", "depth=1G"])
    func aMistakeInTheOptionIsOneOfUsage(limit: String) throws {
        let run = try describe(Array("a,b\n1,2\n".utf8), name: "d.csv", "--limit", limit)
        #expect(run.status == 64 && run.error.contains("LIMIT-"), "\(run.error)")
    }

    /// To update the table of the document: `fichero describe --limits --form markdown --lang en`.
    @Test func theyAreListedInThreeLanguagesAndTheDocumentSaysTheSame() throws {
        for language in ["es", "en", "it"] {
            let run = try ProgramRun.fichero(["describe", "--limits", "--form", "markdown", "--lang", language], in: "/")
            #expect(run.status == 0 && run.output.contains("`sqliteSteps`") && !run.output.contains("bound."), "\(run.output)")
            guard language == "en" else { continue }
            #expect(try String(contentsOfFile: ProgramRun.root + "/Docs/import.md", encoding: .utf8).contains(run.output), "\(run.output)")
        }
        let run = try ProgramRun.fichero(["describe", "--limits", "--limit", "cellBytes=64M", "--json"], in: "/")
        let bounds = try #require(try JSONSerialization.jsonObject(with: Data(run.output.utf8)) as? [[String: Any]])
        #expect(bounds.first { $0["name"] as? String == "cellBytes" }?["value"] as? Int == 64 << 20)
    }

    // MARK: Bounds that only whole sources reach

    /// The system, a sample of it, the mapping, and the bound.
    private static let sources: [(system: String, file: String, mapping: String?, limit: String)] = [
        ("ingeplus", "legacy/fichas/fichas-calicatas.xlsx", "ficha-calicata", "formCells=10"),
        ("ingeplus", "legacy/fichas/fichas-calicatas.xlsx", "ficha-calicata", "formBytes=100"),
        ("ingeplus", "legacy/fichas/fichas-calicatas.xlsx", "ficha-calicata", "formPhotos=1"),
        ("ingeplus", "legacy/fichas/fichas-calicatas.xlsx", "ficha-calicata", "formPictureBytes=10"),
        ("ingeplus", "legacy/fichas/fichas-calicatas.xlsx", "ficha-calicata", "formAllPictureBytes=10"),
        ("ingeplus", "legacy/fichas/fichas-apiladas.xlsx", "fichas-apiladas", "formsPerSheet=1"),
        ("ingeplus", "survey", nil, "packageEntries=3"), ("ingeplus", "survey.zip", nil, "packageEntries=3"),
        ("ingeplus", "survey.zip", nil, "packageEntryBytes=100"), ("ingeplus", "survey.zip", nil, "packageBytes=1000"),
        ("anagrafica", "survey", nil, "events=1"), ("anagrafica", "survey", nil, "eventBytes=100"), ("anagrafica", "plans/school.dxf", nil, "drawingBytes=100"),
        ("anagrafica", "plans/school.dxf", nil, "drawingPoints=3"),
    ]

    @Test(arguments: sources.indices)
    func aSourceBeyondABoundChangesNothing(index: Int) throws {
        let (system, file, mapping, limit) = Self.sources[index]
        let isDrawing = file.hasSuffix(".dxf")
        let office = try Office(system: system, set: isDrawing ? "survey" : nil)
        var path = ProgramRun.root + "/Samples/\(system)/" + file
        if file.hasSuffix(".zip") {
            let made = try Reading.python("import shutil, sys; shutil.make_archive(sys.argv[1], 'zip', sys.argv[2])", office.path("survey"), String(path.dropLast(4)))
            #expect(made.status == 0)
            path = office.path("survey.zip")
        }
        let rows = "SELECT (SELECT count(*) FROM projects), (SELECT count(*) FROM imports), (SELECT count(*) FROM rejects)"
        let before = try office.sql(rows)
        var arguments = ["import", path, "--limit", limit] + (mapping.map { ["--mapping", $0] } ?? [])
        if isDrawing { arguments += ["--project", try office.sql("SELECT name FROM projects ORDER BY id DESC LIMIT 1")] } else { arguments += ["--actor", Office.administrator] }
        let run = try office.run(arguments)
        let bound = String(limit.prefix { $0 != "=" })
        #expect(run.status == 65 && run.error.contains("TOO-LARGE"), "\(run.output) \(run.error)")
        #expect(run.error.contains("the bound \(bound)") && run.error.contains("--limit \(bound)="), "\(run.error)")
        #expect(try office.sql(rows) == before)
    }

    /// An entry of 66 MiB that is compressed a thousandfold, in a workbook and in a package.
    @Test(arguments: [("compressionRatio", "xlsx"), ("packageRatio", "zip")])
    func whatGrowsTooMuchIsRefused(bound: String, kind: String) throws {
        let office = try Office(system: "ingeplus", set: nil)
        let script = """
            import pathlib, sys, zipfile
            source, target, kind = sys.argv[1:]
            with zipfile.ZipFile(target, "w", zipfile.ZIP_DEFLATED) as made:
                if kind == "xlsx":
                    book = zipfile.ZipFile(source + "/legacy/registros/registro-legado.xlsx")
                    for name in book.namelist():
                        data = book.read(name)
                        made.writestr(name, data.replace(b"</sheetData>", b" " * (66 << 20) + b"</sheetData>") if name.endswith("sheet1.xml") else data)
                else:
                    root = pathlib.Path(source + "/survey")
                    for path in sorted(root.rglob("*")):
                        if path.is_file():
                            made.writestr(str(path.relative_to(root)), path.read_bytes())
                    made.writestr("data/extra.json", b" " * (66 << 20))
            """
        let path = office.path("big." + kind)
        #expect(try Reading.python(script, ProgramRun.root + "/Samples/ingeplus", path, kind).status == 0)
        let arguments = ["import", path, "--actor", Office.administrator, "--dry-run", "--fail-on", "never"] + (kind == "xlsx" ? ["--mapping", "registro-legado"] : [])
        let run = try office.run(arguments)
        #expect(run.status == 65 && run.error.contains("the bound \(bound)") && run.error.contains("--limit \(bound)="), "\(run.error)")
        #expect(try office.run(arguments + ["--limit", bound + "=1000000"]).status == 0, "whoever trusts it may raise the bound")
    }

    @Test func stepsOfADatabaseAreCounted() throws {
        let folder = try TemporaryFolder()
        let rows = "CREATE TABLE t (a, b); WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < 20000) INSERT INTO t SELECT i, i FROM n"
        #expect(try ProgramRun.program("/usr/bin/sqlite3", [folder.file("big.db"), rows]).status == 0)
        let run = try ProgramRun.fichero(["describe", "big.db", "--limit", "sqliteSteps=1000"], in: folder.path, environment: ["FICHERO_LANG": "en"])
        #expect(run.status == 65 && run.error.contains("the bound sqliteSteps"), "\(run.error)")
        #expect(try ProgramRun.fichero(["describe", "big.db"], in: folder.path, environment: ["FICHERO_LANG": "en"]).status == 0)
    }

    /// Two bounds do not stop the reading. What exceeds them becomes an error cell or is left out.
    @Test func memosAndSpansBeyondTheirBoundsAreCutNotRefused() throws {
        let memos = try ProgramRun.fichero(
            ["describe", ProgramRun.root + "/Samples/ingeplus/legacy/foxpro", "--limit", "dbfMemoBytes=3", "--json"], in: "/")
        #expect(memos.status == 0 && memos.output.contains("\"type\" : \"error\""))
        let table = Array("<table><tr><td colspan=9>a<td>b<tr><td>1<td>2<td>3<td>4<td>5<td>6<td>7<td>8<td>9<td>10</table>".utf8)
        func first(_ arguments: String...) throws -> [Any]? {
            let run = try describe(table, name: "s.html", "--json", arguments.first ?? "--verbose", arguments.last ?? "--verbose")
            return ((try Reading.json(run.output)["tables"] as? [[String: Any]])?.first?["samples"] as? [[Any]])?.first
        }
        #expect(try first("--limit", "span=9")?.count == 10)
        #expect(try first("--limit", "span=2")?.count == 3)
    }

    /// A row of a repeat takes over no more than this bound from the values around it. A cell that
    /// was left out is marked.
    @Test func takenOverBytesBoundsWhatRepeatsTakeOver() throws {
        let line = Array((#"{"_xform_id_string":"f","a":"12345678","b":[{"c":2}]}"# + "\n").utf8)
        func sample(bound: Int) throws -> String {
            let run = try describe(line, name: "d.jsonl", "--json", "--limit", "submissionTakenOverBytes=\(bound)")
            let table = (try Reading.json(run.output)["tables"] as? [[String: Any]])?.last
            return String(describing: table?["samples"] ?? [])
        }
        #expect(try sample(bound: 64).contains("12345678"))
        #expect(try !sample(bound: 4).contains("12345678"))
    }

    @Test func everyBoundHasACase() throws {
        let run = try ProgramRun.fichero(["describe", "--limits", "--json"], in: "/")
        let names = (try JSONSerialization.jsonObject(with: Data(run.output.utf8)) as? [[String: Any]])?.compactMap { $0["name"] as? String } ?? []
        let limits = Self.texts.map(\.0) + Self.oldFiles.map(\.1) + Self.documents.map(\.0) + Self.sources.map(\.limit)
        var cases = Set(limits.map { String($0.prefix { $0 != "=" }) })
        cases.formUnion(["documentBytes", "compressionRatio", "packageRatio", "sqliteSteps", "dbfMemoBytes", "span", "submissionTakenOverBytes"])
        // The bounds of mdbtools are tested in AccessFileTests, with programs that use too much. No
        // real database exceeds them in every version of mdbtools.
        let programs: Set<String> = ["accessSeconds", "accessMemoryBytes", "accessSilentSeconds"]
        #expect(names.count > 40 && Set(names) == cases.union(programs), "\(Set(names).symmetricDifference(cases.union(programs)).sorted())")
    }
}
