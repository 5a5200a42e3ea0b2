import Foundation
import Testing

@testable import Model
@testable import Replica

@Suite struct RegistrationTests {
    let scene: ReplicaScene

    init() throws {
        scene = try ReplicaScene()
        try scene.importing(smallPit)
        try scene.beginRun("r1")
    }

    /// A registration of two files. The journal knows both as renamed.
    private func registration(
        run: String = "r1", fingerprint: String = "same", versions: [Int?] = [nil, nil], line: String = "selection:", marks: [String]? = nil
    ) throws -> ExportRegistration {
        let files = zip([("xlsx", "calicatas.xlsx"), ("csv", "calicatas-cortes.csv")], versions).map { file, version in
            ExportRegistration.File(
                format: file.0, document: file.1, fileName: "TPA-" + file.1, localPath: "/out/\(run)/" + file.1, rows: 3, bytes: 100,
                sha256: String(repeating: "ab", count: 32), expectedVersion: version)
        }
        let outputs = files.map { RunOutput(temporaryPath: $0.localPath + ".part", finalPath: $0.localPath) }
        try scene.replica.plan(outputs, run: run)
        try scene.replica.mark(outputs, as: .renamed, run: run)
        return ExportRegistration(
            runID: run, projectID: ReplicaScene.project, storageFolder: "exports/orgs/org-1/projects/\(ReplicaScene.project)", exportName: "calicatas", line: line, dialect: nil,
            selection: "{\"states\":[]}", environment: "DEV", actor: scene.actor, asOf: testTime, startedAt: testTime,
            finishedAt: testTime, findings: "{}", fingerprint: fingerprint, isDraft: false, files: files,
            marks: marks.map { ExportRegistration.Marks(entity: "calicatas", ids: $0) })
    }

