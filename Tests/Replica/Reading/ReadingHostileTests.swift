import Databases
import Foundation
import Model
import Testing
import Workbench

@testable import Replica

/// Very bad data and queries, and other programs that use the same replica.
@Suite struct ReadingHostileTests {
    private func column(_ scene: ReadingScene, _ path: String) throws -> [String: [UInt8]] {
        let source = try scene.session().rows(of: "calicatas", paths: [FieldPath(path)])
        var found: [String: [UInt8]] = [:]
        var batch = RowBatch(columnCount: 2)
        repeat {
            try source.fill(&batch)
            for row in 0..<batch.rowCount { found[batch.string(row, 0) ?? ""] = Array(batch.text[batch.cell(row, 1).range]) }
        } while batch.rowCount > 0
        return found
    }

    @Test func textsKeepTheirBytes() throws {
        let scene = try ReadingScene.pits()
        try scene.sql(
            """
            UPDATE calicatas SET title = CAST(x'610062' AS TEXT) WHERE id = 'c1'; UPDATE calicatas SET title = CAST(x'C328FF41' AS TEXT) WHERE id = 'c2';
            UPDATE calicatas SET title = '' WHERE id = 'c3'
            """)
        let titles = try column(scene, "title")
        #expect(titles == ["c1": [0x61, 0, 0x62], "c2": [0xC3, 0x28, 0xFF, 0x41], "c3": []])
        try scene.sql("UPDATE calicatas SET title = CAST(replace(hex(zeroblob(4000000)), '00', 'é') AS TEXT) WHERE id = 'c3'")
        #expect(try column(scene, "title")["c3"]?.count == 8_000_000)
    }

    @Test func namesWithNULCharactersAreWhole() throws {
        let scene = try ReadingScene.pits()
        let nul = "CAST(x'6300FF' AS TEXT)", good = "CAST(x'630064' AS TEXT)"
        try scene.sql("UPDATE calicatas SET code = \(nul) WHERE id = 'c1'; INSERT INTO calicatas (id, project_id, code, status, sync_state) VALUES (\(good), 'p1', 'C-9', 'APROBADO', 'synced'); INSERT INTO calicata_cortes (id, calicata_id, sync_state) VALUES ('deep', \(good), 'synced')")
        let session = try scene.session()
        #expect(try session.select(scene.record, in: session.projects[0], SelectionRequest(filter: "code = 'C-9'"), hasRemote: true).selected == 1)
        #expect(try session.selectedRecordIDs(inState: "APROBADO") == ["c\u{0}d"])
        #expect(try session.leftOut(limit: 9).contains { $0.key == "TPA-1 / c\u{0}\u{FFFD}" })
        #expect(try session.giveNumbers(scene.pack.numberings[0]).map(\.rowID).contains("c\u{0}d"))
        #expect(try session.giveNumbers(scene.pack.numberings[0]).isEmpty)
        try session.findings.add(Finding(code: "E", severity: .error, place: Place(table: "calicatas", id: "c\u{0}d")))
        #expect(try session.withholdRecordsWithErrors() == 1)
    }

    @Test func aProjectWithANULInItsIdIsAProject() throws {
        let scene = try ReadingScene.pits()
        let id = "CAST(x'700071' AS TEXT)"
        try scene.sql("INSERT INTO projects (id, code, name) VALUES (\(id), 'NUL', 'Nul'); INSERT INTO project_members (id, project_id, profile_id) VALUES ('m9', \(id), '\(ReadingScene.actorID)'); INSERT INTO calicatas (id, project_id, code, sync_state) VALUES ('n', \(id), 'N-1', 'synced')")
        let session = try scene.session(projects: ["NUL"])
        #expect(try session.select(scene.record, in: session.projects[0], SelectionRequest(), hasRemote: true).selected == 1)
    }

