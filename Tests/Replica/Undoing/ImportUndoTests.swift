import Foundation
import Testing
import Workbench

@testable import Model
@testable import Replica

/// An import is taken back, or something prevents this.
@Suite struct ImportUndoTests {
    let scene: ReplicaScene
    init() throws { scene = try ReplicaScene() }

    private static let dump = """
        SELECT * FROM projects; SELECT * FROM calicatas; SELECT * FROM calicata_cortes; SELECT * FROM calicata_photos; SELECT * FROM sync_queue;
        SELECT * FROM conflicts; SELECT * FROM import_changes; SELECT id, import_id, raw, state FROM rejects
        """

    private func context(_ actor: Model.Actor? = nil) -> RunContext {
        RunContext(
            id: "r", asOf: testTime, timeZone: .gmt, language: .spanish, environment: "DEV", actor: actor ?? scene.actor, programVersion: "1")
    }

    @discardableResult
    private func undo(_ name: String = "last") throws -> UndoAccount {
        try scene.replica.undoImport(name, context: context())
    }

    private func obstacle(_ body: () throws -> Void) -> UndoObstacle? {
        do {
            try body()
            return nil
        } catch {
            return (error as? UndoFailure).flatMap { UndoObstacle(rawValue: $0.code) }
        }
    }

    @Test func whatAnImportBroughtGoes() throws {
        let before = try scene.sql(Self.dump)
        let report = try scene.importing(smallPit + [row("calicatas", "lost", ["project_id": .text("nowhere")]), row("calicatas", nil)])
        #expect(report.total.rejected == 2)
        let undone = try undo()
        #expect(undone.lines.map { "\($0.entity) \($0.removed) \($0.restored)" } == ["projects 1 0", "calicatas 1 0", "calicata_cortes 3 0"])
        #expect(undone.rejectsRemoved == 2)
        #expect(try scene.sql(Self.dump) == before)
        #expect(try scene.sql("PRAGMA foreign_key_check; PRAGMA integrity_check") == ["ok"])
        // The history keeps the import and the undo.
        #expect(try scene.sql("SELECT undone_at, undone_by = '\(scene.actor.id)' FROM import_details WHERE undone_at IS NOT NULL") == ["2026-03-01T12:00:00Z|1"])
        #expect(try scene.sql("SELECT count(*) FROM activity_logs WHERE action IN ('import', 'import_undone', 'row_imported')") == ["7"])
        // The same file may be imported again.
        #expect(try scene.importing(smallPit).total.imported == 5)
    }

