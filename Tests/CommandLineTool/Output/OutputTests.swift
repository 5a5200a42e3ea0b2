import Foundation
import Importing
import Model
import Testing
import Workbench

@testable import CommandLineTool
@testable import Pipeline

@Suite struct TextTableTests {
    @Test func columnsAreAsWideAsTheirWidestCellAndLinesEndClean() {
        var table = TextTable(["name", "rows"], [.left, .right])
        table.add(["calicatas", "7"])
        table.add(["ñandú", "1250"])
        #expect(table.text == "name       rows\ncalicatas     7\nñandú      1250")
    }
}

@Suite struct ProgressLineTests {
    @Test func rateAndTimeLeft() {
        #expect(ProgressLine.line("x", done: 500, total: 1000, elapsed: .seconds(5)) == "x: 500/1000 (50 %), 5 s, 100/s")
        #expect(ProgressLine.line("x", done: 10, total: nil, elapsed: .seconds(2)) == "x: 10, 5/s")
        #expect(ProgressLine.line("x", done: 0, total: 10, elapsed: .zero) == "x: 0/10 (0 %), 0/s")
    }

    @Test func longTimesAreToldInMinutesAndHours() {
        #expect([0.2, 118, 121, 3600, 7080, 7321, 90_000].map(ProgressLine.timeLeft) == ["1 s", "118 s", "3 min", "60 min", "118 min", "2 h 03 min", "25 h 00 min"])
    }
}

@Suite struct OfficeDayTests {
    @Test func officeTimeFollowsTheZoneAndItsSummerTime() throws {
        let instant = Date(timeIntervalSince1970: 1_767_225_900)  // 2026-01-01T00:05:00Z
        #expect(OfficeDay.time(of: instant, in: try #require(TimeZone(identifier: "America/Lima"))) == "2025-12-31 19:05")
        #expect(OfficeDay.time(of: instant, in: try #require(TimeZone(identifier: "Europe/Rome"))) == "2026-01-01 01:05")
        let summer = Date(timeIntervalSince1970: 1_782_864_300)  // 2026-07-01T00:05:00Z
        #expect(OfficeDay.text(of: summer, in: try #require(TimeZone(identifier: "Europe/Rome"))) == "2026-07-01")
    }
}

@Suite struct FailOnTests {
    @Test(arguments: [
        (FailOn.error, Severity.error, Int32(1)), (.error, .warning, 0), (.warning, .warning, 1), (.warning, .note, 0), (.never, .error, 0),
    ])
    func thresholdDecides(failOn: FailOn, worst: Severity, code: Int32) {
        #expect(failOn.exitCode(for: worst).rawValue == code)
        #expect(failOn.exitCode(for: nil) == .done)
    }
}

@Suite struct FailureTextTests {
    @Test func placeRuleAndRemedyInTheLanguage() {
        let texts = Texts([.spanish: ["error.LANGUAGE-UNKNOWN.message": "No habla «{value}».", "error.LANGUAGE-UNKNOWN.remedy": "Use es, en o it."]])
        let text = FailureText(SettingFailure.unknownLanguage("qu"), texts: texts, language: .spanish)
        #expect(text.text == "error: LANGUAGE-UNKNOWN\n  No habla «qu».\n  → Use es, en o it.")
        #expect(text.json.contains("\"exitCode\" : 64"))
    }

    @Test func withoutTextsCodeAndFactsAreShown() {
        let text = FailureText(SettingFailure.configurationInvalid(path: "f.yaml", line: 3, reason: "x"), texts: Texts(), language: .english)
        #expect(text.text == "f.yaml:3: error: CONFIGURATION-INVALID\n  path: f.yaml\n  reason: x")
    }
}

@Suite struct FileDescriptionTests {
    /// Lines of JSON in a folder are the rows that the file alone has.
    @Test func aFoldersLinesOfJSONAreRows() throws {
        let place = try TemporaryFolder()
        for name in ["x.ndjson", "y.ndjson"] {
            try "{\"a\":1,\"b\":\"x\"}\n{\"a\":2,\"b\":\"y\"}\n".write(toFile: place.file(name), atomically: true, encoding: .utf8)
        }
        let told = try FileDescription(path: place.path, options: TableOptions()) { [] }
        #expect(told.tables.map { $0.columns.map(\.name) } == [["a", "b"], ["a", "b"]] && told.tables.map(\.rows) == [2, 2])
    }
}
