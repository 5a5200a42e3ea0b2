import Foundation
import Testing
import Workbench

@testable import Model
@testable import Replica

/// Erasing in a pack of pits, whose pits stand for people here: strata go, documents of a client
/// stay.
@Suite struct ErasureTests {
    let scene: ReplicaScene
    static let pack: Pack = {
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
        _ = try scene.sql("INSERT INTO rejects (id, import_id, entity, raw, place, findings, created_at) SELECT 'x', id, 'calicatas', '{\"code\":\"canary\\u002dcode\"}', '{}', '[]', 't' FROM imports LIMIT 1")
        let account = try scene.replica.erase("c-canary", context: context, isDryRun: false).account
        #expect(account.books["row_bases"] == 1 && account.books["rejects"] == 1)
        #expect(try scene.sql("SELECT (SELECT count(*) FROM row_bases) || (SELECT count(*) FROM rejects)") == ["00"])
    }

    /// What others did, and did not send yet, is theirs: it only loses its references.
    @Test func whatIsKeptOfRowsThatStayStays() throws {
        let other = try #require(try scene.sql("SELECT id FROM calicata_cortes WHERE calicata_id <> 'c-canary' ORDER BY id LIMIT 1").first)
        let payload = #"{"id":"\#(other)","calicata_id":"c-canary","sucs":"met Canary Title there","photos":["c-canary","x"]}"#
        _ = try scene.sql(
            """
            DELETE FROM sync_queue;
            INSERT INTO sync_queue (id, operation, entity_type, entity_id, payload_json, retry_count) VALUES ('q1', 'UPDATE', 'calicata_cortes', '\(other)', '\(payload)', 0), ('q2', 'UPDATE', 'calicatas', 'c-canary', '{}', 0);
            INSERT INTO conflicts (id, entity_type, entity_id, local_payload, remote_payload, resolution_status) VALUES ('k1', 'calicata_cortes', '\(other)', '\(payload)', '\(payload)', 'open');
            UPDATE calicata_cortes SET sync_state = 'conflict' WHERE id = '\(other)';
            INSERT INTO exports (id, export_name, local_path, selection, file_name) VALUES ('e1', 'calicatas', '/out/Canary Title.xlsx', '{"filter":"title = ''Canary Title''"}', 'Canary Title.xlsx')
            """)
        let account = try scene.replica.erase("CANARY-CODE", context: context, isDryRun: false).account
        let expected = #"{"id":"\#(other)","calicata_id":null,"sucs":"met Canary Title there","photos":["x"]}"#
        #expect(try scene.sql("SELECT id, payload_json FROM sync_queue WHERE entity_id <> ''") == ["q1|\(expected)"])
        #expect(try scene.sql("SELECT local_payload, remote_payload, resolution_status FROM conflicts") == ["\(expected)|\(expected)|open"])
        #expect(try scene.sql("SELECT sync_state FROM calicata_cortes WHERE id = '\(other)'") == ["conflict"])
        #expect(try scene.sql("SELECT local_path, selection FROM exports WHERE id = 'e1'") == [#"/out/Canary Title.xlsx|{"filter":""}"#])
        #expect(account.exports.contains { $0.path == "/out/Canary Title.xlsx" }, "somebody must look after the file")
    }

    /// A dash in the place of a code names nobody.
    @Test func whatSeveralHaveIsNobodys() throws {
        try scene.importing([
            row("calicatas", "c-dash-1", ["project_id": .text(ReplicaScene.project), "code": .text("—"), "title": .text("One of them")]),
            row("calicatas", "c-dash-2", ["project_id": .text(ReplicaScene.project), "code": .text("----"), "title": .text("Another")]),
            row("calicatas", "c-dash-3", ["project_id": .text(ReplicaScene.project), "code": .text("---- "), "title": .text("A third")]),
        ])
        #expect(throws: ErasureFailure.unknown) { try scene.replica.erase("—", context: context, isDryRun: false) }
        #expect(throws: ErasureFailure.ambiguous(ids: ["c-dash-2", "c-dash-3"])) { try scene.replica.erase("----", context: context, isDryRun: false) }
        _ = try scene.replica.erase("c-dash-2", context: context, isDryRun: false)
        #expect(try scene.sql("SELECT id FROM calicatas WHERE id LIKE 'c-dash%' ORDER BY id") == ["c-dash-1", "c-dash-3"])
        #expect(try scene.importing([row("calicatas", "c-dash-4", ["project_id": .text(ReplicaScene.project), "code": .text("----"), "title": .text("New")])]).total.imported == 1)
    }

    /// A file cannot put somebody who is here on the list.
    @Test func nobodyIsErasedByAFile() throws {
        _ = try scene.replica.erase("CANARY-CODE", context: context, isDryRun: false)
        let living = try #require(try scene.sql("SELECT id FROM calicatas LIMIT 1").first)
        let unknown = row("calicatas", "c-living", ["project_id": .text(ReplicaScene.project), "code": .text("CANARY-CODE")])
        try scene.importing([row("calicatas", living, ["project_id": .text(ReplicaScene.project), "code": .text("CANARY-CODE")]), unknown])
        let report = try scene.importing([
            row("calicata_cortes", "s-new", ["calicata_id": .text(living), "number": .integer(77)]),
            row("calicatas", "c-living", ["project_id": .text(ReplicaScene.project), "code": .text("C-77")]),
        ])
        #expect(report.total.imported == 2)
    }

