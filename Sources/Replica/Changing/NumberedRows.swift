import Databases
import Foundation
import GRDB
import Model

/// Stores the numbers that a run's files show, and writes them into the field that holds them, so
/// that they travel with the rows.
struct NumberedRows {
    private let db: Database
    private let pack: Pack
    private let changes: ChangeLog
    private let ids: RisingIDs

    init(_ db: Database, pack: Pack, _ changes: ChangeLog, ids: RisingIDs) { (self.db, self.pack, self.changes, self.ids) = (db, pack, changes, ids) }

    /// To be called within a registration's transaction. If a number or row is taken already, the
    /// whole registration fails.
    func store(_ given: StoredNumbers) throws {
        let insert = try PreparedStatement(db, "INSERT INTO export_numbers (numbering, project_id, row_id, number) VALUES (?, ?, ?, ?)")
        for row in given.rows {
            for (index, text) in [given.numbering, given.projectID, row.rowID].enumerated() { try insert.bind(text, at: index + 1) }
            try insert.bind(row.number, at: 4)
            try insert.run()
        }
        let numbering = pack.numbering(given.numbering)
        if let numbering { try give(given.rows, numbering) }
        try changes.logEntry(
            "numbers_assigned", of: numbering?.entity, id: nil, project: given.projectID,
            details: RowJSON.object([
                "numbering": given.numbering, "first": String(given.rows.first?.number ?? 0), "last": String(given.rows.last?.number ?? 0),
            ]))
    }

    private func give(_ given: [(rowID: String, number: Int64)], _ numbering: Numbering) throws {
        guard let field = numbering.field, let entity = pack.entity(numbering.entity) else { return }
        let rows = try OwnRows(db, pack: pack, entity, changes, ids: ids)
        try rows.stage(given.map { ($0.rowID, $0.number) })
        try rows.keep(where: "t.\(SQLText.name(field)) IS NULL")
        _ = try rows.set(field, to: "(SELECT c.number FROM temp.import_own_rows AS c WHERE c.id = t.id)")
    }

    /// Migrates the numbers that versions before this field kept in a table of their own.
    static func takeOver(_ additions: [String], _ db: Database, pack: Pack, now: Date) throws {
        for numbering in pack.numberings where additions.contains("\(numbering.entity).\(numbering.field ?? "")") {
            let ids = RisingIDs(at: now)
            let changes = try ChangeLog(db, pack: pack, actorID: nil, environment: pack.environments.first ?? "", now: now, ids: ids)
            let kept = try Row.fetchAll(
                db, sql: "SELECT row_id, number FROM export_numbers WHERE numbering = ? ORDER BY project_id, number", arguments: [numbering.name])
            try NumberedRows(db, pack: pack, changes, ids: ids).give(kept.map { (rowID: $0[0], number: $0[1]) }, numbering)
            try ImportApplication.dropTemporary(db)
        }
    }
}
