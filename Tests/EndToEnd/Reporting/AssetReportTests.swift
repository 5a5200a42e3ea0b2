import Foundation
import Testing

/// The reports of building assets as their readers get them. What pdftotext and openpyxl read must
/// agree with what sqlite3 and Python find in the replica.
@Suite struct AssetReportTests {
    static let names = [
        "computo", "controllo-foto", "inventario", "planimetria", "scheda-locale", "schede-tipo", "stato-rilievo", "variazioni",
    ]
    static let school = "Scuola primaria \"Il Faggio\" – Valdorsa"
    static let nursery = "Nido d'infanzia \"Il Pettirosso\" – rilievo preliminare"

    private static func file(
        _ report: String, _ format: String, of project: String = school, in office: Office, language: String = "it", _ options: [String] = []
    ) throws -> String {
        try office.document(report, format, of: project, language: language, options)
    }

    /// The lines of a report's pages, without the sign in front of a warning or an error.
    private static func lines(
        _ report: String, of project: String = school, in office: Office, language: String = "it", _ options: String...
    ) throws -> [String] {
        try office.lines(report, of: project, language: language, options).map { $0.hasPrefix("! ") || $0.hasPrefix("✗ ") ? String($0.dropFirst(2)) : $0 }
    }

    /// Writes a state into the replica that no command writes. A fault or a device may leave such a
    /// state behind.
    private static func change(_ sql: String, in office: Office) throws {
        let run = try ProgramRun.program("/usr/bin/sqlite3", ["-bail", office.replica, sql])
        guard run.status == 0 else { throw Office.Trouble(run) }
    }

    private static func rows(_ sql: String, in office: Office) throws -> [String] {
        try office.sql(sql).split(separator: "\n").map { String($0).replacing("|", with: " ") }
    }

    /// The tables of the school project, for queries with sqlite3.
    private static let own = """
        WITH l AS (SELECT * FROM levels WHERE project_id = (SELECT id FROM projects WHERE name LIKE 'Scuola%')),
        r AS (SELECT rooms.*, l.name AS level, l.number AS level_number FROM rooms JOIN l ON l.id = rooms.level_id),
        i AS (SELECT instances.*, r.level, r.level_number, types.name AS type, types.family_id, families.name AS family, json_array_length(photo_ids) AS n
          FROM instances JOIN r ON r.id = room_id JOIN types ON types.id = type_id JOIN families ON families.id = family_id)
        """

    // MARK: What there is

