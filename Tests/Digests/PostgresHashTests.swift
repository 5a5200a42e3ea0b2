import Testing

@testable import Digests

/// The numbers are those that PostgreSQL 15 gives for the same texts.
@Suite struct PostgresHashTests {
    /// 2026-11-23 23:46:21.02811 in microseconds since 2000.
    private static let time: Int64 = 848_792_781_028_110

    private func hash(_ id: String, _ microseconds: Int64?) -> Int64? { PostgresHash.of(id: id.utf8Span.span, microseconds: microseconds) }

    @Test func hashesAreThoseOfPostgreSQL() {
        #expect(hash("00000000-0000-4000-8000-000000000001", nil) == 4_410_389_051_751_287_272)
        #expect(PostgresHash.time(Self.time) == -1_487_470_257_355_611_065)
        #expect(hash("20000001-0000-4000-8000-0000000000ff", Self.time) == -4_651_755_325_759_757_222)
        #expect(hash("20000001-0000-4000-8000-0000000000FF", Self.time) == -4_651_755_325_759_757_222, "capitals are the same")
    }

    @Test(arguments: ["", "C-01", "20000001-0000-4000-8000-0000000000f", "20000001-0000-4000-8000-0000000000fff", "2000000g-0000-4000-8000-0000000000ff"])
    func whatIsNoUUIDHasNone(_ text: String) { #expect(hash(text, 0) == nil) }
}
