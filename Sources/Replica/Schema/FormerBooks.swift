import Foundation
import GRDB
import Model

/// Updates the books of older versions to the present tables.
enum FormerBooks {
    /// Gives files that an older version of the program registered the line that they would be on
    /// today: their job's, or their selection's.
    static func giveLines(_ db: Database) throws {
        let former = try Row.fetchAll(
            db, sql: "SELECT e.id, r.job, e.selection, e.export_name FROM exports AS e LEFT JOIN pipeline_runs AS r ON r.id = e.run_id WHERE e.line IS NULL")
        for row in former {
            let stated: String = row[2] ?? ""
            let selection = try? JSONDecoder().decode(SelectionRequest.self, from: Data(stated.utf8))
            let line = row[3] == "package" ? DeliveryLine.package : .former(job: row[1], selection: selection ?? SelectionRequest())
            try db.execute(sql: "UPDATE exports SET line = ? WHERE id = ?", arguments: [line.name, row[0] as String])
        }
        try db.execute(
            sql: "UPDATE document_versions SET line = (SELECT e.line FROM exports AS e WHERE e.id = export_id) WHERE line IS NULL AND export_id IS NOT NULL")
    }

    /// Takes the marks of versions before this table from the activity log.
    static func rememberMarks(_ db: Database) throws {
        guard try db.columns(in: "activity_logs").contains(where: { $0.name == "import_source" }) else { return }
        try db.execute(sql: """
            INSERT OR REPLACE INTO own_marks (entity, row_id, from_state, to_state, run_id, actor_id, marked_at)
            SELECT entity_type, entity_id, details ->> 'from', details ->> 'to', details ->> 'run_id', actor_id, created_at FROM activity_logs
            WHERE action = 'marked_exported' AND import_source IS NULL AND json_valid(details) AND entity_type IS NOT NULL AND entity_id IS NOT NULL
              AND details ->> 'from' IS NOT NULL AND details ->> 'to' IS NOT NULL ORDER BY created_at
            """)
    }
}
