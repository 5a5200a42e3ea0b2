import Foundation
import Model
import Testing

@Suite struct TimestampTests {
    @Test(arguments: [
        ("2025-05-11T15:00:00Z", "2025-05-11T15:00:00Z"), ("2025-05-11 10:00:00-05", "2025-05-11T15:00:00Z"),
        ("2025-05-11T10:00:00.120-05:00", "2025-05-11T15:00:00.12Z"), ("2025-05-11T20:30+0530", "2025-05-11T15:00:00Z"),
        ("2025-05-12T09:00:00+18:00", "2025-05-11T15:00:00Z"), ("2025-05-10T21:00:00-18", "2025-05-11T15:00:00Z"),
        ("1969-12-31T23:59:59.5Z", "1969-12-31T23:59:59.5Z"), ("2024-02-29T00:00:00.1234567Z", "2024-02-29T00:00:00.123456Z"),
        ("0001-01-01T00:00:00Z", "0001-01-01T00:00:00Z"), ("9999-12-31T23:59:59Z", "9999-12-31T23:59:59Z"),
    ])
    func instantsComeInOneForm(text: String, expected: String) {
        #expect(Timestamp.normalized(text) == expected)
    }

    @Test(arguments: [
        "", "2025-05-11", "2025-05-11T15:00:00", "2025-02-30T15:00:00Z", "2025-05-11T24:00:00Z", "2025-05-11T15:60:00Z", "2025-05-11T15:00:00.Z",
        "2025-05-11T15:00:00Zx", "2025-13-11T15:00:00Z", "25-05-11T15:00:00Z", "2025-05-11T15:00:00+19",
        "2025-05-11T15:00:00+18:01", "2025-05-11T15:00:00-18:59", "0000-01-01T00:00:00Z", "2025-05-11T15:00:00-05:",
        "9999-12-31T23:59:59-12:00", "0001-01-01T00:00:00+05:00", "２025-05-11T15:00:00Z",
    ])
    func whatIsNoInstantIsRefused(text: String) {
        #expect(Timestamp.parse(text) == nil)
    }

    @Test func aLocalTimeBeyondTheLastYearIsNone() throws {
        let zone = try #require(TimeZone(identifier: "America/Lima"))
        #expect(Timestamp.instant(local: "9999-12-31T18:59:59", in: zone) == "9999-12-31T23:59:59Z")
        #expect(Timestamp.instant(local: "9999-12-31T19:00:00", in: zone) == nil)
    }

    @Test func aDayMayHaveATimeBehindIt() {
        let texts = ["2025-03-01", "2025-03-01T00:00:00", "2025-03-01 23:59", "2025-03-01T10:00:00.1234567", "2025-03-01T10:00:00Z", "2025-03-01T10:00-05:00"]
        for text in texts { #expect(Timestamp.day(of: text) == "2025-03-01", "\(text)") }
        let others = [
            "", "2025-03-01x", "2025-03-01T", "2025-03-01Tgarbage", "2025-03-01T25:61:61", "2025-03-01T24:00:00", "2025-02-30T10:00:00", "0000-01-01",
            "0000-01-01T00:00:00", "2025-03-01T10:00:00Zx",
        ]
        for text in others { #expect(Timestamp.day(of: text) == nil, "\(text)") }
    }

    @Test func daysThatDoNotExistAreNone() {
        for text in ["2024-02-29", "2000-02-29", "2025-12-31", "0001-01-01"] { #expect(Timestamp.isDate(text)) }
        for text in ["2025-02-29", "1900-02-29", "2025-04-31", "2025-00-10", "2025-01-00", "2025-1-1", "2025-01-01 ", "0000-01-01"] {
            #expect(!Timestamp.isDate(text), "\(text)")
        }
    }

    @Test func formatAndParseAreEachOthersInverse() {
        for seconds in [0, 1_700_000_000.25, -1.5, 4_102_444_799.999999] {
            let date = Date(timeIntervalSince1970: seconds)
            #expect(abs((Timestamp.parse(Timestamp.format(date))?.timeIntervalSince1970 ?? .nan) - seconds) < 1e-6)
        }
    }
}
