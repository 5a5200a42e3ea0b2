import GRDB
import Model

/// Takes rows with dangling references out again. If the missing record was itself rejected, they
/// wait for it; else they are rejected.
struct DanglingRows {
    private let application: ImportApplication
    private var db: Database { application.db }

    init(_ application: ImportApplication) { self.application = application }

    /// Takes out every row with a dangling reference, and every row that refers to one of those.
    func remove(from staged: [EntityRows]) throws {
        var hasFound = true
        while hasFound {
            hasFound = false
            for rows in staged where try rows.markDangling() { hasFound = true }
        }
        let found = try staged.map { (rows: $0, dangling: try $0.dangling()) }.filter { !$0.dangling.isEmpty }
        guard !found.isEmpty else { return }
        let waiting = try WaitingRows(db, pack: application.pack, importID: application.id, actor: application.request.actor)
        // The new rows among them are gone, so rows that refer to them wait or are rejected too. An
        // update that is reverted leaves its row in the replica.
        let gone = Set(found.flatMap { found in found.dangling.filter { !$0.isUpdate }.map { found.rows.importer.entity.name + " " + $0.id } })
        for (rows, list) in found {
            let entity = rows.importer.entity
            for dangling in list {
                rows.importer.counts.add(dangling.isUpdate ? .updated : .imported, -1)
                try db.execute(sql: "DELETE FROM temp.import_outcomes WHERE n = ?", arguments: [dangling.n])
                let target = entity.field(dangling.field)?.references ?? ""
                if gone.contains(target + " " + dangling.value) || waiting.cause(target, dangling.value) != nil {
                    try wait(rows, dangling, for: target, waiting)
                } else if application.isHidden(dangling.field, of: entity) {
                    // What does not exist must look like what is in a project of others.
                    let reject = try application.rejectStaged(rows, n: dangling.n, "CHANGE-PROJECT", field: dangling.field) { _ in
                        ["actor": application.request.actor.email]
                    }
                    if let reject, !dangling.isUpdate { try note(reject, of: rows, dangling, nil, waiting) }
                } else {
                    let name = try name(of: dangling, rows), key = try rows.key(dangling, in: name)
                    let reject = try application.rejectStaged(
                        rows, n: dangling.n, "FIELD-REFERENCE", field: dangling.field, key: key
                    ) { _ in ["value": name ?? dangling.value, "target": target] }
                    if let reject, !dangling.isUpdate { try note(reject, of: rows, dangling, key, waiting) }
                }
            }
        }
        try waiting.resolve(application.findings)
        for rows in staged { try rows.takeBackDangling() }
    }

    /// Keeps a row in the quarantine until the record that it belongs to, which was rejected, is
    /// imported. The fault is that record's, so the row is not reported by itself.
    private func wait(_ rows: EntityRows, _ dangling: EntityRows.Dangling, for target: String, _ waiting: WaitingRows) throws {
        guard let row = try rows.staged(dangling.n) else { return }
        let entity = rows.importer.entity.name
        var place = row.place
        (place.table, place.id, place.field, place.origin) = (entity, row.id, dangling.field, nil)
        let name = waiting.cause(target, dangling.value)?.name
        place.key = try rows.key(dangling, in: name)
        let finding = Finding("FIELD-REFERENCE", place: place, arguments: ["value": name ?? dangling.value, "target": target])
        let reject = try application.quarantine.keep(entity: entity, raw: row.raw, place: row.place, findings: [finding], around: row.around)
        try application.note(dangling.n, .waiting)
        rows.importer.counts.add(.waiting)
        waiting.wait(reject, of: entity, for: target, dangling.value)
        if !dangling.isUpdate { waiting.add(reject, of: entity, dangling.id, place.key, raw: row.raw, place: row.place) }
    }

    /// The name of the missing record for people, if the id in the reference was made from its key.
    private func name(of dangling: EntityRows.Dangling, _ rows: EntityRows) throws -> String? {
        guard let parentName = application.request.parentName, let row = try rows.staged(dangling.n), !row.raw.lowercased().contains(dangling.value) else {
            return nil
        }
        return try parentName(dangling.field, row.raw, row.place, row.around)
    }

    /// Records the rejected row as one that other rows may wait for.
    private func note(_ reject: String, of rows: EntityRows, _ dangling: EntityRows.Dangling, _ key: String?, _ waiting: WaitingRows) throws {
        guard let row = try rows.staged(dangling.n) else { return }
        waiting.add(reject, of: rows.importer.entity.name, dangling.id, key, raw: row.raw, place: row.place)
    }
}
