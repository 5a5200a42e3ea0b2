import GRDB
import JSONReading
package import Model

/// A person's change that was stored, although its run was killed before it could report the
/// change. The same command, given again, finds nothing left to change.
package struct UnreportedChange: Sendable {
    package var id: String
    /// When the change's run ended, by the machine's clock.
    package var time: String
    /// The names of each removed row: its id and the values of its key.
    fileprivate var removed: [Set<String>]
    /// Ids of the conflicts that the change decided.
    fileprivate var conflicts: Set<String>

    /// Whether the name that a command was given (`C-31`, `C-31/2`, an id) is that of a removed
    /// row.
    package func removed(_ name: String) -> Bool {
        let own = name.split(separator: "/").last.map(String.init) ?? name
        return removed.contains { $0.contains(name) || $0.contains(own) }
    }

    package func decided(_ conflict: RowConflict) -> Bool { conflicts.contains(conflict.id) }
}

/// The command was carried out already.
package typealias AlreadyDoneFailure = DeclaredFailure<UnreportedChange>

extension AlreadyDoneFailure {
    package static func done(change: String, command: String, at: String) -> Self {
        Self("CHANGE-DONE", .usage, ["change": change, "command": command, "time": at])
    }
}

extension Replica {
    /// The change of an actor's last run, if it ran this command and ended before it could report.
    /// A run that reported has a summary.
    package func unreportedChange(by actor: Model.Actor, command: String) throws -> UnreportedChange? {
        try read { db in
            let row = try Row.fetchOne(
                db,
                sql: """
                    SELECT i.id, r.finished_at FROM (
                      SELECT id, command, finished_at, summary FROM pipeline_runs WHERE actor_id = ?1 \
                    ORDER BY rowid DESC LIMIT 1
                    ) AS r JOIN imports AS i ON i.run_id = r.id WHERE r.command = ?2 AND r.summary IS NULL
                    """, arguments: [actor.id, command])
            guard let row else { return nil }
            let id: String = row[0]
            let removals = try Row.fetchAll(
                db, sql: "SELECT entity, row_id, row FROM import_removals WHERE import_id = ?", arguments: [id])
            let conflicts = try String.fetchSet(
                db, sql: "SELECT row_id FROM import_changes WHERE import_id = ? AND entity = 'conflicts'",
                arguments: [id])
            return UnreportedChange(
                id: id, time: row[1] ?? "", removed: removals.map { names(ofRow: $0[2], id: $0[1], $0[0]) },
                conflicts: conflicts)
        }
    }

    private func names(ofRow json: String, id: String, _ entity: String) -> Set<String> {
        let row = try? JSONValue.stored(json)
        let keys = pack.entity(entity)?.key ?? []
        return Set([id] + keys.compactMap { key in row?[key].flatMap { $0.text ?? $0.stated } })
    }
}

/// Failure of a person's change, which is refused as a whole; the findings give the reasons.
package typealias ChangeFailure = DeclaredFailure<ChangeOrigin>

extension ChangeFailure {
    package static func refused(count: Int, mayNot: Bool) -> Self {
        Self("CHANGE-REFUSED", mayNot ? .notPermitted : .badInput, ["count": count])
    }
    /// The change would move records that have errors to an approved state.
    package static func findings(records: [String]) -> Self {
        Self("CHANGE-FINDINGS", .badInput, ["records": records.listed(separator: "; "), "count": records.count])
    }
    /// After the change no profile could administer users any more.
    package static var lastAdministrator: Self { Self("CHANGE-LAST-ADMINISTRATOR", .notPermitted) }
}

/// Origin of a change set. The origin decides what the set may overwrite; the permission checks are
/// the same.
package enum ChangeOrigin: Sendable {
    /// A file, which anybody can have made. It adds rows; if it contradicts values that the remote
    /// has confirmed, a conflict is recorded. Rows that cannot be imported wait in the quarantine.
    case file
    /// A person, by a command. It may correct everything that the person may, the whole set or
    /// nothing.
    case person
    /// The central database, which is not subject to the pack's rules. It overwrites every row
    /// except those with local changes; for these, both versions are stored.
    case remote

    /// The action that the activity log records for a new row.
    var added: String { self == .person ? "row_added" : "row_imported" }
    var changed: String { self == .person ? "row_edited" : "row_updated_by_import" }
    /// The action that the activity log records for the whole set.
    var whole: String {
        switch self {
        case .file: "import"
        case .person: "change"
        case .remote: "sync"
        }
    }
}
