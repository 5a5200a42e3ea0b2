import Foundation
import GRDB
import Model

/// Handles stand-ins: administrators that `init` creates for people whose real profiles arrive
/// later with other ids, from a file or the central database. A real profile replaces its stand-in,
/// because an address with two profiles could not be assigned to anybody.
struct StandIns {
    private let db: Database
    private let pack: Pack

    init(_ db: Database, pack: Pack) {
        (self.db, self.pack) = (db, pack)
    }

    /// SQL condition on a profile: `init` created it. Includes versions of `init` that recorded no
    /// change set.
    static func isOne(_ row: String) -> String {
        """
        (\(row).sync_state = 'local_only' AND (\(row).import_source IS NULL OR \(row).import_source IN (
          SELECT s.number FROM main.import_sources AS s JOIN main.imports AS i ON i.id = s.import_id \
        WHERE i.format = '\(ImportRequest.founding)')))
        """
    }

    /// Makes all references to a stand-in refer to the new profile; they remain so when the import
    /// is undone. The last administrator stays an administrator, whatever role the new profile has.
    ///
    /// - Parameter before: new profiles have greater rowids.
    func replace(after before: Int64, _ changes: ChangeLog) throws {
        for (old, new) in try pairs(where: "n.rowid > \(before) AND o.rowid <= \(before) AND \(Self.isOne("o"))") {
            try replace(old, by: new, changes) { try keepAdministrator(new, old) }
        }
    }

    /// Replaces local profiles by profiles from the central database, which decides permissions.
    /// They replace any local profile with the same address, whether `init` or another command
    /// created it. A person who is no longer an administrator stays a member of the projects
    /// created locally.
    ///
    /// - Parameter arrived: SQL subquery for the ids of the new profiles.
    func replace(byThose arrived: String, _ changes: ChangeLog, at time: String) throws {
        for (old, new) in try pairs(
            where: "n.id IN (\(arrived)) AND o.remote_updated_at IS NULL AND o.id NOT IN (\(arrived))")
        {
            try replace(old, by: new, changes) {
                let role = try String.fetchOne(db, sql: "SELECT role FROM main.profiles WHERE id = ?", arguments: [new])
                let wasFounder =
                    try Bool.fetchOne(
                        db, sql: "SELECT \(Self.isOne("o")) FROM main.profiles AS o WHERE o.id = ?", arguments: [old])
                    ?? false
                guard wasFounder, role.flatMap({ pack.role($0) })?.permissions.contains(.administer) != true else {
                    return
                }
                // Only administrators send memberships; the server adds the creator of a project.
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
                        sql:
                            """
                            INSERT INTO main.project_members (id, project_id, profile_id, role, created_at, \
                            content_stamp) VALUES (?, ?, ?, ?, ?, ?)
                            """,
                        arguments: [UUIDv7.make(at: Date()), project, new, role, time, changes.number()])
                    try changes.logEntry(
                        "member_added", of: "project_members", id: nil, project: project,
                        details: RowJSON.object(["profile_id": new]))
                }
            }
        }
    }

    private func pairs(where condition: String) throws -> [(String, String)] {
        try Row.fetchAll(
            db,
            sql: """
                SELECT o.id, min(n.id) FROM main.profiles AS n JOIN main.profiles AS o \
                ON lower(o.email) = lower(n.email)
                WHERE \(condition) AND o.id <> n.id GROUP BY o.id
                """
        ).map { ($0[0], $0[1]) }
    }

    private func replace(_ old: String, by new: String, _ changes: ChangeLog, finally: () throws -> Void) throws {
        guard let profiles = pack.entity("profiles") else { return }
        try RowReplacement(db, pack: pack, changes)
            .replace(old, by: new, of: profiles, action: "profile_replaced", before: "{\"id\":\(RowJSON.quoted(old))}")
        {
                try finally()
            try db.execute(
                sql: "UPDATE main.profiles SET import_source = NULL, import_row = NULL WHERE id = ?", arguments: [new])
            }
    }

    private func keepAdministrator(_ new: String, _ old: String) throws {
        guard try Administrators(db, pack: pack).working(but: old) == 0 else { return }
        try db.execute(
            sql: """
                UPDATE main.profiles SET (role, status, cached_at) = (SELECT o.role, o.status, o.cached_at \
                FROM main.profiles AS o WHERE o.id = ?2)
                WHERE id = ?1
                """, arguments: [new, old])
    }
}

/// Makes the actor a member of the projects that the change set creates, within the same change
/// set. A later run could not determine who created them. An undo removes the membership with the
/// project.
struct Joining {
    private let application: ImportApplication

    init(_ application: ImportApplication) { self.application = application }

    func join(_ projects: EntityRows) throws {
        let (db, request, changes) = (application.db, application.request, application.changes)
        let made = try String.fetchAll(
            db,
            sql: """
                INSERT INTO main.project_members (id, project_id, profile_id, role, created_at, content_stamp, \
                import_source)
                SELECT fichero_id(), p.id, m.id, m.role, ?2, ?3, p.import_source
                FROM \(projects.table) AS p JOIN main.profiles AS m ON m.id = ?1 \
                WHERE \(application.judge.joinable(projects)) ORDER BY p.rowid
                RETURNING id
                """, arguments: [request.actor.id, application.time, application.stamp])
        // Only administrators send memberships; the server itself adds the creator of a project.
        let isSent = request.actor.role.permissions.contains(.administer)
        let details = ["profile_id": request.actor.id]
        for id in made {
            if isSent {
                try changes.record(.insert, "member_added", of: "project_members", id: id, details: details)
            } else {
                let project = try String.fetchOne(
                    db, sql: "SELECT project_id FROM main.project_members WHERE id = ?", arguments: [id])
                try changes.logEntry(
                    "member_added", of: "project_members", id: id, project: project, details: RowJSON.object(details))
            }
        }
    }
}

