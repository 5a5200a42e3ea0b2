import Foundation
import Model
import OutputFiles
import Spreadsheets
import Testing
import Workbench
@testable import Exporting

@Suite struct XLSXLimitsTests {
    private let folder: TemporaryFolder
    private let findings = FindingList()

    init() throws { folder = try TemporaryFolder() }

    @Test func rowsGoOnInFurtherSheets() throws {
        var limits = XLSXLimits.excel
        limits.rows = 1001
        let sheet = XLSXSamples.sheet("Cortes", [XLSXSamples.column("N", .integer)], (0..<2500).map { [.integer(Int64($0))] })
        let book = try XLSXSamples.write(XLSXSamples.document([sheet]), in: folder, limits: limits, findings: findings)
        #expect(try book("[(w.title, w.dimensions, [t.ref for t in w.tables.values()]) for w in wb.worksheets[1:]]")
            == "[('Cortes', 'A1:A1001', ['A1:A1001']), ('Cortes (2)', 'A1:A1001', ['A1:A1001']), ('Cortes (3)', 'A1:A501', ['A1:A501'])]")
        #expect(try book("[c.value for w in wb.worksheets[1:] for c in w['A'][1:]] == list(range(2500))") == "True")
        #expect(findings.findings.map(\.code) == ["SHEET-SPLIT"])
        #expect(findings.findings.first?.arguments == ["sheet": "Cortes", "rows": "2500", "limit": "1000", "sheets": "3"])
    }

    @Test func longTextsAreKeptWholeInTheirOwnSheet() throws {
        let long = (0..<9000).map { "línea \($0) 🪨 & " }.joined()
        let exact = String(repeating: "ñ", count: 32_767)
        let sheet = XLSXSamples.texts("Notas", ["corto", long, exact, exact + "x"])
        let book = try XLSXSamples.write(XLSXSamples.document([sheet]), in: folder, findings: findings)
        #expect(try book("wb.sheetnames") == "['Portada', 'Notas', 'Textos largos']")
        #expect(try book("len(s('Notas')['A4'].value), s('Notas')['A3'].value.endswith(' … [→ Textos largos]')") == "(32767, True)")
        #expect(try book("all(len(c.value.encode('utf-16-le')) <= 65534 for w in wb for r in w for c in r if isinstance(c.value, str))") == "True")
        #expect(try book("row('Textos largos', 1), row('Textos largos', 2)[:3]") == "(['Hoja', 'Celda', 'Parte', 'Texto'], ['Notas', 'A3', 1])")
        let whole = try book("''.join(r[3].value for r in s('Textos largos').iter_rows(min_row=2) if r[1].value == 'A3')")
        #expect(whole == long.trimmingCharacters(in: .newlines))
        #expect(findings.findings.map(\.code) == ["TEXT-LONG"])
        #expect(findings.findings.first?.arguments == ["count": "2", "sheet": "Notas", "limit": "32767", "overflow": "Textos largos"])
        #expect(findings.findings.first?.place.cell == "A3")
        #expect(try book.malformedParts() == "")
    }

    @Test func manyLongTextsFillSeveralSheets() throws {
        var limits = XLSXLimits.excel
        limits.rows = 11
        limits.text = 1000
        let texts = (0..<9).map { String(repeating: String($0), count: 2000) }
        let book = try XLSXSamples.write(XLSXSamples.document([XLSXSamples.texts("A", texts)]), in: folder, limits: limits)
        #expect(try book("wb.sheetnames") == "\(["Portada", "A", "Textos largos"] + (2...9).map { "Textos largos (\($0))" })".replacing("\"", with: "'"))
        #expect(try book("''.join(r[3].value for w in wb.worksheets[2:] for r in w.iter_rows(min_row=2))") == texts.joined())
    }

    @Test func sheetNamesThatExcelRefusesAreReplaced() throws {
        let titles = ["a/b:c*d?[e]\\f", "'comillas'", "", "History", "Igual", "IGUAL", String(repeating: "ñ", count: 40), "Listas", "Portada", "d'Este & <x>"]
        let sheets = titles.map { XLSXSamples.texts($0, ["x"]) }
        let book = try XLSXSamples.write(XLSXSamples.document(sheets), in: folder, findings: findings)
        #expect(try book("wb.sheetnames") == """
            ['Portada', 'a-b-c-d-(e)-f', 'comillas', '_', 'History_', 'Igual', 'IGUAL (2)', '\(String(repeating: "ñ", count: 31))', 'Listas', \
            'Portada (2)', "d'Este & <x>"]
            """)
        #expect(findings.findings.filter { $0.code == "SHEET-RENAMED" }.map { $0.arguments["name"] ?? "" } == Array(titles[0...3]) + ["IGUAL", titles[6], "Portada"])
        #expect(try book.malformedParts() == "")
    }

    @Test func charactersThatXMLCannotHoldAreReplacedAndCounted() throws {
        let sheet = Sheet(name: "s", rowName: "r", title: "Raros", columns: [XLSXSamples.column("T")], rowCount: 2) { BrokenBytes() }
        let book = try XLSXSamples.write(XLSXSamples.document([sheet]), in: folder, findings: findings)
        #expect(try book.part("xl/worksheets/sheet2.xml").contains("<t>a\u{FFFD}b\u{FFFD}\u{FFFD}c_x000D_\nd\u{FFFD}</t>"))
        #expect(try book("s('Raros')['A3'].value") == "_x005F_x000D_ y _x12_")
        #expect(findings.findings.map(\.code) == ["TEXT-CHARACTER"])
        #expect(findings.findings.first?.arguments == ["count": "4", "sheet": "Raros"])
        #expect(try book.malformedParts() == "")
    }

    private final class BrokenBytes: RowSource {
        let columnCount = 1
        private var isDone = false
        func fill(_ batch: inout RowBatch) {
            batch.removeAll()
            guard !isDone else { return }
            isDone = true
            for bytes in [[0x61, 0x01, 0x62, 0xC3, 0xFF, 0x63, 0x0D, 0x0A, 0x64, 0xEF, 0xBF, 0xBE], Array("_x000D_ y _x12_".utf8)] as [[UInt8]] {
                unsafe bytes.withUnsafeBufferPointer { unsafe batch.append(utf8: $0) }
                batch.endRow()
            }
        }
    }

    @Test(arguments: [3, 5, 2000])
    func rowsThatWereNotCountedAreAnError(_ counted: Int) throws {
        let sheet = XLSXSamples.sheet("N", [XLSXSamples.column("N", .integer)], (0..<4).map { [.integer($0)] }, count: counted)
        #expect(throws: OutputFailure.rowCount(sheet: "N", expected: counted, found: 4)) {
            _ = try XLSXSamples.write(XLSXSamples.document([sheet]), in: folder)
        }
        #expect(try folder.names == [])
    }

    @Test func columnsBeyondTheLast() throws {
        let columns = (0...16_384).map { XLSXSamples.column("c\($0)") }
        #expect(throws: OutputFailure.tooManyColumns(sheet: "W", count: 16_385, limit: 16_384)) {
            _ = try XLSXSamples.write(XLSXSamples.document([XLSXSamples.sheet("W", columns, [])]), in: folder)
        }
        #expect(throws: OutputFailure.noColumns(sheet: "W")) {
            _ = try XLSXSamples.write(XLSXSamples.document([XLSXSamples.sheet("W", [], [])]), in: folder)
        }
        #expect(try folder.names == [])
    }

    @Test func wideSheetsAndHostileHeaders() throws {
        let odd = ["", "a\nb", "\u{1}", "_x0041_", "x'\"<&>", String(repeating: "largo ", count: 100), "=1+1"]
        let columns = odd.map { XLSXSamples.column($0) } + (0..<1000).map { _ in XLSXSamples.column("Igual") }
        let row = columns.indices.map { MemoryRows.Value.integer(Int64($0)) }
        let book = try XLSXSamples.write(XLSXSamples.document([XLSXSamples.sheet("W", columns, [row])]), in: folder)
        #expect(try book("[(t.ref, [c.name for c in t.tableColumns] == row('W', 1), max(map(len, row('W', 1)))) for t in s('W').tables.values()]")
            == "[('A1:ALS2', True, 200)]")
        #expect(try book("len(set(c.lower() for c in row('W', 1)))") == "1007")
        #expect(try book.malformedParts() == "")
    }

    @Test func onlyHarmlessLinksBecomeLinks() throws {
        let long = "https://example.org/" + String(repeating: "ñ", count: 235)
        let links = ["fotos/a.jpg", "mailto:a@example.org", long, long + "ñ", "file:///etc/passwd", "\\\\host\\x", "//host/x", "#A1", "a\"&CMD()", "HTTP://EXAMPLE.ORG"]
        let sheet = XLSXSamples.sheet("L", [XLSXSamples.column("L", .link)], links.map { [.text($0)] })
        let book = try XLSXSamples.write(XLSXSamples.document([sheet]), in: folder)
        #expect(try book("''.join('f' if c.data_type == 'f' else 't' for c in s('L')['A'][1:])") == "fffttttttf")
        #expect(try book("s('L')['A10'].value") == "a\"&CMD()")
    }

    /// Names of files are links to their folder, but for those that are not there, mean something else
    /// in an address, or are too long for a formula with their folder.
    @Test func namesOfFilesBecomeLinksToThem() throws {
        let long = String(repeating: "a", count: 255 - "../photos/".count)
        let names = ["C-01 ñ.jpg", "gone.jpg", "a#1.jpg", "50%.jpg", "a?.jpg", "a/b.jpg", long, long + "a", "x\"y.jpg"]
        var column = XLSXSamples.column("L", .link)
        column.files = LinkedFiles(folder: "../photos/", absent: ["gone.jpg"])
        let book = try XLSXSamples.write(XLSXSamples.document([XLSXSamples.sheet("L", [column], names.map { [.text($0)] })]), in: folder)
        #expect(try book("''.join('f' if c.data_type == 'f' else 't' for c in s('L')['A'][1:])") == "ftttttftt")
        #expect(try book("s('L')['A2'].value") == "=HYPERLINK(\"../photos/C-01 ñ.jpg\",\"C-01 ñ.jpg\")")
    }

    @Test func longListsAndListsWithCommasStandInTheirOwnSheet() throws {
        let commas = ["uno, dos", "tres"]
        let bytes = (0..<64).map { _ in "ñandú" } + ["fin"]
        var columns = [XLSXSamples.column("A"), XLSXSamples.column("B"), XLSXSamples.column("C")]
        for (index, options) in [commas, bytes, commas].enumerated() { columns[index].options = options }
        let book = try XLSXSamples.write(XLSXSamples.document([XLSXSamples.sheet("V", columns, [[.null, .null, .null]])]), in: folder)
        #expect(try book("[l[:2] for l in lists('V')]") == "[('A2', \"'Listas'!$A$1:$A$2\"), ('B2', \"'Listas'!$B$1:$B$65\"), ('C2', \"'Listas'!$A$1:$A$2\")]")
    }

    @Test func aMissingFolderIsReported() throws {
        #expect(throws: OutputFailure.directoryMissing(path: folder.path + "/no/libro.xlsx")) {
            _ = try XLSXWriter().write(XLSXSamples.everything(), stem: folder.path + "/no/libro", findings: findings) { _ in }
        }
    }
}
