import Foundation
import Model
import Testing

@Suite struct TimestampTests {
    @Test func agreesWithPython() throws {
        // Python's datetime says how many seconds since 1970 each text means: leap years, century ends, days before 1970.
        let texts = [
            "1970-01-01T00:00:00Z", "1969-12-31T23:59:59Z", "2000-02-29T12:34:56Z", "1900-02-28T23:59:59Z", "1900-03-01T00:00:00Z",
            "2100-02-28T23:59:59Z", "2100-03-01T00:00:00Z", "2026-11-21T02:31:56Z", "0001-01-01T00:00:00Z", "9999-12-31T23:59:59Z",
            "2024-12-31T23:59:59Z", "2038-01-19T03:14:08Z",
        ]
        let seconds = try python(
            "import sys, datetime as d; e = d.datetime(1970, 1, 1); "
                + "[print(int((d.datetime.strptime(t, '%Y-%m-%dT%H:%M:%SZ') - e).total_seconds())) for t in sys.argv[1:]]", texts)
        #expect(seconds.count == texts.count)
        for (text, second) in zip(texts, seconds) {
            let date = Date(timeIntervalSince1970: try #require(Double(second)))
            #expect(Timestamp.format(date) == text)
            #expect(Timestamp.parse(text) == date)
        }
    }

    @Test func everyDayOfFourCenturies() throws {
        // Each day follows the one before: no day is missing or double over a whole cycle of leap years.
        var days = Set<String>()
        for day in 0..<146_097 {
            let text = Timestamp.format(Date(timeIntervalSince1970: Double(day) * 86_400))
            #expect(Timestamp.parse(text)?.timeIntervalSince1970 == Double(day) * 86_400)
            days.insert(text)
        }
        #expect(days.count == 146_097)
        #expect(Timestamp.format(Date(timeIntervalSince1970: 146_097 * 86_400)) == "2370-01-01T00:00:00Z")
    }

    @Test func fractions() {
        let date = Date(timeIntervalSince1970: 1_772_366_400.25)
        #expect(Timestamp.format(date) == "2026-03-01T12:00:00Z")
        #expect(Timestamp.formatExactly(date) == "2026-03-01T12:00:00.25Z")
        #expect(Timestamp.formatExactly(Date(timeIntervalSince1970: 1_772_366_400)) == "2026-03-01T12:00:00Z")
        #expect(Timestamp.parse("2026-03-01T12:00:00.25Z") == date)
        #expect(Timestamp.format(Date(timeIntervalSince1970: -0.5)) == "1969-12-31T23:59:59Z")
        #expect(Timestamp.formatExactly(Date(timeIntervalSince1970: -0.5)) == "1969-12-31T23:59:59.5Z")
    }

    @Test(arguments: [
        "", "2026-03-01", "2026-03-01 12:00:00Z", "2026-03-01T12:00:00", "2026-03-01T12:00:00+00:00", "2026-02-29T00:00:00Z",
        "2026-13-01T00:00:00Z", "2026-00-01T00:00:00Z", "2026-01-00T00:00:00Z", "2026-01-32T00:00:00Z", "2026-04-31T00:00:00Z",
        "2026-01-01T24:00:00Z", "2026-01-01T00:60:00Z", "2026-01-01T00:00:60Z", "2026-01-01T00:00:00.Z", "2026-01-01T00:00:00.1234567Z",
        "2026-01-01T00:00:00.1", "+026-01-01T00:00:00Z", "1900-02-29T00:00:00Z",
    ]) func whatIsNoTime(text: String) {
        #expect(Timestamp.parse(text) == nil)
    }

    private func python(_ script: String, _ arguments: [String]) throws -> [Substring] {
        let process = Process()
        process.executableURL = URL(fileURLWithPath: "/usr/bin/python3")
        process.arguments = ["-c", script] + arguments
        let output = Pipe()
        process.standardOutput = output
        try process.run()
        let said = String(decoding: output.fileHandleForReading.readDataToEndOfFile(), as: UTF8.self)
        process.waitUntilExit()
        return said.split(separator: "\n")
    }
}
