import Foundation
import Testing
import Workbench

@testable import Model
@testable import Replica

/// Erasing in a pack of pits, whose pits stand for people here: strata go, documents of a client
/// stay.
@Suite struct ErasureTests {
    let scene: ReplicaScene
    private static let pack: Pack = {
        var pack = PitPack.make()
        pack.subjects = SubjectDefinition(
            entity: "calicatas", identity: ["id", "code"], mentions: ["title"],
            rows: [
                .init(entity: "calicata_cortes", by: "calicata_id", fate: .delete, clears: []),
                .init(entity: "calicata_photos", by: "calicata_id", fate: .delete, clears: []),
            ])
        return pack
    }()

    private static let canaries = ["CANARY-CODE", "Canary Title", "canary-sucs", "canaryfile", "c-canary", "s-canary", "ph-canary"]

    init() throws {
        scene = try ReplicaScene(pack: Self.pack)
        try scene.importing(smallPit + person)
        try scene.beginRun("r")
    }

    private var person: [ImportedRow] {
        [
            row("calicatas", "c-canary", ["project_id": .text(ReplicaScene.project), "code": .text("CANARY-CODE"), "title": .text("Canary Title")]),
            row("calicata_cortes", "s-canary", ["calicata_id": .text("c-canary"), "sucs": .text("canary-sucs")]),
            row("calicata_photos", "ph-canary", ["calicata_id": .text("c-canary"), "local_path": .text("fichero.db.files/ca/canaryfile.jpg")]),
        ]
    }

    private var context: RunContext {
        RunContext(id: "r", asOf: testTime, timeZone: .gmt, language: .english, environment: "DEV", actor: scene.actor, programVersion: "1")
    }

    /// The canaries that stand in some byte of some file of the replica.
    private func found() throws -> [String] {
        let names = try FileManager.default.subpathsOfDirectory(atPath: scene.place.path)
        let bytes = names.reduce(into: Data()) { $0 += (try? Data(contentsOf: URL(fileURLWithPath: scene.place.file($1)))) ?? Data() }
        return Self.canaries.filter { bytes.range(of: Data($0.utf8)) != nil }
    }

    @Test func nothingOfThePersonStaysInAnyByte() throws {
        #expect(try found() == Self.canaries)
        let (account, files) = try scene.replica.erase("canary-code ", context: context, isDryRun: false)
        #expect(try found() == [])
        #expect(account.lines.map(\.entity) == ["calicatas", "calicata_cortes", "calicata_photos"] && account.lines.allSatisfy { $0.removed == 1 })
        #expect(files == ["fichero.db.files/ca/canaryfile.jpg"] && account.photos == 1)
        // Others' rows stay, and the log says what was done, not to whom.
        #expect(try scene.sql("SELECT count(*) FROM calicata_cortes") == ["3"])
        #expect(try scene.sql("SELECT entity_id IS NULL FROM activity_logs WHERE action = 'person_erased'") == ["1"])
        #expect(try scene.sql("PRAGMA integrity_check; PRAGMA foreign_key_check; SELECT count(*) FROM sync_queue WHERE entity_id LIKE '%canary'") == ["ok", "0"])
    }

    @Test func aTableOfRowsThatIsAddedLaterIsClearedToo() throws {
        // What another version of the program keeps as rows in JSON, in one of its tables.
        _ = try scene.sql("INSERT INTO row_bases (entity, row_id, row, import_id) SELECT 'calicatas', 'c-canary', '{\"code\":\"CANARY-CODE\"}', id FROM imports LIMIT 1")
        _ = try scene.sql("INSERT INTO rejects (id, import_id, entity, raw, place, findings, created_at) SELECT 'x', id, 'calicatas', '{\"Código\":\"canary\\u002dcode\"}', '{}', '[]', 't' FROM imports LIMIT 1")
        let account = try scene.replica.erase("c-canary", context: context, isDryRun: false).account
        #expect(account.books["row_bases"] == 1 && account.books["rejects"] == 1)
        #expect(try scene.sql("SELECT (SELECT count(*) FROM row_bases) || (SELECT count(*) FROM rejects)") == ["00"])
    }

    @Test func aTrialChangesNothing() throws {
        let account = try scene.replica.erase("CANARY-CODE", context: context, isDryRun: true).account
        #expect(account.isDryRun && account.lines.count == 3)
        #expect(try found() == Self.canaries)
        #expect(try scene.sql("SELECT count(*) FROM erased_marks") == ["0"])
    }

    @Test func onlyAnAdministratorErasesAndOnlySomebodyWhoIsHere() throws {
        let reader = Model.Actor(id: scene.actor.id, email: scene.actor.email, fullName: nil, role: try #require(Self.pack.role("LECTOR")))
        var other = context
        other.actor = reader
        #expect(throws: ActorFailure.self) { try scene.replica.erase("CANARY-CODE", context: other, isDryRun: false) }
        #expect(throws: ErasureFailure.unknown) { try scene.replica.erase("nobody", context: context, isDryRun: false) }
    }

    @Test func aFileDoesNotBringThePersonBackUnderAnyID() throws {
        _ = try scene.replica.erase("CANARY-CODE", context: context, isDryRun: false)
        let findings = FindingList()
        let again = person + [
            row("calicatas", "c-other", ["project_id": .text(ReplicaScene.project), "code": .text(" canary-code")]),
            row("calicata_cortes", "s-other", ["calicata_id": .text("c-other"), "sucs": .text("canary-sucs")]),
        ]
        let report = try scene.importing(again + smallPit, findings: findings)
        #expect(report.total.imported == 0 && report.total.rejected == 0 && report.total.unchanged == 5)
        #expect(findings.findings.map(\.code) == ["ERASED-PERSON", "ERASED-PERSON", "ERASED-PERSON"])
        #expect(findings.findings.map { $0.arguments["count"] } == ["2", "2", "1"])
        #expect(try found() == [])
    }

    @Test func aPullDoesNotBringThePersonBack() throws {
        _ = try scene.replica.erase("CANARY-CODE", context: context, isDryRun: false)
        let entity = try #require(Self.pack.entity("calicatas"))
        let fields = ["id", "project_id", "code"].compactMap { entity.position(ofField: $0) }
        var batch = RowBatch(columnCount: 4)
        for (id, code) in [("c-canary", "CANARY-CODE"), ("c-new", "canary-code"), ("c9", "C-09")] {
            batch.append(row: [.text(id), .text(ReplicaScene.project), .text(code), .text("2026-02-01T00:00:00Z")])
        }
        let request = PullRequest(runID: nil, remote: "server", actor: scene.actor, environment: "DEV", startedAt: testTime)
        let findings = FindingList()
        let position = RemotePosition(snapshot: "1:1:", system: "s", timeline: "1")
        let account = try scene.replica.pull(request, at: position, findings: findings) { staging in
            try staging.begin(entity, fields: fields, scope: ReplicaScene.project, isWhole: false)
            try staging.take(batch, of: entity)
        }
        #expect(account.lines.first?.new == 1 && account.lines.first?.received == 1)
        #expect(findings.findings.map(\.code) == ["ERASED-PERSON"])
        #expect(try scene.sql("SELECT code FROM calicatas ORDER BY 1") == ["C-01", "C-09"])
        #expect(try found() == [])
    }
}
