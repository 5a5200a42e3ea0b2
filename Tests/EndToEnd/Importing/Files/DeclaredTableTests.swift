import Foundation
import Testing
import Workbench

/// Tables that a server declares at run time: their rows come in under the declared columns, are
/// checked by the declared types, and go out, one sheet for each table.
@Suite struct DeclaredTableTests {
    private static let samples = ProgramRun.root + "/Samples/interrapidisimo/legacy/"

    /// Sources and the server's schema.
    private func office(schema: String = samples + "server/schema.json") throws -> Office {
        let office = try Office(system: "interrapidisimo", set: nil)
        for (file, options) in [(Self.samples + "sources.csv", ["--mapping", "fuentes", "--join"]), (schema, ["--mapping", "esquema"])] {
            let run = try office.run(["import", file, "--actor", Office.administrator, "--fail-on", "never"] + options)
            #expect(run.status == 0, "\(run.output)\(run.error)")
        }
        return office
    }

    private func bringIn(_ file: String, _ office: Office) throws -> ProgramRun {
        try office.run("import", file, "--project", "R-07", "--mapping", "base-dispositivo", "--actor", Office.administrator, "--fail-on", "never", "--json")
    }

    private func rows(_ office: Office, _ sql: String) throws -> String {
        try office.run("query", sql, "--format", "csv", "--actor", Office.administrator).output.trimmingCharacters(in: .whitespacesAndNewlines)
    }

    /// A device's file with what a script makes of it beside the app's own tables.
    private func device(_ script: String, _ office: Office) throws -> String {
        let path = office.path("device.db")
        #expect(try OtherProgram.python("import shutil, sqlite3, sys\nshutil.copy(sys.argv[1], sys.argv[2])\nd = sqlite3.connect(sys.argv[2])\n\(script)\nd.commit()", Self.samples + "devices/R-07.db", path) == "")
        return path
    }

    @Test func theRowsOfDeclaredTablesComeInOnceAndGoOutAsTables() throws {
        let office = try office()
        for new in [18, 0] {
            let run = try bringIn(Self.samples + "devices/R-07.db", office)
            #expect(run.status == 0, "\(run.error)")
            #expect(try rows(office, "SELECT count(*) FROM server_rows").hasSuffix("18"), "\(new)")
        }
        let made = try office.run("export", "filas", "--project", "R-07", "--format", "xlsx,csv", "-o", "out", "--actor", Office.administrator)
        #expect(made.status == 0, "\(made.output)\(made.error)")
        let book = try OtherProgram.python(
            """
            import glob, openpyxl, sys
            book = openpyxl.load_workbook(glob.glob(sys.argv[1] + '/R-07/*.xlsx')[0])
            sheet = book['Guia']
            print([cell.value for cell in sheet[1]], type(sheet[2][4].value).__name__, sheet.max_row, book['MotivoNoEntrega'].max_row)
            """, office.path("out"))
        #expect(book == "['Fuente', 'NumeroGuia', 'IdLocalidadOrigen', 'IdLocalidadDestino', 'Peso', 'ValorDeclarado', 'FechaAdmision'] float 15 5" || book.contains("'NumeroGuia', 'IdLocalidadOrigen', 'IdLocalidadDestino', 'Peso', 'ValorDeclarado', 'FechaAdmision'] float 15 5"), "\(book)")
    }

    @Test func valuesAreHeldAgainstTheDeclaredTypes() throws {
        let office = try office()
        let path = try device("d.execute(\"UPDATE Guia SET Peso = 'pesado' WHERE rowid = 1\"); d.execute('UPDATE MotivoNoEntrega SET Descripcion = ? WHERE IdMotivo = 2', ('x' * 121,))", office)
        #expect(try bringIn(path, office).status == 0)
        let found = try office.run("validate", "--json", "--project", "R-07", "--actor", Office.administrator, "--fail-on", "never")
        #expect(found.output.contains("PARAMETER-TYPE") && found.output.contains("/Peso") && found.output.contains("/Descripcion"), "\(found.output)")
    }

    /// A table that the server did not declare has no place: its rows are kept as rejected ones.
    @Test func rowsOfAnUndeclaredTableAreRefused() throws {
        let office = try office()
        let path = try device("d.execute('CREATE TABLE Ajena (a INTEGER PRIMARY KEY, b TEXT)'); d.execute(\"INSERT INTO Ajena VALUES (1, 'x')\")", office)
        let run = try bringIn(path, office)
        #expect(run.output.contains("FIELD-REFERENCE") && run.output.contains("Ajena"), "\(run.output)")
        #expect(try rows(office, "SELECT count(*) FROM server_rows").hasSuffix("18"))
    }

    /// Names are data: whatever the server declares meets no table and no column of the replica.
    @Test func hostileNamesStayInTheirNamespace() throws {
        let place = try TemporaryFolder()
        let statements = [
            #"CREATE TABLE "photos" ("id" INTEGER PRIMARY KEY, "a""b; DROP TABLE photos --" TEXT, "{x}" REAL, "=1+1" TEXT NOT NULL)"#, "CREATE TABLE sources (code TEXT PRIMARY KEY)",
            "DROP TABLE photos", "CREATE TABLE a (b int); CREATE TABLE c (d int)", "CREATE TABLE x AS SELECT 1",
        ]
        let answer = statements.enumerated().map { index, statement in ["NombreTabla": ["Photos2", "Sources2", "Gone", "Two", "Query"][index], "QueryCreacion": statement] }
        let schema = try place.write([UInt8](try JSONEncoder().encode(answer)), to: "schema.json")
        let office = try office(schema: schema)
        #expect(try rows(office, "SELECT group_concat(local_table) FROM (SELECT local_table FROM server_tables ORDER BY local_table)").hasSuffix("\"Photos2,Sources2\""))
        let findings = try office.run("rejects", "list", "--json", "--actor", Office.administrator)
        #expect(findings.output.matches(of: /IMPORT-NO-TABLE-STATEMENT/).count >= 3, "\(findings.output)")
        let path = try device(
            #"""
            for name in ('Guia', 'MotivoNoEntrega'): d.execute('DROP TABLE ' + name)
            d.execute('CREATE TABLE Photos2 ("id" INTEGER PRIMARY KEY, "a""b; DROP TABLE photos --" TEXT, "{x}" REAL, "=1+1" TEXT)')
            d.execute('INSERT INTO Photos2 VALUES (1, ?, 2.5, ?)', ("'); DELETE FROM photos; --", '=2+2'))
            """#, office)
        #expect(try bringIn(path, office).status == 0)
        #expect(try rows(office, "SELECT count(*) FROM photos").hasSuffix("7"))
        for format in ["csv", "xlsx", "xml", "sqlite"] {
            let made = try office.run("export", "filas", "--project", "R-07", "--format", format, "-o", "out", "--actor", Office.administrator, "--fail-on", "never", "--policy", "mark")
            #expect(made.status == 0, "\(format): \(made.output)\(made.error)")
        }
        let csv = try FileManager.default.subpathsOfDirectory(atPath: office.path("out")).filter { $0.hasSuffix("photos2.csv") }
        let text = try String(contentsOfFile: office.path("out/" + (try #require(csv.first))), encoding: .utf8)
        #expect(text.contains("a\"\"b; DROP TABLE photos --"), "\(text)")
    }
}
