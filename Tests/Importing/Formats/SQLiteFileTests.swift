import Foundation
import GRDBSQLite
import Model
import Testing
import Workbench

@testable import Importing

@Suite(.serialized)
struct SQLiteFileTests {
    let folder: TemporaryFolder

    init() throws { folder = try TemporaryFolder() }

    /// Runs statements on a new database. `leavingLog` ends as an app does that is killed, with a
    /// log beside the file.
    private func make(_ sql: String, name: String = "device.db", leavingLog: Bool = false) throws -> String {
        let path = folder.url.appendingPathComponent(name).path
        var opened: OpaquePointer?
        #expect(unsafe sqlite3_open(path, &opened) == SQLITE_OK)
        #expect(unsafe sqlite3_exec(opened, sql, nil, nil, nil) == SQLITE_OK)
        guard leavingLog else {
            unsafe sqlite3_close_v2(opened)
            return path
        }
        let copy = folder.url.appendingPathComponent("copy-\(name)").path
        for ending in ["", "-wal"] { try FileManager.default.copyItem(atPath: path + ending, toPath: copy + ending) }
        unsafe sqlite3_close_v2(opened)
        return copy
    }

    @Test("Tables with any names and values are read, views are hidden, and no file is changed or added")
    func values() throws {
        let path = try make(
            """
            CREATE TABLE "Pozo ""A"" 1" (id INTEGER PRIMARY KEY, "Nombre %" TEXT, x REAL, b BLOB, twice AS (id * 2));
            INSERT INTO "Pozo ""A"" 1" VALUES (7, 'Año', 0.1, x'0a0b'), (8, CAST(x'61ff' AS TEXT), NULL, zeroblob(100)), (9, '', 1e300, NULL);
            CREATE VIEW deep AS SELECT id FROM "Pozo ""A"" 1" WHERE x > 1; CREATE INDEX i ON "Pozo ""A"" 1"(x);
            """, name: "a b%3f.db")
        let before = FileManager.default.contents(atPath: path)
        #expect(SQLiteFile.recognises(Array(try #require(before).prefix(100))))
        let file = try SQLiteFile(path: path)
        #expect(file.tables.map(\.name) == ["Pozo \"A\" 1", "deep"])
        #expect(file.tables.map(\.isHidden) == [false, true])
        #expect(file.tables[0].columns == ["id", "Nombre %", "x", "b", "twice"])
        #expect(
            try ForeignReading.rows(file.tables[0]) == [
                ["number:7", "text:Año", "number:0.1", "error:0x0A0B", "number:14"],
                ["number:8", "text:a\u{FFFD}", "-", "error:100 bytes that are no text", "number:16"],
                ["number:9", "text:", "number:1e+300", "-", "number:18"],
            ])
        #expect(try ForeignReading.rows(file.tables[1]) == [["number:9"]])
        #expect(FileManager.default.contents(atPath: path) == before)
        #expect(try FileManager.default.contentsOfDirectory(atPath: folder.path) == ["a b%3f.db"])
    }

    @Test("Rows that are only in the write-ahead log are read, and the file is not changed")
    func log() throws {
        let path = try make(
            "PRAGMA journal_mode = WAL; PRAGMA wal_autocheckpoint = 0; CREATE TABLE t (a); INSERT INTO t VALUES (1), (2);", leavingLog: true)
        let before = FileManager.default.contents(atPath: path)
        #expect(try ForeignReading.rows(try #require(try SQLiteFile(path: path).tables.first)) == [["number:1"], ["number:2"]])
        #expect(FileManager.default.contents(atPath: path) == before)
        #expect(!FileManager.default.fileExists(atPath: path + "-shm"))
    }

    @Test("A view that never ends or whose table is gone is refused, and virtual tables are reported and left out")
    func hostileSchema() throws {
        let path = try make(
            """
            CREATE TABLE t (a); CREATE TABLE gone (a); CREATE VIEW lost AS SELECT * FROM gone; DROP TABLE gone;
            CREATE VIEW endless AS WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n) SELECT count(*) FROM n;
            CREATE VIEW huge AS SELECT zeroblob(100000000);
            CREATE VIRTUAL TABLE words USING fts5(x);
            """)
        var limits = SQLiteLimits()
        limits.steps = 2_000_000
        let file = try SQLiteFile(path: path, limits: limits)
        #expect(file.findings.first?.arguments["names"]?.hasPrefix("words, words_") == true)
        #expect(!file.tables.contains { $0.name.hasPrefix("words") })
        for name in ["lost", "endless", "huge"] {
            let table = try #require(file.tables.first { $0.name == name })
            #expect(table.isHidden)
            #expect(throws: TableFailure.self, "\(name)") { try ForeignReading.rows(table) }
        }
        #expect(try ForeignReading.rows(try #require(file.tables.first { $0.name == "t" })) == [])
    }

    @Test("A GeoPackage: geometries become well-known text, other bytes are errors, and the spatial index is left out and reported")
    func geoPackage() throws {
        let point = "4750000100000000" + "0101000000" + "0000000000C05E40" + "00000000000024C0"
        let line = "4750000300000000" + String(repeating: "00", count: 32) + "01EA030000" + "02000000" + String(repeating: "0000000000000040", count: 6)
        let empty = "4750001100000000" + "0101000000" + "000000000000F87F000000000000F87F"
        let big = "4750000000000000" + "0000000007" + "00000001" + "0000000003" + "00000001" + "00000001" + "3FF0000000000000" + "4000000000000000"
        let path = try make(
            """
            CREATE TABLE gpkg_geometry_columns (table_name TEXT, column_name TEXT);
            INSERT INTO gpkg_geometry_columns VALUES ('Pits', 'Geom');
            CREATE TABLE pits (code TEXT, geom BLOB, other BLOB);
            CREATE VIRTUAL TABLE rtree_pits_geom USING rtree(id, minx, maxx, miny, maxy);
            INSERT INTO rtree_pits_geom VALUES (1, 0, 1, 0, 1);
            INSERT INTO pits VALUES ('C-1', x'\(point)', x'\(point)'), ('C-2', x'\(line)', NULL), ('C-3', x'\(empty)', NULL), ('C-4', x'\(big)', NULL),
                ('C-5', x'4750', NULL), ('C-6', NULL, NULL);
            """)
        let file = try SQLiteFile(path: path)
        #expect(file.tables.map(\.name) == ["gpkg_geometry_columns", "pits"])
        #expect(file.findings.map(\.code) == ["IMPORT-INNER-TABLE"])
        #expect(file.findings.first?.arguments["names"]?.contains("rtree_pits_geom") == true)
        let rows = try ForeignReading.rows(file.tables[1])
        #expect(rows.map { $0[1] } == [
            "text:POINT (123 -10)", "text:LINESTRING Z (2 2 2, 2 2 2)", "text:POINT EMPTY", "text:GEOMETRYCOLLECTION (POLYGON ((1 2)))", "error:0x4750", "-",
        ])
        #expect(rows[0][2].hasPrefix("error:"))
    }

    @Test("A view cannot load an extension")
    func dangerousFunctions() throws {
        let path = try make("CREATE TABLE t (a); CREATE VIEW evil AS SELECT load_extension('/tmp/none.so');")
        let table = try #require(try SQLiteFile(path: path).tables.first { $0.name == "evil" })
        #expect(throws: TableFailure.damaged(Place(file: path), kind: "sqlite", reason: "unsafe use of load_extension()")) { try ForeignReading.rows(table) }
    }

    @Test("A torn or cut database is damage, and is never read in part")
    func damaged() throws {
        let rows = (0..<500).map { "('row \($0) of a table with some text in it')" }.joined(separator: ",")
        let path = try make("CREATE TABLE t (a TEXT); INSERT INTO t VALUES \(rows);")
        let bytes = Array(try #require(FileManager.default.contents(atPath: path)))
        #expect(bytes.count > 5 * 4096)
        var torn = bytes
        for index in (3 * 4096)..<(3 * 4096 + 200) { torn[index] = 0xFF }
        for (name, changed) in [("torn.db", torn), ("cut.db", Array(bytes.prefix(4 * 4096))), ("head.db", Array(bytes.prefix(100)))] {
            let changedPath = try ForeignReading.write(changed, name, in: folder)
            #expect(throws: TableFailure.self, "\(name)") { for table in try SQLiteFile(path: changedPath).tables { _ = try ForeignReading.rows(table) } }
        }
    }

    @Test("A changed database gives values or a declared failure, and never a crash")
    func mutations() throws {
        let path = try make("CREATE TABLE t (a TEXT, b REAL, c BLOB); INSERT INTO t VALUES ('x', 1.5, x'00'), ('y', 2, NULL); CREATE VIEW v AS SELECT a FROM t;")
        let bytes = Array(try #require(FileManager.default.contents(atPath: path)))
        var read = 0
        var limits = SQLiteLimits()
        limits.steps = 1_000_000
        for changed in ForeignReading.mutations(of: bytes, count: 300, seed: 12) {
            let changedPath = try ForeignReading.write(changed, "m.db", in: folder)
            do {
                for table in try SQLiteFile(path: changedPath, limits: limits).tables { read += try ForeignReading.rows(table, limit: 10_000).count }
            } catch is TableFailure {} catch is ImportFailure {}
        }
        #expect(read > 0)
    }
}
