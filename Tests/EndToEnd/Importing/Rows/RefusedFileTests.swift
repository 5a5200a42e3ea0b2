import Foundation
import Testing
import Workbench

/// Files that their mapping refuses by what the replica knows, before any row of them comes in.
@Suite struct RefusedFileTests {
    private static let samples = ProgramRun.root + "/Samples/interrapidisimo/legacy/"
    private let office: Office

    /// An office with three devices, whose server requires 100.2.0. The office noted 100.2.1 of R-07.
    init() throws {
        office = try Office(system: "interrapidisimo", set: nil)
        try office.bringIn("legacy/sources.csv", "--mapping", "fuentes", "--join")
        try office.bringIn("legacy/server/version.txt", "--mapping", "control-version")
        // The device keeps rows of tables that the server declares.
        try office.bringIn("legacy/server/schema.json", "--mapping", "esquema")
    }

    private func bringIn(_ options: String...) throws -> ProgramRun {
        try office.run(["import", Self.samples + "devices/R-07.db", "--project", "R-07", "--actor", Office.administrator] + options)
    }

    /// How many rows of devices there are, files of photos, and entries in the books.
    private func state() throws -> String {
        let rows = try office.sql(
            "SELECT (SELECT count(*) FROM photos) || ' ' || (SELECT count(*) FROM app_users) || ' ' || (SELECT count(*) FROM rejects) || ' ' || (SELECT count(*) FROM imports) || ' ' || (SELECT count(*) FROM sync_queue)")
        return rows + " " + (try office.files("fichero.db.files").joined(separator: " "))
    }

    @Test(arguments: ["100.1.9", "99.10.0", "100.2-0", "100"]) func whatAnOlderAppWroteIsRefusedWithTheVersionThatIsNeeded(_ version: String) throws {
        let before = try state()
        for more in [[], ["--dry-run"], ["--fail-on", "never"]] {
            let run = try office.run(
                ["import", Self.samples + "devices/R-07.db", "--project", "R-07", "--actor", Office.administrator, "--option", "app_version=\(version)"] + more)
            if version.contains("-") {
                #expect(run.status == 64 && run.error.contains("OPTION-VALUE"), "\(run.error)")
            } else {
                #expect(run.status == 65, "\(run.output)\(run.error)")
                #expect(run.output.contains("APP-ANTIGUA") && run.output.contains(version) && run.output.contains("100.2.0"), "\(run.output)")
                #expect(run.output.contains("Refused") && run.output.contains("--option app_version"), "\(run.output)")
            }
        }
        #expect(try state() == before)
    }

    @Test(arguments: ["100.2.0", "100.2", "100.10.0", "101"]) func whatANewerAppWroteComesIn(_ version: String) throws {
        let run = try bringIn("--option", "app_version=\(version)")
        #expect(run.status == 0, "\(run.output)\(run.error)")
        #expect(try office.sql("SELECT count(*) FROM photos") == "7")
        #expect(try office.sql("SELECT format FROM imports WHERE source LIKE '%R-07.db'") == "sqlite base-dispositivo?app_version=\(version)#R-07")
    }

    @Test func withoutTheOptionTheNotedVersionCounts() throws {
        #expect(try bringIn("--dry-run").status == 0)
        let edit = try office.run("edit", "R-07", "--set", "app_version=100.1.0", "--fail-on", "never", "--actor", Office.administrator)
        #expect(edit.status == 0, "\(edit.output)\(edit.error)")
        let refused = try bringIn("--json")
        let result = try MappedFolder.result(refused)
        #expect(refused.status == 65 && result["refused"] as? Bool == true, "\(refused.output)\(refused.error)")
        let findings = try MappedFolder.findings(refused)
        #expect(findings.map(\.code) == ["APP-ANTIGUA"] && findings[0].arguments == ["version": "100.1.0", "needed": "100.2.0"])
        // The file may be newer than the note.
        #expect(try bringIn("--option", "app_version=100.2.1").status == 0)
    }

    @Test func withoutAnAnswerOfTheServerNothingIsRefused() throws {
        let other = try Office(system: "interrapidisimo", set: nil)
        try other.bringIn("legacy/sources.csv", "--mapping", "fuentes", "--join")
        try other.bringIn("legacy/server/schema.json", "--mapping", "esquema")
        let run = try other.run(
            "import", Self.samples + "devices/R-07.db", "--project", "R-07", "--option", "app_version=1", "--actor", Office.administrator)
        #expect(run.status == 0, "\(run.output)\(run.error)")
    }

    @Test func aCheckBeforeTheImportTellsTheSame() throws {
        let before = try state()
        let run = try office.run(
            "validate", Self.samples + "devices/R-07.db", "--project", "R-07", "--option", "app_version=99", "--actor", Office.administrator)
        #expect(run.status == 1 && run.output.contains("APP-ANTIGUA"), "\(run.output)\(run.error)")
        #expect(try state() == before)
    }

    @Test func eachFileOfACommandIsJudged() throws {
        let both = [Self.samples + "devices/R-07.db", Self.samples + "devices/R-19.db"]
        let run = try office.run(["import"] + both + ["--project", "R-07", "--option", "app_version=99", "--json", "--actor", Office.administrator])
        let results = try #require(try JSONSerialization.jsonObject(with: Data(run.output.utf8)) as? [[String: Any]])
        #expect(run.status == 65 && results.map { $0["refused"] as? Bool } == [true, true], "\(run.output)\(run.error)")
        #expect(try office.sql("SELECT count(*) FROM photos") == "0")
    }

    /// A condition that cannot be judged lets nothing in.
    @Test(arguments: [
        ("SELECT full_name AS version, 1 AS needed FROM app_users", 77, "IMPORT-CONDITION-HIDDEN"),
        ("SELECT 1 AS version, 2 AS needed FROM no_such_table", 78, "VALIDATION-QUERY"),
        ("SELECT 1 AS version, 2 AS needed FROM sqlite_schema", 78, "VALIDATION-FORBIDDEN"),
    ])
    func aConditionThatCannotBeJudgedLetsNothingIn(_ sql: String, _ status: Int32, _ code: String) throws {
        let place = try TemporaryFolder()
        let templates = place.file("Templates")
        try FileManager.default.copyItem(atPath: ProgramRun.root + "/Templates", toPath: templates)
        func change(_ file: String, _ pattern: String, _ new: String) throws {
            let path = templates + "/interrapidisimo/" + file
            let text = try String(contentsOfFile: path, encoding: .utf8)
            let changed = try text.replacing(Regex(pattern), with: new)
            try #require(changed != text)
            try changed.write(toFile: path, atomically: true, encoding: .utf8)
        }
        try change("imports/base-dispositivo.yaml", "sql: \\|\n(      .*\n){3}", "sql: \(sql)\n")
        try change("pack.yaml", "sees: \\[public, internal, personal\\]", "sees: [public, internal]")
        #expect(try office.run("init", "--templates", templates, "--actor", Office.administrator).status == 0)
        let before = try state()
        let run = try office.run(
            "import", Self.samples + "devices/R-07.db", "--project", "R-07", "--templates", templates, "--actor", Office.administrator)
        #expect(run.status == status && run.error.contains(code), "\(run.output)\(run.error)")
        #expect(try state() == before)
        guard code == "VALIDATION-QUERY" else { return }
        let doctor = try office.run("doctor", "--pack", templates + "/interrapidisimo")
        #expect(doctor.status == 78 && doctor.output.contains("interrapidisimo/imports/base-dispositivo.yaml") && doctor.output.contains("[PACK-QUERY]"), "\(doctor.output)")
    }
}
