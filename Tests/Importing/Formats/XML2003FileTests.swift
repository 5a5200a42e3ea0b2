import Foundation
import Model
import Testing

@testable import Importing

@Suite struct XML2003FileTests {
    private let folder: TableFolder

    init() throws { folder = try TableFolder() }

    private static let head = """
        <?xml version="1.0"?>
        <?mso-application progid="Excel.Sheet"?>
        <Workbook xmlns="urn:schemas-microsoft-com:office:spreadsheet" xmlns:ss="urn:schemas-microsoft-com:office:spreadsheet">
        <ExcelWorkbook xmlns="urn:schemas-microsoft-com:office:excel"><WindowHeight>1</WindowHeight></ExcelWorkbook>
        <Styles><Style ss:ID="Default" ss:Name="Normal"/><Style ss:ID="d"><NumberFormat ss:Format="Short Date"/></Style>
        <Style ss:ID="t" ss:Parent="p"/><Style ss:ID="p"><NumberFormat ss:Format="h:mm"/></Style><Style ss:ID="e"><NumberFormat ss:Format="[h]:mm"/></Style>
        <Style ss:ID="g"><NumberFormat ss:Format="General Date"/></Style><Style ss:ID="m"><NumberFormat ss:Format="General&quot; m&quot;"/></Style></Styles>
        """

    private static let sheets = """
        <Worksheet ss:Name="Pozos &amp; más"><Table><Column ss:Index="3" ss:Hidden="1" ss:Span="1"/>
        <Row><Cell ss:MergeAcross="1"><Data ss:Type="String">Código</Data></Cell><Cell><Data ss:Type="String">b</Data><Comment><ss:Data ss:Type="String">no</ss:Data></Comment></Cell></Row>
        <Row ss:Index="4" ss:Span="2" ss:Hidden="1"><Cell><Data ss:Type="Number">1.50</Data></Cell><Cell ss:Index="3" ss:StyleID="d"><Data ss:Type="DateTime">2005-12-31T00:00:00.000</Data></Cell>
        <Cell ss:StyleID="t"><Data ss:Type="DateTime">1899-12-31T08:30:00.000</Data></Cell><Cell ss:StyleID="e"><Data ss:Type="DateTime">1900-01-01T12:00:00.000</Data></Cell>
        <Cell ss:StyleID="g"><Data ss:Type="DateTime">2005-12-31T08:30:00.000</Data></Cell><Cell ss:StyleID="m"><Data ss:Type="Number">2</Data></Cell></Row>
        <Row><Cell ss:HRef="http://a/"><ss:Data ss:Type="String" xmlns="http://www.w3.org/TR/REC-html40"><B>Arena</B> fina&#10;x</ss:Data></Cell>
        <Cell ss:Formula="=1/0"><Data ss:Type="Error">#DIV/0!</Data></Cell><Cell><Data ss:Type="Boolean">1</Data></Cell><Cell ss:StyleID="d"/><Cell ss:StyleID="d"><Data ss:Type="Number">38717</Data></Cell></Row>
        </Table></Worksheet><Worksheet ss:Name="B"><Table><Row><Cell><Data ss:Type="Number">1</Data></Cell></Row></Table>
        <WorksheetOptions xmlns="urn:schemas-microsoft-com:office:excel"><Visible>SheetHidden</Visible></WorksheetOptions></Worksheet></Workbook>
        """

    private static let expected = [
        "1 t:Código - t:b", "4 n:1.50 - d:2005-12-31 t:08:30:00 n:1.5 d:2005-12-31T08:30:00 n:2", "7 t:Arena fina\nx e:#DIV/0! b:true - d:2005-12-31",
    ]

