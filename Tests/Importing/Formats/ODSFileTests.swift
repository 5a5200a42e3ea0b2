import Foundation
import Model
import Testing
import Workbench

@testable import Importing

@Suite struct ODSFileTests {
    private let folder: TableFolder

    init() throws { folder = try TableFolder() }

    /// Writes a spreadsheet with these tables.
    private func book(_ tables: String, styles: String = "", extra: [String: String] = [:], name: String = "book.ods") throws -> String {
        var parts = [
            "content.xml": """
                <office:document-content xmlns:office='o'><office:automatic-styles>\(styles)</office:automatic-styles><office:body><office:spreadsheet>\(tables)\
                <table:named-expressions/></office:spreadsheet></office:body></office:document-content>
                """,
            "META-INF/manifest.xml": "<manifest:manifest><manifest:file-entry manifest:full-path='content.xml'/></manifest:manifest>",
        ]
        parts.merge(extra) { $1 }
        _ = try folder.write(String(decoding: try JSONEncoder().encode(parts), as: UTF8.self), "parts.json")
        try folder.python("""
            import json, zipfile
            with zipfile.ZipFile('\(name)', 'w', zipfile.ZIP_DEFLATED) as z:
                z.writestr(zipfile.ZipInfo('mimetype'), 'application/vnd.oasis.opendocument.spreadsheet')
                for part, text in sorted(json.load(open('parts.json')).items()): z.writestr(part, text)
            """)
        return folder.path(name)
    }

    private func table(_ rows: String, name: String = "Pozos") -> String { "<table:table table:name='\(name)'>\(rows)</table:table>" }

    private func row(_ cells: String, _ attributes: String = "") -> String { "<table:table-row \(attributes)>\(cells)</table:table-row>" }

    @Test func anArchiveWithAPartThatIsNotCompressedIsNoFlatDocument() throws {
        let path = try book(table(row("<table:table-cell office:value-type='float' office:value='1'/>")))
        try folder.python("""
            import zipfile
            with zipfile.ZipFile('book.ods', 'a') as z:
                z.writestr('meta.xml', '<office:document-meta xmlns:office="urn:oasis:names:tc:opendocument:xmlns:office:1.0"/>')
            """)
        #expect(try TableFiles.open(path: path).tables.map(\.name) == ["Pozos"])
    }

