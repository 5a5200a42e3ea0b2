import Foundation
import GRDB
import JSONReading
package import Model

/// A row that could not be imported, as the quarantine stores it.
package struct RejectedRow: Sendable, Hashable, Codable {
    package enum State: String, Sendable, Codable, CaseIterable {
        /// Needs somebody's decision.
        case open
        /// Waits for its parent record, whose row was rejected, and is imported together with it.
        case waiting
        /// Was retried; if that retry rejected it too, the quarantine contains a new row in its
        /// place.
        case corrected
        /// Somebody decided that it is not to be imported.
        case dismissed
    }

    package var id: String
    package var importID: String
    /// The imported file or folder that contained the row.
    package var source: String
    /// Nil for rows of a table that the pack does not know.
    package var entity: String?
    /// The row as it was in the source, or as it was edited: JSON.
    package var raw: String
    package var place: Place
    package var findings: [Finding]
    package var state: State
    package var createdAt: String
    /// Id of the rejected row whose record this row waits for.
    package var waitsFor: String?
    /// Number of rows that wait for this row's record.
    package var waiting: Int
    /// The values that neighbouring rows supplied: this row's number in its record, and the end of
    /// the row above.
    package var around: String?

    /// The file or folder of an import.
    package struct Source: Sendable {
        /// As the caller of the import specified it.
        package var path: String
        package var sha256: String?
        /// Description of how it was read; nil for imports by versions that did not record it.
        package var reading: String?
    }

    /// Id of the first import that contained the row: a retried row has the id of the retry's
    /// import.
    package var firstImportID: String { place.origin ?? importID }

    /// The id of the row's record, if it was known when the row was rejected.
    package var record: String? { RejectResolution.record(of: raw, findings) }

    /// Whether the row can still be imported.
    package var isOpen: Bool { state == .open || state == .waiting }
}

/// Reason why a rejected row cannot be shown, edited or retried.
package typealias RejectFailure = DeclaredFailure<RejectedRow>

extension RejectFailure {
    package static func unknown(_ value: String) -> Self { Self("REJECT-UNKNOWN", .noInput, ["value": value]) }
    package static func ambiguous(_ value: String) -> Self { Self("REJECT-AMBIGUOUS", .usage, ["value": value]) }
    package static func notOpen(_ value: String) -> Self { Self("REJECT-CLOSED", .usage, ["value": value]) }
    /// The row is not a JSON object, so no single values can be set in it: use `edit --raw`.
    package static func noObject(_ value: String) -> Self { Self("REJECT-NO-OBJECT", .usage, ["value": value]) }
    package static func badEdit(_ value: String) -> Self { Self("REJECT-EDIT", .usage, ["value": value]) }
    /// A name of a value that is not read in rows of this kind.
    package static func unknownName(_ name: String, known: [String]) -> Self {
        Self("REJECT-NAME", .usage, ["value": name, "known": known])
    }
    /// A file without the column of ids that `rejects export` writes.
    package static func noSheet(_ value: String) -> Self { Self("REJECT-NO-SHEET", .badInput, ["value": value]) }
}

extension Replica {
    /// Rejected rows, oldest first; if `importID` is given, only those of that import.
    ///
    /// A row that could not be read may belong to any project, so membership cannot decide who sees
    /// it. Everybody sees the rejected rows of their own imports; administrators see all of them.
    package func rejects(seenBy actor: Actor, state: RejectedRow.State? = .open, importID: String? = nil) throws
        -> [RejectedRow]
    {
        try read { db in
            try Self.rejects(
                db,
                where:
                    """
                    (?1 IS NULL OR \(Self.rejectState) = ?1) AND (?2 IS NULL OR r.import_id = ?2) AND (?3 IS NULL \
                    OR p.actor_id = ?3)
                    """,
                [state?.rawValue, importID, Self.owner(actor)])
        }
    }

    /// SQL for the state of a row `r`, where `w` is the row that it waits for: once `w` is closed,
    /// the row counts as open itself.
    private static let rejectState = "CASE WHEN r.state = 'open' AND w.state = 'open' THEN 'waiting' ELSE r.state END"

    /// SQL condition: somebody has to decide about the row `r`; it does not wait for another row.
    static func isUndecided(_ row: String, schema: String = "main") -> String {
        """
        \(row).state = 'open' AND NOT EXISTS (
          SELECT 1 FROM \(schema).reject_details AS d JOIN \(schema).rejects AS w ON w.id = d.waits_for
          WHERE d.reject_id = \(row).id AND w.state = 'open')
        """
    }

    /// Rows that wait for the given rejected rows, and rows that wait for those in turn.
    package func rejects(waitingFor rows: [RejectedRow], seenBy actor: Actor) throws -> [RejectedRow] {
        let ids = try Quarantine.json(rows.filter(\.isOpen).map(\.id))
        let known = Set(rows.map(\.id))
        return try read { db in
            try Self.rejects(
                db,
                where: """
                    r.state = 'open' AND (?2 IS NULL OR p.actor_id = ?2) AND r.id IN (
                      WITH RECURSIVE waiting (id) AS (
                        SELECT reject_id FROM reject_details WHERE waits_for IN (SELECT value FROM json_each(?1))
                        UNION SELECT d.reject_id FROM waiting JOIN reject_details AS d ON d.waits_for = waiting.id)
                      SELECT id FROM waiting)
                    """, [ids, Self.owner(actor)])
        }.filter { !known.contains($0.id) }
    }

    private static func owner(_ actor: Actor) -> String? {
        actor.role.permissions.contains(.administer) ? nil : actor.id
    }

