import GRDB
import Model

/// Removes a row on a person's command, with its parts, and keeps all of it for an undo.
struct RowRemoval {
    private let application: ImportApplication
    private let judge: Judge
    private var db: Database { application.db }
    private var pack: Pack { application.pack }

    init(_ application: ImportApplication, judge: Judge) { (self.application, self.judge) = (application, judge) }

    /// Why the row may not be removed; nil: it may.
    func refusal(_ importer: EntityImporter, _ id: String) throws -> Judge.Refusal? {
        guard try importer.existing(id) != nil else { return nil }
        if try !application.isGivingWay(importer, id), let refusal = try judge.judgeRemoval(of: id, importer.entity, importer.states(of: id)) { return refusal }
        return try judge.judgeParts(Self.parts(of: importer.entity, id, pack, db), isDecided: application.isDeciding)
    }

    static func referring(_ entity: Entity, _ field: Field, to ids: [String], _ db: Database) throws -> [String] {
        let reference = "o." + SQLText.name(field.name)
        let leads = field.type == .list
            ? "json_valid(\(reference)) AND EXISTS (SELECT 1 FROM json_each(\(reference)) AS item WHERE item.value IN (SELECT value FROM json_each(?1)))"
            : "\(reference) IN (SELECT value FROM json_each(?1))"
        return try String.fetchAll(
            db, sql: "SELECT o.id FROM main.\(SQLText.name(entity.name)) AS o WHERE \(leads) ORDER BY o.id", arguments: [try Quarantine.json(ids)])
    }

    /// The row and all its parts, by entity, from the row down.
    static func parts(of entity: Entity, _ id: String, _ pack: Pack, _ db: Database) throws -> [(entity: Entity, ids: [String])] {
        var found = [(entity: entity, ids: [id])]
        var next = 0
        while next < found.count {
            let (owner, ids) = found[next]
            next += 1
            for other in pack.entities where !IndexPlan.logs.contains(other.name) {
                for field in other.fields where field.references == owner.name && field.deletesWithParent {
                    let rows = try referring(other, field, to: ids, db)
                    if !rows.isEmpty { found.append((other, rows)) }
                }
            }
        }
        return found
    }

    /// Removes the row and its parts; returns the entity of each removed row.
    func remove(_ importer: EntityImporter, _ id: String) throws -> [String] {
        var n = try Int64.fetchOne(db, sql: "SELECT coalesce(max(n), 0) FROM import_removals WHERE import_id = ?", arguments: [application.id]) ?? 0
        var gone: [String] = []
        for (entity, ids) in try Self.parts(of: importer.entity, id, pack, db).reversed() {
            guard let importer = try application.importer(of: entity.name) else { continue }
            for id in ids {
                guard let existing = try importer.existing(id) else { continue }
                n += 1
                try take(importer, id, existing, n)
                gone.append(entity.name)
            }
        }
        return gone
    }

    private func take(_ importer: EntityImporter, _ id: String, _ existing: EntityImporter.Existing, _ n: Int64) throws {
        let name = importer.entity.name, changes = application.changes
        let row = importer.reader.json(existing.values), project = try importer.reader.project(of: existing.values)
        try application.bases.keep(importer, id, existing)
        let item = try changes.enqueue(.delete, of: name, id: id, project: project, payload: row)
        try changes.logEntry("row_deleted", of: name, id: id, project: project, details: details(row))
        try db.execute(
            sql: "INSERT INTO import_removals (import_id, n, entity, row_id, row, states, item_id) VALUES (?, ?, ?, ?, ?, ?, ?)",
            arguments: [application.id, n, name, id, row, existing.states, item])
        try db.execute(sql: "DELETE FROM main.\(SQLText.name(name)) WHERE id = ?", arguments: [id])
    }

    private func details(_ row: String) -> String {
        "{\"before\":\(row)" + (application.request.reason.map { ",\"reason\":" + RowJSON.quoted($0) } ?? "") + "}"
    }

    /// The row's name for people.
    func name(_ entity: Entity, _ id: String) throws -> String? {
        guard let importer = try application.importer(of: entity.name) else { return nil }
        return try EntityRows.name(of: id, importer.entity, pack: pack, db)
    }
}
