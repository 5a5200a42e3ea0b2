import Foundation
import Testing
import Workbench

@testable import Model
@testable import Replica

/// The pack renames a field, and a replica full of work follows: nothing is lost, and everything goes on under the new
/// name.
@Suite struct RenameTests {
    let scene: ReplicaScene
    /// A copy of the scene's replica that nobody has open.
    let file: String

    init() throws {
        scene = try ReplicaScene()
        file = scene.place.file("renamed.db")
        try scene.importing(smallPit + [row("calicatas", "c2", ["project_id": .text(ReplicaScene.project), "code": .text("C-02"), "depth_m": .real(1.5)])])
    }

    /// The pack of the scene with another name of the depth, and of a reference.
    private func pack(_ name: String = "depth", from former: [String] = ["depth_m"], version: String = "1.1.0") -> Pack {
        var pack = PitPack.make(fingerprint: version) { entities in
            entities[1].fields[4].name = name
            entities[1].fields[4].formerNames = former
            entities[2].fields[1].name = "pit_id"
            entities[2].fields[1].formerNames = ["calicata_id"]
            entities[2].projectPath = FieldPath("pit_id.project_id")
            entities[2].keyScope = "pit_id"
        }
        pack.version = version
        pack.records[0].parts[0].by = FieldPath("pit_id")
        pack.exports[0].sheets[0].order = [FieldPath("pit_id.code"), FieldPath("number")]
        return pack
    }

    private func copy() throws {
        if !FileManager.default.fileExists(atPath: file) { _ = try scene.sql(".backup '\(file)'") }
    }

    private func initialise(_ pack: Pack) throws -> InitialisationOutcome {
        try copy()
        return try Replica.initialise(at: file, pack: pack, now: testTime)
    }

    private func migrate(_ pack: Pack) throws -> Replica {
        _ = try initialise(pack)
        return try Replica.open(at: file, pack: pack, busyTimeout: 0)
    }

    private func sql(_ sql: String) throws -> [String] { try scene.place.sqlite3(file, sql) }

    /// Somebody corrects a depth; or a file brings another one.
    private func change(_ depth: Double, byFile: Bool = false) throws {
        let values: [String: MemoryRows.Value] = ["project_id": .text(ReplicaScene.project), "code": .text("C-01"), "depth_m": .real(depth)]
        var request = scene.request(policy: byFile ? .conflict : .update)
        if !byFile { request.origin = .person }
        _ = try scene.replica.importRows(request, findings: FindingList(), finishedAt: { testTime }) { try $0.store(row("calicatas", "c1", values)) }
    }

    private var context: RunContext {
        RunContext(id: "r", asOf: testTime, timeZone: .gmt, language: .english, environment: "DEV", actor: scene.actor, programVersion: "1")
    }

    @Test func columnsAndIndexesAreThoseOfANewReplica() throws {
        _ = try scene.sql("CREATE INDEX own ON calicatas (depth_m)")
        let stamps = try scene.sql("SELECT id, content_stamp, local_version, sync_state FROM calicatas")
        let newer = pack()
        guard case .migrated(let renamed, _, let leftovers) = try initialise(newer) else {
            Issue.record("nothing was done")
            return
        }
        #expect(renamed == ["calicatas.depth_m → depth", "calicata_cortes.calicata_id → pit_id"] && leftovers.isEmpty)
        let fresh = scene.place.file("fresh.db")
        try Replica.create(at: fresh, pack: newer, now: testTime)
        let names = "SELECT name FROM sqlite_schema WHERE name NOT LIKE 'sqlite_%' AND name <> 'own' ORDER BY 1; SELECT name FROM pragma_table_info('calicatas')"
        #expect(try sql(names) == scene.place.sqlite3(fresh, names))
        #expect(try sql("SELECT depth FROM calicatas INDEXED BY own WHERE depth > 1.9") == ["2.0"])
        #expect(try sql("SELECT \"from\", \"table\", on_delete FROM pragma_foreign_key_list('calicata_cortes')") == ["pit_id|calicatas|CASCADE"])
        #expect(try sql("SELECT count(pit_id) FROM calicata_cortes; PRAGMA integrity_check; PRAGMA foreign_key_check") == ["3", "ok"])
        // What documents are made from has not changed.
        #expect(try sql("SELECT id, content_stamp, local_version, sync_state FROM calicatas") == stamps)
        #expect(try initialise(newer) == .current)
        #expect(Replica.doctor(at: file, pack: newer).filter { $0.state == .error }.isEmpty)
    }

