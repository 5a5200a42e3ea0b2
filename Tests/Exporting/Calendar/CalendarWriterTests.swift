import Foundation
import Model
import OutputFiles
import Testing
import Workbench

@testable import Exporting

/// Calendars of RFC 5545. Python's icalendar reads them.
@Suite struct CalendarWriterTests {
    let folder: TemporaryFolder

    init() throws { folder = try TemporaryFolder() }

    private static func columns(_ keys: String) throws -> CalendarColumns {
        let pairs = keys.split(separator: " ").map { $0.split(separator: "=").map(String.init) }
        return try #require(CalendarColumns(.keys(pairs.map { PackNode.Pair(key: $0[0], value: .text($0[1])) })))
    }

    private static func sheet(_ names: [String], _ keys: String, _ rows: [[MemoryRows.Value]]) throws -> Sheet {
        Sheet(
            name: "eventos", rowName: "row", title: "Eventos", columns: names.map { SampleExport.column($0) }, calendar: try columns(keys), rowCount: rows.count
        ) { MemoryRows(columnCount: names.count, rows: rows) }
    }

    /// Each component that icalendar finds, one on a line: its name and its properties with their
    /// parameters, sorted by name. Those of the calendar itself come first.
    private func read(_ sheets: [Sheet], findings: FindingList = FindingList()) throws -> [String] {
        let files = try folder.write(SampleExport.document(sheets), with: CalendarWriter(), findings: findings)
        #expect(files.keys.sorted() == ["out.ics"])
        let script = """
            import icalendar, sys
            data = open(sys.argv[1], 'rb').read()
            assert all(len(line) <= 75 for line in data.split(b'\\r\\n')), 'a line is too long'
            assert b'\\n' not in data.replace(b'\\r\\n', b''), 'a line does not end with CR LF'
            data.decode('utf-8')
            for line in data.split(b'\\r\\n'): line.decode('utf-8')
            calendar = icalendar.Calendar.from_ical(data)
            for part in calendar.walk():
                assert not part.errors, part.errors
                shown = []
                for key, value in sorted(part.property_items(recursive=False)):
                    if key in ('BEGIN', 'END'): continue
                    raw = value.to_ical() if hasattr(value, 'to_ical') else value
                    raw = raw.decode() if isinstance(raw, bytes) else str(raw)
                    parameters = ''.join(f';{name}={entry}' for name, entry in getattr(value, 'params', {}).items())
                    shown.append(f'{key}{parameters}={raw}')
                print(part.name, ' | '.join(shown))
            """
        let output = try OtherProgram.run("/usr/bin/python3", ["-c", script, folder.file("out.ics")])
        #expect(output.status == 0, "\(output.text)")
        return output.text.split(separator: "\n").map(String.init)
    }

    private static let event = "uid=id summary=name description=text start=start end=end location=place categories=kind latitude=lat longitude=lon changed=changed alarm=30"
    private static let names = ["id", "name", "text", "start", "end", "place", "kind", "lat", "lon", "changed"]

    @Test func anEventHasItsInstantsInUTCAndTheStampOfTheRun() throws {
        let row: [MemoryRows.Value] = [
            .text("a1"), .text("Caminata"), .text("Agua, gorra; y \\ sombrero\nSalida"), .text("2026-01-01T03:04:05.250Z"), .text("2026-01-01T05:00:00Z"), .text("Parque"),
            .text("sports"), .real(4.65), .real(-74.06), .text("2025-12-31T23:59:59Z"),
        ]
        let parts = try read([Self.sheet(Self.names, Self.event, [row])])
        #expect(parts[0].contains("PRODID=-//Fichero//ingeplus 1.0.0//ES") && parts[0].contains("VERSION=2.0"))
        #expect(parts[0].contains("X-WR-CALDESC=Registros al 31/01/2026 · DEV · BORRADOR"))
        let expected = "VEVENT CATEGORIES=sports | DESCRIPTION=Agua\\, gorra\\; y \\\\ sombrero\\nSalida | DTEND=20260101T050000Z | DTSTAMP=20260131T120000Z | DTSTART=20260101T030405Z"
            + " | GEO=4.65;-74.06 | LAST-MODIFIED=20251231T235959Z | LOCATION=Parque | SUMMARY=Caminata | UID=a1@ingeplus"
        #expect(parts[1] == expected)
        #expect(parts[2] == "VALARM ACTION=DISPLAY | DESCRIPTION=Caminata | TRIGGER=-PT30M")
        #expect(parts.count == 3)
    }

