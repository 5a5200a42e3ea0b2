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
    /// The office's day of the run, which rules know as `today()`: 2026-11-22.
    var today: String { get }

    /// Performs one check, by `body`, over the rows whose verdict is not known: until it returns, `rows` and `query` give those alone.
    /// `body` says whether it was judged to the end. Findings about the other rows, as they were told before, go to `known` first.
    func judge(_ reach: CheckReach, known: ([Finding]) throws -> Void, body: () throws -> Bool) throws
    /// Whether a row is judged now, as a condition on the column with its id in our own queries; nil: every row is.
    func judgedRows(_ column: String) -> String?
    /// How many rows of an entity there are, where `rows` may have given a part of them; nil: it gave all.
    func rowCount(of entity: String) throws -> Int?
    /// During `judge`: what a row's file looked like before it was opened, as `PhotoFolder.stamp` says it.
    func noteFile(row: String, path: String, stamp: String) throws
}

/// A source that keeps no verdicts: everything is judged.
extension ValidationSource {
    package func judge(_ reach: CheckReach, known: ([Finding]) throws -> Void, body: () throws -> Bool) throws { _ = try body() }
    package func judgedRows(_ column: String) -> String? { nil }
    package func rowCount(of entity: String) throws -> Int? { nil }
    package func noteFile(row: String, path: String, stamp: String) throws {}
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
