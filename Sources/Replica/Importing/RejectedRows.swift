import Foundation
import GRDB
package import Model

/// A row that could not come in, as the quarantine keeps it.
package struct RejectedRow: Sendable, Hashable, Codable {
    package enum State: String, Sendable, Codable, CaseIterable {
        /// Waits for somebody.
        case open
        /// Was tried again; if it could not go in even then, a new row waits in its place.
        case corrected
        /// Somebody said that it is not to come in.
        case dismissed
    }

    package var id: String
    package var importID: String
    /// The file or folder that it came from.
    package var source: String
    /// Nil for rows of a table that the pack does not know.
    package var entity: String?
    /// The row as it stood in the source, or as it was edited: JSON.
    package var raw: String
    package var place: Place
    package var findings: [Finding]
    package var state: State
    package var createdAt: String
}

/// Why a rejected row cannot be shown, edited or tried again.
package enum RejectFailure: Failure, Equatable {
    case unknown(String)
    case ambiguous(String)
    case notOpen(String)
    /// The row is no JSON object, so that it has no members to set: `edit --raw` replaces it whole.
    case noObject(String)
    case badEdit(String)
    /// A name that nobody reads in such a row.
    case unknownName(String, known: [String])
    /// A file without the column of ids that `rejects export` writes.
    case noSheet(String)

    package var code: String {
        switch self {
        case .unknown: "REJECT-UNKNOWN"
        case .ambiguous: "REJECT-AMBIGUOUS"
        case .notOpen: "REJECT-CLOSED"
        case .noObject: "REJECT-NO-OBJECT"
        case .badEdit: "REJECT-EDIT"
        case .unknownName: "REJECT-NAME"
        case .noSheet: "REJECT-NO-SHEET"
        }
    }

    package var exitCode: ExitCode {
        switch self {
        case .unknown: .noInput
        case .noSheet: .badInput
        default: .usage
        }
    }

    package var arguments: [String: String] {
        switch self {
        case .unknown(let value), .ambiguous(let value), .notOpen(let value), .noObject(let value), .badEdit(let value), .noSheet(let value): ["value": value]
        case .unknownName(let name, let known): ["value": name, "known": known.joined(separator: ", ")]
        }
    }
}

extension Replica {
    /// Rejected rows, oldest first; of one import when it is given.
    ///
    /// Nobody can tell which project a row that is no row belongs to, so that membership cannot decide who sees it: everybody sees those
    /// of the imports that he made, and whoever may administer all of them.
    package func rejects(seenBy actor: Actor, state: RejectedRow.State? = .open, importID: String? = nil) throws -> [RejectedRow] {
        try read { db in
            try Self.rejects(
                db, where: "(?1 IS NULL OR r.state = ?1) AND (?2 IS NULL OR r.import_id = ?2) AND (?3 IS NULL OR p.actor_id = ?3)",
                [state?.rawValue, importID, Self.owner(actor)])
        }
    }

    private static func owner(_ actor: Actor) -> String? {
        actor.role.permissions.contains(.administer) ? nil : actor.id
    }

    /// The row that a person means: its id, or the end of it.
    package func reject(_ name: String, seenBy actor: Actor) throws -> RejectedRow {
        let found = try read { db in
            try Self.rejects(
                db, where: "(r.id = ?1 OR (length(?1) >= 6 AND substr(r.id, -length(?1)) = ?1)) AND (?2 IS NULL OR p.actor_id = ?2)",
                [name, Self.owner(actor)])
        }
        guard let first = found.first else { throw RejectFailure.unknown(name) }
        guard found.count == 1 else { throw RejectFailure.ambiguous(name) }
        return first
    }

    private static func rejects(_ db: Database, where condition: String, _ arguments: StatementArguments) throws -> [RejectedRow] {
        try Row.fetchAll(
            db,
            sql: """
                SELECT r.id, r.import_id, i.source, r.entity, r.raw, r.place, r.findings, r.state, r.created_at
                FROM rejects AS r JOIN imports AS i ON i.id = r.import_id LEFT JOIN pipeline_runs AS p ON p.id = i.run_id
                WHERE \(condition) ORDER BY r.created_at, r.rowid
                """, arguments: arguments
        ).map { row in
            RejectedRow(
                id: row[0], importID: row[1], source: row[2], entity: row[3], raw: row[4], place: try Quarantine.place(row[5]),
                findings: try JSONDecoder().decode([Finding].self, from: Data((row[6] as String).utf8)),
                state: RejectedRow.State(rawValue: row[7]) ?? .open, createdAt: row[8])
        }
    }

    /// Replaces the text of a row that waits; what it was stands in the activity log.
    package func editReject(_ row: RejectedRow, raw: String, entity: String?, context: RunContext) throws {
        try change(row, context, "reject_edited", details: ["before": row.raw]) { db in
            try db.execute(sql: "UPDATE rejects SET raw = ?, entity = ? WHERE id = ?", arguments: [raw, entity ?? row.entity, row.id])
        }
    }

    /// Says that a row is not to come in.
    package func dismissReject(_ row: RejectedRow, reason: String, context: RunContext) throws {
        try change(row, context, "reject_dismissed", details: ["reason": reason]) { db in
            try db.execute(sql: "UPDATE rejects SET state = 'dismissed' WHERE id = ?", arguments: [row.id])
        }
    }

    private func change(
        _ row: RejectedRow, _ context: RunContext, _ action: String, details: [String: String], _ body: (Database) throws -> Void
    ) throws {
        guard row.state == .open else { throw RejectFailure.notOpen(row.id) }
        try write { db in
            try body(db)
            let log = try ChangeLog(db, pack: pack, actorID: context.actor.id, environment: context.environment, now: context.asOf)
            try log.logEntry(action, of: row.entity, id: nil, project: nil, details: FlatJSON.write(details.merging(["reject": row.id]) { first, _ in first }))
        }
    }
}
