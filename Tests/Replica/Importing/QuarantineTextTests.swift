import Foundation
import Model
import Testing

@testable import Replica

/// The quarantine recognises a row that is rejected again by its texts, so these must stay those of
/// JSON's encoder.
@Suite struct QuarantineTextTests {
    private static func encoded(_ value: some Encodable) throws -> String {
        let encoder = JSONEncoder()
        encoder.outputFormatting = [.sortedKeys, .withoutEscapingSlashes]
        return String(decoding: try encoder.encode(value), as: UTF8.self)
    }

    @Test func isWhatTheEncoderWritesAndTheDecoderReads() throws {
        var source = SystemRandomNumberGenerator()
        let pieces = ["a", "/", "\"", "\\", "é", "\u{2028}", "\n", "\u{8}", "\u{7F}", "\u{0}", "👩‍🔬", "B2", "\u{1F}", " "]
        let names = ["value", "type", "a_b", "ab", "a1", "a10", "a2", "field", "Z"]
        func text() -> String { (0..<Int.random(in: 0...3, using: &source)).map { _ in pieces.randomElement(using: &source) ?? "" }.joined() }
        func part() -> String? { Bool.random(using: &source) ? text() : nil }
        func number() -> Int? { Bool.random(using: &source) ? Int.random(in: -1...100_000, using: &source) : nil }
        for _ in 0..<2_000 {
            var place = Place(
                table: part(), id: part(), key: part(), field: part(), file: part(), sheet: part(), cell: part(), line: number(), column: number(),
                pointer: part(), mapping: part())
            place.origin = part()
            let findings = (0..<Int.random(in: 0...2, using: &source)).map { _ in
                let arguments = Dictionary(names.shuffled(using: &source).prefix(3).map { ($0, text()) }) { first, _ in first }
                let acceptance = Int.random(in: 0..<20, using: &source) == 0
                    ? Acceptance(reason: text(), actor: "a@b", acceptedAt: "2026-01-01T00:00:00Z", until: "2026-02-01") : nil
                return Finding(code: text(), severity: Severity.allCases.randomElement(using: &source) ?? .note, place: place, arguments: arguments, acceptance: acceptance)
            }
            #expect(try Quarantine.json(place) == Self.encoded(place))
            #expect(try Quarantine.json(findings) == Self.encoded(findings))
            #expect(try Quarantine.place(Self.encoded(place)) == place)
            #expect(try Quarantine.findings(Self.encoded(findings)) == findings)
        }
    }

    @Test func whatIsNoFindingIsAnError() {
        #expect(throws: (any Error).self) { try Quarantine.findings("[{\"code\":\"X\"}]") }
        #expect(throws: (any Error).self) { try Quarantine.place("[]") }
    }
}
