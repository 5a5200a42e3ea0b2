import Foundation
import Testing

/// An export as an SQLite database, from the command to its registration.
@Suite struct DatabaseExportTests {
    private func query(_ office: Office, _ path: String, _ sql: String) throws -> String {
        let run = try ProgramRun.program("/usr/bin/sqlite3", ["-readonly", path, sql])
        #expect(run.status == 0, "\(run.error)")
        return run.output.trimmingCharacters(in: .newlines)
    }

    @Test func aDatabaseIsMadeWhenItIsAskedForWithTheRowsOfTheOtherFormats() throws {
        let office = try Office(system: "ingeplus", set: "survey")
        let run = try office.run("export", "calicatas", "--project", "CHU-2025", "--format", "sqlite,csv", "-o", "out", "--fail-on", "never")
        #expect(run.status == 0, "\(run.error)")
        let names = try FileManager.default.contentsOfDirectory(atPath: office.path("out/CHU-2025")).sorted()
        let database = office.path("out/CHU-2025/" + (try #require(names.first { $0.hasSuffix(".sqlite") })))
        #expect(try query(office, database, "PRAGMA integrity_check") == "ok")
        for table in ["proyectos", "calicatas", "cortes", "fotos"] {
            let name = try #require(names.first { $0.hasSuffix("-\(table).csv") })
            let text = try String(contentsOfFile: office.path("out/CHU-2025/" + name), encoding: .utf8)
            let header = text.prefix { !$0.isNewline }.split(separator: ",").map(String.init)
            // Both files have the same columns in the same order. A column that a person may not
            // see is in neither of them.
            #expect(try query(office, database, "SELECT group_concat(name) FROM pragma_table_info('\(table)')") == header.joined(separator: ","))
            let script = "import csv,sys; print(len(list(csv.reader(open(sys.argv[1], newline='', encoding='utf-8')))) - 1)"
            let rows = try ProgramRun.program("/usr/bin/python3", ["-c", script, office.path("out/CHU-2025/" + name)]).output.trimmingCharacters(in: .newlines)
            #expect(try query(office, database, "SELECT count(*) FROM \(table)") == rows)
        }
        #expect(try query(office, database, "SELECT count(*) = (SELECT count(*) FROM cortes) AND count(*) = count(calicatas_code) FROM cortes_calicatas") == "1")
        #expect(try query(office, database, "PRAGMA foreign_key_check") == "")
        #expect(try office.sql("SELECT count(*) FROM exports WHERE format = 'sqlite'") == "1")
    }

    @Test func itIsNotMadeUnasked() throws {
        let office = try Office(system: "ingeplus", set: "survey")
        #expect(try office.run("export", "cortes", "--project", "CHU-2025", "-o", "out", "--fail-on", "never").status == 0)
        #expect(try FileManager.default.subpathsOfDirectory(atPath: office.path("out")).allSatisfy { !$0.hasSuffix(".sqlite") })
        let wrong = try office.run("export", "cortes", "--format", "mdb", "-o", "out")
        #expect(wrong.status == 64 && wrong.error.contains("sqlite"), "\(wrong.error)")
    }
}
