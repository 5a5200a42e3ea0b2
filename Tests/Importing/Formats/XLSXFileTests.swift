import Foundation
import Model
import Testing
import Workbench

@testable import Importing

@Suite struct XLSXFileTests {
    private let folder: TableFolder

    init() throws { folder = try TableFolder() }

    @Test func readsWhatOpenpyxlWrites() throws {
        try folder.python("""
            import datetime, openpyxl
            from openpyxl.styles import Font
            b = openpyxl.Workbook()
            s = b.active
            s.title = 'Calicatas & más'
            s.append(['código', 'fecha', 'hora', 'visto', 'prof', 'ok', 'error', 'nota'])
            s.append(['C-1 <a>', datetime.date(2024, 2, 29), datetime.time(7, 5, 9), datetime.datetime(2024, 3, 1, 13, 45, 30), 1.5, True, '#REF!', 'línea 1\\nlínea 2'])
            s.append([None, datetime.date(1900, 1, 1), None, datetime.datetime(1900, 3, 1), -3e-7, False, None, '=1+1'])
            s['A5'] = '  espacios  '
            s['J5'] = 123456789012
            s['B6'] = 0.25
            s['B6'].number_format = '0.00%'
            s['C6'] = 36.5
            s['C6'].number_format = '[h]:mm'
            s['D6'] = 45000.5
            s['D6'].number_format = '"d"0.0 \\\\m'
            s['E6'] = 45000.5
            s['E6'].number_format = '[$-es-PE]dd/mm/yyyy hh:mm AM/PM'
            s['F6'] = 0.5
            s['F6'].number_format = 'mm:ss.0'
            s.merge_cells('A8:C9')
            s['A8'] = 'fusión'
            s['A10'].hyperlink = 'https://example.pe/a?b=1&c=2'
            s['A10'] = 'enlace'
            s.column_dimensions['D'].hidden = True
            s.row_dimensions[3].hidden = True
            h = b.create_sheet('oculta'); h.sheet_state = 'hidden'; h['B2'] = 'x'
            v = b.create_sheet('muy oculta'); v.sheet_state = 'veryHidden'
            b.create_chartsheet('gráfico')
            b.save('book.xlsx')
            """)
        let file = try TableFiles.open(path: folder.path("book.xlsx"))
        #expect(type(of: file).kind == "xlsx")
        #expect(file.tables.map(\.name) == ["Calicatas & más", "oculta", "muy oculta"])
        #expect(file.tables.map(\.isHidden) == [false, true, true])
        let rows = try file.tables[0].content()
        #expect(rows[0] == "1 t:código t:fecha t:hora t:visto t:prof t:ok t:error t:nota")
        #expect(rows[1] == "2 t:C-1 <a> d:2024-02-29 t:07:05:09 d:2024-03-01T13:45:30 n:1.5 b:true e:#REF! t:línea 1\nlínea 2")
        // openpyxl stores no value for a formula, so the cell is empty.
        #expect(rows[2].hasPrefix("3 - d:1900-01-01 - d:1900-03-01T00:00:00 n:-3e-07 b:false"))
        #expect(rows[3] == "5 t:  espacios   - - - - - - - - n:123456789012")
        #expect(rows[4] == "6 - n:0.25 n:36.5 n:45000.5 d:2023-03-15T12:00:00 t:12:00:00")
        #expect(try file.tables[1].content() == ["2 - t:x"])
        #expect(try file.tables[2].content().isEmpty)

        let read = try #require(file.tables[0].details)
        let details = try read()
        #expect(details.mergedRanges == [.init(first: .init(row: 7, column: 0), last: .init(row: 8, column: 2))])
        #expect(details.links == [.init(row: 9, column: 0): "https://example.pe/a?b=1&c=2"])
        #expect(details.hiddenRows == [2])
        #expect(details.hiddenColumns == [3...3])
    }

