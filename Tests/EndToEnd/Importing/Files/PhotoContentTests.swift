import Foundation
import Testing

/// Photos that an app keeps in BLOB columns of its SQLite file come out of it as files.
@Suite struct PhotoContentTests {
    private static let samples = ProgramRun.root + "/Samples/interrapidisimo/legacy/"
    private let office: Office

    init() throws {
        office = try Office(system: "interrapidisimo", set: nil)
        try office.bringIn("legacy/sources.csv", "--mapping", "fuentes", "--join")
        try office.bringIn("legacy/server/schema.json", "--mapping", "esquema")
    }

    private func bringIn(_ path: String, _ options: String...) throws -> ProgramRun {
        try office.run(["import", path, "--mapping", "base-dispositivo", "--project", "R-07", "--json", "--actor", Office.administrator] + options)
    }

    /// Each photo's checksum by its name, of the BLOBs themselves.
    private func given(_ path: String) throws -> String {
        try Reading.python(
            "import hashlib, sqlite3, sys\nfor name, data in sqlite3.connect('file:' + sys.argv[1] + '?mode=ro&immutable=1', uri=True).execute('SELECT name, image_data FROM photos ORDER BY name'): print(name, hashlib.sha256(data).hexdigest(), len(data))",
            path).output.trimmingCharacters(in: .newlines)
    }

    @Test func eachPhotoBecomesAFileWithItsFacts() throws {
        let device = Self.samples + "devices/R-07.db"
        let run = try bringIn(device)
        #expect(run.status == 0, "\(run.output) \(run.error)")
        // The column of the photos counts as read.
        let findings = try MappedFolder.findings(run)
        #expect(findings.map(\.code).filter { $0.hasPrefix("IMPORT-CONTENT") } == [])
        #expect(findings.filter { $0.code == "IMPORT-UNUSED-COLUMN" }.map { $0.arguments["columns"] } == ["id"])
        #expect(try office.sql("SELECT photo_name || ' ' || sha256 || ' ' || bytes FROM photos ORDER BY photo_name") == given(device))
        #expect(try office.sql("SELECT count(*) FROM photos WHERE width_px > 0 AND height_px > 0 AND created_at LIKE '2025-11-1_T%Z'") == "7")
        #expect(try office.sql("SELECT count(*) FROM photos WHERE mime_type = 'image/jpeg'") == "7")
        for path in try office.sql("SELECT local_path FROM photos").split(separator: "\n").map(String.init) {
            let name = try #require(path.split(separator: "/").last)
            let bytes = try #require(FileManager.default.contents(atPath: office.path(path)))
            #expect(name.hasSuffix(".jpg") && bytes.starts(with: [0xFF, 0xD8]))
        }
        #expect(try office.files("fichero.db.files").count == 7)
        // A second import doubles nothing.
        let again = try bringIn(device)
        #expect(again.status == 0)
        #expect(try office.sql("SELECT count(*) FROM photos") == "7")
        #expect(try office.files("fichero.db.files").count == 7)
        // Undo takes the files away with their rows.
        for id in try office.sql("SELECT id FROM imports WHERE source LIKE '%R-07.db' ORDER BY id DESC").split(separator: "\n") {
            let undone = try office.run("undo", String(id), "--actor", Office.administrator)
            #expect(undone.status == 0, "\(undone.output) \(undone.error)")
        }
        #expect(try office.sql("SELECT count(*) FROM photos") == "0")
        #expect(try office.files("fichero.db.files") == [])
    }

    @Test func aTrialWritesNoFile() throws {
        let run = try bringIn(Self.samples + "devices/R-07.db", "--dry-run")
        #expect(run.status == 0, "\(run.output) \(run.error)")
        #expect(try MappedFolder.result(run)["photos"] as? Int == 7)
        #expect(try office.files("fichero.db.files") == [])
    }

