import Blocks
import Canvas
import Foundation
import Model
import Testing
import Workbench

@testable import Blocks
@testable import Reporting

/// Pages may have any content. No text covers another or leaves the paper, and nothing is lost.
@Suite struct PDFRendererTests {
    /// Renders sections. Gives the file, and the place of everything that was drawn.
    private func render(_ sections: [SectionContent], numbersBySection: Bool = true) throws -> (recorder: TextRecorder, bytes: Data, pages: Int) {
        let folder = try TemporaryFolder()
        let recorder = TextRecorder()
        let renderer = try PDFRenderer(
            ReportSamples.head(), to: folder.file("a.pdf"), numbersBySection: numbersBySection, recorder: recorder)
        for section in sections { try renderer.add(section) }
        let file = try renderer.finish()
        let bytes = try Data(contentsOf: URL(fileURLWithPath: file.temporaryPath))
        #expect(Int64(bytes.count) == file.bytes)
        return (recorder, bytes, file.rows)
    }

    private func text(_ bytes: Data, _ options: String...) throws -> String {
        let folder = try TemporaryFolder()
        return try OtherProgram.run("/usr/bin/pdftotext", options + ["-layout", folder.write(bytes, to: "a.pdf"), "-"]).text
    }

    private func expectTidy(_ recorder: TextRecorder, landscape: Bool = false, _ comment: Comment? = nil) {
        let collisions = Dictionary(grouping: recorder.entries, by: \.page).values.flatMap { entries in
            let page = TextRecorder()
            page.entries = entries
            return page.collisions()
        }
        #expect(collisions.isEmpty, "\(collisions.prefix(3).map { ($0.0.text, $0.1.text) })")
        let (width, height) = landscape ? (841.9, 595.3) : (595.3, 841.9)
        #expect(recorder.outside(Box(x: 0, y: 0, width: width, height: height)).isEmpty, comment)
    }

    static func table(rows: Int, text: String = "Arena limosa", columns: Int = 5) -> TableContent {
        TableContent(
            title: "Calicatas",
            columns: (0..<columns).map { .init(label: $0 == 0 ? "Código" : "Columna \($0)", isNumeric: $0 == 1, width: nil, decimals: 1) },
            rows: (0..<rows).map { row in
                .init(.data, (0..<columns).map { column in
                    column == 0 ? .text("C-\(row)") : column == 1 ? ReportCell(.number(Double(row), decimals: 1), text: "\(row).0") : .text(text)
                })
            }, empty: nil)
    }

