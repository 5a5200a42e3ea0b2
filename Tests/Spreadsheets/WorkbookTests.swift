import Counting
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

/// The file of the library is read again before it counts: its temporary files are written without
/// looking at each result.
@Suite struct WrittenWorkbookTests {
    /// A workbook with each kind of thing that is counted.
    private static func write(_ path: String, rows: Int, isStreaming: Bool = false) throws {
        var book = try Workbook(path: path, isStreaming: isStreaming)
        let sheet = try book.addSheet("Cortes"), other = try book.addSheet("R & S")
        for row in 0..<rows {
            try book.write("ñ & <\(row % 97)> \"x\"", sheet, row: row, column: 0, CellStyle())
            try book.write(Double(row) / 7 - 1e-9, sheet, row: row, column: 1, CellStyle(numberFormat: "0.00"))
            try book.writeBlank(sheet, row: row, column: 3, CellStyle())
            try book.writeLink(to: "R & S", cell: "A1", label: "“\(row)”", other, row: row, column: 0)
        }
        if !isStreaming {
            try book.addTable(try book.addSheet("T"), headers: ["a", "b"], rows: 3)
            try book.merge(other, rows: 0..<3, columns: 4..<9, CellStyle())
            try book.write("merged", other, row: 0, column: 4, CellStyle())
            try book.link(to: "T", cell: "A1", label: "first, then another", other, row: 9, column: 4, CellStyle())
            try book.write("short", other, row: 9, column: 4, CellStyle())
            let picture = try PictureStore(beside: path).keep([1], isPNG: true, width: 5, height: 5)
            try book.insert(picture, other, at: .init(row: 0, column: 0, width: 5, height: 5), description: "&")
        }
        try book.comment(LibraryText("a <note>", limit: 90), sheet, row: rows - 1, column: 0, size: (90, 90))
        try book.close()
    }

    @Test(arguments: [1, 3, 2000], [false, true])
    func whatWasSentIsFound(_ rows: Int, _ isStreaming: Bool) throws {
        let folder = try TemporaryFolder()
        try Self.write(folder.file("a.xlsx"), rows: max(rows, 1), isStreaming: isStreaming)
        let found = try WrittenWorkbook(path: folder.file("a.xlsx"))
        #expect(found.sheets.first?.cells == 3 * rows && found.comments.cells == 1)
        // openpyxl counts the same texts.
        let told = try OtherProgram.python(
            """
            import sys, warnings, openpyxl
            warnings.simplefilter("ignore")
            book = openpyxl.load_workbook(sys.argv[1], data_only=True)
            print(*(sum(len(c.value.encode()) for r in s.iter_rows() for c in r if isinstance(c.value, str)) for s in book))
            """, folder.file("a.xlsx"))
        #expect(found.sheets.map { String($0.textBytes) }.joined(separator: " ") == told)
    }

    /// Each part is cut at random places, or loses a page of its bytes, as a failing disk does it.
    @Test func noDamageOfAPartGoesUnseen() throws {
        let folder = try TemporaryFolder()
        try Self.write(folder.file("a.xlsx"), rows: 400)
        let sound = try WrittenWorkbook(path: folder.file("a.xlsx"))
        let made = try OtherProgram.python(
            """
            import random, sys, zipfile
            source = zipfile.ZipFile(sys.argv[1])
            chance, count = random.Random(20261128), 0
            parts = {name: source.read(name) for name in source.namelist()}
            for part in parts:
                if part.startswith("xl/media/"): continue
                for how in ("cut", "hole", "none", "half", "gone"):
                    data = parts[part]
                    page, at = min(4096, len(data) // 2), chance.randrange(len(data))
                    bad = {"cut": data[:at], "hole": data[:at // 2] + data[at // 2 + page:], "none": b"", "half": data[:len(data) // 2]}.get(how)
                    with zipfile.ZipFile(f"{sys.argv[2]}/{count}.xlsx", "w", zipfile.ZIP_DEFLATED) as target:
                        for name, content in parts.items():
                            if name != part: target.writestr(name, content)
                            elif bad is not None: target.writestr(name, bad)
                    print(part, how)
                    count += 1
            """, folder.file("a.xlsx"), folder.path)
        let damages = made.split(separator: "\n")
        #expect(damages.count > 60)
        for (number, damage) in damages.enumerated() {
            #expect((try? WrittenWorkbook(path: folder.file("\(number).xlsx"))) != sound, "\(damage)")
        }
    }
}
