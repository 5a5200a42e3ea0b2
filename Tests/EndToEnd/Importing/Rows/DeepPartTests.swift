import Foundation
import Testing
import Workbench

/// Parts two steps below their root are parts of its record in everything that a system does.
@Suite struct DeepPartTests {
    private func files(_ borings: Borings, _ ending: String) throws -> String {
        let out = borings.place.file("out")
        return try FileManager.default.subpathsOfDirectory(atPath: out).filter { $0.hasSuffix(ending) }.sorted()
            .map { try String(contentsOfFile: out + "/" + $0, encoding: .utf8) }.joined()
    }

    @Test func aSelectionHasItsOwnPartsAndNoOthers() throws {
        let borings = try Borings()
        try borings.run("export", "wells", "--format", "csv", "-o", "out")
        #expect(try files(borings, "-wells.csv").contains("W-1,3") && files(borings, "-visited.csv").contains("2,1"))
        #expect(try files(borings, "-parts.csv").hasSuffix("W-1,1,pump,60\r\nW-1,1,rope,20\r\nW-1,2,seal,15\r\nW-2,1,valve,30\r\n"))
        try FileManager.default.removeItem(atPath: borings.place.file("out"))
        try borings.run("export", "wells", "--format", "csv", "-o", "out", "--where", "code = 'W-2'")
        #expect(try files(borings, "-parts.csv").hasSuffix("name,cost\r\nW-2,1,valve,30\r\n"))
        try borings.run("report", "borings", "--format", "pdf", "-o", "out", "--where", "code = 'W-2'")
        let paths = try FileManager.default.subpathsOfDirectory(atPath: borings.place.file("out")).filter { $0.hasSuffix(".pdf") }
        let pages = try OtherProgram.run("/usr/bin/pdftotext", ["-layout", borings.place.file("out/" + paths[0]), "-"]).text
        #expect(pages.contains("valve") && pages.contains("Parts: 1") && !pages.contains("rope"), "\(pages)")
    }

    /// Ids are pseudonyms there, and lead to the record all the same.
    @Test func anAnonymousExportFollowsThemToo() throws {
        let borings = try Borings()
        try borings.run("edit", "W-1", "--set", "state=CLOSED", "--fail-on", "never")
        try borings.run("export", "open", "--format", "csv", "-o", "out", "--state", "OPEN")
        let wells = try files(borings, "-wells.csv").split(separator: "\r\n"), parts = try files(borings, "-parts.csv").split(separator: "\r\n")
        let well = try #require(wells.last?.split(separator: ",").first)
        #expect(wells.last == "\(well),1" && parts.dropFirst() == ["\(well),30"], "\(wells) \(parts)")
    }

    /// An inspection that moves takes its parts along: what was made before is out of date.
    @Test func whatMovesOnTheWayIsNoticed() throws {
        let borings = try Borings()
        let made = ["export", "wells", "--format", "csv", "-o", "out", "--where", "code = 'W-2'"]
        func export() throws -> String { try ProgramRun.fichero(made + ["--actor", Borings.office, "--as-of", Office.asOf], in: borings.place.path).output }
        _ = try export()
        let again = try export()
        #expect(again.contains("nothing has changed"), "\(again)")
        try borings.run("edit", "W-1/2", "--set", "well_id=20000000-0000-4000-8000-000000000002", "--set", "number=7")
        _ = try export()
        #expect(try files(borings, "-parts.csv").contains("W-2,7,seal,15"))
        let told = try borings.run("validate")
        #expect(told.contains("No findings"), "W-1 has two parts left: \(told)")
    }

    /// Kept verdicts of rules about the record, and of counts, follow a change of a part.
    @Test func verdictsFollowAPart() throws {
        let borings = try Borings()
        func codes() throws -> [Bool] {
            let told = try borings.run("validate"), whole = try borings.run("validate", "--anew")
            #expect(told.split(separator: "\n").filter { !$0.contains("run=") } == whole.split(separator: "\n").filter { !$0.contains("run=") })
            return ["WELL-MANY", "WELL-DEAR"].map(told.contains)
        }
        #expect(try codes() == [true, false])
        try borings.run("edit", "rope", "--set", "cost=40")
        #expect(try codes() == [true, true])
        try borings.run("delete", "rope")
        #expect(try codes() == [false, false])
        try borings.run("undo", "last")
        #expect(try codes() == [true, true])
        // An error of a part withholds its record, and no other.
        try borings.run("edit", "seal", "--set", "cost=2000", "--fail-on", "never")
        try borings.run("export", "wells", "--format", "csv", "-o", "out", "--policy", "withhold-records", "--fail-on", "never")
        #expect(try files(borings, "-wells.csv").hasSuffix("W-2,1\r\n") && files(borings, "-parts.csv").hasSuffix("name,cost\r\nW-2,1,valve,30\r\n"))
        #expect(try files(borings, "-left-out.csv").contains("W-1"))
    }

