import Testing

@testable import Model

/// A part in brackets appears only if its columns have values.
@Suite struct TextPatternTests {
    private func fill(_ pattern: String, _ values: [String: String]) -> String {
        TextPattern(pattern).fill(["zone": "", "datum": "", "author": ""].merging(values) { _, new in new })
    }

    @Test(arguments: [
        ("17S", "WGS 84", "17S · WGS 84"), ("17S", "", "17S"), ("", "WGS 84", "WGS 84"), ("", "", ""),
    ])
    func aMissingPartTakesItsPointAlong(_ zone: String, _ datum: String, _ expected: String) {
        #expect(fill("[{zone}][ · {datum}]", ["zone": zone, "datum": datum]) == expected)
    }

    @Test func aSentenceBeginsAnewWithACapital() {
        #expect(fill("[{zone}][, color {datum}][, {author}]", ["datum": "gris", "author": "seco"]) == "Color gris, seco")
        #expect(fill("[{zone}][, color {datum}][, {author}]", ["zone": "Arena", "author": "seco"]) == "Arena, seco")
        // A text without missing values is not changed.
        #expect(fill("{zone}[, {datum}]", ["zone": "arena", "datum": "gris"]) == "arena, gris")
    }

    @Test func whatFollowsAMissingPartStays() {
        #expect(fill("C-01[ a {zone} m] · {datum}", ["datum": "x"]) == "C-01 · x")
        #expect(fill("C-01 · [{zone}]", [:]) == "C-01")
        #expect(fill("[{zone}, {datum}]C-01", ["zone": "1"]) == "C-01", "one missing value is enough")
    }

    @Test func otherBracketsAreText() {
        #expect(fill("[sic] {zone} [", ["zone": "a"]) == "[sic] a [")
        #expect(fill("[a [{zone}]", ["zone": ""]) == "[a")
        #expect(fill("] {zone}", ["zone": "b"]) == "] b")
    }

    @Test func aValueWithBracesIsNotFilledAgain() {
        #expect(fill("[{zone}]", ["zone": "{datum}", "datum": "x"]) == "{datum}")
    }
}
