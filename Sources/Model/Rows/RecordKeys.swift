/// What a replica has under a natural key.
package enum KeyMatch: Sendable, Hashable {
    case none
    case one(id: String)
    /// Several rows share it: which one is meant is not known.
    case several
}

/// Finds rows of the replica by natural keys.
package protocol RecordKeys: AnyObject {
    /// - Parameter key: fields of the entity with their values as text.
    func match(_ entity: String, _ key: [(field: String, value: String)]) throws -> KeyMatch
    /// Whether there are no rows of an entity, so that no key leads to any.
    func isEmpty(_ entity: String) throws -> Bool
    /// Nothing more will be asked: whatever is open for it may be closed.
    func close()
}

extension RecordKeys {
    package func isEmpty(_ entity: String) throws -> Bool { false }
    package func close() {}
}
