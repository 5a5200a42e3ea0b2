import Foundation
import Testing

/// The anonymised export of the shipped pack. Python opens all that came out and looks for whatever
/// leads to a person.
@Suite struct AnonymousExportTests {
    private static let everything = ["export", "anonimizado", "--format", "xlsx,csv,xml,json,sqlite", "--fail-on", "never"]

    /// The clock of the run, which every file names.
    private static let clock = String(Office.asOf.prefix(16))

    /// Prints the values of a replica that stand in some byte of what a folder holds: names,
    /// addresses, telephones, texts, every id, every instant to the minute, exact places. Members
    /// of archives are looked at, too.
    private static let search = """
        import json, pathlib, re, sqlite3, sys, zipfile
        replica, folder, own = sys.argv[1], sys.argv[2], sys.argv[3:]
        db = sqlite3.connect(replica)
        content = b''
        for path in sorted(pathlib.Path(folder).rglob('*')):
            if not path.is_file(): continue
            data = path.read_bytes()
            content += path.name.encode() + b'\\0' + data
            if zipfile.is_zipfile(path):
                with zipfile.ZipFile(path) as archive:
                    for name in archive.namelist(): content += archive.read(name) + b'\\0'
        assert len(content) > 20000, len(content)
        content = content.decode('utf-8', 'replace').lower()
        secrets = {}
        for table, in db.execute("SELECT name FROM sqlite_schema WHERE type = 'table' AND sql LIKE '%key_text%'").fetchall():
            columns = [row[1] for row in db.execute(f'PRAGMA table_info({table})')]
            for column in columns:
                for value, in db.execute(f'SELECT DISTINCT "{column}" FROM "{table}"').fetchall():
                    if isinstance(value, str):
                        for found in re.findall(r'[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}', value): secrets[found] = f'{table}.{column}'
                        if re.match(r'\\d{4}-\\d\\d-\\d\\dT\\d\\d:\\d\\d', value): secrets[value[:16]] = f'{table}.{column}'
                    if isinstance(value, float) and abs(value) > 1 and value != round(value, 3): secrets[repr(value)] = f'{table}.{column}'
        texts = {'users': 'full_name email phone bio profile_image home_place password_hash session_token push_token', 'posts': 'caption image_url',
                 'comments': 'comment_text', 'notifications': 'message', 'activities': 'name description place_name', 'community_reports': 'title description',
                 'profiles': 'email full_name phone'}
        for table, columns in texts.items():
            for column in columns.split():
                for value, in db.execute(f'SELECT DISTINCT {column} FROM {table} WHERE length({column}) >= 4').fetchall(): secrets[value] = f'{table}.{column}'
        print(len(secrets) > 3000, sorted({(place, value) for value, place in secrets.items() if value.lower() in content and value not in own})[:5])
        """

    @Test func nothingThatLeadsToAPersonSurvives() throws {
        let office = try Office(system: "yaquedamos")
        let run = try office.run(Self.everything + ["-o", "out"])
        #expect(run.status == 0, "\(run.error)")
        let found = try Reading.python(Self.search, office.replica, office.path("out"), Self.clock)
        #expect(found.output.trimmingCharacters(in: .newlines) == "True []", "\(found.output)\(found.error)")
        // The search finds what is there: the export of all tables has them.
        #expect(try office.run("export", "todo", "--format", "csv", "-o", "plain", "--fail-on", "never").status == 0)
        #expect(try !Reading.python(Self.search, office.replica, office.path("plain"), Self.clock).output.hasPrefix("True []"))
    }

    @Test func joinsHoldWithinOneRunAndTwoRunsHaveNothingInCommon() throws {
        let office = try Office(system: "yaquedamos")
        let script = """
            import csv, glob, json, sys
            def rows(folder, sheet):
                return [row for path in glob.glob(folder + '/*/*-' + sheet + '.csv') for row in csv.DictReader(open(path, newline='', encoding='utf-8'))]
            def column(folder, sheet, name): return {row[name] for row in rows(folder, sheet)}
            first, second = sys.argv[1:3]
            people = column(first, 'personas', 'id')
            print(len(people), len(people & column(first, 'asistencias', 'person')) > 0, len(people & column(first, 'votos', 'person')) > 0,
              len(people & column(second, 'personas', 'id')), len(column(second, 'personas', 'id')) == len(people),
              len(column(first, 'asistencias', 'person') & column(second, 'asistencias', 'person')))
            groups = {}
            for row in rows(first, 'asistencias'):
                groups.setdefault((row['category'], row['month'], row['latitude'], row['longitude']), set()).add(row['person'])
            print(min(map(len, groups.values())), len(rows(first, 'asistencias')), {len(row['month']) for row in rows(first, 'asistencias')})
            """
        for folder in ["one", "two"] {
            #expect(try office.run("export", "anonimizado", "--format", "csv", "-o", folder, "--fail-on", "never", "--again").status == 0)
        }
        let lines = try Reading.python(script, office.path("one"), office.path("two")).output.split(separator: "\n").map(String.init)
        try #require(lines.count == 2, "\(lines)")
        let facts = lines[0].split(separator: " ").map(String.init)
        #expect((Int(facts[0]) ?? 0) >= 5 && facts[1...] == ["True", "True", "0", "True", "0"], "\(lines[0])")
        // Whole rows were withheld, and no group is smaller than the pack says. Days are months.
        let groups = lines[1].split(separator: " ").map(String.init)
        #expect((Int(groups[0]) ?? 0) >= 5 && groups[2] == "{7}", "\(lines[1])")
        let all = try office.sql("SELECT count(*) FROM attendances")
        #expect((Int(groups[1]) ?? 0) > 0 && (Int(groups[1]) ?? 0) < (Int(all) ?? 0))
    }

    @Test func whatWasWithheldIsCountedOnTheCoverAndTold() throws {
        let office = try Office(system: "yaquedamos")
        let run = try office.run("export", "anonimizado", "--format", "json", "-o", "out", "--fail-on", "never", "--json")
        #expect(run.output.contains("EXPORT-SUPPRESSED"), "\(run.output)")
        let script = """
            import glob, json, re, sqlite3, sys
            left = shown = 0
            for path in glob.glob(sys.argv[1] + '/*/*.json'):
                document = json.load(open(path, encoding='utf-8'))
                left += sum(int(re.match(r'\\d+', line['value']).group()) for line in document['about']['lines'] if line['name'] == 'suppressed_asistencias')
                shown += sum(len(sheet['rows']) for sheet in document['sheets'] if sheet['name'] == 'asistencias')
                assert {sheet['name'] for sheet in document['sheets']} == {'personas', 'asistencias', 'votos', 'participacion'}
            print(left + shown == sqlite3.connect(sys.argv[2]).execute('SELECT count(*) FROM attendances').fetchone()[0], left > 0, shown > 0)
            """
        #expect(try Reading.python(script, office.path("out"), office.replica).output == "True True True\n")
    }

    @Test func aConditionIsRefused() throws {
        let office = try Office(system: "yaquedamos")
        let run = try office.run("export", "anonimizado", "--where", "score > 100", "-o", "out")
        #expect(run.status == 64 && run.error.contains("EXPORT-ANONYMOUS"), "\(run.error)")
        #expect(try office.files("out").isEmpty)
    }
}
