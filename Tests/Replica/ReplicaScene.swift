import Foundation
import GRDB
import Model
import Workbench

@testable import Replica

/// A replica of test pits with an administrator, and the actions that most tests need.
final class ReplicaScene {
    let place: TemporaryFolder
    let file: String
    let pack: Pack
    let replica: Replica
    let actor: Model.Actor

    static let project = "0190a000-0000-7000-8000-000000000001"

    init(pack: Pack = PitPack.make()) throws {
        place = try TemporaryFolder()
        file = place.file("fichero.db")
        self.pack = pack
        try Replica.create(at: file, pack: pack, now: testTime)
        replica = try Replica.open(at: file, pack: pack, busyTimeout: 0)
        let role = pack.roles.first { $0.permissions.contains(.administer) }?.name ?? ""
        try replica.addAdministrator(email: "jefa@example.pe", fullName: "Jefa", role: role, environment: "DEV", now: testTime)
        actor = try replica.actor(email: "jefa@example.pe")
    }

    func request(policy: ImportPolicy = .conflict, maximumErrors: Int? = nil, isDryRun: Bool = false, as other: Model.Actor? = nil) -> ImportRequest {
        ImportRequest(
            source: "pits.json", format: "json", actor: other ?? actor, environment: "DEV", startedAt: testTime, policy: policy,
            maximumErrors: maximumErrors, isDryRun: isDryRun)
    }

    @discardableResult
    func importing(
        _ rows: [ImportedRow], policy: ImportPolicy = .conflict, findings: FindingList = FindingList(),
        photos: (ImportedPhoto, PhotoAttachment) -> Void = { _, _ in }, after: (ImportStaging) throws -> Void = { _ in }
    ) throws -> ImportAccount {
        try replica.importRows(request(policy: policy), findings: findings, finishedAt: { testTime }, photos: photos) { session in
            for row in rows { try session.store(row, in: pack) }
            try after(session)
        }
    }

    /// Makes a person a member of a project, as the administrator.
    func join(_ project: String, _ profile: String) throws {
        var request = request(policy: .update)
        (request.origin, request.permission) = (.person, .administer)
        _ = try replica.importRows(request, findings: FindingList(), finishedAt: { testTime }) { session in
            try session.store(row("project_members", "m-\(project)-\(profile)", ["project_id": .text(project), "profile_id": .text(profile)]))
        }
    }

    /// What an independent program reads from the file: lines whose columns are joined by `|`.
    func sql(_ sql: String) throws -> [String] { try place.sqlite3(file, sql) }

    func beginRun(_ id: String) throws {
        let context = RunContext(
            id: id, asOf: testTime, timeZone: .gmt, language: .spanish, environment: "DEV", actor: actor, programVersion: "1")
        try replica.beginRun(context, command: "export", startedAt: testTime)
    }
}

/// A row for an import. `raw` is any text by which the row can be recognised.
func row(_ entity: String, _ id: String?, _ values: [String: MemoryRows.Value] = [:], state: SyncState? = nil) -> ImportedRow {
    var all = values
    if let id { all["id"] = .text(id) }
    return ImportedRow(
        entity: entity, values: all, syncState: state, raw: "{\"\(entity)\":\"\(id ?? "")\"}",
        place: Place(file: "pits.json", line: 7))
}

/// A project with one pit and three strata. Parents come first.
let smallPit: [ImportedRow] = [
    row("projects", ReplicaScene.project, ["code": .text("TPA"), "name": .text("Túnel"), "org_id": .text("org-1")]),
    row("calicatas", "c1", [
        "project_id": .text(ReplicaScene.project), "code": .text("C-01"), "depth_m": .integer(2), "status": .text("APROBADO"),
    ]),
    row("calicata_cortes", "s1", ["calicata_id": .text("c1"), "number": .integer(1), "depth_to_m": .real(0.4)]),
    row("calicata_cortes", "s2", ["calicata_id": .text("c1"), "number": .integer(2), "depth_to_m": .real(1.1)]),
    row("calicata_cortes", "s3", ["calicata_id": .text("c1"), "number": .integer(3), "depth_to_m": .real(2)]),
]

extension ImportStaging {
    /// Stores one row of an entity of the test pack, or of a pack made of it.
    func store(_ row: ImportedRow, in pack: Pack = PitPack.make()) throws {
        guard let entity = pack.entity(row.entity) else { return try reject(entity: nil, raw: row.raw, place: row.place, findings: []) }
        try store(row, of: entity)
    }

    func store(_ batch: inout ImportedBatch) throws {
        var stretch = ImportedStretch([batch], read: batch.count)
        try store(&stretch)
        batch.removeAll()
    }

    func reject(entity: String?, raw: String, place: Place, findings: [Finding]) throws {
        var batch = ImportedBatch(entity: entity ?? "", fields: [], place: place, raw: RawCells(headings: []))
        batch.reject(.init(raw: raw, place: place, findings: findings))
        try store(&batch)
    }
}
