/// What of a pack the central database holds. The queue and the conflicts of a replica describe
/// that replica, and a few fields belong to one device alone.
extension Pack {
    package var centralEntities: [Entity] { entities.filter { !["sync_queue", "conflicts"].contains($0.name) } }

    /// The tables of records whose rows go when a row of this entity goes, each with the field that
    /// refers to it.
    package func parts(deletedWith entity: Entity) -> [(entity: Entity, field: Field)] {
        centralEntities.filter { $0.writer == .people && $0.owner == nil }.flatMap { part in
            part.fields.filter { $0.deletesWithParent && $0.references == entity.name }.map { (part, $0) }
        }
    }
}

extension Entity {
    /// The fields that the central database has, as positions among the entity's fields: all but
    /// where a device keeps a file, and when it last asked for a profile.
    package var centralFields: [Int] {
        let path = field(of: .path)?.name
        return fields.indices.filter { fields[$0].name != path && !["local_path", "cached_at"].contains(fields[$0].name) }
    }
}
