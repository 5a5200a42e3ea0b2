/// The data of a validation: the visible rows of its projects, in one consistent state.
package protocol ValidationSource: AnyObject {
    /// Every visible row of an entity: the row's `id`, then the values at the given paths.
    func rows(of entity: String, paths: [FieldPath]) throws -> any RowSource
    /// The rows that a question about whole tables finds; its columns by name, in the given order.
    /// Filling throws `QueryTimeout` after the given seconds. A query of the pack that cannot be
    /// run at all throws `QueryRefusal`.
    func offenders(_ question: TableQuestion, columns: [String], seconds: Double) throws -> any RowSource
    /// The rows with these ids, as far as they are visible: their ids, then the values at the
    /// paths. It times out as `offenders` does.
    func rows(of entity: Entity, ids: [String], paths: [FieldPath], seconds: Double) throws -> any RowSource
    /// Fields that the actor's role may not see: their values are absent from `rows` and must not
    /// be judged.
    func isHidden(_ field: String, of entity: String) -> Bool
    /// The office's day of the run, which rules know as `today()`: 2026-11-22.
    var today: String { get }

    /// Performs one check, by `body`, over the rows whose verdict is unknown. Until it returns,
    /// `rows(of:paths:)` and `offenders` give only those. `body` returns whether the check was
    /// completed. The kept findings about the other rows go to `known` first.
    func judge(_ reach: CheckReach, known: ([Finding]) throws -> Void, body: () throws -> Bool) throws
    /// The number of an entity's rows, where `rows` may have given a part of them; nil: it gave
    /// all.
    func rowCount(of entity: String) throws -> Int?
    /// During `judge`: records the stamp of a row's file before it was opened, from
    /// `PhotoFolder.stamp`.
    func noteFile(row: String, path: String, stamp: String) throws
}

/// A source that keeps no verdicts: everything is judged.
extension ValidationSource {
    package func judge(_ reach: CheckReach, known: ([Finding]) throws -> Void, body: () throws -> Bool) throws { _ = try body() }
    package func rowCount(of entity: String) throws -> Int? { nil }
    package func noteFile(row: String, path: String, stamp: String) throws {}
}

extension ValidationSource {
    /// Calls the body for each visible row with one of these ids: column 0 is its id, the values of
    /// the paths follow.
    package func forEachRow(
        of entity: Entity, ids: [String], paths: [FieldPath], seconds: Double, _ body: (borrowing RowBatch, _ row: Int) throws -> Void
    ) throws {
        guard !ids.isEmpty else { return }
        let rows = try rows(of: entity, ids: ids, paths: paths, seconds: seconds)
        var batch = RowBatch(columnCount: rows.columnCount)
        while true {
            try rows.fill(&batch)
            if batch.rowCount == 0 { return }
            for row in 0..<batch.rowCount { try body(batch, row) }
        }
    }

    /// Whether a path goes through, or ends in, a field that the actor may not see.
    package func isHidden(_ path: FieldPath, from entity: Entity, in pack: Pack) -> Bool {
        var current = entity
        for part in path.parts {
            if isHidden(part, of: current.name) { return true }
            guard let next = current.field(part)?.references.flatMap({ pack.entity($0) }) else { return false }
            current = next
        }
        return false
    }
}

/// The reason why a pack's query is not run.
package enum QueryRefusal: Error, Sendable, Hashable {
    /// It reads a field that is hidden from the actor's role, so its results are unknown.
    case hiddenField
    /// It does more than read what the actor may see.
    case notAllowed
    /// It is not SQL, or uses unknown names.
    case wrong
}

/// A query that took longer than it may.
package struct QueryTimeout: Error, Sendable {
    package var seconds: Double
    package init(seconds: Double) { self.seconds = seconds }
}
