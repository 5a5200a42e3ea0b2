import Foundation
import Testing
import Workbench

/// History tells what people did with names, and not what the program noted with ids.
@Suite struct HistoryTests {
    private static let chief = ["--actor", Office.administrator]
    private static var id: Regex<Substring> { /[0-9a-f]{8}-[0-9a-f]{4}-7[0-9a-f]{3}/ }

    /// Runs commands, each of which has to end well, or with findings.
    private func run(_ office: Office, _ commands: [[String]]) throws {
        for command in commands {
            let run = try office.run(command + (command[0] == "undo" ? [] : ["--fail-on", "never"]))
            #expect(run.status == 0, "\(command): \(run.output)\(run.error)")
        }
    }

    @Test func aCorrectionTellsWhoWhatAndWhy() throws {
        let office = try Office.pits()
        let pit = ["C-01", "--project", "HYO-2025"]
        try run(office, [
            ["edit"] + pit + ["--set", "depth_m=4.25", "--set", "water_status=not_measured"]
                + ["--reason", "measured again"],
            ["edit", "C-01/1", "--project", "HYO-2025", "--set", "description=Seen"],
        ])
        let history = try office.run("history", "--limit", "2")
        let lines = history.output.split(separator: "\n").map(String.init)
        #expect(history.status == 0, "\(history.error)")
        #expect(history.output.firstMatch(of: Self.id) == nil, "\(history.output)")
        // The newest is first.
        let who = try office.sql("SELECT full_name FROM profiles WHERE email = 'coordinadora@example.pe'")
        #expect(!who.isEmpty)
        #expect(lines[0].contains("  \(who): corrected Stratum HYO-2025 / C-01 / 1"), "\(history.output)")
        #expect(history.output.contains("\(who): corrected Test pit HYO-2025 / C-01\n"), "\(history.output)")
        #expect(history.output.contains("    Depth (m): 4.5 → 4.25\n    "), "\(history.output)")
        #expect(history.output.contains("    Reason: measured again"), "\(history.output)")
        // Words of vocabularies have their labels.
        #expect(!history.output.contains("not_measured"))
        #expect(history.output.contains("    Groundwater: Dry → Not measured"), "\(history.output)")
        let json = try Reading.json(office.run("history", "--limit", "2", "--json").output)
        let acts = try #require(json["acts"] as? [[String: Any]])
        #expect(acts.count == 2 && acts[1]["reason"] as? String == "measured again")
        #expect(acts[1]["who"] as? String == who)
    }

    @Test func everyActOfAPersonIsTold() throws {
        let office = try Office.pits()
        let project = ["--project", "HYO-2025"]
        try run(office, [
            ["add", "calicatas", "--set", "code=C-99", "--set", "depth_m=1.5"] + project,
            ["delete", "C-99", "--reason", "dug twice"] + project,
            ["conflicts", "keep", "CHU-2025/C-19", "theirs"],
            ["export", "calicatas", "--format", "csv,xlsx", "-o", "out", "--mark-exported"] + project,
            ["report", "avance", "-o", "out"] + project,
        ])
        let text = try office.run(["history", "--limit", "50"]).output
        for told in [
            "added Test pit HYO-2025 / C-99", "deleted Test pit HYO-2025 / C-99\n    Reason: dug twice", "kept as there",
            "exported “", "of HYO-2025, version 1: csv, xlsx", "handed over Test pits (", "made the report “",
            "    Status: Approved → Exported",
        ] {
            #expect(text.contains(told), "\(told)\n\(text)")
        }
        #expect(text.firstMatch(of: Self.id) == nil && !text.contains("row_") && !text.contains("out/"), "\(text)")
        let all = try office.run(["history"] + Self.chief).output
        #expect(all.contains("brought in “survey”") && all.contains("New: ") && all.contains("Test pits 66"), "\(all)")
    }

    @Test func anUndoSaysWhatItTookBack() throws {
        let office = try Office.pits()
        try run(office, [["edit", "C-01", "--project", "HYO-2025", "--set", "depth_m=4.25"], ["undo", "last"]])
        let text = try office.run("history", "--limit", "2").output
        #expect(text.contains("took back “edit” of "), "\(text)")
        #expect(text.contains("gave back earlier values to Test pit HYO-2025 / C-01"), "\(text)")
        #expect(text.contains("Depth (m): 4.25 → 4.5") && text.contains("(taken back)"), "\(text)")
    }

    @Test func aRecordHasItsLife() throws {
        let office = try Office.pits()
        try run(office, [
            ["edit", "C-05", "--project", "HYO-2025", "--set", "observations=Agua", "--reason", "seen"],
            ["edit", "C-05/1", "--project", "HYO-2025", "--set", "description=Seen"],
        ])
        let text = try office.run("history", "HYO-2025 / C-05").output
        let lines = text.split(separator: "\n").map(String.init)
        #expect(lines.first == "Test pit HYO-2025 / C-05", "\(text)")
        #expect(text.contains("corrected Stratum HYO-2025 / C-05 / 1") && text.contains("Observations: "), "\(text)")
        // Where the record came from, and what the devices noted before.
        #expect(text.contains("imported Test pit HYO-2025 / C-05 (calicatas.json:"), "\(text)")
        #expect(text.contains("(says a file)") && text.contains("Status: Draft → "), "\(text)")
        #expect(text.firstMatch(of: Self.id) == nil && !text.contains("/data/"), "\(text)")
        let raw = try office.run("history", "C-05", "--project", "HYO-2025", "--raw").output
        #expect(raw.contains("observations") && raw.contains("/data/calicatas.json"), "\(raw)")
    }

