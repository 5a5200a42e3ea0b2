import Model
import Testing

@testable import Patterns

@Suite struct PatternTests {
    @Test(arguments: [
        ("[A-Z]{2}/[A-Z]{2}", "CL/ML", true),
        ("[A-Z]{2}/[A-Z]{2}", "CL/MLX", false),
        ("[A-Z]{2}/[A-Z]{2}", "xCL/ML", false),
        // The shorter alternative must not hide the longer one.
        ("a|ab", "ab", true),
        ("a|ab", "abc", false),
        ("", "", true),
        ("", "a", false),
        ("a*", "", true),
        // `$` matches only at the very end.
        ("^a$", "a\n", false),
        ("a\\n", "a\n", true),
        ("\\d+", "١٢", false),
        ("\\p{L}+", "ñandúÉ", true),
        (".", "ñ", true),
        (".", "🙂", true),
        ("(?i)É", "é", true),
        ("C-\\d{3}", "C-001", true),
    ])
    func matchesTheWholeText(_ source: String, _ text: String, _ expected: Bool) throws {
        let pattern = try Pattern(source)
        let outcome: Pattern.Outcome = expected ? .matched : .notMatched
        #expect(pattern.matchesWhole(text) == outcome)
        #expect(pattern.matchesWhole(Array(text.utf8).span) == outcome)
        let padded = Array("»".utf8) + Array(text.utf8) + Array("«".utf8)
        #expect(pattern.matchesWhole(padded, in: 2..<(padded.count - 2)) == outcome)
    }

    @Test(arguments: [
        ("^(a+)+$", .tooCostly), ("(a|a)*", .tooCostly), ("(a|aa)+", .tooCostly), ("(a?){40}a{40}", .tooCostly),
        // PCRE2 sees at once that the text has no b.
        ("(?:a*)*b", .notMatched),
    ] as [(String, Pattern.Outcome)])
    func catastrophicPatternsEnd(_ source: String, _ expected: Pattern.Outcome) throws {
        let text = String(repeating: "a", count: 200) + "!"
        let outcome = try Pattern(source).matchesWhole(text)
        #expect(outcome == expected)
    }

    @Test func aRunawayMatchIsTooCostly() throws {
        let pattern = try Pattern("^(a+)+$")
        #expect(pattern.matchesWhole(String(repeating: "a", count: 60) + "!") == .tooCostly)
        // The pattern can still be used after a text that took too long.
        #expect(pattern.matchesWhole(String(repeating: "a", count: 60)) == .matched)
    }

    @Test func longTextsNeedNoLuck() throws {
        let text = String(repeating: "ab", count: 200_000)
        #expect(try Pattern("[ab]*").matchesWhole(text) == .matched)
        // PCRE2 sees at once that the text has no c. With a c near the end, it needs more memory than it may take.
        #expect(try Pattern("(?:(a)|(b))*c").matchesWhole(text) == .notMatched)
        #expect(try Pattern("(?:(a)|(b))*c").matchesWhole(text + "cx") == .tooCostly)
    }

    @Test func invalidUTF8MatchesNothing() throws {
        let pattern = try Pattern(".*")
        for bytes: [UInt8] in [[0xFF], [0xC3], [0x61, 0x80], [0xED, 0xA0, 0x80], [0xF8, 0x88, 0x80, 0x80, 0x80]] {
            #expect(pattern.matchesWhole(bytes.span) == .notMatched)
        }
    }

    @Test(arguments: [
        ("(a", 2), ("a[", 2), ("*a", 0), ("ñ(", 2), ("a{2,1}", 5), ("\\C", 2), ("(?<n>a)(?<n>b)", 12),
    ])
    func badPatternsSayWhere(_ source: String, _ offset: Int) {
        let error = #expect(throws: PatternError.self) { try Pattern(source) }
        #expect(error?.offset == offset)
        #expect(error?.reason.isEmpty == false)
    }

    @Test func tooLongAPatternIsRefused() {
        #expect(throws: PatternError.self) { try Pattern(String(repeating: "a", count: 20_000)) }
        #expect(throws: PatternError.self) { try Pattern(String(repeating: "(", count: 300) + String(repeating: ")", count: 300)) }
    }

    @Test func threadsShareAPattern() async throws {
        let pattern = try Pattern("[a-z]+-\\d+")
        let matched = await withTaskGroup(of: Int.self) { group in
            for task in 0..<4 {
                group.addTask {
                    (0..<500).count { pattern.matchesWhole($0 % 2 == 0 ? "abc-\($0)" : "abc\($0)-\(task)x") == .matched }
                }
            }
            return await group.reduce(0, +)
        }
        #expect(matched == 1000)
    }

    @Test func readsTheBytesOfARowBatch() throws {
        var batch = RowBatch(columnCount: 2)
        batch.append("C-001")
        batch.append("12+300")
        batch.endRow()
        let pattern = try Pattern("\\d+\\+\\d{3}")
        #expect(pattern.matchesWhole(batch.text, in: batch.cell(0, 0).range) == .notMatched)
        #expect(pattern.matchesWhole(batch.text, in: batch.cell(0, 1).range) == .matched)
        #expect(pattern.matchesWhole(batch.text.span.extracting(batch.cell(0, 1).range)) == .matched)
    }

    /// The fuzzer found this: the first group took no part in the match, but a later one did.
    @Test(arguments: [("(a)|(b)", "b", nil), ("(a)|(b)", "a", "a"), ("(a)?(b)", "b", nil), ("x(a)?", "x", nil), ("((a)|b)(c)", "bc", "b"), ("ab", "ab", "ab")])
    func aGroupThatTookNoPartMatchesNothing(source: String, text: String, group: String?) throws {
        #expect(try Pattern(source).firstGroup(in: text) == group)
        #expect(try Pattern(source, reach: .anywhere).firstGroup(in: text) == group)
    }
}
