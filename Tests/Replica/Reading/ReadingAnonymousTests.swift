import Foundation
import Testing

@testable import Model
@testable import Replica

/// Sheets from SQL, anonymous sheets, and what small groups leave.
@Suite struct ReadingAnonymousTests {
    private static func query(_ sql: String, _ columns: String...) -> ExportSheet {
        var sheet = ExportSheet(name: "s", entity: "", columns: [], order: [])
        sheet.query = ExportSheet.Query(sql: sql, columns: columns.map { QueryColumn(name: $0, type: .text) })
        return sheet
    }

    private static func pits(_ columns: String...) -> ExportSheet {
        ExportSheet(
            name: "s", entity: "calicatas", columns: columns.map { .field(FieldPath($0), name: $0, label: nil, isLink: false) }, order: [FieldPath("code")])
    }

    private func rows(
        _ sheet: ExportSheet, anonymous: Bool = false, request: SelectionRequest = .everything, changing: (inout [Entity]) -> Void = { _ in }, role: String? = nil
    ) throws -> (rows: [String], sheet: Sheet) {
        let scene = try ReadingScene.pits(changing: changing)
        let session = try scene.session(role)
        _ = try session.select(scene.record, in: session.projects[0], request, hasRemote: false)
        var definition = ExportDefinition(name: "e", record: "calicata", formats: [.csv], sheets: [sheet])
        definition.isAnonymous = anonymous
        let made = try #require(session.sheets(of: definition, language: .spanish).first)
        let rows = try allRows(made.open()).map { $0.joined(separator: "|") }
        #expect(rows.count == made.rowCount)
        return (rows, made)
    }

    @Test func sqlGivesTheRowsOfASheet() throws {
        let sheet = Self.query(
            "SELECT code, (SELECT count(*) FROM calicata_cortes AS k WHERE k.calicata_id = c.id) AS n, :from || :to || :project || :language || :today AS v FROM calicatas AS c WHERE id IN (SELECT id FROM selected) ORDER BY code DESC",
            "n", "code", "v")
        var request = SelectionRequest.everything
        (request.from, request.to) = ("2025-05-01", "2025-05-02")
        let found = try rows(sheet, request: request).rows
        #expect(found.map { $0.prefix(5) } == ["2|C-2", "2|C-1"])
        #expect(found[0].hasPrefix("2|C-2|2025-05-012025-05-02p1es20"))
    }

    @Test func sqlKnowsWhatTheSelectionLeavesOut() throws {
        var request = SelectionRequest.everything
        request.filter = "code != 'C-2'"
        let sheet = Self.query("SELECT c.code AS code, l.reason AS n FROM left_out AS l JOIN calicatas AS c ON c.id = l.id", "code", "n")
        #expect(try rows(sheet, request: request).rows == ["C-2|filter"])
        #expect(try rows(sheet).rows == [])
    }

    @Test func sqlReadsWhatTheActorMaySeeAlone() throws {
        #expect(throws: ReportQueryFailure(query: "e/s", isForbidden: true)) { try rows(Self.query("SELECT name AS code FROM sqlite_schema", "code")) }
        #expect(throws: ReportQueryFailure(query: "e/s", isForbidden: false)) { try rows(Self.query("SELECT code FROM ledgr", "code")) }
        // The pit of another project is not there.
        #expect(try rows(Self.query("SELECT group_concat(code) AS code FROM (SELECT code FROM calicatas ORDER BY code)", "code")).rows == ["C-1,C-2,C-3"])
    }

    @Test func orderRunsDownWhereItSaysSo() throws {
        var sheet = Self.pits("code")
        sheet.descending = [FieldPath("code")]
        #expect(try rows(sheet).rows == ["C-3", "C-2", "C-1"])
    }

    @Test func anAnonymousSheetShowsWhatItsFieldsSay() throws {
        let made = try rows(Self.pits("id", "code", "depth_m", "end_date", "water_found", "project_id.code", "project_id"), anonymous: true)
        // Codes are texts, so they are not there; numbers of the first class are.
        let parts = made.rows.map { $0.split(separator: "|", omittingEmptySubsequences: false).map(String.init) }
        #expect(Set(parts.map { $0[1] + $0[5] }) == ["∅∅"])
        #expect(Set(parts.map { $0[2] }) == ["1.5", "2.0", "3.0"])
        #expect(Set(parts.map { $0[3] }) == ["2025-05", "∅"])
        #expect(parts.allSatisfy { $0[0].count == 13 && $0[6].count == 13 } && Set(parts.map { $0[0] }).count == 3 && Set(parts.map { $0[6] }).count == 1)
    }

