package import Foundation
import GRDB
package import Model

/// One acceptance as the replica stores it.
package struct StoredAcceptance: Sendable, Hashable, Codable {
    package enum State: String, Sendable, Codable {
        case holds, ended, withdrawn
    }

    package var fingerprint: String
    package var code: String
    package var table: String?
    package var key: String?
    package var field: String?
    package var reason: String
    package var actor: String
    package var acceptedAt: String
    package var until: String
    package var state: State
}

/// Reason why a finding cannot be accepted.
package typealias AcceptanceFailure = DeclaredFailure<StoredAcceptance>

extension AcceptanceFailure {
    package static func noSuchFinding(_ value: String) -> Self {
        Self("ACCEPTANCE-UNKNOWN", .noInput, ["value": value])
    }
    package static func ambiguous(_ value: String) -> Self { Self("ACCEPTANCE-AMBIGUOUS", .usage, ["value": value]) }
    package static func badFingerprint(_ value: String) -> Self {
        Self("ACCEPTANCE-FINGERPRINT", .usage, ["value": value])
    }
    package static var noReason: Self { Self("ACCEPTANCE-REASON", .usage) }
    package static var noDay: Self { Self("ACCEPTANCE-NO-DAY", .usage) }
    package static func badDay(_ value: String) -> Self { Self("ACCEPTANCE-DAY", .usage, ["value": value]) }
    package static func dayIsPast(_ value: String) -> Self { Self("ACCEPTANCE-PAST", .usage, ["value": value]) }
}

extension Replica {
    /// Every acceptance of a finding in the actor's projects, newest first.
    ///
    /// - Parameter reader: the role that reads the acceptances; nil: Fichero itself. An address is
    ///   visible like `profiles.email`, a reason like `activity_logs.details`.
    package func acceptances(asOf: Date, timeZone: TimeZone, projectIDs: [String], reader: Role? = nil) throws
        -> [StoredAcceptance]
    {
        let today = OfficeDay.text(of: asOf, in: timeZone)
        let seesAddresses = pack.isVisible("email", of: "profiles", to: reader)
        let seesReasons = pack.isVisible("details", of: "activity_logs", to: reader)
        return try read { db in
            try Row.fetchAll(
                db,
                sql: """
                    SELECT fingerprint, code, tbl, key, field, reason, actor, accepted_at, until, withdrawn_at \
                    FROM finding_acceptances
                    WHERE project_id IS NULL OR project_id IN (SELECT value FROM json_each(?))
                    ORDER BY accepted_at DESC, id DESC
                    """, arguments: [try Quarantine.json(projectIDs)]
            ).map { row in
                let until: String = row[8]
                return StoredAcceptance(
                    fingerprint: row[0], code: row[1], table: row[2], key: row[3], field: row[4],
                    reason: seesReasons ? row[5] : Pack.hiddenValue, actor: seesAddresses ? row[6] : Pack.hiddenValue,
                    acceptedAt: row[7], until: until,
                    state: row[9] != nil ? .withdrawn : until < today ? .ended : .holds)
            }
        }
    }
}

/// A finding of a stored validation, with the values that an acceptance needs.
struct AcceptanceCandidate {
    var fingerprint: String
    var arguments: String
    var code: String
    var project: String?
    var table: String?
    var rowID: String?
    var key: String?
    var field: String?

    /// Returns a name as the first digits of a fingerprint: lower-case hexadecimal, at least eight.
    static func prefix(_ name: String) throws -> String {
        let name = name.lowercased()
        guard (8...32).contains(name.utf8.count),
            name.utf8.allSatisfy({ (0x30...0x39).contains($0) || (0x61...0x66).contains($0) })
        else {
            throw AcceptanceFailure.badFingerprint(name)
        }
        return name
    }

    /// The findings with one fingerprint in the newest validation that contains them.
    static func find(_ name: String, projectIDs: [String], _ db: Database) throws -> [AcceptanceCandidate] {
        let prefix = try prefix(name)
        let visible = "(project_id IS NULL OR project_id IN (SELECT value FROM json_each(?2)))"
        let projects = try Quarantine.json(projectIDs)
        let found = try Row.fetchAll(
            db,
            sql: """
                SELECT fingerprint, max(started_at || run_id), run_id FROM run_findings JOIN pipeline_runs \
                ON pipeline_runs.id = run_id
                WHERE substr(fingerprint, 1, length(?1)) = ?1 AND \(visible) GROUP BY fingerprint
                """, arguments: [prefix, projects])
        guard let first = found.first else { throw AcceptanceFailure.noSuchFinding(name) }
        guard found.count == 1 else { throw AcceptanceFailure.ambiguous(name) }
        return try Row.fetchAll(
            db,
            sql: """
                SELECT fingerprint, arguments, code, project_id, tbl, row_id, key, field FROM run_findings
                WHERE run_id = ?1 AND \(visible) AND fingerprint = ?3 ORDER BY n
                """, arguments: [first[2] as String, projects, first[0] as String]
        ).map { row in
            AcceptanceCandidate(
                fingerprint: row[0], arguments: row[1], code: row[2], project: row[3], table: row[4], rowID: row[5],
                key: row[6], field: row[7])
        }
    }
}
