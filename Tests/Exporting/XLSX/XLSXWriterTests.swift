import Foundation
import Model
import Testing
import Workbench
@testable import Exporting

@Suite struct XLSXWriterTests {
    private let folder: TemporaryFolder
    private let findings = FindingList()
    private let book: ReadBook

    init() throws {
        folder = try TemporaryFolder()
        book = try XLSXSamples.write(XLSXSamples.everything(), in: folder, findings: findings)
    }

    @Test func everyKindOfCellReadsBack() throws {
        #expect(
            try book("row('Cortes', 2)") == """
                ['0045', 3, 1.5, 12.345, 1234.5, 'Sí', datetime.datetime(2025, 3, 9, 0, 0), datetime.time(7, 30), \
                datetime.datetime(2025, 3, 9, 18, 15, 30), '=HYPERLINK("fotos/ñandú 1.jpg")', 'SM', 'Unidad geotécnica 7', \
                'Arena & grava <3"\\n  húmeda']
                """)
        #expect(
            try book("row('Cortes', 3)") == """
                ['=1+1', -7, -0.1, 1e-09, None, 'No', datetime.datetime(1900, 2, 28, 0, 0), datetime.time(23, 59, 59), \
                datetime.datetime(2025, 12, 31, 19, 0), '=HYPERLINK("https://example.org/?a=1&b=2")', 'XX', None, '  bordes  ']
                """)
        #expect(
            try book("row('Cortes', 4)") == """
                ['12', 'no es número', 2, 'inf', '9007199254740993', '5', '31/12/2025', '25:00', 'ayer', 'javascript:alert(1)', \
                None, None, 'fin']
                """)
    }

    @Test func whatLooksLikeAFormulaIsText() throws {
        #expect(try book.part("xl/worksheets/sheet2.xml").contains(#"t="inlineStr"><is><t>=1+1</t></is></c>"#))
        #expect(try book("s('Cortes')['A3'].number_format, s('Cortes')['J3'].data_type") == "('@', 'f')")
    }

    @Test func numberFormatsSayWhatAColumnHolds() throws {
        #expect(
            try book("[c.number_format for c in s('Cortes')[2]]") == """
                ['@', '0', '0.00', 'General', '#,##0.00', 'General', 'dd/mm/yyyy', 'hh:mm:ss', 'dd/mm/yyyy hh:mm:ss', 'General', '@', '@', 'General']
                """)
        #expect(try book("s('Cortes')['M2'].alignment.wrap_text, s('Cortes')['J2'].font.u, s('Cortes')['A1'].font.b") == "(True, 'single', True)")
        #expect(try book("s('Cortes').column_dimensions['B'].width < 20") == "True")
    }

    /// A column of texts is as wide as its longest text or its header's longest word, up to a limit;
    /// what is empty is no wider than its header.
    @Test func columnsAreAsWideAsTheirContents() throws {
        let widths = try book(
            """
            [(c.column_letter, round(s('Cortes').column_dimensions[c.column_letter].width), max([len(l) for r in s('Cortes').iter_rows(min_row=2, min_col=c.column, max_col=c.column) \
            for x in r if isinstance(x.value, str) for l in x.value.split('\\n')] or [0])) for c in s('Cortes')[1] if c.column_letter in 'AKM']
            """)
        #expect(widths == "[('A', 11, 4), ('K', 9, 2), ('M', 20, 17)]")
    }

    @Test func headersTablesAndFrozenPanes() throws {
        #expect(try book("wb.sheetnames, s('Listas').sheet_state") == "(['Portada', 'Cortes', 'Vacía', 'Listas'], 'hidden')")
        #expect(try book("row('Cortes', 1)[2:5]") == "['Profundidad (m)', 'Humedad (%)', 'Costo (S/)']")
        #expect(try book("s('Cortes').freeze_panes, s('Cortes').dimensions, s('Cortes').print_title_rows") == "('A2', 'A1:M4', '$1:$1')")
        #expect(
            try book("[(t.ref, t.autoFilter.ref, [c.name for c in t.tableColumns] == row('Cortes', 1)) for t in s('Cortes').tables.values()]")
                == "[('A1:M4', 'A1:M4', True)]")
        #expect(try book("s('Cortes').page_setup.orientation, s('Cortes').page_setup.fitToHeight, s('Cortes').oddFooter.right.text") == "('landscape', 0, '&P / &N')")
        #expect(try book("s('Cortes').oddHeader.right.text") == "DEV · BORRADOR")
    }

    @Test func aTableWithoutRowsHasAnEmptyOne() throws {
        #expect(try book("[(t.ref, [c.name for c in t.tableColumns]) for t in s('Vacía').tables.values()]") == "[('A1:B2', ['A', 'a (2)'])]")
        #expect(try book("[c.value for c in s('Vacía')[1]]") == "['A', 'a (2)']")
    }

    @Test func vocabulariesAreDropDownLists() throws {
        #expect(
            try book("lists('Cortes')")
                == #"[('F2:F4', '"Sí,No"', True), ('K2:K4', '"GW,GP,SM"', True), ('L2:L4', "'Listas'!$A$1:$A$80", True)]"#)
        // The vocabulary is open, so Excel accepts other values too.
        #expect(try book.part("xl/worksheets/sheet2.xml").contains(#"showInputMessage="1" sqref="L2:L4""#))
        #expect(try book("s('Listas')['A80'].value") == "Unidad geotécnica 80")
    }

    @Test func coverAndProperties() throws {
        #expect(
            try book("[[c.value for c in r if c.value] for r in s('Portada').iter_rows()]") == """
                [['Calicatas y cortes'], ['Proyecto TPA-2025'], ['DEV'], ['BORRADOR'], [], ['Sistema', 'InGe+'], \
                ['Actor', 'Ana <ana@example.org>'], ['Raro', '_x0041_ y �'], [], ['Excluidos'], ['Motivo', 'Detalle', 'Cantidad'], \
                ['Sin sincronizar', '3 & más', '3']]
                """)
        #expect(
            try book("(p := wb.properties) and (p.title, p.subject, p.creator, str(p.created), str(p.modified))")
                == "('Calicatas y cortes', 'Proyecto TPA-2025', 'Ana Quispe', '2026-01-01 00:00:00', '2026-01-01 00:00:00')")
        #expect(findings.findings.map(\.code) == ["TEXT-CHARACTER"])
        #expect(findings.findings.first?.arguments == ["count": "1", "sheet": "Portada"])
    }

    @Test func everyPartIsWellFormed() throws {
        #expect(try book.malformedParts() == "")
    }

    @Test func sameDocumentSameBytes() throws {
        let again = try XLSXSamples.write(XLSXSamples.everything(), in: folder, stem: "otra")
        #expect(try OtherProgram.sha256(again.path) == OtherProgram.sha256(book.path))
    }

    /// Each part is equal to the one in `Goldens/xlsx/everything`. `FICHERO_UPDATE_GOLDENS=1`
    /// writes the goldens again.
    @Test func partsAreAsBefore() throws {
        let golden = ProjectFolder.root.appending(path: "Tests/Exporting/Goldens/xlsx/everything").path
        let listing = try OtherProgram.python("import sys, zipfile; print('\\n'.join(zipfile.ZipFile(sys.argv[1]).namelist()))", book.path)
        let names = listing.split(separator: "\n").map(String.init)
        let isUpdate = ProcessInfo.processInfo.environment["FICHERO_UPDATE_GOLDENS"] == "1"
        if isUpdate { try? FileManager.default.removeItem(atPath: golden) }
        for name in names {
            let file = golden + "/" + name
            let content = try book.part(name)
            if isUpdate {
                try FileManager.default.createDirectory(atPath: (file as NSString).deletingLastPathComponent, withIntermediateDirectories: true)
                try Data((content + "\n").utf8).write(to: URL(fileURLWithPath: file))
            }
            let before = try String(contentsOfFile: file, encoding: .utf8)
            #expect(before == content + "\n", "\(name) differs")
        }
        let files = FileManager.default.subpaths(atPath: golden) ?? []
        let known = files.filter { $0.hasSuffix(".xml") || $0.hasSuffix("/.rels") || $0.hasSuffix(".xml.rels") }
        #expect(Set(known) == Set(names))
    }

    @Test func progressCountsRowsOfAllSheets() throws {
        var heard: [Int] = []
        let sheet = XLSXSamples.texts("A", (0..<600).map(String.init))
        _ = try XLSXWriter().write(XLSXSamples.document([sheet, sheet]), stem: folder.path + "/p", findings: findings) { heard.append($0) }
        #expect(heard == [256, 512, 600, 856, 1112, 1200])
    }

    @Test func languagesAndZones() throws {
        let column = XLSXSamples.column("At", .dateTime)
        let sheet = XLSXSamples.sheet(
            "S", [column, XLSXSamples.column("B", .boolean)],
            [[.text("2025-03-30T00:59:59Z"), .integer(1)], [.text("2025-03-30T01:00:00Z"), .integer(0)]])
        let italian = try XLSXSamples.write(XLSXSamples.document([sheet], language: .italian, zone: "Europe/Rome"), in: folder, stem: "it")
        #expect(try italian("[str(r[0].value) + r[1].value for r in s('S').iter_rows(min_row=2)]") == "['2025-03-30 01:59:59Sì', '2025-03-30 03:00:00No']")
        let english = try XLSXSamples.write(XLSXSamples.document([sheet], language: .english, zone: "UTC"), in: folder, stem: "en")
        #expect(try english("s('S')['A2'].number_format, wb.sheetnames[0]") == "('yyyy-mm-dd hh:mm:ss', 'Cover')")
    }
}
