import Foundation
import Model
import Testing
import Workbench

@testable import Replica

/// Where values come from, and what an import would change in each record.
@Suite struct RecordHistoryTests {
    let scene: ReplicaScene
    init() throws { scene = try ReplicaScene() }

    private func history(_ name: String, _ replica: ReplicaScene? = nil, projects: [String] = [ReplicaScene.project]) throws -> RecordHistory {
        try (replica ?? scene).replica.provenance(of: name, projectIDs: projects, actor: (replica ?? scene).actor)
    }

    private func sheetRow(_ id: String, _ line: Int, _ values: [String: MemoryRows.Value]) -> ImportedRow {
        ImportedRow(
            entity: "calicatas", values: values.merging(["id": .text(id)]) { first, _ in first }, raw: "{}",
            place: Place(file: "old.xlsx", line: line, pointer: "Hoja 1!A\(line)"))
    }

    @Test func everyValueNamesTheImportThatSetItLast() throws {
        let first = try scene.importing(smallPit).id
        var request = scene.request(policy: .update)
        request.sha256 = "ab"
        request.digest = { "sha of " + $0 }
        let second = try scene.replica.importRows(request, findings: FindingList()) { session in
            try session.store(sheetRow("c1", 12, ["depth_m": .real(2.5), "title": .text("T"), "code": .text("C-01")]))
        }.id
        let record = try history("C-01")
        #expect(record.entity == "calicatas" && record.id == "c1" && record.key == "C-01" && !record.isChangedSince)
        let origins = record.values.map { "\($0.field)=\($0.value) \($0.importID == first ? 1 : $0.importID == second ? 2 : 0) \($0.file ?? "") \($0.sheet ?? "") \($0.row ?? 0)" }
        #expect(origins == [
            "id=c1 1 pits.json  7", "project_id=\(ReplicaScene.project) 1 pits.json  7", "code=C-01 1 pits.json  7",
            "title=T 2 old.xlsx Hoja 1 12", "depth_m=2.5 2 old.xlsx Hoja 1 12", "status=APROBADO 1 pits.json  7",
        ])
        #expect(record.values[4].sha256 == "sha of old.xlsx" && record.values[4].importedAt == "2026-03-01T12:00:00Z")
        // A row that did not come by an import has no name of an import. The administrator comes
        // from `init`.
        _ = try scene.sql("UPDATE calicatas SET title = 'by hand', content_stamp = content_stamp + 1 WHERE id = 'c1'")
        #expect(try history("c1").isChangedSince)
        #expect(try scene.replica.provenance(of: scene.actor.id, projectIDs: [], actor: scene.actor).values.allSatisfy { $0.file == "init" })
    }

    @Test func recordsOfOtherProjectsAndHiddenFieldsAreNotShown() throws {
        try scene.importing(smallPit)
        #expect(throws: RecordFailure.unknown("C-01")) { try history("C-01", projects: []) }
        #expect(throws: RecordFailure.unknown("c1")) { try history("c1", projects: ["another"]) }
        #expect(throws: RecordFailure.unknown("' OR 1 --")) { try history("' OR 1 --") }
        let secret = try ReplicaScene(pack: PitPack.make { $0[1].fields[3].privacy = "secret" })
        try secret.importing([smallPit[0], row("calicatas", "c1", ["project_id": .text(ReplicaScene.project), "title": .text("hidden")])])
        #expect(try !history("c1", secret).values.map(\.field).contains("title"))
    }

    @Test func aNameOfSeveralRecordsIsRefused() throws {
        try scene.importing(smallPit + [row("calicatas", "c2", ["project_id": .text(ReplicaScene.project), "code": .text("C-01")])])
        #expect(throws: RecordFailure.ambiguous("C-01", ids: ["TPA / C-01 (calicatas c1)", "TPA / C-01 (calicatas c2)"])) { try history("C-01") }
    }

    @Test func aTrialTellsRecordByRecord() throws {
        try scene.importing(smallPit)
        var records: [ImportRecord] = []
        var request = scene.request(policy: .update, isDryRun: true)
        request.records = { records.append($0) }
        _ = try scene.replica.importRows(request, findings: FindingList()) { session in
            for row in smallPit.prefix(2) { try session.store(row) }
            for row in [
                row("calicatas", "c1"), row("calicatas", "c2", ["code": .text("C-02")]), row("calicatas", "c3", ["project_id": .text("nowhere")]),
                row("calicatas", nil), row("calicata_cortes", "s1", ["sucs": .text("GP")]),
            ] { try session.store(row) }
        }
        #expect(records.map { "\($0.entity) \($0.id ?? "") \($0.key ?? "") \($0.outcome.rawValue)" } == [
            "projects \(ReplicaScene.project) TPA unchanged", "calicatas c1 TPA / C-01 unchanged",
            "calicatas c1 TPA / C-01 rejected", "calicatas c2 C-02 imported", "calicatas c3  rejected",
            "calicata_cortes s1 C-01 / 1 updated", "calicatas   rejected",
        ])
        #expect(records[5].changes == [RowDifference(field: "sucs", before: nil, after: "GP")])
        #expect(records[0].place == Place(table: "projects", file: "pits.json", line: 7))
        #expect(try scene.sql("SELECT count(*) FROM calicatas; SELECT sucs IS NULL FROM calicata_cortes WHERE id = 's1'") == ["1", "1"])
    }

    @Test(arguments: [nil, "corrected by the client"]) func aClosedRecordChangesOnlyWithAReason(reason: String?) throws {
        let scene = try ReplicaScene(pack: PitPack.make { $0[1].states?.closed = ["ARCHIVADO"] })
        try scene.importing(smallPit.map { pit in
            var pit = pit
            if pit.entity == "calicatas" { pit.values["status"] = .text("ARCHIVADO") }
            return pit
        })
        var request = scene.request(policy: .update)
        request.reason = reason
        let findings = FindingList()
        let report = try scene.replica.importRows(request, findings: findings) { session in
            try session.store(row("calicatas", "c1", ["depth_m": .real(3)]))
            // The stratum belongs to the closed record.
            try session.store(row("calicata_cortes", "s1", ["sucs": .text("GP")]))
        }
        if reason == nil {
            #expect(report.total.conflict == 2 && report.total.updated == 0)
            #expect(findings.findings.map(\.code) == ["IMPORT-CLOSED", "IMPORT-CLOSED"])
            #expect(findings.findings.first?.arguments == ["state": "ARCHIVADO"])
            #expect(try scene.sql("SELECT depth_m, sync_state FROM calicatas") == ["2.0|conflict"])
        } else {
            #expect(report.total.updated == 2 && findings.findings.isEmpty)
            #expect(try scene.sql("SELECT details FROM activity_logs WHERE action = 'row_updated_by_import' AND entity_id = 'c1'")
                == ["{\"after\":{\"depth_m\":\"3.0\"},\"before\":{\"depth_m\":\"2.0\"},\"reason\":\"corrected by the client\"}"])
            #expect(try scene.sql("SELECT reason FROM import_details ORDER BY stamp DESC LIMIT 1") == ["corrected by the client"])
        }
    }

    @Test(arguments: [nil, "found in the archive"]) func aClosedRecordGetsNewPartsOnlyWithAReason(reason: String?) throws {
        let scene = try ReplicaScene(pack: PitPack.make { $0[1].states?.closed = ["ARCHIVADO"] })
        // If an import brings a closed record, it brings its parts too, with or without a reason.
        let archived = smallPit.map { pit in
            var pit = pit
            if pit.entity == "calicatas" { pit.values["status"] = .text("ARCHIVADO") }
            return pit
        }
        let first = try scene.importing(archived)
        #expect(first.total.rejected == 0)
        func parts(_ reason: String?, _ policy: ImportPolicy = .conflict) throws -> (ImportAccount, [Finding]) {
            var request = scene.request(policy: policy)
            request.reason = reason
            let findings = FindingList()
            let report = try scene.replica.importRows(request, findings: findings) { session in
                // One part is new, and one is in the replica already. A new pit of the project is
                // not a part of a record.
                try session.store(row("calicata_cortes", "s8", ["calicata_id": .text("c1"), "number": .integer(8), "depth_from_m": .real(4)]))
                for known in archived where known.entity == "calicata_cortes" { try session.store(known) }
                try session.store(row("calicatas", "c7", ["project_id": .text(ReplicaScene.project), "code": .text("C-07"), "status": .text("ARCHIVADO")]))
                try session.store(row("calicata_cortes", "s9", ["calicata_id": .text("c7"), "number": .integer(1)]))
            }
            return (report, findings.findings)
        }
        let (report, findings) = try parts(reason)
        #expect(report.total.read == report.total.imported + report.total.unchanged + report.total.rejected)
        #expect(report.total.conflict == 0 && report.total.updated == 0)
        if reason == nil {
            #expect(report.total.rejected == 1 && report.total.imported == 2)
            #expect(findings.map(\.code) == ["IMPORT-CLOSED-PART"] && findings[0].arguments == ["state": "ARCHIVADO"] && findings[0].place.id == "s8")
            #expect(try scene.sql("SELECT count(*) FROM calicata_cortes WHERE id = 's8'; SELECT count(*) FROM rejects; SELECT count(*) FROM sync_queue WHERE entity_id = 's8'")
                == ["0", "1", "0"])
            // A policy does not replace the reason.
            #expect(try parts(nil, .update).0.total.rejected == 1)
        } else {
            #expect(report.total.rejected == 0 && report.total.imported == 3 && findings.isEmpty)
            #expect(try scene.sql("SELECT json_extract(details, '$.reason'), json_extract(details, '$.after.number'), entity_id FROM activity_logs WHERE action = 'row_added_to_closed'")
                == ["found in the archive|8|s8"])
            #expect(try parts(nil).0.total.unchanged == report.total.read, "what is in needs no reason any more")
        }
    }

    /// One import closes the record and brings its parts. They were written down while the record
    /// was open.
    @Test func aRecordThatAnImportClosesItselfTakesItsPartsAlong() throws {
        let scene = try ReplicaScene(pack: PitPack.make { $0[1].states?.closed = ["ARCHIVADO"] })
        try scene.importing(smallPit)
        let report = try scene.replica.importRows(scene.request(policy: .update), findings: FindingList()) { session in
            try session.store(row("calicatas", "c1", ["status": .text("ARCHIVADO")]))
            try session.store(row("calicata_cortes", "s8", ["calicata_id": .text("c1"), "number": .integer(8)]))
        }
        #expect(report.total.updated == 1 && report.total.imported == 1 && report.total.rejected == 0)
    }
}
