import Foundation
import Model
import Testing

@testable import Replica

/// Questions in SQL: which are answered, and every way around the actor's rights that we know.
@Suite struct QuerySessionTests {
    /// `title` is personal, so readers do not see it. The tester is a member of TPA-1 only, with
    /// the pits C-1 to C-3. The pit X-1 belongs to TPA-2.
    private static func scene() throws -> ReadingScene {
        try ReadingScene.pits { entities in
            if let field = entities[1].fields.firstIndex(where: { $0.name == "title" }) { entities[1].fields[field].privacy = "personal" }
        }
    }

    private static func session(_ scene: ReadingScene, _ role: String = "LECTOR", bounds: QueryBounds = QueryBounds()) throws -> QuerySession {
        let zone = TimeZone(identifier: scene.pack.timeZone) ?? .gmt
        return try QuerySession(path: scene.file, pack: scene.pack, actor: scene.actor(role), timeZone: zone, asOf: testTime, bounds: bounds)
    }

    private static func rows(_ sql: String, _ session: QuerySession) throws -> [[String]] { try allRows(session.answer(to: sql)) }

    private static func failure(_ sql: String, _ session: QuerySession) -> QueryFailure? {
        do {
            _ = try rows(sql, session)
            return nil
        } catch {
            return error as? QueryFailure
        }
    }

    @Test func aQuestionIsAnsweredInItsOwnOrderWithItsOwnNames() throws {
        let session = try Self.session(Self.scene())
        let answer = try session.answer(to: " SELECT code, depth_m AS deep, code FROM calicatas ORDER BY depth_m DESC; -- all\n")
        #expect(answer.columns == ["code", "deep", "code_2"])
        #expect(try allRows(answer) == [["C-3", "3.0", "C-3"], ["C-2", "2.0", "C-2"], ["C-1", "1.5", "C-1"]])
        #expect(try Self.rows("SELECT :today", session) == [[OfficeDay.text(of: testTime, in: TimeZone(identifier: "America/Lima")!)]])
        #expect(try Self.rows("SELECT code FROM calicatas WHERE depth_m > 99", session) == [])
        #expect(try Self.rows("WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < 600) SELECT i FROM n", session).count == 600)
        #expect(try Self.rows("SELECT value FROM json_each('[1, 2]')", session) == [["1"], ["2"]])
        #expect(try Self.rows("SELECT c.code, count(*) FROM calicatas AS c JOIN calicata_cortes AS s ON s.calicata_id = c.id GROUP BY c.id ORDER BY 1", session).count == 3)
    }

