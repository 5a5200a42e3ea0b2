import Foundation
import Testing

/// What a file does not say and the person who imports it does.
@Suite struct ImportOptionRunTests {
    private let folder: MappedFolder

    init() throws {
        let mapping = MappedFolder.pits("depth_m: Prof", "location: {option: place}").replacing(
            "title: own\n", with: "title: own\noptions: {place: {required: true, pattern: '[A-Z].*', example: Norte}, note: {title: Nota}}\n")
        folder = try MappedFolder(mapping)
        try folder.write("Pozos", "Proyecto;Pozo;Prof", "P-1;C-1;1.5", "P-1;C-2;hondo")
    }

    @Test func theValueComesWithEachRowAndTheRecordsKeepIt() throws {
        let run = try folder.bringIn("--option", "place=Valle Ñ/1?#&=")
        #expect(run.status == 1, "\(run.output)\(run.error)")
        #expect(try folder.pits() == "C-1 1.5 Valle Ñ/1?#&=")
        let history = try folder.run("history", "changes", "--json")
        #expect(history.output.contains("?place=Valle%20%C3%91%2F1%3F%23%26%3D"), "\(history.output)")
        // A row that is tried again has the option of its import, and its names are known.
        let wrong = try folder.run("rejects", "edit", folder.office.sql("SELECT id FROM rejects"), "--set", "Prof=2.5", "--set", "place=Otro")
        #expect(wrong.status == 0 || wrong.error.contains("place"), "\(wrong.error)")
        try folder.edit("Prof=2.5")
        let again = try folder.run("rejects", "retry")
        #expect(again.status == 0, "\(again.output)\(again.error)")
        #expect(try folder.pits() == "C-1 1.5 Valle Ñ/1?#&=|C-2 2.5 Valle Ñ/1?#&=")
    }

    @Test func theSameFileWithAnotherValueIsAnotherReading() throws {
        #expect(try folder.bringIn("--option", "place=Norte").status == 1)
        let unchanged = try folder.bringIn("--option", "place=Norte", "--json")
        #expect(try unchanged.status == 1 && MappedFolder.findings(unchanged).contains { $0.code == "IMPORT-CONFLICT" } == false, "\(unchanged.output)")
        #expect(try folder.office.sql("SELECT count(*) FROM rejects WHERE state = 'open'") == "1")
        #expect(try folder.bringIn("--option", "place=Sur", "--policy", "update").status == 1)
        #expect(try folder.pits() == "C-1 1.5 Sur")
        // Its rejected row is another one: retried, it would come in with the other value.
        #expect(try folder.office.sql("SELECT count(*) FROM rejects WHERE state = 'open'") == "2")
        let id = try folder.office.sql("SELECT id FROM rejects WHERE place LIKE '%place=Sur%'")
        #expect(try folder.run("rejects", "edit", id, "--set", "Prof=3.5").status == 0)
        let again = try folder.run("rejects", "retry", id)
        #expect(again.status == 0, "\(again.output)\(again.error)")
        #expect(try folder.pits() == "C-1 1.5 Sur|C-2 3.5 Sur", "\(again.output)")
    }

    @Test func whatIsMissingUnknownOrUnfitIsRefusedBeforeAnyRow() throws {
        for (options, code, word) in [
            ([], "OPTION-MISSING", "--option place=Norte"), (["place=Norte", "notes=x"], "OPTION-UNKNOWN", "“note”?"), (["place=norte"], "OPTION-VALUE", "[A-Z].*"),
            (["place"], "OPTION-INVALID", "place"), (["=x"], "OPTION-INVALID", "=x"), (["place=A", "place=A"], "OPTION-INVALID", "place=A"),
        ] {
            let run = try folder.run(["import", "viejo", "--mapping", "./own.yaml"] + options.flatMap { ["--option", $0] })
            #expect(run.status == 64 && run.error.contains(code) && run.error.contains(word), "\(options): \(run.output)\(run.error)")
        }
        #expect(try folder.office.sql("SELECT (SELECT count(*) FROM calicatas) || (SELECT count(*) FROM rejects) || (SELECT count(*) FROM imports WHERE format LIKE '%own%')") == "000")
        let dry = try folder.bringIn("--option", "place=Norte", "--dry-run")
        #expect(try dry.status == 1 && folder.pits() == "", "\(dry.error)")
    }

    @Test func onlyMappingsHaveOptions() throws {
        let survey = ProgramRun.root + "/Samples/ingeplus/survey"
        let run = try folder.run("import", survey, "--option", "place=Norte")
        #expect(run.status == 64 && run.error.contains("OPTION-UNKNOWN"), "\(run.error)")
        try folder.write("id\n", to: "projects.csv")
        let table = try folder.run("import", "projects.csv", "--entity", "projects", "--option", "place=Norte")
        #expect(table.status == 64 && table.error.contains("OPTION-UNKNOWN"), "\(table.error)")
        #expect(try folder.run("import", "--suggest", "viejo", "--option", "place=Norte").status == 64)
        #expect(try folder.run("validate", "--option", "place=Norte").status == 64)
    }

    @Test func anOfficesMappingIsDescribedWithItsOptions() throws {
        let run = try folder.run("describe", "./own.yaml")
        #expect(run.status == 0 && run.output.contains("--option place=Norte; --option note=…"), "\(run.output)\(run.error)")
        // Only the pack has texts for conditions.
        let text = try String(contentsOfFile: folder.office.path("own.yaml"), encoding: .utf8)
        try folder.write(text.replacing("tables:", with: "refuses: [{code: NOT-KNOWN, sql: SELECT 1}]\ntables:", maxReplacements: 1), to: "own.yaml")
        let refusing = try folder.run("describe", "./own.yaml")
        #expect(refusing.status == 78 && refusing.error.contains("NOT-KNOWN"), "\(refusing.error)")
    }
}
