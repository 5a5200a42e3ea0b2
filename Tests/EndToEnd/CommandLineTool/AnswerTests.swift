import Foundation
import Testing

/// Answers that a person can use. They have names and not ids, they give the rule and the remedy,
/// and they show nothing private.
@Suite struct AnswerTests {
    @Test func aPlanNamesTheFilesThatItWouldMake() throws {
        let office = try Office.pits()
        let plan = try office.run("run", "monthly", "-o", "out", "--plan")
        #expect(plan.status == 0 && !plan.output.contains("{"), "\(plan.output)\(plan.error)")
        #expect(plan.output.contains("out/2025-11/HYO-2025/calicatas-2025-12-01-v1.xlsx"))
        #expect(try office.files("out").isEmpty && !FileManager.default.fileExists(atPath: office.path("out/2025-11")))
        #expect(try office.run("run", "monthly", "-o", "out").status <= 1)
        #expect(try office.run("run", "monthly", "-o", "out", "--plan").output.contains("calicatas-2025-12-01-v2.xlsx"))
    }

    @Test func verifyCountsTheFilesOfTheFolder() throws {
        let office = try Office.pits()
        for folder in ["one", "two"] { #expect(try office.run("export", "calicatas", "--project", "HYO-2025", "--format", "xlsx", "-o", folder, "--line", folder).status <= 1) }
        let one = try office.run("verify", "-o", "one")
        #expect(one.status == 0 && one.output == "1 file is as it was registered.\nElsewhere, as it was registered: 1.\n", "\(one.output)")
        #expect(try office.run("verify").output == "2 files are as they were registered.\n")
    }

    @Test func anAcceptanceWithoutADaySaysSo() throws {
        let office = try Office.pits()
        let run = try office.run("accept", "fe3c4751", "--reason", "known")
        #expect(run.status == 64 && run.error.contains("ACCEPTANCE-NO-DAY") && run.error.contains("--until"), "\(run.error)")
    }

    @Test(arguments: ["depht_m=theirs", "teirs"]) func aConflictNamesItsFields(word: String) throws {
        let office = try Office.pits()
        let run = try office.run("conflicts", "keep", "C-19", word, "--project", "CHU-2025")
        #expect(run.status == 64 && run.error.contains("CONFLICT-FIELD") && run.error.contains("depth_m") && !run.error.contains("northing"), "\(run.error)")
    }

    @Test func nothingToTakeBackIsSaidSo() throws {
        let office = try Office(system: "ingeplus", set: nil)
        try office.bringIn("survey")
        let run = try office.run("undo", "last")
        #expect(run.status == 66 && run.error.contains("UNDO-NOTHING") && run.error.contains("nothing to take back"), "\(run.error)")
    }

    @Test func aFileThatBroughtNothingIsNotTheLast() throws {
        let office = try Office.pits()
        let edit = try office.run("edit", "C-01", "--project", "HYO-2025", "--set", "observations=seen", "--actor", Office.administrator)
        #expect(edit.status == 0, "\(edit.error)")
        let file = office.path("same.json")
        let id = try office.sql("SELECT id FROM calicatas WHERE code = 'C-02' AND project_id = (SELECT id FROM projects WHERE code = 'HYO-2025')")
        let depth = try office.sql("SELECT depth_m FROM calicatas WHERE id = '\(id)'")
        try Data(#"[{"id":"\#(id)","depth_m":\#(depth)}]"#.utf8).write(to: URL(fileURLWithPath: file))
        #expect(try office.run("import", file, "--entity", "calicatas", "--policy", "update", "--actor", Office.administrator).status == 0)
        let undone = try office.run("undo", "last", "--actor", Office.administrator)
        #expect(undone.status == 0 && undone.output.contains("edit"), "\(undone.output)\(undone.error)")
        #expect(try office.sql("SELECT count(*) FROM calicatas WHERE observations = 'seen'") == "0")
    }

    @Test func statusStaysShortWithVeryManyProjects() throws {
        let office = try Office.pits()
        let many = "WITH RECURSIVE n (i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < 300)"
        let made = "INSERT INTO projects (id, code, name) SELECT 'p' || i, 'P-' || i, 'Project ' || i FROM n"
        _ = try office.writableSQL("\(many) \(made)")
        let status = try office.run("status", "--actor", Office.administrator)
        #expect(status.status == 0 && status.output.split(separator: "\n").count < 60, "\(status.output)")
        #expect(status.output.contains("and 284 more"), "\(status.output)")
        let json = try Reading.json(office.run("status", "--json", "--actor", Office.administrator).output)
        #expect((json["projects"] as? [Any])?.count == 304)
    }

    @Test func answersHaveNamesAndNoIds() throws {
        let office = try Office.pits()
        let someID = /[0-9a-f]{8}-[0-9a-f]{4}-7[0-9a-f]{3}/
        let runs = [
            try office.run("users", "add", "rojas@example.pe", "--role", "CAMPO", "--project", "HYO-2025", "--actor", Office.administrator),
            try office.run("users", "join", "rojas@example.pe", "--project", "CHU-2025", "--actor", Office.administrator),
            try office.run("offline", "C-05", "--project", "HYO-2025", "--always"),
            try office.run("edit", "C-05/1", "--project", "HYO-2025", "--set", "description=Seen", "--fail-on", "never"),
        ]
        for run in runs { #expect(run.status == 0 && run.output.firstMatch(of: someID) == nil, "\(run.output)\(run.error)") }
        #expect(runs[1].output.contains("CHU-2025 / rojas@example.pe") && runs[2].output.contains("C-05") && runs[3].output.contains("HYO-2025 / C-05 / 1"))
    }
}