    @Test func theQueueSendsTheNewName() throws {
        try change(3)
        _ = try migrate(pack())
        let items = try sql("SELECT operation, payload_json ->> 'depth', instr(payload_json, 'depth_m') FROM sync_queue WHERE entity_id = 'c1'")
        #expect(items == ["INSERT|3.0|0"] || items == ["INSERT|2.0|0", "UPDATE|3.0|0"])
        #expect(try sql("SELECT DISTINCT payload_json ->> 'pit_id', instr(payload_json, 'calicata_id') FROM sync_queue WHERE entity_type = 'calicata_cortes'") == ["c1|0"])
        // The log says what was written then.
        #expect(try sql("SELECT count(*) FROM activity_logs WHERE details LIKE '%\"depth_m\"%'") == ["1"])
    }

    @Test func anUndoRestoresTheFormerValue() throws {
        try change(3)
        let replica = try migrate(pack())
        _ = try replica.undoImport("last", context: context)
        #expect(try sql("SELECT depth FROM calicatas WHERE id = 'c1'") == ["2.0"])
        #expect(try replica.provenance(of: "c1", projectIDs: [ReplicaScene.project], actor: scene.actor).values.contains { $0.field == "depth" && $0.value == "2.0" })
    }

    @Test func whatTheRemoteConfirmedAndBothSidesOfAConflictAreKept() throws {
        _ = try scene.sql("UPDATE calicatas SET sync_state = 'synced', remote_updated_at = '2026-01-01T00:00:00Z'; DELETE FROM sync_queue")
        try change(3)
        try change(4, byFile: true)
        #expect(try scene.sql("SELECT row ->> 'depth_m' FROM row_bases") == ["2.0"])
        let replica = try migrate(pack())
        #expect(try sql("SELECT row ->> 'depth', instr(row, 'depth_m') FROM row_bases") == ["2.0|0"])
        let conflicts = try replica.conflicts(projectIDs: [ReplicaScene.project], reader: scene.actor)
        #expect(conflicts.map(\.differences) == [[.init(field: "depth", base: "2.0", local: "3.0", remote: "4.0")]])
        #expect(try replica.merge(of: conflicts[0]).both == ["depth"])
    }

    @Test func findingsOfRejectedRowsPointToTheField() throws {
        let finding = Finding("VALUE-NUMBER", place: Place(table: "calicatas", field: "depth_m", file: "a/b.csv"), arguments: ["value": "2 m"])
        let raw = #"{"code":"C-03","depth_m":"2 m"}"#
        try scene.importing([], after: { try $0.reject(entity: "calicatas", raw: raw, place: Place(file: "a/b.csv"), findings: [finding]) })
        let replica = try migrate(pack())
        let rejects = try replica.rejects(seenBy: scene.actor)
        #expect(rejects.map(\.raw) == [raw] && rejects[0].findings.map(\.place.field) == ["depth"])
        var expected = finding
        expected.place.field = "depth"
        #expect(try sql("SELECT findings FROM rejects") == [Quarantine.json([expected])])
    }

    /// The finding of the renamed field is the same finding: it is not new, and it stays accepted.
    @Test func acceptedFindingsStayAccepted() throws {
        let found = { (field: String) in
            [
                Finding(code: "DEEP", severity: .error, place: Place(table: "calicatas", id: "c1", field: field), arguments: [field: "2.0"]),
                Finding(code: "JSON", severity: .error, place: Place(table: "calicatas", id: "c1", field: field, pointer: "/a"), arguments: ["value": "2"]),
            ]
        }
        var pack = pack()
        pack.rules = [Rule(code: "DEEP", entity: "calicatas", severity: .error, check: .query(""), arguments: ["depth"])]
        try scene.join(ReplicaScene.project, scene.actor.id)
        let session = { (path: String, pack: Pack, field: String) in
            let session = try ReadSession(path: path, pack: pack, actor: scene.actor, projects: [], timeZone: .gmt, asOf: testTime)
            for finding in found(field) { try session.findings.add(finding) }
            return session
        }
        var first = context
        first.id = "run-aaaaaa"
        try scene.replica.keepValidation(
            first, projects: [ReplicaScene.project], findings: try session(scene.file, scene.pack, "depth_m").findings, summary: "{}", exitCode: .done, startedAt: testTime, finishedAt: testTime)
        _ = try scene.replica.accept(
            found("depth_m").map(\.fingerprint), reason: "known", until: "2026-12-31", context: context, projectIDs: [ReplicaScene.project])
        let replica = try migrate(pack)
        #expect(try sql("SELECT DISTINCT field FROM finding_acceptances UNION SELECT field FROM run_findings") == ["depth"])
        let after = try session(file, pack, "depth").findings
        #expect(try after.counts().map(\.open) == [0, 0])
        let comparison = try after.compare(with: try replica.keptValidation("run-aaaaaa"), projects: [ReplicaScene.project], unjudged: [], hidden: [])
        #expect((comparison.new, comparison.mended, comparison.remaining) == (0, 0, 2))
    }