    /// The membership from `--join` belongs to the import that brought the project.
    @Test func whoJoinedWithTheProjectLeavesWithIt() throws {
        let before = try scene.sql(Self.dump + "; SELECT * FROM project_members")
        var request = scene.request()
        request.joins = true
        _ = try scene.replica.importRows(request, findings: FindingList(), finishedAt: { testTime }) { session in
            for row in smallPit { try session.store(row) }
        }
        #expect(try scene.sql("SELECT project_id, profile_id = '\(scene.actor.id)', role, import_source = (SELECT import_source FROM projects) FROM project_members")
            == [ReplicaScene.project + "|1|GERENCIA|1"])
        #expect(try scene.sql("SELECT action FROM activity_logs WHERE entity_type = 'project_members'") == ["member_added"])
        // A second import adds no membership, because it did not bring the project.
        _ = try scene.replica.importRows(request, findings: FindingList(), finishedAt: { testTime }) { session in
            for row in smallPit { try session.store(row) }
        }
        #expect(try scene.sql("SELECT count(*) FROM project_members") == ["1"])
        // The second import changed nothing, so `last` means the first one.
        #expect(try undo().lines.map { "\($0.entity) \($0.removed)" }.contains("project_members 1"))
        #expect(try scene.sql(Self.dump + "; SELECT * FROM project_members") == before)
    }

    /// Whoever takes back the last import means records; that one is taken back by its id.
    @Test func lastIsNoImportThatOnlyRejected() throws {
        try scene.importing(smallPit)
        try scene.importing([row("calicatas", "c2", ["project_id": .text("nowhere"), "code": .text("C-02")])])
        let rejecting = try scene.sql("SELECT import_id FROM rejects")[0]
        #expect(try undo().lines.map { "\($0.entity) \($0.removed)" }.contains("calicatas 1"))
        #expect(try scene.sql("SELECT count(*) FROM rejects") == ["1"])
        #expect(throws: UndoFailure.self) { try undo() }
        #expect(try undo(rejecting).rejectsRemoved == 1)
    }

    @Test func whatAnImportChangedIsAsItWasToTheBit() throws {
        try scene.importing(smallPit + [row("calicatas", "c2", ["project_id": .text(ReplicaScene.project), "depth_m": .real(0.1 + 0.2), "code": .text("")])])
        let before = try scene.sql(Self.dump)
        let report = try scene.importing(
            [
                row("calicatas", "c1", ["depth_m": .real(7.25), "title": .text("new"), "water_found": .integer(1)]),
                row("calicatas", "c2", ["depth_m": .null, "code": .text("C-02")]),
                row("calicata_cortes", "s9", ["calicata_id": .text("c2")]),
            ], policy: .update)
        #expect(report.total.updated == 2 && report.total.imported == 1)
        let undone = try undo(String(report.id.suffix(12)))
        #expect(undone.lines.map { "\($0.entity) \($0.removed) \($0.restored)" } == ["calicatas 0 2", "calicata_cortes 1 0"])
        #expect(try scene.sql(Self.dump) == before)
        #expect(try scene.sql("SELECT depth_m = 0.1 + 0.2 FROM calicatas WHERE id = 'c2'") == ["1"])
        #expect(throws: UndoFailure.alreadyUndone(report.id, at: "2026-03-01T12:00:00Z")) { try undo(report.id) }
    }

    @Test func aConflictThatNobodyDecidedGoes() throws {
        try scene.importing(smallPit)
        let before = try scene.sql(Self.dump)
        let other = row("calicatas", "c1", ["depth_m": .real(9)])
        #expect(try scene.importing([other]).total.conflict == 1)
        try undo()
        #expect(try scene.sql(Self.dump) == before)
        #expect(try scene.importing([other]).total.conflict == 1)
        _ = try scene.sql("UPDATE conflicts SET resolution_status = 'local'; UPDATE calicatas SET sync_state = 'local_only'")
        #expect(obstacle { try undo() } == .changed)
    }

    @Test func aRowTriedAgainWaitsAgain() throws {
        try scene.importing([row("calicatas", "c7", ["project_id": .text(ReplicaScene.project)])])
        let reject = try scene.sql("SELECT id FROM rejects")[0]
        try scene.importing(smallPit)
        let report = try scene.importing([row("calicatas", "c7", ["project_id": .text(ReplicaScene.project)])], after: { try $0.closeReject(reject) })
        #expect(report.total.imported == 1)
        #expect(try scene.sql("SELECT state FROM rejects") == ["corrected"])
        // The import that rejected the row can be taken back only after the one that stored it.
        let first = try scene.sql("SELECT id FROM imports WHERE format <> 'init' ORDER BY rowid LIMIT 1")[0]
        #expect(obstacle { try undo(first) } == .later)
        try undo()
        #expect(try scene.sql("SELECT state FROM rejects; SELECT count(*) FROM calicatas WHERE id = 'c7'") == ["open", "0"])
    }

    @Test func whatWasBuiltOnIsNotTakenBack() throws {
        let first = try scene.importing(smallPit).id
        let second = try scene.importing([row("calicata_cortes", "s4", ["calicata_id": .text("c1")])]).id
        #expect(obstacle { try undo(first) } == .referred)
        try undo(second)
        let third = try scene.importing([row("calicatas", "c1", ["title": .text("x")])], policy: .update).id
        #expect(obstacle { try undo(first) } == .later)
        try undo(third)
        for (change, expected) in [
            ("UPDATE calicatas SET content_stamp = content_stamp + 50", UndoObstacle.changed),
            ("UPDATE calicatas SET sync_state = 'synced'", .synced),
            ("UPDATE calicatas SET sync_state = 'conflict'", .changed),
        ] {
            let stamp = try scene.sql("SELECT content_stamp FROM calicatas")[0]
            _ = try scene.sql(change)
            #expect(obstacle { try undo(first) } == expected)
            _ = try scene.sql("UPDATE calicatas SET content_stamp = \(stamp), sync_state = 'local_only'")
        }
        _ = try scene.sql("INSERT INTO exports (id, project_id, file_name) VALUES ('e', '\(ReplicaScene.project)', 'a.xlsx')")
        do {
            try undo(first)
            Issue.record("nothing stood in the way")
        } catch let failure as UndoFailure {
            #expect(failure.code == "UNDO-EXPORTED" && failure.arguments["records"] == "a.xlsx" && failure.exitCode == .badInput)
        }
        #expect(try scene.sql("SELECT count(*) FROM calicata_cortes; SELECT count(*) FROM sync_queue WHERE entity_type <> 'profiles'") == ["3", "5"])
    }

    @Test func rowsOfADeviceThatCameSyncedMayGo() throws {
        let pit = row("calicatas", "c1", ["project_id": .text(ReplicaScene.project)], state: .synced)
        try scene.importing([smallPit[0], pit, row("calicatas", "c2", ["project_id": .text(ReplicaScene.project)], state: .conflict)])
        #expect(try undo().lines.map(\.removed) == [1, 2])
    }

    @Test func onlyTheFilesOfPhotosThatNobodyElseNamesAreReported() throws {
        func photo(_ id: String) -> ImportedRow { row("calicata_photos", id, ["calicata_id": .text("c1"), "file_name": .text("\(id).jpg")]) }
        func file(_ id: String, _ path: String) -> ImportedPhoto {
            ImportedPhoto(entity: "calicata_photos", id: id, localPath: path, sha256: path, bytes: 1)
        }
        try scene.importing(smallPit + [photo("f1"), photo("f2")], after: { try $0.attachPhoto(file("f1", "db.files/aa/a.jpg")) })
        let before = try scene.sql(Self.dump)
        try scene.importing([photo("f3"), photo("f4")], after: {
            try $0.attachPhoto(file("f2", "db.files/bb/b.jpg"))
            try $0.attachPhoto(file("f3", "db.files/aa/a.jpg"))
            try $0.attachPhoto(file("f4", "db.files/cc/c.jpg"))
        })
        #expect(try undo().photos == ["db.files/bb/b.jpg", "db.files/cc/c.jpg"])
        #expect(try scene.sql(Self.dump) == before)
    }

    @Test func othersImportsAreForAdministrators() throws {
        let mine = try scene.importing(smallPit).id
        var clerk = scene.actor
        clerk.id = "0190a000-0000-7000-8000-00000000c1e4"
        clerk.role = Role(name: "ASISTENTE", permissions: [.read, .import], sees: ["public"])
        // Whether there is such a change is not told.
        #expect(throws: UndoFailure.unknown(mine)) { try scene.replica.undoImport(mine, context: context(clerk)) }
        // This person has no import of their own.
        #expect(throws: UndoFailure.nothing) { try scene.replica.undoImport("last", context: context(clerk)) }
        clerk.role.permissions = [.read]
        #expect(throws: UndoFailure.unknown(mine)) { try scene.replica.undoImport(mine, context: context(clerk)) }
        #expect(throws: UndoFailure.unknown("none")) { try undo("none") }
        _ = try scene.sql("DELETE FROM import_details")
        #expect(throws: UndoFailure.noTrail(mine)) { try undo(mine) }
    }

    /// This person imported the project but is not a member. So the refusal names the later changes
    /// of others only by their ids.
    @Test func aRefusalNamesRecordsOfOnesOwnProjects() throws {
        var clerk = scene.actor
        clerk.id = "0190a000-0000-7000-8000-00000000c1e4"
        clerk.role = Role(name: "ASISTENTE", permissions: [.read, .import], sees: ["public"])
        _ = try scene.sql("INSERT INTO profiles (id, email, role, status) VALUES ('\(clerk.id)', 'a@example.pe', 'ASISTENTE', 'ACTIVO')")
        _ = try scene.replica.importRows(scene.request(as: clerk), findings: FindingList(), finishedAt: { testTime }, photos: { _, _ in }) { try $0.store(smallPit[0]) }
        let theirs = row("calicatas", "c9", ["project_id": .text(ReplicaScene.project), "code": .text("SECRETO")])
        try scene.importing([theirs])
        func records() throws -> String? {
            let failure = #expect(throws: UndoFailure.self) { try scene.replica.undoImport("last", context: context(clerk)) }
            return failure?.arguments["records"]
        }
        #expect(try records() == "calicatas c9")
        _ = try scene.sql("INSERT INTO project_members (id, project_id, profile_id) VALUES ('m', '\(ReplicaScene.project)', '\(clerk.id)')")
        #expect(try records()?.contains("SECRETO") == true)
    }
}
