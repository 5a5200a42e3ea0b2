import Foundation
import Testing

@testable import Model
@testable import Replica

/// Numbers that are stored for a client, and the facts that show whether an export has changed.
@Suite struct ReadingNumbersTests {
    private func give(_ session: ReadSession, _ scene: ReadingScene, project: Int = 0, _ request: SelectionRequest = .everything, when: String? = nil) throws -> [String] {
        _ = try session.select(scene.record, in: session.projects[project], request, hasRemote: false)
        var numbering = scene.pack.numberings[0]
        numbering.when = try when.map(ExpressionParser.parse)
        return try session.giveNumbers(numbering).map { "\($0.rowID) \($0.number)" }
    }

    private func bothProjects() throws -> ReadingScene {
        let scene = try ReadingScene.pits()
        try scene.sql("INSERT INTO project_members (id, project_id, profile_id) VALUES ('m2', 'p2', '\(ReadingScene.actorID)')")
        return scene
    }

    @Test func numbersFollowTheOrderAndGoOnAfterTheStoredOnes() throws {
        let scene = try bothProjects()
        #expect(try give(scene.session(), scene) == ["c1 1", "c2 2", "c3 3"])
        // No number was stored yet, so the same numbers are given again. Stored numbers stay, even
        // if the order changes.
        try scene.sql("INSERT INTO export_numbers VALUES ('export_id', 'p1', 'c2', 7), ('other', 'p1', 'c1', 99), ('export_id', 'p2', 'gone', 50)")
        let session = try scene.session()
        #expect(try give(session, scene) == ["c1 8", "c3 9"])
        #expect(try give(session, scene) == [])
        #expect(try give(session, scene, project: 1) == ["x1 51"])
    }

    @Test func whatIsSelectedDoesNotDecideWhoGetsANumber() throws {
        let scene = try bothProjects()
        let session = try scene.session()
        #expect(try give(session, scene, SelectionRequest(filter: "code = 'C-2'")) == ["c1 1", "c2 2", "c3 3"])
        #expect(try give(session, scene, project: 1) == ["x1 1"])
        #expect(try give(session, scene) == [])
    }

    @Test func theProjectsStateAllowsNumbersOrNot() throws {
        let scene = try bothProjects()
        try scene.sql("UPDATE projects SET status = 'CERRADO' WHERE id = 'p2'; UPDATE projects SET client = NULL")
        let session = try scene.session()
        for (condition, isTrue) in [("status in ('CERRADO')", false), ("status = 'ACTIVO'", true), ("client = 'x'", false), ("not (client = 'x')", false)] {
            #expect(try session.isTrue(ExpressionParser.parse(condition), of: session.projects[0]) == isTrue, "\(condition)")
        }
        #expect(try give(session, scene, when: "status = 'CERRADO'") == [])
        #expect(try give(session, scene, project: 1, when: "status = 'CERRADO'") == ["x1 1"])
    }

    @Test func sheetsShowNumbersAtOnce() throws {
        let scene = try ReadingScene(survey: "anagrafica")
        let session = try scene.session()
        let export = try #require(scene.pack.export("assets")), numbering = try #require(scene.pack.numbering("export_id"))
        let kind = try #require(scene.pack.record("asset"))
        let (approved, draft) = (try #require(session.projects.first { $0.name.contains("Faggio") }), try #require(session.projects.first { !$0.name.contains("Faggio") }))
        _ = try session.select(kind, in: draft, .everything, hasRemote: false)
        #expect(try session.giveNumbers(numbering).isEmpty)
        let assets = try session.select(kind, in: approved, .everything, hasRemote: false).selected
        let before = try session.facts(of: export)
        let given = try session.giveNumbers(numbering)
        #expect(given.map(\.number) == Array(1...Int64(assets)))
        #expect(given.map(\.rowID) == (try scene.sql(
            """
            SELECT i.id FROM instances i JOIN rooms r ON r.id = i.room_id JOIN levels l ON l.id = r.level_id
            WHERE l.project_id = '\(approved.id)' ORDER BY l.number, l.id, r.number, r.id, i.created_at, i.id
            """)))
        #expect(try session.facts(of: export) != before)
        var shown: [String] = []
        for sheet in try session.sheets(of: export, language: .italian) where sheet.name == "family" {
            for row in try allRows(sheet.open()) { shown.append("\(row[row.count - 1]) \(row[0])") }
        }
        #expect(shown.sorted() == given.map { "\($0.rowID) \($0.number)" }.sorted())
    }

    @Test func factsTellEveryChangeOfContentAndNothingElse() throws {
        let scene = try bothProjects()
        let export = ExportDefinition(
            name: "e", record: "calicata", formats: [.csv],
            sheets: [
                ExportSheet(
                    name: "cortes", entity: "calicata_cortes",
                    columns: [
                        .field(FieldPath("calicata_id.project_id.name"), name: "p", label: nil, isLink: false), .field(FieldPath("number"), name: "n", label: nil, isLink: false),
                        .count(of: "calicata_photos", by: FieldPath("calicata_id"), name: "photos", label: nil),
                    ], order: [FieldPath("calicata_id.code"), FieldPath("number")])
            ])
        let facts = { (request: SelectionRequest) in
            let session = try scene.session()
            _ = try session.select(scene.record, in: session.projects[0], request, hasRemote: true)
            return try session.facts(of: export)
        }
        var last = try facts(SelectionRequest())
        let same = try facts(SelectionRequest())
        #expect(last == same && !last.isEmpty)
        for (change, isSeen) in [
            ("UPDATE calicatas SET own_mark = 1, sync_state = 'pending_upload', local_version = 2 WHERE id = 'c2'", false),
            ("UPDATE calicata_cortes SET content_stamp = 9 WHERE id = 'c2-1'", true), ("UPDATE calicatas SET content_stamp = 10 WHERE id = 'c1'", true),
            ("UPDATE projects SET content_stamp = 11 WHERE id = 'p1'", true), ("UPDATE projects SET content_stamp = 12 WHERE id = 'p2'", false),
            ("UPDATE calicatas SET content_stamp = 13 WHERE id = 'x1'", false), ("DELETE FROM calicata_photos WHERE id = 'c1-f'", true),
            ("DELETE FROM calicata_cortes WHERE calicata_id = 'x1'", false), ("DELETE FROM calicata_cortes WHERE id = 'c3-2'", true),
            ("UPDATE calicata_cortes SET sync_state = 'conflict' WHERE id = 'c3-1'", true), ("UPDATE calicata_cortes SET sync_state = 'error' WHERE id = 'c3-1'", true),
        ] {
            try scene.sql(change)
            let now = try facts(SelectionRequest())
            #expect((now != last) == isSeen, "\(change)")
            last = now
        }
        // Two selections have the same number of records of the same age, but not the same records.
        try scene.sql("UPDATE calicata_cortes SET content_stamp = 1, sync_state = 'synced'; UPDATE calicatas SET content_stamp = 1, sync_state = 'synced', own_mark = 0")
        try scene.sql("INSERT INTO calicata_cortes (id, calicata_id, sync_state, content_stamp) VALUES ('c3-2', 'c3', 'synced', 1)")
        let first = try facts(SelectionRequest(filter: "code <= 'C-2'")), second = try facts(SelectionRequest(filter: "code >= 'C-2'"))
        #expect(first != second)
    }
}