    /// Ways to reach rows of a project of which the actor is not a member. No answer may have such
    /// rows.
    @Test(arguments: [
        "SELECT code FROM calicatas", "SELECT code FROM temp.calicatas", "WITH c AS (SELECT * FROM calicatas) SELECT code FROM c",
        "SELECT code FROM calicatas UNION SELECT code FROM calicatas WHERE code LIKE 'X%'", "SELECT (SELECT max(code) FROM calicatas)",
        "SELECT c.code FROM calicata_cortes AS s LEFT JOIN calicatas AS c ON 1", "SELECT code FROM projects", "SELECT calicata_id FROM calicata_photos",
        "SELECT json_group_array(code) FROM calicatas", "SELECT code FROM calicatas GROUP BY code HAVING 1 OR code = 'X-1'",
        "SELECT first_value(code) OVER (ORDER BY code DESC) FROM calicatas", "SELECT project_id FROM project_members",
        "SELECT code FROM calicatas WHERE project_id = 'p2' OR project_id IS NULL OR 1",
    ])
    func rowsOfOthersAreNotThere(sql: String) throws {
        let scene = try Self.scene()
        let said = try Self.rows(sql, try Self.session(scene)).flatMap { $0 }.joined(separator: " ")
        for secret in ["X-1", "TPA-2", "x1", "p2"] { #expect(!said.contains(secret), "\(sql): \(said)") }
    }

    /// SQLite may test a condition on a row before it knows whether the actor may see the row. An
    /// error in such a test would say something about a hidden row, so it must not happen.
    @Test(arguments: [
        ("SELECT id FROM calicatas WHERE abs(CASE WHEN code = 'X-1' THEN -9223372036854775808 ELSE 1 END) > 0", [["c1"], ["c2"], ["c3"]]),
        ("SELECT id FROM calicatas WHERE json(CASE WHEN depth_m = 9 THEN 'x' ELSE '1' END) = '1'", [["c1"], ["c2"], ["c3"]]),
        ("SELECT count(*) FROM calicatas WHERE CASE WHEN code = 'X-1' THEN json_extract('x', '$') ELSE 1 END", [["3"]]),
        ("SELECT id FROM calicatas ORDER BY CASE WHEN code = 'X-1' THEN json('x') END, id", [["c1"], ["c2"], ["c3"]]),
        ("SELECT max(CASE WHEN code = 'X-1' THEN json('x') END) FROM calicatas", [["∅"]]),
        ("SELECT count(*) FROM calicata_cortes AS s, calicatas AS c WHERE s.calicata_id = c.id AND json(CASE WHEN s.calicata_id = 'x1' THEN 'x' ELSE '1' END) = '1'", [["6"]]),
        ("SELECT count(*) FROM calicata_cortes WHERE json(CASE WHEN calicata_id = 'x1' THEN 'x' ELSE '1' END) = '1'", [["6"]]),
        ("SELECT count(*) FROM projects WHERE json(CASE WHEN code = 'TPA-2' THEN 'x' ELSE '1' END) = '1'", [["1"]]),
    ] as [(String, [[String]])])
    func anErrorTellsNothingOfRowsOfOthers(sql: String, answer: [[String]]) throws {
        #expect(try Self.rows(sql, try Self.session(Self.scene())) == answer)
    }

    @Test func aColumnThatTheRoleDoesNotSeeIsNotThere() throws {
        let scene = try Self.scene()
        let reader = try Self.session(scene), manager = try Self.session(scene, "GERENCIA")
        #expect(try !reader.answer(to: "SELECT * FROM calicatas").columns.contains("title"))
        #expect(try manager.answer(to: "SELECT * FROM calicatas").columns.contains("title"))
        #expect(try !Self.rows("SELECT * FROM calicatas", reader).flatMap { $0 }.contains("Dos"))
        for sql in [
            "SELECT title FROM calicatas", "SELECT code FROM calicatas ORDER BY title", "SELECT code FROM calicatas WHERE title = 'Dos'",
            "SELECT \"title\" FROM calicatas", "SELECT c.title FROM calicatas AS c", "WITH x AS (SELECT title FROM calicatas) SELECT * FROM x",
            "SELECT code FROM calicatas GROUP BY code HAVING max(title) > ''", "SELECT (SELECT title FROM calicatas LIMIT 1)",
            "SELECT count(*) OVER (PARTITION BY title) FROM calicatas", "SELECT code FROM calicatas UNION SELECT title FROM calicatas",
            "SELECT json_object('t', title) FROM calicatas", "SELECT count(DISTINCT TITLE) FROM calicatas",
        ] {
            let failure = Self.failure(sql, reader)
            #expect(failure?.code == "QUERY-HIDDEN" && failure?.arguments["role"] == "LECTOR", "\(sql): \(String(describing: failure))")
            #expect(Self.failure(sql, manager) == nil, "\(sql)")
        }
    }

    @Test(arguments: [
        "SELECT name FROM sqlite_master", "SELECT * FROM sqlite_schema", "SELECT * FROM temp.sqlite_schema", "SELECT count(*) FROM sqlite_temp_master",
        "WITH x AS (SELECT sql FROM sqlite_temp_schema) SELECT * FROM x", "SELECT * FROM pragma_table_info('calicatas')", "SELECT count(*) FROM pragma_database_list",
        "SELECT * FROM calicatas, pragma_database_list", "PRAGMA database_list", "PRAGMA writable_schema = 1", "ATTACH 'other.db' AS other", "DETACH base",
        "INSERT INTO calicatas (id) VALUES ('q')", "UPDATE calicatas SET code = 'x'", "DELETE FROM calicatas", "REPLACE INTO calicatas (id) VALUES ('q')",
        "DELETE FROM calicatas RETURNING id", "CREATE TEMP TABLE t (id)", "CREATE TABLE t AS SELECT * FROM calicatas", "DROP VIEW calicatas",
        "CREATE TEMP VIEW v AS SELECT title FROM calicatas", "CREATE TEMP TRIGGER t INSTEAD OF INSERT ON calicatas BEGIN SELECT 1; END",
        "CREATE VIRTUAL TABLE temp.f USING fts5(x)", "SELECT count(*) FROM fts5", "SELECT count(*) FROM fts4aux", "SELECT count(*) FROM dbstat",
        "SELECT * FROM sqlite_stmt", "SELECT * FROM sqlite_dbpage", "SELECT * FROM fichero_replica", "SELECT count(*) FROM fichero_replica",
        "SELECT * FROM pipeline_runs", "SELECT * FROM rejects", "SELECT * FROM import_changes", "WITH x AS (SELECT * FROM imports) SELECT 1 FROM x",
        "SELECT load_extension('x')", "SELECT fts3_tokenizer('simple')", "VACUUM INTO 'copy.db'", "REINDEX", "ANALYZE", "BEGIN", "COMMIT", "ROLLBACK", "SAVEPOINT s",
        "EXPLAIN SELECT code FROM calicatas", "EXPLAIN QUERY PLAN SELECT code FROM calicatas", "SELECT * FROM visible_projects",
    ])
    func whatIsNotReadingIsRefused(sql: String) throws {
        let scene = try Self.scene()
        let session = try Self.session(scene), before = try Data(contentsOf: URL(fileURLWithPath: scene.file))
        let failure = Self.failure(sql, session)
        #expect(["QUERY-FORBIDDEN", "QUERY-TABLE"].contains(failure?.code), "\(sql): \(String(describing: failure))")
        // The session can still be used, and the file has not changed.
        #expect(try Self.rows("SELECT count(*) FROM calicatas", session) == [["3"]])
        #expect(try Data(contentsOf: URL(fileURLWithPath: scene.file)) == before)
    }

    @Test(arguments: [
        "SELECT * FROM main.calicatas", "SELECT readfile('/etc/passwd')",
        "SELECT writefile('x', 'y')", "SELECT edit('x')", "SELECT code FROM calicatas INDEXED BY calicatas_code", "SELECT content_stamp FROM calicatas",
        "SELECT key_text FROM calicatas", "SELECT import_source FROM calicatas", "SELECT sqlite_offset(code) FROM calicatas", "VALUES", "SELECT",
    ])
    func whatIsNotThereCannotBeNamed(sql: String) throws {
        let session = try Self.session(Self.scene())
        #expect(Self.failure(sql, session) != nil, "\(sql)")
        #expect(!"\(String(describing: Self.failure(sql, session)))".contains(session.connection.schema))
    }

    /// A view does not show the rowid of its table under any of its names.
    @Test(arguments: ["rowid", "_rowid_", "oid"]) func aRowHasNoNumber(name: String) throws {
        let session = try Self.session(Self.scene())
        #expect(try Self.rows("SELECT \(name) FROM calicatas", session) == [["∅"], ["∅"], ["∅"]])
        #expect(try Self.rows("SELECT count(*) FROM calicatas", session) == [["3"]])
    }

    @Test func theSchemaOfTheTablesCannotBeFound() throws {
        let session = try Self.session(Self.scene())
        // The name of the real tables in one session is of no use in another session.
        #expect(Self.failure("SELECT code FROM \(session.connection.base).calicatas", try Self.session(Self.scene())) != nil)
        for sql in ["SELECT sqlite_version()", "SELECT * FROM json_each('[]')", "SELECT * FROM json_tree('{}')"] { _ = try Self.rows(sql, session) }
    }

    @Test func mistakesAreReportedWithWhatWasMeant() throws {
        let session = try Self.session(Self.scene())
        #expect(Self.failure("", session) == .empty)
        #expect(Self.failure(" ; -- nothing", session) == .empty)
        #expect(Self.failure("SELECT 1; SELECT 2", session) == .several)
        #expect(Self.failure("SELECT 1; DROP TABLE calicatas", session) == .several)
        #expect(Self.failure("SELECT 1 /* ; */; -- ;", session) == nil)
        #expect(Self.failure("SELECT 1\0; DROP TABLE calicatas", session) != nil)
        func known(_ failure: QueryFailure?) -> [String] { failure?.arguments["known"]?.components(separatedBy: ", ") ?? [] }
        let table = Self.failure("SELECT 1 FROM calicata", session), tables = known(table)
        #expect(table == .unknownTable("calicata", nearest: "calicatas", known: tables))
        #expect(tables.contains("calicata_cortes") && !tables.contains("imports"))
        let column = Self.failure("SELECT dept_m FROM calicatas", session), columns = known(column)
        #expect(column == .unknownColumn("dept_m", nearest: "depth_m", known: columns))
        #expect(columns.contains("code") && !columns.contains("title"))
        #expect(Self.failure("SELECT code FROM calicatas WHERE code = \"C-1\"", session) == .unknownColumn("C-1", nearest: nil, known: columns))
        #expect(Self.failure("SELECT meters(1)", session) == .unknownFunction("meters"))
        #expect(Self.failure("SELECT :code", session) == .unknownParameter(":code"))
        #expect(Self.failure("SELECT ?1", session) == .unknownParameter("?1"))
        let wrong = Self.failure("SELEC 1", session)
        #expect(wrong?.code == "QUERY-WRONG" && wrong?.arguments["reason"]?.contains("SELEC") == true)
        #expect(Self.failure("SELECT abs(-9223372036854775808)", session)?.code == "QUERY-WRONG")
    }

    private static let endless = "WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n) SELECT count(*) FROM n"

    @Test func whatNeverEndsIsEnded() throws {
        let scene = try Self.scene()
        var bounds = QueryBounds()
        bounds.steps = 1_000_000
        #expect(Self.failure(Self.endless, try Self.session(scene, bounds: bounds)) == .tooLarge(limit: "1000000 steps"))
        bounds = QueryBounds()
        bounds.seconds = 0
        #expect(Self.failure(Self.endless, try Self.session(scene, bounds: bounds)) == .tooSlow(seconds: 0))
        bounds = QueryBounds()
        bounds.rows = 100
        let many = "WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n) SELECT i FROM n"
        #expect(Self.failure(many, try Self.session(scene, bounds: bounds)) == .tooLarge(limit: "100 rows"))
    }

    @Test(arguments: [
        "SELECT zeroblob(900000000)", "SELECT randomblob(900000000)", "SELECT hex(zeroblob(9000000))",
        "SELECT replace(hex(zeroblob(1000000)), '0', '0123456789')",
        "WITH RECURSIVE t(x) AS (SELECT 'x' UNION ALL SELECT x || x FROM t) SELECT length(x) FROM t",
        "WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n LIMIT 1000) SELECT group_concat(hex(zeroblob(50000))) FROM n",
    ])
    func aValueHasABound(sql: String) throws {
        #expect(Self.failure(sql, try Self.session(Self.scene())) == .tooLarge(limit: "16777216 bytes"))
    }

    /// SQLite gives no value if `printf` would need too much memory.
    @Test(arguments: ["printf('%.*c', 20000000, 'x')", "printf('%90000000s', 'x')", "printf('%.90000000d', 1)"])
    func whatIsPrintedHasABound(value: String) throws {
        #expect(try Self.rows("SELECT length(\(value))", Self.session(Self.scene())) == [["∅"]])
    }

    @Test func whoIsAMemberOfNothingSeesNothing() throws {
        let scene = try Self.scene()
        try scene.sql("DELETE FROM project_members")
        let session = try Self.session(scene)
        for table in ["projects", "calicatas", "calicata_cortes", "calicata_photos"] {
            #expect(try Self.rows("SELECT count(*) FROM \(table)", session) == [["0"]], "\(table)")
        }
    }
}