    @Test func whatIsNoJSONDangles() throws {
        let scene = try ReadingScene(survey: "anagrafica")
        let ids = try scene.sql("SELECT i.id FROM instances i ORDER BY id LIMIT 6")
        for (id, text) in zip(ids, ["[1,", "{\"a\": 1}", "\"text\"", "", "[null, 5, [\"x\"]]", String(repeating: "[", count: 5000)]) {
            try scene.sql("UPDATE instances SET photo_ids = '\(text)', parameters = '\(text)', plan_point = '\(text)' WHERE id = '\(id)'")
        }
        try scene.sql("UPDATE families SET parameter_schema = '{\"parameters\": 5' WHERE id = (SELECT min(id) FROM families)")
        try scene.sql("UPDATE types SET parameters = 'null'; UPDATE rooms SET polygon = '[['")
        let session = try scene.session()
        for export in scene.pack.exports where export.bundle == nil {
            for project in session.projects {
                _ = try session.select(try #require(scene.pack.record(export.record)), in: project, .everything, hasRemote: false)
                for sheet in try session.sheets(of: export, language: .italian) {
                    #expect(try allRows(sheet.open()).count == sheet.rowCount)
                }
                try session.findings.add(Finding(code: "E", severity: .error, place: Place(table: "photos", id: "q")))
                #expect(try session.withholdRecordsWithErrors() == 0)
                _ = try session.facts(of: export)
            }
        }
    }

    private static let parameters = [
        (#"{"a": 30}"#, "30"), (#"{"a": 1.50}"#, "1.5"), (#"{"a": true}"#, "1"), (#"{"a": null}"#, "∅"), (#"{"b": 1}"#, "∅"), ("nonsense", "∅"), ("", "∅"),
        (#"{"a": "x\u0000y"}"#, "x\u{0}y"), (#"{"a": ["p", 2, "q"]}"#, "p; 2; q"), (#"{"a": {"type": "number", "numberValue": 30}}"#, "30"),
        (#"{"the-id": {"type": "string", "stringValue": "s"}}"#, "s"), (#"{"a": {"x": 1}}"#, #"{"x":1}"#), (#"{"a": 123456789012345678901234}"#, "1.23456789012346e+23"),
    ]

    @Test func parametersAreFoundInEitherForm() throws {
        let scene = try ReadingScene.pits()
        let statement = try SQLiteConnection(path: scene.file).prepare("SELECT parameter(?1, 'a', 'the-id')")
        for (json, value) in Self.parameters {
            try statement.reset([.text(json)])
            #expect(try statement.step())
            #expect(statement.text(0) ?? "∅" == value, "\(json)")
        }
    }

    @Test(arguments: [("12+300", 12300), ("0+045.50", 45.5), ("12300", nil), ("12+", nil), ("abc", nil), ("12+5", nil), ("1+1000", nil), ("-1+000", nil), ("1+2+3", nil), ("a+b", nil), ("1+nan", nil), ("", nil), ("9999999999999999999+1", nil)])
    func chainagesAreMetres(_ text: String, _ metres: Double?) {
        #expect(Chainage.metres(text) == metres)
    }

    @Test func aSlowQueryIsStoppedAndTheSessionWorksOn() throws {
        let scene = try ReadingScene.pits()
        let session = try scene.session()
        try session.findings.add(Finding(code: "E", severity: .error, place: Place(table: "calicatas", id: "c1")))
        let endless = "WITH RECURSIVE n(id) AS (SELECT 1 UNION ALL SELECT id + 1 FROM n) SELECT count(*) AS id FROM n"
        let slow = try session.query(endless, columns: ["id"], seconds: 0.05)
        let other = try session.rows(of: "calicatas", paths: [])
        #expect { _ = try allRows(slow) } throws: { ($0 as? QueryTimeout)?.seconds == 0.05 }
        #expect(try allRows(other).count == 3)
        #expect(try session.findings.counts().map(\.count) == [1])
        #expect(try session.select(scene.record, in: session.projects[0], SelectionRequest(), hasRemote: true).selected == 3)
        #expect(try session.withholdRecordsWithErrors() == 1)
        #expect(try allRows(session.query("SELECT id FROM calicatas", columns: ["id"], seconds: 5)).count == 3)
    }

    @Test func sessionsSeeOneStateWhileOthersWrite() throws {
        let scene = try ReadingScene.pits()
        let first = try scene.session()
        try scene.sql("INSERT INTO calicatas (id, project_id, code, sync_state) VALUES ('c4', 'p1', 'C-4', 'synced')")
        let second = try scene.session()
        try scene.sql("DELETE FROM calicata_cortes; UPDATE calicatas SET code = 'changed'")
        for (session, pits, strata) in [(first, 3, 6), (second, 4, 6)] {
            #expect(try session.select(scene.record, in: session.projects[0], SelectionRequest(), hasRemote: true).selected == pits)
            #expect(try allRows(session.rows(of: "calicata_cortes", paths: [FieldPath("calicata_id.code")])).filter { $0[1].hasPrefix("C-") }.count == strata)
        }
        #expect(try allRows(scene.session().rows(of: "calicata_cortes", paths: [])).isEmpty)
    }

    @Test func aSessionWritesNothing() throws {
        let scene = try ReadingScene.pits()
        let session = try scene.session()
        #expect(throws: ReplicaFailure.self) { try session.connection.execute("DELETE FROM \(session.connection.base).calicatas") }
        #expect(throws: ReplicaFailure.self) { try SQLiteConnection(path: scene.place.file("none.db")) }
        #expect(try FileManager.default.contentsOfDirectory(atPath: scene.place.path).filter { $0.contains("none") } == [])
    }
}
