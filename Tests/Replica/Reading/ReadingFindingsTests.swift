import Foundation
import Testing

@testable import Model
@testable import Replica

/// The findings of a run, and the records that are withheld because of them.
@Suite struct ReadingFindingsTests {
    private func finding(_ code: String, _ table: String, _ id: String, _ severity: Severity = .error) -> Finding {
        Finding(code: code, severity: severity, place: Place(table: table, id: id, field: "f"), arguments: ["value": "ñ \"1\"\u{0}\n", "a": ""])
    }

    @Test func findingsKeepAllThatTheyCameWith() throws {
        let scene = try ReadingScene.pits()
        let session = try scene.session()
        let place = Place(table: "calicatas", id: "c1", key: "own", field: "code", file: "a.csv", sheet: "S", cell: "B2", line: 3, column: 4, pointer: "/x")
        let original = Finding(code: "A", severity: .note, place: place, arguments: ["value": "ñ \"1\"\u{0}\n", "a": ""])
        try session.findings.add(original)
        try session.findings.add(Finding(code: "B", severity: .note))
        var found: [Finding] = []
        try session.findings.forEach { found.append($0) }
        #expect(found == [original, Finding(code: "B", severity: .note)])
    }

    @Test func theyComeBySeverityCodeAndNameAndKnowTheirProject() throws {
        let scene = try ReadingScene.pits()
        try scene.sql("INSERT INTO project_members (id, project_id, profile_id) VALUES ('m2', 'p2', '\(ReadingScene.actorID)')")
        let session = try scene.session()
        let store = session.findings
        try store.add(finding("W", "calicatas", "c2", .warning))
        try store.add(finding("N", "no_such_table", "q", .note))
        for id in ["c2-1", "x1-1", "c1-2", "c1-1"] { try store.add(finding("E", "calicata_cortes", id)) }
        var names: [String] = []
        try store.forEach(project: "p1") { names.append("\($0.code) \($0.place.key ?? "-")") }
        #expect(names == ["E TPA-1 / C-1 / 1", "E TPA-1 / C-1 / 2", "E TPA-1 / C-2 / 1", "W TPA-1 / C-2", "N -"])
        #expect(try store.counts(project: "p2").map { "\($0.code) \($0.severity.rawValue) \($0.count)" } == ["E error 1", "N note 1"])
        #expect(try store.counts().map(\.count) == [4, 1, 1])
        // A finding that is reported later gets its place too. Limits hold for each code.
        try store.add(finding("W", "calicatas", "x1", .warning))
        names = []
        try store.forEach(limit: 1) { names.append("\($0.code) \($0.place.key ?? "-")") }
        #expect(names == ["E TPA-1 / C-1 / 1", "W TPA-1 / C-2", "N -"])
        #expect(try store.counts(project: "p2").map(\.code) == ["E", "W", "N"])
    }

    @Test func recordsWithErrorsInAnyPartAreWithheld() throws {
        let scene = try ReadingScene.pits()
        let session = try scene.session()
        let select = { try session.select(scene.record, in: session.projects[0], SelectionRequest(), hasRemote: true) }
        _ = try select()
        #expect(try session.withholdRecordsWithErrors() == 0)
        for (code, table, id) in [("Z", "calicatas", "c1"), ("B", "calicata_cortes", "c1-2"), ("B", "calicata_cortes", "c1-1"), ("P", "calicata_photos", "c3-f")] {
            try session.findings.add(finding(code, table, id))
        }
        try session.findings.add(finding("W", "calicatas", "c2", .warning))
        try session.findings.add(finding("E", "projects", "p1"))
        #expect(try session.withholdRecordsWithErrors() == 2)
        #expect(try session.leftOut(limit: 9).map { "\($0.key) \($0.reason.rawValue) \($0.detail)" } == ["TPA-1 / C-1 findings B, Z", "TPA-1 / C-3 findings P"])
        #expect(try allRows(session.leftOutRows(words: [.findings: "con errores"], details: [:])).map { $0[1] } == ["con errores", "con errores"])
        #expect(try session.selectedRecordIDs(inState: "APROBADO") == ["c2"])
        // Withheld records are not counted again. The next selection has them again.
        #expect(try session.withholdRecordsWithErrors() == 0)
        #expect(try select().selected == 3)
        #expect(try session.withholdRecordsWithErrors() == 2)
    }

