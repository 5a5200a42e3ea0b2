import Testing
import Workbench

@testable import Canvas

@Suite struct TextTests {
    static let long = "Arcilla inorgánica de baja plasticidad, color marrón amarillento, húmeda, de consistencia firme, con raíces y gravilla."

    @Test func linesBreakWithinTheWidth() throws {
        let typesetter = try Typesetter()
        let layout = TextLayout(Self.long, TextStyle(size: 8), width: 120, typesetter: typesetter)
        #expect(layout.lines.count > 2)
        #expect(layout.width <= 120)
        #expect(layout.height(of: 0..<layout.lines.count) == layout.height)
        for (line, next) in zip(layout.lines, layout.lines.dropFirst()) {
            #expect(next.box.y >= line.box.bottom - 0.01)
            #expect(line.baseline > line.box.y && line.baseline < line.box.bottom)
        }
        #expect(layout.count(fitting: layout.lines[1].box.bottom) == 2)
        #expect(layout.count(fitting: 1) == 0)
        // A word without spaces is broken inside the word.
        let word = TextLayout(String(repeating: "M", count: 200), TextStyle(), width: 100, typesetter: typesetter)
        #expect(word.lines.count > 5 && word.width <= 100)
    }

    @Test func markupAndControlCharactersAreText() throws {
        let typesetter = try Typesetter()
        let layout = TextLayout("<b>5 < 6</b>\u{0}\u{7}&amp;\r\nfin\rya", TextStyle(), typesetter: typesetter)
        #expect(layout.text == "<b>5 < 6</b>  &amp;\nfin\nya")
        #expect(layout.lines.count == 3)
        #expect(TextLayout("", TextStyle(), typesetter: typesetter).lines.count == 1)
        for value in [0xFFFE, 0xFFFF, 0x1_FFFE, 0xFDD0] as [UInt32] {
            let noncharacter = try #require(Unicode.Scalar(value))
            #expect(TextLayout("a\(noncharacter)b", TextStyle(), typesetter: typesetter).text == "a b")
        }
    }

    /// No font of the documents has them: boxes would say nothing, names can be read and searched.
    @Test func lettersThatTheFontsLackAreNamedInBrackets() throws {
        let typesetter = try Typesetter()
        func text(_ text: String) -> String { TextLayout(text, TextStyle(), typesetter: typesetter).text }
        #expect(text("Eva 👩‍👧 y 🪬🪬") == "Eva [WOMAN GIRL] y [HAMSA, HAMSA]")
        #expect(text("水 km 5") == "[CJK UNIFIED IDEOGRAPH-6C34] km 5")
        #expect(text("Año ≤ 5 – “m²”, ch’unka, q’ö") == "Año ≤ 5 – “m²”, ch’unka, q’ö")
    }

    @Test func whatHasNoRoomEndsWithAnEllipsis() throws {
        let typesetter = try Typesetter()
        let layout = TextLayout(Self.long, TextStyle(size: 8), width: 120, maximumLines: 2, typesetter: typesetter)
        #expect(layout.lines.count == 2 && layout.isEllipsized && layout.width <= 120)
        let short = TextLayout("breve", TextStyle(size: 8), width: 120, maximumLines: 2, typesetter: typesetter)
        #expect(!short.isEllipsized)
    }

    @Test func alignmentAndSpacingMoveLines() throws {
        let typesetter = try Typesetter()
        let trailing = TextLayout("a\nbb", TextStyle(size: 10, alignment: .trailing), width: 100, typesetter: typesetter)
        #expect(trailing.lines.allSatisfy { abs($0.box.right - 100) < 0.1 })
        let centred = TextLayout("a", TextStyle(size: 10, alignment: .centre), width: 100, typesetter: typesetter)
        #expect(abs(centred.lines[0].box.middle.x - 50) < 0.1)
        let tight = TextLayout("a\nb\nc", TextStyle(size: 10), typesetter: typesetter)
        let loose = TextLayout("a\nb\nc", TextStyle(size: 10, lineSpacing: 1.5), typesetter: typesetter)
        #expect(loose.height > tight.height * 1.2)
    }

