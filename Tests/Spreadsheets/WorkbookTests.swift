import Foundation
import Testing
import Workbench
@testable import Spreadsheets

@Suite struct LinkAddressTests {
    @Test(arguments: [
        ("https://example.org/?a=1#b", "https://example.org/?a=1#b"), ("mailto:a@b.pe", "mailto:a@b.pe"), ("HTTP://X", "HTTP://X"),
        ("fotos/a #1 50%?.jpg", "fotos/a %231 50%25%3F.jpg"), ("a/b:c", "a/b:c"),
    ])
    func harmlessOnesAreTaken(_ address: String, _ expected: String) {
        #expect(LinkAddress(address)?.text == expected)
    }

    @Test(arguments: [
        "", "#A1", " x", "javascript:x", "file:///etc/passwd", "C:\\x", "\\\\host\\x", "//host/x", "a\"b", "a\nb", "internal:'A'!A1", "x/external:y",
        String(repeating: "x", count: 700),
    ])
    func othersAreNot(_ address: String) {
        #expect(LinkAddress(address) == nil)
    }
}

@Suite struct WorkbookPageTests {
    @Test func marksOfHeadersAreDoubled() {
        #expect(Workbook.text(.init(left: "A & B", right: "{page}/{pages}")) == "&L&8&K595959A && B&R&8&K595959&P/&N")
        // The library would take `&G` for the place of a picture, and then use memory that it has
        // freed.
        #expect(!Workbook.text(.init(left: "R&G", center: "&[Picture]")).contains("&G"))
        #expect(!Workbook.text(.init(center: "&[Picture]")).contains("&["))
        #expect(Workbook.text(.init()) == "")
    }

    @Test func headersStayWithinExcelsLimit() {
        for character in ["x", "&", "_x0041_", "🪨"] {
            let long = String(repeating: character, count: 400)
            let text = Workbook.text(.init(left: long, center: long, right: long))
            #expect(text.utf16.count <= 255 && text.contains("&R"), "\(character)")
        }
    }
}

@Suite struct PictureStoreTests {
    @Test func picturesComeBackByTheirStandIns() throws {
        let folder = try TemporaryFolder()
        let store = try PictureStore(beside: folder.file("pictures"))
        let first = try store.keep([1, 2, 3], isPNG: true, width: 70_000, height: 5)
        let second = try store.keep([UInt8](repeating: 7, count: 300_000), isPNG: false, width: 640, height: 480)
        let again = try store.keep([1, 2, 3], isPNG: true, width: 70_000, height: 5)
        #expect(first.stand == again.stand && first.stand != second.stand)
        #expect(try store.picture(standing: first.stand) == [1, 2, 3])
        #expect(try store.picture(standing: second.stand)?.count == 300_000)
        #expect(try store.picture(standing: Array("#9".utf8)) == nil)
        #expect(try store.picture(standing: []) == nil)
        // No file gets its final name.
        #expect(try folder.names == [])
    }
}

@Suite struct WorkbookTests {
    @Test func linksBeyondExcelsLimitAreTexts() throws {
        let folder = try TemporaryFolder()
        let path = folder.file("links.xlsx")
        var book = try Workbook(path: path)
        let sheet = try book.addSheet("A")
        for row in 0..<65_540 { try book.link(to: "A", cell: "A1", label: "x", sheet, row: row, column: 0, CellStyle()) }
        try book.close()
        let said = try OtherProgram.python(
            "import sys, zipfile; t = zipfile.ZipFile(sys.argv[1]).read('xl/worksheets/sheet1.xml'); print(t.count(b'<hyperlink '), t.count(b'<c '))", path)
        #expect(said == "65530 65540")
    }
}