    @Test func listsKeepTheirShape() throws {
        let office = try Office.pits()
        for kind in ["changes", "runs", "exports", "activity"] {
            #expect(try Reading.json(office.run("history", kind, "--json").output).keys.sorted() == [kind])
        }
        let raw = try Reading.json(office.run("history", "--raw", "--json").output)
        #expect(raw.keys.sorted() == ["activity", "changes", "exports", "runs"])
    }

    /// A member sees what happened in the own projects, and of others' imports only these records.
    @Test func othersProjectsAreNotTold() throws {
        let office = try Office.pits()
        let text = try office.run("history", "--actor", "asistente@example.pe").output
        #expect(text.contains("brought in a file") && !text.contains("survey"), "\(text)")
        #expect(!text.contains("Projects 4"), "\(text)")
        #expect(!text.contains("CHU-2025") && !text.contains("BAY-2025"), "\(text)")
        let project = "SELECT id FROM projects WHERE code = 'HYO-2025'"
        let pits = try office.sql("SELECT count(*) FROM calicatas WHERE project_id = (\(project))")
        let new = text.split(separator: "\n").first { $0.contains("New: ") } ?? ""
        let counts = new.components(separatedBy: ": ").last?.components(separatedBy: ", ") ?? []
        #expect(counts.contains("Test pits \(pits)"), "\(pits) \(text)")
    }

    private static let hyo = "(SELECT id FROM projects WHERE code = 'HYO-2025')"

    /// An import is told with its updates and conflicts, also to others and of one project. Its
    /// file's name and its reason may be about other projects.
    @Test func anImportOfAnotherTellsUpdatesAndConflicts() throws {
        let office = try Office.pits()
        let project = ["--project", "HYO-2025"]
        try run(office, [["add", "calicatas", "--set", "code=C-99", "--set", "depth_m=1.5"] + project])
        let rows = try [("C-01", "4.25"), ("C-99", "2.5")].map { code, depth in
            let id = try office.sql("SELECT id FROM calicatas WHERE code = '\(code)' AND project_id = \(Self.hyo)")
            return #"{"id":"\#(id)","depth_m":\#(depth)}"#
        }
        try Data("[\(rows.joined(separator: ","))]".utf8).write(to: URL(fileURLWithPath: office.path("theirs.json")))
        let file = [office.path("theirs.json"), "--entity", "calicatas"]
        try run(office, [["import"] + file + ["--policy", "update", "--reason", "their words"]])
        let others = try office.run("history", "--limit", "1", "--actor", "asistente@example.pe").output
        let chosen = try office.run(["history", "--limit", "1"] + project).output
        let all = try office.run("history", "--limit", "1").output
        for text in [others, chosen, all] {
            #expect(text.contains("Updated: Test pits 1") && text.contains("In conflict: Test pits 1"), "\(text)")
        }
        #expect(others.contains("brought in a file"), "\(others)")
        #expect(!others.contains("theirs.json") && !others.contains("their words"), "\(others)")
        for text in [chosen, all] {
            #expect(text.contains("brought in “theirs.json”") && text.contains("Reason: their words"), "\(text)")
        }
    }

    /// A reason may quote the values of its table. Photos have a field that assistants do not see.
    @Test func aReasonIsShownToThoseWhoSeeTheWholeTable() throws {
        let office = try Office.pits()
        let photo = try office.sql("""
            SELECT f.id FROM calicata_photos AS f JOIN calicatas AS c ON c.id = f.calicata_id
            WHERE c.code = 'C-01' AND c.project_id = \(Self.hyo) ORDER BY f.id LIMIT 1
            """)
        try run(office, [
            ["edit", photo, "--set", "caption=Seen", "--reason", "photo words"],
            ["edit", "C-01", "--project", "HYO-2025", "--set", "depth_m=4.25", "--reason", "pit words"],
        ])
        let maker = try office.run("history", "--limit", "2").output
        #expect(maker.contains("photo words") && maker.contains("pit words"), "\(maker)")
        let other = try office.run("history", "--limit", "2", "--actor", "asistente@example.pe").output
        #expect(!other.contains("photo words") && other.contains("pit words"), "\(other)")
    }

    @Test func theLimitHoldsForALife() throws {
        let office = try Office.pits()
        let pit = ["history", "C-01", "--project", "HYO-2025"]
        try run(office, [["edit", "C-01", "--project", "HYO-2025", "--set", "depth_m=4.25"]])
        for limit in [0, 1] {
            let json = try Reading.json(office.run(pit + ["--limit", String(limit), "--json"]).output)
            #expect((json["acts"] as? [Any])?.count == limit)
        }
        for command in [pit, ["history"], ["history", "changes"]] {
            let refused = try office.run(command + ["--limit=-1"])
            #expect(refused.status == 64 && refused.error.contains("--limit counts from 0."), "\(refused.error)")
        }
    }

    /// A deleted record has a history too, under the code that people know.
    @Test func aDeletedRecordIsFoundByItsCode() throws {
        let office = try Office.pits()
        let added = try office.run("add", "calicatas", "--project", "HYO-2025", "--set", "code=C-77", "--fail-on", "never")
        let deleted = try office.run("delete", "C-77", "--project", "HYO-2025", "--reason", "dug twice", "--actor", Office.administrator)
        #expect(added.status == 0 && deleted.status == 0, "\(added.error)\(deleted.error)")
        let history = try office.run("history", "C-77", "--project", "HYO-2025")
        #expect(history.status == 0 && history.output.contains("dug twice"), "\(history.output)\(history.error)")
        #expect(try office.run("history", "C-77", "--project", "CHU-2025").status == 66)
    }
}
