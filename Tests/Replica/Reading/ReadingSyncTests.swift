import Databases
import Foundation
import Model
import Testing

@testable import Replica

/// For every set of allowed sync states, the selection agrees with a check of each record. The
/// functions of filters are tested too.
@Suite struct ReadingSyncTests {
    /// Pits whose rows have all states in turn. Some have Fichero's own mark.
    private func mixedScene() throws -> ReadingScene {
        let scene = try ReadingScene.pits()
        try scene.sql(
            """
            WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < 120)
            INSERT INTO calicatas (id, project_id, code) SELECT 'q' || i, CASE WHEN i % 5 = 0 THEN 'p2' ELSE 'p1' END, 'Q-' || i FROM n;
            INSERT INTO calicata_cortes (id, calicata_id, number) SELECT id || '-a', id, 1 FROM calicatas WHERE id LIKE 'q%';
            INSERT INTO calicata_photos (id, calicata_id, file_name) SELECT id || '-p', id, id FROM calicatas WHERE id LIKE 'q%' AND substr(id, -1) <> '3';
            """)
        let states = "CASE abs(#) % 9 WHEN 0 THEN 'conflict' WHEN 1 THEN 'error' WHEN 2 THEN 'local_only' WHEN 3 THEN 'pending_upload' WHEN 4 THEN 'pending_download' ELSE 'synced' END"
        for (table, turn) in [("calicatas", "rowid * 7"), ("calicata_cortes", "rowid * 5 / 3"), ("calicata_photos", "rowid * 11 / 4")] {
            try scene.sql("UPDATE \(table) SET sync_state = \(states.replacing("#", with: turn))")
            try scene.sql("UPDATE \(table) SET own_mark = 1 WHERE sync_state = 'pending_upload' AND rowid % 2 = 0")
        }
        return scene
    }

    /// The states of the rows of each pit of `p1`.
    private func states(_ scene: ReadingScene) throws -> [String: Set<String>] {
        let state = "CASE WHEN own_mark = 1 AND sync_state = 'pending_upload' THEN 'synced' ELSE sync_state END"
        let lines = try scene.sql(
            """
            SELECT c.id, x.state FROM calicatas c JOIN (
              SELECT id AS pit, \(state) AS state FROM calicatas UNION ALL SELECT calicata_id, \(state) FROM calicata_cortes
              UNION ALL SELECT calicata_id, \(state) FROM calicata_photos) x ON x.pit = c.id WHERE c.project_id = 'p1'
            """)
        var states: [String: Set<String>] = [:]
        for line in lines {
            let parts = line.split(separator: "|").map(String.init)
            states[parts[0], default: []].insert(parts[1])
        }
        return states
    }

    @Test func everySetOfStatesTakesWhatItsLeastSyncedRowsAllow() throws {
        let scene = try mixedScene()
        let order = ["conflict", "error", "local_only", "pending_upload", "pending_download", "synced"]
        let least = try states(scene).mapValues { states in order.first { states.contains($0) } ?? "" }
        #expect(Set(least.values).count == 6 && least.count > 90)
        let session = try scene.session()
        for mask in 0..<64 {
            let allowed = SyncState.allCases.enumerated().filter { mask & (1 << $0.offset) != 0 }.map(\.element)
            let summary = try session.select(scene.record, in: session.projects[0], SelectionRequest(syncStates: allowed), hasRemote: true)
            let left = try session.leftOut(limit: 1000)
            let expected = least.filter { !allowed.map(\.rawValue).contains($0.value) }
            #expect(summary.selected == least.count - expected.count, "\(allowed)")
            #expect(Dictionary(uniqueKeysWithValues: left.map { ($0.id, $0.detail) }) == expected, "\(allowed)")
        }
    }

    @Test func withoutStatesTheRemoteDecides() throws {
        let scene = try mixedScene()
        let session = try scene.session()
        for (hasRemote, states) in [(true, [SyncState.synced]), (false, [.localOnly, .pendingUpload, .pendingDownload, .synced])] {
            let byDefault = try session.select(scene.record, in: session.projects[0], SelectionRequest(), hasRemote: hasRemote)
            #expect(try byDefault == session.select(scene.record, in: session.projects[0], SelectionRequest(syncStates: states), hasRemote: !hasRemote))
            #expect(byDefault.selected > 0 && byDefault.leftOut[.syncState] ?? 0 > 0)
        }
    }

    @Test(arguments: [
        ("12+300", 12300.0), ("0+045.50", 45.5), ("0+045.123456789", 45.123456789), ("999999+999", 999_999_999), ("1+3", nil), ("1+0300", nil), ("1+300.", nil),
        ("1+300.1234567890", nil), ("1234567+000", nil), ("1+3e2", nil), (" 1+300", nil), ("+1+300", nil), ("1+300.5.5", nil), ("+300", nil), ("١+300", nil),
    ] as [(String, Double?)]) func chainagesAreReadAsValidationReadsThem(_ text: String, _ metres: Double?) throws {
        let scene = try ReadingScene.pits()
        let statement = try SQLiteConnection(path: scene.file).prepare("SELECT metres(?1)", [.text(text)])
        #expect(try statement.step())
        #expect(statement.text(0).flatMap(Double.init) == metres)
    }

    @Test func yearsAreThoseOfDates() throws {
        let scene = try ReadingScene.pits()
        try scene.sql("UPDATE calicatas SET end_date = '20250501' WHERE id = 'c2'")
        let session = try scene.session()
        let selected = { (filter: String) in
            try session.select(scene.record, in: session.projects[0], SelectionRequest(filter: filter), hasRemote: true).selected
        }
        #expect(try selected("year(end_date) = 2025") == 1)
        // A missing or invalid date has no year.
        #expect(try selected("year(end_date) is null") == 2)
        for (text, year) in [("2025-05-11T15:00:00Z", "2025"), ("0044-", "44"), ("2025", nil), ("20 5-01", nil), ("", nil)] {
            let statement = try session.connection.prepare("SELECT year(?1)", [.text(text)])
            #expect(try statement.step())
            #expect(statement.text(0) == year, "\(text)")
        }
    }
}
