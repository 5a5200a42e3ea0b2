import Foundation
import GRDB
import Model

/// Handles stand-ins: the administrator that `init` makes stands in for a person whose own profile
/// comes later, from a file or from the central database, with an id of its own. That profile then
/// replaces the stand-in, because an address with two profiles could not be assigned to anybody.
struct StandIns {
    private let db: Database
    private let pack: Pack

    init(_ db: Database, pack: Pack) {
        (self.db, self.pack) = (db, pack)
    }

    /// SQL condition on a profile: it was made by `init`, including versions of `init` that kept no
    /// change set.
    static func isOne(_ row: String) -> String {
        """
        (\(row).sync_state = 'local_only' AND (\(row).import_source IS NULL OR \(row).import_source IN (
          SELECT s.number FROM main.import_sources AS s JOIN main.imports AS i ON i.id = s.import_id WHERE i.format = '\(ImportRequest.founding)')))
        """
    }

    /// Makes everything that names the stand-in name the new profile; this stays when the import is
    /// undone. The last administrator stays one, whatever the new profile states.
    ///
    /// - Parameter before: new profiles have greater rowids.
    func replace(after before: Int64, _ changes: ChangeLog) throws {
        for (old, new) in try pairs(where: "n.rowid > \(before) AND o.rowid <= \(before) AND \(Self.isOne("o"))") {
            try replace(old, by: new, changes) { try keepAdministrator(new, old) }
        }
    }

    /// The same for profiles that the central database gave, which says what they may: they replace
    /// whoever was made here with the same address, by `init` or since. A person who administers no
    /// more stays a member of the projects that were made here.
    ///
    /// - Parameter arrived: SQL of their ids.
    func replace(byThose arrived: String, _ changes: ChangeLog, at time: String) throws {
        for (old, new) in try pairs(where: "n.id IN (\(arrived)) AND o.remote_updated_at IS NULL AND o.id NOT IN (\(arrived))") {
            try replace(old, by: new, changes) {
                let role = try String.fetchOne(db, sql: "SELECT role FROM main.profiles WHERE id = ?", arguments: [new])
                let wasFounder = try Bool.fetchOne(db, sql: "SELECT \(Self.isOne("o")) FROM main.profiles AS o WHERE o.id = ?", arguments: [old]) ?? false
                guard wasFounder, role.flatMap({ pack.role($0) })?.permissions.contains(.administer) != true else { return }
                // Memberships are for administrators to send; the server joins who makes a project.
                try db.execute(
                    sql: """
                        DELETE FROM main.sync_queue WHERE entity_type = 'project_members' AND operation = 'INSERT'
                        AND entity_id IN (SELECT id FROM main.project_members WHERE profile_id = ?)
                        """, arguments: [new])
                let projects = "main." + SQLText.name(pack.project.entity)
                let made = try String.fetchAll(
                    db,
                    sql: """
                        SELECT p.id FROM \(projects) AS p WHERE p.remote_updated_at IS NULL
                        AND p.id NOT IN (SELECT project_id FROM main.project_members WHERE profile_id = ?)
                        """, arguments: [new])
                for project in made {
                    try db.execute(
                        sql: "INSERT INTO main.project_members (id, project_id, profile_id, role, created_at, content_stamp) VALUES (?, ?, ?, ?, ?, ?)",
                        arguments: [UUIDv7.make(at: Date()), project, new, role, time, changes.number()])
                    try changes.logEntry("member_added", of: "project_members", id: nil, project: project, details: RowJSON.object(["profile_id": new]))
                }
            }
        }
    }

    private func pairs(where condition: String) throws -> [(String, String)] {
        try Row.fetchAll(
            db,
            sql: """
                SELECT o.id, min(n.id) FROM main.profiles AS n JOIN main.profiles AS o ON lower(o.email) = lower(n.email)
                WHERE \(condition) AND o.id <> n.id GROUP BY o.id
                """
        ).map { ($0[0], $0[1]) }
    }

    private func replace(_ old: String, by new: String, _ changes: ChangeLog, finally: () throws -> Void) throws {
        guard let profiles = pack.entity("profiles") else { return }
        try RowReplacement(db, pack: pack, changes)
            .replace(old, by: new, of: profiles, action: "profile_replaced", before: "{\"id\":\(RowJSON.quoted(old))}") {
                try finally()
                try db.execute(sql: "UPDATE main.profiles SET import_source = NULL, import_row = NULL WHERE id = ?", arguments: [new])
            }
    }

    private func keepAdministrator(_ new: String, _ old: String) throws {
        guard try Administrators(db, pack: pack).working(but: old) == 0 else { return }
        try db.execute(
            sql: """
                UPDATE main.profiles SET (role, status, cached_at) = (SELECT o.role, o.status, o.cached_at FROM main.profiles AS o WHERE o.id = ?2)
                WHERE id = ?1
                """, arguments: [new, old])
    }
}
