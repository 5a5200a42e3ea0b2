import Foundation
import Testing
import Workbench

/// A workbook that `export` wrote comes back corrected: cells are compared with what was exported and with what
/// stands now.
@Suite struct CorrectedBookTests {
    private static let later = "2025-12-02T14:00:00Z"

    /// A copy of an office with survey and exported workbook, in which one test works.
    private static func office(_ options: String...) throws -> (office: Office, book: String) {
        let office = try Office(as: "corrections " + options.joined(separator: " "), system: "ingeplus") { office in
            try office.fill(from: Office.pits())
            let run = try office.run(
                ["export", "calicatas", "--project", "HYO-2025", "-o", "out", "--format", "xlsx"] + options)
            guard run.status == 0 else { throw Office.Trouble(run) }
        }
        return (office, "out/" + (try #require(try office.files("out").first { $0.hasSuffix(".xlsx") })))
    }

    /// Edits a workbook with openpyxl. Each edit is a sheet, the row by its texts (none: a new row), and what to set.
    private static func edit(
        _ office: Office, _ book: String, as name: String, _ edits: [[String: Any]], script: String = ""
    ) throws {
        let json = String(decoding: try JSONSerialization.data(withJSONObject: edits), as: UTF8.self)
        let run = try Reading.python(
            """
            import sys, json, openpyxl
            book = openpyxl.load_workbook(sys.argv[1])
            for edit in json.loads(sys.argv[3]):
                sheet = book[edit["sheet"]]
                heads = {str(c.value).strip(): c.column for c in sheet[1] if c.value}
                where = edit.get("where")
                rows = range(2, sheet.max_row + 1) if where else [sheet.max_row + 1]
                def fits(row): return not where or all(str(sheet.cell(row, heads[k]).value) == v for k, v in where.items())
                row = next(row for row in rows if fits(row))
                for key, value in edit["set"].items(): sheet.cell(row, heads[key]).value = value
            \(script)
            book.save(sys.argv[2])
            """, office.path(book), office.path(name), json)
        guard run.status == 0 else { throw Office.Trouble(run) }
    }

    private static func bring(_ office: Office, _ name: String, _ options: String...) throws -> [String: Any] {
        let run = try office.run(["import", name, "--json", "--fail-on", "never", "--as-of", later] + options)
        guard run.status == 0 else { throw Office.Trouble(run) }
        let list = try JSONSerialization.jsonObject(with: Data(run.output.utf8)) as? [[String: Any]]
        return try #require(list?.first)
    }

    private static func counts(_ result: [String: Any]) -> [String: Int] {
        (result["corrected"] as? [String: Int] ?? [:]).filter { $0.value > 0 && $0.key != "untouchedRows" }
    }

    /// The findings about the workbook as `CODE sheet!cell`, without those of the pack's rules.
    private static func findings(_ result: [String: Any]) -> [String] {
        (result["findings"] as? [[String: Any]] ?? []).map { finding in
            let place = finding["place"] as? [String: Any] ?? [:]
            let cell = [place["sheet"], place["cell"]].compactMap { $0 as? String }.joined(separator: "!")
            return "\(finding["code"] ?? "") \(cell)"
        }.filter { $0.hasPrefix("BOOK-") || $0.hasPrefix("FIELD-") || $0.hasPrefix("CHANGE-") }.sorted()
    }

    private static func row(_ office: Office, _ code: String, _ fields: String) throws -> String {
        try office.sql(
            "SELECT \(fields) FROM calicatas WHERE code = '\(code)' AND project_id = "
                + "(SELECT id FROM projects WHERE code = 'HYO-2025')")
    }

    private static var edits: [[String: Any]] {
        [
            [
                "sheet": "Test pits", "where": ["Code": "C-01"],
                "set": [
                    "Depth (m)": "4,55", "Wall stability": "Con desprendimientos", "Title": NSNull(),
                    "End date": "14/05/2025",
                ],
            ],
            [
                "sheet": "Test pits", "where": ["Code": "C-02"],
                "set": ["Title": "Of the book", "Project code": "OTHER"],
            ],
            [
                "sheet": "Test pits", "where": ["Code": "C-03"],
                "set": ["Depth (m)": "much", "Observations": "stays out"],
            ],
            ["sheet": "Test pits", "where": ["Code": "C-05"], "set": ["Depth (m)": "=1/0"]],
            ["sheet": "Test pits", "set": ["Code": "C-99", "Title": "New", "Depth (m)": 2.5, "Action": "nuevo"]],
            ["sheet": "Strata", "set": ["Test pit": "C-99", "Stratum no.": 1, "From (m)": 0, "To (m)": 1.5]],
            ["sheet": "Strata", "set": ["Test pit": "C-77", "Stratum no.": 1, "From (m)": 0, "To (m)": 1.5]],
        ]
    }

    @Test func cellsAreComparedWithBothSidesAndTheRestIsToldByItsCell() throws {
        let (office, book) = try Self.office("--editable")
        try Self.edit(office, book, as: "mine.xlsx", Self.edits)
        #expect(try office.run("edit", "C-02", "--project", "HYO-2025", "--set", "title=Of another").status == 0)

        let trial = try Self.bring(office, "mine.xlsx", "--dry-run", "-o", "answer.xlsx")
        #expect(try Self.row(office, "C-01", "depth_m") == "4.5")
        let result = try Self.bring(office, "mine.xlsx", "--reason", "seen again")
        #expect(Self.counts(trial) == Self.counts(result) && Self.findings(trial) == Self.findings(result))
        #expect(
            Self.counts(result) == [
                "changedCells": 4, "newRows": 2, "conflicts": 1, "refusedCells": 2, "refusedRows": 2,
            ])
        #expect(
            Self.findings(result) == [
                "BOOK-CONFLICT Test pits!C3", "BOOK-FORMULA Test pits!L6", "BOOK-LOCKED Test pits!A3",
                "BOOK-OWNER Strata!A63", "FIELD-TYPE Test pits!L4",
            ])
        #expect(
            try Self.row(office, "C-01", "depth_m || '|' || stability || '|' || ifnull(title, '-') || '|' || end_date")
                == "4.55|desprendimientos|-|2025-05-14")
        #expect(try Self.row(office, "C-02", "title") == "Of another")
        #expect(try Self.row(office, "C-03", "ifnull(observations, '-')") == "-")
        #expect(
            try office.sql(
                "SELECT count(*) FROM calicata_cortes WHERE calicata_id = (SELECT id FROM calicatas WHERE code = 'C-99')"
            ) == "1")

        // Brought again, what went in is the same on both sides.
        #expect(
            Self.counts(try Self.bring(office, "mine.xlsx")) == ["conflicts": 1, "refusedCells": 2, "refusedRows": 2])
        let life = try office.run("history", "C-01", "--project", "HYO-2025").output
        #expect(life.contains("mine.xlsx:Test pits:2") && life.contains("seen again"), "\(life)")
        #expect(try office.run("undo", "last", "--as-of", Self.later).status == 0)
        #expect(try Self.row(office, "C-01", "depth_m || '|' || title") == "4.5|Calicata C-01")
        #expect(try office.sql("SELECT count(*) FROM calicatas WHERE code = 'C-99'") == "0")

        // The answer shows each cell and comes back in place of the workbook.
        let colours = try Reading.python(
            """
            import sys, openpyxl
            sheet = openpyxl.load_workbook(sys.argv[1])["Test pits"]
            for name in ["L2", "C3", "L4", "C5"]:
                cell = sheet[name]
                print(name, cell.fill.fgColor.rgb[2:], "note" if cell.comment else "-")
            """, office.path("answer.xlsx")
        ).output
        #expect(colours == "L2 C6EFCE note\nC3 FFEB9C note\nL4 FFC7CE note\nC5 000000 -\n", "\(colours)")
        let again = try Self.bring(office, "answer.xlsx", "--policy", "update")
        #expect(
            Self.counts(again) == ["changedCells": 5, "newRows": 2, "refusedCells": 1, "refusedRows": 2],
            "\(Self.counts(again)) \(Self.findings(again))")
        #expect(try Self.row(office, "C-02", "title") == "Of the book")
    }

    /// Rows in another order, filtered, with columns moved, gone or added, and saved by LibreOffice: nothing changed.
    @Test func whatProgramsDoToAFileIsNoChange() throws {
        let (office, book) = try Self.office("--editable")
        try Self.edit(
            office, book, as: "moved.xlsx", [],
            script: """
                sheet = book["Test pits"]
                rows = [[c.value for c in row] for row in sheet.iter_rows()]
                order = list(reversed(range(len(rows[0]))))
                order.remove(rows[0].index("Location"))
                moved = book.create_sheet("later")
                moved.append(["a title"])
                for row in [rows[0]] + list(reversed(rows[1:])): moved.append([row[i] for i in order] + ["remark" if row is rows[0] else 1])
                moved.row_dimensions[4].hidden = True
                book.remove(sheet); moved.title = "Test pits"
                """)
        let result = try Self.bring(office, "moved.xlsx")
        #expect(
            Self.counts(result) == [:] && Self.findings(result) == ["BOOK-COLUMN Test pits"], "\(Self.findings(result))"
        )
        let saving = try ProgramRun.program(
            "/usr/bin/soffice",
            [
                "--headless", "-env:UserInstallation=file://" + office.path("profile"), "--convert-to", "xlsx",
                "--outdir", office.path("saved"), office.path(book),
            ])
        #expect(saving.status == 0)
        let saved = try Self.bring(office, "saved/" + URL(fileURLWithPath: book).lastPathComponent)
        #expect(Self.counts(saved) == [:] && Self.findings(saved) == [], "\(Self.findings(saved))")
    }

    /// Two colleagues correct copies of one workbook: what they changed both stands, but where they differ.
    @Test func copiesOfTwoColleaguesMerge() throws {
        let (office, book) = try Self.office("--editable")
        let pit = ["Code": "C-01"]
        try Self.edit(
            office, book, as: "one.xlsx",
            [["sheet": "Test pits", "where": pit, "set": ["Title": "One", "Location": "Here"]]])
        try Self.edit(
            office, book, as: "two.xlsx",
            [["sheet": "Test pits", "where": pit, "set": ["Title": "Two", "Depth (m)": 4.6]]])
        #expect(Self.counts(try Self.bring(office, "one.xlsx")) == ["changedCells": 2])
        #expect(Self.counts(try Self.bring(office, "two.xlsx")) == ["changedCells": 1, "conflicts": 1])
        #expect(try Self.row(office, "C-01", "title || '|' || location || '|' || depth_m") == "One|Here|4.6")
    }

    /// An export that was not made for it comes back too, also when nobody knows any more what it said.
    @Test func anyExportComesBack() throws {
        let (office, book) = try Self.office()
        let edit: [String: Any] = ["sheet": "Test pits", "where": ["Code": "C-01"], "set": ["Title": "Mended"]]
        try Self.edit(office, book, as: book, [edit])
        let result = try Self.bring(office, book, "--dry-run")
        #expect(Self.counts(result) == ["changedCells": 1] && Self.findings(result) == [])
        try FileManager.default.removeItem(atPath: office.path("fichero.db.files/books"))
        _ = try office.writableSQL("UPDATE exports SET local_path = '/gone'")
        let unknown = try Self.bring(office, book)
        #expect(Self.counts(unknown) == ["changedCells": 1] && Self.findings(unknown) == ["BOOK-BASE "], "\(unknown)")
        #expect(try Self.row(office, "C-01", "title") == "Mended")
    }

    /// A row that stands twice, one that went meanwhile, and one of nobody are told and left.
    @Test func rowsThatNobodyCanPlaceAreTold() throws {
        let (office, book) = try Self.office("--editable")
        try Self.edit(
            office, book, as: "mine.xlsx",
            [
                ["sheet": "Test pits", "where": ["Code": "C-04"], "set": ["Title": "Gone", "Action": "perhaps"]]
            ],
            script: """
                sheet = book["Test pits"]
                copy = [c.value for c in sheet[2]]; copy[2] = "Twice"; sheet.append(copy)
                sheet["C2"] = "Once"
                other = [c.value for c in sheet[3]]; other[1] = "C-88"; other[37] = "0196c4b0-23c0-7356-a0bc-000000000000"; sheet.append(other)
                """)
        let result = try Self.bring(office, "mine.xlsx")
        #expect(Self.counts(result) == [:])
        #expect(
            Self.findings(result) == [
                "BOOK-ACTION Test pits!AM5", "BOOK-DOUBLE Test pits!B14", "BOOK-DOUBLE Test pits!B2",
                "BOOK-ROW Test pits!AL15",
            ], "\(Self.findings(result))")
    }

    /// A copied row takes its hidden id along; a new row may have a code that is taken; a workbook is of one project; a
    /// heading may stand twice; three digits after a comma may be thousands. Nothing of it changes another record.
    @Test func rowsThatWouldOverwriteAnotherAreRefused() throws {
        let (office, book) = try Self.office("--editable")
        try Self.edit(
            office, book, as: "mine.xlsx",
            [
                ["sheet": "Test pits", "set": ["Code": "C-01", "Location": "Overwritten"]],
                ["sheet": "Test pits", "set": ["Code": "C-71", "Project code": "CHU-2025"]],
                ["sheet": "Test pits", "where": ["Code": "C-05"], "set": ["Depth (m)": "3,268"]],
            ],
            script: """
                sheet = book["Test pits"]
                copy = [c.value for c in sheet[4]]; copy[1] = "C-99"; sheet.append(copy)
                strata = book["Strata"]; strata.cell(1, 60, "Colour"); strata.cell(2, 60, "red")
                """)
        let before = try office.sql("SELECT count(*), group_concat(code || ifnull(location, '')) FROM calicatas")
        let result = try Self.bring(office, "mine.xlsx")
        #expect(
            Self.findings(result) == [
                "BOOK-DOUBLE Test pits!B16", "BOOK-DOUBLE Test pits!B4", "BOOK-HEADING Strata",
                "BOOK-LOCKED Test pits!A15",
                "CHANGE-KEY Test pits!B14", "FIELD-TYPE Test pits!L6",
            ], "\(Self.findings(result))")
        #expect(try office.sql("SELECT count(*), group_concat(code || ifnull(location, '')) FROM calicatas") == before)
    }

    /// The copy of the workbook may be of a person who sees more. Nobody reads through it what their role does not see.
    @Test func aWorkbookOfAnotherShowsNothingThatTheRoleDoesNotSee() throws {
        let (office, book) = try Self.office("--editable")
        try Self.edit(
            office, book, as: "mine.xlsx", [],
            script: """
                sheet = book["Test pits"]
                for row in range(2, sheet.max_row + 1):
                    for column in [25, 26, 29]: sheet.cell(row, column).value = "=1/0"
                """)
        let run = try office.run(
            "import", "mine.xlsx", "--dry-run", "-o", "answer.xlsx", "--actor", "especialista@example.pe", "--as-of",
            Self.later)
        let names = try office.sql("SELECT DISTINCT full_name FROM profiles JOIN calicatas ON logged_by = profiles.id")
            .split(separator: "\n")
        let answer = try Reading.python(
            """
            import sys, openpyxl
            for row in openpyxl.load_workbook(sys.argv[1])["Test pits"].iter_rows():
                for c in row: print(c.value, c.comment.text if c.comment else "")
            """, office.path("answer.xlsx")
        ).output
        #expect(!names.isEmpty && answer.contains("C-01"))
        for name in names { #expect(!answer.contains(name) && !run.output.contains(name), "\(name)") }
    }

    /// Corrections of a record that went meanwhile, and of a sheet that lost its headings, do not vanish in silence.
    @Test func whatHasNoPlaceAnyMoreIsTold() throws {
        let office = try Office.pits()
        #expect(try office.run("add", "calicatas", "--project", "HYO-2025", "--set", "code=C-50").status == 0)
        #expect(
            try office.run(
                "export", "calicatas", "--project", "HYO-2025", "--editable", "-o", "out", "--fail-on", "never"
            )
            .status == 0)
        let book = "out/" + (try #require(try office.files("out").first))
        #expect(try office.run("delete", "C-50", "--project", "HYO-2025").status == 0)
        try Self.edit(
            office, book, as: "mine.xlsx",
            [["sheet": "Test pits", "where": ["Code": "C-50"], "set": ["Title": "Late"]]],
            script: "book['Strata'].delete_rows(1)")
        let result = try Self.bring(office, "mine.xlsx")
        #expect(Self.counts(result) == [:])
        #expect(Self.findings(result) == ["BOOK-GONE Test pits!B14", "BOOK-SHEET Strata"], "\(Self.findings(result))")
    }

    /// A row that would be approved with errors stays out, the others go in; what a change makes wrong is said; an answer
    /// replaces nothing but an answer.
    @Test func whatAChangeMakesWrongIsSaid() throws {
        let (office, book) = try Self.office("--editable")
        try Self.edit(
            office, book, as: "mine.xlsx",
            [
                ["sheet": "Test pits", "set": ["Code": "C-91", "Status": "Approved", "Depth (m)": 2]],
                ["sheet": "Test pits", "where": ["Code": "C-05"], "set": ["Wall stability": "Perhaps"]],
            ])
        #expect(try office.run("import", "mine.xlsx", "--dry-run", "-o", book).error.contains("OUTPUT-EXISTS"))
        let result = try Self.bring(office, "mine.xlsx", "--policy", "update")
        #expect(
            Self.findings(result) == ["BOOK-UNSOUND Test pits!A14", "FIELD-VOCABULARY Test pits!S6"],
            "\(Self.findings(result))")
        #expect(Self.counts(result) == ["changedCells": 1, "refusedRows": 1])
    }

    /// The judge decides for this door as for every other: a person without the right changes nothing, and does not
    /// learn what they may not see.
    @Test func whoMayNotWriteChangesNothing() throws {
        let (office, book) = try Self.office("--editable")
        try Self.edit(
            office, book, as: "mine.xlsx",
            [["sheet": "Test pits", "where": ["Code": "C-01"], "set": ["Title": "Mine"]]])
        for person in ["lector@example.pe", "excampo@example.pe"] {
            let run = try office.run(["import", "mine.xlsx", "--actor", person, "--as-of", Self.later])
            #expect(run.status != 0, "\(person): \(run.output)")
            #expect(try Self.row(office, "C-01", "title") == "Calicata C-01")
        }
        #expect(try office.run("export", "calicatas", "--editable", "--format", "csv", "-o", "out").status == 64)
    }
}
