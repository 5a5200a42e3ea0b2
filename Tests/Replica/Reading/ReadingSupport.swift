import Foundation
import Workbench

@testable import Model
@testable import Replica

/// A replica for tests of reading, with a shipped pack and its sample survey or with the small pack
/// of pits.
final class ReadingScene {
    let place: TemporaryFolder
    let file: String
    let pack: Pack

    static let root = ProjectFolder.root
    static let actorID = "00000000-0000-7000-8000-0000000000aa"

    init(pack: Pack) throws {
        place = try TemporaryFolder()
        file = place.file("fichero.db")
        self.pack = pack
        try Replica.create(at: file, pack: pack, now: testTime)
        try sql("INSERT INTO profiles (id, email, sync_state) VALUES ('\(Self.actorID)', 'tester@example.pe', 'synced')")
    }

    /// A shipped pack with all rows of its sample survey. The tester is a member of every project.
    convenience init(survey name: String) throws {
        try self.init(pack: ShippedPack.named(name))
        let survey = Self.root.appendingPathComponent("Samples/\(name)/survey").path
        let names = pack.entities.map { entity in (entity.name, entity.fields.flatMap { field in field.aliases.map { ($0, field.name) } }) }
        let aliases = Dictionary(uniqueKeysWithValues: names.map { ($0, Dictionary($1) { first, _ in first }) })
        let known = place.file("aliases.json")
        try JSONEncoder().encode(aliases).write(to: URL(fileURLWithPath: known))
        try place.run("/usr/bin/python3", ["-c", Self.loader, file, survey, known])
        try sql("INSERT INTO project_members (id, project_id, profile_id) SELECT 'm-' || id, id, '\(Self.actorID)' FROM \(SQLText.name(pack.project.entity))")
    }

    /// The small pack with the projects `p1` (TPA-1) and `p2` (TPA-2). The tester is a member of
    /// `p1`, which has the pits C-1 to C-3, each with two strata and a photo. The pit X-1 belongs
    /// to `p2`. All rows are synced.
    static func pits(changing: (inout [Entity]) -> Void = { _ in }) throws -> ReadingScene {
        let scene = try ReadingScene(pack: PitPack.make(changing: changing))
        try scene.sql(
            """
            INSERT INTO projects (id, code, name, org_id, status) VALUES ('p1', 'TPA-1', 'Uno', 'o', 'ACTIVO'), ('p2', 'TPA-2', 'Dos', 'o', 'ACTIVO');
            INSERT INTO project_members (id, project_id, profile_id) VALUES ('m1', 'p1', '\(actorID)');
            INSERT INTO calicatas (id, project_id, code, title, depth_m, end_date, status, water_found) VALUES
              ('c2', 'p1', 'C-2', 'Dos', 2.0, '2025-05-02', 'APROBADO', 1), ('c1', 'p1', 'C-1', 'Uno', 1.5, '2025-05-01', 'BORRADOR', 0),
              ('c3', 'p1', 'C-3', NULL, 3.0, NULL, 'APROBADO', NULL), ('x1', 'p2', 'X-1', 'Otro', 9, '2025-05-01', 'APROBADO', 0);
            INSERT INTO calicata_cortes (id, calicata_id, number, depth_from_m, depth_to_m)
              SELECT c.id || '-' || n.value, c.id, n.value, n.value - 1, n.value FROM calicatas AS c, json_each('[2, 1]') AS n;
            INSERT INTO calicata_photos (id, calicata_id, file_name) SELECT id || '-f', id, code || '.jpg' FROM calicatas;
            UPDATE projects SET sync_state = 'synced'; UPDATE calicatas SET sync_state = 'synced', content_stamp = 1;
            UPDATE calicata_cortes SET sync_state = 'synced', content_stamp = 1; UPDATE calicata_photos SET sync_state = 'synced', content_stamp = 1;
            """)
        return scene
    }

    @discardableResult
    func sql(_ text: String) throws -> [String] { try place.sqlite3(file, text) }

    func actor(_ role: String) -> Actor {
        let found = pack.role(role) ?? Role(name: role, permissions: [], sees: [])
        return Actor(id: Self.actorID, email: "tester@example.pe", fullName: nil, role: found)
    }

    func session(_ role: String? = nil, projects: [String] = []) throws -> ReadSession {
        let zone = TimeZone(identifier: pack.timeZone) ?? .gmt
        return try ReadSession(path: file, pack: pack, actor: actor(role ?? pack.roles[0].name), projects: projects, timeZone: zone, asOf: testTime)
    }

    var record: RecordKind { pack.records[0] }

    /// Reads lists of dictionaries into tables. Names become snake_case, and lists and objects
    /// become JSON.
    private static let loader = """
        import json, pathlib, re, sqlite3, sys
        db = sqlite3.connect(sys.argv[1])
        aliases = json.load(open(sys.argv[3]))
        for path in sorted(pathlib.Path(sys.argv[2], "data").iterdir()):
            text = path.read_text()
            rows = [json.loads(line) for line in text.splitlines()] if path.suffix == ".ndjson" else json.loads(text)
            columns = {row[1] for row in db.execute(f"PRAGMA table_info({path.stem})")}
            names = {"syncStatus": "sync_state"} | aliases[path.stem]
            for row in rows:
                row = {names.get(k) or re.sub("[A-Z]", lambda m: "_" + m[0].lower(), k): v for k, v in row.items()}
                row = {k: json.dumps(v) if isinstance(v, (list, dict)) else v for k, v in row.items() if k in columns}
                marks = ", ".join("?" * len(row))
                db.execute(f"INSERT INTO {path.stem} ({', '.join(row)}, content_stamp) VALUES ({marks}, 1)", list(row.values()))
        db.commit()
        """
}

extension SelectionRequest {
    /// Selects every record with any sync state.
    static let everything = SelectionRequest(syncStates: SyncState.allCases)
}

/// All rows of a source as texts. A missing value is `∅`.
func allRows(_ source: any RowSource) throws -> [[String]] {
    var rows: [[String]] = []
    var batch = RowBatch(columnCount: source.columnCount)
    repeat {
        try source.fill(&batch)
        for row in 0..<batch.rowCount {
            rows.append((0..<batch.columnCount).map { batch.description(row, $0) ?? "∅" })
        }
    } while batch.rowCount > 0
    return rows
}
