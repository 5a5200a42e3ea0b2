import Foundation
import Testing

/// Reports whose SQL looks at the days that are asked for: these choose no records.
@Suite struct ReportDayTests {
    /// The texts of all cells of the only workbook below a folder.
    private func cells(_ office: Office, _ folder: String) throws -> [String] {
        let name = try #require(office.files(folder).first { $0.hasSuffix(".xlsx") })
        let script = """
            import openpyxl, sys
            for sheet in openpyxl.load_workbook(sys.argv[1]):
                for row in sheet.iter_rows(values_only=True):
                    for value in row:
                        if value is not None: print(str(value)[:10].replace('\\n', ' '))
            """
        let run = try Reading.python(script, office.path(folder + "/" + name))
        #expect(run.status == 0, "\(run.error)")
        return run.output.split(separator: "\n").map(String.init)
    }

    @Test func adherenceIsThatOfTheDaysThatWereAskedFor() throws {
        let office = try Office(system: "mesync")
        let month = try office.run(
            "report", "adherencia", "--project", "carmen@example.pe", "--format", "xlsx", "--from", "2025-10-01", "--to", "2025-10-31", "-o", "month", "--fail-on", "never")
        #expect(month.status == 0, "\(month.error)")
        let found = try cells(office, "month")
        #expect(found.contains("2025-10-01") && found.contains("2025-10-31"))
        // Beside these days there are the Monday of the first week and the day of the run.
        let days = Set(found.filter { $0.wholeMatch(of: /20\d\d-\d\d-\d\d/) != nil }).subtracting(["2025-09-29", "2025-12-01"])
        #expect(days.count == 31 && days.allSatisfy { $0 >= "2025-10-01" && $0 <= "2025-10-31" }, "\(days.sorted())")
        // Without days it looks back over all that there is.
        #expect(try office.run("report", "adherencia", "--project", "carmen@example.pe", "--format", "xlsx", "-o", "year", "--fail-on", "never").status == 0)
        let year = try cells(office, "year")
        #expect(year.contains { $0.hasPrefix("2025-07") } && year.contains("2025-12-01"))
        // A period before anything was there is an empty report, and no fault.
        let before = try office.run(
            "report", "adherencia", "--project", "carmen@example.pe", "--format", "xlsx", "--from", "2020-01-01", "--to", "2020-01-31", "-o", "before", "--fail-on", "never")
        #expect(before.status == 0, "\(before.error)")
    }

    /// Where no query looks at them, days choose records, which must have one.
    @Test func otherReportsOfRecordsWithoutADateRefuseDays() throws {
        let office = try Office(system: "mesync")
        let run = try office.run("export", "completo", "--from", "2025-10-01", "-o", "out", "--fail-on", "never")
        #expect(run.status == 64 && run.error.contains("RECORD-NO-DATE"), "\(run.error)")
    }
}