    @Test func theGateAsksTheRecord() throws {
        let borings = try Borings()
        try borings.run("add", "spare_parts", "--in", "W-2/1", "--set", "name=bolt", "--set", "cost=1")
        #expect(try borings.run("history", "W-2/1/bolt").contains("bolt"))
        try borings.run("undo", "last")
        try borings.run("edit", "W-1", "--set", "state=CLOSED", "--fail-on", "never")
        let before = try borings.parts()
        for change in [["edit", "pump", "--set", "cost=1"], ["delete", "pump"], ["add", "spare_parts", "--in", "W-1/2", "--set", "name=bolt"]] {
            let done = try ProgramRun.fichero(change + ["--actor", Borings.office, "--as-of", Office.asOf, "--json"], in: borings.place.path)
            #expect(done.status != 0 && (done.output + done.error).contains("CLOSED"), "\(change): \(done.output)\(done.error)")
        }
        #expect(try borings.parts() == before)
        try borings.run("edit", "pump", "--set", "cost=61", "--reason", "a wrong bill", "--fail-on", "never")
        #expect(try borings.parts().contains("pump 61"))
        // A record goes with all of its parts, and comes back with them.
        let whole = try borings.parts()
        try borings.run("delete", "W-2", "--reason", "dug twice")
        #expect(try borings.parts() == "pump 61,rope 20,seal 15")
        try borings.run("undo", "last")
        #expect(try borings.parts() == whole)
    }

    @Test func aPackageHasThem() throws {
        let borings = try Borings(), other = try Borings(withRows: false)
        try borings.run("package", "--project", "P-1", "-o", "out.zip")
        try other.run("import", borings.place.file("out.zip"), "--join")
        #expect(try other.parts() == borings.parts())
        #expect(try other.run("import", borings.place.file("out.zip")).contains("     4    0        0          4"))
    }

    /// What cannot be followed is a mistake of the pack, with its line.
    @Test(arguments: [
        ("pack.yaml", "      - {entity: inspections, by: well_id}\n", "", "PACK-PART-WAY", "{entity: inspections, by: well_id}"),
        ("entities/spare_parts.yaml", "project: inspection_id.well_id.project_id", "project: project_id", "PACK-PART-WAY", "{project: inspection_id.well_id.project_id}"),
        ("pack.yaml", "by: inspection_id.well_id}", "by: inspection_id.number}", "PACK-WRONG-FIELD", "inspection_id.number"),
        ("pack.yaml", "by: inspection_id.well_id}", "by: inspection_id.well}", "PACK-BAD-PATH", "well"),
        ("exports/wells.yaml", "{count: spare_parts, by: inspection_id.well_id,", "{count: spare_parts, by: inspection_id,", "PACK-WRONG-FIELD", "inspection_id"),
        ("rules/wells.yaml", "by: inspection_id.well_id", "by: inspection_id.name", "PACK-BAD-PATH", "name"),
    ]) func aWayThatLeadsNowhereIsAMistake(_ file: String, _ old: String, _ new: String, _ code: String, _ word: String) throws {
        let borings = try Borings(withRows: false)
        let path = borings.place.file("Templates/borings/" + file)
        let text = try String(contentsOfFile: path, encoding: .utf8)
        try #require(text.contains(old))
        let own = "  - {name: project_id, type: uuid, references: projects}\n"
        try (text.replacing(old, with: new) + (new == "project: project_id" ? "\n" + own : "")).write(toFile: path, atomically: true, encoding: .utf8)
        let run = try ProgramRun.fichero(["doctor", "--pack", borings.place.file("Templates/borings"), "--lang", "en", "--json"], in: borings.place.path)
        #expect(run.status == 78 && run.output.contains(code) && run.output.contains(word), "\(run.output)\(run.error)")
    }
}
