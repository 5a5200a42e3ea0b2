import Foundation
import Testing

@testable import Model
@testable import Replica

/// Which records a run selects, and why it leaves the others out.
@Suite struct ReadingSelectionTests {
    private func reasons(_ scene: ReadingScene, _ request: SelectionRequest, hasRemote: Bool = true) throws -> [String] {
        let session = try scene.session()
        let summary = try session.select(scene.record, in: session.projects[0], request, hasRemote: hasRemote)
        let left = try session.leftOut(limit: 100)
        #expect(summary.selected == 3 - left.count && summary.leftOut.values.reduce(0, +) == left.count)
        #expect(Dictionary(grouping: left, by: \.reason).mapValues(\.count) == summary.leftOut)
        return left.map { "\($0.key) \($0.reason.rawValue) \($0.detail)" }
    }

    @Test func everythingSyncedIsTaken() throws {
        #expect(try reasons(ReadingScene.pits(), SelectionRequest()) == [])
    }

    @Test func aRecordIsAsSyncedAsItsLeastSyncedPart() throws {
        let scene = try ReadingScene.pits()
        try scene.sql(
            """
            UPDATE calicatas SET sync_state = 'pending_download' WHERE id = 'c1'; UPDATE calicata_cortes SET sync_state = 'local_only' WHERE id = 'c1-2';
            UPDATE calicata_photos SET sync_state = 'pending_upload' WHERE id = 'c1-f'; UPDATE calicata_photos SET sync_state = 'conflict' WHERE id = 'c2-f';
            UPDATE calicata_cortes SET sync_state = 'error' WHERE id = 'x1-1';
            """)
        let c1 = "TPA-1 / C-1 sync-state local_only", c2 = "TPA-1 / C-2 sync-state conflict"
        #expect(try reasons(scene, SelectionRequest()) == [c1, c2])
        #expect(try reasons(scene, SelectionRequest(), hasRemote: false) == [c2])
        #expect(try reasons(scene, SelectionRequest(syncStates: [.conflict])) == [c1, "TPA-1 / C-3 sync-state synced"])
        #expect(try reasons(scene, .everything) == [])
    }

    @Test func theProgramsOwnMarkLeavesARecordSynced() throws {
        let scene = try ReadingScene.pits()
        try scene.sql("UPDATE calicatas SET sync_state = 'pending_upload', own_mark = 1 WHERE id = 'c2'")
        #expect(try reasons(scene, SelectionRequest()) == [])
        try scene.sql("UPDATE calicatas SET own_mark = 0 WHERE id = 'c2'")
        #expect(try reasons(scene, SelectionRequest()) == ["TPA-1 / C-2 sync-state pending_upload"])
    }

