import GRDB
import Model

/// Makes the actor a member of the projects that the change set creates, within the same change
/// set. A later run could not tell whose they are, and an undo removes the membership together with
/// the project.
struct Joining {
    private let application: ImportApplication

    init(_ application: ImportApplication) { self.application = application }

    func join(_ projects: EntityRows) throws {
        let (db, request, changes) = (application.db, application.request, application.changes)
        let made = try String.fetchAll(
            db,
            sql: """
                INSERT INTO main.project_members (id, project_id, profile_id, role, created_at, content_stamp, import_source)
                SELECT fichero_id(), p.id, m.id, m.role, ?2, ?3, p.import_source
                FROM \(projects.table) AS p JOIN main.profiles AS m ON m.id = ?1 WHERE \(application.judge.joinable(projects)) ORDER BY p.rowid
                RETURNING id
                """, arguments: [request.actor.id, application.time, application.stamp])
        // Memberships are for administrators to send; the server joins who makes a project.
        let isSent = request.actor.role.permissions.contains(.administer)
        let details = ["profile_id": request.actor.id]
        for id in made {
            if isSent {
                try changes.record(.insert, "member_added", of: "project_members", id: id, details: details)
            } else {
                let project = try String.fetchOne(db, sql: "SELECT project_id FROM main.project_members WHERE id = ?", arguments: [id])
                try changes.logEntry("member_added", of: "project_members", id: id, project: project, details: RowJSON.object(details))
            }
        }
    }
}
