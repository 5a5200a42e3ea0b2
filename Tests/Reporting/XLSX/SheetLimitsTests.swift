import Foundation
import Model
import Testing
import Workbench

@testable import Blocks
@testable import Reporting

/// Names, texts and sections that are longer, emptier or stranger than usual.
@Suite struct SheetLimitsTests {
    private let folder: TemporaryFolder

    init() throws { folder = try TemporaryFolder() }

    @Test func namesOfTwoHundredCharacters() throws {
        let long = String(repeating: "Calicata ñandú / tramo [2]: ", count: 8).prefix(200)
        var head = ReportSamples.head()
        head.title = String(long)
        head.project = String(long)
        head.brand.name = String(long)
        let sections = (0..<3).map { ReportSamples.section(String(long), anchor: "a\($0)", [TitleContent(String(long), level: 2), ReportSamples.fields()]) }
        let book = try folder.write(sections, head: head)
        #expect(try book("len(set(n.lower() for n in wb.sheetnames)), all(len(n) <= 31 and not set(n) & set('[]:*?/') for n in wb.sheetnames)") == "(3, True)")
        #expect(try book("all(len(h) <= 255 for h in re.findall('<oddHeader>(.*?)<', z.read('xl/worksheets/sheet1.xml').decode().replace('&amp;', '&')))") == "True")
        #expect(try book.malformedParts() == "")
        // The title is complete and has as many lines as it needs.
        #expect(try book("[(c.value == '\(long)', wb.worksheets[0].row_dimensions[c.row].height > 50) for r in wb.worksheets[0] for c in r if c.value][0]") == "(True, True)")
    }

    @Test func sectionsWithoutAnything() throws {
        let empty: [any BlockContent] = [
            FieldsContent(columns: 2, items: []), TableContent(title: "T", columns: [], rows: [], empty: nil),
            TableContent(title: nil, columns: [.init(label: "Sola", isNumeric: false, width: nil, decimals: nil)], rows: [], empty: "Sin filas."),
            PhotosContent(title: nil, columns: 0, millimetres: 50, photos: [], empty: nil), SymbolsContent([]), SignaturesContent([]), PageBreakContent(), PageBreakContent(),
            SpaceContent(millimetres: 0), TextContent("", style: .small),
            ChartContent(title: "C", kind: .pie, categories: [], series: [], decimals: nil, measure: "", millimetres: 40),
            PlanContent(
                    rooms: [], missing: [], background: [], boundary: [], north: nil, points: [], kinds: [], states: [], showsMarkedOnly: false, millimetres: nil,
                    empty: "Sin plano."),
        ]
        let book = try folder.write([ReportSamples.section("Vacía", []), ReportSamples.section("", empty)])
        #expect(try book("wb.sheetnames") == "['Vacía', '_']")
        #expect(try book("[c.value for r in s('_') for c in r if c.value][-4:]") == "['Sin filas.', 'C', 'Sin datos para el gráfico.', 'Sin plano.']")
        #expect(try book.malformedParts() == "")
    }

    @Test func aDocumentWithoutSectionsSaysSo() throws {
        let book = try folder.write([])
        #expect(try book("len(wb.sheetnames), [c.value for r in wb.worksheets[0] for c in r if c.value][-1].startswith('El documento no tiene secciones')") == "(1, True)")
    }

