import Model
import Testing

/// What the replica stores is read, and nothing else.
@Suite struct StoredTimeTests {
    private func isDate(_ text: String) -> Bool {
        let bytes = Array(text.utf8)
        return StoredTime.isDate(bytes.span)
    }

    private func isTime(_ text: String) -> Bool {
        let bytes = Array(text.utf8)
        return StoredTime.isTime(bytes.span)
    }

    private func isShortTime(_ text: String) -> Bool {
        let bytes = Array(text.utf8)
        return StoredTime.isShortTime(bytes.span)
    }

    private func instant(_ text: String) -> String? {
        let bytes = Array(text.utf8)
        return StoredTime.instant(bytes.span).map { "\($0.day.text) \($0.microseconds)" }
    }

    @Test func days() {
        for text in ["0001-01-01", "2024-02-29", "2025-12-31", "9999-12-31"] { #expect(isDate(text), "\(text)") }
        for text in ["0000-01-01", "2025-02-29", "2025-04-31", "2025-00-10", "2025-13-01", "2025-01-00", "2025-1-01", "2025/01/01", "2025-01-01 ", ""] {
            #expect(!isDate(text), "\(text)")
        }
    }

    @Test func times() {
        for text in ["00:00", "23:59", "23:59:59"] { #expect(isTime(text), "\(text)") }
        for text in ["24:00", "12:60", "12:00:60", "1:00", "12:00:0", "12-00", ""] { #expect(!isTime(text), "\(text)") }
        #expect(isShortTime("23:59") && !isShortTime("23:59:59"))
    }

    @Test func instants() {
        #expect(instant("2025-05-11T15:00:01.25Z") == "2025-05-11 54001250000")
        #expect(instant("2025-05-11T15:00:00Z") != nil)
        #expect(instant("2025-05-11T15:00:00.123456Z") != nil)
        // The replica stores six decimals at most, so seven are refused by every writer alike.
        for text in [
            "2025-05-11T15:00:00.1234567Z", "2025-05-11T15:00:00.Z", "2025-05-11T15:00:00", "2025-05-11 15:00:00Z", "2025-05-11T15:00Z",
            "2025-05-11T24:00:00Z", "2025-02-30T15:00:00Z", "0000-01-01T00:00:00Z", "2025-05-11T15:00:00.12aZ", "2025-05-11T15:00:00+00:00",
        ] {
            #expect(instant(text) == nil, "\(text)")
        }
    }

    @Test(arguments: ["0001-01-01T00:00:00Z", "2025-05-11T15:00:00Z", "1969-12-31T23:59:59.5Z", "9999-12-31T23:59:59.999999Z"])
    func whatIsStoredIsRead(_ text: String) {
        #expect(Timestamp.normalized(text) == text)
        #expect(instant(text) != nil)
    }
}
