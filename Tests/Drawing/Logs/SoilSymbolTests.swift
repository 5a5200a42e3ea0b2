import Foundation
import Testing

@testable import Blocks
@testable import Canvas
@testable import Drawing

@Suite struct SoilSymbolTests {
    @Test func vocabularyIsWhole() {
        #expect(SoilSymbol.vocabulary.count == 26 && Set(SoilSymbol.vocabulary).count == 26)
        for code in SoilSymbol.vocabulary + SoilSymbol.others {
            let symbol = SoilSymbol(code)
            #expect(symbol.isKnown && symbol.code == code)
        }
    }

    @Test(arguments: [
        ("gp - gm", "GP-GM"), ("GM-GC", "GC-GM"), ("Pt", "PT"), ("cl / ml", "CL/ML"), ("SP-SM/SM", "SP-SM/SM"), ("roca", "ROCA"), ("Bolonería", "BOLONERÍA"),
        ("suelo  orgánico", "SUELO ORGÁNICO"), ("OL/OH", "OL/OH"), ("Tierra vegetal", "SUELO ORGÁNICO"),
    ]) func spellingsAreUnderstood(text: String, code: String) {
        #expect(SoilSymbol(text).code == code && SoilSymbol(text).isKnown)
    }

    @Test(arguments: ["", "XX", "CL/", "CL/XX", "GW-GP", "CL/ML/SM", "ñ"]) func unknownOnesAreNotGuessed(text: String) {
        #expect(!SoilSymbol(text).isKnown && SoilSymbol(text).code == text)
    }

    /// Even without colours, every tile has a picture of its own.
    @Test func noTwoTilesLookAlike() throws {
        let all = SoilSymbol.vocabulary + SoilSymbol.others + ["CL/ML", "SM/SC", "OL/OH", "?"]
        var seen: [[UInt8]: String] = [:]
        for code in all {
            let picture = try Picture.png(width: 40, height: 40, scale: 1) { canvas in
                canvas.rectangle(canvas.box)
                canvas.fill(SoilSymbol(code).tile)
            }
            #expect(seen[picture] == nil, "\(code) looks like \(seen[picture] ?? "")")
            seen[picture] = code
        }
    }

    @Test func allAreAsApproved() throws {
        try Golden.expect("soils", width: 600, height: 560, draw: Self.drawAll)
        // A PDF can repeat most tiles by itself, and its page must look the same.
        if ProcessInfo.processInfo.environment["FICHERO_UPDATE_GOLDENS"] != "1" {
            try Golden.expectPDF("soils", width: 600, height: 560, tolerance: 1.5, draw: Self.drawAll)
        }
    }

    static func drawAll(_ canvas: Canvas) {
        for (index, code) in (SoilSymbol.vocabulary + SoilSymbol.others + ["CL/ML", "SM/SC", "OL/OH", "XX"]).enumerated() {
            let box = Box(x: 15 + Double(index % 6) * 97, y: 10 + Double(index / 6) * 92, width: 85, height: 66)
            SoilSymbol(code).fill(box, on: canvas)
            canvas.rectangle(box)
            canvas.stroke(.black, width: 0.7)
            canvas.draw(code, TextStyle(size: 7, weight: .bold), at: Point(x: box.middle.x, y: box.bottom + 2), anchor: (0.5, 0), width: 95)
        }
    }

    @Test func legendFitsItsHeight() throws {
        let entries = (SoilSymbol.vocabulary + SoilSymbol.others).map { SymbolContent(symbol: $0, name: String(Words.longName)) }
        let legend = SoilLegend(entries)
        let height = legend.height(width: 480, typesetter: try Typesetter())
        let found = try problems(width: 500, height: height + 20) { legend.draw(on: $0, in: $1) }
        #expect(found.texts.count == 31 && found.outside.isEmpty && found.collisions.isEmpty, "\(found)")
    }
}