    @Test func nothingRunsAndNothingBreaksTheFile() throws {
        let hostile = ["=HYPERLINK(\"http://x\",\"y\")", "+1", "@SUM(A1)", "-2", "a\u{1}b\u{0}c", "_x0041_", "<&>\"'", "línea\r\notra", "\u{FFFE}"]
        let rows = hostile.map { TableContent.Row(.data, [.text($0)]) }
        let table = TableContent(title: nil, columns: [.init(label: "=1", isNumeric: false, width: nil, decimals: nil)], rows: rows, empty: nil)
        let book = try folder.write([ReportSamples.section("H", [table])])
        #expect(try book("{c.data_type for r in s('H') for c in r if c.value is not None}") == "{'s'}")
        let values = try book("[c.value for r in s('H') for c in r if c.value][-9:]")
        #expect(
            values == #"['=HYPERLINK("http://x","y")', '+1', '@SUM(A1)', '-2', 'a\u{FFFD}b\u{FFFD}c', '_x0041_', '<&>"\'', 'línea\notra', '\u{FFFD}']"#.replacing(
                "\\u{FFFD}", with: "\u{FFFD}"))
        #expect(try book("'<f>' in z.read('xl/worksheets/sheet1.xml').decode()") == "False")
        #expect(try book.malformedParts() == "")
    }

    @Test func longTextsAreNeverCut() throws {
        let words = (0..<12_000).map { "palabra\($0)" }.joined(separator: " ")
        let book = try folder.write([ReportSamples.section("T", [TextContent(words, style: .normal)])])
        #expect(try book("' '.join(c.value for r in s('T') for c in r if str(c.value).startswith('palabra')) == ' '.join('palabra%d' % i for i in range(12000))") == "True")
        #expect(try book("max(d.height for d in s('T').row_dimensions.values() if d.height) <= 409") == "True")
        // A cell has at most 32,767 UTF-16 units. The rest is cut off, and a sign says so.
        let cell = String(repeating: "_x0041_ ", count: 6000)
        let table = TableContent(
            title: nil, columns: [.init(label: "x", isNumeric: false, width: nil, decimals: nil)], rows: [.init(.data, [.text(cell)])], empty: nil)
        let other = try folder.write([ReportSamples.section("C", [table])], name: "c.xlsx")
        #expect(try other("[(len(c.value) <= 32767, c.value[-1]) for r in s('C') for c in r if str(c.value).startswith('_x')]") == "[(True, '…')]")
    }

    @Test func aSummaryIsWholeAndWrapped() throws {
        let words = (0..<3_000).map { "palabra\($0)" }.joined(separator: " ")
        let section = ReportSamples.section("S", [SummaryContent(heading: "Excavación", text: words), ReportSamples.table(rows: 3)])
        let book = try folder.write([section])
        #expect(try book("' '.join(c.value for r in s('S') for c in r if str(c.value).startswith('palabra')) == ' '.join('palabra%d' % i for i in range(3000))") == "True")
        #expect(try book("find('S', 'Excavación').font.b, under(find('S', 'Excavación')).font.b, under(find('S', 'Excavación')).alignment.wrap_text") == "(True, False, True)")
        #expect(try book("under(find('S', 'Excavación')).fill.fgColor.rgb == find('S', 'Excavación').fill.fgColor.rgb != '00000000'") == "True")
        #expect(try book("overlaps()") == "[]")
    }

    @Test func numbersThatAreNone() throws {
        let cells: [ReportCell] = [
            ReportCell(.number(.nan, decimals: 2), text: "–"), ReportCell(.number(1e300, decimals: nil), text: "1e300"), ReportCell(.date("1850-01-01"), text: "01/01/1850"),
            ReportCell(.instant("ayer"), text: "ayer"), ReportCell(.number(5, decimals: 0), text: "5 \"pulg\""),
        ]
        let book = try folder.write([
            ReportSamples.section("N", [FieldsContent(columns: 1, items: cells.map { .init(label: "v", cell: $0, span: 1) })])
        ])
        #expect(try book("[(beside(c).value, beside(c).number_format) for r in s('N') for c in r if c.value == 'v']")
            == "[('–', 'General'), (1e+300, 'General'), ('01/01/1850', 'General'), ('ayer', 'General'), (5, '0\" pulg\"')]")
    }

    @Test func manyColumnsAreScaledToThePage() throws {
        let columns = (0..<30).map { TableContent.Column(label: "Columna \($0)", isNumeric: false, width: nil, decimals: nil) }
        let rows = (0..<3).map { row in TableContent.Row(.data, columns.indices.map { .text("valor \(row) \($0)") }) }
        let book = try folder.write([
            ReportSamples.section("A", [ReportSamples.fields(), TableContent(title: nil, columns: columns, rows: rows, empty: nil)])
        ])
        #expect(try book("(s('A').max_column, s('A').page_setup.fitToWidth, [c.value for c in s('A')[s('A').max_row - 1]][-1])").hasPrefix("(30, None, "))
        #expect(try book("overlaps()") == "[]")
    }
}
