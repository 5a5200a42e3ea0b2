import Foundation
import Model
import Testing
import Workbench

@testable import Importing

@Suite struct HTMLFileTests {
    private let folder: TableFolder

    init() throws { folder = try TableFolder() }

    @Test func tablesOfAPageNamedXLS() throws {
        let page = """
            <html xmlns:x="urn:schemas-microsoft-com:office:excel"><head><meta charset="utf-8"><style>td{color:red}</style><title>no</title></head>
            <body><p>no<TABLE border=1><tr><th>Código<th colspan=2>Profundidad &amp; más<tr><td rowspan="2">C-1<td>1,50<td>a<br>b  c</tr>
            <tr><td>&nbsp;</td><td>&eacute;&#8364;</td></tr><script>document.write('<td>x')</script><tr><td></td></tr></table>
            <table></table><table><tr><td>dos</td><td><table><tr><td>dentro</td></tr></table></td></tr></table></body></html>
            """
        let path = try folder.write(page, "report.xls")
        let file = try TableFiles.open(path: path)
        #expect(type(of: file).kind == "html")
        #expect(file.tables.map(\.name) == ["report 1", "report 3"])
        #expect(try file.tables[0].content() == ["1 t:Código t:Profundidad & más", "2 t:C-1 t:1,50 t:a\nb c", "3 - - t:é€"])
        #expect(try file.tables[1].content() == ["1 t:dentro", "2 t:dos"])
    }

    @Test func encodingsAsThePageSays() throws {
        let latin = Array("<table><meta charset=ISO-8859-1><tr><td>a\u{f1}o".unicodeScalars.map { UInt8($0.value) }) + [0x80]
        #expect(try contents(folder.write(latin)) == ["1 t:año€"])
        let dos = Array("<html><head><meta http-equiv=x content='text/html; charset=ibm850'></head><table><tr><td>a".utf8) + [0xA4] + Array("o".utf8)
        #expect(try contents(folder.write(dos)) == ["1 t:año"])
        try folder.python("open('wide', 'w', encoding='utf-16').write('<table><tr><td>año 𝄞')")
        #expect(try contents(folder.path("wide")) == ["1 t:año 𝄞"])
    }

    @Test func boundsHold() throws {
        var limits = TableLimits()
        limits.depth = 50
        #expect(try failure(folder.write("<table><tr><td>" + String(repeating: "<b>", count: 200)), limits).code == "TABLE-TOO-LARGE")
        limits = TableLimits()
        limits.columns = 10
        #expect(try failure(folder.write("<table><tr><td colspan=11>x"), limits).arguments["limit"] == "columns 10")
        limits.cellBytes = 10
        #expect(try failure(folder.write("<table><tr><td>01234567890"), limits).arguments["limit"] == "cellBytes 10")
        limits.rows = 2
        #expect(try failure(folder.write("<table><tr><td>0<tr><td>1<tr><td>2"), limits).arguments["limit"] == "rows 2")
        #expect(try contents(folder.write("<table><tr><td colspan=99999999 rowspan=-3>x<td>y"))[0].hasSuffix("t:y"))
    }

    @Test func aChangedPageIsReadAndNeverACrash() throws {
        let page = Array("<table><tr><td rowspan=3>a&amp;<b>b</b><td colspan='2'>c</td></tr><tr><th>d<table><tr><td>e</table></table><!-- x -->".utf8)
        var generator = SeededNumbers(11)
        var read = 0
        for _ in 0..<400 {
            var bytes = page
            for _ in 0..<6 { bytes[Int.random(in: 6..<bytes.count, using: &generator)] = Array("<>/&;'= \u{0}td9".utf8).randomElement(using: &generator) ?? 0 }
            let path = try folder.write(bytes)
            read += try HTMLFile(FileHead(path: path)).tables.contains { try !$0.content().isEmpty } ? 1 : 0
        }
        // In a few pages, the changed bytes have made a comment or an attribute of the whole table.
        #expect(read == 395)
    }
}

@Suite struct XMLFileTests {
    private let folder: TableFolder

    init() throws { folder = try TableFolder() }

