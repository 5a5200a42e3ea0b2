import Foundation
import Model
import OutputFiles
import Testing
import Workbench

@testable import Blocks
@testable import Reporting

@Suite struct WorkbookRendererTests {
    private let folder: TemporaryFolder

    init() throws { folder = try TemporaryFolder() }

    @Test func everySectionIsASheet() throws {
        let book = try folder.write(ReportSamples.everything())
        #expect(try book("[(w.title, w.sheet_state) for w in wb]") == """
            [('Índice', 'visible'), ('Resumen', 'visible'), ('Calicata C-001', 'visible'), ('Calicata C-002', 'visible'), ('Plano', 'visible'), \
            ('Datos de gráficos', 'hidden')]
            """)
        #expect(try book("overlaps()") == "[]")
        #expect(try book.malformedParts() == "")
        #expect(try folder.names == ["informe.xlsx"])
        // With `KEEP_REPORT`, a person can look at the workbook.
        if let keep = ProcessInfo.processInfo.environment["KEEP_REPORT"] { try FileManager.default.copyItem(atPath: book.path, toPath: keep) }
    }

    @Test func equalSectionsGiveEqualBytes() throws {
        let first = try folder.write(ReportSamples.everything(), name: "a.xlsx")
        let second = try folder.write(ReportSamples.everything(), name: "b.xlsx")
        #expect(FileManager.default.contents(atPath: first.path) == FileManager.default.contents(atPath: second.path))
        let other = try folder.write(Array(ReportSamples.everything().dropLast()), name: "c.xlsx")
        #expect(FileManager.default.contents(atPath: first.path) != FileManager.default.contents(atPath: other.path))
    }

    @Test func fieldsAreValues() throws {
        let book = try folder.write([ReportSamples.pit("C-001", layers: 1)])
        func field(_ label: String) throws -> String {
            try book("(lambda c: (c.value, c.number_format, c.data_type))(beside(find('Calicata C-001', '\(label)')))")
        }
        #expect(try field("Progresiva") == "('12+300', 'General', 's')")
        #expect(try field("Este") == "(187654.321, '#,##0.00\" m\"', 'n')")
        #expect(try field("Profundidad") == "(3, '\"✔ \"0.00\" m\"', 'n')")
        #expect(try field("Fecha de excavación") == "(datetime.datetime(2025, 3, 9, 0, 0), 'dd/mm/yyyy', 'd')")
        // 23:15:30 in UTC is 18:15:30 in Lima.
        #expect(try field("Registrado") == "(datetime.datetime(2025, 3, 9, 18, 15, 30), 'dd/mm/yyyy hh:mm', 'd')")
        #expect(try field("Nivel freático") == "('—', 'General', 's')")
        // The last field reaches the edge of the sheet.
        #expect(try book("[m.max_col for m in s('Calicata C-001').merged_cells.ranges if beside(find('Calicata C-001', 'Ubicación')).coordinate in m][0] == s('Calicata C-001').max_column") == "True")
    }

    @Test func aTableCanBeFiltered() throws {
        let book = try folder.write([ReportSamples.section("Índice", [TitleContent("Calicatas", level: 1), ReportSamples.table(rows: 12)])])
        let header = try #require(Int(try book("find('Índice', 'Calicata').row")))
        #expect(try book("(s('Índice').auto_filter.ref, s('Índice').freeze_panes, s('Índice').print_title_rows)")
            == "('A\(header):E\(header + 12)', 'B\(header + 1)', '$\(header):$\(header)')")
        #expect(try book("[c.value for c in s('Índice')[\(header + 4)]]") == "['C-004', datetime.datetime(2025, 3, 4, 0, 0), 2.25, 9, \(quoted(ReportSamples.descriptions[2]))]")
        #expect(try book("[c.number_format for c in s('Índice')[\(header + 4)]]") == "['General', 'dd/mm/yyyy', '\"✖ \"0.00', '0', 'General']")
        // A text stays a text. Its format shows the sign of the finding.
        #expect(try book("(lambda c: (c.value, c.data_type, c.number_format))(s('Índice').cell(\(header + 2), 5))") == "('=1+1', 's', '\"▲ \"@')")
        // No cell of the table is merged with another.
        #expect(try book("[m.coord for m in s('Índice').merged_cells.ranges if m.min_row >= \(header)]") == "[]")
        #expect(try book("s('Índice').cell(\(header + 13), 1).value") == "Total")
    }

    private func quoted(_ text: String) -> String { "'\(text)'" }

    @Test func aCalendarIsCellsWithTheirValues() throws {
        let book = try folder.write([ReportSamples.section("Mes", [ReportSamples.calendar(days: 60)]), ReportSamples.section("Año", [ReportSamples.calendar(days: 60, by: .year)])])
        #expect(try book("overlaps()") == "[]")
        func cell(_ place: String, in sheet: String = "Mes") throws -> String {
            try book("(lambda c: (c.value, c.number_format, c.fill.fgColor.rgb if c.fill.fill_type else None))(s('\(sheet)')['\(place)'])")
        }
        #expect(try book("[find('Mes', name).coordinate for name in ('Enero 2025', 'Febrero 2025')]") == "['A9', 'I9']")
        // 2 January 2025 was a Thursday: its number, and below it the value on the ground of its grade.
        #expect(try cell("D11") == "(2, '0', 'FF9FABBB')" && cell("D12") == "(1, '0', 'FF9FABBB')")
        // A sign is the format of its number. Without a number it is the text; without data, nothing.
        #expect(try cell("C12") == "(0, '\"●\"', 'FFE0E3E9')" && cell("B14") == "('–', 'General', None)")
        #expect(try cell("G11") == "(5, '0', None)" && cell("G12") == "(None, 'General', None)" && cell("A12") == "(None, 'General', None)")
        // Of a year, the weekdays are the rows, and months stand above their weeks.
        #expect(try book("[find('Año', name).coordinate for name in ('2025', 'Ene', 'Feb', 'Mar', 'Jue')]") == "['B8', 'B9', 'F9', 'J9', 'A13']")
        #expect(try book("[c.value for c in s('Año')[13]][1:11]") == "[1, 8, 15, 22, None, 36, 43, 50, 57, None]")
        for name in ["Mes", "Año"] { #expect(try book("(find('\(name)', 'Omitido').value, find('\(name)', '< 1').value)") == "('Omitido', '< 1')") }
    }

    @Test func aReversedAxisRunsFromHighToLow() throws {
        var chart = ReportSamples.chart(.columns)
        chart.isReversed = true
        let book = try folder.write([ReportSamples.section("Gráfico", [chart])])
        let part = "z.read('xl/charts/chart1.xml').decode()"
        #expect(try book("re.findall('<c:(catAx|valAx)>.*?orientation val=\"(.*?)\"', \(part)), re.findall('tickLblPos val=\"(.*?)\"', \(part))")
            == "([('catAx', 'minMax'), ('valAx', 'maxMin')], ['high', 'nextTo'])")
        #expect(try book.malformedParts() == "")
    }

    @Test func groupsAreOutlined() throws {
        let book = try folder.write([ReportSamples.section("G", [ReportSamples.table(rows: 10, grouped: true)])])
        let first = try #require(Int(try book("find('G', 'Tramo 1').row")))
        #expect(try book("[s('G').row_dimensions[r].outlineLevel for r in range(\(first), \(first + 8))]") == "[0, 1, 1, 1, 1, 1, 0, 0]")
        #expect(try book("(s('G').auto_filter.ref, s('G').freeze_panes)") == "(None, 'B\(first)')")
        #expect(try book("any(c.coordinate in m for m in s('G').merged_cells.ranges for c in [find('G', 'Tramo 1')])") == "True")
    }

    @Test func linksLeadToSheetsThatComeLater() throws {
        var sections = [ReportSamples.section("Índice", anchor: "index", [ReportSamples.table(rows: 3)])]
        sections += [ReportSamples.pit("C-002", layers: 1), ReportSamples.pit("C-001", layers: 1)]
        let book = try folder.write(sections)
        let row = try #require(Int(try book("find('Índice', 'C-001').row")))
        #expect(try book("links('Índice')") == "[('A\(row)', \"'Calicata C-001'!A1\", None), ('A\(row + 1)', \"'Calicata C-002'!A1\", None)]")
        // The third pit has no sheet, so its name has no link.
        #expect(try book("s('Índice').cell(\(row + 2), 1).value") == "C-003")
    }

    @Test func onlyHarmlessAddressesAreLinks() throws {
        let addresses = ["fotos/a b.jpg", "https://example.org/?a=1&b=2", "javascript:alert(1)", "\\\\host\\x", "file:///etc/passwd", "#A1", "x internal:y"]
        let items = addresses.map { FieldsContent.Item(label: "L", cell: ReportCell(.text($0), text: $0, link: .address($0)), span: 1) }
        let book = try folder.write([ReportSamples.section("L", [FieldsContent(columns: 1, items: items)])])
        #expect(try book("[t for _, _, t in links('L')]") == "['fotos/a%20b.jpg', 'https://example.org/?a=1&b=2']")
        #expect(try book("sorted(c.value for r in s('L') for c in r if c.value in \(addresses)) == sorted(\(addresses))") == "True")
    }

    @Test func pagesAreSetUp() throws {
        let wide = SectionContent(
            name: "x", title: "Ancho", anchor: "x", isOfRow: false, paper: ReportPaper(size: .a3, isLandscape: true, margin: 20),
            blocks: [TextContent("uno", style: .normal), PageBreakContent(), TextContent("dos", style: .normal)])
        let book = try folder.write([ReportSamples.pit("C-1", layers: 2, photos: 1), wide, ReportSamples.section("T", [ReportSamples.table(rows: 3)])])
        #expect(try book("(lambda p: (p.paperSize, p.orientation, p.fitToWidth, p.fitToHeight))(s('T').page_setup)") == "(9, 'portrait', None, 0)")
        #expect(try book("s('T').sheet_properties.pageSetUpPr.fitToPage") == "True")
        // A log is to scale: what has no room beside it stands below, so that the sheet keeps its own size. It is a
        // little narrower than the page, so that a fit to the page's width changes nothing.
        #expect(try book("(lambda p: (p.paperSize, p.orientation, p.scale in (None, 100)))(s('Calicata C-1').page_setup)") == "(9, 'portrait', True)")
        #expect(try book("sum(d.width * 5.4 for d in s('Calicata C-1').column_dimensions.values()) < 500") == "True")
        // The sheet has a scale, because Excel uses page breaks only with a scale.
        #expect(try book("(lambda p: (p.paperSize, p.orientation, 85 < p.scale < 95))(s('Ancho').page_setup)") == "(8, 'landscape', True)")
        #expect(try book("([b.id for b in s('Ancho').row_breaks.brk][0], s('Ancho').row_breaks.brk[0].id + 1 == find('Ancho', 'dos').row)").hasSuffix("True)"))
        #expect(try book("round(s('Ancho').page_margins.left * 25.4, 3)") == "20.0")
        let head = try book("re.findall('(?s)<oddHeader>(.*?)</oddHeader><oddFooter>(.*?)</oddFooter>', z.read('xl/worksheets/sheet1.xml').decode())[0]")
        #expect(head.contains("&amp;LX".replacing("X", with: "&amp;8&amp;K595959Informe de calicatas")))
        // Each stands in lines of its own: side by side, one would run over the other.
        #expect(head.contains("Informe de calicatas\\nCHU-2025 · Carretera Chuquicara – Tauca, tramo II") && head.contains("STAGING · BORRADOR\\n"))
        // An `&` before a G in a firm's name does not become the place of a picture.
        #expect(head.contains("InGe+ &amp;&amp; García") && head.contains("Página &amp;P de &amp;N"))
        #expect(try book("s('Calicata C-1').sheet_properties.tabColor.rgb != s('Ancho').sheet_properties.tabColor.rgb") == "True")
    }

    @Test func bannersAndLogosStandOnEverySheet() throws {
        let book = try folder.write(ReportSamples.everything())
        #expect(try book("[sum(c.value in ('STAGING', 'BORRADOR') for r in w for c in r) for w in wb]") == "[2, 2, 2, 2, 2, 0]")
        #expect(try book("all(len(w._images) >= 2 for w in wb.worksheets[:-1])") == "True")
        // Each logo is stored once, for any number of sheets.
        let final = try folder.write([ReportSamples.section("a", []), ReportSamples.section("b", [])], head: ReportSamples.head(draft: false), name: "f.xlsx")
        #expect(try final("[n for n in z.namelist() if 'media' in n]") == "['xl/media/image1.png', 'xl/media/image2.png']")
        #expect(try final("[c.value for r in s('a') for c in r if c.value]") == "['Informe de calicatas', 'CHU-2025 · Carretera Chuquicara – Tauca, tramo II', 'InGe+ & García S.A.C. · 31/12/2025 · Ana Quispe']")
    }

    @Test func photosAreThemselves() throws {
        let photos = ReportSamples.photos(3)
        let book = try folder.write([ReportSamples.section("F", [photos])])
        let files = try book("sorted(z.read(n).hex() for n in z.namelist() if 'media' in n)")
        for photo in photos.photos {
            guard let picture = photo.picture else { continue }
            #expect(files.contains(picture.bytes.map { String(format: "%02x", $0) }.joined()))
        }
        // There are two logos and two photos. The third photo is missing, and a text says so.
        #expect(try book("len(s('F')._images)") == "4")
        #expect(try book("sorted(c.value for r in s('F') for c in r if str(c.value).startswith(('Foto', 'La foto')))") == "\(photos.photos.map(\.caption) + ["La foto no se encuentra"])".replacing("\"", with: "'"))
        // A `#` in the name of a file must not end the address.
        #expect(try book("sorted(re.findall('Target=\"(fotos[^\"]*)\"', ''.join(z.read(n).decode() for n in z.namelist() if n.endswith('.rels'))))")
            == "['fotos/C-001%20%231.jpg', 'fotos/C-001%20%232.jpg', 'fotos/C-001%20%233.jpg']")
        // The pictures have the requested height and keep their proportions.
        #expect(try book("[(round(int(y) / 36000), round(int(x) / int(y), 2)) for x, y in re.findall('<a:ext cx=\"(.*?)\" cy=\"(.*?)\"', z.read('xl/drawings/drawing1.xml').decode())[2:]]") == "[(55, 1.33), (55, 0.75)]")
    }

    @Test func photosStayWithTheirCaptions() throws {
        let book = try folder.write([ReportSamples.section("F", [ReportSamples.photos(12)])])
        // Every page begins with a row of pictures and not with the captions below them.
        #expect(try book("[any(i.anchor._from.row == b.id for i in s('F')._images[2:]) for b in s('F').row_breaks.brk]") == "[True]")
    }

    @Test func jpegsAreTakenAsTheyAre() throws {
        let jpeg = [0xFF, 0xD8, 0xFF, 0xE0] + (0..<2000).map { UInt8($0 % 251) }
        let picture = PictureContent(picture: ReportPicture(bytes: jpeg, isPNG: false, width: 400, height: 300), millimetres: 30)
        let book = try folder.write([ReportSamples.section("J", [picture])])
        #expect(try book.archive("[len(z.read(n)) for n in z.namelist() if n.endswith('.jpeg')]") == "[2004]")
        let size = try book.archive("re.findall('<a:ext cx=\"(.*?)\" cy=\"(.*?)\"', z.read('xl/drawings/drawing1.xml').decode())[-1]")
        #expect(size == "('1440000', '1080000')")
    }

    @Test func chartsReadTheHiddenSheet() throws {
        let kinds = ChartContent.Kind.allCases
        let book = try folder.write([ReportSamples.section("G", kinds.map { ReportSamples.chart($0) })])
        #expect(try book("[type(c).__name__ for c in s('G')._charts]") == "['BarChart', 'BarChart', 'BarChart', 'LineChart', 'PieChart']")
        #expect(try book("[(c.series[0].val.numRef.f, c.series[0].cat.strRef.f, c.series[0].tx.strRef.f) for c in s('G')._charts][1]")
            == "(\"'Datos de gráficos'!$B$8:$B$11\", \"'Datos de gráficos'!$A$8:$A$11\", \"'Datos de gráficos'!$B$7\")")
        #expect(try book("[[c.value for c in r] for r in s('Datos de gráficos')['A1:C5']]")
            == "[['Profundidad por calicata', 'Profundidad', 'Relleno'], ['C-001', 3, 0.5], ['C-002', 2.5, 0.75], ['C-003', None, 1], ['C-004', 1.25, 0.25]]")
        #expect(try book.malformedParts() == "")
    }

    @Test func aDirectoryThatIsMissingIsReported() throws {
        #expect(throws: OutputFailure.directoryMissing(path: folder.path + "/no/x.xlsx")) {
            _ = try WorkbookRenderer(head: ReportSamples.head(), path: folder.path + "/no/x.xlsx")
        }
    }

    @Test func givenUpItLeavesNothing() throws {
        do {
            let renderer = try WorkbookRenderer(head: ReportSamples.head(), path: folder.path + "/x.xlsx")
            try renderer.add(ReportSamples.pit("C-001", layers: 3))
        }
        #expect(try folder.names == [])
    }

    /// Another program opens the workbook and prints at least one page for each sheet.
    @Test func libreOfficePrintsIt() throws {
        let book = try folder.write(ReportSamples.everything())
        _ = try OtherProgram.run("/usr/bin/soffice", ["-env:UserInstallation=file://\(folder.path)/office", "--headless", "--convert-to", "pdf", "--outdir", folder.path, book.path])
        let text = try OtherProgram.run("/usr/bin/pdftotext", ["-layout", folder.path + "/informe.pdf", "-"]).text
        #expect(text.contains("Registro de excavación C-001") && text.contains("Sin estratos registrados.") && text.contains("Página 9 de 9"))
    }
}
