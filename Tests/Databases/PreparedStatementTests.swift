import GRDBSQLite
import Model
import Testing

@testable import Databases

/// A value that is bound in SQLite comes back unchanged.
@Suite struct PreparedStatementTests {
    /// The result code with which SQLite refused something.
    private struct Refused: Error, Equatable { var code: CInt }

    /// A database in memory. It is closed when its last statement is gone.
    @safe private final class Connection {
        private var database: OpaquePointer?

        init() { unsafe sqlite3_open(":memory:", &database) }
        deinit { unsafe sqlite3_close_v2(database) }

        func prepare(_ sql: String) throws -> PreparedStatement {
            var statement: OpaquePointer?
            let code = unsafe sqlite3_prepare_v2(database, sql, -1, &statement, nil)
            guard code == SQLITE_OK, let prepared = unsafe statement else { throw Refused(code: code) }
            return unsafe PreparedStatement(prepared) { [self] in
                _ = self
                return Refused(code: $0)
            }
        }
    }

    private static let values: [MemoryRows.Value] = [
        .null, .integer(.min), .real(-0.1), .text(""), .text("a\0b"), .text("corte nº 3 – ñ"), .text(String(repeating: "x", count: 100_000)),
    ]

    @Test(arguments: values) func aValueComesBackAsItWasBound(_ value: MemoryRows.Value) throws {
        let statement = try Connection().prepare("SELECT ?1, typeof(?1), length(CAST(?1 AS BLOB))")
        try statement.bind(value, at: 1)
        #expect(try statement.step())
        #expect(statement.value(0) == value)
        if case .text(let text) = value {
            #expect(statement.text(1) == "text")
            #expect(statement.integer(2) == Int64(text.utf8.count))
        }
    }

    @Test func aBatchTakesRowsUntilItIsFull() throws {
        let statement = try Connection().prepare("WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < 300) SELECT i, 'c' || i, NULL FROM n")
        var batch = RowBatch(columnCount: 3)
        var rows = 0
        while try statement.fill(&batch) { rows += batch.rowCount }
        rows += batch.rowCount
        #expect(rows == 300)
    }

    @Test("Empty texts and blobs are stored as such, not as NULL, even if no row of a batch has a byte of text")
    func emptyIsNotNull() throws {
        let connection = Connection()
        try connection.prepare("CREATE TABLE t (a, b)").run()
        var batch = RowBatch(columnCount: 1)
        batch.append("")
        for isText in [true, false] {
            try connection.prepare("INSERT INTO t VALUES (?1, ?2)").run(
                binding: batch.cells.span, text: batch.text.span, from: 1, raw: [UInt8]().span, isText: isText)
        }
        let statement = try connection.prepare("SELECT group_concat(typeof(a) || ' ' || typeof(b)) FROM t")
        #expect(try statement.step())
        #expect(statement.text(0) == "text text,text blob")
    }

    @Test func namesWithoutAValueAreNull() throws {
        let statement = try Connection().prepare("SELECT :first, :second")
        #expect(statement.parameterNames == [":first", ":second"])
        try statement.reset(named: ["second": .integer(2)])
        #expect(try statement.step())
        #expect(statement.isNull(0) && statement.integer(1) == 2)
        try statement.reset(named: ["first": .text("x")])
        #expect(try statement.step())
        #expect(statement.text(0) == "x" && statement.isNull(1))
    }

    @Test func blobsAreNoTexts() throws {
        let statement = try Connection().prepare("SELECT x'00ff', 'ff', zeroblob(0)")
        #expect(try statement.step())
        #expect(statement.blob(0) == [0, 255] && statement.blob(1) == nil && statement.blob(2) == [])
        #expect(statement.storage(0) == .blob && statement.storage(1) == .text)
    }

    @Test func aRefusalHasTheOpenersErrorAndLeavesTheStatementUsable() throws {
        let connection = Connection()
        try connection.prepare("CREATE TABLE t (id INTEGER PRIMARY KEY)").run()
        let insert = try connection.prepare("INSERT INTO t VALUES (?)")
        try insert.bind(1, at: 1)
        #expect(try insert.run() == 1)
        #expect(throws: Refused(code: SQLITE_CONSTRAINT)) { try insert.run() }
        try insert.bind(2, at: 1)
        #expect(try insert.run() == 1)
    }

    @Test func onlyQueriesOnlyRead() throws {
        let connection = Connection()
        try connection.prepare("CREATE TABLE t (a)").run()
        #expect(try connection.prepare("SELECT a FROM t").onlyReads)
        #expect(try !connection.prepare("DELETE FROM t").onlyReads)
        #expect(try !connection.prepare("EXPLAIN SELECT a FROM t").onlyReads)
    }
}