    @Test func partsOfAParagraphGoToSeveralPages() throws {
        let bytes = try PDFDocumentTests.document { document in
            let layout = TextLayout(Self.long, TextStyle(size: 8), width: 120, typesetter: document.typesetter)
            let first = layout.count(fitting: layout.height / 2)
            try document.page(width: 200, height: 100) { $0.draw(layout, lines: 0..<first, at: Point(x: 10, y: 10)) }
            try document.page(width: 200, height: 100) { $0.draw(layout, lines: first..<layout.lines.count, at: Point(x: 10, y: 10)) }
        }
        try Program.withFile(bytes, "pdf") { path in
            let words = try Program.run("pdftotext", ["-raw", path, "-"]).split { $0.isWhitespace }.joined(separator: " ")
            #expect(words == Self.long)
            let second = try Program.run("pdftotext", ["-f", "2", path, "-"])
            #expect(second.contains("gravilla") && !second.contains("Arcilla"))
        }
    }

    @Test func recorderSeesCollisionsAndOverflow() throws {
        let recorder = TextRecorder()
        _ = try Picture.png(width: 200, height: 100, recorder: recorder) { canvas in
            canvas.draw("uno", TextStyle(size: 10), at: Point(x: 10, y: 10))
            canvas.draw("dos", TextStyle(size: 10), at: Point(x: 12, y: 14))
            canvas.draw("fuera", TextStyle(size: 10), at: Point(x: 190, y: 80))
            canvas.inGroup {
                canvas.translate(x: 100, y: 50)
                canvas.rotate(-.pi / 2)
                canvas.draw("parado", TextStyle(size: 10), at: Point(x: 0, y: 0))
            }
        }
        #expect(recorder.collisions().map { [$0.0.text, $0.1.text] } == [["uno", "dos"]])
        #expect(recorder.outside(Box(x: 0, y: 0, width: 200, height: 100)).map(\.text) == ["fuera"])
        let standing = try #require(recorder.entries.last)
        #expect(standing.box.height > standing.box.width && standing.box.bottom <= 50.01 && standing.box.x >= 99.99)
    }

    @Test func tilesFillOnlyTheirShapeAndKeepTheirPhase() throws {
        let tile = Tile(width: 10, height: 10, layers: [
            Tile.Layer(path: { $0.rectangle(Box(x: 0, y: 0, width: 5, height: 10)) }, paint: { $0.fill(Colour(hex: "#F00")!) }),
        ])
        let png = try Picture.png(width: 40, height: 20, scale: 1) { canvas in
            canvas.rectangle(Box(x: 0, y: 0, width: 30, height: 10))
            canvas.fill(tile)
            canvas.rectangle(Box(x: 5, y: 10, width: 35, height: 10))
            canvas.fill(tile, phase: Point(x: 5, y: 0))
        }
        let seen = try Program.pixels(png, "png", at: [(0.05, 0.2), (0.2, 0.2), (0.3, 0.2), (0.9, 0.2), (0.05, 0.8), (0.2, 0.8), (0.3, 0.8)])
        #expect(seen.colours.map(name) == ["red", "white", "red", "white", "white", "red", "white"])
    }

    /// A typesetter keeps what it has set: the same text looks the same, whatever stood between.
    @Test func whatWasKeptLooksAsWhatWasSetAnew() throws {
        let used = try Typesetter(), style = TextStyle(size: 9, colour: Colour(grey: 0.2))
        func picture(_ typesetter: Typesetter) throws -> [UInt8] {
            try Picture.png(width: 200, height: 60, typesetter: typesetter) { canvas in
                canvas.draw(canvas.layout("Arena limosa", style, width: 60), at: Point(x: 2, y: 2))
                canvas.draw(canvas.layout("Arena limosa", style.with(alignment: .trailing), width: 90), at: Point(x: 90, y: 2))
                canvas.draw(canvas.layout(Self.long, style, width: 190, maximumLines: 2), at: Point(x: 2, y: 30))
            }
        }
        let first = try picture(used)
        // More texts than are kept.
        for number in 0..<1_000 { _ = TextLayout("C-\(number)", style, typesetter: used) }
        #expect(try picture(used) == first)
        #expect(try picture(used) == first)
        #expect(try picture(Typesetter()) == first)
    }

    @Test func coloursAreReadFromHex() {
        #expect(Colour(hex: "#ff8000") == Colour(red: 1, green: 128.0 / 255, blue: 0))
        #expect(Colour(hex: "FFF") == .white)
        for wrong in ["", "#", "#12", "#12345", "#GGGGGG", "##FFFFFF", "#1234567"] { #expect(Colour(hex: wrong) == nil) }
    }
}