    @Test func everythingAboutAFileIsThere() throws {
        let outcome = try scene.replica.register(registration())
        #expect(outcome.exports.map(\.version) == [1, 1] && outcome.marked == 0)
        let first = try #require(outcome.exports.first)
        // A file in the storage never replaces another one of the same name.
        #expect(first.storagePath == "exports/orgs/org-1/projects/\(ReplicaScene.project)/\(first.id)/TPA-calicatas.xlsx")
        #expect(try scene.sql("""
            SELECT e.format, e.environment, e.pack_name, e.pack_version, e.pack_fingerprint, e.rows, e.bytes, e.finished_at, e.is_draft,
              e.status, v.version, v.file_name, v.created_by = e.actor_id, l.action, q.operation
            FROM exports e JOIN document_versions v ON v.export_id = e.id JOIN activity_logs l ON l.entity_id = e.id
              JOIN sync_queue q ON q.entity_id = e.id WHERE e.id = '\(first.id)'
            """) == ["xlsx|DEV|pits|1.0.0|f1|3|100|2026-03-01T12:00:00Z|0|registered|1|TPA-calicatas.xlsx|1|export_registered|UPLOAD"])
        #expect(try scene.sql("SELECT json_extract(payload_json, '$.storage_path') FROM sync_queue WHERE entity_id = '\(first.id)'") == [first.storagePath])
        #expect(try scene.replica.outputs(ofRun: "r1").map(\.state) == [.registered, .registered])
    }

    @Test func versionsGrowAndSupersede() throws {
        func last(_ line: String = "selection:") throws -> Int {
            try scene.replica.lastVersion(projectID: ReplicaScene.project, line: line, exportName: "calicatas")
        }
        #expect(try last() == 0)
        let first = try scene.replica.register(registration())
        try scene.beginRun("r2")
        let second = try scene.replica.register(registration(run: "r2", versions: [2, 2]))
        #expect(second.exports.map(\.version) == [2, 2])
        #expect(try last() == 2)
        let files = try scene.replica.registeredFiles(projectID: ReplicaScene.project)
        #expect(files.map(\.status) == ["registered", "registered", "superseded", "superseded"])
        #expect(Set(files.suffix(2).map(\.id)) == Set(first.exports.map(\.id)))
        #expect(try scene.replica.registeredFiles(projectID: "other").isEmpty)
        #expect(try scene.replica.registeredFiles().count == 4)
    }

    @Test func linesStayApart() throws {
        let monthly = try scene.replica.register(registration(line: "job:monthly")).exports
        try scene.beginRun("r2")
        // A delivery of another line is the first version of its line and replaces nothing.
        let scratch = try scene.replica.register(registration(run: "r2", line: "selection:state=BORRADOR")).exports
        #expect(scratch.map(\.version) == [1, 1])
        #expect(try scene.sql("SELECT DISTINCT status FROM exports") == ["registered"])
        try scene.beginRun("r3")
        // The next delivery has only a workbook. It still replaces the whole delivery before it.
        var next = try registration(run: "r3", versions: [2, 2], line: "job:monthly")
        next.files.removeLast()
        _ = try scene.replica.register(next)
        let past = try scene.replica.registeredFiles().filter { $0.status == "superseded" }
        #expect(Set(past.map(\.id)) == Set(monthly.map(\.id)))
    }

    @Test func aFormatThatComesLaterJoinsItsVersion() throws {
        var workbook = try registration(), table = workbook
        workbook.files.removeLast()
        table.files.removeFirst()
        table.files[0].expectedVersion = 1
        _ = try scene.replica.register(workbook)
        #expect(try scene.replica.register(table).exports.map(\.version) == [1])
        #expect(try scene.sql("SELECT DISTINCT status FROM exports") == ["registered"])
        #expect(throws: RegistrationFailure.versionTaken(document: "calicatas-cortes.csv", version: 1)) { try scene.replica.register(table) }
    }

    @Test func aVersionThatAnotherRunTookIsRefusedAndNothingStays() throws {
        _ = try scene.replica.register(registration())
        try scene.beginRun("r2")
        let before = try scene.sql("SELECT count(*) FROM exports; SELECT count(*) FROM sync_queue; SELECT count(*) FROM activity_logs")
        let late = try registration(run: "r2", versions: [2, 1], marks: ["c1"])
        #expect(throws: RegistrationFailure.versionTaken(document: "calicatas-cortes.csv", version: 1)) { try scene.replica.register(late) }
        #expect(try scene.sql("SELECT count(*) FROM exports; SELECT count(*) FROM sync_queue; SELECT count(*) FROM activity_logs") == before)
        #expect(try scene.sql("SELECT DISTINCT status FROM exports; SELECT status FROM calicatas; SELECT DISTINCT state FROM run_outputs WHERE run_id = 'r2'")
            == ["registered", "APROBADO", "renamed"])
    }

    @Test func aFileThatTheJournalDoesNotKnowIsRefused() throws {
        var unknown = try registration()
        unknown.files[1].localPath = "/elsewhere/x.csv"
        #expect(throws: RegistrationFailure.notJournalled(document: "calicatas-cortes.csv")) { try scene.replica.register(unknown) }
        #expect(try scene.sql("SELECT count(*) FROM exports") == ["0"])
    }

    @Test func theSameSelectionOverTheSameDataIsKnown() throws {
        let registered = try scene.replica.register(registration()).exports
        func last(_ fingerprint: String, line: String = "selection:") throws -> [String] {
            try scene.replica.lastExport(
                projectID: ReplicaScene.project, line: line, exportName: "calicatas", fingerprint: fingerprint).map(\.id)
        }
        #expect(Set(try last("same")) == Set(registered.map(\.id)))
        #expect(try last("other") == [] && last("same", line: "job:monthly") == [])
        try scene.beginRun("r2")
        _ = try scene.replica.register(registration(run: "r2", fingerprint: "changed"))
        #expect(try last("same") == [])
    }

    @Test func marksMoveApprovedRecordsAlone() throws {
        try scene.importing([
            row("calicatas", "c2", ["project_id": .text(ReplicaScene.project), "status": .text("APROBADO")], state: .synced),
            row("calicatas", "c3", ["project_id": .text(ReplicaScene.project), "status": .text("REVISADO")]),
            row("calicatas", "c4", ["project_id": .text(ReplicaScene.project), "status": .text("APROBADO")], state: .conflict),
            row("calicatas", "c5", ["project_id": .text(ReplicaScene.project), "status": .text("APROBADO")], state: .pendingUpload),
        ])
        let stamps = try scene.sql("SELECT id, content_stamp FROM calicatas ORDER BY id")
        let outcome = try scene.replica.register(registration(marks: ["c1", "c2", "c3", "c4", "c5", "none"]))
        #expect(outcome.marked == 3)
        #expect(try scene.sql("SELECT id, status, sync_state, own_mark, local_version FROM calicatas ORDER BY id") == [
            "c1|EXPORTADO|local_only|0|2", "c2|EXPORTADO|pending_upload|1|2", "c3|REVISADO|local_only|0|1",
            "c4|APROBADO|conflict|0|1", "c5|EXPORTADO|pending_upload|0|2",
        ])
        // The content stamps have not changed, so the same selection is recognised.
        #expect(try scene.sql("SELECT id, content_stamp FROM calicatas ORDER BY id") == stamps)
        #expect(try scene.sql("SELECT entity_id, json_extract(payload_json, '$.status') FROM sync_queue WHERE operation = 'UPDATE' ORDER BY 1")
            == ["c1|EXPORTADO", "c2|EXPORTADO", "c5|EXPORTADO"])
        #expect(try scene.sql("SELECT entity_id, project_id = '\(ReplicaScene.project)', json_extract(details, '$.to') FROM activity_logs WHERE action = 'marked_exported' ORDER BY 1")
            == ["c1|1|EXPORTADO", "c2|1|EXPORTADO", "c5|1|EXPORTADO"])
        // A second import of the same files changes nothing. A marked row that was synced is still
        // protected.
        #expect(try scene.importing(smallPit).total.unchanged == 5)
        #expect(try scene.importing([row("calicatas", "c2", ["depth_m": .integer(3)])], policy: .update).total.conflict == 1)
    }

    @Test func whoMayNotMarkRegistersNothing() throws {
        var marking = try registration(marks: ["c1"])
        marking.actor.role.permissions = [.export]
        #expect(throws: ActorFailure.notAllowed(role: "GERENCIA", permission: .mark)) { try scene.replica.register(marking) }
        marking.marks = nil
        #expect(try scene.replica.register(marking).exports.count == 2)
    }

    @Test func theJudgeAnswersForTheMark() throws {
        // In this variant of the pack, only the technical lead may make the move.
        let strict = PitPack.make { entities in
            entities[1].states?.transitions = [.init(from: "APROBADO", to: "EXPORTADO", roles: ["JEFE"])]
        }
        let replica = Replica(path: scene.replica.path, pack: strict, queue: scene.replica.queue)
        let refused = try registration(marks: ["c1"])
        #expect(throws: RegistrationFailure.moveNotAllowed(role: "GERENCIA", from: "APROBADO", to: "EXPORTADO")) { try replica.register(refused) }
        #expect(try scene.sql("SELECT count(*) FROM exports; SELECT status FROM calicatas WHERE id = 'c1'") == ["0", "APROBADO"])
        // A person who is not a member of the project marks no record in it.
        var stranger = try registration(marks: ["c1"])
        stranger.actor.id = "nobody"
        stranger.actor.role.permissions.remove(.administer)
        _ = try scene.sql("INSERT INTO profiles (id, email) VALUES ('nobody', 'n@example.pe')")
        let context = RunContext(
            id: "r1", asOf: testTime, timeZone: .gmt, language: .spanish, environment: "DEV", actor: stranger.actor, programVersion: "1")
        #expect(try scene.replica.mark(ExportRegistration.Marks(entity: "calicatas", ids: ["c1"]), context, at: testTime) == 0)
        // Such a person cannot register a delivery of it either.
        #expect(throws: RegistrationFailure.notMember(email: stranger.actor.email)) { try scene.replica.register(stranger) }
        #expect(try scene.sql("SELECT status FROM calicatas WHERE id = 'c1'; SELECT count(*) FROM exports") == ["APROBADO", "0"])
        #expect(try scene.replica.register(registration(marks: ["c1"])).marked == 1)
        #expect(try scene.sql("SELECT entity, row_id, from_state, to_state, run_id FROM own_marks") == ["calicatas|c1|APROBADO|EXPORTADO|r1"])
    }

    /// Registering and marking are Fichero's own acts. They are not a change set of a person and
    /// cannot be taken back.
    @Test func whatWasRegisteredIsNotTakenBack() throws {
        let sets = try scene.sql("SELECT id FROM imports ORDER BY rowid")
        _ = try scene.replica.register(registration(marks: ["c1"]))
        #expect(try scene.sql("SELECT id FROM imports ORDER BY rowid") == sets)
        let context = RunContext(
            id: "r", asOf: testTime, timeZone: .gmt, language: .spanish, environment: "DEV", actor: scene.actor, programVersion: "1")
        #expect(throws: UndoFailure.ownAct("r1")) { try scene.replica.undoImport("r1", context: context) }
        // The import on which the delivery is based cannot be taken back either.
        #expect(throws: UndoFailure.self) { try scene.replica.undoImport("last", context: context) }
        #expect(try scene.sql("SELECT status FROM calicatas; SELECT count(*) FROM exports") == ["EXPORTADO", "2"])
    }

    /// All queue items and log entries of one write have the same number.
    @Test func manyMarksAreOneWrite() throws {
        let ids = (0..<500).map { String(format: "m%03d", $0) }
        try scene.importing(ids.map { row("calicatas", $0, ["project_id": .text(ReplicaScene.project), "status": .text("APROBADO"), "depth_m": .real(1.5)]) })
        let outcome = try scene.replica.register(registration(marks: ids.reversed() + ["m000"]))
        #expect(outcome.marked == 500)
        #expect(try scene.sql("""
            SELECT count(*), count(DISTINCT q.content_stamp), min(q.content_stamp) = (SELECT max(content_stamp) FROM exports), count(DISTINCT l.content_stamp)
            FROM sync_queue AS q JOIN activity_logs AS l ON l.entity_id = q.entity_id AND l.action = 'marked_exported' AND l.content_stamp = q.content_stamp
            WHERE q.operation = 'UPDATE'
            """) == ["500|1|1|1"])
        // The queue items follow the order in which the records were asked for, and each payload is
        // complete.
        #expect(try scene.sql("SELECT group_concat(entity_id) FROM (SELECT entity_id FROM sync_queue WHERE operation = 'UPDATE' ORDER BY id)") == [ids.reversed().joined(separator: ",")])
        #expect(try scene.sql("SELECT payload_json FROM sync_queue WHERE operation = 'UPDATE' AND entity_id = 'm007'") == [
            "{\"id\":\"m007\",\"project_id\":\"\(ReplicaScene.project)\",\"code\":null,\"title\":null,\"depth_m\":1.5,\"water_found\":null,\"end_date\":null,\"status\":\"EXPORTADO\"}"
        ])
        #expect(try scene.sql("SELECT count(*) FROM own_marks; PRAGMA foreign_key_check") == ["500"])
    }

    @Test func numbersStandWithTheFilesOrNotAtAll() throws {
        func stored(_ rows: [(String, Int64)]) -> StoredNumbers {
            StoredNumbers(numbering: "export_id", projectID: ReplicaScene.project, rows: rows.map { (rowID: $0.0, number: $0.1) })
        }
        _ = try scene.replica.register([registration()], numbers: [stored([("b", 1), ("a", 2)])])
        #expect(try scene.sql("SELECT row_id, number FROM export_numbers ORDER BY number") == ["b|1", "a|2"])
        #expect(try scene.sql("SELECT details FROM activity_logs WHERE action = 'numbers_assigned'")
            == ["{\"first\":\"1\",\"last\":\"2\",\"numbering\":\"export_id\"}"])
        // If a number is taken, or a row has a number already, neither the numbers nor the files
        // are registered.
        let before = try scene.sql("SELECT count(*) FROM exports")
        for taken in [stored([("c", 2)]), stored([("c", 3), ("a", 4)])] {
            #expect(throws: ReplicaFailure.self) { try scene.replica.register([registration(fingerprint: "other")], numbers: [taken]) }
        }
        #expect(try scene.sql("SELECT count(*) FROM exports") == before)
        #expect(try scene.sql("SELECT count(*) FROM export_numbers") == ["2"])
    }
}
