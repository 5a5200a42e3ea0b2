import Foundation
import GRDB
package import Model

extension Replica {
    /// Accepts findings of one of the stored validations. They are identified by their
    /// fingerprints, or by the first eight or more digits of these. All or none are accepted, as
    /// one change set; each gets an entry in the activity log.
    ///
    /// - Parameter projectIDs: the actor's projects; findings of other projects count as unknown.
    /// - Parameter until: the last day on which the acceptance is valid, `yyyy-MM-dd`.
    package func accept(
        _ fingerprints: [String], reason: String, until: String, context: RunContext, projectIDs: [String]
    ) throws -> [StoredAcceptance] {
        let reason = reason.trimmingCharacters(in: .whitespacesAndNewlines)
        guard !reason.isEmpty else { throw AcceptanceFailure.noReason }
        guard Timestamp.isDate(until) else { throw AcceptanceFailure.badDay(until) }
        guard until >= OfficeDay.text(of: context.asOf, in: context.timeZone) else {
            throw AcceptanceFailure.dayIsPast(until)
        }
        return try change(
            "accept", by: context.actor, may: .resolve, in: context.environment, at: context.asOf, reason: reason
        ) { change in
            try AcceptanceChange(change).accept(fingerprints, reason: reason, until: until, projectIDs: projectIDs)
        }
    }

    /// Withdraws acceptances that are in force; returns their number.
    package func withdrawAcceptances(_ fingerprints: [String], context: RunContext, projectIDs: [String]) throws -> Int
    {
        try change("accept --withdraw", by: context.actor, may: .resolve, in: context.environment, at: context.asOf) {
            change in
            try AcceptanceChange(change).withdraw(fingerprints, projectIDs: projectIDs)
        }
    }
}

/// Stores or withdraws a person's acceptances of findings, as one change set. An acceptance
/// concerns a finding and not a row, so no rows are staged. The trail stores which acceptances the
/// change made and which it ended, so that the change can be undone.
struct AcceptanceChange {
    static let table = "finding_acceptances"

    private let change: UnstagedChange
    private var db: Database { change.db }

    init(_ change: UnstagedChange) { self.change = change }

    func accept(_ fingerprints: [String], reason: String, until: String, projectIDs: [String]) throws
        -> [StoredAcceptance]
    {
        let (trail, actor) = (try change.beginTrail(), change.request.actor)
        var accepted: [StoredAcceptance] = []
        for name in fingerprints {
            for finding in try AcceptanceCandidate.find(name, projectIDs: projectIDs, db) {
                try ensureCovered(finding.project, name)
                // A new acceptance of the same finding replaces an earlier one.
                let replaced = try String.fetchAll(
                    db,
                    sql:
                        """
                        UPDATE finding_acceptances SET withdrawn_at = ? WHERE fingerprint = ? AND arguments = ? \
                        AND withdrawn_at IS NULL RETURNING id
                        """,
                    arguments: [change.time, finding.fingerprint, finding.arguments])
                for id in replaced { try note(ended: id, trail) }
                let id = change.ids.next()
                try insert(finding, id: id, reason: reason, until: until)
                try trail.note(
                    .update, entity: Self.table, id: id, place: nil, row: nil, before: "{}", states: "{}", item: nil)
                try change.changes.logEntry(
                    "finding_accepted", of: finding.table, id: finding.rowID, project: finding.project,
                    details: FlatJSON.write([
                        "code": finding.code, "fingerprint": finding.fingerprint, "reason": reason, "until": until,
                    ]))
                accepted.append(
                    StoredAcceptance(
                        fingerprint: finding.fingerprint, code: finding.code, table: finding.table, key: finding.key,
                        field: finding.field,
                        reason: reason, actor: actor.email, acceptedAt: change.time, until: until, state: .holds))
            }
        }
        try change.finish(trail, counts: ["accepted": accepted.count])
        return accepted
    }

    func withdraw(_ fingerprints: [String], projectIDs: [String]) throws -> Int {
        let trail = try change.beginTrail()
        var count = 0
        for name in fingerprints {
            let prefix = try AcceptanceCandidate.prefix(name)
            let rows = try Row.fetchAll(
                db,
                sql: """
                    UPDATE finding_acceptances SET withdrawn_at = ?1
                    WHERE withdrawn_at IS NULL AND substr(fingerprint, 1, length(?2)) = ?2
                      AND (project_id IS NULL OR project_id IN (SELECT value FROM json_each(?3)))
                    RETURNING tbl, row_id, project_id, code, fingerprint, id
                    """, arguments: [change.time, prefix, try Quarantine.json(projectIDs)])
            guard !rows.isEmpty else { throw AcceptanceFailure.noSuchFinding(name) }
            for row in rows {
                try ensureCovered(row[2], name)
                try note(ended: row[5], trail)
                try change.changes.logEntry(
                    "finding_acceptance_withdrawn", of: row[0], id: row[1], project: row[2],
                    details: FlatJSON.write(["code": row[3], "fingerprint": row[4]]))
            }
            count += rows.count
        }
        try change.finish(trail, counts: ["withdrawn": count])
        return count
    }

    /// Refuses findings of projects of which the actor is not a member, as if the findings did not
    /// exist.
    private func ensureCovered(_ project: String?, _ name: String) throws {
        guard let project else { return }
        guard try change.judge.covers(project: project) else { throw AcceptanceFailure.noSuchFinding(name) }
    }

    private func note(ended id: String, _ trail: ImportTrail) throws {
        try trail.note(
            .update, entity: Self.table, id: id, place: nil, row: nil, before: "{\"withdrawn_at\":null}", states: "{}",
            item: nil)
    }

    private func insert(_ finding: AcceptanceCandidate, id: String, reason: String, until: String) throws {
        let actor = change.request.actor
        try db.execute(
            sql: """
                INSERT INTO finding_acceptances
                  (id, fingerprint, arguments, code, project_id, tbl, row_id, key, field, reason, actor_id, actor, \
                accepted_at, until)
                VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)
                """,
            arguments: [
                id, finding.fingerprint, finding.arguments, finding.code, finding.project, finding.table, finding.rowID,
                finding.key, finding.field, reason,
                actor.id, actor.email, change.time, until,
            ])
    }
}