    @Test func whatRepeatsIsATable() throws {
        let text = """
            <?xml version="1.0" encoding="ISO-8859-1"?><s:survey xmlns:s="urn:s" xmlns:g="urn:g" version="2">
            <pits>
            <s:pit id="1"><code>C-1</code><place><g:x>3</g:x><x>4</x></place><layers><layer n="1"><soil>GP</soil></layer><layer n="2"/></layers></s:pit>
            <s:pit id="2"><code> ni\u{f1}o &amp; <![CDATA[<b>]]> </code><tag>a</tag><tag>b</tag></s:pit>
            </pits></s:survey>
            """
        let path = try folder.write(text.unicodeScalars.map { UInt8($0.value) })
        let file = try TableFiles.open(path: path)
        #expect(type(of: file).kind == "xml")
        #expect(file.tables.map(\.name) == ["/survey/pits/pit", "/survey/pits/pit/layers/layer"])
        // A row also has the values of the elements around it.
        #expect(file.tables[0].columns == ["@id", "code", "place/x", "place/x", "tag", "../../@version"])
        #expect(file.tables[1].columns == ["@n", "soil", "../../@id", "../../code", "../../place/x", "../../place/x", "../../tag", "../../../../@version"])
        #expect(try file.tables[0].content() == ["3 t:1 t:C-1 t:3 t:4 - t:2", "4 t:2 t:niño & <b> - - t:a\nb t:2"])
        #expect(try file.tables[1].content() == ["3 t:1 t:GP t:1 t:C-1 t:3 t:4 - t:2", "3 t:2 - t:1 t:C-1 t:3 t:4 - t:2"])
        #expect(try contents(folder.write("<a><b>1</b><c d='2'/></a>")) == ["1 t:1 t:2"])
    }

    @Test func entitiesAreRefused() throws {
        let bomb = "<?xml version='1.0'?><!DOCTYPE a [<!ENTITY b 'bbbb'><!ENTITY c '&b;&b;&b;'>]><a><d>&c;</d><d>&c;</d></a>"
        #expect(try failure(bomb).arguments["reason"] == "it declares entities")
        let secret = try folder.write("secret", "secret.txt")
        let outside = "<!DOCTYPE a [<!ENTITY x SYSTEM 'file://\(secret)'>]><a><d>&x;</d></a>"
        #expect(try failure(outside).code == "TABLE-DAMAGED")
        #expect(try failure("<!DOCTYPE a SYSTEM 'file://\(secret)'><a><d>&x;</d></a>").code == "TABLE-DAMAGED")
    }

    @Test func damageHasItsLine() throws {
        let failure = try failure("<a>\n<b>1</b>\n<b>2</c>\n</a>")
        #expect(failure.code == "TABLE-DAMAGED" && failure.place?.line == 3)
        #expect(try self.failure("<a><b>").code == "TABLE-DAMAGED")
        #expect(try self.failure("<a>" + String(repeating: "<b>", count: 1_000)).code == "TABLE-TOO-LARGE")
        var limits = TableLimits()
        limits.columns = 20
        let wide = "<a>" + (0..<30).map { "<b\($0)/>" }.joined() + "</a>"
        #expect(try self.failure(wide, limits).arguments["limit"] == "columns 20")
    }

    private func failure(_ text: String, _ limits: TableLimits = TableLimits()) throws -> any Failure {
        try ImportingTests.failure(folder.write(text), limits)
    }

    @Test func anyBytesEnd() throws {
        let document = Array("<r><a x='1'><b>t&amp;</b><b/></a><a><c><![CDATA[d]]></c></a><!-- e --><?p i?></r>".utf8)
        var generator = SeededNumbers(13)
        var ends = (whole: 0, failed: 0)
        for _ in 0..<400 {
            var bytes = document
            for _ in 0...Int.random(in: 0..<2, using: &generator) {
                bytes[Int.random(in: 1..<bytes.count, using: &generator)] = Array("<>/&;'= abrx".utf8).randomElement(using: &generator) ?? 0
            }
            let path = try folder.write(bytes)
            do {
                _ = try XMLFile(FileHead(path: path)).tables.map { try $0.content() }
                ends.whole += 1
            } catch is TableFailure {
                ends.failed += 1
            }
        }
        #expect(ends.whole > 20 && ends.failed > 20)
    }

    @Test("Every piece that is read ahead is given, however small", arguments: [[1], [1, 1, 3], [131_072, 1], [1, 131_072]])
    func piecesReadAhead(lengths: [Int]) throws {
        let ahead = ReadAhead(Pieces(lengths))
        var (buffer, given) = ([UInt8](repeating: 0, count: 1 << 16), [UInt8]())
        while case let count = try ahead.read(into: &buffer, from: 0), count > 0 { given += buffer[..<count] }
        #expect(given == lengths.enumerated().flatMap { [UInt8](repeating: UInt8($0.offset + 1), count: $0.element) })
    }
}

/// Gives pieces of these lengths, each filled with its number.
private final class Pieces: ByteSource {
    private let lengths: [Int]
    private var next = 0

    init(_ lengths: [Int]) { self.lengths = lengths }

    func read(into buffer: inout [UInt8], from offset: Int) throws -> Int {
        guard next < lengths.count else { return 0 }
        for index in 0..<lengths[next] { buffer[offset + index] = UInt8(next + 1) }
        next += 1
        return lengths[next - 1]
    }
}
