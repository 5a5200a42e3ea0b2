import Testing
@testable import Patterns

@Suite struct ECMASpellingTests {
    @Test(arguments: [
        ("b", "abc", true), ("^b", "abc", false), ("^\\p{Letter}+$", "naïve", true), ("\\p{Letter}", "12", false), ("^\\p{gc=Lu}$", "É", true),
        ("^\\P{Letter}$", "1", true), ("^\\p{Script=Greek}+$", "αβγ", true), ("^\\s$", "\u{A0}", true), ("^\\S$", "\u{FEFF}", false),
        ("^[\\s,]+$", " \u{2003},", true), ("^\\u00e9$", "é", true), ("^\\d$", "৪", false), ("^\\w$", "é", false), ("^a$", "a\n", false),
        ("^\\p{ASCII}+$", "abc", true), ("\\\\s", "\\s", true), ("[^]", "\n", true), ("^(?:(a)|b)\\1$", "b", true),
    ])
    func meansWhatECMAMeans(_ source: String, _ text: String, _ isMatch: Bool) throws {
        let pattern = try Pattern(source, reach: .anywhere)
        let bytes = Array(text.utf8)
        #expect((pattern.matches(bytes.span) == .matched) == isMatch)
    }

    @Test func whatIsWrongIsSaid() {
        for source in ["(", "\\p{Nonsense}", "[", "a**", "\\"] {
            #expect(throws: PatternError.self, "\(source)") { try Pattern(source, reach: .anywhere) }
        }
    }
}