extension ImportApplication {
    /// Tells of new rows of a file whose key another row has, in tables of administrators: a second
    /// membership of one person. A second profile or project is refused instead (`CHANGE-KEY`).
    func tellDoubled(_ rows: EntityRows) throws {
        let entity = rows.importer.entity
        guard request.origin == .file, request.exchange == nil, entity.writer == .administrators, !entity.key.isEmpty
        else { return }
        let same = (entity.key + [entity.keyScope].compactMap(\.self)).map {
            "o.\(SQLText.name($0)) = t.\(SQLText.name($0))"
        }
        let doubled = try String.fetchAll(
            db,
            sql: """
                SELECT t.id FROM \(rows.table) AS t WHERE t.rowid > \(rows.before)
                AND EXISTS (SELECT 1 FROM \(rows.table) AS o WHERE \(same.joined(separator: " AND ")) \
                AND o.rowid < t.rowid) ORDER BY t.rowid
                """)
        for id in doubled {
            guard let n = try rows.firstStaged(id) else { continue }
            try findings.add(finding("IMPORT-DOUBLED", rows, n, id: id))
        }
    }
}

/// Replaces a locally created row by another row for the same thing with another id. All references
/// to the first row then refer to the second. They remain so when the change that added the second
/// row is undone.
struct RowReplacement {
    private let db: Database
    private let pack: Pack
    private let changes: ChangeLog

    /// Fichero's internal tables that refer to projects, and those that refer to people.
    private static let (withProjects, withPeople) = (
        ["export_numbers", "line_records", "run_findings", "finding_acceptances"],
        ["pipeline_runs", "finding_acceptances", "import_details"]
    )

    init(_ db: Database, pack: Pack, _ changes: ChangeLog) { (self.db, self.pack, self.changes) = (db, pack, changes) }

    /// - Parameters:
    ///   - action: the action in the log entry.
    ///   - before: the old row's values for the log entry, as a JSON object.
    ///   - finally: called right before the old row is deleted.
    func replace(
        _ old: String, by new: String, of entity: Entity, action: String, before: String,
        finally: () throws -> Void = {}
    ) throws {
        let both: StatementArguments = [new, old]
        try rename("activity_logs", ["details"], both)
        // Logged first, because the actor may be the profile that is replaced.
        try changes.logEntry(
            action, of: entity.name, id: new, project: entity.name == pack.project.entity ? new : nil,
            details: "{\"after\":{},\"before\":\(before)}")
        try dropDoubledMembers(of: entity, both)
        for other in pack.entities {
            for field in other.fields where field.references == entity.name && field.type != .list {
                let column = SQLText.name(field.name)
                try db.execute(
                    sql: "UPDATE main.\(SQLText.name(other.name)) SET \(column) = ?1 WHERE \(column) = ?2",
                    arguments: both)
            }
        }
        let (column, tables) =
            entity.name == "profiles"
            ? ("actor_id", Self.withPeople)
            : ("project_id", entity.name == pack.project.entity ? Self.withProjects : [])
        for table in tables {
            try db.execute(
                sql: "UPDATE OR IGNORE main.\(table) SET \(column) = ?1 WHERE \(column) = ?2", arguments: both)
        }
        try db.execute(
            sql: "DELETE FROM main.sync_queue WHERE entity_type = ? AND entity_id = ?", arguments: [entity.name, old])
        try rename("sync_queue", ["payload_json"], both)
        for table in ["row_bases", "own_bases"] { try rename(table, ["row"], both) }
        // Data from which an undo restores rows refers to the new row too.
        try rename("import_removals", ["row"], both)
        try rename("import_changes", ["before"], both)
        try rename("rejects", ["raw"], both)
        try db.execute(sql: "UPDATE main.sent_items SET project_id = ?1 WHERE project_id = ?2", arguments: both)
        try db.execute(
            sql: "UPDATE main.activity_logs SET entity_id = ?1 WHERE entity_type = ?3 AND entity_id = ?2",
            arguments: both + [entity.name])
        try rename("conflicts", ["local_payload", "remote_payload"], both)
        // Files that were registered but not sent use the new project's storage path.
        for table in ["exports", "document_versions"] where pack.entity(table) != nil {
            try rename(table, ["storage_path"], both)
        }
        try finally()
        try db.execute(sql: "DELETE FROM main.\(SQLText.name(entity.name)) WHERE id = ?", arguments: [old])
    }

    private func rename(_ table: String, _ columns: [String], _ both: StatementArguments) throws {
        for column in columns {
            try db.execute(
                sql:
                    """
                    UPDATE OR IGNORE main.\(table) SET \(column) = replace(\(column), ?2, ?1) \
                    WHERE instr(\(column), ?2) > 0
                    """,
                arguments: both)
        }
    }

    /// Deletes memberships that would make a person a member of one project twice.
    private func dropDoubledMembers(of entity: Entity, _ both: StatementArguments) throws {
        guard let members = pack.entity("project_members"),
            let own = members.fields.first(where: { $0.references == entity.name })?.name
        else { return }
        let other = own == "profile_id" ? "project_id" : "profile_id"
        try db.execute(
            sql:
                """
                DELETE FROM main.project_members WHERE \(own) = ?2 AND \(other) IN (SELECT \(other) \
                FROM main.project_members WHERE \(own) = ?1)
                """,
            arguments: both)
        try db.execute(
            sql:
                """
                DELETE FROM main.sync_queue WHERE entity_type = 'project_members' AND operation IS NOT 'DELETE' \
                AND entity_id NOT IN (SELECT id FROM main.project_members)
                """
        )
    }
}
