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
        let changes = try ChangeLog(db, pack: pack, actorID: actor.id, environment: environment, now: now)
        for row in given.rows {
            try db.execute(
                sql: "INSERT INTO export_numbers (numbering, project_id, row_id, number) VALUES (?, ?, ?, ?)",
                arguments: [given.numbering, given.projectID, row.rowID, row.number])
        }
        if let numbering = pack.numbering(given.numbering) {
            try NumberedRows(db, pack: pack, numbering, changes)?.give(given.rows, project: given.projectID)
        }
        try changes.logEntry(
            "numbers_assigned", of: pack.numbering(given.numbering)?.entity, id: nil, project: given.projectID,
            details: RowJSON.object([
                "numbering": given.numbering, "first": String(given.rows.first?.number ?? 0), "last": String(given.rows.last?.number ?? 0),
            ]))
    }
}

/// Writes numbers into the field that holds them, so that they go wherever the rows go: each row waits to go up. As with Fichero's own mark, the content
/// counts as unchanged and a row that was synced still counts as such.
struct NumberedRows {
    private let entity: Entity
    private let changes: ChangeLog
    private let update: PreparedStatement

    init?(_ db: Database, pack: Pack, _ numbering: Numbering, _ changes: ChangeLog) throws {
        guard let field = numbering.field, let entity = pack.entity(numbering.entity) else { return nil }
        self.entity = entity
        self.changes = changes
        // Expressions on the right side of SET see the row as it was before.
        update = try PreparedStatement(
            db,
            """
            UPDATE \(SQLText.name(entity.name)) SET \(SQLText.name(field)) = ?2,
              own_mark = CASE WHEN sync_state = 'synced' THEN 1 ELSE own_mark END,
              sync_state = CASE WHEN sync_state = 'synced' THEN 'pending_upload' ELSE sync_state END,
              local_version = local_version + 1
            WHERE id = ?1 AND \(SQLText.name(field)) IS NULL
            """)
    }

    func give(_ rows: [(rowID: String, number: Int64)], project: String) throws {
        let reader = try changes.reader(of: entity.name)
        for row in rows {
            try update.bind(row.rowID, at: 1)
            try update.bind(.integer(row.number), at: 2)
            guard try update.run() == 1, let values = try reader.values(of: row.rowID) else { continue }
            try changes.enqueue(.update, of: entity.name, id: row.rowID, project: project, payload: reader.json(values))
        }
    }

    /// Takes over the numbers that versions before the field kept in a table of their own.
    static func takeOver(_ additions: [String], _ db: Database, pack: Pack, now: Date) throws {
        for numbering in pack.numberings where additions.contains("\(numbering.entity).\(numbering.field ?? "")") {
            let changes = try ChangeLog(db, pack: pack, actorID: nil, environment: pack.environments.first ?? "", now: now)
            guard let rows = try NumberedRows(db, pack: pack, numbering, changes) else { continue }
            let kept = try Row.fetchAll(
                db, sql: "SELECT project_id, row_id, number FROM export_numbers WHERE numbering = ? ORDER BY project_id, number", arguments: [numbering.name])
            for row in kept { try rows.give([(rowID: row[1], number: row[2])], project: row[0]) }
        }
    }
}
