/// What validation reads: the visible rows of the projects under validation, in one consistent state.
package protocol ValidationSource: AnyObject {
    /// Every visible row of an entity: the row's `id`, then the values at the given paths.
    func rows(of entity: String, paths: [FieldPath]) throws -> any RowSource
    /// A read-only query over the plain table names; its columns by name, in the given order.
    /// Filling from it throws `QueryTimeout` once it has taken longer than the given seconds; a query that cannot be run at all is a
    /// `QueryRefusal`.
    func query(_ sql: String, columns: [String], seconds: Double) throws -> any RowSource
    /// Fields that the actor's role may not see: their values are absent from `rows` and must not be judged.
    func isHidden(_ field: String, of entity: String) -> Bool
}

/// Why a pack's query is not run.
package enum QueryRefusal: Error, Sendable, Hashable {
    /// It reads a field that the actor's role may not see: what it would find is not known.
    case hiddenField
    /// It does more than read what the actor may see.
    case notAllowed
    /// It is no SQL, or names what is not there.
    case wrong
}

/// A query that took longer than it may.
package struct QueryTimeout: Error, Sendable {
    package var seconds: Double
    package init(seconds: Double) { self.seconds = seconds }
}
