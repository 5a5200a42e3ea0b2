import Foundation
import GRDB
import JSONReading
import Workbench

@testable import Model
@testable import Replica

/// A replica and a model of a server, with the commands of a person and the steps of a push.
final class PushScene {
    let scene: ReplicaScene
    var server = RemoteModel()
    var hold = PushHold()
    /// Of the runs.
    var clock = testTime

    static let projects = ["p1", "p2"]

    init() throws {
        scene = try ReplicaScene(pack: PitPack.make { entities in
            for index in entities.indices where entities[index].name == "calicatas" {
                entities[index].deletion = .init(roles: ["GERENCIA"], states: ["BORRADOR"])
            }
        })
        // The founder's profile and its memberships came from the server.
        try write("UPDATE profiles SET remote_updated_at = 'v0', sync_state = 'synced'; DELETE FROM sync_queue")
    }

    var replica: Replica { scene.replica }

    func write(_ sql: String) throws { try replica.write { try $0.execute(sql: sql) } }

    func sql(_ sql: String) throws -> [String] { try scene.sql(sql) }

    // MARK: What people do

    @discardableResult
    func change(
        ending decision: ConflictDecision? = nil, deleting deleted: RowKey? = nil, _ rows: [ImportedRow]
    ) throws -> ImportAccount {
        var request = scene.request(policy: .update)
        (request.origin, request.permission, request.source, request.format) = (.person, decision == nil ? .edit : .resolve, "edit", "command")
        request.decision = decision
        return try replica.importRows(request, findings: FindingList(), finishedAt: { testTime }) { session in
            for row in rows { try session.store(row) }
            guard let deleted else { return }
            var batch = ImportedBatch(entity: deleted.entity, fields: [], place: Place(file: "delete"), raw: RawCells(headings: []))
            batch.delete(ImportedDeletion(entity: deleted.entity, id: deleted.id, remote: "{}", place: Place(file: "delete")))
            try session.store(&batch)
        }
    }

    /// Projects and their pits come from a file.
    func addProjects(_ ids: [String] = projects) throws {
        try scene.importing(ids.map { row("projects", $0, ["code": .text($0.uppercased()), "name": .text($0)]) })
    }

    func addPit(_ id: String, in project: String = "p1", parts: [String] = []) throws {
        let pit = row("calicatas", id, ["project_id": .text(project), "code": .text(id.uppercased()), "depth_m": .real(1.5), "status": .text("BORRADOR")])
        try change([pit] + parts.enumerated().map { index, part in row("calicata_cortes", part, ["calicata_id": .text(id), "number": .integer(Int64(index + 1))]) })
    }

    func edit(_ id: String, _ field: String, _ value: MemoryRows.Value, of entity: String = "calicatas") throws { try change([row(entity, id, [field: value])]) }

    func delete(_ id: String) throws { try change(deleting: RowKey(entity: "calicatas", id: id), []) }

    var actor: Actor { scene.actor }
    func conflicts() throws -> [RowConflict] { try replica.conflicts(projectIDs: Self.projects, reader: scene.actor) }

    /// Does what `conflicts keep` does.
    func end(_ conflict: RowConflict, _ side: ConflictDecision.Side) throws {
        let decision = ConflictDecision(conflictID: conflict.id, side: side)
        guard side == .remote else { return try _ = change(ending: decision, []) }
        guard !conflict.isDeletion, let entity = scene.pack.entity(conflict.entity) else {
            return try _ = change(ending: decision, deleting: RowKey(entity: conflict.entity, id: conflict.rowID), [])
        }
        var values: [String: MemoryRows.Value] = [:]
        for (name, value) in try replica.remoteValues(of: conflict) {
            let storage = entity.field(name)?.type.storage
            values[name] = value.map { storage == "REAL" ? .real(Double($0) ?? .nan) : storage == "INTEGER" ? .integer(Int64($0) ?? .min) : .text($0) } ?? .null
        }
        try change(ending: decision, [row(conflict.entity, conflict.rowID, values)])
    }

    func undoLast() throws {
        let context = RunContext(
            id: UUIDv7.make(at: testTime), asOf: testTime, timeZone: .gmt, language: .spanish, environment: "DEV", actor: scene.actor, programVersion: "1")
        _ = try replica.undoImport("last", context: context)
    }

    // MARK: The push

    func next(after: PushPosition? = nil, most: Int = 100, of projects: [String]? = nil) throws -> [PushItem] {
        try replica.nextPushItems(of: projects, after: after, most: most, held: hold)
    }

    func settle(_ outcomes: [(String, PushOutcome.Result)]) throws {
        try replica.settle(outcomes.map { PushOutcome(itemID: $0.0, result: $0.1) }, by: scene.actor, in: "DEV", at: clock, held: hold)
    }

    /// Pushes until a page is empty; returns the items that were sent.
    ///
    /// - Parameters:
    ///   - isWaiting: what was refused before waits until it is due.
    ///   - answer: what the caller hears; nil: nothing, and the run ends there.
    @discardableResult
    func push(of projects: [String]? = nil, most: Int = 100, isWaiting: Bool = false, answer: (PushItem) -> PushOutcome.Result?) throws -> [PushItem] {
        hold = PushHold(at: isWaiting ? clock : nil)
        var (sent, after): ([PushItem], PushPosition?) = ([], nil)
        while true {
            let page = try next(after: after, most: most, of: projects)
            guard let last = page.last else { return sent }
            var outcomes: [(String, PushOutcome.Result)] = []
            for item in page {
                sent.append(item)
                guard let result = answer(item) else {
                    try settle(outcomes)
                    return sent
                }
                outcomes.append((item.id, result))
            }
            try settle(outcomes)
            after = last.position
        }
    }

    @discardableResult
    func push() throws -> [PushItem] { try push { server.take($0) } }

    /// The fields of a row, as the server would have them.
    func fields(_ key: RowKey) throws -> [String: JSONValue]? {
        guard let entity = scene.pack.entity(key.entity) else { return nil }
        return try replica.read { db in
            let reader = try RowReader(db, pack: scene.pack, entity: entity)
            return try reader.values(of: key.id).map { RemoteModel.fields(try JSONValue.parse(reader.givenJSON($0))) }
        }
    }
}
