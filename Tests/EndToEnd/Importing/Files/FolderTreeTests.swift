import Foundation
import Testing

/// A tree of folders as offices leave them: each file comes in by its own mapping, and the import says
/// what became of each.
@Suite struct FolderTreeTests {
    private static let legacy = ProgramRun.root + "/Samples/ingeplus/legacy/"

    private func office(_ files: [(sample: String, path: String)]) throws -> Office {
        let office = try Office(system: "ingeplus", set: nil)
        for file in files {
            let path = office.path(file.path)
            try FileManager.default.createDirectory(
                atPath: URL(fileURLWithPath: path).deletingLastPathComponent().path, withIntermediateDirectories: true)
            try FileManager.default.copyItem(atPath: Self.legacy + file.sample, toPath: path)
        }
        return office
    }

    private func bringIn(_ office: Office, _ more: String...) throws -> ProgramRun {
        try office.run(["import"] + more + ["--actor", Office.administrator])
    }

    @Test func aFolderWithOneDatabaseIsThatDatabase() throws {
        let office = try office([("access/calicatas.mdb", "viejo/2011/calicatas.mdb")])
        let run = try bringIn(office, "viejo/2011")
        let codes = try office.sql("SELECT group_concat(code) FROM (SELECT code FROM calicatas ORDER BY code)")
        let alone = try self.office([("access/calicatas.mdb", "calicatas.mdb")])
        #expect(try run.status == bringIn(alone, "calicatas.mdb").status)
        #expect(
            try !codes.isEmpty
                && codes == alone.sql("SELECT group_concat(code) FROM (SELECT code FROM calicatas ORDER BY code)"),
            "\(run.error)")
    }

    @Test func eachFileOfATreeHasItsOwnMapping() throws {
        let foxpro = ["CALICATA.DBF", "CALICATA.FPT", "ESTRATO.DBF", "ESTRATO.FPT", "OBRA.DBF", "OBRA.FPT"].map {
            ("foxpro/" + $0, "viejo/2008/" + $0)
        }
        let office = try office(
            foxpro + [
                ("registros/registro.xml", "viejo/2015/registro.xml"), ("access/calicatas.mdb", "viejo/calicatas.mdb"),
            ])
        try "a;b\n1;2\n".write(toFile: office.path("viejo/otra.csv"), atomically: true, encoding: .utf8)
        try Data("%PDF-1.4".utf8).write(to: URL(fileURLWithPath: office.path("viejo/2015/plano.pdf")))
        try Data([0xFF, 0xD8, 0xFF, 0xE0, 1, 2]).write(to: URL(fileURLWithPath: office.path("viejo/2015/foto.jpg")))
        let run = try bringIn(office, "viejo", "--json")
        #expect(run.status == 65, "\(run.error)")
        let results = try #require(try JSONSerialization.jsonObject(with: Data(run.output.utf8)) as? [[String: Any]])
        let sources = results.map { result -> String in
            let findings =
                (result["findings"] as? [[String: Any]])?.compactMap { $0["code"] as? String }.filter {
                    $0.hasPrefix("IMPORT-FILE")
                } ?? []
            return ([result["source"] as? String ?? ""] + findings).joined(separator: " ")
        }
        #expect(
            sources == [
                "viejo/calicatas.mdb", "viejo/otra.csv IMPORT-FILE-PENDING", "viejo/2008",
                "viejo/2015/plano.pdf IMPORT-FILE-REFUSED", "viejo/2015/registro.xml",
            ])
        #expect(run.output.contains("IMPORT-PICTURES-LEFT"))
        #expect(try office.sql("SELECT count(DISTINCT format) FROM imports WHERE format <> 'init'") == "3")
        // What came in stays as it is; only the others are told again.
        let text = try bringIn(office, "viejo")
        #expect(
            text.status == 65 && text.output.contains("pending: no mapping") && text.output.contains("refused"),
            "\(text.output)")
        #expect(try office.sql("SELECT count(*) FROM conflicts") == "0")
    }

    /// What Windows and Office leave beside the data keeps nothing back; a person's file does, until it is
    /// named.
    @Test func whatProgramsLeaveIsLeftOut() throws {
        let tables = ["CALICATA.DBF", "CALICATA.FPT", "ESTRATO.DBF", "ESTRATO.FPT", "OBRA.DBF", "OBRA.FPT"]
        let office = try office(
            tables.map { ("foxpro/" + $0, "viejo/2008/" + $0) } + [("access/calicatas.mdb", "viejo/calicatas.mdb")])
        for name in ["2008/Thumbs.db", "2008/desktop.ini", "~$registro.xlsx", "calicatas.ldb"] {
            try Data([0xD0, 0xCF, 0x11, 0xE0, 0xA1, 0xB1, 0x1A, 0xE1]).write(
                to: URL(fileURLWithPath: office.path("viejo/" + name)))
        }
        try "Copia del disco; no tocar\n".write(
            toFile: office.path("viejo/2008/LEAME.txt"), atomically: true, encoding: .utf8)
        let kept = try bringIn(office, "viejo", "--dry-run")
        #expect(
            kept.status == 65 && kept.output.contains("--exclude") && kept.output.contains("IMPORT-FILE-LEFT-OUT"),
            "\(kept.output)")
        let run = try bringIn(office, "viejo", "--exclude", "leame*")
        #expect(run.status == 0, "\(run.output)\(run.error)")
        #expect(!run.output.contains("IMPORT-EXCLUDES-NOTHING"))
        let idle = try bringIn(office, "viejo", "--exclude", "LEAME.txt", "--exclude", "viejo/*.txt", "--dry-run")
        #expect(
            idle.output.contains("IMPORT-EXCLUDES-NOTHING") && idle.output.contains("“viejo/*.txt”"), "\(idle.output)")
        for name in ["2008/LEAME.txt", "2008/Thumbs.db", "2008/desktop.ini", "~$registro.xlsx", "calicatas.ldb"] {
            let lines = run.output.split(separator: "\n").filter {
                $0.contains("viejo/\(name) ") && $0.hasSuffix("left out")
            }
            #expect(lines.count == 1, "\(name): \(run.output)")
        }
        // The database is one source, and so is the folder beside it.
        #expect(try office.sql("SELECT count(*) FROM imports WHERE format <> 'init'") == "2")
        let same = try office.run("rejects", "retry", "--actor", Office.administrator)
        #expect(same.status == 0, "\(same.error)")
    }

    /// A folder of tables that belong together, with an older copy of them below it.
    @Test func whatLiesBelowASetOfTablesIsToldAndDoesNotComeIn() throws {
        let tables = ["CALICATA.DBF", "CALICATA.FPT", "ESTRATO.DBF", "ESTRATO.FPT", "OBRA.DBF", "OBRA.FPT"]
        let office = try office(
            tables.flatMap { [("foxpro/" + $0, "datos/" + $0), ("foxpro/" + $0, "datos/respaldo/" + $0)] })
        let run = try bringIn(office, "datos")
        #expect(run.status == 65 && run.output.contains("IMPORT-BELOW"), "\(run.output)")
        #expect(try office.sql("SELECT count(*) FROM imports WHERE format <> 'init'") == "1")
        #expect(try bringIn(office, "datos", "--exclude", "respaldo").status == 0)
        #expect(try office.sql("SELECT count(*) FROM conflicts") == "0")
    }

    @Test func noMappingIsOfferedThatDoesNotFit() throws {
        let office = try office([])
        try "a;b\n1;2\n".write(toFile: office.path("otra.csv"), atomically: true, encoding: .utf8)
        let run = try bringIn(office, "otra.csv")
        #expect(
            run.status == 64 && run.error.contains("IMPORT-NO-MAPPING") && !run.error.contains("foxpro"), "\(run.error)"
        )
    }

    @Test func aFolderIsDescribedByItsPlainName() throws {
        let office = try office([("access/calicatas.mdb", "viejo/calicatas.mdb")])
        let run = try office.run("describe", "viejo", "--json")
        #expect(run.status == 0 && run.output.contains("Proyectos"), "\(run.error)")
        try FileManager.default.createDirectory(atPath: office.path("ingeplus"), withIntermediateDirectories: true)
        #expect(try office.run("describe", "ingeplus").output.contains("calicatas"), "a pack's name is the pack's")
    }
}
