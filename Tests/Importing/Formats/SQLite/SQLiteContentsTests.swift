import Foundation
import GRDBSQLite
import Testing
import Workbench

@testable import Importing

/// Files in BLOB columns of a foreign database, read row by row.
@Suite struct SQLiteContentsTests {
    private let folder: TemporaryFolder

    init() throws { folder = try TemporaryFolder() }

    private func table(_ sql: String, limit: Int = 20_000, name: String = "t") throws -> ForeignTable {
        let path = folder.file("device.db")
        var opened: OpaquePointer?
        #expect(unsafe sqlite3_open(path, &opened) == SQLITE_OK)
        #expect(unsafe sqlite3_exec(opened, sql, nil, nil, nil) == SQLITE_OK)
        unsafe sqlite3_close_v2(opened)
        var limits = SQLiteLimits()
        limits.valueBytes = limit
        return try #require(try SQLiteFile(path: path, limits: limits).tables.first { $0.name == name })
    }

    private static let values = "CREATE TABLE t (a, b BLOB); INSERT INTO t VALUES (1, x'ffd8ff'), (2, x''), (3, NULL), (4, 'four'), (5, 55), (6, zeroblob(20001)), (7, x'07');"

    @Test func eachCellSaysWhatItContains() throws {
        let contents = try #require(try self.table(Self.values).contents?.contents(of: "b"))
        let found = try (1...8).map { try contents.content(ofRow: $0) }
        #expect(found == [
            .file([0xFF, 0xD8, 0xFF]), .file([]), .nothing, .other(bytes: 4), .other(bytes: 2), .tooLarge(bytes: 20_001, limit: "sqliteValueBytes 20000"), .file([7]), .nothing,
        ])
        // Going back begins again; the same row can be asked twice.
        #expect(try contents.content(ofRow: 1) == .file([0xFF, 0xD8, 0xFF]))
        #expect(try contents.content(ofRow: 7) == .file([7]) && contents.content(ofRow: 7) == .file([7]))
    }

    @Test func aFileBeyondTheLimitDoesNotEndTheReadingOfItsTable() throws {
        let table = try self.table(Self.values)
        #expect(throws: TableFailure.self) { try ForeignReading.rows(table) }
        let rows = try #require(table.contents).rows(sparing: [1])
        var batch = ForeignBatch()
        try rows.fill(&batch)
        #expect((0..<batch.rowCount).map { batch.string($0, 0) } == ["1", "2", "3", "4", "5", "6", "7"])
        #expect((0..<batch.rowCount).map { batch.string($0, 1) } == [
            "3 bytes that are no text", "0 bytes that are no text", nil, "four", "55", "20001 bytes that are no text", "1 bytes that are no text",
        ])
    }

    @Test("An index over the contents does not change their order, and a hostile name of a column is only a name")
    func order() throws {
        let name = #"b""; DROP TABLE t; --"#
        let table = try self.table(
            "CREATE TABLE t (k TEXT PRIMARY KEY, \"\(name)\" BLOB, n) WITHOUT ROWID; CREATE INDEX i ON t(\"\(name)\"); INSERT INTO t VALUES ('z', x'01', 1), ('a', x'03', 3), ('m', x'02', 2);")
        let real = name.replacing("\"\"", with: "\"")
        #expect(table.columns == ["k", real, "n"])
        let contents = try #require(try table.contents?.contents(of: real))
        var batch = ForeignBatch()
        try table.contents?.rows(sparing: [1]).fill(&batch)
        for row in 0..<3 {
            let number = try #require(batch.string(row, 2).flatMap { UInt8($0) })
            #expect(try contents.content(ofRow: batch.rows[row].number) == .file([number]))
        }
        // SQLite would take a quoted name that it does not know for a text.
        #expect(try table.contents?.contents(of: "none") == nil)
    }

    @Test func aViewHasNoContents() throws {
        #expect(try self.table(Self.values + "CREATE VIEW v AS SELECT b FROM t;", name: "v").contents == nil)
    }
}
