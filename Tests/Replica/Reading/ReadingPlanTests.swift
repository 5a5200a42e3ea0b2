import Databases
import Foundation
import Testing
import Workbench

@testable import Model
@testable import Replica

/// If the actor sees one of several projects, sheets are read in the order of an index, without
/// further rows.
@Suite struct ReadingPlanTests {
    private func plan(_ session: ReadSession, _ sql: String) throws -> [String] {
        let statement = try session.connection.prepare("EXPLAIN QUERY PLAN " + sql)
        var steps: [String] = []
        while try statement.step() { steps += [statement.text(3)].compactMap { $0 } }
        return steps
    }

    /// The statistics that ANALYZE gives for a replica with a million strata, nearly all in one
    /// project. With them, SQLite would use the index of projects wherever a view's filter allows
    /// it.
    private static let statistics = [
        "ix_calicatas_project_id_code": "200000 200000 1", "ix_calicatas_project_id_status%": "200000 200000 200000 1",
        "ix_calicatas_project_id_end_date": "200000 200000 200000", "sqlite_autoindex_calicatas_1": "200000 1",
        "ix_calicata_cortes_calicata_id_depth%": "1000000 5 1 1 1 1", "ix_calicata_cortes_calicata_id_number": "1000000 5 1",
        "sqlite_autoindex_calicata_cortes_1": "1000000 1", "ix_calicata_photos_calicata_id_filename": "200000 1 1",
    ]

    @Test(arguments: [false, true]) func noSheetOfRecordsIsSorted(_ seesAll: Bool) throws {
        let scene = try ReadingScene(survey: "ingeplus")
        try scene.sql("ANALYZE")
        for (index, stat) in Self.statistics { try scene.sql("UPDATE sqlite_stat1 SET stat = '\(stat)' WHERE idx LIKE '\(index)'") }
        let code = try #require(scene.session().projects.first).code
        let session = try scene.session(projects: seesAll ? [] : [code])
        _ = try session.select(scene.record, in: session.projects[0], .everything, hasRemote: false)
        for export in scene.pack.exports {
            for sheet in export.sheets where sheet.rows == .record {
                let entity = try #require(scene.pack.entity(sheet.entity))
                let steps = try plan(session, SheetQuery(sheet, entity: entity, session: session).sql)
                #expect(!steps.contains("USE TEMP B-TREE FOR ORDER BY"), "\(export.name) \(sheet.name): \(steps)")
                #expect(!steps.contains { $0.hasPrefix("MATERIALIZE") }, "\(export.name) \(sheet.name): \(steps)")
            }
        }
    }

    /// Rows in conflict are found by an index among a million synced rows, although the statistics
    /// speak against it.
    @Test func rowsInTheWayAreFoundByAnIndex() throws {
        let scene = try ReadingScene(survey: "ingeplus")
        try scene.sql("ANALYZE; DELETE FROM sqlite_stat1 WHERE idx LIKE '%unsynced'")
        for (index, stat) in Self.statistics { try scene.sql("UPDATE sqlite_stat1 SET stat = '\(stat)' WHERE idx LIKE '\(index)'") }
        for (table, rows) in [("calicatas", 200_000), ("calicata_cortes", 1_000_000), ("calicata_photos", 200_000)] {
            try scene.sql("UPDATE sqlite_stat1 SET stat = '\(rows) \(rows)' WHERE idx = 'ix_\(table)_sync_state'")
        }
        let session = try scene.session()
        let root = try #require(scene.pack.entity(scene.record.root))
        let chosen = RecordSelection(kind: scene.record, root: root, project: session.projects[0])
        for allowed in [[SyncState.synced, .pendingDownload, .pendingUpload, .localOnly], [.synced], [.synced, .conflict]] {
            let queries = session.unsynced(chosen, allowed: allowed)
            #expect(queries.count == 1 + scene.record.parts.count)
            for query in queries {
                let steps = try plan(session, query)
                #expect(steps.first.map { $0.contains("unsynced") || $0.contains("sync_state") } == true, "\(query): \(steps)")
            }
        }
    }

