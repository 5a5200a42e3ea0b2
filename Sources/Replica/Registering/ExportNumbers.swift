import Foundation
import GRDB
import Model

/// Numbers that a run gave to rows of a project, as its files show them.
package struct StoredNumbers: Sendable {
    package var numbering: String
    package var projectID: String
    package var rows: [(rowID: String, number: Int64)]

    package init(numbering: String, projectID: String, rows: [(rowID: String, number: Int64)]) {
        self.numbering = numbering
        self.projectID = projectID
        self.rows = rows
    }
}

extension Replica {
    /// Stores numbers within a registration's transaction. A number or row that is taken already makes the whole fail.
    func store(_ given: StoredNumbers, actor: Actor, environment: String, now: Date, _ db: Database) throws {
        for row in given.rows {
            try db.execute(
                sql: "INSERT INTO export_numbers (numbering, project_id, row_id, number) VALUES (?, ?, ?, ?)",
                arguments: [given.numbering, given.projectID, row.rowID, row.number])
        }
        let changes = try ChangeLog(db, pack: pack, actorID: actor.id, environment: environment, now: now)
        try changes.logEntry(
            "numbers_assigned", of: pack.numbering(given.numbering)?.entity, id: nil, project: given.projectID,
            details: RowJSON.object([
                "numbering": given.numbering, "first": String(given.rows.first?.number ?? 0), "last": String(given.rows.last?.number ?? 0),
            ]))
    }
}
