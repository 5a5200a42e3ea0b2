import Foundation
import Testing

/// `fichero query` as people run it. `QuerySessionTests` tries what it must refuse.
@Suite struct QueryTests {
    private static let deepest = "SELECT code, depth_m FROM calicatas WHERE depth_m > 4 ORDER BY depth_m DESC, code LIMIT 2"

    @Test func anAnswerIsATableCSVOrJSON() throws {
        let office = try Office.pits()
        let expected = try office.sql("SELECT group_concat(code || '|' || depth_m) FROM (\(Self.deepest))").split(separator: ",").map { $0.split(separator: "|").map(String.init) }
        #expect(expected.count == 2)
        let table = try office.run("query", Self.deepest)
        #expect(table.status == 0, "\(table.error)")
        #expect(table.output.split(separator: "\n").map { $0.split(separator: " ").map(String.init) } == [["code", "depth_m"]] + expected + [["2", "rows."]])
        #expect(try office.run("query", "SELECT 1 AS n").output == "n\n1\n\n1 row.\n")
        let csv = try office.run("query", Self.deepest, "--format", "csv")
        #expect(csv.output == (["code,depth_m"] + expected.map { $0.joined(separator: ",") }).map { $0 + "\r\n" }.joined())
        let json = try office.run("query", Self.deepest, "--json")
        let document = try #require(try JSONSerialization.jsonObject(with: Data(json.output.utf8)) as? [String: Any])
        #expect(document["columns"] as? [String] == ["code", "depth_m"])
        #expect((document["rows"] as? [[String: Any]])?.map { "\($0["code"] ?? "")" } == expected.map { $0[0] })
        #expect(try office.run("query", Self.deepest, "--format", "json").output == json.output)
    }

