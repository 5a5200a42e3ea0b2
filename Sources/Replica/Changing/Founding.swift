package import Foundation
package import Model

extension Replica {
    /// Makes the profile of an administrator, as if it had been validated online: a change set of
    /// one row, which cannot be undone. Returns its id; nil if a profile with this address exists,
    /// which then stays as it is.
    ///
    /// - Parameter maker: the actor who makes it; nil for the first administrator, who makes the
    ///   profile without anybody's permission.
    @discardableResult
    package func addAdministrator(
        email: String, fullName: String?, role name: String, environment: String, now: Date, by maker: Model.Actor? = nil
    ) throws -> String? {
        guard let role = pack.role(name) else { throw ActorFailure.roleUnknown(email: email, role: name) }
        guard let entity = pack.entity("profiles"), try !hasProfile(email: email) else { return nil }
        let (id, time) = (UUIDv7.make(at: now), Timestamp.format(now))
        var request = ImportRequest(
            source: ImportRequest.founding, format: ImportRequest.founding, actor: maker ?? Actor(id: id, email: email, fullName: fullName, role: role),
            environment: environment, startedAt: now, policy: .update)
        (request.origin, request.permission) = (.person, .administer)
        let values: [String: String?] = [
            "id": id, "email": email, "full_name": fullName, "role": name, "status": "ACTIVO", "created_at": time, "updated_at": time, "cached_at": time,
        ]
        var stretch = ImportedStretch([Self.batch(of: values, entity)], read: 1)
        _ = try importRows(request, findings: FindingList(), finishedAt: { now }) { try $0.store(&stretch) }
        return id
    }

    /// One row that states each of an entity's fields.
    private static func batch(of values: [String: String?], _ entity: Entity) -> ImportedBatch {
        let id = entity.position(ofField: "id") ?? 0
        let fields = entity.fields.indices.filter { $0 != id } + [id]
        var batch = ImportedBatch(
            entity: entity.name, fields: fields, place: Place(table: entity.name, file: ImportRequest.founding), raw: RawCells(headings: [], isText: true))
        for field in fields { batch.rows.append((values[entity.fields[field].name] ?? nil).map(MemoryRows.Value.text) ?? MemoryRows.Value.null) }
        let raw = Array("{}".utf8)
        batch.raw.append(raw.span)
        batch.endRow(line: nil)
        return batch
    }
}
