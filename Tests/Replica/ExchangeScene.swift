import Foundation
import Workbench

@testable import Model
@testable import Replica

/// A replica of test pits with a log of events, whose other side answers by packages.
final class ExchangeScene {
    let scene: ReplicaScene
    let pack: Pack
    static let (project, remote) = (ReplicaScene.project, "out")

    static let events = Entity(
        name: "pit_events", projectPath: FieldPath("project_id"), key: ["id"],
        fields: [
            PitPack.id, Field(name: "type", type: .text), Field(name: "pit", type: .uuid), Field(name: "payload", type: .json),
            PitPack.reference("project_id", "projects"), Field(name: "person", type: .text), Field(name: "time", type: .datetime),
            Field(name: "synced", type: .boolean),
        ])

    init() throws {
        var pack = PitPack.make { entities in
            for index in entities.indices where entities[index].name == "calicatas" {
                entities[index].deletion = .init(roles: ["GERENCIA"], states: ["BORRADOR"])
            }
            entities.append(Self.events)
        }
        func kind(_ type: String, _ action: EventLogDefinition.Action) -> EventLogDefinition.Kind { .init(type: type, entity: "calicatas", action: action) }
        pack.events = EventLogDefinition(
            entity: Self.events.name, type: "type", record: "pit", payload: "payload", project: "project_id", operator: "person", time: "time",
            tables: [.init(entity: "calicatas", project: "project_id")],
            kinds: [
                kind("PitCreated", .create), kind("PitUpdated", .update), kind("PitStateChanged", .set(field: "status", members: ["to", "status"])),
                kind("PitDeleted", .delete),
            ], acknowledged: ["synced": "true"])
        self.pack = pack
        scene = try ReplicaScene(pack: pack)
    }

    var replica: Replica { scene.replica }
    var reach: PushReach { PushReach(remote: Self.remote, entities: ["projects", "calicatas", "calicata_cortes", "pit_events"]) }

    func sql(_ sql: String) throws -> [String] { try scene.sql(sql) }

    private func store(_ rows: [ImportedRow], _ session: ImportStaging) throws {
        for row in rows { try session.store(row, of: pack.entity(row.entity) ?? Self.events) }
    }

    /// What a person does.
    func change(deleting deleted: String? = nil, _ rows: [ImportedRow]) throws {
        var request = scene.request(policy: .update)
        (request.origin, request.permission, request.source, request.format) = (.person, .edit, "edit", "command")
        _ = try replica.importRows(request, findings: FindingList(), finishedAt: { testTime }) { session in
            try store(rows, session)
            guard let deleted else { return }
            var batch = ImportedBatch(entity: "calicatas", fields: [], place: Place(file: "delete"), raw: RawCells(headings: []))
            batch.delete(ImportedDeletion(entity: "calicatas", id: deleted, remote: "{}", place: Place(file: "delete")))
            try session.store(&batch)
        }
    }

    func importFile(_ rows: [ImportedRow]) throws {
        _ = try replica.importRows(scene.request(), findings: FindingList(), finishedAt: { testTime }) { try store(rows, $0) }
    }

    /// A package of the other side; returns the codes of its findings.
    @discardableResult
    func receive(_ rows: [ImportedRow], version: String = "2026-03-01T13:00:00Z") throws -> [String] {
        var request = scene.request()
        request.permission = .sync
        request.exchange = ExchangeTerms(version: version)
        let findings = FindingList()
        _ = try replica.importRows(request, findings: findings, finishedAt: { testTime }) { try store(rows, $0) }
        return findings.findings.map(\.code)
    }

    static func pit(_ id: String, _ values: [String: MemoryRows.Value] = [:], state: SyncState? = nil) -> ImportedRow {
        let given: [String: MemoryRows.Value] = ["project_id": .text(project), "code": .text(id.uppercased()), "depth_m": .real(1.5), "status": .text("BORRADOR")]
        return row("calicatas", id, given.merging(values) { $1 }, state: state)
    }

    /// A project from a file, with a pit that a person adds.
    func begin() throws {
        try importFile([row("projects", Self.project, ["code": .text("P"), "name": .text("P")])])
        try change([Self.pit("c1")])
    }

    /// Sends what waits; returns the tables of what was sent, in order.
    @discardableResult
    func send() throws -> [String] {
        let hold = PushHold(reach: reach)
        var (sent, after): ([String], PushPosition?) = ([], nil)
        while true {
            let page = try replica.nextPushItems(of: nil, after: after, most: 100, held: hold)
            guard let last = page.last else { return sent }
            try replica.settle(page.map { PushOutcome(itemID: $0.id, result: .sent) }, by: scene.actor, in: "DEV", at: testTime, held: hold)
            sent += page.map(\.entity)
            after = last.position
        }
    }
}
