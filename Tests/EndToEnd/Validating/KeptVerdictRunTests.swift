import Foundation
import Testing
import Workbench

/// A validation that uses kept verdicts prints the same findings as one that checks everything.
@Suite struct KeptVerdictRunTests {
    private func findings(_ office: Office, _ options: String...) throws -> [String: NSObject] {
        let run = try office.run(["validate", "--fail-on", "never", "--json"] + options)
        #expect(run.status == 0, "\(run.error)")
        var told = try #require(JSONSerialization.jsonObject(with: Data(run.output.utf8)) as? [String: NSObject])
        told["run"] = nil
        return told
    }

    @Test(arguments: ["ingeplus", "anagrafica"]) func aLaterRunTellsWhatAWholeOneTells(system: String) throws {
        let office = try Office(system: system)
        let first = try findings(office)
        #expect(try office.sql("SELECT count(*) > 20 FROM kept_checks") == "1")
        #expect(try findings(office) == first)
        let (table, field) = system == "ingeplus" ? ("calicata_cortes", "depth_to_m = depth_from_m - 1") : ("rooms", "name = 'room 1'")
        // Another program writes rows and gives them new stamps.
        _ = try office.writableSQL(
            """
            UPDATE fichero_replica SET value = value + 1 WHERE key = 'stamp';
            UPDATE \(table) SET \(field), content_stamp = (SELECT CAST(value AS INTEGER) FROM fichero_replica WHERE key = 'stamp')
            WHERE id IN (SELECT id FROM \(table) ORDER BY id LIMIT 3)
            """)
        let second = try findings(office)
        #expect(second != first)
        #expect(try findings(office, "--anew") == second)
        #expect(try office.run("validate", "--anew", "--rows-only").status == 64)
    }

    /// An export uses the verdict of the validation before it. Its own mark changes rows, which are
    /// checked again.
    @Test func anExportGoesOnFromAValidation() throws {
        let office = try Office.pits()
        _ = try findings(office)
        let before = try office.sql("SELECT generation FROM kept_verdicts")
        #expect(try office.run("export", "calicatas", "-o", "out", "--format", "xlsx", "--fail-on", "never", "--mark-exported").status <= 1)
        #expect(try office.sql("SELECT count(*) FROM kept_verdicts") == "1")
        let told = try findings(office)
        #expect(try office.sql("SELECT generation FROM kept_verdicts") != before)
        #expect(try findings(office, "--anew") == told)
    }

    @Test func whoSeesNoProjectIsReportedSo() throws {
        let office = try Office.pits()
        #expect(try office.run("users", "add", "nueva@example.pe", "--role", "CAMPO", "--actor", Office.administrator).status == 0)
        let run = try office.run("validate", "--actor", "nueva@example.pe")
        #expect(run.output.contains("fichero users join nueva@example.pe") && !run.output.contains("No findings"), "\(run.output)")
    }
}
