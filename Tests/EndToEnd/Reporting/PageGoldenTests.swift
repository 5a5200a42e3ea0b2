import Foundation
import Testing
import Workbench

/// The comparison with approved pages finds every fault in this list, and does not complain about
/// small differences.
@Suite struct PageGoldenTests {
    private static let report = DocumentGoldenTests.Document(system: "ingeplus", report: "estado-revision")

    /// How the drawn pages are changed before they are compared, and what the comparison must
    /// report. The pictures have 60 dots to the inch.
    private static let spoiled: [(change: String, told: String)] = [
        // The line of pit C-14 is painted over with white. It is 7 points high.
        ("y = next(w[2] for w in words if w[3] == 'C-14') / 1.2; pages[2].paste(255, (30, int(y), 470, int(y) + 8))", "page 2: it differs"),
        // The code in this line is moved by 3 mm.
        ("y = int(next(w[2] for w in words if w[3] == 'C-14') / 1.2); c = pages[2].crop((34, y, 60, y + 8)); pages[2].paste(255, (34, y, 60, y + 8)); pages[2].paste(c, (41, y))", "page 2: it differs"),
        // One cell of a heading gets another fill.
        ("y = int(next(w[2] for w in words if w[3] == 'Fotos') / 1.2); pages[2].paste(200, (190, y - 2, 216, y + 10))", "page 2: it differs"),
        ("pages[2].paste(255, (0, pages[2].height // 2, pages[2].width, pages[2].height))", "page 2: it differs"),
        // One digit is changed. A word is moved by 3 mm, removed, or put on the next page.
        ("words = [(*w[:3], '1.96') if w[3] == '1.95' else w for w in words]", "page 2: the word «1.96», approved is «1.95»"),
        ("words = [(w[0], w[1] + 8.5, w[2], w[3]) if w[3] == 'C-14' else w for w in words]", "the word «C-14» stands at"),
        ("words = [w for w in words if w[3] != 'C-14']", "words, approved are"),
        ("words = [(3, *w[1:]) if w[3] == 'C-14' else w for w in words]", "page 3: the word «C-14», approved is «C-14» on page 2"),
        ("del pages[3]", "2 pages, approved are 3"),
        ("pages[4] = pages[3]", "4 pages, approved are 3"),
        ("pages[2] = pages[2].rotate(90, expand=True)", "page 2: its size is"),
    ]

    /// Every pixel is a little lighter or darker, and every word is moved a little.
    private static let noise = """
        import random
        numbers = random.Random(7)
        for p in pages.values(): p.putdata([max(0, min(255, v + numbers.randint(-12, 12))) for v in p.getdata()])
        words = [(n, x + 0.3, y - 0.3, w) for n, x, y, w in words]
        """

    @Test func whatIsWrongIsSeenAndNoiseIsNot() throws {
        let made = try #require(try Self.report.make().first)
        // The pages are drawn again each time.
        for _ in 1...2 { #expect(try PageGoldens().differences(of: made.pdf, name: made.name) == []) }
        #expect(try PageGoldens().differences(of: made.pdf, name: made.name, change: Self.noise) == [])
        for (change, told) in Self.spoiled {
            let differences = try PageGoldens().differences(of: made.pdf, name: made.name, change: change)
            #expect(differences.contains { $0.contains(told) }, "\(change): \(differences)")
        }
    }

    /// A page without a picture of its own is held against the others of its document.
    @Test func aPageWithoutAPictureMustLookLikeOneThatHas() throws {
        let made = try #require(try DocumentGoldenTests.Document(system: "mesync", report: "conciliacion").make().first)
        #expect(try PageGoldens().differences(of: made.pdf, name: made.name, change: Self.noise) == [])
        let unlike = "page 7: it differs from every page that has a picture"
        for (change, told) in [
            ("pages[7].paste(0, (100, 200, 160, 260))", unlike), ("pages[7] = pages[7].rotate(90, expand=True)", unlike),
            // A line of the table is painted over.
            ("y = int(boxes[[b[0] for b in boxes].index(7) + 60][2][1]); pages[7].paste(255, (0, y, pages[7].width, y + 9))", "page 7: the word "),
        ] {
            let differences = try PageGoldens().differences(of: made.pdf, name: made.name, change: change)
            #expect(differences.contains { $0.hasPrefix(told) }, "\(change): \(differences)")
        }
    }

    @Test func whatHasNoGoldenIsNotAsApproved() throws {
        let folder = try TemporaryFolder()
        let made = try #require(try Self.report.make().first)
        let goldens = PageGoldens(folder: folder.file("goldens"))
        #expect(try goldens.differences(of: made.pdf, name: "new") == ["3 pages, approved are 0", "no approved words"])
        try goldens.update(from: made.pdf, name: "new")
        #expect(try goldens.differences(of: made.pdf, name: "new") == [])
        #expect(try FileManager.default.contentsOfDirectory(atPath: folder.file("goldens")).sorted() == ["new-01.png", "new-02.png", "new-03.png", "new.words.txt"])
    }
}
