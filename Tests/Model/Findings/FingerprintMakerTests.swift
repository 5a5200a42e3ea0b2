import Digests
import Model
import Testing

/// Accepted findings are stored by their fingerprints, so these must stay what they were.
@Suite struct FingerprintMakerTests {
    /// As fingerprints were made first: of texts.
    private func stated(_ finding: Finding) -> String {
        let place = finding.place
        let parts: [String?] =
            place.id != nil
            ? [finding.code, place.table, place.id, place.field, place.pointer]
            : [
                finding.code, place.table, place.file, place.sheet, place.cell, place.line.map(String.init), place.column.map(String.init),
                place.field, place.pointer,
            ]
        let text = parts.map { ($0 ?? "").replacing("\u{1F}", with: "\u{FFFD}") }.joined(separator: "\u{1F}")
        return String(SHA256.digest(of: text).hexadecimal.prefix(32))
    }

    @Test func areTheSameAsThoseMadeOfTexts() {
        var source = SystemRandomNumberGenerator()
        let pieces = [
            "a", "FIELD-RANGE", "\u{1F}", "\u{FFFD}", "é", "e\u{301}", "\u{0}", "👩‍🔬", "\r\n", "00000000-0000-7000-a000-000000000001", "\u{1F}\u{301}", " ",
        ]
        func text() -> String { (0..<Int.random(in: 0...4, using: &source)).map { _ in pieces.randomElement(using: &source) ?? "" }.joined() }
        func part() -> String? { Bool.random(using: &source) ? text() : nil }
        func number() -> Int? { Bool.random(using: &source) ? Int.random(in: -1...100_000, using: &source) : nil }
        var maker = FingerprintMaker()
        for _ in 0..<2_000 {
            let place = Place(
                table: part(), id: part(), key: part(), field: part(), file: part(), sheet: part(), cell: part(), line: number(), column: number(),
                pointer: part(), mapping: part())
            let finding = Finding(code: text(), severity: .note, place: place)
            maker.take(finding)
            #expect(String(decoding: maker.digits, as: UTF8.self) == stated(finding), "\(place)")
            #expect(finding.fingerprint == stated(finding), "\(place)")
        }
    }
}