    /// The log keeps before and after of a change. Who may not see the field does not see it there.
    @Test func aValueInTheLogHasTheClassOfItsColumn() throws {
        let office = try Office.pits()
        let field = "campo.nuevo@example.pe"
        let record = """
            FROM calicata_photos AS f JOIN calicatas AS c ON c.id = f.calicata_id
            JOIN projects AS p ON p.id = c.project_id
            WHERE c.status IN ('EN_REVISION', 'REVISADO', 'APROBADO') ORDER BY f.id LIMIT 1
            """
        let photo = try office.sql("SELECT f.id \(record)"), project = try office.sql("SELECT p.code \(record)")
        let person = ["users", "add", field, "--role", "CAMPO", "--name", "Campo", "--project", project]
        #expect(try office.run(person + ["--actor", Office.administrator]).status == 0)
        for author in ["CANARIO-UNO", "CANARIO-DOS"] {
            let change = [
                "edit", photo, "--set", "author=\(author)", "--set", "caption=a la vista", "--reason", "visto",
            ]
            let edited = try office.run(change + ["--fail-on", "never"])
            #expect(edited.status == 0, "\(edited.output)\(edited.error)")
        }
        let question = "SELECT details FROM activity_logs WHERE entity_id = '\(photo)'"
        let open = try office.run("query", question, "--format", "csv")
        #expect(open.status == 0 && ["CANARIO-UNO", "CANARIO-DOS"].allSatisfy(open.output.contains), "\(open.output)")
        let closed = try office.run("query", question, "--format", "csv", "--actor", field)
        #expect(closed.status == 0 && closed.output.contains("a la vista"), "\(closed.output)\(closed.error)")
        #expect(!closed.output.contains("CANARIO"), "\(closed.output)")
        for words in [["history", photo], ["history", "changes"], ["history", photo, "--json"]] {
            let told = try office.run(words + ["--actor", field])
            #expect(!told.output.contains("CANARIO"), "\(words)")
        }
        // A rejected row that was corrected stands there as it came.
        let file = office.path("calicata_photos.json")
        try #"[{"id": "0198a000-0000-7000-8000-0000000000aa", "author": "CANARIO-TRES", "depth_m": "hondo"}]"#
            .write(toFile: file, atomically: true, encoding: .utf8)
        #expect(try office.run("import", file, "--fail-on", "never", "--actor", Office.administrator).status == 0)
        let reject = try office.sql(
            "SELECT id FROM rejects WHERE entity = 'calicata_photos' AND raw LIKE '%CANARIO-TRES%'")
        let corrected = try office.run(
            "rejects", "edit", reject, "--set", "depth_m=tanto", "--actor", Office.administrator)
        #expect(corrected.status == 0, "\(corrected.output)\(corrected.error)")
        for code in try office.sql("SELECT code FROM projects").split(separator: "\n") where code != project {
            _ = try office.run("users", "join", field, "--project", String(code), "--actor", Office.administrator)
        }
        let rejected = "SELECT action, details FROM activity_logs WHERE action = 'reject_edited'"
        #expect(try office.sql(rejected).contains("CANARIO-TRES"))
        let shown = try office.run("query", rejected, "--format", "csv", "--actor", field)
        #expect(
            shown.output.contains("reject_edited") && !shown.output.contains("CANARIO"), "\(shown.output)\(shown.error)"
        )
    }

    @Test func anEmptyAnswerIsSaid() throws {
        let office = try Office.pits()
        let none = "SELECT code, depth_m FROM calicatas WHERE depth_m > 99"
        #expect(try office.run("query", none).output == "No rows.\n")
        let csv = try office.run("query", none, "--format", "csv")
        #expect(csv.output == "code,depth_m\r\n" && csv.error == "No rows.\n")
        #expect(try office.run("query", none, "--json").output == "{\"columns\": [\"code\", \"depth_m\"],\n \"rows\": []}\n")
    }

    @Test func aTableIsCutAndSaysSo() throws {
        let office = try Office(system: "ingeplus", set: nil)
        let many = "WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < 1500) SELECT i FROM n"
        let table = try office.run("query", many, "--actor", Office.administrator).output
        #expect(table.split(separator: "\n").count == 1 + 1000 + 1 && table.hasSuffix("The first 1000 rows; there are more. --format csv or json gives all.\n"))
        let lines = try office.run("query", many, "--format", "csv", "--actor", Office.administrator).output
        #expect(lines.components(separatedBy: "\r\n").count == 1 + 1500 + 1)
    }

    @Test func aFileHoldsTheQuestionAndTakesTheAnswer() throws {
        let office = try Office.pits()
        try Data("-- the deepest\n\(Self.deepest);\n".utf8).write(to: URL(fileURLWithPath: office.path("deep.sql")))
        let written = try office.run("query", "--file", "deep.sql", "-o", "out/deep.csv", "--json")
        #expect(written.status == 0, "\(written.error)")
        let said = try #require(try JSONSerialization.jsonObject(with: Data(written.output.utf8)) as? [String: Any])
        #expect(said["rows"] as? Int == 2)
        let bytes = try String(contentsOfFile: office.path("out/deep.csv"), encoding: .utf8)
        #expect(bytes == (try office.run("query", Self.deepest, "--format", "csv").output))
        #expect(try ProgramRun.program("/usr/bin/sha256sum", [office.path("out/deep.csv")]).output.hasPrefix("\(said["sha256"] ?? "—") "))
        // If a query fails after its first rows, the older file stays, and no other file is left
        // beside it.
        let failing = "SELECT code, json(CASE WHEN code = (SELECT max(code) FROM calicatas) THEN 'x' ELSE '1' END) FROM calicatas ORDER BY code"
        let failed = try office.run("query", failing, "-o", "out/deep.csv")
        #expect(failed.status == 65 && failed.error.contains("QUERY-WRONG"))
        #expect(try office.files("out") == ["deep.csv"])
        #expect(try String(contentsOfFile: office.path("out/deep.csv"), encoding: .utf8) == bytes)
    }

    @Test(arguments: [
        (["SELECT dept_m FROM calicatas"], 65, "QUERY-COLUMN", "“depth_m”?"), (["SELECT 1 FROM calicata"], 65, "QUERY-TABLE", "“calicatas”?"),
        (["SELEC 1"], 65, "QUERY-WRONG", "syntax error"), ([""], 64, "QUERY-EMPTY", "--file"), (["--file", "none.sql"], 66, "QUERY-FILE", "none.sql"),
        (["DELETE FROM calicatas"], 77, "QUERY-FORBIDDEN", "calicata_cortes"), (["SELECT 1; SELECT 2"], 65, "QUERY-SEVERAL", "UNION ALL"),
        (["SELECT full_name FROM profiles", "--actor", "asistente@example.pe"], 77, "QUERY-HIDDEN", "ASISTENTE"),
        (["SELECT 1", "--actor", "nobody@example.pe"], 77, "ACTOR-UNKNOWN", "nobody@example.pe"), (["SELECT 1", "--seconds", "0"], 64, "--seconds", "86400"),
    ])
    func aMistakeSaysTheRuleAndTheRemedy(arguments: [String], status: Int, code: String, word: String) throws {
        let refused = try Office.pits().run(["query"] + arguments)
        #expect(Int(refused.status) == status && refused.error.contains(code) && refused.error.contains(word), "\(refused.status) \(refused.error)")
        #expect(refused.output.isEmpty)
    }

    @Test func memoryIsBounded() throws {
        let office = try Office(system: "ingeplus", set: nil)
        // Each name doubles the one before. SQLite would need too much memory before the first row.
        let doubling = "WITH a0 AS (SELECT 1 AS x)" + (1...40).map { ", a\($0) AS (SELECT p.x FROM a\($0 - 1) AS p, a\($0 - 1) AS q)" }.joined() + " SELECT 1 FROM a40"
        let blobs = "SELECT " + (0..<100).map { "randomblob(16000000) AS b\($0)" }.joined(separator: ", ")
        for sql in [doubling, blobs] {
            let refused = try office.run("query", sql, "--actor", Office.administrator)
            #expect(refused.status == 65 && refused.error.contains("QUERY-LARGE") && refused.error.contains("256 MiB"), "\(refused.status) \(refused.error)")
        }
    }

    @Test func anAssistantSeesHisProjectsOnly() throws {
        let office = try Office.pits()
        let all = try office.run("query", "SELECT code FROM projects ORDER BY code", "--format", "csv").output
        let own = try office.run("query", "SELECT code FROM projects ORDER BY code", "--format", "csv", "--actor", "asistente@example.pe").output
        #expect(all.contains("CHU-2025") && !own.contains("CHU-2025"))
        let pits = "SELECT count(*) FROM calicatas AS c JOIN projects AS p ON p.id = c.project_id WHERE p.code = 'CHU-2025'"
        #expect(try office.run("query", pits, "--format", "csv", "--actor", "asistente@example.pe").output.hasSuffix("\r\n0\r\n"))
        let photos = try office.run("query", "SELECT * FROM calicata_photos LIMIT 1", "--format", "csv", "--actor", "asistente@example.pe").output
        #expect(photos.contains("latitude") && !photos.contains("author"))
    }
}
