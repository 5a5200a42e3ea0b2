package import Foundation
import GRDB
package import Model

/// Source of a pull, and the person for whom it runs.
package struct PullRequest {
    package var runID: String?
    /// Identifier of the server and its database.
    package var remote: String
    package var actor: Actor
    package var environment: String
    package var startedAt: Date
    /// Number of changes that the sync sent before this pull, for the log.
    package var sent = 0
    /// Whether the server reports removals, and sends all parts of a record that moves to another
    /// project.
    package var isExact = true
    /// Whether all rows are fetched after all reported changes were applied: a difference is
    /// damage.
    package var comparesValues = false

    package init(runID: String?, remote: String, actor: Actor, environment: String, startedAt: Date) {
        (self.runID, self.remote, self.actor, self.environment, self.startedAt) = (
            runID, remote, actor, environment, startedAt
        )
    }
}

/// Changes that a pull made in the replica.
package struct PullAccount: Sendable, Hashable, Codable {
    /// Counts for one table; each counter is a number of rows.
    package struct Line: Sendable, Hashable, Codable {
        package var entity: String
        /// Rows that arrived; each is also counted in exactly one of the other counters.
        package var received = 0
        package var new = 0
        package var changed = 0
        package var unchanged = 0
        /// Rows changed both locally and on the server, which wait for a person's decision.
        package var conflict = 0
        /// Rows whose local changes stay, because the server did not change the same row.
        package var kept = 0
        /// Rows of a package that were rejected, or that wait for a rejected one.
        package var refused = 0
        /// Rows that the pull removed: the server deleted them, or moved them out of sight.
        package var removed = 0

        package init(entity: String, received: Int = 0) { (self.entity, self.received) = (entity, received) }

        package var isEmpty: Bool { received == 0 && removed == 0 && conflict == 0 }
        /// Whether every row that arrived is counted. A removal may add a conflict to the sum.
        var isWhole: Bool { new + changed + unchanged + conflict + kept + refused >= received }
    }

    /// Counts by table, in the pack's order.
    package var lines: [Line] = []
    /// Projects that the actor no longer sees: their rows are hidden.
    package var withdrawn: [String] = []
    /// Number of changes that the sync sent before the pull.
    package var sent = 0

    package init() {}

    package var changesSomething: Bool { sent > 0 || !withdrawn.isEmpty || hasArrivals }

    /// Whether the pull added, changed or removed a row, or found a conflict.
    package var hasArrivals: Bool { lines.contains { $0.new + $0.changed + $0.conflict + $0.removed > 0 } }

    /// This account without `unchanged` and `kept` rows, for a step that fetches rows again.
    package var changesOnly: PullAccount {
        var account = self
        for index in account.lines.indices {
            account.lines[index].received -= account.lines[index].unchanged + account.lines[index].kept
            (account.lines[index].unchanged, account.lines[index].kept) = (0, 0)
        }
        account.lines.removeAll(where: \.isEmpty)
        return account
    }

    /// Adds the counts of a second step of the same sync.
    package mutating func add(_ other: PullAccount) {
        withdrawn += other.withdrawn
        for line in other.lines {
            guard let index = lines.firstIndex(where: { $0.entity == line.entity }) else {
                lines.append(line)
                continue
            }
            lines[index].received += line.received
            lines[index].new += line.new
            lines[index].changed += line.changed
            lines[index].unchanged += line.unchanged
            lines[index].conflict += line.conflict
            lines[index].kept += line.kept
            lines[index].refused += line.refused
            lines[index].removed += line.removed
        }
    }
}

extension Replica {
    /// Applies the rows of a central database. `body` puts them into a staging file without locking
    /// the replica; then one transaction applies them all and moves the cursors. If `body` throws,
    /// nothing changes. Pulled rows get no queue items, no separate log entries and no undo. Only
    /// rows whose values differ in the same version are logged one by one.
    ///
    /// - Parameters:
    ///   - position: the server's state that the rows come from; the cursors move to it.
    ///   - visible: the projects that the actor sees on the server; nil: not known.
    /// - Returns: the counts of changed rows. Findings about rows in conflict go to `findings`.
    package func pull(
        _ request: PullRequest, at position: RemotePosition, visible: [String]? = nil, findings: any FindingSink,
        _ body: (PullStaging) throws -> Void
    ) throws -> PullAccount {
        do {
            let file = try StagingFile(replica: path, key: nil)
            defer { file.remove() }
            let identity = "pull " + UUID().uuidString
            let staged = try file.open(identity: identity).writeWithoutTransaction { db in
                let staging = try PullStaging(db)
                try db.inTransaction(.immediate) {
                    try body(staging)
                    return .commit
                }
                return staging
            }
            return try queue.writeWithoutTransaction { db in
                // The server may hide a referenced row, so references are not checked.
                try db.execute(sql: "PRAGMA foreign_keys = OFF")
                defer { try? db.execute(sql: "PRAGMA foreign_keys = ON") }
                try db.execute(sql: "ATTACH DATABASE ? AS staging", arguments: [file.path])
                defer { try? db.execute(sql: "DETACH DATABASE staging") }
                var account: PullAccount?
                try db.inTransaction(.immediate) {
                    account = try PullApplication(db, pack: pack, request: request, findings: findings).apply(
                        staged, at: position, visible: visible)
                    return .commit
                }
                guard let account else { throw ReplicaFailure.internal(path: path, code: "no account") }
                return account
            }
        } catch {
            throw ReplicaFailure.translated(error, path: path)
        }
    }
}

