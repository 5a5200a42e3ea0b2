import Foundation
import Testing

/// Files of other programs as offices have them: without their memos, without a code page, or as
/// another kind of workbook.
@Suite struct ForeignFileTests {
    private static let foxPro = ProgramRun.root + "/Samples/ingeplus/legacy/foxpro"

    private func codes(_ run: ProgramRun) throws -> [String] {
        let found = try #require(try JSONSerialization.jsonObject(with: Data(run.output.utf8)) as? [String: Any], "\(run.error)")
        return (found["findings"] as? [[String: Any]])?.compactMap { $0["code"] as? String } ?? []
    }

    @Test func aTableWithoutItsMemosIsRefusedWithTheWayOut() throws {
        let office = try Office(system: "ingeplus", set: nil)
        try FileManager.default.copyItem(atPath: Self.foxPro + "/CALICATA.DBF", toPath: office.path("CALICATA.DBF"))
        let refused = try office.run("describe", office.path("CALICATA.DBF"))
        #expect(refused.status == 65)
        #expect(refused.error.contains("TABLE-NO-MEMO") && refused.error.contains("--without-memos"))
        let read = try office.run("describe", office.path("CALICATA.DBF"), "--without-memos", "--json")
        #expect(read.status == 0)
        #expect(try codes(read) == ["IMPORT-NO-MEMO"])
    }

    @Test func aGuessedCodePageIsReportedByDescribeAndImport() throws {
        let office = try Office(system: "ingeplus", set: nil)
        try FileManager.default.copyItem(atPath: Self.foxPro, toPath: office.path("viejo"))
        let table = URL(fileURLWithPath: office.path("viejo/OBRA.DBF"))
        var bytes = try Data(contentsOf: table)
        // This byte is the language driver.
        bytes[29] = 0
        try bytes.write(to: table)
        #expect(try codes(office.run("describe", table.path, "--json")) == ["IMPORT-CODE-PAGE"])
        let run = try office.run("import", office.path("viejo"), "--mapping", "foxpro", "--fail-on", "never", "--actor", Office.administrator)
        #expect(run.status == 0, "\(run.error)")
        #expect(run.output.contains("IMPORT-CODE-PAGE"))
        #expect(run.output.contains("read as cp850"))
    }

    @Test func aMappingForWorkbooksTakesTheSameSheetsOfOpenDocument() throws {
        let office = try Office(system: "ingeplus", set: nil)
        let made = try Reading.python(
            """
            import subprocess, sys
            subprocess.run(["soffice", "--headless", "-env:UserInstallation=file://" + sys.argv[2] + "/profile", "--convert-to", "ods", "--outdir", sys.argv[2], sys.argv[1]], check=True)
            """, ProgramRun.root + "/Samples/ingeplus/legacy/registros/registro-legado.xlsx", office.path("."))
        #expect(made.status == 0, "\(made.error)")
        func table(_ path: String) throws -> [Substring] {
            let run = try office.run("import", path, "--mapping", "registro-legado", "--dry-run", "--fail-on", "never", "--actor", Office.administrator)
            #expect(run.status == 0, "\(run.error)")
            return Array(run.output.split(separator: "\n").prefix(4))
        }
        let expected = try table(ProgramRun.root + "/Samples/ingeplus/legacy/registros/registro-legado.xlsx")
        #expect(expected.count == 4)
        #expect(try table(office.path("registro-legado.ods")) == expected)
    }
}
