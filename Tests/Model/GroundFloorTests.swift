import Foundation
import Testing
import Workbench

/// What the program says once, for all rooms. Whoever counts February's days, numbers days, spells
/// digits or mixes bytes again will differ some day.
@Suite struct GroundFloorTests {
    /// The files under `Sources` whose text, in small letters and without underscores, is as asked.
    private static func files(where isFound: (String) -> Bool) throws -> Set<String> {
        let folder = ProjectFolder.root.appendingPathComponent("Sources")
        let paths = try #require(FileManager.default.enumerator(atPath: folder.path))
        var found: Set<String> = []
        for case let path as String in paths where path.hasSuffix(".swift") {
            let text = try String(contentsOf: folder.appendingPathComponent(path), encoding: .utf8)
            if isFound(text.lowercased().replacing("_", with: "")) { found.insert(path) }
        }
        return found
    }

    private static func files(with words: [String]) throws -> Set<String> {
        try files { text in words.contains(where: text.contains) }
    }

    @Test func oneFileKnowsLeapYears() throws {
        #expect(try Self.files(with: ["% 400 ==", "% 100 !=", "ismultiple(of: 400", "31, 28, 31"]) == ["Model/Time/GregorianDay.swift"])
    }

    /// What counts a source shares no code with what reads it.
    @Test func oneFileNumbersDays() throws {
        #expect(
            try Self.files(with: ["146097", "146096", "719468", "2440588"]) == [
                "Model/Time/GregorianDay.swift", "Counting/Markup/ODSCount.swift",
            ])
    }

    @Test func noFileAsksFoundationForACalendar() throws {
        #expect(try Self.files(with: ["calendar(identifier:", "calendar.current", "dateformatter", "datecomponents", ".iso8601"]) == [])
    }

    @Test func oneFileAsksATimeZone() throws {
        #expect(try Self.files(with: ["secondsfromgmt(for", "daylightsavingtime"]) == ["Model/Time/OfficeClock.swift"])
    }

    /// An address in a PDF file keeps more characters than others, and a character without a name is
    /// shown by its number; their room knows no other room.
    @Test func oneFileSpellsHexadecimalDigits() throws {
        let found = try Self.files { text in
            text.contains(/string\([^()]*, radix: 16/) || ["0123456789abcdef", "%02x", "%04x"].contains(where: text.contains)
        }
        #expect(found == ["Digests/Digest.swift", "Canvas/LaidOutText.swift", "Canvas/Canvas+Text.swift"])
    }

    @Test func oneFileMixesBytes() throws {
        #expect(
            try Self.files(with: ["100000001b3", "1099511628211", "16777619", "01000193", "2166136261", "811c9dc5", "cbf29ce484222325"])
                == ["Digests/Digest.swift"])
    }

    @Test func oneTypeIsAStratum() throws {
        #expect(try Self.files(with: ["struct stratum", "struct layercontent"]) == ["Model/Findings/StrataStrip.swift"])
    }
}