    @Test(arguments: [true, false]) func aFieldMayBeRenamedTwice(_ followsEach: Bool) throws {
        try change(3)
        if followsEach { _ = try migrate(pack()) }
        let replica = try migrate(pack("total_depth", from: ["depth_m", "depth"], version: "1.2.0"))
        #expect(try sql("SELECT total_depth FROM calicatas ORDER BY id") == ["3.0", "1.5"])
        #expect(try sql("SELECT count(*) FROM sync_queue WHERE entity_type = 'calicatas' AND payload_json ->> 'total_depth' IS NULL") == ["0"])
        _ = try replica.undoImport("last", context: context)
        #expect(try sql("SELECT total_depth FROM calicatas WHERE id = 'c1'") == ["2.0"])
    }

    /// Values under both names: nobody can tell which count, so nothing is done. A former column without values stays.
    @Test func twoColumnsWithValuesAreNotMerged() throws {
        try copy()
        _ = try sql("ALTER TABLE calicatas ADD COLUMN depth REAL")
        #expect(throws: ReplicaFailure.migration(path: file, obstacles: ["calicatas.depth_m → depth (∃ depth)"])) { try migrate(pack()) }
        #expect(try sql("SELECT count(*) FROM pragma_table_info('calicata_cortes') WHERE name = 'calicata_id'") == ["1"])
        _ = try sql("UPDATE calicatas SET depth = depth_m, depth_m = NULL")
        guard case .migrated(let renamed, _, let leftovers) = try initialise(pack()) else {
            Issue.record("nothing was done")
            return
        }
        #expect(renamed == ["calicata_cortes.calicata_id → pit_id"] && leftovers == ["calicatas.depth_m"])
    }

    @Test func anOlderPackIsRefusedAndChangesNothing() throws {
        _ = try migrate(pack())
        let before = try sql("SELECT * FROM fichero_replica ORDER BY key; SELECT sql FROM sqlite_schema")
        let older = ReplicaFailure.packOlder(path: file, pack: "pits", found: "1.1.0", version: "1.0.9")
        var former = scene.pack
        former.version = "1.0.9"
        #expect(throws: older) { try Replica.initialise(at: file, pack: former, now: testTime) }
        #expect(throws: older) { try Replica.open(at: file, pack: former) }
        #expect(Replica.doctor(at: file, pack: former).contains { $0.code == "REPLICA-PACK-OLDER" && $0.state == .error })
        #expect(try sql("SELECT * FROM fichero_replica ORDER BY key; SELECT sql FROM sqlite_schema") == before)
        // Numbers are compared as numbers, and a greater version may bring the former name back.
        let back = pack("depth_m", from: ["depth"], version: "1.10.0")
        _ = try migrate(back)
        #expect(try sql("SELECT depth_m FROM calicatas WHERE id = 'c1'") == ["2.0"])
    }

    /// Rows that no program wrote as it should are left as they are.
    @Test(arguments: ["", "null", "[1]", "{\"depth_m\":", "{\"depth_m\":1,\"depth\":2}", "{\"note\":\"\\\"depth_m\\\"\",\"a\":1e400}"])
    func whatIsNoRowStaysAsItIs(_ payload: String) throws {
        try copy()
        _ = try sql("UPDATE sync_queue SET payload_json = \(SQLText.literal(payload)) WHERE entity_id = 'c1'")
        _ = try migrate(pack())
        let kept = payload == "{\"depth_m\":1,\"depth\":2}" ? "{\"depth\":2}" : payload
        #expect(try sql("SELECT payload_json = \(SQLText.literal(kept)) FROM sync_queue WHERE entity_id = 'c1'") == ["1"])
    }
}
