package import Foundation
import GRDB
package import Model

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

    /// Gives the next sequential integers, from 1 in each project, to rows that have none yet, in the given order; a number once given
    /// stays with its row for ever. Returns how many were given.
    @discardableResult
    package func assignNumbers(
        _ numbering: String, projectID: String, rowIDsInOrder ids: [String], actor: Actor, environment: String, now: Date
    ) throws -> Int {
        try write { db in
            let last = try Int64.fetchOne(
                db, sql: "SELECT max(number) FROM export_numbers WHERE numbering = ? AND project_id = ?", arguments: [numbering, projectID])
            var next = (last ?? 0) + 1
            let first = next
            let insert = try PreparedStatement(
                db,
                "INSERT INTO export_numbers (numbering, project_id, row_id, number) VALUES (?, ?, ?, ?) ON CONFLICT (numbering, row_id) DO NOTHING")
            try insert.bind(numbering, at: 1)
            try insert.bind(projectID, at: 2)
            for id in ids {
                try insert.bind(id, at: 3)
                try insert.bind(.integer(next), at: 4)
                if try insert.run() == 1 { next += 1 }
            }
            guard next > first else { return 0 }
            let changes = try ChangeLog(db, pack: pack, actorID: actor.id, environment: environment, now: now)
            try changes.logEntry(
                "numbers_assigned", of: pack.numbering(numbering)?.entity, id: nil, project: projectID,
                details: RowJSON.object(["numbering": numbering, "first": String(first), "last": String(next - 1)]))
            return Int(next - first)
        }
    }
}
