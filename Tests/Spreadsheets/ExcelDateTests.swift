import Foundation
import Model
import Spreadsheets
import Testing
import Workbench

@Suite struct ExcelDateTests {
    private enum Form {
        case date, time, instant
    }

    private var utc = OfficeClock(.gmt)

    private func serial(_ text: String, _ form: Form, _ clock: inout OfficeClock) -> Double? {
        let date = unsafe Array(text.utf8).withUnsafeBufferPointer { bytes in
            switch form {
            case .date: unsafe ExcelDate.date(bytes)
            case .time: unsafe ExcelDate.time(bytes)
            case .instant: unsafe ExcelDate.instant(bytes, &clock)
            }
        }
        return date.map { Double($0.days) + Double($0.fraction) / 1e10 }
    }

    private func serial(_ text: String, _ form: Form) -> Double? {
        var clock = utc
        return serial(text, form, &clock)
    }

    @Test(arguments: [
        ("1899-12-31", nil), ("1900-01-01", 1), ("1900-02-28", 59), ("1900-03-01", 61), ("1970-01-01", 25_569), ("2000-02-29", 36_585),
        ("2025-12-31", 46_022), ("9999-12-31", 2_958_465), ("2025-02-29", nil), ("1900-02-29", nil), ("2025-13-01", nil), ("2025-00-10", nil),
        ("2025-1-01", nil), ("2025/01/01", nil), ("2025-04-31", nil),
    ] as [(String, Double?)])
    func dates(_ text: String, _ expected: Double?) {
        #expect(serial(text, .date) == expected)
    }

    @Test(arguments: [("00:00", 0), ("12:00", 0.5), ("18:00:00", 0.75), ("24:00", nil), ("12:60", nil), ("1:00", nil), ("", nil)] as [(String, Double?)])
    func times(_ text: String, _ expected: Double?) {
        #expect(serial(text, .time) == expected)
    }

    /// Foundation gives the same results, also over changes of daylight saving time and in zones on
    /// both sides of UTC.
    @Test(arguments: ["America/Lima", "Europe/Rome", "Asia/Kathmandu", "America/St_Johns", "Pacific/Kiritimati", "UTC", "Pacific/Apia"])
    func instantsAreOfficeTime(_ zone: String) throws {
        let timeZone = try #require(TimeZone(identifier: zone))
        var clock = OfficeClock(timeZone)
        var generator = SeededNumbers(11)
        let format = ISO8601DateFormatter()
        for _ in 0..<2000 {
            let date = Date(timeIntervalSince1970: Double(Int.random(in: -1_900_000_000...4_000_000_000, using: &generator)))
            let local = date.timeIntervalSince1970 + Double(timeZone.secondsFromGMT(for: date))
            let serial = serial(format.string(from: date), .instant, &clock)
            let found = try #require(serial)
            #expect(abs(found - (local / 86_400 + 25_569)) < 1e-9, "\(date) in \(zone)")
        }
    }

    @Test func fractionsOfSecondsAndMidnight() throws {
        #expect(serial("2025-12-31T23:59:59.999999Z", .instant) == 46_023)
        #expect(serial("2025-01-01T12:00:00.5Z", .instant).map { abs($0 - 45_658.500005787) < 1e-9 } == true)
        for bad in ["2025-01-01", "2025-01-01 12:00:00Z", "2025-01-01T12:00:00", "2025-01-01T12:00:00+01:00", "2025-01-01T12:00:00.1234567Z"] {
            #expect(serial(bad, .instant) == nil)
        }
    }
}
