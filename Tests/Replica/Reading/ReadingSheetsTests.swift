import Foundation
import Testing
import Workbench

@testable import Model
@testable import Replica

/// The sheets of the shipped exports are compared with the same tables from a Python program, which
/// follows references row by row.
@Suite struct ReadingSheetsTests {
    @Test(arguments: ProjectFolder.systems) func everySheetHasWhatTheTablesHold(_ name: String) throws {
        let scene = try ReadingScene(survey: name)
        let session = try scene.session()
        #expect(session.projects.count >= 2)
        // Words for an export alone, and SQL of a pack, have tests of their own.
        for export in scene.pack.exports where export.bundle == nil && !export.isAnonymous && export.sheets.allSatisfy({ $0.query == nil }) {
            let kind = try #require(scene.pack.record(export.record))
            for project in session.projects {
                _ = try session.select(kind, in: project, .everything, hasRemote: false)
                let sheets = try session.sheets(of: export, language: .spanish)
                let expected = try Independent(scene, export, kind, project: project.id).sheets()
                #expect(sheets.map { $0.columns.count } == expected.map { $0.width }, "\(export.name) \(project.code)")
                for (sheet, other) in zip(sheets, expected) {
                    let rows = try allRows(sheet.open())
                    #expect(rows.count == sheet.rowCount)
                    #expect(rows.map { $0.joined(separator: "|") }.sorted() == other.rows, "\(export.name) \(sheet.title) \(project.code)")
                }
            }
        }
    }