    @Test("Every type of value is read: texts without annotations, saved results of formulas, and errors")
    func values() throws {
        let cells = """
            <table:table-cell office:value-type='float' office:value='1.50' table:formula='of:=1'><text:p>1,5</text:p></table:table-cell>\
            <table:table-cell office:value-type='percentage' office:value='0.25'><text:p>25 %</text:p></table:table-cell>\
            <table:table-cell office:value-type='currency' office:currency='PEN' office:value='12.3'/>\
            <table:table-cell office:value-type='boolean' office:boolean-value='true'><text:p>VERDADERO</text:p></table:table-cell>\
            <table:table-cell office:value-type='date' office:date-value='2005-12-31'/>\
            <table:table-cell office:value-type='date' office:date-value='2005-12-31T08:30:00.250000000'/>\
            <table:table-cell office:value-type='date' office:date-value='2005-12-31T23:59:59.999600000'/>\
            <table:table-cell office:value-type='time' office:time-value='PT08H05M09S'/>\
            <table:table-cell office:value-type='time' office:time-value='PT08H05M09.5S'/>\
            <table:table-cell table:style-name='e' office:value-type='time' office:time-value='PT12H00M00S'/>\
            <table:table-cell office:value-type='time' office:time-value='PT36H00M00S'/>\
            <table:table-cell office:value-type='string' calcext:value-type='string'><office:annotation><dc:creator>x</dc:creator><text:p>nota</text:p></office:annotation>\
            <text:p> Arena <text:span>muy<text:s text:c='2'/> </text:span>
            fina<text:line-break/>b<text:tab/>c </text:p><text:p/><text:p>d &amp; <text:a xlink:href='x'>e</text:a></text:p></table:table-cell>\
            <table:table-cell office:value-type='string' office:string-value='' calcext:value-type='error'><text:p>#REF!</text:p></table:table-cell>\
            <table:table-cell office:value-type='date' office:date-value='mal'><text:p>ayer</text:p></table:table-cell>\
            <table:table-cell office:value-type='string' office:string-value='a'><text:p>b</text:p></table:table-cell>
            """
        let styles = "<number:time-style style:name='N1' number:truncate-on-overflow='false'/><style:style style:name='d' style:data-style-name='N1'/><style:style style:name='e' style:parent-style-name='d'/>"
        #expect(try contents(book(table(row(cells)), styles: styles)) == [
                "1 n:1.50 n:0.25 n:12.3 b:true d:2005-12-31 d:2005-12-31T08:30:00.250 d:2006-01-01T00:00:00 t:08:05:09 t:08:05:09.500 n:0.5 n:1.5 t:Arena muy   fina\nb\tc \n\nd & e e:#REF! t:ayer t:a"
        ])
    }

    /// `office:value` belongs to numbers (ODF 1.2, part 1, 19.385); some programs write it at texts all the same.
    @Test func aTextIsItsParagraphsOrItsStringValue() throws {
        let cells = """
            <table:table-cell office:value-type='string' office:value='A'><text:p>B</text:p></table:table-cell>\
            <table:table-cell office:value-type='string' office:value='a&amp;amp;b'><text:p>a&amp;b</text:p></table:table-cell>\
            <table:table-cell office:value-type='string' office:string-value='c&amp;d' office:value='x'/>\
            <table:table-cell office:value='x' office:value-type='string' office:string-value='e'/>
            """
        #expect(try contents(book(table(row(cells)))) == ["1 t:B t:a&b t:c&d t:e"])
    }

    @Test func aManifestMayNameItsDocumentType() throws {
        let entry = "<manifest:manifest><manifest:file-entry manifest:full-path='content.xml'/></manifest:manifest>"
        let name = "<!DOCTYPE manifest:manifest PUBLIC \"-//OpenOffice.org//DTD Manifest 1.0//EN\" \"Manifest.dtd\""
        let one = table(row("<table:table-cell office:value-type='float' office:value='1'/>"))
        #expect(try contents(book(one, extra: ["META-INF/manifest.xml": name + ">" + entry])) == ["1 n:1"])
        let declaring = try book(one, extra: ["META-INF/manifest.xml": name + " [<!ENTITY a 'b'>]>" + entry])
        #expect(throws: (any Error).self) { try TableFiles.open(path: declaring) }
    }

    @Test("Repeated rows and cells are read as often as they are repeated; merged and hidden ones are listed")
    func repetitions() throws {
        let filled = "<table:table-cell office:value-type='float' office:value='7' table:number-columns-repeated='3'/>"
        let rows = "<table:table-column table:number-columns-repeated='2'/><table:table-column table:visibility='collapse'/>"
            + "<table:table-header-rows>" + row("<table:table-cell table:number-columns-spanned='2' table:number-rows-spanned='2'><text:p>a</text:p></table:table-cell><table:covered-table-cell/>") + "</table:table-header-rows>"
            + row("<table:table-cell table:number-columns-repeated='16384'/>", "table:number-rows-repeated='5'")
            + row("<table:table-cell/>" + filled + "<table:table-cell table:number-columns-repeated='16000'/>", "table:number-rows-repeated='3'")
            + row("<table:table-cell><text:p><text:a xlink:href='http://a/'>z</text:a></text:p><draw:frame><draw:image xlink:href='Pictures/1.png'/><text:p>no</text:p></draw:frame></table:table-cell>", "table:visibility='filter'")
            + row("<table:table-cell table:number-columns-repeated='16384'/>", "table:number-rows-repeated='1048567'")
        let path = try book(table(rows) + table("", name: "Vacía"), extra: ["Pictures/1.png": "png"])
        let file = try ODSFile(path: path)
        #expect(file.tables.map(\.name) == ["Pozos", "Vacía"])
        #expect(try file.tables[0].content() == ["1 t:a", "7 - n:7 n:7 n:7", "8 - n:7 n:7 n:7", "9 - n:7 n:7 n:7", "10 t:z"])
        #expect(try file.tables[1].content() == [])
        let readDetails = try #require(file.tables[0].details)
            let details = try readDetails()
        #expect(details.mergedRanges == [.init(first: .init(row: 0, column: 0), last: .init(row: 1, column: 1))])
        #expect(details.hiddenColumns == [2...2])
        #expect(details.hiddenRows == [9])
        #expect(details.links == [.init(row: 9, column: 0): "http://a/"])
        #expect(details.pictures == [.init(cell: .init(row: 9, column: 0), entry: "Pictures/1.png")])
        #expect(try file.picture("Pictures/1.png", atMost: 10) == Array("png".utf8))
    }

    @Test("Hidden tables are marked, and tracked changes and tables inside cells are left out")
    func outside() throws {
        let cell = "<table:table-cell office:value-type='float' office:value='1'/>"
        let inner = "<table:table-cell><text:p>x</text:p><table:table table:name='in'>" + row(cell) + "</table:table></table:table-cell>"
        let styles = "<style:style style:name='h' style:family='table'><style:table-properties table:display='false'/></style:style>"
        let tables = "<table:tracked-changes><table:deletion><table:table-row>\(cell)</table:table-row></table:deletion></table:tracked-changes>"
            + table(row(inner + cell)) + "<table:table table:name='B' table:style-name='h'><table:shapes><table:table table:name='no'/></table:shapes>" + row(cell) + "</table:table>"
        let file = try ODSFile(path: book(tables, styles: styles))
        #expect(file.tables.map(\.name) == ["Pozos", "B"])
        #expect(file.tables.map(\.isHidden) == [false, true])
        #expect(try file.tables.map { try $0.content() } == [["1 t:x n:1"], ["1 n:1"]])
    }

    @Test("A few bytes that stand for too many rows, columns or spaces are refused with the bound")
    func bounds() throws {
        let filled = "<table:table-cell office:value-type='float' office:value='7' table:number-columns-repeated='9999999999'/>"
        #expect(try failure(book(table(row(filled)))).arguments["name"] == "columns")
        let wide = "<table:table-cell office:value-type='float' office:value='7' table:number-columns-repeated='16000'/>"
        #expect(try failure(book(table(row(wide, "table:number-rows-repeated='40000'")))).arguments["name"] == "rows")
        #expect(try failure(book(table(row(wide, "table:number-rows-repeated='9223372036854775807'")))).arguments["name"] == "rows")
        let spaces = "<table:table-cell><text:p><text:s text:c='999999999'/></text:p></table:table-cell>"
        #expect(try failure(book(table(row(spaces)))).arguments["name"] == "cellBytes")
    }

    @Test("A workbook without a table for the mapping has a failure of its own")
    func noTables() throws {
        let file = try ODSFile(path: book(""))
        #expect(file.tables.isEmpty)
        #expect(ImportFailure.noTable(path: "a.ods", mapping: "m", wanted: ["Pozos"], found: []).code == "IMPORT-NO-TABLES")
        #expect(ImportFailure.noTable(path: "a.ods", mapping: "m", wanted: [], found: ["hidden"]).code == "IMPORT-NO-TABLES")
        #expect(ImportFailure.noTable(path: "a.ods", mapping: "m", wanted: ["Pozos"], found: ["B"]).code == "IMPORT-NO-TABLE")
    }

    @Test("A file that is encrypted, cut off or not a spreadsheet is refused")
    func refused() throws {
        let encrypted = "<manifest:manifest><manifest:file-entry manifest:full-path='content.xml'><manifest:encryption-data/></manifest:file-entry></manifest:manifest>"
        let path = try book(table(""), extra: ["META-INF/manifest.xml": encrypted])
        #expect(throws: TableFailure.encrypted(path: path, kind: "ods")) { try ODSFile(path: path) }
        let cut = try book("", extra: ["content.xml": "<office:document-content><office:spreadsheet><table:table table:name='a'><table:table-row"])
        #expect(try failure(cut).code == "TABLE-DAMAGED")
        let text = try book("", extra: ["content.xml": "<office:document-content><office:text/></office:document-content>"])
        #expect(try failure(text).arguments["reason"] == "its content is no spreadsheet")
    }

    @Test("Changed content gives values or a declared failure, and never a crash")
    func mutations() throws {
        let cells = "<table:table-cell office:value-type='time' office:time-value='PT36H' table:number-columns-repeated='2'/><table:table-cell office:value-type='string'>"
            + "<office:annotation><text:p>n</text:p></office:annotation><text:p>a<text:s text:c='2'/>b</text:p></table:table-cell>"
            + "<table:table-cell office:value-type='date' office:date-value='2005-12-31T08:30:00'/>"
        let content = "<d><office:spreadsheet>" + table(row(cells, "table:number-rows-repeated='3'")) + "</office:spreadsheet></d>"
        let changed = ForeignReading.mutations(of: Array(content.utf8), count: 300, seed: 22)
        for (index, bytes) in changed.enumerated() { _ = try folder.write(bytes, "\(index).xml") }
        // The content is packed again, because a change of the archive itself would only break its
        // checksums.
        try folder.python("""
            import zipfile
            for i in range(\(changed.count)):
                with zipfile.ZipFile(f'{i}.ods', 'w') as z: z.write(f'{i}.xml', 'content.xml')
            """)
        var read = 0
        for index in changed.indices {
            do {
                for table in try ODSFile(path: folder.path("\(index).ods")).tables {
                    read += try table.content().count
                    _ = try table.details?()
                }
            } catch is TableFailure {}
        }
        #expect(read > 0)
    }

    @Test("A workbook that LibreOffice saves as OpenDocument keeps its values")
    func otherWriter() throws {
        try folder.python("""
            import datetime, openpyxl
            b = openpyxl.Workbook()
            s = b.active
            s.append(['código', 'fecha', 'hora', 'visto', 'prof', 'nota'])
            for i in range(40):
                s.append(['C-%d' % i, datetime.date(2024, 2, 1 + i % 28), datetime.time(7, i, 9), datetime.datetime(2024, 3, 1, 13, 45, i), i / 8, 'a  b' if i % 3 else None])
            s['A50'] = 36.5
            s['A50'].number_format = '[h]:mm'
            b.create_sheet('oculta').sheet_state = 'hidden'
            b['oculta']['B2'] = 'línea 1\\nlínea 2'
            b.save('book.xlsx')
            """)
        let written = try XLSXFile(path: folder.path("book.xlsx"))
        let profile = folder.url.appendingPathComponent("profile").absoluteString
        _ = try BoundedProgram(
            "soffice", ["--headless", "-env:UserInstallation=\(profile)", "--convert-to", "ods", "--outdir", folder.url.path, folder.path("book.xlsx")],
            search: "/usr/bin:/bin", limits: LibreOfficeConversion.limits
        ).all(limit: 1 << 20)
        let file = try TableFiles.open(path: folder.path("book.ods"))
        #expect(type(of: file).kind == "ods")
        #expect(file.tables.map(\.name) == written.tables.map(\.name))
        #expect(file.tables.map(\.isHidden) == [false, true])
        for (read, expected) in zip(file.tables, written.tables) { #expect(try read.content() == expected.content()) }
    }
}
