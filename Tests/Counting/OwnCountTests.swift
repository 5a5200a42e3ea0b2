import Counting
import Foundation
import Model
import Testing
import Workbench

/// The counts of each format agree with what Python wrote into the file.
@Suite struct OwnCountTests {
    private func counted(_ script: String, _ name: String, kind: String, isLines: Bool = false) throws -> SourceCount {
        let folder = try TemporaryFolder()
        let run = try OtherProgram.run("/usr/bin/python3", ["-c", "import json, sys, zipfile\nout = sys.argv[1]\n" + script, folder.file(name)])
        try #require(run.status == 0, "\(run.text)")
        var options = SourceCounter.Options()
        options.isLines = isLines
        return try SourceCounter.count(path: folder.file(name), kind: kind, options: options)
    }

    private func filled(_ table: TableCount) -> [Int] { table.columns.map(\.filled) }

    private static let ods = """
        ns = ''.join(' xmlns:%s="urn:oasis:names:tc:opendocument:xmlns:%s:1.0"' % (p, p) for p in ('office', 'table', 'text')) + ' xmlns:draw="urn:oasis:names:tc:opendocument:xmlns:drawing:1.0"'
        def save(body):
            with zipfile.ZipFile(out, 'w', zipfile.ZIP_DEFLATED) as z:
                z.writestr('mimetype', 'application/vnd.oasis.opendocument.spreadsheet')
                z.writestr('content.xml', '<office:document-content%s><office:body><office:spreadsheet>%s</office:spreadsheet></office:body></office:document-content>' % (ns, body))

        """

    @Test("OpenDocument: types and repeated cells and rows are counted, notes and drawings are not")
    func ods() throws {
        let count = try counted(
            Self.ods + """
                save('''<table:table table:name="Pozos"><table:table-row><table:table-cell office:value-type="string"><text:p>A</text:p></table:table-cell>
                  <table:table-cell/><table:table-cell office:value-type="float" office:value="2.5" table:number-columns-repeated="2"><text:p>2,50</text:p></table:table-cell>
                  <table:table-cell table:number-columns-repeated="16380"/></table:table-row>
                  <table:table-row table:number-rows-repeated="3"><table:table-cell office:value-type="percentage" office:value="-0.5"><text:p>-50%</text:p></table:table-cell>
                  <table:covered-table-cell/><table:table-cell office:value-type="date" office:date-value="2020-01-01"><text:p>1/1</text:p></table:table-cell>
                  <table:table-cell><office:annotation><text:p>nota</text:p></office:annotation></table:table-cell>
                  <table:table-cell><draw:frame><draw:text-box><text:p>dibujo</text:p></draw:text-box></draw:frame></table:table-cell>
                  <table:table-cell office:value-type="boolean" office:boolean-value="false"/>
                  <table:table-cell office:value-type="string"><text:p></text:p></table:table-cell>
                  <table:table-cell office:value-type="string"><text:p><text:s/></text:p></table:table-cell></table:table-row>
                  <table:table-row table:number-rows-repeated="1048570"><table:table-cell table:number-columns-repeated="16384"/></table:table-row></table:table>
                  <table:table table:name="Vacía"/>''')
                """, "a.ods", kind: "ods")
        #expect(count.tables.map(\.name) == ["Pozos", "Vacía"])
        let table = try #require(count.tables.first)
        #expect(table.rows == 4)
        #expect(filled(table) == [4, 0, 4, 1, 0, 3, 0, 3])
        #expect(table.columns.map { $0.numbers?.sum } == [-1.5, 0, 2.5, 2.5, 0, 0, 0, 0])
        #expect(table.columns[2].dates == 3)
        #expect(count.tables[1].rows == 0)
    }

    private static let oldExcel = """
        import struct
        record = lambda id, data: struct.pack('<HH', id, len(data)) + data
        double = lambda value: struct.pack('<d', value)

        """

    @Test("Excel 2: numbers, texts, booleans and results of formulas are counted, empty texts are not")
    func excel2() throws {
        let count = try counted(
            Self.oldExcel + """
                cell = lambda id, row, column, value: record(id, struct.pack('<HHBBB', row, column, 0, 0, 0) + value)
                text = lambda words: bytes([len(words)]) + words
                open(out, 'wb').write(record(0x09, struct.pack('<HH', 2, 0x10)) + cell(4, 0, 0, text(b'Pozo')) + cell(4, 0, 1, text(b'')) + cell(1, 0, 2, b'')
                    + cell(2, 1, 0, struct.pack('<H', 40000)) + cell(3, 1, 1, double(-0.5)) + cell(5, 1, 2, b'\\0\\0')
                    + cell(6, 2, 0, double(2.25) + bytes(9)) + cell(6, 2, 1, b'\\0' * 6 + b'\\xff\\xff' + bytes(9)) + record(7, text(b'si'))
                    + cell(6, 2, 2, b'\\0' * 6 + b'\\xff\\xff' + bytes(9)) + record(7, text(b'')) + record(0x0A, b''))
                """, "viejo.xls", kind: "xls")
        #expect(count.tables.map(\.name) == ["viejo"])
        let table = try #require(count.tables.first)
        #expect(table.rows == 3)
        #expect(filled(table) == [3, 2, 1])
        #expect(table.columns.map { $0.numbers?.sum } == [40002.25, -0.5, 0])
        #expect(table.columns.map { $0.numbers?.count } == [2, 1, 0])
    }