    /// Finds a row by its id, or by the last characters of its id.
    package func reject(_ name: String, seenBy actor: Actor) throws -> RejectedRow {
        let found = try read { db in
            try Self.rejects(
                db,
                where:
                    """
                    (r.id = ?1 OR (length(?1) >= 6 AND substr(r.id, -length(?1)) = ?1)) AND (?2 IS NULL \
                    OR p.actor_id = ?2)
                    """,
                [name, Self.owner(actor)])
        }
        guard let first = found.first else { throw RejectFailure.unknown(name) }
        guard found.count == 1 else { throw RejectFailure.ambiguous(name) }
        return first
    }

    private static func rejects(_ db: Database, where condition: String, _ arguments: StatementArguments) throws
        -> [RejectedRow]
    {
        try Row.fetchAll(
            db,
            sql: """
                SELECT r.id, r.import_id, i.source, r.entity, r.raw, r.place, r.findings, \(rejectState), \
                r.created_at, w.id,
                  (SELECT count(*) FROM reject_details AS c JOIN rejects AS x ON x.id = c.reject_id \
                WHERE c.waits_for = r.id AND x.state = 'open'),
                  d.around
                FROM rejects AS r JOIN imports AS i ON i.id = r.import_id LEFT JOIN pipeline_runs AS p \
                ON p.id = i.run_id
                LEFT JOIN reject_details AS d ON d.reject_id = r.id LEFT JOIN rejects AS w ON w.id = d.waits_for \
                AND w.state = 'open'
                WHERE \(condition) ORDER BY r.created_at, r.rowid
                """, arguments: arguments
        ).map { row in
            RejectedRow(
                id: row[0], importID: row[1], source: row[2], entity: row[3], raw: row[4],
                place: try Quarantine.place(row[5]),
                findings: try JSONDecoder().decode([Finding].self, from: Data((row[6] as String).utf8)),
                state: RejectedRow.State(rawValue: row[7]) ?? .open, createdAt: row[8], waitsFor: row[9],
                waiting: row[10], around: row[11])
        }
    }

    /// Sources of rejected rows, by the id of the first import that contained them
    /// (`RejectedRow.firstImportID`).
    package func sources(of rows: [RejectedRow]) throws -> [String: RejectedRow.Source] {
        let ids = try Quarantine.json(Set(rows.map(\.firstImportID)).sorted())
        return try read { db in
            let found = try Row.fetchAll(
                db,
                sql: """
                    SELECT i.id, i.source, i.sha256, r.reading FROM imports AS i LEFT JOIN import_readings AS r \
                    ON r.import_id = i.id
                    WHERE i.id IN (SELECT value FROM json_each(?))
                    """, arguments: [ids])
            return Dictionary(
                uniqueKeysWithValues: found.map {
                    ($0[0], RejectedRow.Source(path: $0[1], sha256: $0[2], reading: $0[3]))
                })
        }
    }

    /// Replaces the text of an open row; the previous text is stored in the activity log.
    package func editReject(_ row: RejectedRow, raw: String, entity: String?, context: RunContext) throws {
        try change(row, context, "reject_edited", details: ["before": row.raw]) { db in
            try db.execute(
                sql: "UPDATE rejects SET raw = ?, entity = ? WHERE id = ?",
                arguments: [raw, entity ?? row.entity, row.id])
        }
    }

    /// Dismisses a row, so that it is not imported.
    package func dismissReject(_ row: RejectedRow, reason: String, context: RunContext) throws {
        try change(row, context, "reject_dismissed", details: ["reason": reason]) { db in
            try db.execute(sql: "UPDATE rejects SET state = 'dismissed' WHERE id = ?", arguments: [row.id])
        }
    }

    private func change(
        _ row: RejectedRow, _ context: RunContext, _ action: String, details: [String: String],
        _ body: (Database) throws -> Void
    ) throws {
        guard row.isOpen else { throw RejectFailure.notOpen(row.id) }
        try write { db in
            try body(db)
            let log = try ChangeLog(
                db, pack: pack, actorID: context.actor.id, environment: context.environment, now: context.asOf)
            try log.logEntry(
                action, of: row.entity, id: nil, project: nil,
                details: FlatJSON.write(details.merging(["reject": row.id]) { first, _ in first }))
        }
    }
}

/// Terms for rows of a sync partner's package, in addition to the rules for any file. The rows
/// contain the partner's present data.
///
/// - A row that equals a waiting local change, and is marked as accepted, acknowledges that change.
/// - A new row already exists in the partner's database, so it is not sent back.
/// - A row without local changes since the partner confirmed it gets the partner's values, unless
///   the record is closed. All other differing rows become conflicts.
package struct ExchangeTerms: Sendable, Hashable {
    /// The format that is recorded for these imports.
    static let format = "exchange"

    /// Creation time of the package, used as the version of its rows: an older package never
    /// replaces values from a newer one.
    package var version: String

    package init(version: String) { self.version = version }
}

extension Replica {
    /// Those of the rejected rows that are still as a sync partner's package contained them. A row
    /// that somebody edited since is a local change.
    package func receivedRejects(among rows: [RejectedRow]) throws -> Set<String> {
        try read { db in
            Set(
                try String.fetchAll(
                    db,
                    sql: """
                        SELECT r.id FROM rejects AS r JOIN imports AS i ON i.id = r.import_id
                        WHERE i.format = ?1 AND r.id IN (SELECT value FROM json_each(?2)) AND r.id NOT IN (
                          SELECT json_extract(details, '$.reject') FROM activity_logs
                          WHERE action = 'reject_edited' AND json_extract(details, '$.reject') IS NOT NULL)
                        """, arguments: [ExchangeTerms.format, Quarantine.json(rows.map(\.id))]))
        }
    }
}
