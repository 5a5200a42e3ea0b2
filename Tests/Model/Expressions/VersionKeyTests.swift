import Testing

@testable import Model

@Suite struct VersionKeyTests {
    @Test func versionsSortNumberByNumber() {
        let sorted = [
            "0", "0.0.1", "0.1", "0.9.9", "0.10", "1", "1.0.0.1", "1.2", "1.2.10", "1.10", "2", "9.10.0", "10", "99.10.0", "100.2.0", "100.10.0",
            "100.10.0.7", "1000000000", "1234567890", "1234567891",
        ]
        let keys = sorted.map { VersionKey.of($0) ?? "" }
        for (index, key) in keys.enumerated().dropFirst() { #expect(key > keys[index - 1], "\(sorted[index])") }
        // SQLite and the expressions compare bytes.
        for (index, key) in keys.enumerated().dropFirst() { #expect(Array(keys[index - 1].utf8).lexicographicallyPrecedes(Array(key.utf8))) }
    }

    @Test(arguments: [("1.2", "1.2.0"), ("1", "1.0.0.0"), ("0", "0.0"), ("007.08", "7.8")]) func theSame(first: String, second: String) {
        #expect(VersionKey.of(first) != nil && VersionKey.of(first) == VersionKey.of(second))
    }

    @Test(arguments: [
        "", ".", "1.", ".1", "1..2", "v1", "1.2-beta", "1,2", " 1", "1 ", "-1", "1.2\u{0}", "١", String(repeating: "1.", count: 16) + "1", "99999999999.1",
    ]) func noVersion(text: String) {
        #expect(VersionKey.of(text) == nil)
    }
}