    @Test(arguments: ProjectFolder.systems) func aProjectAloneHasTheSameSheets(_ name: String) throws {
        let scene = try ReadingScene(survey: name)
        let whole = try scene.session()
        for project in whole.projects {
            let alone = try scene.session(projects: [project.code])
            for export in scene.pack.exports where export.bundle == nil && !export.isAnonymous {
                let kind = try #require(scene.pack.record(export.record))
                _ = try whole.select(kind, in: project, SelectionRequest(), hasRemote: false)
                _ = try alone.select(kind, in: project, SelectionRequest(), hasRemote: false)
                #expect(try alone.facts(of: export) == whole.facts(of: export))
                let sheets = try alone.sheets(of: export, language: .spanish)
                let others = try whole.sheets(of: export, language: .spanish)
                #expect(sheets.map(\.title) == others.map(\.title))
                for (sheet, other) in zip(sheets, others) {
                    let rows = try allRows(sheet.open())
                    #expect(rows.count == sheet.rowCount)
                    #expect(try rows == allRows(other.open()), "\(export.name) \(sheet.title) \(project.code)")
                }
            }
        }
    }

    @Test func aPartThatNamesAnotherProjectIsNotShared() throws {
        let scene = try ReadingScene.pits { entities in
            guard let index = entities.firstIndex(where: { $0.name == "calicata_cortes" }) else { return }
            entities[index].fields.append(PitPack.reference("project_id", "projects"))
            entities[index].projectPath = FieldPath("project_id")
        }
        try scene.sql("UPDATE calicata_cortes SET project_id = 'p1'; UPDATE calicata_cortes SET project_id = 'p2' WHERE id = 'c2-1'")
        let session = try scene.session()
        _ = try session.select(scene.record, in: session.projects[0], SelectionRequest(), hasRemote: true)
        let sheet = ExportSheet(
            name: "s", entity: "calicata_cortes", columns: [.field(FieldPath("id"), name: "id", label: nil, isLink: false)],
            order: [FieldPath("calicata_id.code"), FieldPath("number")])
        let export = ExportDefinition(name: "e", record: "calicata", formats: [.csv], sheets: [sheet])
        #expect(try allRows(#require(session.sheets(of: export, language: .spanish).first).open()).flatMap { $0 } == ["c1-1", "c1-2", "c2-2", "c3-1", "c3-2"])
    }

    @Test func aProjectOfOthersCannotBeSelected() throws {
        let scene = try ReadingScene.pits()
        let session = try scene.session()
        let other = ReadSession.Project(id: "p2", code: "TPA-2", name: "Dos", organisationID: nil)
        #expect(throws: SelectionFailure.unknownProject("TPA-2", visible: ["TPA-1"])) {
            try session.select(scene.record, in: other, SelectionRequest(), hasRemote: false)
        }
        #expect(try session.selectedRecordIDs(inState: "APROBADO") == [])
    }

    @Test func sqlOfAPackCannotNameTheViewsOfOurOwnQueries() throws {
        let scene = try ReadingScene.pits()
        let session = try scene.session(), other = try scene.session()
        let pits = try #require(scene.pack.entity("calicatas"))
        #expect(session.views.everyProject(pits) != other.views.everyProject(pits))
        #expect(try session.connection.integer("SELECT count(*) FROM \(session.views.everyProject(pits))") == 4)
        for sql in ["SELECT id FROM \(session.views.everyProject(pits))", "WITH x AS (SELECT * FROM \(session.views.everyProject(pits))) SELECT id FROM x"] {
            #expect(throws: QueryRefusal.self) { _ = try allRows(session.query(sql, columns: ["id"], seconds: 5)) }
        }
        #expect(throws: QueryRefusal.self) {
            _ = try allRows(session.query("SELECT count(*) AS id FROM \(other.views.everyProject(pits))", columns: ["id"], seconds: 5))
        }
    }

    @Test func rowsThatLeadToNoFamilyHaveASheetOfTheirOwn() throws {
        let scene = try ReadingScene(survey: "anagrafica")
        let export = try #require(scene.pack.export("assets"))
        let kind = try #require(scene.pack.record("asset"))
        let families = { () throws -> (names: [String], rows: Int, all: Int) in
            let session = try scene.session()
            let school = try #require(session.projects.first { $0.name.contains("Faggio") })
            let all = try session.select(kind, in: school, .everything, hasRemote: false).selected
            let sheets = try session.sheets(of: export, language: .italian).filter { $0.name == "family" }
            for sheet in sheets { #expect(try allRows(sheet.open()).count == sheet.rowCount) }
            return (sheets.map(\.title), sheets.reduce(0) { $0 + $1.rowCount }, all)
        }
        let before = try families()
        #expect(before.rows == before.all && !before.names.contains { $0.contains("—") })
        try scene.sql("UPDATE instances SET type_id = NULL WHERE id IN (SELECT id FROM instances ORDER BY id LIMIT 7); UPDATE types SET family_id = NULL WHERE id = (SELECT max(type_id) FROM instances)")
        let after = try families()
        #expect(after.all == before.all && after.rows == after.all)
        #expect(after.names.last?.contains("—") == true)
    }
}
