import Spreadsheets
import Testing

@Suite struct LibraryTextTests {
    @Test func libraryTextsAreCleaned() {
        #expect(LibraryText("a\r\nb\rc\nd", limit: 99).string == "a\nb\nc\nd")
        #expect(LibraryText("a\r\nb\tc", limit: 99, isOneLine: true).string == "a b c")
        #expect(LibraryText("_x0041_ _x_", limit: 99).string == "_x005F_x0041_ _x_")
        #expect(LibraryText("ab\u{0}\u{FFFF}", limit: 99).replaced == 2)
        #expect(LibraryText(String(repeating: "🪨", count: 10), limit: 8).string == "🪨🪨🪨…")
    }

    @Test func columnLetters() {
        #expect([0, 25, 26, 51, 701, 702, 16_383].map(CellReference.letters) == ["A", "Z", "AA", "AZ", "ZZ", "AAA", "XFD"])
        #expect(CellReference.cell(row: 0, column: 27) == "AB1")
    }

    @Test func sheetNamesStayWithinTheLibrarysBuffers() {
        var names = SheetNames()
        let name = names.take("x" + String(repeating: "'漢", count: 15) + "x")
        #expect(name.utf16.count <= 31 && name.utf8.count + name.filter { $0 == "'" }.count <= 100 && name.last != "'")
        let many = (0..<200).map { _ in names.take("Igual") }
        #expect(Set(many.map { $0.lowercased() }).count == 200)
        #expect(names.take("Cortes", part: 1) == "Cortes" && names.take("Cortes", part: 2) == "Cortes (2)")
    }
}
