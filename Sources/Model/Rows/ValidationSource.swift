package import Foundation

/// The data of a validation: the visible rows of its projects, in one consistent snapshot.
package protocol ValidationSource: AnyObject {
    /// Every visible row of an entity: the row's `id`, then the values at the given paths.
    func rows(of entity: String, paths: [FieldPath]) throws -> any RowSource
    /// The rows found by a check of whole tables. `columns` names the columns to return, in this
    /// order. Filling throws `QueryTimeout` after the given seconds. A query of the pack that
    /// cannot be run at all throws `QueryRefusal`.
    func offenders(_ question: TableQuery, columns: [String], seconds: Double) throws -> any RowSource
    /// The visible rows among those with these ids: their ids, then the values at the paths. It
    /// times out as `offenders` does.
    func rows(of entity: Entity, ids: [String], paths: [FieldPath], seconds: Double) throws -> any RowSource
    /// Fields that the actor's role may not see: their values are absent from `rows` and must not
    /// be checked.
    func isHidden(_ field: String, of entity: String) -> Bool
    /// The office's date of the run, which rules use as `today()`: 2026-11-22.
    var today: String { get }
    /// The time zone of the office's clock, by which an instant has its day.
    var timeZone: TimeZone { get }

    /// Performs one check over the rows without a cached result: until this method returns,
    /// `rows(of:paths:)` and `offenders` return only those. `body` returns whether the check was
    /// completed. `known` gets the cached findings about the other rows first.
    func judge(_ reach: CheckReach, known: ([Finding]) throws -> Void, body: () throws -> Bool) throws
    /// The number of an entity's rows, if `rows` may have returned only some of them; nil: it
    /// returned all.
    func rowCount(of entity: String) throws -> Int?
    /// During `judge`: records the stamp of a row's file before it was opened, from
    /// `PhotoFolder.stamp`.
    func noteFile(row: String, path: String, stamp: String) throws
}

/// A source without cached results: every row is checked.
extension ValidationSource {
    package func judge(_ reach: CheckReach, known: ([Finding]) throws -> Void, body: () throws -> Bool) throws {
        _ = try body()
    }
    package func rowCount(of entity: String) throws -> Int? { nil }
    package func noteFile(row: String, path: String, stamp: String) throws {}
}

extension ValidationSource {
    /// Calls the body for each visible row with one of these ids: column 0 is its id, the values of
    /// the paths follow.
    package func forEachRow(
        of entity: Entity, ids: [String], paths: [FieldPath], seconds: Double,
        _ body: (borrowing RowBatch, _ row: Int) throws -> Void
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

    /// Whether a path passes through, or ends in, a field that the actor may not see.
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
    /// It reads a field hidden from the actor's role, so its results are unknown.
    case hiddenField
    /// It does more than read data that the actor may see.
    case notAllowed
    /// It is not SQL, or uses unknown names.
    case wrong
}

/// A query that took longer than it may.
package struct QueryTimeout: Error, Sendable {
    package var seconds: Double
    package init(seconds: Double) { self.seconds = seconds }
}

/// The data on which the result of a check depends, so that a row checked earlier and unchanged
/// since need not be checked again.
package struct CheckReach: Sendable, Hashable {
    package enum Kind: Sendable, Hashable {
        /// Each row by itself, with the rows on its paths.
        case rows(paths: [FieldPath])
        /// Rows with equal values in these fields, if each has a value; fields of the last list
        /// may be missing.
        case alike(values: [String], within: [String])
        /// A row with the rows of another entity that refer to it by this path, or that are in the
        /// row's list field.
        case count(of: String, by: FieldPath, paths: [FieldPath])
        /// The rows found by a query of the pack; `paths` start at those rows and end at the other
        /// data that the check needs.
        case query(String, scope: Rule.Scope?, paths: [FieldPath])
        /// All rows of these entities together.
        case whole([String])
    }

    /// The name of the check, unique in its pack: `CORTE-HUECO`, `FIELD-UNIQUE calicatas.code`,
    /// `rows of calicatas`.
    package var name: String
    /// The entity of the rows in its findings.
    package var entity: String
    package var kind: Kind
    /// Whether the check opens the files of rows; `ValidationSource.noteFile` records the stamps of
    /// these files.
    package var opensFiles = false
    /// Whether the result depends on the date.
    package var asksForToday = false

    package init(_ name: String, entity: String, kind: Kind, opensFiles: Bool = false, asksForToday: Bool = false) {
        self.name = name
        self.entity = entity
        self.kind = kind
        self.opensFiles = opensFiles
        self.asksForToday = asksForToday
    }
}

/// A check over whole tables, which finds rows that contradict each other. The replica runs it, as
/// only the replica uses SQL.
///
/// Every result has the column `id` of the rows found, and the columns listed here.
package enum TableQuery: Sendable, Hashable {
    /// Rows with equal values in some fields, within the same value of a reference if one is
    /// given. Missing values equal nothing. Columns: `value0`, `value1`… and `count`.
    case alike(Entity, fields: [String], within: String?)
    /// Rows whose names differ only in spelling (`KeyText`), except names with exactly the same
    /// characters. Columns: `value`, `count`.
    case sameName(Entity, Field, within: String?)
    /// Dangling references: values of a reference, or of a list of them, without a row. Column:
    /// `value`.
    case dangling(Entity, Field, to: Entity)
    /// Rows with fewer or more parts than allowed. Columns: `count`, `minimum`, `maximum`, and
    /// `a0`, `a1`… for the paths.
    case parts(PartCount)
    /// Rows found by a query of the pack over the plain table names.
    case query(String)

    package struct PartCount: Sendable, Hashable {
        package enum Bound: Sendable, Hashable {
            case none
            case number(String)
            case field(FieldPath)
        }

        /// The entity whose parts are counted, and the entity of the parts.
        package var owner: Entity
        package var parts: Entity
        /// The references that lead from a part to its owner, or the owner's list of its parts.
        package var by: FieldPath
        package var minimum: Bound
        package var maximum: Bound
        /// Paths from the owner to the values that the message quotes.
        package var quoted: [FieldPath]

        package init(owner: Entity, parts: Entity, by: FieldPath, minimum: Bound, maximum: Bound, quoted: [FieldPath]) {
            (self.owner, self.parts, self.by, self.minimum, self.maximum, self.quoted) = (
                owner, parts, by, minimum, maximum, quoted
            )
        }
    }
}

/// The result of a search for a natural key.
package enum KeyMatch: Sendable, Hashable {
    case none
    case one(id: String)
    /// Several rows have the key, so the intended one is unknown.
    case several
}

/// Finds rows of the replica by natural keys.
package protocol RecordKeys: AnyObject {
    /// - Parameter key: fields of the entity with their values as text.
    func match(_ entity: String, _ key: [(field: String, value: String)]) throws -> KeyMatch
    /// The different values of a field in the rows that match the rest of a key.
    func values(of entity: String, _ field: String, with key: [(field: String, value: String)]) throws -> [String]
    /// Whether an entity has no rows, so that no key can match.
    func isEmpty(_ entity: String) throws -> Bool
    /// Ends the search. The implementation may close its open resources.
    func close()
}

extension RecordKeys {
    package func values(
        of entity: String, _ field: String, with key: [(field: String, value: String)]
    ) throws -> [String] { [] }
    package func isEmpty(_ entity: String) throws -> Bool { false }
    package func close() {}
}