    @Test func anInventoryCountsAsSQLDoes() throws {
        let office = try Office.assets()
        let lines = try Self.lines("inventario", in: office)
        // A photo of two assets is one photo.
        let photos = "SELECT count(DISTINCT value) FROM i AS one, json_each(one.photo_ids) WHERE one.family_id = i.family_id"
        for family in try Self.rows(
            """
            \(Self.own) SELECT family, count(CASE level_number WHEN 0 THEN 1 END), count(CASE level_number WHEN 1 THEN 1 END),
              count(CASE level_number WHEN 2 THEN 1 END), count(*) FROM i GROUP BY family
            """, in: office) { #expect(lines.contains(family), "\(family)") }
        for family in try Self.rows("\(Self.own) SELECT family, count(DISTINCT type_id), count(DISTINCT room_id), count(*), (\(photos)) FROM i GROUP BY family_id", in: office) {
            #expect(lines.contains(family), "\(family)")
        }
        let types = try Self.rows(
            "\(Self.own) SELECT type, count(*), (\(photos.replacing("family_id", with: "type_id"))) FROM i GROUP BY type_id", in: office)
        #expect(types.count > 30)
        for type in types {
            let words = type.split(separator: " "), figures = " " + words.suffix(2).joined(separator: " ")
            #expect(lines.contains { $0.hasPrefix(words[0] + " ") && $0.hasSuffix(figures) }, "\(type)")
        }
        for level in try Self.rows("\(Self.own) SELECT level || ' (' || count(*) || ')' FROM i WHERE family = 'Doors' GROUP BY level", in: office) {
            #expect(lines.contains("Livello: Edificio A · \(level)"))
        }
    }

    /// The workbook has a sheet for each family. A sheet has each asset with its parameters, in the
    /// order of the schema, with labels and units in the language.
    @Test(arguments: ["it", "en"]) func aWorkbookHasASheetForEachFamily(language: String) throws {
        let office = try Office.assets()
        let read = try Reading.python(
            """
            import json, sqlite3, sys, warnings, openpyxl
            from collections import Counter
            warnings.simplefilter("error")
            book, db, language = openpyxl.load_workbook(sys.argv[1]), sqlite3.connect(sys.argv[2]), sys.argv[3]
            def text(schema, values, scope):
                parts = []
                for p in schema:
                    value = values.get(p["key"])
                    if p["scope"] != scope or value is None: continue
                    if p["type"] == "boolean": value = {"it": ("No", "Sì"), "en": ("No", "Yes")}[language][value]
                    elif p["type"] == "list": value = "; ".join(value)
                    elif p["type"] == "date" and language == "it": value = "/".join(reversed(value.split("-")))
                    elif isinstance(value, (int, float)):
                        value = repr(int(value) if value == int(value) else value)
                        if language == "it": value = value.replace(".", ",")
                    parts.append(p["label"][language] + ": " + value + (" " + p["unit"] if p.get("unit") else ""))
                return " · ".join(parts) or None
            families = 0
            for id, name, schema in db.execute("SELECT f.id, f.name, f.parameter_schema FROM families f JOIN projects p ON p.id = f.project_id WHERE p.name LIKE 'Scuola%'").fetchall():
                schema = json.loads(schema)
                wanted = Counter((t, text(schema, json.loads(tp), "type"), text(schema, json.loads(ip), "instance"), len(json.loads(ph)))
                    for t, tp, ip, ph in db.execute("SELECT t.name, t.parameters, i.parameters, i.photo_ids FROM instances i JOIN types t ON t.id = i.type_id WHERE t.family_id = ?", (id,)))
                sheet = book[name.replace("/", "-")] if name.replace("/", "-") in book.sheetnames else book[[s for s in book.sheetnames if s.split(" ")[0] == name.split("/")[0]][0]]
                found = Counter(tuple(r[:4]) for r in sheet.iter_rows(values_only=True) if isinstance(r[3], (int, float)))
                if found != wanted: print(name, list((wanted - found).items())[:2], list((found - wanted).items())[:2])
                families += 1
            print(families)
            """, try Self.file("inventario", "xlsx", in: office, language: language), office.replica, language)
        #expect(read.output == "8\n", "\(read.error)")
    }

    @Test func theLibraryTellsOfTypesThatAreLikelyOne() throws {
        let office = try Office.assets()
        try Self.change(
            """
            INSERT INTO types (id, family_id, name, parameters) SELECT '019fffff-0000-7000-8000-000000000001', family_id, 'Lumora 30W wall lights', parameters
            FROM types WHERE name = 'Lumora 30W wall light' AND family_id IN (SELECT family_id FROM types JOIN instances ON type_id = types.id GROUP BY 1 HAVING count(*) > 100)
            """, in: office)
        let lines = try Self.lines("schede-tipo", in: office)
        let assets = try office.sql("\(Self.own) SELECT count(*) FROM i WHERE type = 'Lumora 30W wall light'")
        // The names differ by one letter of 22. Each pair has a line of its own.
        #expect(lines.contains("Lighting Lumora 30W wall light \(assets) Lumora 30W wall lights 0 95 100"))
        #expect(lines.contains("Lighting 6 1 148 1 1 5"))
        #expect(lines.contains("Doors 5 0 52 0 1 4"))
        #expect(lines.contains { $0.hasPrefix("Porta aula 90 Produttore: Serramenti Dolo · Modello: LA-90") })
    }

    @Test func parametersAddUpAsInPython() throws {
        let office = try Office.assets()
        let lines = try Self.lines("computo", in: office)
        let sums = try Reading.python(
            """
            import json, sqlite3, sys
            from collections import defaultdict
            from decimal import Decimal, ROUND_HALF_UP
            db = sqlite3.connect(sys.argv[1])
            found, area = defaultdict(list), dict(db.execute("SELECT level_id, sum(area) FROM rooms GROUP BY 1"))
            for level, schema, tp, ip in db.execute('''SELECT r.level_id, f.parameter_schema, t.parameters, i.parameters FROM instances i JOIN types t ON t.id = i.type_id
                JOIN families f ON f.id = t.family_id JOIN rooms r ON r.id = i.room_id JOIN projects p ON p.id = f.project_id WHERE p.name LIKE 'Scuola%' '''):
                for p in json.loads(schema):
                    if p["type"] not in ("integer", "decimal"): continue
                    value = json.loads(tp if p["scope"] == "type" else ip).get(p["key"])
                    if value is not None: found[(level, schema, p["label"]["it"], p.get("unit"))].append(Decimal(str(value)))
            def number(d, places=None):
                if places is not None: d = d.quantize(Decimal(1).scaleb(-places), ROUND_HALF_UP)
                text = format(d, "f")
                if places is None and "." in text: text = text.rstrip("0").rstrip(".")
                return text.replace(".", ",")
            for (level, schema, label, unit), v in found.items():
                way = next(p["adds"] for p in json.loads(schema) if p["label"]["it"] == label)
                if way == "none":
                    print("!" + label)
                    continue
                parts = [label, unit, {"sum": "Somma", "mean": "Media"}[way], str(len(v)), number(sum(v)) if way == "sum" else "", number(sum(v) / len(v), 2), number(min(v)), number(max(v))]
                if unit and way == "sum": parts.append(number(sum(v) / Decimal(str(area[level])), 3))
                print(" ".join(p for p in parts if p))
            """, office.replica).output.split(separator: "\n").map(String.init)
        #expect(sums.count > 40 && sums.contains("!Indirizzo") && sums.contains { $0.contains("°C Media") })
        for sum in sums where !sum.hasPrefix("!") { #expect(lines.contains(sum), "\(sum)") }
        // What adds up to nothing is not listed.
        for none in sums where none.hasPrefix("!") { #expect(!lines.contains { $0.hasPrefix(none.dropFirst()) && $0.last?.isNumber == true }, "\(none)") }
        for level in try Self.rows("\(Self.own) SELECT level, replace(printf('%.2f', sum(area)), '.', ','), (SELECT count(*) FROM i WHERE i.level = r.level) FROM r GROUP BY level", in: office) {
            #expect(lines.contains("Subtotale Edificio A · \(level)"), "\(level)")
        }
    }

    // MARK: Where it is, and how far the survey is

    @Test func everyLevelHasItsPlanAndEveryRoomItsSheet() throws {
        let office = try Office.assets()
        let plans = try Self.file("planimetria", "pdf", in: office)
        #expect(try ProgramRun.program("/usr/bin/pdfinfo", [plans]).output.contains("Pages:           3\n"))
        for page in 1...3 {
            let text = try ProgramRun.program("/usr/bin/pdftotext", ["-f", "\(page)", "-l", "\(page)", plans, "-"]).output
            let lines = text.split(separator: "\n")
            for room in try Self.rows("\(Self.own) SELECT number FROM r WHERE level_number = \(page - 1)", in: office) {
                #expect(lines.contains { $0.contains(room) }, "room \(room)")
            }
            #expect(!lines.contains("\(page % 3)001"), "rooms of another level")
        }
        let lines = try Self.lines("planimetria", in: office)
        // A room whose state is `empty` counts as in progress if it has a note.
        for state in try Self.rows(
            """
            \(Self.own) SELECT 'Approvato', count(*), replace(printf('%.2f', sum(area)), '.', ','), (SELECT count(*) FROM i WHERE level = r.level AND room_id IN
              (SELECT id FROM rooms WHERE lifecycle_state = 'Approved')) FROM r WHERE lifecycle_state = 'Approved' GROUP BY level
            UNION ALL
            SELECT 'In corso', count(*), replace(printf('%.2f', sum(area)), '.', ','), 0 FROM r
            WHERE lifecycle_state = 'Empty' AND id IN (SELECT room_id FROM room_notes) GROUP BY level
            """, in: office) { #expect(lines.contains(state), "\(state)") }

        let sheets = try Self.file("scheda-locale", "pdf", in: office)
        let outline = try ProgramRun.program("/usr/bin/pdftotext", ["-layout", sheets, "-"]).output
        for room in try Self.rows("\(Self.own) SELECT number || ' · ' || name FROM r", in: office) { #expect(outline.contains(room), "\(room)") }
        let photos = try office.sql(
            """
            \(Self.own) SELECT count(*) FROM (SELECT DISTINCT room_id, value FROM i, json_each(photo_ids) UNION SELECT room_id, value FROM room_notes JOIN r ON r.id = room_id, json_each(photos)
              UNION SELECT room_id, main_photo FROM room_notes JOIN r ON r.id = room_id) JOIN photos ON photos.id = value WHERE filepath IS NOT NULL
            """)
        let pictures = try ProgramRun.program("/usr/bin/pdfimages", ["-list", sheets]).output.split(separator: "\n").count { $0.contains(" image ") }
        #expect(Int(photos) == pictures && pictures > 20)
    }

    /// The numbers beside the marks are those of the list, and so are those of the photos.
    @Test func marksAndPhotosHaveTheNumbersOfTheList() throws {
        let office = try Office.assets()
        try Self.change(
            """
            UPDATE instances SET plan_point = '[400, 400]' WHERE id = (SELECT min(id) FROM instances WHERE room_id IN (SELECT id FROM rooms WHERE number = '0009' AND level_id IN \(Self.levels)));
            UPDATE rooms SET polygon = NULL WHERE number = '0010' AND level_id IN \(Self.levels);
            """, in: office)
        let plan = try Self.lines("planimetria", in: office)
        #expect(plan.contains { $0.hasPrefix("Non disegnati, perché senza contorno: 0010 · Cucina · 49,60 m²") })
        #expect(plan.contains { $0.contains("Fuori dal disegno") && $0.contains("0009/") })
        let sheets = try Self.lines("scheda-locale", in: office)
        let room = sheets.drop { $0 != "0009 · Mensa" }.prefix { !$0.hasPrefix("0010 ·") }
        #expect(room.contains { $0.hasPrefix("Fuori dal disegno: ") })
        for count in try Self.rows("\(Self.own) SELECT DISTINCT count(*) FROM i JOIN rooms ON rooms.id = room_id WHERE rooms.number = '0008' AND level_number = 0", in: office) {
            #expect(sheets.contains { $0.hasPrefix(count + " ") })
        }
        // Nine photos of which two are here, and these are the ones with a number.
        let atrium = sheets.drop { $0 != "0001 · Atrio" }.prefix { !$0.hasPrefix("0002 ·") }
        #expect(atrium.contains { $0.contains("9, di cui 2 mostrate qui") } && atrium.contains("Foto: 2 di 9"))
        let words = atrium.joined(separator: " ")
        #expect(words.contains("Foto 1 · ") && words.contains("Foto 2 · ") && !words.contains("Foto 3 · "))
    }

    private static let levels = "(SELECT id FROM levels WHERE project_id = (SELECT id FROM projects WHERE name LIKE 'Scuola%'))"

    @Test func theStatusTellsWhereNobodyHasBeen() throws {
        let office = try Office.assets()
        var lines = try Self.lines("stato-rilievo", in: office)
        for level in try Self.rows(
            """
            \(Self.own) SELECT 'Edificio A · ' || level, count(*), sum(lifecycle_state = 'Empty' AND id NOT IN (SELECT room_id FROM i) AND id NOT IN (SELECT room_id FROM room_notes)),
              sum(lifecycle_state = 'Empty' AND (id IN (SELECT room_id FROM i) OR id IN (SELECT room_id FROM room_notes))), sum(lifecycle_state = 'Complete'), sum(lifecycle_state = 'Approved'),
              replace(printf('%.1f', 100.0 * sum(lifecycle_state != 'Empty') / count(*)), '.', ','), replace(printf('%.2f', sum(area)), '.', ','), (SELECT count(*) FROM i WHERE i.level = r.level)
            FROM r GROUP BY level
            """, in: office) { #expect(lines.contains(level), "\(level)") }
        #expect(lines.contains("Ogni locale ha un elemento o una nota."))
        #expect(lines.contains { $0.contains("0005 Archivio") && $0.contains("Porta chiusa a chiave") })
        try Self.change("DELETE FROM room_notes WHERE description LIKE 'Porta chiusa%'", in: office)
        lines = try Self.lines("stato-rilievo", in: office)
        #expect(!lines.contains("Ogni locale ha un elemento o una nota."))
        #expect(lines.contains("0005 Archivio 11,52 Vuoto"))
        #expect(!lines.contains { $0.contains("Porta chiusa") })
    }

    @Test func anInventoryBearsTheNumbersThatAnExportGave() throws {
        let office = try Office.assets()
        #expect(try !Self.lines("inventario", in: office).contains { $0.contains("N. elemento") })
        #expect(try office.run("export", "assets", "--project", Self.school, "--format", "csv", "-o", "exports", "--fail-on", "never").status == 0)
        let given = try Self.rows("\(Self.own) SELECT number, type FROM i JOIN export_numbers ON row_id = i.id WHERE family = 'Split units'", in: office)
        #expect(given.count == 14)
        let read = try Reading.python(
            """
            import sys, openpyxl
            sheet = openpyxl.load_workbook(sys.argv[1])["Split units"]
            for row in sheet.iter_rows(values_only=True):
                if isinstance(row[0], (int, float)): print(int(row[0]), row[1])
            """, try Self.file("inventario", "xlsx", in: office))
        #expect(read.output.split(separator: "\n").map(String.init).sorted() == given.sorted(), "\(read.error)")
    }

    // MARK: What to look after

    @Test func photosAreHeldAgainstTheirFamilies() throws {
        let office = try Office.assets()
        var lines = try Self.lines("controllo-foto", in: office)
        for told in ["Ogni elemento ha il numero di foto richiesto.", "Ogni foto indicata è registrata.", "Nessuna foto inutilizzata."] { #expect(lines.contains(told)) }
        let shared = try Self.rows(
            "\(Self.own) SELECT filename, count(DISTINCT i.id) AS times FROM i, json_each(photo_ids) JOIN photos ON photos.id = value GROUP BY value HAVING times > 1", in: office)
        #expect(shared.count > 10)
        for photo in shared { #expect(lines.contains { $0.hasPrefix(photo + " ") }, "\(photo)") }
        // One asset loses its photos, one names an unknown photo, and the upload of one photo
        // failed.
        let (first, second) = (
            """
            (SELECT min(id) FROM instances AS i WHERE json_array_length(photo_ids) = 1
              AND (SELECT count(*) FROM instances AS o, json_each(o.photo_ids) WHERE value = i.photo_ids ->> 0) = 1)
            """,
            "(SELECT max(id) FROM instances WHERE json_array_length(photo_ids) = 2 AND room_id IN (SELECT rooms.id FROM rooms JOIN levels ON levels.id = level_id WHERE building_name = 'Edificio A'))"
        )
        let lost = try office.sql("SELECT filename FROM photos WHERE id = (SELECT photo_ids ->> 0 FROM instances WHERE id = \(first))")
        try Self.change(
            """
            UPDATE instances SET photo_ids = json_insert(photo_ids, '$[#]', '019fffff-0000-7000-8000-00000000dead') WHERE id = \(second);
            UPDATE photos SET upload_status = 'Failed' WHERE filename = '\(lost)';
            UPDATE instances SET photo_ids = '[]' WHERE id = \(first);
            """, in: office)
        lines = try Self.lines("controllo-foto", in: office)
        #expect(lines.contains { $0.hasPrefix("019fffff-0000-7000-8000-00000000dead Edificio A · ") })
        #expect(lines.count { $0.hasPrefix(lost + " Non riuscita") } == 2, "failed, and used by nothing")
        for family in try Self.rows(
            """
            \(Self.own) SELECT family, f.photo_min, f.photo_max, count(*), sum(n), sum(n = 0), sum(n < f.photo_min), sum(n > f.photo_max)
            FROM i JOIN types t ON t.id = i.type_id JOIN families f ON f.id = t.family_id GROUP BY family
            """, in: office) { #expect(lines.contains(family), "\(family)") }
        let nursery = try Self.lines("controllo-foto", of: Self.nursery, in: office)
        for state in try Self.rows("SELECT CASE upload_status WHEN 'Failed' THEN 'Non riuscita' WHEN 'Pending' THEN 'In attesa' ELSE 'In caricamento' END, count(*) FROM photos WHERE upload_status != 'Completed' AND project_id = (SELECT id FROM projects WHERE state = 'Draft') GROUP BY 1", in: office) {
            #expect(nursery.contains { $0.hasPrefix(state + " ") }, "\(state)")
        }
    }

    @Test func changesAreReportedSinceTheLastExport() throws {
        let office = try Office.assets()
        let never = try Self.lines("variazioni", in: office)
        #expect(never.count { $0.contains("non sono ancora stati esportati") } == 2 && !never.contains { $0.contains("Evento") })
        #expect(try office.run("export", "rooms", "--project", Self.school, "--format", "csv", "-o", "exports", "--fail-on", "never", "--as-of", "2026-03-13T00:00:00Z").status == 0)
        let nothing = try Self.lines("variazioni", in: office, "--as-of", "2026-03-14T12:00:00Z")
        #expect(nothing.contains("Nessuna variazione dall’ultima esportazione."))
        let events = try Self.rows(
            """
            SELECT count(*) FROM events WHERE timestamp > '2026-03-13T00:00:00Z' AND type NOT LIKE 'Photo%'
              AND project_id = (SELECT id FROM projects WHERE name LIKE 'Scuola%')
            """, in: office)
        #expect(nothing.count { $0.contains("/03/2026 ") && ($0.contains("creat") || $0.contains("modificat") || $0.contains("eliminato") || $0.contains("cambiato")) } == Int(events[0]))
        #expect(nothing.contains { $0.contains("Elemento eliminato") && $0.contains("registrato due volte") })

        // What was removed has the name that its events know, or the end of its id; never an id.
        #expect(!nothing.contains { $0.contains(/[0-9a-f]{8}-[0-9a-f]{4}-7/) }, "\(nothing)")

        let old = try office.sql("\(Self.own) SELECT id, (SELECT family_id FROM types WHERE types.id = type_id) FROM i WHERE family = 'Doors' LIMIT 1").split(separator: "|")
        let type = try office.sql("SELECT type_id FROM instances WHERE id = '\(old[0])'")
        // The state `local_only` avoids a conflict with the server's row.
        try Self.change("UPDATE types SET sync_state = 'local_only' WHERE id = '\(type)'", in: office)
        try """
            {"id":"\(type)","name":"Porta di prova"}
            {"id":"019fffff-0000-7000-8000-000000000001","family_id":"\(old[1])","name":"Porta nuova","parameters":{"manufacturer":"Dolo","model":"X1","rating":"EI 30","width":90,"leaves":1}}

            """.write(toFile: office.path("types.ndjson"), atomically: true, encoding: .utf8)
        let brought = try office.run(
            "import", "types.ndjson", "--policy", "update", "--reason", "prova", "--fail-on", "never", "--as-of", "2026-03-20T09:00:00Z", "--actor", Office.administrator)
        #expect(brought.status == 0, "\(brought.output)\(brought.error)")
        let lines = try Self.lines("variazioni", in: office, "--as-of", "2026-03-21T12:00:00Z")
        #expect(lines.contains("Variazione: Creato") && lines.contains { $0.hasPrefix("Tipologia Porta nuova ") && $0.hasSuffix("20/03/2026 10:00") })
        #expect(lines.contains("Variazione: Modificato") && lines.contains { $0.hasPrefix("Tipologia Porta di prova ") && $0.hasSuffix("20/03/2026 10:00") })
        #expect(lines.contains("Tipologia 1 1 2"))

        // Removed in the log, and nothing else knows its name.
        try Self.change(
            """
            INSERT INTO activity_logs (id, project_id, entity_type, entity_id, action, created_at)
            SELECT '019fffff-0000-7000-8000-00000000aaaa', id, 'instances', '019fffff-0000-7000-8000-0000005ee5ee', 'instance_deleted', '2026-03-20T10:00:00Z' FROM projects WHERE name LIKE 'Scuola%'
            """, in: office)
        let removed = try Self.lines("variazioni", in: office, "--as-of", "2026-03-21T12:00:00Z")
        #expect(removed.contains("Variazione: Eliminato") && removed.contains { $0.contains("…5ee5ee") } && !removed.contains { $0.contains("019fffff") }, "\(removed)")
    }

    // MARK: All of them

    @Test(arguments: names) func everyLanguageAndFormatAndTheSameBytes(_ name: String) throws {
        let office = try Office.assets()
        for language in ["es", "en"] {
            let lines = try Self.lines(name, of: Self.nursery, in: office, language: language)
            #expect(lines.count > 4)
            #expect(!lines.contains { $0.contains("{") || $0.contains("report.") || $0.contains("vocabulary.") })
        }
        for format in ["pdf", "xlsx"] where name != "variazioni" {
            // Of another run, and of another replica with the same rows.
            let first = try Self.file(name, format, of: Self.nursery, in: office)
            let run = try office.run("report", name, "--project", Self.nursery, "--format", format, "-o", format, "--lang", "it")
            #expect(run.status == 0, "\(run.error)")
            let second = try #require(office.files(format).first)
            #expect(FileManager.default.contentsEqual(atPath: first, andPath: office.path(format + "/" + second)), "\(format)")
        }
    }

    /// A survey in the form of the app's own files. It has raw coordinates, no boundary and no
    /// assets.
    @Test func aPlanOfTheAppsFolderLiesOverItsDrawing() throws {
        let office = try Office(system: "anagrafica", set: nil)
        try office.bringIn("app-folder", "--join")
        let project = try office.sql("SELECT name FROM projects")
        for name in Self.names {
            // There are no assets yet, but the plan is drawn.
            let text = try Self.lines(name, of: project, in: office, "--actor", Office.administrator, "--allow-empty")
            #expect(!text.isEmpty, "\(name)")
            if name == "planimetria" { #expect(text.contains("P1") && text.contains { $0.contains("0001") } && text.contains { $0.contains("Soggiorno") }) }
        }
    }

    @Test func theJobMakesThreeReports() throws {
        let office = try Office.assets()
        let run = try office.run("run", "rapporti", "-o", "out")
        #expect(run.status == 0, "\(run.error)")
        let files = try office.files("out").map { $0.split(separator: "/").last ?? "" }
        for wanted in ["inventario-2025-12-01-v1.pdf", "inventario-2025-12-01-v1.xlsx", "planimetria-2025-12-01-v1.pdf", "stato-rilievo-2025-12-01-v1.xlsx"] {
            #expect(files.count { $0 == wanted } == 2, "\(wanted)")
        }
        #expect(files.count == 10)
    }
}
