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
}
