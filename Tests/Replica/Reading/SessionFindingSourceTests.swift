import Foundation
import Model
import Testing

@testable import Replica

/// What reports learn of findings from the replica: projects, rows, records, strata.
@Suite struct SessionFindingSourceTests {
    private func scene() throws -> ReadingScene {
        let scene = try ReadingScene.pits()
        try scene.sql("UPDATE calicata_cortes SET number = number * 10 WHERE id = 'c1-1'")
        return scene
    }

    private func add(_ session: ReadSession, _ code: String, _ table: String?, _ id: String?, _ severity: Severity = .error, field: String? = nil) throws {
        try session.findings.add(Finding(code: code, severity: severity, place: Place(table: table, id: id, field: field)))
    }

    @Test func findingsKnowTheirProjectAndTheirRow() throws {
        let session = try scene().session()
        try add(session, "A", "calicatas", "c2")
        try add(session, "B", "calicata_cortes", "c1-1")
        try add(session, "C", nil, nil)
        let source = SessionFindingSource(session, language: .english)
        var before: [PlacedFinding] = []
        try source.forEach { before.append($0) }
        #expect(before.map(\.project) == ["TPA-1", "TPA-1", nil] && before.allSatisfy { $0.row == nil })
        let tables = try source.tables()
        #expect(Set(tables.map(\.entity)) == ["calicatas", "calicata_cortes"] && tables.allSatisfy(\.isWhole))
        var after: [PlacedFinding] = []
        try source.forEach { after.append($0) }
        // The pits come in the order C-1, C-2, C-3. The stratum of C-1 that got a new number comes
        // second.
        #expect(after.map(\.row) == [1, 1, nil])
    }

    @Test func copiesFollowTheNamesAndHoldEveryVisibleRow() throws {
        let session = try scene().session()
        try add(session, "B", "calicata_cortes", "c3-2", field: "number")
        try add(session, "A", "calicata_cortes", "c1-1", .warning)
        try add(session, "B", "calicata_cortes", "c1-1")
        let source = SessionFindingSource(session, language: .english)
        let table = try #require(try source.tables().first)
        let number = try #require(table.columns.firstIndex { $0.name == "number" })
        #expect(try allRows(source.rows(of: table)).map { $0[number] } == ["2", "10", "1", "2", "1", "2"])
        #expect(table.rowCount == 6 && table.allRows == 6)
        var seen: [String] = []
        try source.forEach(in: table) { seen.append("\($0.row ?? -1) \($0.finding.code) \($0.finding.severity.rawValue)") }
        #expect(seen == ["1 A warning", "1 B error", "5 B error"])
    }

    @Test func largeTablesAreCopiedWhereThereAreFindings() throws {
        let session = try scene().session()
        try add(session, "A", "calicata_cortes", "c3-2")
        try add(session, "A", "calicata_cortes", "c2-1")
        let source = SessionFindingSource(session, language: .english, wholeTableLimit: 5)
        let table = try #require(try source.tables().first)
        #expect(!table.isWhole && table.rowCount == 2 && table.allRows == 6)
        #expect(try allRows(source.rows(of: table)).count == 2)
    }

    @Test func recordsCountTheFindingsOfTheirParts() throws {
        let session = try scene().session()
        try add(session, "A", "calicatas", "c1")
        try add(session, "A", "calicata_cortes", "c1-1")
        try add(session, "W", "calicata_photos", "c1-f", .warning)
        try add(session, "N", "calicata_cortes", "c3-1", .note)
        try add(session, "P", "projects", "p1")
        var records: [String: [Severity: Int]] = [:]
        let source = SessionFindingSource(session, language: .english)
        try source.records { records["\($0.project ?? "-") \($0.table) \($0.key)"] = $0.counts }
        #expect(records == [
            "TPA-1 calicatas TPA-1 / C-1": [.error: 2, .warning: 1, .note: 0], "TPA-1 calicatas TPA-1 / C-3": [.error: 0, .warning: 0, .note: 1],
            "TPA-1 projects TPA-1": [.error: 1, .warning: 0, .note: 0],
        ])
        // A second reading gives the same.
        var count = 0
        try source.records { _ in count += 1 }
        #expect(count == 3)
    }

    @Test func whatMessagesMayNotQuoteStandsInNoName() throws {
        let scene = try ReadingScene.pits { entities in
            for index in entities.indices where entities[index].name == "projects" {
                for field in entities[index].fields.indices where entities[index].fields[field].name == "code" {
                    entities[index].fields[field].privacy = "personal"
                }
            }
        }
        let session = try scene.session()
        try add(session, "A", "calicatas", "c1")
        try add(session, "P", "projects", "p1")
        let source = SessionFindingSource(session, language: .english)
        var keys: [String] = []
        try source.records { keys.append($0.key) }
        #expect(keys.sorted() == ["C-1", "p1"])
        var told: [String?] = []
        try source.forEach { told.append($0.finding.place.key) }
        #expect(told == ["C-1", "p1"])
    }

    @Test func whatTheRoleMayNotSeeIsNotCopied() throws {
        let scene = try ReadingScene(survey: "ingeplus")
        let pit = try #require(try scene.sql("SELECT id FROM calicatas ORDER BY code LIMIT 1").first)
        let photo = try #require(try scene.sql("SELECT id FROM calicata_photos ORDER BY id LIMIT 1").first)
        let session = try scene.session()
        try add(session, "A", "calicata_photos", photo)
        try add(session, "A", "calicatas", pit)
        let source = SessionFindingSource(session, language: .spanish)
        let columns = try source.tables().flatMap(\.columns).map(\.name)
        // The author of a photo is personal. The actor may see it, but no message may quote it.
        #expect(!columns.contains("author") && columns.contains("caption"))
    }

    @Test func strataComeAsTheyAreWithTheFaultMarked() throws {
        let scene = try ReadingScene(survey: "ingeplus")
        let layer = try #require(try scene.sql("SELECT id FROM calicata_cortes WHERE number = 2 ORDER BY id LIMIT 1").first)
        let pit = try #require(try scene.sql("SELECT calicata_id FROM calicata_cortes WHERE id = '\(layer)'").first)
        try scene.sql("UPDATE calicata_cortes SET depth_to_m = NULL WHERE id = '\(layer)'")
        let session = try scene.session()
        let source = SessionFindingSource(session, language: .spanish)
        func strip(_ table: String, _ id: String, _ field: String?, _ arguments: [String: String] = [:]) throws -> StrataStrip? {
            try source.strip(of: Finding(code: "A", severity: .error, place: Place(table: table, id: id, field: field), arguments: arguments))
        }
        let found = try #require(try strip("calicata_cortes", layer, "depth_from_m"))
        let index = try #require(found.layers.firstIndex { $0.id == layer })
        #expect(found.mark == .top(index) && found.layers[index].to == nil && found.unit == "m" && found.total != nil)
        #expect(try strip("calicata_cortes", layer, "depth_to_m")?.mark == .bottom(index))
        #expect(try strip("calicata_cortes", layer, "sucs")?.mark == .layer(index))
        #expect(try strip("calicatas", pit, "depth_m")?.mark == .total)
        #expect(try strip("calicatas", pit, "groundwater_depth_m")?.mark == .water)
        #expect(try strip("calicatas", pit, "water_status", ["groundwater_depth_m": "1"])?.mark == .water)
        #expect(try strip("calicatas", pit, nil)?.mark == .nothing)
        // A place without a depth has no picture.
        #expect(try strip("calicatas", pit, "end_date") == nil && strip("calicata_photos", "x", nil) == nil && strip("calicatas", "nobody", nil) == nil)
    }
}