/// The positions up to which the replica has pulled from a central database. There is one for each
/// server, person, role, scope and table.
struct PullCursors {
    let remote: String
    let actor: Model.Actor

    func position(of entity: String, scope: String?, _ db: Database) throws -> RemotePosition? {
        try Row.fetchOne(
            db,
            sql:
                """
                SELECT snapshot, system, timeline FROM sync_cursors WHERE remote = ? AND actor_id = ? AND role = ? \
                AND scope = ? AND entity = ?
                """,
            arguments: [remote, actor.id, actor.role.name, scope ?? "", entity]
        ).map { RemotePosition(snapshot: $0[0], system: $0[1], timeline: $0[2]) }
    }

    /// Stores the position up to which a table is pulled now.
    func keep(_ position: RemotePosition, of entity: String, scope: String?, at time: String, _ db: Database) throws {
        try db.execute(
            sql: """
                INSERT OR REPLACE INTO sync_cursors (remote, actor_id, role, scope, entity, snapshot, system, \
                timeline, pulled_at)
                VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?)
                """,
            arguments: [
                remote, actor.id, actor.role.name, scope ?? "", entity, position.snapshot, position.system,
                position.timeline, time,
            ])
    }

    /// Deletes the cursors of all other servers, and the exchange that the replica followed.
    func forgetOtherServers(_ db: Database) throws {
        try db.execute(sql: "DELETE FROM sync_cursors WHERE remote <> ?", arguments: [remote])
        try db.execute(
            sql: "DELETE FROM fichero_replica WHERE key = ?", arguments: [ReplicaKey.exchange.rawValue])
    }

    /// Deletes the cursors of a project: if it becomes visible again, it is fetched from the start.
    func forget(scope: String, _ db: Database) throws {
        try db.execute(
            sql: "DELETE FROM sync_cursors WHERE remote = ? AND actor_id = ? AND scope = ?",
            arguments: [remote, actor.id, scope])
    }
}

/// Whether a replica has synced with this server or exchange, with another one, or with none.
package enum Following: Sendable, Hashable {
    case this, nothing
    case another(String)
}

extension Replica {
    /// The position up to which a table was pulled; nil: never, so all its rows must be fetched.
    package func pulledPosition(of entity: String, scope: String?, remote: String, actor: Model.Actor) throws
        -> RemotePosition?
    {
        try read { try PullCursors(remote: remote, actor: actor).position(of: entity, scope: scope, $0) }
    }

    /// Whether the replica has so far synced with this central database, or these exchange folders.
    package func following(_ remote: String) throws -> Following {
        try read { db in
            var known = try String.fetchAll(
                db, sql: "SELECT remote FROM sync_cursors GROUP BY remote ORDER BY max(pulled_at) DESC")
            if let folders = try ReplicaKey.value(of: .exchange, db) { known.append(folders) }
            return known.contains(remote) ? .this : known.first.map(Following.another) ?? .nothing
        }
    }

    /// Whether a person may choose the server or exchange to follow. The chosen one decides about
    /// people and their roles, so once the replica has an administrator, only administrators
    /// choose.
    package func mayChooseRemote(_ email: String) throws -> Bool {
        let roles = pack.roles.filter { $0.permissions.contains(.administer) }.map { SQLText.literal($0.name) }
        // A profile that no server ever confirmed cannot act, so it does not count.
        let isKnown = try read { db in
            try Bool.fetchOne(
                db,
                sql: """
                    SELECT EXISTS (SELECT 1 FROM profiles WHERE status = 'ACTIVO' AND cached_at <> '' \
                    AND role IN (\(roles.joined(separator: ", "))))
                    """) ?? false
        }
        return !isKnown || (try? actor(email: email))?.role.permissions.contains(.administer) ?? false
    }

    /// Stores the folders of an exchange, which the replica follows from now on.
    package func follow(exchange folders: String) throws {
        guard try read({ try ReplicaKey.value(of: .exchange, $0) }) != folders else { return }
        try write { db in
            try ReplicaKey.set(.exchange, to: folders, db)
            // The server that the replica followed before is not followed any more.
            try db.execute(sql: "DELETE FROM sync_cursors")
        }
    }

    /// The projects of which a person chose files to have offline.
    package func offlineProjects(of profileID: String) throws -> [String] {
        try read { db in
            try String.fetchAll(
                db,
                sql:
                    """
                    SELECT DISTINCT project_id FROM file_sync_states WHERE profile_id = ? AND project_id IS NOT NULL \
                    ORDER BY 1
                    """,
                arguments: [profileID])
        }
    }
}
