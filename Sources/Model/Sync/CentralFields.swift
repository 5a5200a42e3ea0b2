/// What of a pack the central database holds. The queue and the conflicts of a replica describe
/// that replica, and a few fields belong to one device alone.
extension Pack {
    package var centralEntities: [Entity] { entities.filter { !["sync_queue", "conflicts"].contains($0.name) } }
}

extension Entity {
    /// The fields that the central database has, as positions among the entity's fields: all but
    /// where a device keeps a file, and when it last asked for a profile.
    package var centralFields: [Int] {
        let path = field(of: .path)?.name
        return fields.indices.filter { fields[$0].name != path && !["local_path", "cached_at"].contains(fields[$0].name) }
    }
}