    @Test func aDayIsADateAndItsLastDayIsWithin() throws {
        let parts = try read([Self.sheet(["id", "name", "start", "end"], "uid=id summary=name start=start end=end minutes=90", [
            [.text("a"), .text("Feria"), .text("2026-02-27"), .text("2026-02-28")],
            [.text("b"), .text("Día"), .text("2026-02-28"), .null],
            [.text("c"), .text("Al revés"), .text("2026-02-28T10:00:00Z"), .text("2026-02-28T09:00:00Z")],
        ])])
        #expect(parts[1].contains("DTSTART;VALUE=DATE=20260227") && parts[1].contains("DTEND;VALUE=DATE=20260301"))
        #expect(!parts[2].contains("DTEND") && !parts[2].contains("DURATION"))
        // An end before the start is none; then the minutes count.
        #expect(parts[3].contains("DURATION=PT1H30M") && !parts[3].contains("DTEND"))
    }

    @Test func aTimeOfDayStandsAsItIsOnTheOfficesDayAndComesAgain() throws {
        let findings = FindingList()
        let parts = try read([Self.sheet(["id", "name", "start", "time", "rule"], "uid=id summary=name start=start time=time repeats=rule minutes=15 alarm=0", [
            // In Lima it is still the evening of the last day of the year.
            [.text("a"), .text("Pastilla"), .text("2026-01-01T01:00:00Z"), .text("07:30"), .text("FREQ=WEEKLY;BYDAY=MO,FR")],
            [.text("b"), .text("Falsa"), .text("2026-01-01"), .text("07:30:15"), .text("FREQ=DAILY\r\nATTENDEE:mailto:x@example.co")],
        ])], findings: findings)
        #expect(parts[1].contains("DTSTART=20251231T073000 ") && parts[1].contains("RRULE=FREQ=WEEKLY;BYDAY=MO,FR") && parts[1].contains("DURATION=PT15M"))
        #expect(parts[2].contains("TRIGGER=P0D"))
        #expect(parts[3].contains("DTSTART=20260101T073015 ") && !parts[3].contains("RRULE"))
        #expect(!parts.joined().contains("ATTENDEE"))
        #expect(findings.findings.map { "\($0.code) \($0.arguments["count"] ?? "")" } == ["CALENDAR-RULE 1"])
    }

    @Test func thingsToDoAreDueDoneOrGivenUp() throws {
        let parts = try read([Self.sheet(["id", "name", "start", "due", "done", "off", "rank"], "as=todo uid=id summary=name start=start due=due done=done cancelled=off priority=rank alarm=60", [
            [.text("a"), .text("Por hacer"), .text("2026-01-01T09:00:00Z"), .text("2026-01-02T09:00:00Z"), .null, .null, .integer(1)],
            [.text("b"), .text("Hecho"), .null, .text("2026-01-02"), .text("2026-01-01T09:00:00Z"), .null, .integer(12)],
            [.text("c"), .text("Dejado"), .text("2026-01-03"), .text("2026-01-02T09:00:00Z"), .null, .text("2026-01-01T09:00:00Z"), .null],
            [.text("d"), .text("Sin día"), .null, .null, .null, .null, .null],
        ])])
        #expect(parts.count == 6)
        #expect(parts[1].contains("DTSTART=20260101T090000Z | DUE=20260102T090000Z | PRIORITY=1 | STATUS=NEEDS-ACTION"))
        #expect(parts[2] == "VALARM ACTION=DISPLAY | DESCRIPTION=Por hacer | TRIGGER=-PT1H")
        #expect(parts[3].contains("COMPLETED=20260101T090000Z") && parts[3].contains("DUE;VALUE=DATE=20260102") && parts[3].contains("STATUS=COMPLETED") && !parts[3].contains("PRIORITY"))
        #expect(parts[4].contains("STATUS=CANCELLED") && !parts[4].contains("DTSTART"))
        #expect(parts[5] == "VTODO DTSTAMP=20260131T120000Z | STATUS=NEEDS-ACTION | SUMMARY=Sin día | UID=d@ingeplus")
    }

