import Foundation
import Model
import Testing

@Suite struct TextsTests {
    private let texts = Texts([
        .spanish: ["a": "{key}: falta «{field}»", "only": "solo"], .english: ["a": "{key}: {field} is missing"], .italian: ["a": "manca {field}"],
    ])

    @Test func placeholdersAreFilledAndUnknownOnesStayVisible() {
        #expect(texts.text("a", in: .spanish, ["key": "C-1", "field": "SUCS"]) == "C-1: falta «SUCS»")
        #expect(texts.text("a", in: .english, ["key": "C-1"]) == "C-1: {field} is missing")
        #expect(Texts.fill("{", with: ["a": "b"]) == "{")
        #expect(Texts.fill("{a}{a}", with: ["a": "{a}"]) == "{a}{a}", "a value is not filled again")
    }

    @Test func aWordGoesWithItsNumber() {
        let text = "{count} {count:row is|rows are} gone"
        #expect(Texts.fill(text, with: ["count": "1"]) == "1 row is gone")
        #expect(Texts.fill(text, with: ["count": "0"]) == "0 rows are gone" && Texts.fill(text, with: ["count": "21"]) == "21 rows are gone")
        #expect(Texts.fill("{count:row}, {other:a|b}", with: ["count": "1"]) == "{count:row}, {other:a|b}", "a mistake stays visible")
        #expect(Texts.fill("{count:|s}", with: ["count": "2"]) == "s")
    }

    @Test func longListsSayHowManyMore() {
        let names = (1...23).map { "C-\($0)" }
        #expect(names.listed(2) == "C-1, C-2, … + 21" && names.listed().hasSuffix("C-20, … + 3"))
        #expect(Array(names.prefix(2)).listed(2, separator: "; ") == "C-1; C-2" && [String]().listed() == "")
    }

    @Test func aKeyStandsInEveryLanguageOrNot() {
        #expect(texts.has("a", in: Language.allCases))
        #expect(!texts.has("only", in: Language.allCases))
        #expect(texts.text("none", in: .italian) == "none")
    }

    @Test func laterTextsLieOverEarlierOnes() {
        var merged = texts
        merged.lay(["a": "x"], in: .spanish)
        #expect(merged.text("a", in: .spanish) == "x")
        #expect(merged.text("only", in: .spanish) == "solo")
        #expect(merged.text("a", in: .english) == texts.text("a", in: .english))
    }

    @Test func familiesAreKeysBeforeADot() {
        let texts = Texts([.english: ["word.state.open": "open"]])
        #expect(texts.hasAny(of: "word.state") && texts.hasAny(of: "word"))
        #expect(!texts.hasAny(of: "word.sta") && !texts.hasAny(of: "word.state.open"))
    }
}

@Suite struct UUIDv7Tests {
    /// Gives the same numbers in every run.
    private struct Counting: RandomNumberGenerator {
        var state: UInt64 = 0x9E37_79B9_7F4A_7C15
        mutating func next() -> UInt64 {
            state = state &* 6_364_136_223_846_793_005 &+ 1_442_695_040_888_963_407
            return state
        }
    }

    @Test func timeVersionAndVariantStandWhereTheNormSays() throws {
        var generator = Counting()
        let date = Date(timeIntervalSince1970: 1_645_557_742.000)  // RFC 9562, A.6
        let id = UUIDv7.make(at: date, using: &generator)
        #expect(id.hasPrefix("017f22e2-79b0-7"))
        #expect(id.count == 36)
        let variant = id[id.index(id.startIndex, offsetBy: 19)]
        #expect("89ab".contains(variant))
        #expect(UUID(uuidString: id) != nil)
    }

    @Test func theySortByTime() {
        var generator = Counting()
        let ids = (0..<200).map { UUIDv7.make(at: Date(timeIntervalSince1970: 1_700_000_000 + Double($0) * 0.001), using: &generator) }
        #expect(ids == ids.sorted())
        #expect(Set(ids).count == ids.count)
    }
}