    @Test func countsFrom1904WhereTheWorkbookSaysSo() throws {
        try folder.python("""
            import datetime, openpyxl
            from openpyxl.utils.datetime import CALENDAR_MAC_1904
            b = openpyxl.Workbook(); b.epoch = CALENDAR_MAC_1904
            b.active.append([datetime.date(1904, 1, 1), datetime.date(2024, 2, 29), datetime.datetime(2024, 12, 31, 23, 59, 59)])
            b.save('mac.xlsx')
            """)
        #expect(try contents(folder.path("mac.xlsx")) == ["1 d:1904-01-01T00:00:00 d:2024-02-29T00:00:00 d:2024-12-31T23:59:59"]
            || contents(folder.path("mac.xlsx")) == ["1 d:1904-01-01 d:2024-02-29 d:2024-12-31T23:59:59"])
    }

    @Test func takesMarkupInEveryForm() throws {
        let sheet = """
            \u{FEFF}<?xml version='1.0'?><!-- <row> --><x:worksheet xmlns:x="m"><x:sheetData>
            <x:row><x:c t='inlineStr' r="B1"><x:is><x:r><x:t xml:space='preserve'>uno &amp; </x:t></x:r><x:r><x:rPr><x:b/></x:rPr><x:t xml:space="preserve"> dos&#x20AC;</x:t></x:r><x:rPh sb='0'><x:t>NO</x:t></x:rPh></x:is></x:c
            ><x:c><x:v> 1.50 </x:v></x:c><x:c t="str"><x:f>A1&gt;"&lt;c&gt;"</x:f><x:v><![CDATA[<b>&]]></x:v></x:c></x:row>
            <x:row r="7"><x:c t="b"><x:v>0</x:v></x:c><x:c t='e'><x:v>#N/A</x:v></x:c><x:c s='9'/><x:c t='d'><x:v>2024-01-02T03:04:05Z</x:v></x:c><x:c t="str"><x:v>a_x000D_b_x00e1__</x:v></x:c><x:c t='d'><x:v>PT36H0M0.000S</x:v></x:c><x:c t='d'><x:v>2014-01-16T15:59:59.99999979045242400</x:v></x:c></x:row>
            <x:row r="9"><x:c r="A9" s="1"/></x:row>
            <x:row r='10' customHeight=">"><x:c r='C10'><!-- x --><x:v>a&#10;b</x:v></x:c></x:row>
            </x:sheetData></x:worksheet>
            """
        #expect(try contents(folder.workbook(sheet)) == [
            "1 - t:uno &  dos€ n:1.50 t:<b>&",
            "7 b:false e:#N/A - d:2024-01-02T03:04:05 t:a\rbá_ n:1.5 d:2014-01-16T16:00:00",
            "10 - - t:a\nb",
        ])
    }

    @Test func sharedStringsAndStylesAreFoundByRelation() throws {
        let sheet = "<worksheet><sheetData><row r='1'><c r='A1' t='s'><v>1</v></c><c r='B1' t='s'><v>0</v></c><c r='C1' s='1'><v>60</v></c><c r='D1' s='1'><v>59.25</v></c></row></sheetData></worksheet>"
        let strings = "<sst><si><t> primero\n</t></si><si><r><t xml:space='preserve'> ri</t></r><r><t>co</t></r><rPh sb='0' eb='1'><t>X</t></rPh></si><si/></sst>"
        let styles = "<styleSheet><numFmts><numFmt numFmtId='170' formatCode='yyyy\\-mm\\-dd'/></numFmts><cellStyleXfs><xf numFmtId='14'/></cellStyleXfs><cellXfs><xf numFmtId='0'/><xf numFmtId='170'/></cellXfs></styleSheet>"
        let path = try folder.workbook(sheet, extra: ["xl/sharedStrings.xml": strings, "xl/styles.xml": styles])
        #expect(try contents(path) == ["1 t: rico t:primero d:1900-02-29 d:1900-02-28T06:00:00"])
        let missing = try folder.workbook(sheet.replacingOccurrences(of: "<v>1<", with: "<v>3<"), extra: ["xl/sharedStrings.xml": strings])
        #expect(try failure(missing).place?.cell == "A1")
    }

    /// XML 1.0, 2.10: `xml:space` holds for all that an element encloses.
    @Test func preservedSpaceIsInherited() throws {
        let rows = """
            <sheetData><row r='1'><c r='A1' t='inlineStr'><is><r><t>Example</t></r><r><t> richtext</t></r></is></c>\
            <c r='B1' t='inlineStr'><is><t xml:space='default'> x </t></is></c><c r='C1' t='s'><v>0</v></c></row></sheetData>
            """
        func strings(_ table: String, _ item: String, _ run: String) -> [String: String] {
            ["xl/sharedStrings.xml": "<sst \(table)><si \(item)><r \(run)><t> a</t></r><r><t>b </t></r></si></sst>"]
        }
        let space = "xml:space='preserve'"
        #expect(
            try contents(folder.workbook("<worksheet \(space)>\(rows)</worksheet>", extra: strings(space, "", "")))
                == ["1 t:Example richtext t:x t: ab "])
        let plain = "<worksheet>\(rows)</worksheet>"
        #expect(
            try contents(folder.workbook(plain, extra: strings("", space, ""))) == ["1 t:Examplerichtext t:x t: ab "])
        #expect(
            try contents(folder.workbook(plain, extra: strings("", "", space))) == ["1 t:Examplerichtext t:x t: ab"])
        #expect(try contents(folder.workbook(plain, extra: strings("", "", ""))) == ["1 t:Examplerichtext t:x t:ab"])
    }

    @Test("The formats of conditional formats are not those of cells, though their ids may be the same")
    func formatsOfConditionsAreNotThoseOfCells() throws {
        let sheet = """
            <worksheet><sheetData><row r='1'><c r='A1' s='0'><v>43536</v></c><c r='B1' s='1'><v>3805.25</v></c></row>
            </sheetData></worksheet>
            """
        let styles = """
            <styleSheet><numFmts count='2'><numFmt numFmtId='164' formatCode='dd/mm/yyyy'/>
            <numFmt numFmtId='165' formatCode='0.00'/></numFmts>
            <cellXfs><xf numFmtId='164'/><xf numFmtId='165'/></cellXfs>
            <dxfs><dxf><numFmt numFmtId='164' formatCode='0'/></dxf><dxf><numFmt numFmtId='165' formatCode='yyyy-mm-dd'/></dxf></dxfs></styleSheet>
            """
        #expect(try contents(folder.workbook(sheet, extra: ["xl/styles.xml": styles])) == ["1 d:2019-03-12 n:3805.25"])
    }

    @Test(arguments: [
        ("General", NumberFormat.number), ("0.00E+00", .number), ("#,##0.00 \"días\"", .number), ("[Red]0", .number), ("@", .number),
        ("dd/mm/yyyy", .date), ("mmm-yy", .date), ("h:mm", .time), ("mm:ss.0", .time), ("d/m/yy h:mm", .dateTime), ("[h]:mm:ss", .number),
        ("[$-F800]dddd\\, mmmm dd\\, yyyy", .date), ("0\\d", .number), ("_-* #,##0.00 €_-", .number), ("h:mm AM/PM", .time), ("0;d", .number),
        ("General\" m\"", .number), ("\"C-\"General", .number), ("[Red]General", .number), ("GENERAL\\ \"d\"", .number), ("[Blue]General;[Red]-General", .number),
        ("[HH]", .number), ("[ss].00", .number), ("Standard", .number), ("0.0%", .percent), ("0\\%", .number), ("0\"%\"", .number), ("\"General\" d/m/yy", .date), ("ge.m.d", .date), ("d-mmm;General", .date),
    ]) func formatsTellDates(code: String, expected: NumberFormat) {
        #expect(NumberFormat(code: code) == expected)
    }

    @Test func aCellWithTwoValuesHasOne() throws {
        let cells = [
            "<c t='inlineStr'><v>7</v><is><t>a</t></is></c>", "<c t='inlineStr'><is><t>a</t></is><v>7</v></c>", "<c t='inlineStr'><v>b</v></c>",
            "<c t='str'><v>c</v><is><t>x</t></is></c>", "<c><is><t>x</t></is><v>7</v></c>",
            "<c t='inlineStr'><is><r><t>d</t></r><r><t>e</t></r></is><v>7</v></c>",
        ]
        let path = try folder.workbook("<worksheet><sheetData><row>" + cells.joined() + "</row></sheetData></worksheet>")
        #expect(try contents(path) == ["1 t:a t:a t:b t:c n:7 t:de"])
    }

    @Test func partsInUTF16AndNamesWithBackslashes() throws {
        try folder.python("""
            import openpyxl, zipfile
            b = openpyxl.Workbook(); b.active.append(['ñandú', 1.5]); b.save('plain.xlsx')
            z = zipfile.ZipFile('plain.xlsx')
            with zipfile.ZipFile('wide.xlsx', 'w') as wide, zipfile.ZipFile('back.xlsx', 'w', zipfile.ZIP_DEFLATED) as back:
                for name in z.namelist():
                    text = z.read(name).decode().replace('encoding="UTF-8"', 'encoding="UTF-16"')
                    wide.writestr(name, text.encode('utf-16'))
                    info = zipfile.ZipInfo(name); info.filename = name.replace('/', '\\\\')
                    back.writestr(info, z.read(name).replace(b'/worksheets/', b'\\\\worksheets\\\\'))
            """)
        for name in ["wide.xlsx", "back.xlsx"] {
            #expect(try contents(folder.path(name)) == ["1 t:ñandú n:1.5"], "\(name)")
            // It is not a package. `describe` checks this before it reads tables.
            #expect(SourceFormats.name(of: try SourceLocation(path: folder.path(name))) == nil)
        }
    }

    /// A binary workbook with every kind of cell, a hidden sheet, and formulas whose saved values are not what they
    /// would give today.
    @Test func binaryWorkbooksAreReadAsTheyWereSaved() throws {
        let path = folder.path("book.xlsb")
        _ = try OtherProgram.python(
            """
            import struct, sys, zipfile
            def text(word): return struct.pack('<I', len(word)) + word.encode('utf-16-le')
            def record(kind, data=b''):
                return bytes([kind] if kind < 128 else [kind & 127 | 128, kind >> 7]) + bytes([len(data)]) + data
            def row(number, hidden=0): return record(0, struct.pack('<IIHBBB', number, 0, 0, 0, hidden, 0) + bytes(4))
            def cell(kind, column, value, style=0): return record(kind, struct.pack('<II', column, style) + value)
            def real(value): return struct.pack('<d', value)
            relation = "<Relationship Id='%s' Type='http://x/%s' Target='%s'/>"
            def relations(*all): return '<Relationships>' + ''.join(relation % each for each in all) + '</Relationships>'
            rows = row(0) + cell(7, 0, struct.pack('<I', 1)) + cell(2, 2, struct.pack('<I', 123 << 2 | 3)) + cell(5, 3, real(43536), 1)
            rows += cell(5, 4, real(0.25), 2) + cell(4, 5, b'\\1') + cell(3, 6, b'\\x2a') + cell(6, 7, text('en línea'))
            rows += row(2, 0x10) + cell(1, 0, b'') + cell(9, 1, real(41640), 1) + cell(10, 2, b'\\0') + cell(11, 3, b'\\x07') + cell(8, 4, text('hoy'))
            rows += record(14, bytes(4) + b'\\x0f') + cell(62, 6, b'\\0' + text('rico'))
            sheet = record(129) + record(60, struct.pack('<IIIIH', 1, 2, 0, 0, 1)) + record(145) + rows + record(146)
            sheet += record(176, struct.pack('<IIII', 4, 5, 0, 2)) + record(494, struct.pack('<IIII', 0, 0, 0, 0) + text('r1') + text('') * 3)
            styles = record(44, struct.pack('<H', 164) + text('dd/mm/yyyy')) + record(626) + record(47, struct.pack('<HH', 0, 164) + bytes(12)) + record(627)
            styles += record(617) + b''.join(record(47, struct.pack('<HH', 0, each) + bytes(12)) for each in [0, 164, 10]) + record(618)
            with zipfile.ZipFile(sys.argv[1], 'w') as book:
                book.writestr('[Content_Types].xml', '<Types/>')
                book.writestr('_rels/.rels', relations(('r1', 'officeDocument', 'xl/workbook.bin')))
                book.writestr('xl/_rels/workbook.bin.rels', relations(
                    ('r7', 'worksheet', 'worksheets/sheet1.bin'), ('r8', 'worksheet', 'worksheets/sheet2.bin'), ('r9', 'chartsheet', 'c.bin'),
                    ('s', 'sharedStrings', 'sharedStrings.bin'), ('t', 'styles', 'styles.bin')))
                book.writestr('xl/workbook.bin', record(131) + b''.join(
                    record(156, struct.pack('<II', hidden, 1) + text(id) + text(name))
                    for hidden, id, name in [(0, 'r7', 'Pozos'), (1, 'r8', 'Notas'), (0, 'r9', 'Chart')]))
                book.writestr('xl/sharedStrings.bin', b''.join(record(19, b'\\0' + text(word)) for word in ['no', 'Arena ñ']))
                book.writestr('xl/styles.bin', styles)
                book.writestr('xl/worksheets/sheet1.bin', sheet)
                book.writestr('xl/worksheets/_rels/sheet1.bin.rels',
                    "<Relationships><Relationship Id='r1' Type='x/hyperlink' Target='https://example.pe' TargetMode='External'/></Relationships>")
                book.writestr('xl/worksheets/sheet2.bin', record(145) + row(0))
            """, path)
        let file = try XLSXFile(path: path)
        #expect(file.tables.map(\.name) == ["Pozos", "Notas"] && file.tables.map(\.isHidden) == [false, true])
        #expect(try file.tables[0].content() == [
            "1 t:Arena ñ - n:1.23 d:2019-03-12 n:0.25 b:true e:#N/A t:en línea",
            "3 - d:2014-01-01 b:false e:#DIV/0! t:hoy e:#VALUE! t:rico",
        ])
        let details = try #require(try file.tables[0].details?())
        #expect(details.hiddenRows == [2] && details.hiddenColumns == [1...2])
        #expect(details.mergedRanges == [.init(first: .init(row: 4, column: 0), last: .init(row: 5, column: 2))])
        #expect(details.links == [.init(row: 0, column: 0): "https://example.pe"])
        #expect(throws: TableFailure.self) { try file.tables[1].content() }
    }

    /// Lengths of four bytes with seven bits each, beyond the part, beyond the record, and without their last byte.
    @Test(arguments: [
        [0, 0xFF, 0xFF, 0xFF, 0x7F], [0, 5, 1, 2], [0x80], [0, 0x80], [19, 3, 1, 0, 0], [19, 4, 1, 0, 0, 0],
        [19, 8, 0xFF, 0xFF, 0xFF, 0x7F, 0, 0, 0, 0],
    ] as [[UInt8]]) func lengthsOfBinaryWorkbooksReachNotBeyondTheirPart(bytes: [UInt8]) {
        var records = XLSBRecords(bytes)
        #expect(throws: XLSBRecords.Cut.self) {
            while let record = try records.next() { _ = try records.text(at: record.range.lowerBound) }
        }
    }

    @Test func aBinaryWorkbookWithAHostileLengthIsDamaged() throws {
        try folder.python(
            """
            import zipfile
            relation = "<Relationship Id='r' Type='http://x/officeDocument' Target='xl/workbook.bin'/>"
            with zipfile.ZipFile('hostile.xlsb', 'w') as book:
                book.writestr('[Content_Types].xml', '<Types/>')
                book.writestr('_rels/.rels', f'<Relationships>{relation}</Relationships>')
                book.writestr('xl/workbook.bin', bytes([156, 1, 255, 255, 255, 127, 0]))
            """)
        #expect(throws: TableFailure.self) { try XLSXFile(path: folder.path("hostile.xlsb")) }
    }

    @Test func picturesHaveTheCellUnderTheirCorner() throws {
        let path = try folder.workbook(
            "<worksheet><sheetData/><drawing r:id='d'/></worksheet>",
            extra: [
                "xl/worksheets/_rels/sheet1.xml.rels": "<Relationships><Relationship Id='d' Type='x/drawing' Target='../drawings/d.xml'/></Relationships>",
                "xl/drawings/d.xml": "<xdr:wsDr><xdr:twoCellAnchor><xdr:from><xdr:col>2</xdr:col><xdr:colOff>0</xdr:colOff><xdr:row>4</xdr:row></xdr:from><xdr:pic><a:blip r:embed='p'/></xdr:pic></xdr:twoCellAnchor></xdr:wsDr>",
                "xl/drawings/_rels/d.xml.rels": "<Relationships><Relationship Id='p' Type='x/image' Target='../../../../media/foto.jpeg'/></Relationships>",
                "media/foto.jpeg": "x",
            ])
        let file = try TableFiles.open(path: path)
        #expect(try file.tables.first?.details?().pictures == [.init(cell: .init(row: 4, column: 2), entry: "media/foto.jpeg")])
    }
}
