import Foundation
import Testing
import Workbench

/// `fichero init --from`: a first pack of a system that nobody has described stands at once, and
/// takes in the source that it was written from.
@Suite struct DraftTests {
    private let place: TemporaryFolder

    init() throws { place = try TemporaryFolder() }

    private func fichero(_ arguments: String..., environment: [String: String] = [:]) throws -> ProgramRun {
        let own = ["FICHERO_ACTOR": "a@example.org", "FICHERO_REPLICA": place.file("r.db"), "FICHERO_TEMPLATES": FileManager.default.fileExists(atPath: place.file("T")) && arguments.first != "init" ? place.file("T") : ProgramRun.root + "/Templates", "FICHERO_LANG": "en"]
        return try ProgramRun.fichero(arguments + ["--as-of", Office.asOf], in: place.path, environment: own.merging(environment) { $1 })
    }

    private func draft(_ source: String, _ name: String, environment: [String: String] = [:]) throws {
        let run = try fichero("init", "--from", source, "--pack", name, "-o", "T", environment: environment)
        try #require(run.status == 0, "\(run.output)\(run.error)")
        let checked = try fichero("doctor", "--pack", place.file("T/" + name))
        #expect(checked.status == 0, "\(checked.output)\(checked.error)")
    }

    private func text(_ path: String) throws -> String { try String(contentsOfFile: place.file("T/" + path), encoding: .utf8) }

