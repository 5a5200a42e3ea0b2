import Testing
import Workbench

@testable import QRCodes

/// zbar, which shares no code with libqrencode, reads what is made.
@Suite struct QRCodeTests {
    private static let reader = """
        import sys, zbar
        from PIL import Image
        rows = sys.argv[1].split('/')
        size = len(rows) + 8
        picture = Image.new('L', (size, size), 255)
        for y, row in enumerate(rows):
            for x, module in enumerate(row):
                if module == '#': picture.putpixel((x + 4, y + 4), 0)
        picture = picture.resize((size * 6, size * 6), Image.NEAREST)
        scanner = zbar.ImageScanner()
        image = zbar.Image(*picture.size, 'Y800', picture.tobytes())
        scanner.scan(image)
        print([symbol.data for symbol in image])
        """

    private func rows(_ code: QRCode) -> String {
        (0..<code.size).map { row in String((0..<code.size).map { code.isDark($0, row) ? "#" : "." }) }.joined(separator: "/")
    }

    @Test(arguments: [
        "FICHERO:PITS/01955C17-8480-734A-832F-6CC29E6CE740/REV/2025-03-03T14:20:00Z/SHA256/" + String(repeating: "0123456789ABCDEF", count: 4),
        "x", "fichero:locali/001_a%20b/sha256/00ff", String(repeating: "A7", count: 400),
    ])
    func anotherProgramReadsIt(_ text: String) throws {
        let code = try #require(QRCode(text))
        #expect(try OtherProgram.python(Self.reader, rows(code)) == "['\(text)']")
    }

    @Test func aRecordsCodeStaysCoarse() throws {
        let text = "FICHERO:PITS/01955C17-8480-734A-832F-6CC29E6CE740/REV/3/SHA256/" + String(repeating: "0123456789ABCDEF", count: 4)
        // 16 mm and 49 modules with the margin: a third of a millimetre each.
        #expect(try #require(QRCode(text)).size == 41)
    }

    @Test func whatNoCodeHoldsIsNone() {
        #expect(QRCode("") == nil)
        #expect(QRCode("a\u{0}b") == nil)
        #expect(QRCode(String(repeating: "ñ", count: 2_000)) == nil)
    }
}