    @Test("Excel 2 with records of Excel 3: lengths and places are those of each record")
    func excel2With3() throws {
        let count = try counted(
            Self.oldExcel + """
                cell = lambda id, row, column, value: record(id, struct.pack('<HHH', row, column, 0) + value)
                open(out, 'wb').write(record(0x09, struct.pack('<HH', 2, 0x10))
                    + cell(0x204, 0, 0, struct.pack('<H', 4) + b'Pozo')
                    + cell(0x204, 0, 1, struct.pack('<H', 0)) + cell(0x203, 0, 2, double(1.5))
                    + cell(4, 0, 3, b'\\0\\1x') + record(0x0A, b''))
                """, "viejo.xls", kind: "xls")
        #expect(filled(try #require(count.tables.first)) == [1, 0, 1, 1])
        #expect(count.tables.first?.columns[2].numbers?.sum == 1.5)
    }

    @Test("A workbook in a storage of the compound file is not the one that is counted")
    func embeddedWorkbook() throws {
        let count = try counted(
            Self.oldExcel + """
                def book(*values):
                    cells = b''.join(
                        record(0x203, struct.pack('<HHH', 0, n, 0) + double(value)) for n, value in enumerate(values))
                    return record(0x0809, struct.pack('<HHI', 0x500, 0x10, 0)) + cells + record(0x0A, b'')
                def entry(name, kind, right, child, start, size):
                    units = name.encode('utf-16-le') + bytes(2)
                    return (units.ljust(64, bytes(1)) + struct.pack('<HBB', len(units), kind, 1)
                        + struct.pack('<III', 2**32 - 1, right, child) + bytes(36)
                        + struct.pack('<IQ', start, size))
                none, end = 2**32 - 1, 2**32 - 2
                table = [2**32 - 3, end] + list(range(3, 10)) + [end] + list(range(11, 18)) + [end]
                head = bytes.fromhex('D0CF11E0A1B11AE1') + bytes(16)
                head += struct.pack('<HHHHH', 0x3E, 3, 0xFFFE, 9, 6) + bytes(10)
                head += struct.pack('<IIIIIIIII', 1, 1, 0, 4096, end, 0, end, 0, 0)
                listing = (entry('Root Entry', 5, none, 1, end, 0) + entry('MBD0001', 1, 3, 2, 0, 0)
                    + entry('Workbook', 2, none, none, 10, 4096) + entry('Book', 2, none, none, 2, 4096))
                open(out, 'wb').write(head.ljust(512, bytes([255]))
                    + struct.pack('<%dI' % len(table), *table).ljust(512, bytes([255])) + listing
                    + book(1, 2).ljust(4096, bytes(1)) + book(7, 8, 9).ljust(4096, bytes(1)))
                """, "libro.xls", kind: "xls")
        #expect(count.tables.first?.columns.map { $0.numbers?.sum } == [1, 2])
    }