    /// People sign in rows of 9 mm, on pages and on sheets; the heads of tables and their totals stay low.
    @Test func rowsToSignInAreHigh() throws {
        var table = Self.table(rows: 6)
        table.rowHeight = 9
        table.rows.append(.init(.total, [.text("Total"), .empty, .empty, .empty, .empty]))
        let result = try render([ReportSamples.section("Lista", [table])])
        let tops = result.recorder.entries.filter { $0.text.hasPrefix("C-") && !$0.text.hasPrefix("C-1 ") }.map(\.box.y)
        #expect(tops.count == 6)
        for (above, below) in zip(tops, tops.dropFirst()) { #expect(abs(below - above - 9 * 72 / 25.4) < 0.1, "\(tops)") }
        let folder = try TemporaryFolder()
        let book = try folder.write([ReportSamples.section("Lista", [table])])
        #expect(try book("[all(d.height >= 9 * 72 / 25.4 for r in s('Lista') for c in r if str(c.value).startswith('C-') for d in [s('Lista').row_dimensions[c.row]])]") == "[True]")
        #expect(try book("s('Lista').row_dimensions[find('Lista', 'Total').row].height < 20") == "True")
    }

    /// Who is not on the list signs below it: empty rows go down to the signatures, and these stay on the page.
    @Test(arguments: [0, 3, 25]) func emptyRowsFillThePageOfAListToSign(_ rows: Int) throws {
        var table = Self.table(rows: rows)
        table.rowHeight = 9
        func signed() throws -> (page: Int, y: Double) {
            let made = try render([ReportSamples.section("Lista", [table, SignaturesContent([.init(label: "Organiza", name: "Ana Quispe")])])])
            expectTidy(made.recorder)
            #expect(made.recorder.entries.contains { $0.text == "Código" })
            return try #require(made.recorder.entries.first { $0.text == "Ana Quispe" }.map { ($0.page, $0.box.y) })
        }
        let plain = rows == 0 ? (page: 0, y: 0) : try signed()
        table.fillsPage = true
        let filled = try signed()
        #expect(filled.page == plain.page && filled.y > 700, "\(filled)")
    }

    /// A chart becomes a little smaller before the few rows below it begin another page, or before it leaves
    /// the end of its page empty itself.
    @Test(arguments: [(23, 4), (29, 0)]) func aChartShrinksBeforeAPageEndsHalfEmpty(_ above: Int, _ below: Int) throws {
        let chart = ChartContent(
            title: "Metros", kind: .columns, categories: ["GW", "SM"], series: [.init(name: "m", values: [3, 5])], millimetres: 90)
        let made = try render([
            ReportSamples.section("A", [Self.table(rows: above), chart] + (below > 0 ? [Self.table(rows: below)] : []))
        ])
        expectTidy(made.recorder)
        #expect(made.pages == 1)
    }

    /// Rows are set tighter before a few of them begin another page.
    @Test func aTableLeavesNoFewRowsToAnotherPage() throws {
        var pages: Set<Int> = []
        for rows in 44...60 {
            let made = try render([ReportSamples.section("Lista", [Self.table(rows: rows)])])
            expectTidy(made.recorder)
            let left = made.recorder.entries.count { $0.page == 1 && $0.text.hasPrefix("C-") }
            #expect(left == 0 || left >= 4, "\(rows) rows")
            pages.insert(made.pages)
        }
        #expect(pages == [1, 2])
    }

    /// Photos that go to another page than their record's log take it: one above the other, and larger.
    @Test func photosOnAPageOfTheirOwnFillIt() throws {
        let identity = IdentityContent(items: [.init(label: "Calicata", cell: .text("C-07"), span: 1)], isDraft: false)
        let photo = PhotosContent.Photo(picture: nil, missing: "Falta", stamp: nil, caption: "Pared", link: nil)
        let photos = PhotosContent(title: nil, columns: 3, millimetres: 42, photos: [photo, photo], empty: nil)
        let made = try render([
            ReportSamples.section("C-07", [
                identity, Self.table(rows: 34), photos, SignaturesContent([.init(label: "Registrado", name: "Ana Quispe")])])
        ])
        expectTidy(made.recorder)
        let last = made.recorder.entries.filter { $0.page == 1 }
        #expect(made.pages == 2 && last.count { $0.text == "Pared" } == 2)
        #expect(try #require(last.first { $0.text == "Ana Quispe" }).box.y > 500)
    }

    /// Whatever fills the page, nobody signs below nothing: the last row and its total are on the signatures' page.
    @Test func aSignatureIsNeverAloneOnItsPage() throws {
        let signatures = SignaturesContent([.init(label: "Registrado por", name: "Ana Quispe")])
        var pages: Set<Int> = []
        for rows in 20...60 {
            var table = Self.table(rows: rows)
            table.rows.append(.init(.total, [.text("Suma"), .empty, .empty, .empty, .empty]))
            let entries = try render([ReportSamples.section("Lista", [table, signatures])]).recorder.entries
            let page = try #require(entries.last { $0.text == "Ana Quispe" }?.page)
            #expect(entries.contains { $0.page == page && $0.text == "C-\(rows - 1)" }, "\(rows) rows")
            #expect(entries.contains { $0.page == page && $0.text == "Suma" }, "\(rows) rows")
            pages.insert(page)
        }
        #expect(pages.count > 1, "some of these tables end at the foot of a page")
    }

    /// A box with more lines than a page continues on the next page. Its heading stays with its
    /// first lines.
    @Test(arguments: [3, 300, 3_000]) func aSummaryLosesNoWord(_ count: Int) throws {
        let words = (0..<count).map { "palabra\($0)" }
        // The box begins near the end of a page.
        let above = [TextContent](repeating: TextContent("Línea"), count: 45)
        let result = try render([
            ReportSamples.section("Resumen", above + [SummaryContent(heading: "Excavación", text: words.joined(separator: " ")), TextContent("Después")])
        ])
        expectTidy(result.recorder)
        let all = try text(result.bytes)
        #expect(Set(all.split(whereSeparator: \.isWhitespace).map(String.init)).isSuperset(of: words + ["Después"]))
        let pages = all.split(separator: "\u{0C}")
        let page = try #require(pages.firstIndex { $0.contains("Excavación") })
        #expect(pages[page].contains("palabra0"))
        if count == 3_000 { #expect(result.pages > 2) }
    }

    @Test(arguments: [0, 1, 2, 5, 12, 40]) func aLogOfAnyNumberOfStrataIsTidy(_ count: Int) throws {
        let log = ReportSamples.log(count)
        let result = try render([ReportSamples.section("C-01", [log, SignaturesContent([.init(label: "Registrado por", name: "Ana Ñáñez")])])])
        expectTidy(result.recorder)
        let all = try text(result.bytes)
        let words = Set(all.split(whereSeparator: \.isWhitespace).map(String.init))
        for layer in log.layers { #expect(words.contains(layer.number), "stratum \(layer.number) is on the page") }
        if count == 0 { #expect(all.contains(log.empty)) }
    }

    @Test func aLongTableHasItsHeadOnEveryPageAndLosesNoRow() throws {
        let result = try render([ReportSamples.section("Tabla", [Self.table(rows: 400)])])
        expectTidy(result.recorder)
        let pages = try text(result.bytes).split(separator: "\u{0C}").filter { $0.contains(where: { !$0.isWhitespace }) }
        #expect(pages.count > 5 && pages.count == result.pages)
        #expect(pages.allSatisfy { $0.contains("Código") })
        let whole = pages.joined()
        for row in 0..<400 { #expect(whole.contains("C-\(row) ") || whole.contains("C-\(row)\n"), "row \(row)") }
        #expect(whole.contains("1 de \(result.pages)") && whole.contains("\(result.pages) de \(result.pages)"))
    }

    /// A cell with more lines than a page continues on the next page.
    @Test func aRowHigherThanAPageFlowsOn() throws {
        let words = (0..<4_000).map { "palabra\($0)" }.joined(separator: " ")
        let table = TableContent(
            title: nil, columns: [.init(label: "A", isNumeric: false, width: 1, decimals: nil), .init(label: "B", isNumeric: false, width: 3, decimals: nil)],
            rows: [.init(.data, [.text("uno"), .text(words)]), .init(.data, [.text("dos"), .text("fin")])], empty: nil)
        let result = try render([ReportSamples.section("Tabla", [table])])
        expectTidy(result.recorder)
        #expect(result.pages > 2)
        let all = try text(result.bytes)
        for number in [0, 1_000, 2_500, 3_999] { #expect(all.contains("palabra\(number)"), "word \(number)") }
        #expect(all.contains("fin"))
    }

    @Test(arguments: ["Ñ", String(repeating: "Chachapoyas ", count: 20), String(repeating: "W", count: 200), ""])
    func namesOfAnyLengthStayInTheirBoxes(_ name: String) throws {
        let fields = FieldsContent(columns: 3, items: [
            .init(label: name, cell: .text(name), span: 1), .init(label: "Ubicación", cell: .text(name), span: 2), .init(label: "x", cell: .text(name), span: 1),
        ])
        let blocks: [any BlockContent] = [
            TitleContent(name, level: 1), TextContent(name, style: .note), fields, Self.table(rows: 3, text: name, columns: 14),
            SignaturesContent([.init(label: name, name: name), .init(label: name, name: nil)]),
            PhotosContent(title: name, columns: 2, millimetres: 30, photos: [.init(picture: nil, missing: name, caption: name, link: nil)], empty: nil),
        ]
        expectTidy(try render([ReportSamples.section(name, blocks)]).recorder)
    }

    /// Months go over as many pages as they take; the legend stands below the last.
    @Test(arguments: [(20, CalendarContent.Period.month), (1_500, .month), (1_500, .year)]) func aCalendarLosesNoMonth(_ days: Int, _ period: CalendarContent.Period) throws {
        let calendar = ReportSamples.calendar(days: days, by: period)
        let above = [TextContent](repeating: TextContent("Línea"), count: 30)
        let result = try render([ReportSamples.section("Calendario", above + [calendar, TextContent("Después")])])
        let all = try text(result.bytes)
        for grid in calendar.grids { #expect(all.contains(grid.name), "\(grid.name)") }
        #expect(all.contains("Omitido") && all.contains("Sin fecha, y por eso no en el calendario: 2.") && all.contains("Mié"))
        expectTidy(result.recorder)
    }

    @Test func linksAndOutlineLeadToTheirSections() throws {
        var table = Self.table(rows: 2)
        table.rows[0].cells[0].link = .anchor("pits/b")
        table.rows[1].cells[0].link = .address("https://example.org/a b")
        let sections = [
            ReportSamples.section("Resumen", anchor: "summary", isOfRow: false, [table]), ReportSamples.section("C-02", anchor: "pits/b", [TitleContent("C-02", level: 1)]),
        ]
        let folder = try TemporaryFolder()
        let made = try OtherProgram.run("/usr/bin/pdftohtml", ["-xml", "-i", "-stdout", folder.write(render(sections).bytes, to: "a.pdf")]).text
        #expect(made.contains(#"<a href="a.html#2">C-0</a>"#) && made.contains(#"<a href="https://example.org/a%20b">C-1</a>"#))
        // Entries of the outline stand in the order of the sections, each with its first page.
        #expect(made.contains("<outline>\n<item page=\"1\">Resumen</item>\n<item page=\"2\">C-02</item>\n</outline>"))
    }

    /// A link to a page that does not exist would damage the file.
    @Test func aLinkToNothingIsAnError() throws {
        var table = Self.table(rows: 1)
        table.rows[0].cells[0].link = .anchor("pits/none")
        let sections = [ReportSamples.section("Resumen", [table])]
        #expect(throws: (any Error).self) { try render(sections) }
    }

    @Test func theSameSectionsGiveTheSameBytes() throws {
        let sections = [ReportSamples.section("C-01", [ReportSamples.log(5), Self.table(rows: 30)])]
        #expect(try render(sections).bytes == render(sections).bytes)
    }

    @Test func pagesAreCountedOverTheWholeDocumentOrBySection() throws {
        let sections = (1...3).map { ReportSamples.section("S\($0)", isOfRow: false, [TitleContent("S\($0)", level: 1)]) }
        #expect(try text(render(sections, numbersBySection: false).bytes).contains("3 de 3"))
        let single = try text(render(sections, numbersBySection: true).bytes)
        #expect(!single.contains("3 de 3") && single.contains("1 de 1"))
    }

    /// A section begins where its template says: on a page, below the one before where it fits there
    /// whole, or anywhere below it with what its head stands over.
    @Test(arguments: [
        (ReportBeginning.page, 3, 3), (.whole, 3, 1), (.anywhere, 3, 1),
        // A page holds the first table of 20 rows and the beginning of the second.
        (.whole, 20, 3), (.anywhere, 20, 2),
    ]) func sectionsShareAPage(_ begins: ReportBeginning, rows: Int, pages: Int) throws {
        let sections = (1...3).map { number in
            SectionContent(
                name: "s", title: "S\(number)", anchor: "s/\(number)", isOfRow: true, paper: ReportPaper(), begins: begins,
                blocks: [TitleContent("S\(number)", level: 1), Self.table(rows: rows)])
        }
        let made = try render(sections, numbersBySection: false)
        #expect(made.pages == pages)
        #expect(try text(made.bytes).contains("\(pages) de \(pages)"))
    }

    /// A heading and fields stay with the first row of photos, and the last row does not stand alone
    /// on a page if all rows can be a little smaller.
    @Test func photosKeepTogetherAndShrinkBeforeOneStandsAlone() throws {
        func photos(_ count: Int, _ millimetres: Double) -> PhotosContent {
            PhotosContent(
                title: nil, columns: 2, millimetres: millimetres, photos: [PhotosContent.Photo](repeating: .init(picture: nil, missing: "Falta", stamp: "CHU-2025 · C-01", caption: "Pared", link: nil), count: count),
                empty: nil)
        }
        func section(_ number: Int, _ blocks: [any BlockContent]) -> SectionContent {
            SectionContent(name: "s", title: "S", anchor: "s/\(number)", isOfRow: true, paper: ReportPaper(), begins: .anywhere, blocks: blocks)
        }
        #expect(try render([section(1, [photos(6, 80)])], numbersBySection: false).pages == 1)
        #expect(try render([section(1, [photos(8, 80)])], numbersBySection: false).pages == 2)
        let second = try render([section(1, [photos(4, 80)]), section(2, [TitleContent("Segunda", level: 1), photos(2, 80)])], numbersBySection: false)
        let title = try #require(second.recorder.entries.first { $0.text == "Segunda" })
        #expect(second.pages == 2 && title.page == 1)
        #expect(second.recorder.entries.count { $0.text == "CHU-2025 · C-01" } == 6)
    }

    /// Every page of a record says whose it is, in which state and who signed; a draft is stamped.
    @Test(arguments: [true, false]) func theRecordsIdentityStandsOnEveryPage(isDraft: Bool) throws {
        let identity = IdentityContent(
            items: [.init(label: "Calicata", cell: .text("C-07"), span: 1), .init(label: "Estado", cell: .text("APROBADO"), span: 1),
                .init(label: "Ingeniero", cell: .text("Ana Quispe · CIP 104233 · 12/03/2025"), span: 3)], isDraft: isDraft)
        let result = try render([ReportSamples.section("C-07", [identity, ReportSamples.log(40), Self.table(rows: 90)])])
        expectTidy(result.recorder)
        #expect(result.pages > 3)
        let pages = try text(result.bytes).split(separator: "\u{0C}").filter { $0.contains(where: { !$0.isWhitespace }) }
        for (index, page) in pages.enumerated() {
            for word in ["C-07", "APROBADO", "CIP 104233", "\(index + 1) de \(result.pages)"] { #expect(page.contains(word), "\(word) on page \(index + 1)") }
        }
        // The stamp is seen and not read.
        let folder = try TemporaryFolder()
        let counted = try OtherProgram.run("/usr/bin/python3", ["-c", """
            import glob, subprocess, sys
            from PIL import Image
            subprocess.run(['pdftoppm', '-r', '30', '-png', sys.argv[1], sys.argv[1]], check=True)
            for path in sorted(glob.glob(sys.argv[1] + '-*.png')):
                print(sum(abs(r - 247) < 6 and abs(g - 204) < 8 and abs(b - 204) < 8 for r, g, b in Image.open(path).convert('RGB').getdata()) > 100)
            """, folder.write(result.bytes, to: "a.pdf")]).text.split(whereSeparator: \.isNewline)
        #expect(counted == [Substring](repeating: isDraft ? "True" : "False", count: result.pages), "\(counted)")
    }

    @Test func aSignatureBearsItsNumberAndDay() throws {
        let all = try text(render([ReportSamples.section("C-01", [SignaturesContent([.init(label: "Ingeniero", name: "Ana Quispe", note: "CIP 104233 · 12/03/2025"), .init(label: "Revisado", name: nil)])])]).bytes)
        #expect(all.contains("CIP 104233 · 12/03/2025"))
    }

    /// The scale does not jump from pit to pit.
    @Test func allLogsOfASectionHaveOneScale() throws {
        let logs = [0.3, 1.5, 2.4, 6].map { depth in
            var log = LogContent(
                layers: [.init(stratum: Stratum(top: 0, bottom: depth, symbol: "SM"), number: "1", description: "Arena", cells: [])], columns: [], total: depth, water: nil,
                scales: [10, 20, 25, 30, 40, 50], empty: "")
            log.usualDepth = 2.4
            return log
        }
        let all = try text(render(logs.enumerated().map { ReportSamples.section("C-\($0.offset)", [$0.element]) }).bytes)
        #expect(all.components(separatedBy: "Escala vertical 1:30").count == 5, "\(all.split(separator: "\n").filter { $0.contains("Escala") })")
    }

    @Test func aLongNameOfTheProjectIsWhole() throws {
        let folder = try TemporaryFolder()
        var head = ReportSamples.head()
        head.project = "PER-2025 · " + String(repeating: "carretera vecinal ", count: 10) + "tramo final"
        let renderer = try PDFRenderer(head, to: folder.file("a.pdf"), numbersBySection: true)
        try renderer.add(ReportSamples.section("A", [TitleContent("A", level: 1)]))
        #expect(try text(Data(contentsOf: URL(fileURLWithPath: renderer.finish().temporaryPath))).contains("tramo final"))
    }

    @Test func aDocumentWithoutSectionsSaysSo() throws {
        let result = try render([])
        #expect(result.pages == 1)
        #expect(try text(result.bytes).contains("Ningún registro"))
    }

    /// poppler hears a page: a table's head once, though it stands on every page; labels before
    /// values; a drawing as its values.
    @Test func readersHearWhatStandsThere() throws {
        let fields = FieldsContent(columns: 2, items: [.init(label: "Código", cell: .text("C-01"), span: 1)])
        let result = try render([
            ReportSamples.section("C-01", [TitleContent("Calicata", level: 1), fields, Self.table(rows: 90), ReportSamples.log(2), TextContent("Fin")])
        ])
        #expect(result.pages > 2)
        let folder = try TemporaryFolder()
        let path = try folder.write(result.bytes, to: "a.pdf")
        let lines = try OtherProgram.run("/usr/bin/pdfinfo", ["-struct-text", path]).text.split(whereSeparator: \.isNewline)
            .map { $0.trimmingCharacters(in: .whitespaces) }
        #expect(Array(lines.prefix(9)) == ["Document", "Sect", "H1 (block)", "\"Calicata\"", "L (block)", "LI (block)", "Lbl (block)", "\"Código\"", "LBody (block)"], "\(lines.prefix(12))")
        #expect(lines.filter { $0 == "TH:" }.count == 5 && lines.filter { $0 == "TR" }.count == 91 && lines.filter { $0 == "TD" }.count == 450)
        #expect(lines.last == "\"Fin\"" && lines.filter { $0.hasPrefix("Figure") }.count == 1)
        // Heads and feet of pages are not read.
        #expect(!lines.contains { $0.contains("InGe+") || $0.contains("Página") })
        #expect(try OtherProgram.run("/usr/bin/qpdf", ["--json", "--json-key=qpdf", path]).text.contains(#""/Alt": "u:Registro de la excavación: 0.00–0.30 m: "#))
    }

    @Test func bannersStandOnEveryPage() throws {
        let all = try text(render([ReportSamples.section("C-01", [PageBreakContent(), TitleContent("x", level: 1)])]).bytes)
        #expect(all.components(separatedBy: "BORRADOR").count == 3)
    }
}
