import Counting
import Foundation
import Model
import Testing
import Workbench

/// Sound files that a count could understand in another way than their reader does. Each of them
/// has no gap.
@Suite struct SoundFileTests {
    private func write(_ script: String, _ name: String, in folder: TemporaryFolder) throws -> String {
        let run = try OtherProgram.run("/usr/bin/python3", ["-c", "import sys\nout = sys.argv[1]\n" + script, folder.file(name)])
        try #require(run.status == 0, "\(run.text)")
        return folder.file(name)
    }

    @Test("A page in every encoding that is read has no gap", arguments: ["utf-8", "utf-16", "utf-16-le", "utf-16-be", "cp1252", "cp850"])
    func pages(encoding: String) throws {
        let folder = try TemporaryFolder()
        let path = try write(
            """
            rows = ''.join('<tr><td>Excavación %d\\u00a0m</td><td>%d,5</td><td>\\u00a0</td><td>&nbsp;</td></tr>' % (n, n) for n in range(300))
            open(out, 'w', encoding='\(encoding)').write('<html><body><table>' + rows + '</table></body></html>')
            """, "a.html", in: folder)
        try Evidence.expectWhole(path)
        #expect(try Evidence.comparison(path).sums.map(\.count) == [300])
    }

    @Test("A day that no calendar has makes no gap in OpenDocument or in Excel's XML")
    func days() throws {
        let folder = try TemporaryFolder()
        let days = ["2019-03-12", "12020-03-15", "-0044-03-15", "2019-13-45", "2019-02-29", "2020-02-29T23:59:59.5", "2019-03-12T25:00:00", "2019", ""]
        let cells = days.map { "<table:table-cell office:value-type='date' office:date-value='\($0)'><text:p>x</text:p></table:table-cell>" }
        let times = ["PT07H30M05.5S", "PT26H00M00S", "-PT1H", "P1DT2H", "PT", "PT1.2.3S", "hoy"].map {
            "<table:table-cell office:value-type='time' office:time-value='\($0)'><text:p>x</text:p></table:table-cell>"
        }
        let rows = (cells + times).map { "<table:table-row>\($0)</table:table-row>" }.joined()
        let ods = try write(
            """
            import zipfile
            ns = ''.join(' xmlns:%s="urn:oasis:names:tc:opendocument:xmlns:%s:1.0"' % (p, p) for p in ('office', 'table', 'text'))
            with zipfile.ZipFile(out, 'w') as z:
                z.writestr('mimetype', 'application/vnd.oasis.opendocument.spreadsheet')
                z.writestr('content.xml', '<d%s><office:spreadsheet><table:table table:name="t">' % ns + '''\(rows)''' + '</table:table></office:spreadsheet></d>')
            """, "a.ods", in: folder)
        try Evidence.expectWhole(ods)
        let data = days.dropLast().map { "<Row><Cell><Data ss:Type='DateTime'>\($0)</Data></Cell></Row>" }.joined()
        let xml = try folder.write(
            "<?xml version='1.0'?><Workbook xmlns='urn:schemas-microsoft-com:office:spreadsheet' xmlns:ss='urn:schemas-microsoft-com:office:spreadsheet'>"
                + "<Worksheet ss:Name='a'><Table>\(data)</Table></Worksheet></Workbook>", to: "a.xml")
        try Evidence.expectWhole(xml)
    }

    @Test("A number of dBase with a blank inside is not a number")
    func blanks() throws {
        let folder = try TemporaryFolder()
        let path = try write(
            """
            import struct
            values = [b'  1 5', b' 2.5 ', b'     ', b'1\\t2  ', b'\\0 3\\0 ', b'- 4  ']
            head = struct.pack('<BBBBIHH20x', 3, 120, 1, 1, len(values), 32 + 32 + 1, 6) + b'PROF'.ljust(11, b'\\0') + b'N' + b'\\0' * 4 + bytes([5, 1]) + b'\\0' * 14
            open(out, 'wb').write(head + b'\\r' + b''.join(b' ' + value for value in values) + b'\\x1a')
            """, "a.dbf", in: folder)
        try Evidence.expectWhole(path)
        #expect(try Evidence.comparison(path).sums.map(\.value) == [5.5])
    }

    @Test("Elements of the same local name in two namespaces make no gap")
    func namespaces() throws {
        let folder = try TemporaryFolder()
        let columns = try folder.write(
            "<r xmlns='u' xmlns:a='v'><p a:code='a' code='q'><name>b</name><a:name>bb</a:name><n>1</n></p><p code='c'><name>d</name></p></r>", to: "columns.xml")
        try Evidence.expectWhole(columns)
        let rows = try folder.write(
            "<r xmlns='u' xmlns:a='v'><p><n>1</n></p><p><n>2</n></p><a:p><n>3</n></a:p><a:p><n>4</n></a:p><a:p><m>5</m></a:p></r>", to: "rows.xml")
        try Evidence.expectWhole(rows)
    }

    @Test("A view with random values is reported as not counted, and all other tables and views are counted")
    func views() throws {
        let folder = try TemporaryFolder()
        let path = try write(
            """
            import sqlite3
            c = sqlite3.connect(out)
            c.executescript('''CREATE TABLE t (a, d); INSERT INTO t VALUES (1, '2020-01-31'), (2, '2021-01-31');
              CREATE VIEW v AS SELECT a, random() AS r FROM t; CREATE VIEW w AS SELECT * FROM v; CREATE VIEW y AS SELECT strftime('%Y', d) + 0 AS y FROM t;''')
            """, "a.db", in: folder)
        let comparison = try Evidence.comparison(path)
        #expect(comparison.gaps == [])
        #expect(comparison.uncounted.map(\.table) == ["v", "w"])
        #expect(comparison.uncounted.allSatisfy { $0.reason.contains("random()") })
    }
}