    @Test func sqlOfAnAnonymousExportReadsPseudonymsAlone() throws {
        let joined = Self.query(
            "SELECT c.id AS code, count(k.id) AS n FROM calicatas AS c JOIN calicata_cortes AS k ON k.calicata_id = c.id WHERE c.id IN (SELECT id FROM selected) GROUP BY c.id", "n", "code")
        let found = try rows(joined, anonymous: true).rows
        #expect(found.count == 3 && found.allSatisfy { $0.hasPrefix("2|") && $0.count == 15 })
        // No way leads past the pseudonyms: neither the views behind them, nor the program's own
        // tables, nor columns of the replica.
        for sql in [
            "SELECT code FROM temp.calicatas", "SELECT id AS code FROM temp.selected", "SELECT code FROM main.calicatas", "SELECT id AS code FROM rejected_rows",
            "SELECT id AS code FROM temp.visible_projects", "SELECT id AS code FROM visible_projects", "SELECT id AS code FROM temp.given_numbers", "SELECT id AS code FROM left_out",
            "SELECT sync_state AS code FROM calicatas",
        ] {
            #expect(throws: (any Error).self, "\(sql)") { _ = try rows(Self.query(sql, "code"), anonymous: true) }
        }
        let project = try rows(Self.query("SELECT count(*) || :project AS code FROM calicatas WHERE project_id = :project", "code"), anonymous: true).rows
        #expect(project.allSatisfy { $0.hasPrefix("3") && $0.count == 14 } && project.count == 1)
        #expect(try rows(Self.query("SELECT count(*) AS code FROM profiles", "code"), anonymous: true).rows == ["0"])
        #expect(try rows(Self.query("SELECT count(*) AS code FROM calicatas", "code"), anonymous: true).rows == ["3"])
    }

    @Test func aFieldThatTheRoleMayNotSeeIsNotEvenAPseudonym() throws {
        func titles(_ role: String) throws -> [String] {
            try rows(Self.pits("title"), anonymous: true, changing: { entities in
                for index in entities.indices where entities[index].name == "calicatas" {
                    for field in entities[index].fields.indices where entities[index].fields[field].name == "title" {
                        (entities[index].fields[field].privacy, entities[index].fields[field].anonymity) = ("personal", .pseudonym)
                    }
                }
            }, role: role).rows
        }
        #expect(try titles("LECTOR") == ["∅", "∅", "∅"])
        #expect(try titles("GERENCIA").map(\.count).sorted() == [1, 13, 13])
    }

    @Test func eachKindOfAnonymityIsShown() throws {
        func show(_ anonymity: Anonymity, _ name: String = "depth_m") throws -> Set<String> {
            try Set(rows(Self.pits(name), anonymous: true, changing: { entities in
                for index in entities.indices where entities[index].name == "calicatas" {
                    for field in entities[index].fields.indices where entities[index].fields[field].name == name { entities[index].fields[field].anonymity = anonymity }
                }
            }).rows)
        }
        #expect(try show(.band(2)) == ["0–1", "2–3"])
        #expect(try show(.grid(metres: 111_320, latitude: nil)) == ["1.5", "2.5", "3.5"])
        #expect(try show(.omit) == ["∅"])
        #expect(try show(.keep, "code") == ["C-1", "C-2", "C-3"])
        #expect(try show(.period(.quarter), "end_date") == ["2025-Q2", "∅"])
        #expect(try show(.pseudonym, "code").allSatisfy { $0.count == 13 })
    }

    @Test func groupsOfTooFewAreLeftOutAndCounted() throws {
        var sheet = ExportSheet(
            name: "s", entity: "calicata_cortes",
            columns: ["calicata_id.status", "number", "calicata_id"].map { .field(FieldPath($0), name: FieldPath($0).parts.last ?? "", label: nil, isLink: false) },
            order: [FieldPath("calicata_id.code"), FieldPath("number")])
        sheet.suppression = Suppression(by: ["status", "number"], of: "calicata_id", below: 2)
        let found = try rows(sheet)
        // One pit is BORRADOR; two are APROBADO, each with two strata.
        #expect(found.rows == ["APROBADO|1|c2", "APROBADO|2|c2", "APROBADO|1|c3", "APROBADO|2|c3"])
        #expect(found.sheet.suppressed == SuppressedRows(rows: 2, groups: 2, below: 2))
        sheet.suppression?.below = 3
        #expect(try rows(sheet).rows.isEmpty)
        // A missing value is a value of its own, and nobody stands behind a missing person.
        var title = Self.pits("title", "end_date", "id")
        title.suppression = Suppression(by: ["title"], of: "end_date", below: 2)
        #expect(try rows(title).sheet.suppressed?.rows == 3)
    }
}