    @Test func familiesGiveSheetsWithTheirParametersInTheRunsLanguage() throws {
        let scene = try ReadingScene(survey: "anagrafica")
        let session = try scene.session()
        let export = try #require(scene.pack.export("assets"))
        let school = try #require(session.projects.first { $0.name.contains("Faggio") })
        _ = try session.select(try #require(scene.pack.record("asset")), in: school, .everything, hasRemote: false)
        let sheets = try session.sheets(of: export, language: .italian)
        let lighting = try #require(sheets.first { $0.title.contains("Lighting") })
        let power = try #require(lighting.columns.first { $0.name == "power" })
        #expect(power.isParameter && power.label == "Potenza" && power.kind == .decimal(decimals: nil))
        #expect(try #require(lighting.columns.first { $0.name == "fixture" }).options.contains("plafoniera"))
        #expect(sheets.filter { $0.name == "family" }.map(\.title) == sheets.filter { $0.name == "family" }.map(\.title).sorted())
        #expect(lighting.rowName == "instance")
        #expect(sheets.suffix(3).map(\.name) == ["rooms", "types", "photos"])
    }

    /// The values of a text give sheets: by the order of the vocabulary, called by its labels, and
    /// rows without a value have a sheet too.
    @Test func valuesOfATextGiveSheets() throws {
        let scene = try ReadingScene.pits()
        var pack = scene.pack
        pack.vocabularies = [Vocabulary(name: "states", entries: [.init(value: "BORRADOR"), .init(value: "APROBADO"), .init(value: "ARCHIVADO")])]
        pack.texts = Texts([.spanish: ["sheet.e.s": "Pozos: {name}", "vocabulary.states.APROBADO": "Aprobado"]])
        let pits = try #require(pack.entities.firstIndex { $0.name == "calicatas" })
        let status = try #require(pack.entities[pits].fields.firstIndex { $0.name == "status" })
        pack.entities[pits].fields[status].vocabulary = "states"
        try scene.sql("INSERT INTO calicatas (id, project_id, code, title, status, sync_state) VALUES ('c4', 'p1', 'C-4', 'it''s; \"x\"', 'OTRO', 'synced'), ('c5', 'p1', 'C-5', '', 'APROBADO', 'synced')")
        let session = try ReadSession(
            path: scene.file, pack: pack, actor: scene.actor("GERENCIA"), projects: [], timeZone: .gmt, asOf: testTime)
        _ = try session.select(scene.record, in: try #require(session.projects.first), .everything, hasRemote: false)
        func sheets(_ entity: String, by path: String) throws -> [String] {
            let sheet = ExportSheet(
                name: "s", entity: entity, forEach: FieldPath(path), columns: [.field(FieldPath("id"), name: "id", label: nil, isLink: false)], order: [FieldPath("id")])
            return try session.sheets(of: ExportDefinition(name: "e", record: "calicata", formats: [.csv], sheets: [sheet]), language: .spanish).map { sheet in
                let rows = try allRows(sheet.open()).map { $0[0] }
                #expect(rows.count == sheet.rowCount)
                return sheet.title + " " + rows.joined(separator: ",")
            }
        }
        #expect(try sheets("calicatas", by: "status") == ["Pozos: BORRADOR c1", "Pozos: Aprobado c2,c3,c5", "Pozos: OTRO c4"])
        #expect(try sheets("calicatas", by: "title") == ["Pozos: Dos c2", "Pozos: Uno c1", "Pozos: it's; \"x\" c4", "Pozos: — c3,c5"])
        #expect(try sheets("calicata_cortes", by: "calicata_id.status") == ["Pozos: BORRADOR c1-1,c1-2", "Pozos: Aprobado c2-1,c2-2,c3-1,c3-2"])
    }

    /// Rows of an entity and of a query: as they are stored, and for people, who say symbols as they are.
    @Test(arguments: [
        (false, ["c1|BORRADOR|ROJO; SECO", "c2|APROBADO|ROJO", "c3|OTRO|", "c4|∅|rojo"], []),
        (true, ["c1|BORRADOR|Rojo; SECO", "c2|It's \"done\"|Rojo", "c3|OTRO|", "c4|∅|rojo"], ["BORRADOR", "It's \"done\""]),
    ])
    func listsAreOneTextAndWordsMayBeLabels(labelled: Bool, rows: [String], options: [String]) throws {
        let scene = try ReadingScene.pits { entities in
            let pits = entities.firstIndex { $0.name == "calicatas" } ?? 0
            let status = entities[pits].fields.firstIndex { $0.name == "status" } ?? 0
            entities[pits].fields[status].vocabulary = "states"
            entities[pits].fields.append(Field(name: "signs", type: .list, vocabulary: "signs"))
        }
        try scene.sql(
            """
            UPDATE calicatas SET status = 'BORRADOR', signs = '["ROJO","SECO"]' WHERE id = 'c1'; UPDATE calicatas SET signs = '["ROJO"]' WHERE id = 'c2';
            UPDATE calicatas SET status = 'OTRO', signs = '[]' WHERE id = 'c3';
            INSERT INTO calicatas (id, project_id, code, signs, sync_state) VALUES ('c4', 'p1', 'C-4', 'rojo', 'synced');
            """)
        var pack = scene.pack
        pack.vocabularies = [
            Vocabulary(name: "states", entries: [.init(value: "BORRADOR"), .init(value: "APROBADO")]), Vocabulary(name: "signs", entries: [.init(value: "ROJO")]),
            Vocabulary(name: "soils", entries: [.init(value: "SM")], hasSymbols: true),
        ]
        pack.texts = Texts([.spanish: ["vocabulary.states.APROBADO": "It's \"done\"", "vocabulary.signs.ROJO": "Rojo", "vocabulary.soils.SM": "Arena"]])
        let session = try ReadSession(path: scene.file, pack: pack, actor: scene.actor("GERENCIA"), projects: ["TPA-1"], timeZone: .gmt, asOf: testTime)
        _ = try session.select(scene.record, in: session.projects[0], .everything, hasRemote: false)
        let fields = ["id", "status", "signs"]
        let ofRows = ExportSheet(
            name: "r", entity: "calicatas", columns: fields.map { .field(FieldPath($0), name: $0, label: nil, isLink: false) }, order: [FieldPath("id")])
        var ofSQL = ExportSheet(name: "q", entity: "", columns: [], order: [])
        ofSQL.query = ExportSheet.Query(
            sql: "SELECT signs, status, id, 'SM' AS soil FROM calicatas ORDER BY id",
            columns: [QueryColumn(name: "id", type: .uuid), QueryColumn(name: "status", type: .text, vocabulary: "states"), QueryColumn(name: "signs", type: .list, vocabulary: "signs"), QueryColumn(name: "soil", type: .text, vocabulary: "soils")])
        let export = ExportDefinition(name: "e", record: "calicata", formats: [.csv], sheets: [ofRows, ofSQL])
        for sheet in try session.sheets(of: export, language: .spanish, labelled: labelled) {
            #expect(try allRows(sheet.open()).map { $0.joined(separator: "|") } == (sheet.name == "q" ? rows.map { $0 + "|SM" } : rows))
            #expect(sheet.columns[1].options == (labelled ? options : ["BORRADOR", "APROBADO"]) && sheet.columns[2].options.isEmpty)
        }
    }

    /// A number that is computed has the decimals that its column states; a stored one keeps its own.
    @Test func computedNumbersHaveTheirDecimals() throws {
        let scene = try ReadingScene.pits()
        let session = try scene.session()
        _ = try session.select(scene.record, in: session.projects[0], .everything, hasRemote: false)
        var (stated, like) = (QueryColumn(name: "stated", type: .decimal, decimals: 2), QueryColumn(name: "like", type: .decimal, decimals: 2))
        stated.roundedTo = 2
        like.unit = "kg"
        var sheet = ExportSheet(name: "q", entity: "", columns: [], order: [])
        sheet.query = ExportSheet.Query(
            sql: "SELECT column1 AS stated, column1 AS \"like\" FROM (VALUES (52 / 3.0), (2.675), (-2.675), (7), (NULL), ('about 3.456'))", columns: [stated, like])
        let made = try session.sheets(of: ExportDefinition(name: "e", record: "calicata", formats: [.csv], sheets: [sheet]), language: .spanish)
        let rows = try allRows(made[0].open())
        #expect(rows.map { $0[0] } == ["17.33", "2.68", "-2.68", "7", "∅", "about 3.456"])
        #expect(rows.map { $0[1] } == ["17.333333333333332", "2.675", "-2.675", "7", "∅", "about 3.456"])
    }

    @Test func strataComeInTheOrderOfTheirPits() throws {
        let scene = try ReadingScene(survey: "ingeplus")
        let session = try scene.session()
        let export = try #require(scene.pack.export("cortes"))
        for project in session.projects {
            _ = try session.select(scene.record, in: project, .everything, hasRemote: false)
            let rows = try allRows(try #require(session.sheets(of: export, language: .spanish).first).open())
            let expected = try scene.sql(
                """
                SELECT c.code || '|' || s.number FROM calicata_cortes s JOIN calicatas c ON c.id = s.calicata_id
                WHERE c.project_id = '\(project.id)' ORDER BY c.code, c.id, s.number, s.id
                """)
            #expect(rows.map { $0[2] + "|" + $0[11] } == expected)
        }
    }

    @Test func pitsOfTheSameCodeDoNotMix() throws {
        let scene = try ReadingScene(survey: "ingeplus")
        let project = try #require(scene.sql("SELECT project_id FROM calicatas GROUP BY project_id ORDER BY count(*) DESC LIMIT 1").first)
        try scene.sql("UPDATE calicatas SET code = 'C-99' WHERE project_id = '\(project)'")
        let session = try scene.session()
        _ = try session.select(scene.record, in: try #require(session.projects.first { $0.id == project }), .everything, hasRemote: false)
        let sheets = try session.sheets(of: try #require(scene.pack.export("calicatas")), language: .spanish)
        let pits = try allRows(try #require(sheets.first { $0.name == "cortes" }).open()).map { $0[$0.count - 1] }
        var runs = pits.isEmpty ? 0 : 1
        for (pit, next) in zip(pits, pits.dropFirst()) where pit != next { runs += 1 }
        #expect(Set(pits).count > 5 && runs == Set(pits).count)
    }

    @Test func thePlainQueryGivesTheSameRowsToAnotherProgram() throws {
        let scene = try ReadingScene(survey: "ingeplus")
        let session = try scene.session()
        let export = try #require(scene.pack.export("cortes"))
        _ = try session.select(scene.record, in: session.projects[0], .everything, hasRemote: false)
        let ours = try allRows(try #require(session.sheets(of: export, language: .spanish).first).open())
        let theirs = try scene.place.run(
            "/usr/bin/python3",
            ["-c", "import sqlite3, sys\nfor row in sqlite3.connect(sys.argv[1]).execute(sys.argv[2]): print('|'.join('∅' if v is None else str(v) for v in row))",
             scene.file, session.plainQuery(of: export)])
        #expect(theirs.split(separator: "\n").map(String.init) == ours.map { $0.joined(separator: "|") })
    }

    @Test func withoutASelectionThereAreNoRows() throws {
        let scene = try ReadingScene(survey: "ingeplus")
        let session = try scene.session()
        for export in scene.pack.exports where export.bundle == nil {
            #expect(try session.sheets(of: export, language: .spanish).map(\.rowCount).reduce(0, +) == 0)
            #expect(try session.facts(of: export) == [])
        }
    }
}

/// The sheets of an export that a Python program makes from the base tables. It uses dictionaries
/// and no joins.
private struct Independent {
    struct Table {
        var width: Int
        /// The rows as texts, sorted.
        var rows: [String]
    }

    private let scene: ReadingScene
    private let description: String

    init(_ scene: ReadingScene, _ export: ExportDefinition, _ kind: RecordKind, project: String) throws {
        self.scene = scene
        let sheets = export.sheets.map { sheet -> [String: Any] in
            let lists = scene.pack.entity(sheet.entity).map { entity in
                sheet.columns.map { column -> [String: Any] in
                    switch column {
                    case .field(let path, _, _, _): ["path": path.parts, "list": scene.pack.field(at: path, from: entity)?.type == .list]
                    case .number: [:]
                    case .parameters(let path, let scope): ["path": path.parts, "scope": scope]
                    case .count(let of, let by, _, _): ["of": of, "by": by.description]
                    }
                }
            }
            return [
                "entity": sheet.entity, "rows": sheet.rows.rawValue, "each": sheet.forEach?.parts ?? [], "eachName": sheet.eachName ?? "",
                "columns": lists ?? [],
            ]
        }
        let references = Dictionary(uniqueKeysWithValues: scene.pack.entities.map { entity in
            (entity.name, Dictionary(uniqueKeysWithValues: entity.fields.compactMap { field in
                field.type == .list ? nil : field.references.map { (field.name, $0) }
            }))
        })
        let root: [String] = scene.pack.entity(kind.root)?.projectPath?.parts ?? []
        let paths = Dictionary(uniqueKeysWithValues: scene.pack.entities.map { ($0.name, $0.projectPath?.parts ?? []) })
        let parts = kind.parts.map { ["entity": $0.entity, "by": $0.by.description, "list": $0.isList] as [String: Any] }
        let all: [String: Any] = ["sheets": sheets, "references": references, "root": kind.root, "project": project, "path": root, "parts": parts, "paths": paths]
        description = String(decoding: try JSONSerialization.data(withJSONObject: all), as: UTF8.self)
    }

    func sheets() throws -> [Table] {
        let said = try scene.place.run("/usr/bin/python3", ["-c", Self.program, scene.file, description])
        let tables = try JSONSerialization.jsonObject(with: Data(said.utf8)) as? [[String: Any]] ?? []
        return tables.map { Table(width: $0["width"] as? Int ?? 0, rows: ($0["rows"] as? [String] ?? []).sorted()) }
    }

    private static let program = """
        import json, sqlite3, sys
        db = sqlite3.connect(sys.argv[1]); db.row_factory = sqlite3.Row
        want = json.loads(sys.argv[2]); refs = want["references"]
        tables = {name: {r["id"]: dict(r) for r in db.execute(f"SELECT * FROM {name}")} for name in refs}
        def follow(entity, row, path):
            for part in path[:-1]:
                entity = refs[entity][part]; row = tables[entity].get(row and row[part])
            return row and row[path[-1]]
        def say(value):
            if value is None: return "∅"
            if isinstance(value, bool): return str(int(value))
            if isinstance(value, list): return "; ".join(value)
            return repr(value) if isinstance(value, float) else str(value)
        roots = [r for r in tables[want["root"]].values() if follow(want["root"], r, want["path"]) == want["project"]]
        ids = {r["id"] for r in roots}
        record = {want["root"]: roots}
        for part in want["parts"]:
            own = {i for r in roots for i in json.loads(r[part["by"]] or "[]")} if part["list"] else None
            record[part["entity"]] = [r for r in tables[part["entity"]].values() if (r["id"] in own if part["list"] else r[part["by"]] in ids)]
        reached = {}
        def reach(entity, row):
            for field, target in refs[entity].items():
                if row[field] in tables[target] and row[field] not in reached.setdefault(target, set()):
                    reached[target].add(row[field]); reach(target, tables[target][row[field]])
        for entity, rows in record.items():
            for row in rows: reach(entity, row)
        out = []
        for sheet in want["sheets"]:
            entity = sheet["entity"]
            path = want["paths"][entity]
            if sheet["rows"] == "record": rows = record[entity]
            elif sheet["rows"] == "referenced": rows = [tables[entity][i] for i in reached.get(entity, ())]
            else: rows = [r for r in tables[entity].values() if not path or follow(entity, r, path) == want["project"]]
            groups = [(None, rows)]
            if sheet["each"]:
                target = entity
                for part in sheet["each"]: target = refs[target][part]
                owners = {follow(entity, r, sheet["each"]) for r in rows} & set(tables[target])
                groups = [(tables[target][o], [r for r in rows if follow(entity, r, sheet["each"]) == o])
                          for o in sorted(owners, key=lambda o: (tables[target][o][sheet["eachName"]], o))]
            for owner, rows in groups:
                lines, width = [], 0
                for row in rows:
                    line = []
                    for c in sheet["columns"]:
                        if "of" in c: line.append(say(sum(1 for k in tables[c["of"]].values() if k[c["by"]] == row["id"])))
                        elif "scope" in c:
                            values = json.loads(follow(entity, row, c["path"]) or "{}")
                            line += [say(values.get(p["key"])) for p in json.loads(owner["parameter_schema"]) if p["scope"] == c["scope"]]
                        elif "path" in c:
                            value = follow(entity, row, c["path"])
                            line.append(say(json.loads(value) if c["list"] and value else value))
                        else: line.append("∅")
                    lines.append("|".join(line)); width = len(line)
                if not rows: width = len(sheet["columns"])
                out.append({"width": width, "rows": lines})
        print(json.dumps(out))
        """
}