    @Test("Excel 3 and 4: the only sheet is counted; a password or several workbooks in one file are refused", arguments: [(0x0209, 3), (0x0409, 4)])
    func excel3And4(id: Int, version: Int) throws {
        let begin = "begin = record(\(id), struct.pack('<HHH', \(version), 0x10, 0))\n"
        let count = try counted(
            Self.oldExcel + begin + """
                cell = lambda id, row, column, value: record(id, struct.pack('<HHH', row, column, 0) + value)
                open(out, 'wb').write(begin + cell(0x204, 0, 0, struct.pack('<H', 1) + b'A') + cell(0x203, 0, 1, double(0.25)) + cell(0x27E, 1, 1, struct.pack('<I', 7 << 2 | 2))
                    + cell(0x205, 1, 2, b'\\7\\1') + record(0x0A, b''))
                """, "viejo.xls", kind: "xls")
        let table = try #require(count.tables.first)
        #expect(table.rows == 2)
        #expect(filled(table) == [1, 2, 1])
        #expect(table.columns[1].numbers == .init(count: 2, sum: 7.25, size: 7.25))
        #expect(throws: CountFault.encrypted) {
            try counted(Self.oldExcel + begin + "open(out, 'wb').write(begin + record(0x2F, b'\\0' * 4) + record(0x0A, b''))", "a.xls", kind: "xls")
        }
        #expect(throws: CountFault.damaged("it binds several workbooks")) {
            try counted(Self.oldExcel + "open(out, 'wb').write(record(\(id), struct.pack('<HHH', \(version), 0x100, 0)) + record(0x0A, b''))", "a.xls", kind: "xls")
        }
    }

    @Test("A row or column that is repeated beyond the size of any sheet is refused")
    func hostileRepeats() throws {
        let cell = "<table:table-cell office:value-type=\"float\" office:value=\"1\" table:number-columns-repeated=\"%d\"/>"
        for (columns, rows) in [(2_000_000_000, 1), (16_384, 2_000_000_000)] {
            #expect(throws: CountFault.self) {
                try counted(
                    Self.ods + "save('<table:table table:name=\"A\"><table:table-row table:number-rows-repeated=\"\(rows)\">"
                        + cell.replacing("%d", with: "\(columns)") + "</table:table-row></table:table>')", "a.ods", kind: "ods")
            }
        }
    }

    @Test("A workbook that Excel 2003 saved as XML is counted")
    func spreadsheetML() throws {
        let count = try counted(
            """
            open(out, 'w').write('''<?xml version="1.0"?><?mso-application progid="Excel.Sheet"?>
            <Workbook xmlns="urn:schemas-microsoft-com:office:spreadsheet" xmlns:ss="urn:schemas-microsoft-com:office:spreadsheet">
            <Worksheet ss:Name="A &amp; B"><Table><Row><Cell><Data ss:Type="String">Prof</Data></Cell><Cell ss:MergeAcross="1"><Data ss:Type="Number">2.5</Data></Cell>
            <Cell><Data ss:Type="Number">-1e2</Data><Comment><Data>nota</Data></Comment></Cell></Row>
            <Row ss:Index="7"><Cell ss:Index="3"><Data ss:Type="DateTime">2020-01-01T00:00:00.000</Data></Cell><Cell/><Cell><Data ss:Type="String"></Data></Cell>
            <Cell><ss:Data ss:Type="String" xmlns="http://www.w3.org/TR/REC-html40"><B>negrita</B></ss:Data></Cell></Row></Table></Worksheet></Workbook>''')
            """, "a.xml", kind: "xml2003")
        let table = try #require(count.tables.first)
        #expect(table.name == "A & B")
        #expect(table.rows == 2)
        #expect(filled(table) == [1, 1, 1, 1, 0, 1])
        #expect(table.columns.map { $0.numbers?.sum } == [0, 2.5, 0, -100, 0, 0])
        #expect(table.columns[2].dates == 1)
    }

    @Test("A workbook is counted if its parts are UTF-16, its entries have backslashes and its elements a prefix")
    func strangeWorkbook() throws {
        let count = try counted(
            """
            ns = 'xmlns:x="http://schemas.openxmlformats.org/spreadsheetml/2006/main" xmlns:r="http://schemas.openxmlformats.org/officeDocument/2006/relationships"'
            rel = 'http://schemas.openxmlformats.org/officeDocument/2006/relationships/'
            parts = {
              '_rels\\\\.rels': '<Relationships><Relationship Id="a" Type="%sofficeDocument" Target="xl/workbook.xml"/></Relationships>' % rel,
              'xl\\\\workbook.xml': '<x:workbook %s><x:sheets><x:sheet name="Año" sheetId="1" r:id="b"/></x:sheets></x:workbook>' % ns,
              'xl\\\\_rels\\\\workbook.xml.rels': '<Relationships><Relationship Id="b" Type="%sworksheet" Target="/xl/s.xml"/><Relationship Id="c" Type="%ssharedStrings" Target="t.xml"/></Relationships>' % (rel, rel),
              'xl\\\\t.xml': '<x:sst %s><x:si><x:t>año</x:t></x:si><x:si><x:t> </x:t></x:si><x:si><x:rPh><x:t>ア</x:t></x:rPh></x:si></x:sst>' % ns,
              'xl\\\\s.xml': '<x:worksheet %s><!-- <x:c> --><x:sheetData><x:row r="1"><x:c r="A1" t="s"><x:v>0</x:v></x:c><x:c r="B1" t="s"><x:v>1</x:v></x:c><x:c r="D1"><x:f>1&lt;2</x:f><x:v>&#52;2</x:v></x:c></x:row><x:row><x:c t="s"><x:v>2</x:v></x:c><x:c t="inlineStr"><x:is><x:t><![CDATA[<]]></x:t></x:is></x:c><x:c t="inlineStr"><x:is><x:t xml:space="preserve"> </x:t></x:is></x:c><x:c t="d"><x:v>2020-01-01</x:v></x:c><x:c t="e"><x:v>#N/A</x:v></x:c></x:row></x:sheetData></x:worksheet>' % ns,
            }
            with zipfile.ZipFile(out, 'w', zipfile.ZIP_DEFLATED) as z:
                for name, text in parts.items(): z.writestr(zipfile.ZipInfo(name), text.encode('utf-16'))
            """, "a.xlsx", kind: "xlsx")
        let table = try #require(count.tables.first)
        #expect(table.name == "Año")
        #expect(table.rows == 2)
        #expect(filled(table) == [1, 1, 1, 2, 1])
        #expect(table.columns[3].numbers?.sum == 42)
        #expect(table.columns[3].dates == 1)
    }

    @Test("JSON is counted as an array, as an object with arrays, and as one object on each line")
    func json() throws {
        let array = try counted("open(out, 'w').write('[{\"a\": 1.5, \"b\": \"\", \"c\": null}, {\"b\": \"x\", \"a\": -2e1, \"\\\\u00e1\": {\"a\": [1]}}, {}]')", "filas.json", kind: "json")
        #expect(array.tables.map(\.name) == ["filas"])
        #expect(array.tables[0].rows == 2)
        #expect(array.tables[0].columns.map(\.name) == ["a", "b", "c", "á"])
        #expect(filled(array.tables[0]) == [2, 1, 0, 1])
        #expect(array.tables[0].columns[0].numbers?.sum == -18.5)
        let object = try counted("open(out, 'w').write('{\"version\": 1,\\n\"pozos\": [{\"a\": true}], \"cortes\": [{\"b\": 1}, {\"b\": 2}]}')", "a.json", kind: "json")
        // One file is one table, and its reader sees it in the same way.
        #expect(object.tables.map(\.name) == ["a"])
        #expect(object.tables.map(\.rows) == [3])
        #expect(filled(object.tables[0]) == [1, 2])
        let lines = try counted("open(out, 'w').write('{\"a\": 1, \"b\": [{\"c\": 1}]}\\nroto {\\n\\n{\"a\": \"2\"}')", "a.ndjson", kind: "json", isLines: true)
        #expect(lines.tables.count == 1)
        #expect(lines.tables[0].lines == 3)
        #expect(lines.tables[0].rows == 2)
        #expect(filled(lines.tables[0]) == [2, 1])
        #expect(lines.tables[0].columns[0].numbers?.count == 1)
    }

    @Test("A workbook that LibreOffice converts to OpenDocument or Excel 97 keeps its count")
    func conversions() throws {
        let folder = try TemporaryFolder()
        let made = try OtherProgram.run(
            "/usr/bin/python3",
            [
                "-c",
                """
                import datetime, openpyxl, random, sys
                r = random.Random(4)
                book = openpyxl.Workbook()
                for name in ('Pozos', 'Cortes & más'):
                    sheet = book.active if name == 'Pozos' else book.create_sheet()
                    sheet.title = name
                    for row in range(60):
                        sheet.append([r.choice([None, r.randint(-500, 500), r.uniform(-9, 9), 'arcilla', 'línea\\nsegunda', datetime.date(2020, 1, r.randint(1, 28)), 7, 7]) for _ in range(12)])
                    for row in range(200, 230): sheet.cell(row, 40, 3.25)
                book.save(sys.argv[1])
                """, folder.file("libro.xlsx"),
            ])
        try #require(made.status == 0, "\(made.text)")
        let original = try SourceCounter.count(path: folder.file("libro.xlsx"), kind: "xlsx")
        #expect(original.tables.map(\.name) == ["Pozos", "Cortes & más"])
        for (kind, filter, name) in [("ods", "ods", "libro.ods"), ("xls", "xls:MS Excel 97", "libro.xls")] {
            let run = try OtherProgram.run(
                "/usr/bin/soffice",
                [
                    "--headless", "--norestore", "-env:UserInstallation=file://\(folder.file("profile"))", "--convert-to", filter, "--outdir", folder.path,
                    folder.file("libro.xlsx"),
                ])
            try #require(run.status == 0, "\(run.text)")
            let converted = try SourceCounter.count(path: folder.file(name), kind: kind)
            #expect(converted.tables.map(\.name) == original.tables.map(\.name), "\(kind)")
            for (one, other) in zip(original.tables, converted.tables) {
                #expect(one.rows == other.rows, "\(kind)")
                #expect(filled(one) == filled(other), "\(kind)")
                let numbers = { (table: TableCount) in table.columns.map { ($0.numbers?.count ?? 0) + $0.dates } }
                #expect(numbers(one) == numbers(other), "\(kind)")
            }
            #expect(converted.tables[0].columns[39].numbers?.sum == 30 * 3.25, "\(kind)")
        }
    }
}
