import Foundation
import Testing

/// Each legacy file of the samples comes in completely and only once, by the mapping that the pack
/// has for it.
@Suite struct LegacyImportTests {
    private static let folder = ProgramRun.root + "/Samples/ingeplus/legacy/"

    private static let files: [(path: String, mapping: String?)] = [
        ("registros/registro-legado.xlsx", nil), ("registros/registro-legado.xls", nil), ("registros/registro-plano.csv", nil),
        ("registros/registro-web.xls", nil), ("registros/registro.xml", nil), ("registros/formulario-kobo.jsonl", nil), ("foxpro", "foxpro"),
    ]

    private static func expected(_ path: String) throws -> [String: Any] {
        guard path.hasPrefix("registros/") else { return ["projects": 1, "calicatas": 6, "calicata_cortes": 20] }
        let data = try Data(contentsOf: URL(fileURLWithPath: folder + "registros/expected.json"))
        let all = try JSONSerialization.jsonObject(with: data) as? [String: Any]
        return all?[String(path.dropFirst("registros/".count))] as? [String: Any] ?? [:]
    }

    private struct Counts: Decodable, Equatable {
        var imported = 0, updated = 0, unchanged = 0, conflict = 0, rejected = 0, waiting = 0, filtered = 0
    }

    private struct Line: Decodable { var entity: String, counts: Counts }
    private struct Report: Decodable { var lines: [Line] }
    private struct Result: Decodable { var format: String, report: Report }

    private func bringIn(_ path: String, _ mapping: String?, _ office: Office) throws -> (Result, Int32) {
        let run = try office.run(
            ["import", Self.folder + path, "--json", "--actor", Office.administrator] + (mapping.map { ["--mapping", $0] } ?? []))
        let results = try JSONDecoder().decode([Result].self, from: Data(run.output.utf8))
        return (try #require(results.first, "\(run.error)"), run.status)
    }

    @Test(arguments: files.indices)
    func comesInWholeAndOnce(_ index: Int) throws {
        let (path, mapping) = Self.files[index]
        let office = try Office(system: "ingeplus", set: nil)
        let expected = try Self.expected(path)
        let rejected = expected["rejected"] as? [String: Int] ?? [:]
        let waiting = expected["waiting"] as? [String: Int] ?? [:]
        let before = try office.sql("SELECT count(*) FROM sync_queue")
        let (first, status) = try bringIn(path, mapping, office)
        #expect(status == (rejected.isEmpty ? 0 : 1))
        for line in first.report.lines {
            #expect(line.counts.imported == expected[line.entity] as? Int, "\(path) \(line.entity)")
            #expect(line.counts.rejected == rejected[line.entity] ?? 0, "\(path) \(line.entity)")
            #expect(line.counts.waiting == waiting[line.entity] ?? 0, "\(path) \(line.entity)")
            #expect(try office.sql("SELECT count(*) FROM \(line.entity)") == String(line.counts.imported))
        }
        #expect(Set(first.report.lines.map(\.entity)) == ["projects", "calicatas", "calicata_cortes"])
        // Each new row waits for upload and has a log entry.
        let rows = first.report.lines.reduce(0) { $0 + $1.counts.imported }
        #expect(try office.sql("SELECT count(*) FROM sync_queue WHERE operation = 'INSERT' AND entity_type <> 'profiles'") == String(rows))
        #expect(try office.sql("SELECT count(*) FROM activity_logs WHERE action = 'row_imported'") == String(rows))
        let (second, _) = try bringIn(path, mapping, office)
        for (before, after) in zip(first.report.lines, second.report.lines) {
            #expect(after.counts == Counts(unchanged: before.counts.imported, rejected: before.counts.rejected, waiting: before.counts.waiting, filtered: before.counts.filtered))
        }
        #expect(try Int(office.sql("SELECT count(*) FROM sync_queue")) == rows + (Int(before) ?? 0))
        #expect(try office.sql("SELECT count(*) FROM rejects") == String((Array(rejected.values) + Array(waiting.values)).reduce(0, +)))
    }

    @Test func valuesAreThoseOfTheFile() throws {
        let office = try Office(system: "ingeplus", set: nil)
        for (path, mapping) in Self.files { _ = try bringIn(path, mapping, office) }
        // The pit is the same, whichever program wrote the file.
        let pits = try office.sql(
            """
            SELECT DISTINCT c.progresiva || ' ' || c.side || ' ' || c.easting || ' ' || c.northing || ' ' || c.altitude_m || ' ' || c.depth_m || ' '
              || c.groundwater_depth_m || ' ' || c.end_date || ' ' || c.status
            FROM calicatas AS c JOIN projects AS p ON p.id = c.project_id WHERE p.code LIKE 'SAM-%' AND c.code = 'C-05'
            """)
        #expect(pits == "2+150 DERECHO 613502.15 9272330.05 253.45 3.0 2.45 2012-05-16 BORRADOR")
        #expect(try office.sql("SELECT count(*) FROM calicatas WHERE code = 'C-01' AND groundwater_depth_m IS NULL") == "6")
        #expect(try office.sql("SELECT count(*) FROM calicata_cortes WHERE description LIKE '%ñeque Ø 10\"%'") == "6")
        #expect(
            try office.sql("SELECT group_concat(code || coalesce(' ' || water_status, ''), ',') FROM (SELECT * FROM calicatas WHERE code LIKE 'C-_' ORDER BY code)")
                == "C-1 dry,C-2 dry,C-3 found,C-4 dry,C-5,C-6 found")
        #expect(try office.sql("SELECT description FROM calicata_cortes WHERE description LIKE 'Arcilla arenosa%Presencia%'").contains("húmeda"))
    }

