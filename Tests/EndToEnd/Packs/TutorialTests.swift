import Foundation
import Testing
import Workbench

/// Whoever follows `Docs/first-pack.md` has a system that stands: its files are written as they
/// are shown, and its commands are run.
@Suite struct TutorialTests {
    private static let page = ProgramRun.root + "/Docs/first-pack.md"

    /// The files of the page, by their paths.
    private static func files(_ text: String) -> [(path: String, text: String)] {
        text.matches(of: /`([^`\n]+)`:\n```[a-z]*\n((?s).*?)```/).map { (String($0.1), String($0.2)) }
    }

    private func written() throws -> TemporaryFolder {
        let place = try TemporaryFolder()
        for file in Self.files(try String(contentsOfFile: Self.page, encoding: .utf8)) {
            let url = URL(fileURLWithPath: place.file(file.path))
            try FileManager.default.createDirectory(at: url.deletingLastPathComponent(), withIntermediateDirectories: true)
            try Data(file.text.utf8).write(to: url)
        }
        return place
    }

    @Test func theSystemOfThePageStands() throws {
        let place = try written()
        let page = try String(contentsOfFile: Self.page, encoding: .utf8)
        let commands = page.matches(of: /\$ fichero (.*)\n/).map { String($0.1) }
        #expect(commands.count == 6 && Self.files(page).count == 13)
        for command in commands {
            let run = try ProgramRun.fichero(command.split(separator: " ").map(String.init), in: place.path, environment: ["FICHERO_LANG": "en"])
            #expect(run.status == 0, "\(command)\n\(run.output)\(run.error)")
            if command.hasPrefix("doctor") { #expect(run.output.contains("✓ register"), "\(run.output)") }
            if command.hasPrefix("validate") { #expect(run.output.contains("No findings in 5 rows"), "\(run.output)") }
        }
        let made = try FileManager.default.subpathsOfDirectory(atPath: place.file("out"))
        #expect(made.contains { $0.hasSuffix(".xlsx") } && made.contains { $0.hasSuffix(".pdf") })
        // In a language that the pack does not have, documents are in its first.
        let report = ["report", "well-sheets", "--format", "pdf", "-o", "it", "--lang", "it", "--again", "--templates", "Templates", "--actor", "ana@example.org"]
        let other = try ProgramRun.fichero(report, in: place.path)
        let pages = try FileManager.default.subpathsOfDirectory(atPath: place.file("it")).filter { $0.hasSuffix(".pdf") }
        let text = try OtherProgram.run("/usr/bin/pdftotext", ["-layout", place.file("it/" + #require(pages.first)), "-"]).text
        #expect(other.status == 0 && text.contains("Visits") && !text.contains("field.") && !text.contains("pack.title"), "\(text)")
    }

    /// A test of the pack is judged at its own time, whatever that of the run; one that says none at
    /// that of the run.
    @Test func aTestOfThePackHasItsOwnTime() throws {
        let place = try written()
        let pack = place.file("Templates/wells")
        func change(_ file: String, _ old: String, _ new: String) throws {
            let text = try String(contentsOfFile: pack + file, encoding: .utf8)
            try #require(text.contains(old))
            try text.replacing(old, with: new).write(toFile: pack + file, atomically: true, encoding: .utf8)
        }
        func passes(at time: String) throws -> Bool {
            try ProgramRun.fichero(["doctor", "--pack", pack, "--as-of", time], in: place.path).output.contains("✓ register")
        }
        try change("/rules/visits.yaml", "require: yield_l_s <= well_id.yield_l_s", "require: yield_l_s <= well_id.yield_l_s and day <= today()")
        #expect(try passes(at: "2026-08-01T12:00:00Z") && !passes(at: "2026-01-01T12:00:00Z"))
        try change("/tests/register.yaml", "test: register", "test: register\nasOf: 2026-08-01T12:00:00Z")
        #expect(try passes(at: "2026-01-01T12:00:00Z"))
        try change("/tests/register.yaml", "asOf: 2026-08", "asOf: 2026-02")
        #expect(try !passes(at: "2026-08-01T12:00:00Z"))
    }

    /// A state that only says how things are: no role moves a record on from it, whoever may edit
    /// corrects it, and a record with errors may enter it. Where the pack says that it approves, it
    /// may not.
    @Test func aLastStateIsNoApproval() throws {
        let place = try written()
        let wells = place.file("Templates/wells/entities/wells.yaml")
        let text = try String(contentsOfFile: wells, encoding: .utf8)
        func run(_ line: String) throws -> ProgramRun {
            let options = ["--templates", place.file("Templates"), "--lang", "en"] + (line.hasPrefix("init") ? [] : ["--actor", "ana@example.org"])
            return try ProgramRun.fichero(line.split(separator: " ").map(String.init) + options, in: place.path)
        }
        func states(_ more: String) throws {
            let machine = "states: {field: state, initial: working, \(more)transitions: [{from: working, to: dry, roles: [OFFICE]}]}\nfields:"
            try text.replacing("fields:", with: machine).write(toFile: wells, atomically: true, encoding: .utf8)
        }
        try states("approves: [dry], ")
        #expect(try run("init --pack wells --admin ana@example.org").status == 0)
        #expect(try run("import register.csv --mapping register --join").status == 0)
        let last = try run("edit W-2 --set depth_m=61")
        #expect(last.status == 0, "\(last.output)\(last.error)")
        _ = try run("edit W-1 --set depth_m=999")
        let approval = try run("review W-1 --to dry")
        #expect(approval.status == 65 && approval.error.contains("CHANGE-FINDINGS"), "\(approval.output)\(approval.error)")
        try states("")
        #expect(try run("init --actor ana@example.org").status == 0)
        let moved = try run("review W-1 --to dry")
        #expect(moved.status == 0, "\(moved.output)\(moved.error)")
        try states("approves: [drry], ")
        #expect(try run("doctor --pack wells").error.contains("Did you mean “dry”"))
    }

    /// A file that does not name its project is checked before the import in the same words; without
    /// the project it is the project that is missing, not a mapping.
    @Test func aFileWithoutItsProjectIsCheckedToo() throws {
        let place = try written()
        try "import: census\ntitle: Census\naccepts: [csv]\ntables:\n  - rows:\n      - {entity: wells, key: [code], fields: {code: Well, state: State, depth_m: Deep}}\n"
            .write(toFile: place.file("Templates/wells/imports/census.yaml"), atomically: true, encoding: .utf8)
        try "import: answers\ntitle: Answers\naccepts: [submissions]\ntables:\n  - rows: [{entity: wells, key: [code], fields: {code: Well}}]\n"
            .write(toFile: place.file("Templates/wells/imports/answers.yaml"), atomically: true, encoding: .utf8)
        try "Well;State;Deep\nW-9;working;999\n".write(toFile: place.file("census.csv"), atomically: true, encoding: .utf8)
        try "Pozo;Estado\nW-1;working\n".write(toFile: place.file("pozos.csv"), atomically: true, encoding: .utf8)
        func run(_ line: String) throws -> ProgramRun {
            let options = ["--templates", place.file("Templates"), "--lang", "en"] + (line.hasPrefix("init") ? [] : ["--actor", "ana@example.org"])
            return try ProgramRun.fichero(line.split(separator: " ").map(String.init) + options, in: place.path)
        }
        #expect(try run("init --pack wells --admin ana@example.org").status == 0)
        #expect(try run("import register.csv --mapping register --join").status == 0)
        for command in ["validate census.csv", "import census.csv", "validate census.csv --mapping census"] {
            let without = try run(command)
            #expect(without.status == 64 && without.error.contains("IMPORT-PROJECT-NEEDED"), "\(command): \(without.error)")
            #expect(without.error.contains("Yours: P-1"), "\(without.error)")
        }
        for command in ["validate census.csv --project P-1", "validate census.csv --mapping census --project P-1"] {
            let checked = try run(command)
            #expect(checked.status == 1 && checked.output.contains("FIELD-RANGE"), "\(command): \(checked.output)\(checked.error)")
        }
        let none = try run("import pozos.csv --project P-1").error
        #expect(
            none.contains("IMPORT-NO-MAPPING") && none.contains("census, register") && !none.contains("answers"),
            "\(none)")
        #expect(try run("validate --mapping census").status == 64)
    }

    /// Two columns with one heading are no mistake, but a workbook numbers them: the author is told.
    @Test func columnsOfOneHeadingAreTold() throws {
        let place = try written()
        func doctor() throws -> ProgramRun { try ProgramRun.fichero(["doctor", "--pack", place.file("Templates/wells"), "--lang", "en"], in: place.path) }
        #expect(try !doctor().output.contains("!"))
        let export = place.file("Templates/wells/exports/wells.yaml")
        try String(contentsOfFile: export, encoding: .utf8).replacing("columns: [code,", with: "columns: [{field: project_id.code, name: project}, code,")
            .write(toFile: export, atomically: true, encoding: .utf8)
        let told = try doctor()
        #expect(told.status == 0 && told.output.contains("! wells/wells: several columns are called “Code” (project, code)"), "\(told.output)")
    }

    /// A text that the pack lacks is printed with its languages, ready to fill; other mistakes come
    /// first.
    @Test func missingTextsArePrintedReadyToFill() throws {
        let place = try written()
        let (texts, pack) = (place.file("Templates/wells/texts/all.yaml"), place.file("Templates/wells"))
        let whole = try String(contentsOfFile: texts, encoding: .utf8)
        func missing() throws -> ProgramRun { try ProgramRun.fichero(["doctor", "--pack", pack, "--missing-texts"], in: place.path) }
        #expect(try missing().output == "")
        try whole.split(separator: "\n").filter { !$0.hasPrefix("field.day") && !$0.hasPrefix("rule.VISIT-YIELD.m") }.joined(separator: "\n").write(toFile: texts, atomically: true, encoding: .utf8)
        #expect(try missing().output == "# wells/texts/all.yaml\nfield.day: {en: ''}\nrule.VISIT-YIELD.message: {en: ''}\n")
        // A text of the pack that a report names, and one that the report lacks itself.
        let report = pack + "/reports/well-sheets/report.yaml"
        let template = try String(contentsOfFile: report, encoding: .utf8)
        try template.replacing("title: visits", with: "title: entity.visits").replacing("empty: none", with: "empty: nobody").write(toFile: report, atomically: true, encoding: .utf8)
        try whole.split(separator: "\n").filter { !$0.hasPrefix("entity.visits") }.joined(separator: "\n").write(toFile: texts, atomically: true, encoding: .utf8)
        #expect(try missing().output == "# wells/reports/well-sheets/all.yaml\nnobody: {en: ''}\n# wells/texts/all.yaml\nentity.visits: {en: ''}\n")
        // No text at all.
        try template.write(toFile: report, atomically: true, encoding: .utf8)
        try FileManager.default.removeItem(atPath: texts)
        let all = try missing().output
        #expect(all.hasPrefix("# wells/texts/all.yaml\npack.title: {en: ''}\n") && all.split(separator: "\n").count > 15, "\(all)")
        try whole.replacing("{en: Wells}", with: "{fr: Puits, en: Wells}").write(toFile: texts, atomically: true, encoding: .utf8)
        let wrong = try missing()
        #expect(wrong.status == 78 && wrong.error.contains("wells/texts/all.yaml:1:14: There is no key “fr” here") || wrong.error.contains("fr"), "\(wrong.error)")
        #expect(try ProgramRun.fichero(["doctor", "--missing-texts"], in: place.path).status == 64)
    }

    /// A reference without a key is that of the row which the same line gives before, and nothing
    /// else can be meant.
    @Test func aParentWithoutAKeyMustStandBefore() throws {
        let place = try written()
        let mapping = place.file("Templates/wells/imports/register.yaml")
        let text = try String(contentsOfFile: mapping, encoding: .utf8)
        let whole = try #require(text.range(of: "      - entity: visits"))
        try (text[..<whole.lowerBound].replacing("  - rows:\n", with: "  - rows:\n" + text[whole.lowerBound...]) + "").write(toFile: mapping, atomically: true, encoding: .utf8)
        let run = try ProgramRun.fichero(["doctor", "--pack", place.file("Templates/wells"), "--lang", "en"], in: place.path)
        #expect(run.status == 78 && run.output.contains("The key “by” is missing"), "\(run.output)\(run.error)")
    }

    /// Also where such a reference stands within the key of another one.
    @Test func aParentWithoutAKeyIsFoundWithinAnothersKey() throws {
        let place = try written()
        let mapping = place.file("Templates/wells/imports/register.yaml")
        let text = try String(contentsOfFile: mapping, encoding: .utf8)
        let nested = "well_id: {parent: wells, by: {project_id: {parent: projects}, code: {column: Well, convert: [trim, upper]}}}"
        try text.replacing("well_id: {parent: wells}", with: nested).write(toFile: mapping, atomically: true, encoding: .utf8)
        func doctor() throws -> ProgramRun { try ProgramRun.fichero(["doctor", "--pack", place.file("Templates/wells"), "--lang", "en"], in: place.path) }
        #expect(try doctor().output.contains("✓ register"))
        try text.replacing("well_id: {parent: wells}", with: nested).replacing("      - entity: projects\n        key: [code]\n        repeats: true\n        fields: {code: Project, name: Project}\n", with: "")
            .write(toFile: mapping, atomically: true, encoding: .utf8)
        let run = try doctor()
        #expect(run.status == 78 && run.output.contains("The key “by” is missing"), "\(run.output)\(run.error)")
    }

    /// One key in two files of texts: which of them counts would not be seen.
    @Test func aTextStandsInOneFile() throws {
        let place = try written()
        try "field.day: Day\n".write(toFile: place.file("Templates/wells/texts/en.yaml"), atomically: true, encoding: .utf8)
        let run = try ProgramRun.fichero(["doctor", "--pack", place.file("Templates/wells"), "--lang", "en"], in: place.path)
        #expect(run.status == 78 && (run.output + run.error).contains("The name “field.day” (text key) is already taken at wells/texts/"), "\(run.output)\(run.error)")
    }

    /// What one text tells stands for others, and a text of their own goes before it.
    @Test func textsStandInForOthers() throws {
        let place = try written()
        let described = try ProgramRun.fichero(["describe", "wells", "--templates", place.file("Templates"), "--json"], in: place.path)
        for text in ["\"Capacity\"", "\"Yield\"", "\"Office\"", "\"Identifier\""] { #expect(described.output.contains(text), "\(text) in \(described.output)") }
    }
}
