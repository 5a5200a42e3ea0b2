import GRDB
package import Model

/// How far the replica has followed a central database. A cursor belongs to the server, the person
/// in one role, the scope and the table.
struct PullCursors {
    let remote: String
    let actor: Model.Actor

    func position(of entity: String, scope: String?, _ db: Database) throws -> RemotePosition? {
        try Row.fetchOne(
            db, sql: "SELECT snapshot, system, timeline FROM sync_cursors WHERE remote = ? AND actor_id = ? AND role = ? AND scope = ? AND entity = ?",
            arguments: [remote, actor.id, actor.role.name, scope ?? "", entity]
        ).map { RemotePosition(snapshot: $0[0], system: $0[1], timeline: $0[2]) }
    }

    func keep(_ position: RemotePosition, of entity: String, scope: String?, at time: String, _ db: Database) throws {
        try db.execute(
            sql: """
                INSERT OR REPLACE INTO sync_cursors (remote, actor_id, role, scope, entity, snapshot, system, timeline, pulled_at)
                VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?)
                """,
            arguments: [remote, actor.id, actor.role.name, scope ?? "", entity, position.snapshot, position.system, position.timeline, time])
    }

    /// Forgets the servers that the replica followed before this one.
    func forgetOtherServers(_ db: Database) throws {
        try db.execute(sql: "DELETE FROM sync_cursors WHERE remote <> ?", arguments: [remote])
    }

    /// Forgets a project: if it comes back, it is fetched from the start.
    func forget(scope: String, _ db: Database) throws {
        try db.execute(
            sql: "DELETE FROM sync_cursors WHERE remote = ? AND actor_id = ? AND scope = ?", arguments: [remote, actor.id, scope])
    }
}

extension Replica {
    /// How far a table was followed; nil: not at all, so that all its rows must be fetched.
    package func pulledPosition(of entity: String, scope: String?, remote: String, actor: Model.Actor) throws -> RemotePosition? {
        try read { try PullCursors(remote: remote, actor: actor).position(of: entity, scope: scope, $0) }
    }

    /// The server that the replica has followed so far, if it is another one than this.
    package func followsAnother(than remote: String) throws -> String? {
        try read { db in
            try String.fetchOne(
                db, sql: "SELECT remote FROM sync_cursors WHERE NOT EXISTS (SELECT 1 FROM sync_cursors WHERE remote = ?1) ORDER BY pulled_at DESC LIMIT 1", arguments: [remote])
        }
    }

    /// The projects of which a person keeps something offline.
    package func offlineProjects(of profileID: String) throws -> [String] {
        try read { db in
            try String.fetchAll(db, sql: "SELECT DISTINCT project_id FROM file_sync_states WHERE profile_id = ? AND project_id IS NOT NULL ORDER BY 1", arguments: [profileID])
        }
    }
}
