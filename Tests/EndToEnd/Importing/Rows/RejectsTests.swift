import Foundation
import Testing

/// Rejected rows are corrected and tried again. No row is lost, and no row comes in twice.
@Suite struct RejectsTests {
    /// Rows whose parents form a ring are refused, both within a file and together with rows of the
    /// replica.
    @Test func ringsOfParentsAreRefusedAndChangeNothing() throws {
        let office = try Office.pits()
        let here = try office.sql("SELECT id || ' ' || project_id FROM document_nodes WHERE parent_id IS NOT NULL ORDER BY id LIMIT 1").split(separator: " ").map(String.init)
        let root = try office.sql("SELECT parent_id FROM document_nodes WHERE id = '\(here[0])'")
        func node(_ id: String, _ parent: String?) -> String {
            "{\"id\":\"\(id)\",\"project_id\":\"\(here[1])\",\"name\":\"n\",\"type\":\"folder\",\"parent_id\":\(parent.map { "\"\($0)\"" } ?? "null")}"
        }
        func id(_ number: Int) -> String { "019e0000-0000-7000-8000-00000000000\(number)" }
        let rings = [
            [node(id(1), id(1))], [node(id(0), nil), node(id(1), id(2)), node(id(2), id(3)), node(id(3), id(1))], [node(id(4), id(1)), node(id(1), id(2)), node(id(2), id(1))],
            [node(root, here[0])],
        ]
        let before = try office.sql("SELECT count(*) || ' ' || (SELECT count(*) FROM imports) || ' ' || (SELECT count(*) FROM rejects) FROM document_nodes")
        for ring in rings {
            try ring.joined(separator: "\n").write(toFile: office.path("document_nodes.ndjson"), atomically: true, encoding: .utf8)
            let run = try office.run("import", "document_nodes.ndjson", "--policy", "update", "--actor", Office.administrator)
            #expect(run.status == 65 && run.error.contains("IMPORT-CYCLE") && run.error.contains("document_nodes.ndjson:") && run.error.contains("→ Nothing"), "\(run.error)")
        }
        #expect(try office.sql("SELECT count(*) || ' ' || (SELECT count(*) FROM imports) || ' ' || (SELECT count(*) FROM rejects) FROM document_nodes") == before)
        // Children may stand before their parents, and two rows may have one parent.
        let tree = [node(id(3), id(2)), node(id(4), id(2)), node(id(2), id(1)), node(id(1), here[0])]
        try tree.joined(separator: "\n").write(toFile: office.path("document_nodes.ndjson"), atomically: true, encoding: .utf8)
        let sound = try office.run("import", "document_nodes.ndjson", "--actor", Office.administrator)
        #expect(sound.status == 0, "\(sound.error) \(sound.output)")
    }

    private let office: Office

    init() throws {
        office = try Office.pits()
        let project = try office.sql("SELECT id FROM projects LIMIT 1")
        let rows = """
            {"id": "0198a000-0000-7000-8000-00000000b001", "project_id": "\(project)", "code": "Q-01", "depth_m": "deep", "status": "BORRADOR"}
            {"id": "0198a000-0000-7000-8000-00000000b002", "project_id": "\(project)", "code": "Q-02", "depth_m": 1.5, "status": "BORRADOR"
            {"id": "0198a000-0000-7000-8000-00000000b003", "project_id": "0198a000-0000-7000-8000-00000000dead", "code": "Q-03", "status": "BORRADOR"}
            {"id": "0198a000-0000-7000-8000-00000000b004", "project_id": "\(project)", "code": "Q-04", "status": "BORRADOR"}
            """
        try rows.write(toFile: office.path("calicatas.ndjson"), atomically: true, encoding: .utf8)
        let run = try office.run("import", office.path("calicatas.ndjson"))
        #expect(run.status == 1, "\(run.output) \(run.error)")
    }

    private func rejects(_ arguments: String...) throws -> [[String: Any]] {
        let run = try office.run(["rejects", "list", "--json"] + arguments)
        return try JSONSerialization.jsonObject(with: Data(run.output.utf8)) as? [[String: Any]] ?? []
    }

    private func id(_ code: String) throws -> String {
        let row = try #require(try rejects().first { ($0["raw"] as? String)?.contains(code) ?? false }, "\(code)")
        return try #require(row["id"] as? String)
    }

    @Test func editedRowsGoInAndOthersWaitOn() throws {
        #expect(try rejects().count == 3)
        #expect(try office.run("rejects").output.contains("FIELD-TYPE"))
        // Nothing was corrected, so every row is rejected again, and only once.
        #expect(try office.run("rejects", "retry").status == 1)
        #expect(try rejects().count == 3)
        #expect(try office.run("rejects", "edit", String(id("Q-01").suffix(8)), "--set", "depth_m=1.5").status == 0)
        let whole = "{\"id\": \"0198a000-0000-7000-8000-00000000b002\", \"project_id\": \"\(try office.sql("SELECT id FROM projects LIMIT 1"))\", \"code\": \"Q-02\", \"depth_m\": 1.5, \"status\": \"BORRADOR\"}"
        #expect(try office.run("rejects", "edit", id("Q-02"), "--set", "code=Q-02").status == 64, "it is no object")
        #expect(try office.run("rejects", "edit", id("Q-02"), "--raw", whole).status == 0)
        #expect(try office.run("rejects", "retry").status == 1, "the third row still has no project")
        #expect(try office.sql("SELECT group_concat(code || ' ' || coalesce(depth_m, '')) FROM (SELECT * FROM calicatas WHERE code LIKE 'Q-%' ORDER BY code)")
            == "Q-01 1.5,Q-02 1.5,Q-04 ")
        let waiting = try rejects()
        #expect(waiting.count == 1)
        #expect((waiting[0]["findings"] as? [[String: Any]])?.first?["code"] as? String == "FIELD-REFERENCE")
        #expect(try office.sql("SELECT count(*) FROM activity_logs WHERE action = 'reject_edited'") == "2")
        // New rows wait for upload, as every local change does.
        #expect(try office.sql("SELECT count(*) FROM calicatas WHERE code LIKE 'Q-%' AND sync_state = 'local_only'") == "3")
    }

    @Test func aDismissedRowIsKeptAndNotTriedAgain() throws {
        let row = try id("Q-03")
        #expect(try office.run("rejects", "dismiss", row, "--reason", "project was given up").status == 0)
        #expect(try rejects().count == 2)
        #expect(try rejects("--state", "dismissed").map { $0["id"] as? String } == [row])
        #expect(try office.run("rejects", "retry", row).status == 64)
        #expect(try office.run("rejects", "edit", row, "--set", "code=x").status == 64)
        #expect(try office.run("rejects", "show", row).output.contains("Q-03"))
    }

    @Test func whoeverMayNotImportSeesNoRawRows() throws {
        #expect(try office.run("rejects", "--actor", "lector@example.pe").status == 77)
        // Another person who may import sees only the rows of their own imports. An administrator
        // sees all rows.
        let other = try office.run("rejects", "--actor", "asistente@example.pe")
        #expect(other.status == 0 && !other.output.contains("FIELD-TYPE"), "\(other.output) \(other.error)")
        #expect(try office.run("rejects", "show", id("Q-01"), "--actor", "asistente@example.pe").status == 66)
        #expect(try office.run("rejects", "--actor", Office.administrator).output.contains("FIELD-TYPE"))
        #expect(try office.run("rejects", "show", "nonesuch").status == 66)
        #expect(try office.run("rejects", "edit", id("Q-01")).status == 64)
        #expect(try office.run("rejects", "edit", id("Q-01"), "--set", "=1").status == 64)
    }
}