    /// Writes a database in which each photo is another BLOB.
    private func hostile() throws -> String {
        let path = office.path("hostile.db")
        let made = try Reading.python(
            """
            import sqlite3, sys
            sound = sqlite3.connect("file:" + sys.argv[2] + "?mode=ro&immutable=1", uri=True).execute("SELECT image_data FROM photos ORDER BY id").fetchall()
            png = bytes.fromhex("89504e470d0a1a0a0000000d49484452000000010000000108060000001f15c4890000000d49444154789c626001000000050001"
                                "0d0a2db40000000049454e44ae426082")
            base = sqlite3.connect(sys.argv[1])
            base.execute("CREATE TABLE users (id INTEGER PRIMARY KEY, usuario, identificacion, nombre, created_at)")
            base.execute("CREATE TABLE schema_tables (id INTEGER PRIMARY KEY, table_name, created_at)")
            base.execute("CREATE TABLE photos (id INTEGER PRIMARY KEY, name, image_data BLOB, created_at)")
            contents = {
                "empty.jpg": b"", "text.jpg": "no photo at all", "null.jpg": None, "number.jpg": 12, "bytes.jpg": b"no JPEG", "cut.jpg": sound[0][0][:-900],
                "header.jpg": bytes.fromhex("ffd8ffe00010"), "picture.png": png, "huge.jpg": sound[1][0] + bytes(200000), "last.jpg": sound[2][0],
            }
            for name, content in contents.items():
                base.execute("INSERT INTO photos (name, image_data, created_at) VALUES (?, ?, '2025-11-12 14:00:00')", (name, content))
            # The app's own file forbids two photos of one name; this one does not.
            base.execute("INSERT INTO photos (name, image_data, created_at) VALUES ('last.jpg', ?, '2025-11-12 14:00:01')", (sound[3][0],))
            base.commit()
            """, path, Self.samples + "devices/R-07.db")
        #expect(made.status == 0, "\(made.error)")
        return path
    }

    @Test func hostileContentsAreFindings() throws {
        let path = try hostile()
        let run = try bringIn(path, "--limit", "sqliteValueBytes=100000", "--fail-on", "never")
        #expect(run.status == 0, "\(run.output) \(run.error)")
        let findings = try MappedFolder.findings(run)
        func told(_ code: String) -> [[String: String]] { findings.filter { $0.code == code }.map(\.arguments) }
        #expect(told("IMPORT-CONTENT-NO-PHOTO").map { $0["bytes"] } == ["0", "15", "2", "7"])
        #expect(told("IMPORT-CONTENT-CUT").count == 2)
        #expect(told("IMPORT-CONTENT-SIZE").map { $0["limit"] } == ["sqliteValueBytes 100000"])
        // The second photo of a name is refused, and the first keeps its file.
        #expect(told("IMPORT-SAME-KEY").count == 1, "\(findings.map(\.code))")
        #expect(
            try office.sql("SELECT group_concat(photo_name || ' ' || coalesce(substr(local_path, -3), '-'), ', ') FROM (SELECT * FROM photos ORDER BY photo_name)")
                == "bytes.jpg -, cut.jpg jpg, empty.jpg -, header.jpg jpg, huge.jpg -, last.jpg jpg, null.jpg -, number.jpg -, picture.png png, text.jpg -")
        #expect(try office.sql("SELECT bytes FROM photos WHERE photo_name = 'last.jpg'") == "15559")
        // The first bytes tell the media type, whatever the name; what is no photo has none.
        #expect(
            try office.sql("SELECT group_concat(photo_name || ' ' || mime_type, ', ') FROM (SELECT * FROM photos WHERE mime_type IS NOT NULL ORDER BY photo_name)")
                == "cut.jpg image/jpeg, header.jpg image/jpeg, last.jpg image/jpeg, picture.png image/png")
        // With a greater limit the large photo comes in later.
        let later = try bringIn(path, "--fail-on", "never")
        #expect(later.status == 0, "\(later.error)")
        #expect(try office.sql("SELECT bytes FROM photos WHERE photo_name = 'huge.jpg'") == "214933")
    }

    @Test func aCorrectedRowGetsItsPhotoFromTheFile() throws {
        let path = office.path("device.db")
        try FileManager.default.copyItem(atPath: Self.samples + "devices/R-07.db", toPath: path)
        let changed = try ProgramRun.program("/usr/bin/sqlite3", [path, "UPDATE photos SET created_at = '2025-13-45 99:00:00' WHERE id = 3"])
        #expect(changed.status == 0, "\(changed.error)")
        #expect(try bringIn(path).status == 1)
        let id = try office.sql("SELECT id FROM rejects WHERE state = 'open'")
        #expect(try office.run("rejects", "edit", id, "--set", "created_at=2025-11-13 18:48:22", "--actor", Office.administrator).status == 0)
        let retried = try office.run("rejects", "retry", "--actor", Office.administrator)
        #expect(retried.status == 0, "\(retried.output) \(retried.error)")
        #expect(try office.sql("SELECT bytes || ' ' || (width_px > 0) || ' ' || mime_type FROM photos WHERE photo_name = 'recogida_003.jpg'") == "15559 1 image/jpeg")
        #expect(try office.files("fichero.db.files").count == 7)
    }
}