    /// Whoever is no person of the records cannot be erased, whatever has this value.
    @Test func onlyAPersonIsErased() throws {
        let stratum = try #require(try scene.sql("SELECT id FROM calicata_cortes LIMIT 1").first)
        let before = try scene.sql("SELECT * FROM activity_logs; SELECT * FROM sync_queue")
        for given in [stratum, ReplicaScene.project, scene.actor.id, "calicatas"] {
            #expect(throws: ErasureFailure.unknown) { try scene.replica.erase(given, context: context, isDryRun: false) }
        }
        #expect(try scene.sql("SELECT * FROM activity_logs; SELECT * FROM sync_queue") == before)
        // Again, as after a run that was killed before the file was written anew.
        for _ in 1...2 { _ = try scene.replica.erase("CANARY-CODE", context: context, isDryRun: false) }
    }

    /// What the person was called before is the person's too.
    @Test func whatTheLogSaidOfThePersonBeforeIsEmptied() throws {
        _ = try scene.sql("INSERT INTO activity_logs (id, action, entity_type, entity_id, details) VALUES ('l', 'row_changed', 'calicatas', 'c-canary', '{\"before\":{\"title\":\"canarywasonce\"}}')")
        _ = try scene.replica.erase("CANARY-CODE", context: context, isDryRun: false)
        #expect(try scene.sql("SELECT action, entity_id IS NULL, details IS NULL FROM activity_logs WHERE id = 'l'") == ["row_changed|1|1"])
    }

    /// Others' rejected rows stay theirs: a longer address, a namesake, a comment that names the person.
    @Test func othersRejectedRowsStay() throws {
        let raws = [#"{"code":"XCANARY-CODE"}"#, #"{"code":"C-88","title":"Canary Title"}"#, #"{"code":"C-89","title":"met Canary Title"}"#, #"{"code":"canary-code"}"#]
        for (n, raw) in raws.enumerated() {
            _ = try scene.sql("INSERT INTO rejects (id, import_id, entity, raw, place, findings, created_at) SELECT 'x\(n)', id, 'calicatas', '\(raw)', '{}', '[]', 't' FROM imports LIMIT 1")
        }
        _ = try scene.replica.erase("CANARY-CODE", context: context, isDryRun: false)
        #expect(try scene.sql("SELECT raw FROM rejects ORDER BY id") == Array(raws[..<3]))
    }

    @Test func entriesOfALogComeWithoutThePerson() throws {
        _ = try scene.replica.erase("CANARY-CODE", context: context, isDryRun: false)
        let entity = try #require(Self.pack.entity("activity_logs"))
        let names = ["id", "action", "entity_type", "entity_id", "details"]
        let fields = names.compactMap { entity.position(ofField: $0) }
        var batch = RowBatch(columnCount: 6)
        for (id, row, details) in [("l1", "c-canary", #"{"reason":"canary-sucs"}"#), ("l2", "c9", #"{"before":{"title":"Canary Title"},"code":"CANARY-CODE"}"#)] {
            batch.append(row: [.text(id), .text("row_changed"), .text("calicatas"), .text(row), .text(details), .text("2026-02-01T00:00:00Z")])
        }
        let request = PullRequest(runID: nil, remote: "server", actor: scene.actor, environment: "DEV", startedAt: testTime)
        _ = try scene.replica.pull(request, at: RemotePosition(snapshot: "1:1:", system: "s", timeline: "1"), findings: FindingList()) { staging in
            try staging.begin(entity, fields: fields, scope: nil, isWhole: false)
            try staging.take(batch, of: entity)
        }
        #expect(try scene.sql("SELECT id, action, coalesce(entity_id, '-'), coalesce(details, '-') FROM activity_logs WHERE id IN ('l1', 'l2') ORDER BY id") == [
            "l1|row_changed|-|-", #"l2|row_changed|c9|{"before":{"title":""},"code":""}"#,
        ])
        #expect(try found() == [])
    }

    @Test(arguments: ["JOSÉ ÑANDÚ", "jose\u{301} n\u{303}andu\u{301}", "{\"a\":\"Jos\\u00e9 \\u00d1and\\u00fa\"}", "x José Ñandú y"])
    func aNameIsFoundHoweverItIsWritten(_ text: String) throws {
        let traces = ErasureTraces(ids: ["0199-a"], words: ["José Ñandú", "Ana"])
        #expect(traces.mention(text) && !traces.mention("Jose Nandu") && !traces.mention("Ana") && traces.mention("[\"0199-A\"]"))
        for encoding in [String.Encoding.utf8, .isoLatin1] {
            guard !text.contains("\\"), let data = text.data(using: encoding) else { continue }
            #expect(traces.areIn(Array(data)))
        }
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