    @Test("XML of Excel 2003: types, formats, skipped rows and cells are read in every encoding, and comments are left out")
    func values() throws {
        let text = Self.head + Self.sheets
        let little: [UInt8] = [0xFF, 0xFE] + text.utf16.flatMap { unit -> [UInt8] in [UInt8(truncatingIfNeeded: unit), UInt8(unit >> 8)] }
        let big = text.utf16.flatMap { unit -> [UInt8] in [UInt8(unit >> 8), UInt8(truncatingIfNeeded: unit)] }
        let latin: [UInt8] = Array(text.replacing("version=\"1.0\"", with: "version=\"1.0\" encoding=\"ISO-8859-1\"").unicodeScalars.map { UInt8($0.value) })
        for bytes in [Array(text.utf8), little, big, latin] {
            let file = try TableFiles.open(path: folder.write(bytes, "book.xls"))
            #expect(type(of: file).kind == "xml2003")
            #expect(file.tables.map(\.name) == ["Pozos & más", "B"])
            #expect(file.tables.map(\.isHidden) == [false, true])
            #expect(try file.tables[0].content() == Self.expected)
            #expect(try file.tables[1].content() == ["1 n:1"])
            let readDetails = try #require(file.tables[0].details)
            let details = try readDetails()
            #expect(details.mergedRanges == [.init(first: .init(row: 0, column: 0), last: .init(row: 0, column: 1))])
            #expect(details.hiddenColumns == [2...3])
            #expect(details.hiddenRows == [3])
            #expect(details.links == [.init(row: 6, column: 0): "http://a/"])
        }
    }

    @Test("A workbook that is cut off, out of order or beyond a bound is refused")
    func refused() throws {
        let whole = Self.head + Self.sheets
        for count in [40, 200, 600] {
            let path = try folder.write(String(whole.dropLast(count)), "cut.xls")
            #expect(try failure(path).code == "TABLE-DAMAGED")
        }
        let disorder = Self.sheets.replacing("ss:Index=\"4\"", with: "ss:Index=\"1\"")
        #expect(try failure(folder.write(Self.head + disorder, "d.xls")).arguments["reason"] == "rows are not in order")
        let far = Self.sheets.replacing("<Cell ss:Index=\"3\"", with: "<Cell ss:Index=\"99999\"")
        #expect(try failure(folder.write(Self.head + far, "f.xls")).arguments["name"] == "columns")
    }

    @Test("A changed workbook gives values or a declared failure, and never a crash")
    func mutations() throws {
        let source = Array((Self.head + Self.sheets).utf8)
        var read = 0
        for bytes in ForeignReading.mutations(of: source, count: 400, seed: 21) {
            let path = try folder.write(bytes, "m.xls")
            do {
                for table in try XML2003File(path: path).tables {
                    read += try table.content().count
                    _ = try table.details?()
                }
            } catch is TableFailure {}
        }
        #expect(read > 0)
    }

    @Test("Texts, numbers, dates and truth values of a file that LibreOffice saves as XML of Excel 2003 are read unchanged")
    func otherWriter() throws {
        let csv = try folder.write("Código,Prof,Fecha,Seco\nC-01,1.25,2005-12-31,TRUE\n\"Año, ñ\",-3,1999-01-01,FALSE\n", "pits.csv")
        let profile = folder.url.appendingPathComponent("profile").absoluteString
        _ = try BoundedProgram(
            "soffice",
            [
                "--headless", "-env:UserInstallation=\(profile)", "--infilter=CSV:44,34,76,1", "--convert-to", "xml:MS Excel 2003 XML", "--outdir",
                folder.url.path, csv,
            ], search: "/usr/bin:/bin", limits: LibreOfficeConversion.limits
        ).all(limit: 1 << 20)
        let rows = try contents(folder.path("pits.xml"))
        #expect(rows == [
            "1 t:Código t:Prof t:Fecha t:Seco", "2 t:C-01 n:1.25 d:2005-12-31T00:00:00 b:true", "3 t:Año, ñ n:-3 d:1999-01-01T00:00:00 b:false",
        ])
    }
}
