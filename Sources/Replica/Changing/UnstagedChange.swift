package import Foundation
import GRDB
package import Model

/// A change set without staged rows: the files, marks and numbers of a run, or a person's
/// acceptance of a finding. It is checked, numbered and logged like every other change set, in one
/// transaction. Only a person's change is stored in the trail and can be undone.
final class UnstagedChange {
    let db: Database
    let pack: Pack
    let request: ImportRequest
    let judge: Judge
    let changes: ChangeLog
    let ids: RisingIDs
    var time: String { Timestamp.format(request.startedAt) }

    init(_ db: Database, pack: Pack, request: ImportRequest) throws {
        (self.db, self.pack, self.request) = (db, pack, request)
        try ImportApplication.dropTemporary(db)
        for table in Judge.temporary + ChangeScope.temporary { try db.execute(sql: table) }
        judge = try Judge(db, pack: pack, request: request)
        ids = RisingIDs(at: request.startedAt)
        changes = try ChangeLog(
            db, pack: pack, actorID: request.actor.id, environment: request.environment, now: request.startedAt,
            ids: ids)
    }

    /// Begins a change that can be undone: writes its row in `imports`, to which the trail refers.
    func beginTrail() throws -> ImportTrail {
        let trail = try ImportTrail(db, importID: UUIDv7.make(at: request.startedAt))
        try trail.begin(request, stamp: changes.number())
        return trail
    }

    /// Completes the change's row in `imports`, and writes its log entry.
    func finish(_ trail: ImportTrail, counts: [String: Int]) throws {
        let counts = try Quarantine.json(counts)
        try db.execute(sql: "UPDATE imports SET counts = ? WHERE id = ?", arguments: [counts, trail.importID])
        try changes.logEntry(request.origin.whole, of: "imports", id: trail.importID, project: nil, details: counts)
    }
}

extension Replica {
    /// Makes a change without staged rows, completely or not at all.
    ///
    /// - Parameters:
    ///   - name: the change's name in the history.
    ///   - permission: the permission that the actor's role needs; nil: the caller has checked the
    ///     permission for the whole run.
    func change<T>(
        _ name: String, by actor: Model.Actor, may permission: Permission?, in environment: String, at time: Date,
        reason: String? = nil,
        _ body: (UnstagedChange) throws -> T
    ) throws -> T {
        if let permission { try actor.ensure(may: permission) }
        var request = ImportRequest(
            source: name, format: "command", actor: actor, environment: environment, startedAt: time, policy: .update,
            reason: reason)
        request.origin = .person
        return try write { db in
            defer { try? ImportApplication.dropTemporary(db) }
            return try body(UnstagedChange(db, pack: pack, request: request))
        }
    }
}

extension Replica {
    /// Creates the profile of an administrator, as if a server had confirmed it: a change set of
    /// one row, which cannot be undone. Returns the profile's id; nil if a profile with this
    /// address exists, which is then not changed.
    ///
    /// - Parameter maker: the actor who creates the profile; nil for the first administrator, for
    ///   whom nobody's permission is needed.
    @discardableResult
    package func addAdministrator(
        email: String, fullName: String?, role name: String, environment: String, now: Date,
        by maker: Model.Actor? = nil
    ) throws -> String? {
        guard let role = pack.role(name) else { throw ActorFailure.roleUnknown(email: email, role: name) }
        guard let entity = pack.entity("profiles"), try !hasProfile(email: email) else { return nil }
        let (id, time) = (UUIDv7.make(at: now), Timestamp.format(now))
        var request = ImportRequest(
            source: ImportRequest.founding, format: ImportRequest.founding,
            actor: maker ?? Actor(id: id, email: email, fullName: fullName, role: role),
            environment: environment, startedAt: now, policy: .update)
        (request.origin, request.permission) = (.person, .administer)
        let values: [String: String?] = [
            "id": id, "email": email, "full_name": fullName, "role": name, "status": "ACTIVO", "created_at": time,
            "updated_at": time, "cached_at": time,
        ]
        var stretch = ImportedStretch([Self.batch(of: values, entity)], read: 1)
        _ = try importRows(request, findings: FindingList(), finishedAt: { now }) { try $0.store(&stretch) }
        return id
    }

    /// A batch of one row with all of an entity's fields.
    private static func batch(of values: [String: String?], _ entity: Entity) -> ImportedBatch {
        let id = entity.position(ofField: "id") ?? 0
        let fields = entity.fields.indices.filter { $0 != id } + [id]
        var batch = ImportedBatch(
            entity: entity.name, fields: fields, place: Place(table: entity.name, file: ImportRequest.founding),
            raw: RawCells(headings: [], isText: true))
        for field in fields {
            batch.rows.append(
                (values[entity.fields[field].name] ?? nil).map(MemoryRows.Value.text) ?? MemoryRows.Value.null)
        }
        let raw = Array("{}".utf8)
        batch.raw.append(raw.span)
        batch.endRow(line: nil)
        return batch
    }
}
