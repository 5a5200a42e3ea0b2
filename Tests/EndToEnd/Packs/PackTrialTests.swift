import Foundation
import Testing
import Workbench

/// `fichero doctor` compiles the SQL of packs, and with `--pack` runs the tests that a pack carries.
@Suite struct PackTrialTests {
    /// A copy of the packs, of which a test spoils one.
    private func templates(_ place: TemporaryFolder) throws -> String {
        let folder = place.file("Templates")
        try FileManager.default.copyItem(atPath: ProgramRun.root + "/Templates", toPath: folder)
        return folder
    }

    private func change(_ path: String, _ old: String, _ new: String) throws {
        let text = try String(contentsOfFile: path, encoding: .utf8)
        try #require(text.contains(old), "\(path)")
        try text.replacing(old, with: new, maxReplacements: 1).write(toFile: path, atomically: true, encoding: .utf8)
    }

    @Test(arguments: ProjectFolder.systems) func everyPackPassesItsOwnTests(_ system: String) throws {
        let place = try TemporaryFolder()
        let run = try ProgramRun.fichero(["doctor", "--pack", ProgramRun.root + "/Templates/" + system, "--json"], in: place.path)
        #expect(run.status == 0, "\(run.output)\(run.error)")
        #expect(run.output.contains("\"test\" : "), "a pack tests itself")
        #expect(try FileManager.default.contentsOfDirectory(atPath: place.path) == [], "nothing stays")
    }

    @Test func sqlThatDoesNotCompileIsToldWithItsPlaceAndSQLitesWords() throws {
        let place = try TemporaryFolder()
        let folder = try templates(place)
        try change(folder + "/ingeplus/rules/cortes.yaml", "FROM calicata_cortes", "FROM calicata_corte")
        let report = folder + "/ingeplus/reports/avance/report.yaml"
        try change(report, "sql: |", "sql: |\n      SELECT 1 +")
        for arguments in [["doctor", "--pack", folder + "/ingeplus"], ["doctor", "--templates", folder]] {
            let run = try ProgramRun.fichero(arguments + ["--lang", "en"], in: place.path)
            #expect(run.status == 78, "\(run.output)\(run.error)")
            #expect(run.output.contains("no such table: calicata_corte") && run.output.contains("[PACK-QUERY]"), "\(run.output)")
            #expect(try !run.output.matches(of: Regex("ingeplus/rules/cortes.yaml:[0-9]+:[0-9]+: ")).isEmpty, "\(run.output)")
            #expect(try !run.output.matches(of: Regex("ingeplus/reports/avance/report.yaml:[0-9]+:[0-9]+: ")).isEmpty, "\(run.output)")
        }
    }

    @Test func whatDiffersFromATestIsTold() throws {
        let place = try TemporaryFolder()
        let folder = try templates(place)
        try """
        test: propia
        rows:
          projects: [{id: p1, code: P-1, name: Camino, client: MTC, status: ACTIVO}]
          calicatas: [{id: c1, project_id: p1, code: C-01, depth_m: 40, status: BORRADOR}]
        files:
          - {name: calicatas.csv, entity: calicatas, text: "id,project_id,code\\nno-uuid,x,C-02\\n"}
        finds:
          - {code: CORTE-HUECO}
        ignores: [CALICATA-AUN-SIN-FOTO, CALICATA-CORTES-CORTOS]
        gives:
          - {export: calicatas, sheet: calicatas, csv: "nothing of the kind"}
        """.write(toFile: folder + "/ingeplus/tests/propia.yaml", atomically: true, encoding: .utf8)
        let run = try ProgramRun.fichero(["doctor", "--pack", folder + "/ingeplus", "--json"], in: place.path)
        #expect(run.status == 1, "\(run.output)\(run.error)")
        #expect(run.output.contains("CORTE-HUECO"), "expected and not found")
        #expect(run.output.contains("FIELD-RANGE"), "found and not expected")
        #expect(run.output.contains("nothing of the kind"), "another sheet")
        for (language, words) in [("en", "found and not expected"), ("it", "trovato e non atteso")] {
            let told = try ProgramRun.fichero(["doctor", "--pack", folder + "/ingeplus", "--lang", language], in: place.path)
            #expect(told.output.contains(words), "\(told.output)")
        }
        // A name that is not there is a mistake of the pack.
        try change(folder + "/ingeplus/tests/propia.yaml", "CORTE-HUECO", "CORTE-HUECOS")
        let wrong = try ProgramRun.fichero(["doctor", "--pack", folder + "/ingeplus", "--lang", "en"], in: place.path)
        #expect(wrong.status == 78 && wrong.output.contains("Did you mean “CORTE-HUECO”"), "\(wrong.output)\(wrong.error)")
    }
}
