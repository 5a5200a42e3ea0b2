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
        let pairs = try Row.fetchAll(
            db,
            sql: """
                SELECT o.id, min(n.id) FROM main.profiles AS n JOIN main.profiles AS o ON lower(o.email) = lower(n.email)
                WHERE n.rowid > ?1 AND o.rowid <= ?1 AND \(Self.isOne("o")) GROUP BY o.id
                """, arguments: [before])
        for pair in pairs { try replace(pair[0], by: pair[1], changes) }
    }

    private func replace(_ old: String, by new: String, _ changes: ChangeLog) throws {
        let both: StatementArguments = [new, old]
        try db.execute(sql: "UPDATE main.activity_logs SET details = replace(details, ?2, ?1) WHERE instr(details, ?2) > 0", arguments: both)
        // Done first, because the importing actor may be the stand-in.
        try changes.logEntry("profile_replaced", of: "profiles", id: new, project: nil, details: "{\"after\":{},\"before\":{\"id\":\(RowJSON.quoted(old))}}")
        try db.execute(
            sql: """
                DELETE FROM main.project_members WHERE profile_id = ?2
                AND project_id IN (SELECT project_id FROM main.project_members WHERE profile_id = ?1)
                """, arguments: both)
        for entity in pack.entities {
            for field in entity.fields where field.references == "profiles" && field.type != .list {
                let column = SQLText.name(field.name)
                try db.execute(sql: "UPDATE main.\(SQLText.name(entity.name)) SET \(column) = ?1 WHERE \(column) = ?2", arguments: both)
            }
        }
        for table in ["pipeline_runs", "finding_acceptances", "import_details"] {
            try db.execute(sql: "UPDATE main.\(table) SET actor_id = ?1 WHERE actor_id = ?2", arguments: both)
        }
        try db.execute(sql: "DELETE FROM main.sync_queue WHERE entity_type = 'profiles' AND entity_id = ?", arguments: [old])
        try db.execute(
            sql: "UPDATE main.sync_queue SET payload_json = replace(payload_json, ?2, ?1) WHERE instr(payload_json, ?2) > 0", arguments: both)
        try keepAdministrator(new, old)
        try db.execute(sql: "UPDATE main.profiles SET import_source = NULL, import_row = NULL WHERE id = ?", arguments: [new])
        try db.execute(sql: "DELETE FROM main.profiles WHERE id = ?", arguments: [old])
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
