import Foundation
import Testing

/// Calendars of the shipped packs, from the command to its registration. Python's icalendar reads
/// them.
@Suite struct CalendarExportTests {
    /// What icalendar finds in the only calendar below a folder: one line for each expression.
    private func ask(_ office: Office, _ folder: String, _ script: String) throws -> String {
        let name = try #require(office.files(folder).first { $0.hasSuffix(".ics") })
        let run = try Reading.python(
            "import icalendar, sys, collections\nc = icalendar.Calendar.from_ical(open(sys.argv[1], 'rb').read())\nassert not any(p.errors for p in c.walk())\n" + script,
            office.path(folder + "/" + name))
        #expect(run.status == 0, "\(run.error)")
        return run.output.trimmingCharacters(in: .newlines)
    }

    @Test func habitsDosesAndTasksOfOnePersonAreHerAgenda() throws {
        let office = try Office(system: "mesync")
        let run = try office.run("export", "agenda", "--project", "carmen@example.pe", "-o", "out", "--fail-on", "never", "--policy", "mark")
        #expect(run.status == 0, "\(run.error)")
        let person = "(SELECT id FROM users WHERE email = 'carmen@example.pe')"
        let counts = try ask(office, "out", "print(len(c.walk('VEVENT')), len(c.walk('VTODO')), len({p['uid'] for p in c.walk() if 'uid' in p}))")
        let habits = try office.sql("SELECT count(*) FROM habits WHERE user_id = \(person) AND frequency <> 'custom'")
        let doses = try office.sql(
            "SELECT count(*) FROM medications, json_each(reminder_times) AS t WHERE user_id = \(person) AND frequency <> 'custom' AND t.key < times_per_day")
        let tasks = try office.sql("SELECT count(*) FROM tasks WHERE user_id = \(person)")
        let events = (Int(habits) ?? 0) + (Int(doses) ?? 0)
        #expect((Int(habits) ?? 0) > 3 && (Int(doses) ?? 0) > 2 && (Int(tasks) ?? 0) > 5)
        #expect(counts == "\(events) \(tasks) \(events + (Int(tasks) ?? 0))")
        #expect(try office.sql("SELECT rows FROM exports WHERE format = 'ics'") == String(events + (Int(tasks) ?? 0)))
        // The choir meets on Tuesdays and Thursdays, and the first time is one of these days.
        #expect(try ask(office, "out", "e = next(e for e in c.walk('VEVENT') if 'Coro' in e['summary'])\nprint(e['rrule'].to_ical().decode(), e['dtstart'].dt.isoweekday() in (2, 4), e['dtstart'].dt.tzinfo)") == "FREQ=WEEKLY;BYDAY=TU,TH True None")
        // Reminders come at the hour of the office, and only for what is still to be done.
        #expect(try ask(office, "out", "e = next(e for e in c.walk('VEVENT') if 'presión' in e['summary'])\nprint(e['dtstart'].dt.time(), e['rrule'].to_ical().decode(), e.walk('VALARM')[0]['trigger'].dt)") == "06:30:00 FREQ=DAILY 0:00:00")
        let open = try office.sql("SELECT count(*) FROM tasks WHERE user_id = \(person) AND completed_at IS NULL AND skipped_at IS NULL")
        #expect(try ask(office, "out", "print(sum(1 for t in c.walk('VTODO') if t['status'] == 'NEEDS-ACTION'), sum(1 for t in c.walk('VTODO') if t.walk('VALARM')))") == "\(open) \(open)")
        // The same again is the same file.
        let again = try office.run("export", "agenda", "--project", "carmen@example.pe", "-o", "out", "--fail-on", "never", "--policy", "mark", "--json")
        #expect(again.output.contains("unchanged"), "\(again.output)")
    }

    @Test func activitiesAreEventsWithTheirPlace() throws {
        let office = try Office(system: "yaquedamos")
        #expect(try office.run("export", "calendario", "-o", "out", "--fail-on", "never").status == 0)
        let files = try office.files("out").filter { $0.hasSuffix(".ics") }
        #expect(files.count == 2)
        for file in files {
            let project = try #require(file.split(separator: "/").first)
            let folder = "out/\(project)"
            let expected = try office.sql("SELECT count(*), count(ends_at) FROM activities AS a JOIN communities AS c ON c.id = a.community_id WHERE c.code = '\(project)'")
            #expect(try ask(office, folder, "e = c.walk('VEVENT')\nprint(len(e), sum(1 for x in e if 'dtend' in x), sep='|')") == expected)
            #expect(try ask(office, folder, "e = c.walk('VEVENT')\nprint(all(x['dtstart'].dt.tzinfo is not None and 'location' in x for x in e), any('attendee' in x or 'organizer' in x for x in e))") == "True False")
            let first = try office.sql("SELECT min(starts_at) FROM activities AS a JOIN communities AS c ON c.id = a.community_id WHERE c.code = '\(project)'")
            #expect(try ask(office, folder, "print(min(e['dtstart'].dt for e in c.walk('VEVENT')).strftime('%Y-%m-%dT%H:%M:%SZ'))") == first)
        }
    }

    /// A title with line breaks and properties of its own stays a title.
    @Test func aHostileTitleMakesNoEventOfItsOwn() throws {
        let office = try Office(system: "yaquedamos", set: "broken/texts")
        #expect(try office.run("export", "calendario", "-o", "out", "--fail-on", "never").status == 0)
        let title = #"Caminata\nBEGIN:VEVENT\nATTENDEE:mailto:nadie@example.co"#
        let count = try office.sql("SELECT count(*) FROM activities WHERE name LIKE 'Caminata' || char(10) || 'BEGIN:VEVENT%'")
        #expect(count == "1")
        var found = 0, events = 0
        for file in try office.files("out").filter({ $0.hasSuffix(".ics") }) {
            let text = try String(contentsOfFile: office.path("out/" + file), encoding: .utf8)
            #expect(text.split(separator: "\r\n").allSatisfy { !$0.hasPrefix("ATTENDEE") && $0.utf8.count <= 75 })
            found += text.replacing("\r\n ", with: "").components(separatedBy: "SUMMARY:" + title + "\r\n").count - 1
            let folder = "out/" + (file.split(separator: "/").first.map(String.init) ?? "")
            events += Int(try ask(office, folder, "print(len(c.walk('VEVENT')))")) ?? 0
        }
        #expect(found == 1)
        #expect(String(events) == (try office.sql("SELECT count(*) FROM activities")))
    }
}
