import Testing

@testable import Importing

@Suite struct ISODateTests {
    /// A spreadsheet's numbers: day 60, 29 February 1900, never was.
    @Test(arguments: [
        ("1899-12-31", 0), ("1900-01-01", 1), ("1900-02-28", 59), ("1900-03-01", 61), ("1900-02-28T12:00:00", 59.5), ("1970-01-01", 25_569),
        ("9999-12-31T18:00:00Z", 2_958_465.75), ("1900-02-29", nil), ("0000-01-01", nil), ("2025-01-01T24:00:00", nil), ("2025-01-01 12:00:00", nil),
    ] as [(String, Double?)])
    func daysHaveNumbers(_ text: String, _ serial: Double?) {
        #expect(ISODate.serial(Array(text.utf8)) == serial)
    }

    @Test(arguments: [
        ("10:59:59.9999999999984025", "11:00:00"), ("12:00:00.000", "12:00:00"), ("07:05:03.25", "07:05:03.250"),
        ("23:59:59.9999", "23:59:59.999"), ("24:00:00", nil), ("99:99:99", nil), ("12:00:00.", nil),
        ("12:00:00x", nil), ("12:00", nil),
    ] as [(String, String?)])
    func timesHaveThousandthsOfASecond(_ text: String, _ time: String?) {
        var bytes = Array(text.utf8)
        #expect(ISODate.time(&bytes) == (time != nil))
        #expect(String(decoding: bytes, as: UTF8.self) == time ?? text)
    }
}