    @Test func rowsWithoutStartOrWithAKnownIdentifierAreLeftOutAndTold() throws {
        let findings = FindingList()
        let parts = try read([
            Self.sheet(["id", "name", "start"], "uid=id summary=name start=start", [
                [.text("a"), .text("Uno"), .text("2026-01-01")], [.text("b"), .text("Dos"), .null], [.text("c"), .text("Tres"), .text("mañana")],
                [.text("a"), .text("Otra vez"), .text("2026-01-02")], [.null, .text("Sin id"), .text("2026-01-02")],
            ]),
            SampleExport.everyKind,
        ], findings: findings)
        #expect(parts.dropFirst().map { $0.prefix(6) } == ["VEVENT"])
        #expect(findings.findings.map { "\($0.code) \($0.severity.rawValue) \($0.arguments["count"] ?? "")" } == ["CALENDAR-LEFT-OUT warning 4"])
    }

    /// No text can leave its line, whatever is in it.
    @Test func hostileTextsStayTexts() throws {
        let findings = FindingList()
        let title = "Caminata\nBEGIN:VEVENT\nATTENDEE:mailto:nadie@example.co\r\nEND:VCALENDAR\u{1}"
        let long = String(repeating: "ñandú 🦙,", count: 60)
        let parts = try read([Self.sheet(["id", "name", "text", "start"], "uid=id summary=name description=text start=start alarm=5", [
            [.text("x\r\nATTENDEE:mailto:x@example.co"), .text(title), .text(long), .text("2026-01-01")]
        ])], findings: findings)
        #expect(parts.map { String($0.prefix { $0 != " " }) } == ["VCALENDAR", "VEVENT", "VALARM"])
        #expect(parts[1].contains("SUMMARY=Caminata\\nBEGIN:VEVENT\\nATTENDEE:mailto:nadie@example.co\\nEND:VCALENDAR\u{FFFD}"))
        #expect(parts[1].contains("DESCRIPTION=" + long.replacing(",", with: "\\,")))
        let lines = try String(decoding: folder.data(of: "out.ics"), as: UTF8.self).split(separator: "\r\n")
        #expect(lines.allSatisfy { !$0.hasPrefix("ATTENDEE") } && lines.count { $0 == "BEGIN:VEVENT" } == 1)
        #expect(findings.findings.map(\.code) == ["TEXT-CHARACTER"])
    }

    @Test(arguments: [
        ("FREQ=DAILY", true), ("FREQ=WEEKLY;BYDAY=MO,TU", true), ("FREQ=MONTHLY;BYMONTHDAY=-1,15;COUNT=12", true), ("FREQ=MONTHLY;BYDAY=+2TU,-1FR;WKST=SU", true),
        ("INTERVAL=2;FREQ=YEARLY;BYMONTH=1,12;UNTIL=20301231T235959Z", true), ("", false), ("BYDAY=MO", false), ("FREQ=CUSTOM", false), ("FREQ=DAILY;FREQ=DAILY", false),
        ("FREQ=DAILY;COUNT=1;UNTIL=20301231T235959Z", false), ("FREQ=DAILY;UNTIL=20301231", false), ("FREQ=WEEKLY;BYDAY=", false), ("FREQ=WEEKLY;BYDAY=54MO", false),
        ("FREQ=DAILY;X-MORE=1", false), ("FREQ=DAILY;", false), ("FREQ=MONTHLY;BYMONTHDAY=32", false), ("freq=daily", false), ("FREQ=DAILY;INTERVAL=0", false),
    ]) func rulesFollowTheGrammar(_ rule: String, _ isRule: Bool) throws {
        let start = try #require(CalendarMoment("2026-01-01T00:00:00Z"))
        #expect(RecurrenceRule.isRule(rule, from: start) == isRule)
    }
}
