import Foundation
import GRDB
import Model

extension Replica {
    /// Gives files that an older version of the program registered the line that they would be on today: their job's, or their selection's.
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
}