    @Test func aRejectedRowIsMendedAsItStoodInItsFile() throws {
        let office = try Office(system: "ingeplus", set: nil)
        _ = try bringIn("registros/registro-plano.csv", nil, office)
        let pit = try office.sql("SELECT id FROM rejects WHERE entity = 'calicatas'")
        let edit = try office.run("rejects", "edit", pit, "--set", "Profundidad=1,80", "--actor", Office.administrator)
        #expect(edit.status == 0, "\(edit.error)")
        let retry = try office.run("rejects", "retry", "--actor", Office.administrator)
        #expect(retry.status == 0, "\(retry.output) \(retry.error)")
        #expect(try office.sql("SELECT depth_m || ' ' || progresiva FROM calicatas WHERE code = 'C-07'") == "1.8 3+150")
        #expect(try office.sql("SELECT count(*) FROM calicata_cortes WHERE sucs = 'GC'") == "1")
        #expect(try office.sql("SELECT count(*) FROM rejects WHERE state = 'open'") == "0")
    }

    /// A decision about a rejected row still holds when the same file is imported again. The row
    /// was corrected and went in, or it was dismissed.
    @Test func aSecondImportAsksNothingAnewThatWasDecided() throws {
        let office = try Office(system: "ingeplus", set: nil)
        let file = "registros/registro-plano.csv", states = "SELECT group_concat(entity || ' ' || state || ' ' || n) FROM (SELECT entity, state, count(*) AS n FROM rejects GROUP BY 1, 2)"
        _ = try bringIn(file, nil, office)
        let pit = try office.sql("SELECT id FROM rejects WHERE entity = 'calicatas'")
        try office.run("rejects", "edit", pit, "--set", "Profundidad=1,80", "--actor", Office.administrator)
        try office.run("rejects", "retry", "--actor", Office.administrator)
        _ = try bringIn(file, nil, office)
        #expect(try office.sql(states) == "calicata_cortes corrected 1,calicatas corrected 1")
        // After the correction is taken back, the rows are rejected again. After a dismissal, they
        // are not.
        #expect(try office.sql("SELECT count(*) FROM imports WHERE format <> 'init'") == "3")
        let retry = try office.sql("SELECT id FROM imports WHERE format = 'rejects'")
        #expect(try office.run("undo", retry, "--actor", Office.administrator).status == 0)
        for reject in try office.sql("SELECT id FROM rejects").split(separator: "\n") {
            try office.run("rejects", "dismiss", String(reject), "--reason", "no such pit", "--actor", Office.administrator)
        }
        _ = try bringIn(file, nil, office)
        #expect(try office.sql(states) == "calicata_cortes dismissed 1,calicatas dismissed 1")
        #expect(try office.sql("SELECT count(*) FROM calicatas") == "6")
    }

