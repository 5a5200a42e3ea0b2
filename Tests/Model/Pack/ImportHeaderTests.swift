import Testing

@testable import Model

/// Rows of a heading as a mapping states them.
@Suite struct ImportHeaderTests {
    @Test("A heading over several rows has at most ten, and begins before it ends", arguments: [
        ("5-6", 5...6), ("1-10", 1...10), ("1-11", nil), ("6-5", nil), ("0-3", nil), ("1048570-1048577", nil),
        ("9223372036854775807-1", nil), ("-9223372036854775808-9223372036854775807", nil), ("5-", nil), ("a-b", nil),
    ] as [(String, ClosedRange<Int>?)])
    func ranges(_ text: String, _ rows: ClosedRange<Int>?) {
        #expect(ImportMapping.Header.range(text) == rows)
    }
}
