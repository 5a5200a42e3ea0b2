package import Foundation
import GRDB
package import Model

extension Replica {
    /// Records in the activity log that a survey package was written; a folder is no file that
    /// could be registered as an export. In the same transaction the run's journal forgets it,
    /// since a recorded package is not cleaned up.
    package func notePackage(
        path: String, sha256: String, rows: Int, photos: Int, projectID: String, run: String, actor: Actor, environment: String, at time: Date
    ) throws {
        try write { db in
            let changes = try ChangeLog(db, pack: pack, actorID: actor.id, environment: environment, now: time)
            try changes.logEntry(
                "package_written", of: pack.project.entity, id: projectID, project: projectID,
                details: RowJSON.object(["path": path, "sha256": sha256, "rows": String(rows), "photos": String(photos)]))
            try db.execute(sql: "DELETE FROM run_outputs WHERE run_id = ? AND final_path = ?", arguments: [run, path])
        }
    }
}