    /// The source is corrected, not the row. Then the rejected row and the rows that waited for it
    /// come in. When the import is taken back, they are rejected again.
    @Test func aMendedSourceResolvesWhatWaited() throws {
        let office = try Office(system: "ingeplus", set: nil)
        _ = try bringIn("registros/registro-plano.csv", nil, office)
        let source = try Data(contentsOf: URL(fileURLWithPath: ProgramRun.root + "/Samples/ingeplus/legacy/registros/registro-plano.csv"))
        let text = try #require(String(data: source, encoding: .windowsCP1252)).replacing("hondo", with: "1,80")
        try text.write(toFile: office.path("mended.csv"), atomically: true, encoding: .utf8)
        let dry = try office.run("import", "mended.csv", "--dry-run", "--actor", Office.administrator)
        #expect(try dry.status == 0 && office.sql("SELECT count(*) FROM rejects WHERE state = 'open'") == "2", "\(dry.error)")
        #expect(try office.run("import", "mended.csv", "--actor", Office.administrator).status == 0)
        #expect(try office.sql("SELECT count(*), sum(state = 'corrected') FROM rejects") == "2|2")
        #expect(try office.sql("SELECT depth_m FROM calicatas WHERE code = 'C-07'") == "1.8")
        #expect(try office.run("undo", "last", "--actor", Office.administrator).status == 0)
        #expect(try office.sql("SELECT count(*), sum(state = 'open') FROM rejects") == "2|2")
    }

    @Test func whoBringsAProjectInMayJoinIt() throws {
        let office = try Office(system: "ingeplus", set: nil)
        for (options, count) in [(["--join", "--dry-run"], "0"), ([], "0"), (["--join"], "0")] {
            #expect(try office.run(["import", Self.folder + "foxpro", "--actor", Office.administrator] + options).status == 0)
            #expect(try office.sql("SELECT count(*) FROM project_members") == count, "only a new project is joined")
        }
        #expect(try office.run("import", Self.folder + "registros/registro.xml", "--join", "--actor", Office.administrator).status == 0)
        #expect(try office.sql("SELECT count(*) FROM project_members") == "1")
        let history = try office.run("history", "C-05", "--project", "SAM-2015", "--actor", Office.administrator)
        #expect(history.status == 0 && history.output.contains("registro.xml"), "\(history.output) \(history.error)")
    }

    @Test func aFileThatDoesNotFitIsRefusedAndNothingChanges() throws {
        let office = try Office(system: "ingeplus", set: nil)
        try "a;b\n1;2\n".write(toFile: office.path("otra.csv"), atomically: true, encoding: .utf8)
        for (arguments, status, code) in [
            (["otra.csv"], Int32(64), "IMPORT-NO-MAPPING"),
            (["otra.csv", "--mapping", "registro-plano"], 65, "IMPORT-COLUMNS"),
            (["otra.csv", "--mapping", "foxpro"], 65, "IMPORT-MAPPING-KIND"), (["otra.csv", "--mapping", "nada"], 64, "IMPORT-MAPPING"),
        ] {
            let run = try office.run(["import", "--actor", Office.administrator] + arguments)
            #expect(run.status == status, "\(arguments)")
            #expect(run.error.contains(code), "\(run.error)")
        }
        // If a file exceeds a bound, this is reported, and not that no mapping fits.
        let bounded = try office.run(
            "import", Self.folder + "registros/registro-plano.csv", "--limit", "columns=3", "--actor", Office.administrator)
        #expect(bounded.status == 65 && bounded.error.contains("TABLE-TOO-LARGE"), "\(bounded.error)")
        #expect(try office.sql("SELECT count(*) FROM imports WHERE format <> 'init'") == "0")
    }
}
