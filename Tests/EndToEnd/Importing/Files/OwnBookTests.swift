import Foundation
import Testing

/// Workbooks that this program made do not come in as registers of another program. An export comes back as what it
/// is: `CorrectedBookTests`.
@Suite struct OwnBookTests {
    @Test func anExportAndAReportAreKnownAndRefused() throws {
        let office = try Office(system: "ingeplus")
        let coordinator = ["--actor", "coordinadora@example.pe"]
        #expect(
            try office.run(
                ["export", "calicatas", "--project", "HYO-2025", "--format", "xlsx", "-o", "out"] + coordinator
            ).status == 0)
        #expect(
            try office.run(
                ["report", "ficha-calicata", "--project", "HYO-2025", "--format", "xlsx", "-o", "out"] + coordinator
            ).status == 0)
        let books = try office.files("out").filter { $0.hasSuffix(".xlsx") }
        #expect(books.count == 2, "\(books)")
        for book in books {
            for arguments in [
                ["--suggest", "out/\(book)"], ["out/\(book)"],
                ["out/\(book)", "--mapping", "registro-legado", "--policy", "update"],
            ] where arguments.count != 1 || book.contains("ficha") {
                let run = try office.run(
                    ["import"] + arguments
                        + (arguments.count > 2 || arguments.count == 1 ? ["--actor", Office.administrator] : []))
                #expect(
                    run.status == 65 && run.error.contains("IMPORT-OWN-BOOK"), "\(arguments): \(run.output)\(run.error)"
                )
            }
            #expect(try office.run("describe", "out/\(book)").status == 0)
        }
        #expect(try office.sql("SELECT count(*) FROM calicata_lab_results WHERE length(report_number) = 36") == "0")
    }

    /// Programs that save the workbook again keep the property.
    @Test func aBookThatAnotherProgramSavedIsKnown() throws {
        let office = try Office(system: "ingeplus")
        #expect(
            try office.run(
                "export", "calicatas", "--project", "HYO-2025", "--format", "xlsx", "-o", "out", "--actor",
                "coordinadora@example.pe"
            ).status == 0)
        let book = try #require(office.files("out").first { $0.hasSuffix(".xlsx") })
        _ = try Reading.python(
            "import openpyxl, sys; book = openpyxl.load_workbook(sys.argv[1]); book.save(sys.argv[2])",
            office.path("out/" + book), office.path("again.xlsx"))
        let run = try office.run("import", "--suggest", "again.xlsx")
        #expect(run.status == 65 && run.error.contains("IMPORT-OWN-BOOK"), "\(run.output)\(run.error)")
    }
}
