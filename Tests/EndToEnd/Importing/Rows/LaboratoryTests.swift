import Foundation
import Testing

/// Samples, laboratory results, water readings and field tests: they come in, are computed, and go
/// out again.
@Suite struct LaboratoryTests {
    private static let workbook = ProgramRun.root + "/Samples/ingeplus/legacy/laboratorio/resultados.xlsx"

    /// The groups of the samples were computed by another program, in Python, from the same sieves.
    @Test func `computed groups are those of another program`() throws {
        let office = try Office(system: "ingeplus")
        let findings = try office.run("validate", "--fail-on", "never")
        #expect(findings.output.contains("CALICATA-POCO-PROFUNDA"), "\(findings.error)")
        #expect(!findings.output.contains("ENSAYO-"))
        #expect(try office.sql("SELECT count(*) FROM calicata_lab_results WHERE sucs IS NOT NULL AND aashto IS NOT NULL") == "160")
        #expect(try office.sql("SELECT count(DISTINCT sucs) > 12, count(DISTINCT aashto) > 8 FROM calicata_lab_results") == "1|1")
    }

    @Test func `a laboratory's workbook gives results to samples that are known, once`() throws {
        let office = try Office(system: "ingeplus")
        let arguments = ["import", Self.workbook, "--mapping", "resultados-laboratorio", "--actor", Office.administrator, "--lang", "en"]
        let before = try office.sql("SELECT count(*) FROM calicata_samples")
        let first = try office.run(arguments)
        #expect(first.status == 0, "\(first.error)")
        #expect(try office.sql("SELECT count(*) - \(before) FROM calicata_samples") == "2")
        #expect(try office.sql("SELECT count(*) FROM calicata_lab_results WHERE report_number LIKE 'LMS-2025-9%'") == "8")
        #expect(try office.sql("SELECT count(*) FROM calicata_lab_results WHERE report_number LIKE 'LMS-2025-9%' AND non_plastic = 1 AND plasticity_index IS NULL") == "3")
        #expect(try office.sql("SELECT count(*) FROM calicata_lab_results WHERE report_number LIKE 'LMS-2025-9%' AND non_plastic = 0 AND plasticity_index > 0") == "5")
        let log = try office.sql("SELECT count(*) FROM activity_logs")
        #expect(try office.run(arguments).status == 0)
        #expect(try office.sql("SELECT count(*) FROM calicata_lab_results WHERE report_number LIKE 'LMS-2025-9%'") == "8")
        #expect(try office.sql("SELECT count(*) FROM activity_logs WHERE action = 'row_imported' AND entity_type = 'calicata_lab_results'") == "8", "before: \(log)")
    }

    @Test func `the suggested mapping knows the sieves that have a name`() throws {
        let office = try Office(system: "ingeplus", set: nil)
        let suggested = try office.run("import", "--suggest", Self.workbook, "--actor", Office.administrator).output
        for sieve in ["4_75", "2", "0_85", "0_425", "0_25", "0_15", "0_106", "0_075"] {
            #expect(suggested.contains("passing_\(sieve)_mm: {column: "), "\(sieve) mm")
        }
        #expect(suggested.contains("sample_id: {parent: calicata_samples"))
    }

    /// The pack as it was before it had these tables, over which a replica was made and filled.
    @Test func `an old replica gets the tables and keeps its rows`() throws {
        let office = try Office(system: "ingeplus", set: nil)
        let old = office.path("Old")
        try FileManager.default.copyItem(atPath: ProgramRun.root + "/Templates", toPath: old)
        let pack = old + "/ingeplus/"
        let tables = ["calicata_samples", "calicata_lab_results", "calicata_water_readings", "calicata_field_tests"]
        for part in tables.map({ "entities/\($0).yaml" }) + ["reports", "exports", "jobs", "tests", "rules/ensayos.yaml", "imports/resultados-laboratorio.yaml"]
            + ["sample_type", "end_reason", "field_test_type"].map({ "vocabularies/\($0).yaml" }) {
            try FileManager.default.removeItem(atPath: pack + part)
        }
        func edit(_ file: String, _ keeps: (Substring) -> Bool) throws {
            let lines = try String(contentsOfFile: pack + file, encoding: .utf8).split(separator: "\n", omittingEmptySubsequences: false)
            let kept = lines.filter(keeps)
            #expect(kept.count < lines.count, "\(file)")
            try kept.joined(separator: "\n").write(toFile: pack + file, atomically: true, encoding: .utf8)
        }
        try edit("pack.yaml") { line in !tables.contains { line.contains("entity: \($0),") } && !line.hasPrefix("version:") }
        try (String(contentsOfFile: pack + "pack.yaml", encoding: .utf8) + "\nversion: 1.0.0\n").write(toFile: pack + "pack.yaml", atomically: true, encoding: .utf8)
        // Texts of what is no longer there.
        let unused = /^'?(job|export|sheet|label|report|import\.resultados|rule\.(MUESTRA|ENSAYO|NAPA-LECTURA|CALICATA-SIN-FIRMA|CALICATA-FIRMA)|vocabulary\.(sample_type|end_reason|field_test_type)|(entity|field)\.calicata_(samples|lab_results|water_readings|field_tests)|field\.calicatas\.(equipment|end_reason|backfill|revision|signed_by|signed_at))[.:'-]/
        for language in ["es", "en", "it"] { try edit("texts/\(language).yaml") { $0.firstMatch(of: unused) == nil } }
        let added = ["equipment", "end_reason", "backfill", "revision", "signed_by", "signed_at"]
        let entity = try String(contentsOfFile: pack + "entities/calicatas.yaml", encoding: .utf8)
        let cut = try #require(entity.range(of: "  - {name: equipment"))
        #expect(added.allSatisfy { entity[cut.lowerBound...].contains("name: \($0),") })
        try String(entity[..<cut.lowerBound]).write(toFile: pack + "entities/calicatas.yaml", atomically: true, encoding: .utf8)

        try FileManager.default.removeItem(atPath: office.replica)
        let today = ProgramRun.root + "/Templates"
        let made = try office.run("init", "--pack", "ingeplus", "--admin", Office.administrator, "--templates", old)
        #expect(made.status == 0, "\(made.error)")
        let survey = ProgramRun.root + "/Samples/ingeplus/survey"
        let brought = try office.run("import", survey, "--fail-on", "never", "--actor", Office.administrator, "--templates", old)
        #expect(brought.error.contains("IMPORT-UNKNOWN-ENTITY") || brought.output.contains("IMPORT-UNKNOWN-ENTITY"), "\(brought.error)")
        let counted = "SELECT (SELECT count(*) FROM calicatas) || ' ' || (SELECT count(*) FROM calicata_cortes) || ' ' || (SELECT count(*) FROM calicata_photos)"
        let before = try office.sql(counted)
        #expect(before == "66 277 151")

        // Today's pack brings the replica up to date, and the rows that were not known come in.
        let migrated = try office.run("init", "--templates", today, "--actor", Office.administrator)
        #expect(migrated.status == 0, "\(migrated.error)")
        #expect(try office.sql(counted) == before)
        #expect(try office.run("import", survey, "--fail-on", "never", "--actor", Office.administrator).status == 0)
        #expect(try office.sql(counted) == before)
        // Those of pits that are closed wait; none is lost.
        #expect(try office.sql("SELECT count(*) FROM calicata_lab_results") == "159")
        #expect(try office.sql("SELECT count(*) FROM rejects WHERE entity = 'calicata_lab_results'") == "8")
        #expect(try office.sql("PRAGMA integrity_check") == "ok")
    }
}
