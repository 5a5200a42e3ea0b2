/// What a replica has under a natural key.
package enum KeyMatch: Sendable, Hashable {
    case none
    case one(id: String)
    /// Several rows have it, so it is not known which one is meant.
    case several
}

/// Finds rows of the replica by natural keys.
package protocol RecordKeys: AnyObject {
    /// - Parameter key: fields of the entity with their values as text.
    func match(_ entity: String, _ key: [(field: String, value: String)]) throws -> KeyMatch
    /// The different values of a field in the rows that have the rest of a key.
    func values(of entity: String, _ field: String, with key: [(field: String, value: String)]) throws -> [String]
    /// Whether there are no rows of an entity, so that no key leads to any.
    func isEmpty(_ entity: String) throws -> Bool
    /// Ends the search. The implementation may close what it has open.
    func close()
}

extension RecordKeys {
    package func values(
        of entity: String, _ field: String, with key: [(field: String, value: String)]
    ) throws -> [String] { [] }
    package func isEmpty(_ entity: String) throws -> Bool { false }
    package func close() {}
}