    @Test func theFirstReasonThatAppliesIsGiven() throws {
        let scene = try ReadingScene.pits()
        // C-1 has every fault, C-2 all but its sync state, which comes last, and C-3 all but these two.
        try scene.sql("UPDATE calicatas SET sync_state = 'error' WHERE id = 'c1'; UPDATE calicatas SET status = 'BORRADOR' WHERE id <> 'c3'")
        let request = SelectionRequest(states: ["APROBADO"], from: "2026-01-01", filter: "depth_m > 100")
        #expect(try reasons(scene, request) == [
            "TPA-1 / C-1 state BORRADOR", "TPA-1 / C-2 state BORRADOR", "TPA-1 / C-3 date ",
        ])
        #expect(try reasons(scene, SelectionRequest()) == ["TPA-1 / C-1 sync-state error"])
        #expect(try reasons(scene, SelectionRequest(filter: "depth_m > 100")).last == "TPA-1 / C-3 filter depth_m > 100")
    }

    @Test func daysIncludeTheirEnds() throws {
        let scene = try ReadingScene.pits()
        let withoutDate = "TPA-1 / C-3 date "
        #expect(try reasons(scene, SelectionRequest(from: "2025-05-01", to: "2025-05-02")) == [withoutDate])
        #expect(try reasons(scene, SelectionRequest(from: "2025-05-02")) == ["TPA-1 / C-1 date 2025-05-01", withoutDate])
        #expect(try reasons(scene, SelectionRequest(to: "2025-05-01")) == ["TPA-1 / C-2 date 2025-05-02", withoutDate])
    }

    @Test func instantsCountForTheDayOfTheOfficesClock() throws {
        let scene = try ReadingScene.pits { entities in
            if let field = entities[1].fields.firstIndex(where: { $0.name == "end_date" }) { entities[1].fields[field].type = .datetime }
        }
        // Lima is five hours behind UTC, so its 2 May lasts from 05:00Z to 05:00Z of the next day.
        for (instant, isIn) in [
            ("2025-05-02T04:59:59Z", false), ("2025-05-02T04:59:59.999Z", false), ("2025-05-02T05:00:00Z", true), ("2025-05-02T05:00:00.5Z", true),
            ("2025-05-03T04:59:59.999999Z", true), ("2025-05-03T05:00:00Z", false), ("2025-05-03T05:00:00.25Z", false),
        ] {
            try scene.sql("UPDATE calicatas SET end_date = '\(instant)'")
            let left = try reasons(scene, SelectionRequest(from: "2025-05-02", to: "2025-05-02"))
            #expect(left.isEmpty == isIn, "\(instant)")
            let filtered = try reasons(scene, SelectionRequest(filter: "end_date = '2025-05-02'"))
            #expect(filtered.isEmpty == isIn, "\(instant)")
        }
    }

    @Test func filtersAreValuesNeverSQL() throws {
        let scene = try ReadingScene.pits()
        for (filter, count) in [
            ("code = 'C-1'' OR 1 = 1 --'", 0), ("title = '''; DROP TABLE calicatas; --'", 0), ("code in ('C-1', ''') OR (''1''=''1')", 1),
            ("project_id.name = 'Uno' and depth_m >= 2", 2), ("contains(title, 'o')", 1 + 1), ("starts_with(code, 'C-')", 3), ("title is null", 1),
            ("year(end_date) = 2025", 2), ("water_found = true", 1), ("not (water_found = true)", 1), ("length(coalesce(title, '')) / 2 = 1.5", 2),
            ("lower(title) = 'dos'", 1), ("abs(-depth_m) > 1.9 or code = 'C-1'", 3), ("round(depth_m * 1.0) = 2", 2), ("metres('1+002') = 1002", 3),
        ] {
            let session = try scene.session()
            let summary = try session.select(scene.record, in: session.projects[0], SelectionRequest(filter: filter), hasRemote: true)
            #expect(summary.selected == count, "\(filter)")
        }
        for filter in ["1; DROP TABLE calicatas", "code = 'x' UNION SELECT 1", "no_such = 1", "(SELECT 1) = 1", "code"] {
            let session = try scene.session()
            #expect(throws: ExpressionFailure.self, "\(filter)") {
                try session.select(scene.record, in: session.projects[0], SelectionRequest(filter: filter), hasRemote: true)
            }
        }
        #expect(try scene.sql("SELECT count(*) FROM calicatas") == ["4"])
    }

    @Test func whatARecordDoesNotHaveIsSaid() throws {
        let scene = try ReadingScene(survey: "anagrafica")
        let session = try scene.session()
        let project = session.projects[0], rooms = try #require(scene.pack.record("room")), assets = try #require(scene.pack.record("asset"))
        #expect(throws: SelectionFailure.unknownState("DONE", known: ["Empty", "Complete", "Approved"])) {
            try session.select(assets, in: project, SelectionRequest(states: ["Complete", "DONE"]), hasRemote: false)
        }
        #expect(throws: SelectionFailure.recordWithoutDate("room")) {
            try session.select(rooms, in: project, SelectionRequest(from: "2026-01-01"), hasRemote: false)
        }
        var stateless = rooms
        stateless.state = nil
        #expect(throws: SelectionFailure.recordWithoutState("room")) {
            try session.select(stateless, in: project, SelectionRequest(states: ["Empty"]), hasRemote: false)
        }
        // A selection that failed leaves no temporary selection behind.
        #expect(try session.sheets(of: try #require(scene.pack.export("rooms")), language: .italian).allSatisfy { $0.rowCount == 0 })
    }

    @Test func listPartsAndStatesOverReferencesCount() throws {
        let scene = try ReadingScene(survey: "anagrafica")
        try scene.sql("UPDATE instances SET sync_state = 'synced'; UPDATE photos SET sync_state = 'synced'")
        let photo = try #require(scene.sql("SELECT j.value FROM instances, json_each(photo_ids) AS j GROUP BY j.value ORDER BY count(*) DESC, j.value LIMIT 1").first)
        try scene.sql("UPDATE photos SET sync_state = 'conflict' WHERE id = '\(photo)'")
        let users = try scene.sql("SELECT instances.id FROM instances, json_each(photo_ids) AS j WHERE j.value = '\(photo)' ORDER BY 1")
        let session = try scene.session()
        let kind = try #require(scene.pack.record("asset"))
        var left: [String] = []
        for project in session.projects {
            _ = try session.select(kind, in: project, SelectionRequest(), hasRemote: true)
            left += try session.leftOut(limit: 1000).filter { $0.reason == .syncState && $0.detail == "conflict" }.map(\.id)
            let approved = try session.select(kind, in: project, SelectionRequest(states: ["Approved"], syncStates: SyncState.allCases), hasRemote: true)
            #expect(String(approved.selected) == (try scene.sql(
                """
                SELECT count(*) FROM instances i JOIN rooms r ON r.id = i.room_id JOIN levels l ON l.id = r.level_id
                WHERE l.project_id = '\(project.id)' AND r.lifecycle_state = 'Approved'
                """)[0]))
        }
        #expect(!users.isEmpty && left.sorted() == users)
    }

    @Test func projectsComeOneAfterAnotherInOneSession() throws {
        let scene = try ReadingScene.pits()
        try scene.sql("INSERT INTO project_members (id, project_id, profile_id) VALUES ('m2', 'p2', '\(ReadingScene.actorID)')")
        let session = try scene.session()
        let codes = { (session: ReadSession) in try session.selectedRecordIDs(inState: "APROBADO") }
        let draft = SelectionRequest(states: ["APROBADO"])
        #expect(try session.select(scene.record, in: session.projects[0], draft, hasRemote: true).selected == 2)
        // Rows that were not read to the end do not block the next selection.
        var batch = RowBatch(columnCount: 3)
        let unread = try session.leftOutRows(words: [.state: "otro estado"], details: [.state: ["BORRADOR": "Borrador"]])
        try unread.fill(&batch)
        #expect(batch.string(0, 1) == "otro estado" && batch.string(0, 2) == "Borrador")
        #expect(try codes(session) == ["c2", "c3"])
        #expect(try session.select(scene.record, in: session.projects[1], draft, hasRemote: true).selected == 1)
        #expect(try codes(session) == ["x1"] && session.leftOut(limit: 5) == [])
        #expect(try session.select(scene.record, in: session.projects[0], draft, hasRemote: true).leftOut == [.state: 1])
        #expect(try codes(session) == ["c2", "c3"] && session.leftOut(limit: 5).map(\.id) == ["c1"])
    }

    @Test func namesWithQuotesAndSQLAreNames() throws {
        let scene = try ReadingScene.pits()
        let odd = "p AS r WHERE '' r.id = t0."
        let quoted = SQLText.literal(odd)
        try scene.sql("INSERT INTO projects (id, code, name) VALUES (\(quoted), 'ODD', 'Odd'); INSERT INTO project_members (id, project_id, profile_id) VALUES ('m3', \(quoted), '\(ReadingScene.actorID)'); INSERT INTO calicatas (id, project_id, code, sync_state) VALUES ('it''s', \(quoted), 'O-1', 'synced'); INSERT INTO calicata_cortes (id, calicata_id, number, sync_state) VALUES ('o1', 'it''s', 1, 'synced')")
        let session = try scene.session(projects: ["ODD"])
        #expect(try session.select(scene.record, in: session.projects[0], SelectionRequest(), hasRemote: true).selected == 1)
        try session.findings.add(Finding(code: "X", severity: .error, place: Place(table: "calicata_cortes", id: "o1")))
        #expect(try session.withholdRecordsWithErrors() == 1)
        #expect(try session.leftOut(limit: 1).map(\.id) == ["it's"])
    }
}