    /// Strata are selected here, and pits with their photos are records of another kind.
    @Test(arguments: [
        (.none, ["S c1-1"]), (.rows(.referenced), ["P c1", "S c1-1"]), (.rows(.project), ["P c1", "P c2", "S c1-1"]),
        (.sql("SELECT code FROM calicatas"), ["P c1", "P c2", "S c1-1"]), (.otherKind, ["F c1-f", "P c1", "P c2", "S c1-1"]),
    ] as [(Showing, [String])])
    func findingsOfOtherKindsCountWhereTheFilesShowThem(showing: Showing, counted: [String]) throws {
        let scene = try ReadingScene.pits()
        let session = try scene.session()
        let strata = RecordKind(name: "corte", root: "calicata_cortes", parts: [])
        var request = SelectionRequest.everything
        request.filter = "calicata_id.code = 'C-1'"
        #expect(try session.select(strata, in: session.projects[0], request, hasRemote: false).selected == 2)
        for (code, table, id) in [("P", "calicatas", "c1"), ("P", "calicatas", "c2"), ("F", "calicata_photos", "c1-f"), ("S", "calicata_cortes", "c1-1"), ("S", "calicata_cortes", "c2-1")] {
            try session.findings.add(finding(code, table, id))
        }
        try session.setFindingsAside(showing: ShownTables(exports: [showing.export], reports: [], selected: strata, of: scene.pack))
        var left: [String] = []
        try session.findings.forEach { left.append("\($0.code) \($0.place.id ?? "-")") }
        #expect(left == counted)
    }

    /// What an export of strata has of the pits.
    enum Showing: Sendable {
        case none
        case rows(ExportSheet.Rows)
        case sql(String)
        case otherKind

        var export: ExportDefinition {
            var sheet = ExportSheet(name: "s", entity: "calicata_cortes", columns: [], order: [])
            switch self {
            case .none: break
            case .rows(let rows): (sheet.entity, sheet.rows) = ("calicatas", rows)
            case .sql(let sql): (sheet.entity, sheet.query) = ("", ExportSheet.Query(sql: sql, columns: []))
            case .otherKind: return ExportDefinition(name: "e", record: "calicata", formats: [.csv], sheets: [])
            }
            return ExportDefinition(name: "e", record: "corte", formats: [.csv], sheets: [sheet])
        }
    }

    @Test func errorsOfListPartsWithholdWhatHoldsThem() throws {
        let scene = try ReadingScene(survey: "anagrafica")
        let session = try scene.session()
        let kind = try #require(scene.pack.record("asset"))
        let school = try #require(session.projects.first { $0.name.contains("Faggio") })
        let photo = try #require(scene.sql("SELECT j.value FROM instances, json_each(photo_ids) AS j GROUP BY 1 ORDER BY count(*) DESC, 1 LIMIT 1").first)
        let users = try scene.sql("SELECT instances.id FROM instances, json_each(photo_ids) AS j WHERE j.value = '\(photo)' ORDER BY 1")
        try scene.sql("UPDATE instances SET photo_ids = '[not json' WHERE id = (SELECT max(id) FROM instances WHERE id <> '\(users[0])')")
        let fresh = try scene.session()
        for session in [session, fresh] {
            let all = try session.select(kind, in: school, .everything, hasRemote: false).selected
            try session.findings.add(finding("F", "photos", photo))
            #expect(try session.withholdRecordsWithErrors() == users.count)
            #expect(try session.leftOut(limit: 99).map(\.id).sorted() == users)
            let sheets = try session.sheets(of: try #require(scene.pack.export("assets")), language: .italian)
            #expect(sheets.filter { $0.name == "family" }.map(\.rowCount).reduce(0, +) == all - users.count)
            let photos = try #require(sheets.first { $0.name == "photos" })
            #expect(try !allRows(photos.open()).contains { $0.last == photo })
        }
    }

    @Test func findingsMayBeReportedWhileRowsAreRead() throws {
        let scene = try ReadingScene.pits()
        try scene.sql("WITH RECURSIVE n(n) AS (SELECT 1 UNION ALL SELECT n + 1 FROM n WHERE n < 3000) INSERT INTO calicata_cortes (id, calicata_id, number) SELECT 'q' || n, 'c1', n FROM n")
        let session = try scene.session()
        let source = try session.rows(of: "calicata_cortes", paths: [FieldPath("number")])
        var batch = RowBatch(columnCount: 2)
        var count = 0
        repeat {
            try source.fill(&batch)
            for row in 0..<batch.rowCount {
                try session.findings.add(finding("E", "calicata_cortes", batch.string(row, 0) ?? ""))
                count += 1
            }
            _ = try session.findings.counts()
        } while batch.rowCount > 0
        #expect(count == 3006)
        #expect(try session.findings.counts(project: "p1").map(\.count) == [3006])
    }
}