    /// A replica of the drafted pack, with one project where the source names none.
    private func replica(_ name: String, project: String?) throws {
        #expect(try fichero("init", "--templates", "T", "--pack", name, "--admin", "a@example.org").status == 0)
        if let project { #expect(try fichero("add", "projects", "--set", "code=" + project, "--set", "name=Trial").status == 0) }
    }

    private struct Report: Decodable {
        struct Line: Decodable {
            struct Counts: Decodable { var imported = 0, rejected = 0 }
            var entity: String, counts: Counts
        }
        struct Result: Decodable { var lines: [Line] }
        var report: Result
    }

    private func bringIn(_ file: String, _ options: String...) throws -> [String: Int] {
        let run = try ProgramRun.fichero(["import", file, "--json"] + options, in: place.path, environment: [
            "FICHERO_ACTOR": "a@example.org", "FICHERO_REPLICA": place.file("r.db"), "FICHERO_TEMPLATES": place.file("T"), "FICHERO_LANG": "en",
        ])
        let reports = try #require(try? JSONDecoder().decode([Report].self, from: Data(run.output.utf8)), "\(run.output)\(run.error)")
        let lines = reports.flatMap(\.report.lines)
        #expect(lines.allSatisfy { $0.counts.rejected == 0 }, "\(run.output)")
        return Dictionary(lines.map { ($0.entity, $0.counts.imported) }) { $0 + $1 }
    }

    // MARK: Forms

    private static let form = """
        import openpyxl, sys
        book = openpyxl.Workbook()
        survey = book.active
        survey.title = 'survey'
        heads = ['type', 'name', 'label::English (en)', 'label::Español (es)', 'required', 'relevant', 'constraint', 'constraint_message::Español (es)', 'calculation', 'parameters']
        rows = [
            ['start', 'start'], ['today', 'today'], ['begin group', 'site', 'Site', 'Sitio'],
            ['text', 'code', 'Code', 'Código', 'yes', None, "regex(., '[A-Z]{2}-[0-9]+')"],
            ['select one from kind', 'kind', 'Kind', 'Tipo', 'yes'], ['text', 'which', 'Which one?', '¿Cuál?', 'yes', "${kind} = 'other'"],
            ['geopoint', 'position', 'Position', 'Posición', 'yes'], ['end group'],
            ['integer', 'people', 'People', 'Personas', 'yes', None, '. >= 0 and . <= 20000'],
            ['decimal', 'depth', 'Depth', 'Profundidad', None, "${kind} != 'spring'", '. > 0 and . < 200'],
            ['decimal', 'water', 'Water', 'Agua', None, '${depth} > 0', '. <= ${depth}', 'El agua no está bajo el fondo'],
            ['select_multiple problems', 'problems', 'Problems', 'Problemas'], ['image', 'photo', 'Photo', 'Foto'],
            ['begin repeat', 'visit', 'Visit', 'Visita'], ['date', 'day', 'Day', 'Día', 'yes', None, '. <= today()'], ['text', 'remark', 'Remark', 'Observación'],
            ['image', 'visit_photo', 'Photo of it', 'Foto'], ['begin repeat', 'part', 'Part', 'Pieza'], ['text', 'piece', 'Piece', 'Pieza'], ['end repeat'], ['end repeat'],
            ['note', 'thanks', 'Thanks', 'Gracias'], ['calculate', 'score', None, None, None, None, None, None, '${people} * 2'],
            ['select_one kind or_other', 'second', 'Second kind', 'Segundo tipo'], ['range', 'rating', 'Rating', 'Valoración', None, None, None, None, None, 'start=1 end=5 step=1'],
            ['time', 'hour', 'Hour', 'Hora'], ['acknowledge', 'agreed', 'I agree', 'De acuerdo'], ['text', 'odd', 'Odd', 'Raro', None, None, 'count(${visit}) > 1'],
        ]
        for row in [heads] + rows: survey.append(row)
        choices = book.create_sheet('choices')
        for row in [['list_name', 'name', 'label::English (en)', 'label::Español (es)'], ['kind', 'well', 'Well', 'Pozo'], ['kind', 'spring', 'Spring', 'Manantial'],
            ['kind', 'other', 'Other', 'Otro'], ['problems', 'dry', 'Dry', 'Seco'], ['problems', 1, 'One', 'Uno']]: choices.append(row)
        settings = book.create_sheet('settings')
        for row in [['form_title', 'form_id', 'default_language'], ['Puntos de agua', 'water_points', 'Español (es)']]: settings.append(row)
        book.save(sys.argv[1])
        """

    private static let submissions = [
        #"{"_id": 1, "_uuid": "7f0e5d3c-2b1a-4978-8796-a5b4c3d2e1f0", "_submission_time": "2025-05-14T21:00:00", "start": "2025-05-14T16:31:00.000-05:00", "today": "2025-05-14", "site/code": "WP-1", "site/kind": "well", "site/position": "-12.5 -75.2 3200.5 4.0", "people": "120", "depth": "12.5", "water": "13", "problems": "dry 1", "visit": [{"visit/day": "2025-05-01", "visit/remark": "ok"}, {"visit/day": "2025-05-09"}], "score": "240", "second": "well", "rating": "4", "hour": "10:30:00.000-05:00", "agreed": "OK"}"#,
        #"{"_id": 2, "_uuid": "8f0e5d3c-2b1a-4978-8796-a5b4c3d2e1f0", "_submission_time": "2025-05-15T21:00:00", "site/code": "WP-2", "site/kind": "other", "site/position": "-12.6 -75.3 3100 4.0", "people": "80", "visit": [{"visit/day": "2025-05-02"}]}"#,
    ].joined(separator: "\n") + "\n"

    @Test func aFormIsReadAsPyxformReadsIt() throws {
        #expect(try OtherProgram.python(Self.form, place.file("form.xlsx")) == "")
        try draft("form.xlsx", "agua")
        let compared = try OtherProgram.run(ProgramRun.root + "/.build-tools/pyxform/bin/python", [ProgramRun.root + "/Scripts/compare_form.py", place.file("form.xlsx"), place.file("T/agua")])
        #expect(compared.text == "questions: 22\n", "\(compared.text)")
        let entity = try text("agua/entities/water_points.yaml")
        #expect(entity.contains(#"{name: people, type: integer, required: true, min: 0, max: 20000}"#))
        #expect(entity.contains(#"requiredWhen: "kind = 'other'""#))
        #expect(entity.contains("# A check that could not be said here; write it as a rule: count(${visit}) > 1\n  - {name: odd"), "\(entity)")
        #expect(try text("agua/rules/checks.yaml").contains(#"require: "water <= depth""#))
        #expect(try text("agua/texts/es.yaml").contains("rule.WATER-CHECK.message: '{key}: El agua no está bajo el fondo (Agua: {water}, Profundidad: {depth})'"))
        #expect(try text("agua/texts/en.yaml").contains("field.water_points.which: 'Which one?'"))
        #expect(try text("agua/entities/part.yaml").contains("no mapping reads them"))
    }

    @Test func submissionsOfTheFormComeInAndAreJudged() throws {
        #expect(try OtherProgram.python(Self.form, place.file("form.xlsx")) == "")
        try draft("form.xlsx", "agua")
        try replica("agua", project: "P1")
        try place.write(Array(Self.submissions.utf8), to: "sent.jsonl")
        #expect(try bringIn("sent.jsonl", "--mapping", "agua", "--project", "P1", "--fail-on", "never") == ["water_points": 2, "visit": 3, "water_points_photos": 0, "visit_photos": 0])
        let found = try fichero("validate", "--json")
        #expect(found.output.contains("WATER-CHECK") && found.output.contains("REQUIRED") && !found.output.contains("FIELD-TYPE"), "\(found.output)")
        let rows = try fichero("query", "SELECT code, problems, position_latitude, hour, agreed FROM water_points ORDER BY code", "--format", "csv")
        #expect(rows.output.contains("WP-1") && rows.output.contains("dry") && rows.output.contains("-12.5") && rows.output.contains("10:30"), "\(rows.output)\(rows.error)")
        for command in [["export", "water-points", "--format", "xlsx,csv"], ["report", "water-points-report", "--format", "pdf,xlsx"]] {
            let made = try ProgramRun.fichero(command + ["-o", "out", "--policy", "mark", "--fail-on", "never"], in: place.path, environment: [
                "FICHERO_ACTOR": "a@example.org", "FICHERO_REPLICA": place.file("r.db"), "FICHERO_TEMPLATES": place.file("T"),
            ])
            #expect(made.status == 0, "\(made.output)\(made.error)")
        }
    }

    // MARK: Schemas

    private static let schema = """
        CREATE TYPE state AS ENUM ('good', 'poor', 'broken');
        CREATE TABLE sites (id uuid PRIMARY KEY, code text NOT NULL UNIQUE, name text NOT NULL);
        CREATE TABLE species (id integer PRIMARY KEY, latin varchar(80) NOT NULL UNIQUE, native boolean);
        CREATE TABLE trees (id integer PRIMARY KEY, site_id uuid NOT NULL REFERENCES sites ON DELETE CASCADE, species_id integer REFERENCES species(id), tag varchar(12) NOT NULL,
          height_m numeric(5,2) CHECK (height_m > 0 AND height_m <= 120), girth_cm numeric(6,1), state state NOT NULL, kind text CHECK (kind IN ('street', 'park')), planted date,
          seen timestamp, email text CHECK (email ~ '@'), parent_id integer REFERENCES trees(id), CHECK (girth_cm IS NULL OR girth_cm >= height_m), UNIQUE (site_id, tag));
        CREATE TABLE inspections (id integer PRIMARY KEY, tree_id integer NOT NULL REFERENCES trees(id) ON DELETE CASCADE, day date NOT NULL, notes text, picture bytea, tags text[]);
        CREATE TABLE wounds (id integer PRIMARY KEY, inspection_id integer NOT NULL REFERENCES inspections(id) ON DELETE CASCADE, place text NOT NULL, width_cm numeric(5,1));
        COMMENT ON TABLE trees IS 'Árboles';
        COMMENT ON COLUMN trees.girth_cm IS 'Perímetro';
        """

    @Test func aSchemaBecomesTablesReferencesAndChecks() throws {
        try place.write(Array(Self.schema.utf8), to: "schema.sql")
        try draft("schema.sql", "trees")
        let trees = try text("trees/entities/trees.yaml")
        for line in [
            "project: site_id", "{name: original_id, type: integer, required: true, synonyms: [id]}", "{name: site_id, type: uuid, required: true, references: sites, deletesWithParent: true}",
            "{name: tag, type: text, required: true, maxLength: 12}", "vocabulary: trees_kind}", "max: 120, decimals: 2}", "{name: seen, type: datetime}", "{name: parent_id, type: uuid, references: trees",
        ] { #expect(trees.contains(line), "\(line) in \(trees)") }
        #expect(try text("trees/vocabularies/state.yaml").contains("- poor"))
        #expect(try text("trees/rules/checks.yaml").contains(#"require: "girth_cm is null or girth_cm >= height_m""#))
        #expect(try text("trees/texts/en.yaml").contains("field.trees.girth_cm: 'Perímetro'"))
        #expect(try text("trees/entities/inspections.yaml").contains("picture holds bytes and was left out"))
        #expect(try text("trees/pack.yaml").contains("project: {entity: sites, code: code, name: name}"))
        // Parts of parts are parts of the record, and shown with it.
        #expect(try text("trees/pack.yaml").contains("      - {entity: inspections, by: tree_id}\n      - {entity: wounds, by: inspection_id.tree_id}\n"))
        #expect(try text("trees/reports/trees-report/report.yaml").contains("of: {inspection_id.tree_id: id}"))
        #expect(try text("trees/exports/trees.yaml").contains("sheet: wounds"))
    }

    /// The server writes its own statements; they give the same pack as those that made it.
    @Test func aServerGivesTheSamePackAsItsStatements() throws {
        let server = try PostgresServer.shared.get()
        let database = try server.makeDatabase()
        let loaded = try server.run(Self.schema, in: database)
        try #require(loaded.status == 0, "\(loaded.text)")
        try place.write(Array(Self.schema.utf8), to: "schema.sql")
        try draft("schema.sql", "trees")
        let first = try FileManager.default.subpathsOfDirectory(atPath: place.file("T/trees")).sorted()
        let texts = try first.filter { $0.hasSuffix(".yaml") }.map { try text("trees/" + $0) }
        try FileManager.default.removeItem(atPath: place.file("T"))
        let host = try #require(server.host.addingPercentEncoding(withAllowedCharacters: .alphanumerics))
        try draft("postgresql://\(server.user)@\(host)/\(database)", "trees")
        let again = try first.filter { $0.hasSuffix(".yaml") }.map { try text("trees/" + $0) }
        func plain(_ text: String) -> String { text.replacing(database, with: "schema.sql") }
        #expect(zip(first.filter { $0.hasSuffix(".yaml") }, zip(texts, again.map(plain))).filter { $1.0 != $1.1 }.map { "\($0)\n\($1.0)\n\($1.1)" } == [])
    }

    @Test func anAddressWithAPasswordIsRefused() throws {
        let run = try fichero("init", "--from", "postgresql://me:secret@host/db", "--pack", "x")
        #expect(run.status == 64 && run.error.contains("DATABASE-ADDRESS") && !run.error.contains("secret"), "\(run.error)")
    }

    private static let database = """
        import sqlite3, sys
        d = sqlite3.connect(sys.argv[1])
        d.executescript('''
        CREATE TABLE customers (id INTEGER PRIMARY KEY AUTOINCREMENT, name TEXT NOT NULL, phone TEXT, created_at DATETIME);
        CREATE TABLE orders (id INTEGER PRIMARY KEY, customer_id INTEGER NOT NULL REFERENCES customers(id) ON DELETE CASCADE, number TEXT UNIQUE NOT NULL, ordered TEXT, total REAL CHECK(total >= 0),
          status TEXT CHECK(status in ('new', 'sent')));
        CREATE TABLE "order lines" (id INTEGER PRIMARY KEY, order_id INTEGER NOT NULL REFERENCES orders(id) ON DELETE CASCADE, product TEXT NOT NULL, quantity INTEGER NOT NULL DEFAULT 1, previous INTEGER REFERENCES "order lines"(id));
        CREATE TABLE android_metadata (locale TEXT);
        CREATE TRIGGER t AFTER INSERT ON orders BEGIN SELECT 1; END;
        ''')
        for i in range(1, 6):
            d.execute('INSERT INTO customers VALUES (?,?,?,?)', (i, f'Customer {i}', f'09990{i}', 1700000000 + i))
            for j in range(1, 4):
                n = i * 10 + j
                d.execute('INSERT INTO orders VALUES (?,?,?,?,?,?)', (n, i, f'P-{n}', f'2025-03-{j:02d}T10:00:00', n * 1.5, 'new'))
                for k in range(1, 3): d.execute('INSERT INTO "order lines" VALUES (?,?,?,?,?)', (n * 10 + k, n, f'Product {k}', k, n * 10 + 1 if k == 2 else None))
        d.commit()
        """

    @Test func anSQLiteFileComesInWithItsReferences() throws {
        #expect(try OtherProgram.python(Self.database, place.file("app.db")) == "")
        try draft("app.db", "shop")
        #expect(try text("shop/pack.yaml").contains("Left out: android_metadata."))
        #expect(try text("shop/entities/customers.yaml").contains("{name: created_at, type: datetime}"))
        try replica("shop", project: "P1")
        #expect(try bringIn("app.db", "--mapping", "shop", "--project", "P1") == ["customers": 5, "orders": 15, "order_lines": 30])
        let found = try fichero("validate")
        #expect(found.status == 0 && found.output.contains("No findings"), "\(found.output)")
        let joined = try fichero("query", "SELECT count(*) AS n FROM order_lines l JOIN orders o ON o.id = l.order_id JOIN customers c ON c.id = o.customer_id WHERE l.original_id / 100 = c.original_id AND o.ordered LIKE '2025-03%' AND c.created_at LIKE '2023-11-14%'", "--format", "csv")
        #expect(joined.output.contains("30"), "\(joined.output)\(joined.error)")
        #expect(try fichero("query", "SELECT count(*) AS n FROM order_lines l JOIN order_lines p ON p.id = l.previous WHERE p.original_id = l.original_id - 1", "--format", "csv").output.contains("15"))
        #expect(try bringIn("app.db", "--mapping", "shop", "--project", "P1") == ["customers": 0, "orders": 0, "order_lines": 0], "nothing is doubled")
    }

    // MARK: Workbooks

    private static let workbook = """
        import datetime, openpyxl, sys
        book = openpyxl.Workbook()
        wells = book.active
        wells.title = 'Pozos'
        wells.append(['Proyecto', 'Código', 'Comunidad', 'Profundidad (m)', 'Fecha', 'Estado', 'Teléfono', 'Vacía'])
        for i in range(30):
            wells.append(['AGUA-1' if i < 20 else 'AGUA-2', f'PZ-{i:03d}', f'Comunidad {i}', f'{10 + i * 0.35:.2f}'.replace('.', ','), f'{1 + i % 28:02d}/05/2024', ['Bueno', 'Malo', 'Está seco'][i % 3], '0519912345', None])
        visits = book.create_sheet('Visitas')
        visits.append(['Código', 'Fecha de visita', 'Caudal (l/s)', 'Observación', 'Bombea'])
        for i in range(60): visits.append([f'PZ-{i % 30:03d}', datetime.date(2025, 1 + i // 30, 1 + i % 28), round(0.5 + i / 10, 2), f'obs {i}', 'Sí' if i % 2 else 'No'])
        book.save(sys.argv[1])
        """

    @Test func aWorkbookComesInWithItsProjectsAndParts() throws {
        #expect(try OtherProgram.python(Self.workbook, place.file("book.xlsx")) == "")
        try draft("book.xlsx", "wells")
        let wells = try text("wells/entities/pozos.yaml")
        for line in ["{name: codigo, type: text, required: true", "unit: m, decimals: 2", "{name: fecha, type: date", "vocabulary: pozos_estado", "{name: telefono, type: text, privacy: personal", "# Empty in the first rows."] { #expect(wells.contains(line), "\(line) in \(wells)") }
        #expect(try text("wells/vocabularies/pozos_estado.yaml").contains(#"- {value: esta_seco, aliases: ["Está seco"]}"#))
        #expect(try fichero("init", "--templates", "T", "--pack", "wells", "--admin", "a@example.org").status == 0)
        #expect(try bringIn("book.xlsx", "--mapping", "wells", "--join") == ["projects": 2, "pozos": 30, "visitas": 60])
        #expect(try fichero("validate").output.contains("No findings in 92 rows"))
        let sums = try fichero("query", "SELECT p.code, count(DISTINCT w.id) AS wells, count(v.id) AS visits, sum(v.bombea) AS pumps, min(w.profundidad) AS least FROM projects p JOIN pozos w ON w.project_id = p.id JOIN visitas v ON v.pozos_id = w.id GROUP BY p.code ORDER BY p.code", "--format", "csv")
        #expect(sums.output.contains("AGUA-1,20,40,20,10") && sums.output.contains("AGUA-2,10,20,10,17"), "\(sums.output)")
    }

    // MARK: Odd sources

    /// Schemas that are merely odd give a sound pack, in which nothing is missing without a word.
    @Test(arguments: [
        "CREATE TABLE a (id uuid PRIMARY KEY); CREATE TABLE b (id uuid PRIMARY KEY); CREATE TABLE ab (a_id uuid REFERENCES a, b_id uuid REFERENCES b);",
        "CREATE TABLE t (k bytea PRIMARY KEY, n text);", "CREATE TABLE t (id int PRIMARY KEY, boss int NOT NULL REFERENCES t(id));",
        "CREATE TABLE t (id int PRIMARY KEY, n numeric(1000,300), v varchar(99999999999), CHECK (n > 1e3));", "CREATE TABLE t (id int PRIMARY KEY, n int, s text, CHECK (n = s));",
        "CREATE TABLE t (id int PRIMARY KEY, n int CHECK (n > 5 AND n < 3), s text CHECK (length(s) > 5 AND length(s) < 3));", "CREATE TYPE e AS ENUM ('a', 'a'); CREATE TABLE t (id int PRIMARY KEY, x e);",
        "CREATE TABLE t (id int PRIMARY KEY, y int CHECK ((y)));", "CREATE TABLE sqlite_stranger (id int PRIMARY KEY, n text); CREATE TABLE t (id int PRIMARY KEY);",
        "CREATE TABLE projects (id uuid PRIMARY KEY, code text NOT NULL UNIQUE); CREATE TABLE c (id uuid PRIMARY KEY, project uuid REFERENCES projects, n text);",
    ]) func anOddSchemaGivesASoundPack(_ statements: String) throws {
        try place.write(Array(statements.utf8), to: "odd.sql")
        try draft("odd.sql", "odd")
        try replica("odd", project: nil)
    }

    @Test func typesAreKnownByWholeWords() throws {
        try place.write(Array("CREATE TABLE t (id int PRIMARY KEY, a interval, b point, c int4range, d float(53), e numeric(5), f numeric(5,2), g double precision)".utf8), to: "types.sql")
        try draft("types.sql", "types")
        let entity = try text("types/entities/t.yaml")
        let found = ["a", "b", "c", "d", "e", "f", "g"].map { name in entity.firstMatch(of: try! Regex("name: \(name), type: ([a-z]+)"))?.output[1].substring.map(String.init) ?? "" }
        #expect(found == ["text", "text", "text", "decimal", "integer", "decimal", "decimal"])
    }

    /// A word that stands twice in a heading does not make the first row of data the heading.
    @Test func aHeadingWithAWordTwiceIsAHeading() throws {
        try place.write(Array("code,note,note\n".utf8) + (0..<9).flatMap { Array("K\($0),first \($0),second \($0)\n".utf8) }, to: "twice.csv")
        try draft("twice.csv", "twice")
        #expect(try text("twice/entities/twice.yaml").contains("Two columns are called “note”"))
        try replica("twice", project: "P1")
        #expect(try bringIn("twice.csv", "--mapping", "twice", "--project", "P1", "--fail-on", "never") == ["twice": 9])
    }

    /// A pack holds so many fields that its rows can still be summed up; the others are named.
    @Test func aWideTableKeepsWhatAPackCanHold() throws {
        let names = (1...150).map { "c\($0)" }
        try place.write(Array((names.joined(separator: ",") + "\n" + (1...3).map { row in names.map { "\($0)-\(row)" }.joined(separator: ",") }.joined(separator: "\n") + "\n").utf8), to: "wide.csv")
        try draft("wide.csv", "wide")
        #expect(try text("wide/entities/wide.yaml").contains("Left out: c111, "))
        try replica("wide", project: "P1")
        #expect(try bringIn("wide.csv", "--mapping", "wide", "--project", "P1", "--fail-on", "never") == ["wide": 3])
    }

    // MARK: What goes wrong

    @Test(arguments: ["a/b", "../up", "CORE", "core", "ñ", "a.b", "1a", "", String(repeating: "n", count: 61)]) func aNameThatIsNoneIsRefusedBeforeAnythingIsWritten(_ name: String) throws {
        try place.write(Array("a;b\n1;2\n".utf8), to: "t.csv")
        #expect(try fichero("init", "--from", "t.csv", "--pack", name, "-o", "T").status == 64)
        #expect(try FileManager.default.contentsOfDirectory(atPath: place.path).sorted() == ["t.csv"])
    }

    @Test func moreTablesThanAnybodyDescribesAreRefused() throws {
        try place.write(Array((0..<400).map { "CREATE TABLE t\($0) (id int);" }.joined().utf8), to: "many.sql")
        let run = try fichero("init", "--from", "many.sql", "--pack", "many", "-o", "T")
        #expect(run.status == 65 && run.error.contains("more than 200 tables"), "\(run.error)")
    }

    @Test func nothingIsWrittenOverAndNothingStays() throws {
        try place.write(Array("a;b\n1;2\n3;4\n".utf8), to: "t.csv")
        try draft("t.csv", "one")
        let again = try fichero("init", "--from", "t.csv", "--pack", "one", "-o", "T")
        #expect(again.status == 73 && again.error.contains("DRAFT-EXISTS"), "\(again.error)")
        try place.write(Array("CREATE TABLE a (id int".utf8), to: "broken.sql")
        try place.write(Array("-- nothing\nSELECT 1;".utf8), to: "empty.sql")
        for (file, code) in [("broken.sql", "DRAFT-STATEMENTS"), ("empty.sql", "DRAFT-NOTHING"), ("missing.xlsx", "IMPORT-NOT-FOUND")] {
            let run = try fichero("init", "--from", file, "--pack", "two", "-o", "T")
            #expect(run.status != 0 && run.error.contains(code), "\(run.error)")
        }
        #expect(try FileManager.default.contentsOfDirectory(atPath: place.file("T")).sorted() == ["one"])
        #expect(try fichero("init", "--from", "t.csv", "--admin", "a@example.org").status == 64)
        #expect(try fichero("init", "--from", "t.csv", "--pack", "../evil", "-o", "T").status != 0)
        #expect(!FileManager.default.fileExists(atPath: place.file("evil")))
    }

    /// Names and texts of a source are data: whatever they have, the pack is sound and nothing of
    /// them becomes YAML.
    @Test func hostileNamesGiveASoundPack() throws {
        let names = ["id", "a: b", "- x", "'quoted'", "\"double\"", "select", "# no", "{brace}", "x\ty", "order", "ñ", "1", "a", "A", "name: {evil}", "null", "key_text", "code", "sync_state", String(repeating: "w", count: 300)]
        let columns = names.map { "\"" + $0.replacing("\"", with: "\"\"") + "\" text" }.joined(separator: ", ")
        let tables = ["projects", "profiles", "export; drop", "rows' --", "Ünï", "x: y"].map { "CREATE TABLE \"\($0)\" (\(columns), CHECK (\"a\" IN ('x: y', '', '# z', '{q}', '''', 'x\\ny')));" }
        try place.write(Array(tables.joined(separator: "\n").utf8), to: "hostile.sql")
        try draft("hostile.sql", "hostile")
        try replica("hostile", project: nil)
    }
}
