import Foundation
import Testing
import Workbench

@testable import Model
@testable import Replica

@Suite struct ImportTests {
    let scene: ReplicaScene
    init() throws { scene = try ReplicaScene() }

    private func counts(_ report: ImportAccount, _ entity: String) -> ImportCounts? {
        report.lines.first { $0.entity == entity }?.counts
    }

    @Test func newRowsComeWithQueueItemsAndLogEntries() throws {
        let report = try scene.importing(smallPit)
        #expect(report.lines.map(\.entity) == ["projects", "calicatas", "calicata_cortes"])
        #expect(report.total.imported == 5 && report.total.read == 5)
        #expect(try scene.sql("SELECT operation, entity_type, count(*) FROM sync_queue WHERE entity_type <> 'profiles' GROUP BY 1, 2 ORDER BY 2")
            == ["INSERT|calicata_cortes|3", "INSERT|calicatas|1", "INSERT|projects|1"])
        // A stratum belongs to the project of its pit.
        #expect(try scene.sql("SELECT DISTINCT project_id FROM sync_queue WHERE entity_type <> 'profiles'") == [ReplicaScene.project])
        #expect(try scene.sql("SELECT action, count(*) FROM activity_logs WHERE created_at = '2026-03-01T12:00:00Z' GROUP BY 1 ORDER BY 1")
            == ["change|1", "import|1", "profile_created|1", "row_imported|5"])
        #expect(try scene.sql("SELECT depth_m, typeof(depth_m), sync_state, local_version FROM calicatas") == ["2.0|real|local_only|1"])
        #expect(try scene.sql("SELECT json_extract(payload_json, '$.code', '$.depth_m', '$.title') FROM sync_queue WHERE entity_id = 'c1'")
            == ["[\"C-01\",2.0,null]"])
        #expect(try scene.sql("SELECT source, format, json_extract(counts, '$[0].counts.imported') FROM imports WHERE format <> 'init'") == ["pits.json|json|1"])
    }

    @Test func aSecondImportChangesNothing() throws {
        try scene.importing(smallPit)
        let dump = "SELECT * FROM calicatas; SELECT * FROM calicata_cortes; SELECT * FROM projects; SELECT * FROM sync_queue; SELECT * FROM conflicts"
        let before = try scene.sql(dump)
        for policy in ImportPolicy.allCases {
            let report = try scene.importing(smallPit, policy: policy)
            #expect(report.total.unchanged == 5 && report.total.read == 5)
        }
        #expect(try scene.sql(dump) == before)
    }

    @Test func statedStatesAreKeptAndNeedNoUpload() throws {
        var project = row("projects", "p", ["code": .text("X")], state: .synced)
        project.localVersion = 7
        project.remoteUpdatedAt = "2026-02-01T00:00:00Z"
        try scene.importing([project])
        #expect(try scene.sql("SELECT sync_state, local_version, remote_updated_at FROM projects") == ["synced|7|2026-02-01T00:00:00Z"])
        #expect(try scene.sql("SELECT count(*) FROM sync_queue WHERE entity_type = 'projects'") == ["0"])
    }

    @Test func differingContentIsAConflictOnceAndKeepsBothSides() throws {
        try scene.importing(smallPit)
        let other = row("calicatas", "c1", ["depth_m": .real(2.5), "status": .text("APROBADO")])
        let findings = FindingList()
        for _ in 0..<2 {
            let report = try scene.importing([other], findings: findings)
            #expect(report.total.conflict == 1 && report.total.read == 1)
        }
        #expect(findings.findings.map(\.code) == ["IMPORT-CONFLICT", "IMPORT-CONFLICT"])
        #expect(findings.findings.first?.place.id == "c1")
        #expect(try scene.sql("SELECT depth_m, sync_state FROM calicatas") == ["2.0|conflict"])
        #expect(try scene.sql(
            "SELECT project_id, resolution_status, json_extract(local_payload, '$.depth_m'), remote_payload FROM conflicts")
            == [ReplicaScene.project + "|open|2.0|{\"id\":\"c1\",\"depth_m\":2.5,\"status\":\"APROBADO\"}"])
        #expect(throws: ConflictFailure.unknown("c1-", nearest: "C-01")) {
            try scene.replica.conflict(named: "c1-", projectIDs: [ReplicaScene.project], reader: scene.actor)
        }
        // When a person has kept the local side, the same file does not make the conflict again.
        _ = try scene.sql("UPDATE conflicts SET resolution_status = 'local'; UPDATE calicatas SET sync_state = 'local_only'")
        #expect(try scene.importing([other]).total.unchanged == 1)
        #expect(try scene.sql("SELECT count(*) FROM conflicts") == ["1"])
    }

    @Test func updateTakesStatedValuesAndLeavesTheOthers() throws {
        try scene.importing(smallPit)
        let report = try scene.importing([row("calicatas", "c1", ["depth_m": .real(2.5)])], policy: .update)
        #expect(report.total.updated == 1)
        #expect(try scene.sql("SELECT code, depth_m, local_version, sync_state, content_stamp > (SELECT content_stamp FROM projects) FROM calicatas")
            == ["C-01|2.5|2|pending_upload|1"])
        #expect(try scene.sql("SELECT operation FROM sync_queue WHERE entity_id = 'c1' ORDER BY rowid") == ["INSERT", "UPDATE"])
    }

    @Test func updateNeverTouchesASyncedRow() throws {
        try scene.importing([row("projects", "p", ["code": .text("X")], state: .synced)])
        #expect(try scene.importing([row("projects", "p", ["code": .text("Y")])], policy: .update).total.conflict == 1)
        #expect(try scene.sql("SELECT code, sync_state FROM projects") == ["X|conflict"])
    }

    @Test func skipLeavesTheRow() throws {
        try scene.importing(smallPit)
        let report = try scene.importing([row("calicatas", "c1", ["depth_m": .real(9)]), row("calicata_cortes", "s1", ["calicata_id": .text("c1")])], policy: .skip)
        // A row with changed values is skipped, and an equal row is unchanged.
        #expect(report.total.skipped == 1 && report.total.unchanged == 1 && report.total.read == 2)
        #expect(try scene.sql("SELECT depth_m, sync_state FROM calicatas") == ["2.0|local_only"])
        #expect(try scene.sql("SELECT count(*) FROM conflicts") == ["0"])
    }

    @Test func theLaterOfTwoRowsWithOneIdIsRejected() throws {
        let twice = row("calicatas", "c1", ["code": .text("other")])
        let findings = FindingList()
        #expect(counts(try scene.importing(smallPit + [twice], findings: findings), "calicatas")?.rejected == 1)
        // This also holds if the first of the two rows changes nothing.
        var onceUnchanged = ImportCounts()
        (onceUnchanged.unchanged, onceUnchanged.rejected) = (1, 1)
        #expect(counts(try scene.importing(smallPit + [twice]), "calicatas") == onceUnchanged)
        #expect(findings.findings.map(\.code) == ["IMPORT-DUPLICATE"])
        #expect(try scene.sql("SELECT code FROM calicatas") == ["C-01"])
        // The same row is kept only once for the same reason.
        #expect(try scene.sql("SELECT entity, raw, state, json_extract(place, '$.line'), json_extract(findings, '$[0].code') FROM rejects")
            == ["calicatas|{\"calicatas\":\"c1\"}|open|7|IMPORT-DUPLICATE"])
    }

    @Test func rejectedRowsAreKeptWithTheirReasonAlsoOfNoEntity() throws {
        let findings = FindingList()
        let report = try scene.importing([row("calicatas", nil), row("gremlins", "g")], findings: findings)
        #expect(findings.findings.map(\.code) == ["IMPORT-NO-ID"])
        #expect(report.total.rejected == 2 && report.total.read == 2)
        #expect(report.lines.map(\.entity) == ["calicatas", ""])
        #expect(try scene.sql("SELECT entity, raw FROM rejects ORDER BY rowid") == ["calicatas|{\"calicatas\":\"\"}", "|{\"gremlins\":\"g\"}"])
    }

    @Test func tooManyRejectedRowsUndoEverything() throws {
        #expect(throws: ImportLimitFailure.tooMany(count: 2, limit: 1)) {
            try scene.replica.importRows(scene.request(maximumErrors: 1), findings: FindingList()) { session in
                for row in smallPit + [row("calicatas", nil), row("calicatas", nil)] { try session.store(row) }
            }
        }
        #expect(try scene.sql("SELECT (SELECT count(*) FROM projects), (SELECT count(*) FROM rejects), (SELECT count(*) FROM imports)")
            == ["0|0|1"])
        // The connection can be used for the next import.
        #expect(try scene.importing(smallPit).total.imported == 5)
    }

    @Test func aDryRunCountsAndLeavesNothing() throws {
        let report = try scene.replica.importRows(scene.request(isDryRun: true), findings: FindingList()) { session in
            for row in smallPit + [row("calicata_cortes", "s9", ["calicata_id": .text("none")])] { try session.store(row) }
        }
        #expect(report.isDryRun && report.total.imported == 5 && report.total.rejected == 1)
        #expect(try scene.sql("SELECT (SELECT count(*) FROM projects), (SELECT count(*) FROM rejects), (SELECT count(*) FROM imports)")
            == ["0|0|1"])
    }

    @Test func anErrorOfTheCallerUndoesEverything() throws {
        struct Broken: Error {}
        #expect(throws: Broken.self) {
            try scene.importing(smallPit, after: { _ in throw Broken() })
        }
        #expect(try scene.sql("SELECT count(*) FROM projects") == ["0"])
        #expect(try scene.importing(smallPit).total.imported == 5)
    }

    @Test func logsComeAsTheyAreAndStay() throws {
        let log = row("activity_logs", "l1", ["action": .text("edit"), "created_at": .text("2026-01-01T00:00:00Z")])
        try scene.importing([log])
        #expect(try scene.importing([row("activity_logs", "l1", ["action": .text("forged")])], policy: .update).total.unchanged == 1)
        #expect(try scene.sql("SELECT action FROM activity_logs WHERE id = 'l1'") == ["edit"])
        #expect(try scene.sql("SELECT count(*) FROM sync_queue WHERE entity_type = 'activity_logs'") == ["0"])
    }

    @Test func onlyAnAdministratorImportsProfilesAndMemberships() throws {
        var clerk = scene.actor
        clerk.role = Role(name: "ASISTENTE", permissions: [.read, .import], sees: ["public"])
        let intruder = row("profiles", "x", ["email": .text("x@example.pe"), "role": .text("GERENCIA"), "status": .text("ACTIVO")])
        let findings = FindingList()
        let refused = try scene.replica.importRows(scene.request(as: clerk), findings: findings) {
            try $0.store(intruder)
            try $0.store(row("projects", "p9", ["code": .text("P9"), "name": .text("Project"), "status": .text("ACTIVO")]))
        }
        // The rest of the file comes in. The row is rejected until somebody who may import it tries
        // it again.
        #expect(refused.total.rejected == 1)
        #expect(refused.total.imported == 1)
        #expect(findings.findings.map(\.code) == ["IMPORT-NOT-ALLOWED"])
        #expect(try scene.sql("SELECT count(*) FROM profiles WHERE id = 'x'") == ["0"])
        try scene.importing([intruder])
        // A row that changes nothing needs no permission.
        let report = try scene.replica.importRows(scene.request(as: clerk), findings: FindingList()) { try $0.store(intruder) }
        #expect(report.total.unchanged == 1)
        clerk.role.permissions = [.read]
        #expect(throws: ActorFailure.notAllowed(role: "ASISTENTE", permission: .import)) {
            try scene.replica.importRows(scene.request(as: clerk), findings: FindingList()) { _ in }
        }
    }
}
