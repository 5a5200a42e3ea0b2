package import Foundation
import GRDB
package import Model

extension Replica {
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
