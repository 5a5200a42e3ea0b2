import GRDB
import Model

/// Removes imported rows with dangling references. If the missing record's row was itself rejected,
/// they wait for that record; otherwise they are rejected.
struct DanglingRows {
    private let application: ImportApplication
    private var db: Database { application.db }

    init(_ application: ImportApplication) { self.application = application }

    /// Removes every row with a dangling reference, and every row that refers to a removed row.
    func remove(from staged: [EntityRows]) throws {
        for rows in staged {
            for spare in try rows.takeOutSpare() { try tell(spare, rows) }
        }
        var hasFound = true
        while hasFound {
            hasFound = false
            for rows in staged where try rows.markDangling() { hasFound = true }
        }
        let found = try staged.map { (rows: $0, dangling: try $0.dangling()) }.filter { !$0.dangling.isEmpty }
        guard !found.isEmpty else { return }
        let waiting = try WaitingRows(
            db, pack: application.pack, importID: application.id, actor: application.request.actor)
        // Only new rows are removed, so that rows that refer to them also wait or are rejected. An
        // update is reverted: its row is still in the replica.
        let gone = Set(
            found.flatMap { found in
                found.dangling.filter { !$0.isUpdate }.map { found.rows.importer.entity.name + " " + $0.id }
            })
        for (rows, list) in found {
            let entity = rows.importer.entity
            for dangling in list {
                rows.importer.counts.add(dangling.isUpdate ? .updated : .imported, -1)
                try db.execute(sql: "DELETE FROM temp.import_outcomes WHERE n = ?", arguments: [dangling.n])
                let target = entity.field(dangling.field)?.references ?? ""
                if gone.contains(target + " " + dangling.value) || waiting.cause(target, dangling.value) != nil {
                    try wait(rows, dangling, for: target, waiting)
                } else if application.isHidden(dangling.field, of: entity) {
                    // A missing record must be reported like one in a project the actor cannot see.
                    let reject = try application.rejectStaged(
                        rows, n: dangling.n, "CHANGE-PROJECT", field: dangling.field
                    ) { _ in
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

    /// Stores a row in the quarantine until its rejected parent record is imported. The row gets no
    /// finding, since the fault is in the parent.
    private func wait(_ rows: EntityRows, _ dangling: EntityRows.Dangling, for target: String, _ waiting: WaitingRows)
        throws
    {
        guard let row = try rows.staged(dangling.n) else { return }
        let entity = rows.importer.entity.name
        var place = row.place
        (place.table, place.id, place.field, place.origin) = (entity, row.id, dangling.field, nil)
        let name = waiting.cause(target, dangling.value)?.name
        place.key = try rows.key(dangling, in: name)
        let finding = Finding(
            "FIELD-REFERENCE", place: place, arguments: ["value": name ?? dangling.value, "target": target])
        let reject = try application.quarantine.keep(
            entity: entity, raw: row.raw, place: row.place, findings: [finding], around: row.around)
        try application.note(dangling.n, .waiting)
        rows.importer.counts.add(.waiting)
        waiting.wait(reject, of: entity, for: target, dangling.value)
        if !dangling.isUpdate {
            waiting.add(reject, of: entity, dangling.id, place.key, raw: row.raw, place: row.place)
        }
    }

    /// Tells of a reference without which a row came in.
    private func tell(_ spare: EntityRows.Dangling, _ rows: EntityRows) throws {
        var told = try application.finding("IMPORT-VALUE-LEFT-OUT", rows, spare.n, id: spare.id)
        told.place.field = spare.field
        told.arguments = ["value": try name(of: spare, rows) ?? spare.value]
        try application.findings.add(told)
    }

    /// Readable name of the missing record, if the id in the reference was derived from its key.
    private func name(of dangling: EntityRows.Dangling, _ rows: EntityRows) throws -> String? {
        guard let parentName = application.request.parentName, let row = try rows.staged(dangling.n),
            !row.raw.lowercased().contains(dangling.value)
        else {
            return nil
        }
        return try parentName(dangling.field, row.raw, row.place, row.around)
    }

    /// Records the rejected row as one that other rows may wait for.
    private func note(
        _ reject: String, of rows: EntityRows, _ dangling: EntityRows.Dangling, _ key: String?, _ waiting: WaitingRows
    ) throws {
        guard let row = try rows.staged(dangling.n) else { return }
        waiting.add(reject, of: rows.importer.entity.name, dangling.id, key, raw: row.raw, place: row.place)
    }
}

extension EntityRows {
    /// Takes dangling references that a row can lack out of rows of a mapping's lenient targets. A
    /// row that was here keeps the reference that it had.
    func takeOutSpare() throws -> [Dangling] {
        guard try Bool.fetchOne(db, sql: "SELECT EXISTS (SELECT 1 FROM staging.places WHERE is_lenient)") == true else {
            return []
        }
        let fields = entity.fields.filter { $0.type != .list && $0.references != nil && entity.canLack($0) }
        return try fields.flatMap { try takeOut($0, to: $0.references ?? "") }
    }

    private func takeOut(_ field: Field, to target: String) throws -> [Dangling] {
        let (column, path) = (SQLText.name(field.name), SQLText.literal("$.\"\(field.name)\""))
        let rows = try Row.fetchAll(
            db,
            sql: """
                SELECT min(s.n), child.id, child.\(column), u.row_id IS NOT NULL
                FROM staging.places AS p CROSS JOIN \(staged) AS s ON s.place = p.number
                CROSS JOIN \(table) AS child ON child.id = s.f_id
                LEFT JOIN temp.import_updated AS u ON u.entity = ? AND u.row_id = child.id \
                AND json_type(u.before, \(path)) IS NOT NULL
                WHERE p.is_lenient AND child.\(column) IS NOT NULL \
                AND child.\(column) NOT IN (SELECT id FROM main.\(SQLText.name(target)))
                  AND (child.rowid > \(before) OR u.row_id IS NOT NULL)
                GROUP BY child.id ORDER BY 1
                """, arguments: [entity.name])
        let found = rows.map {
            Dangling(n: $0[0], id: $0[1], field: field.name, value: $0[2] ?? "", isUpdate: $0[3] == 1)
        }
        for row in found {
            let own: StatementArguments = [entity.name, row.id]
            let earlier =
                "SELECT json_extract(before, \(path)) FROM temp.import_updated WHERE entity = ?1 AND row_id = ?2"
            try db.execute(
                sql: "UPDATE \(table) SET \(column) = (\(earlier)) WHERE id = ?2 AND ?1 IS NOT NULL", arguments: own)
            try db.execute(
                sql: """
                    UPDATE temp.import_updated SET before = json_remove(before, \(path)) WHERE entity = ? AND row_id = ?
                    """, arguments: own)
        }
        return found
    }
}

/// Rejection of single staged rows, each with a finding.
extension ImportApplication {
    /// Returns the row's id in the quarantine.
    ///
    /// - Parameter key: the row's readable name; nil: the name found for the row.
    @discardableResult
    func rejectStaged(
        _ rows: EntityRows, n: Int64, _ code: String, field: String, key: String? = nil,
        arguments: (_ id: String) -> [String: String]
    ) throws -> String? {
        guard let row = try rows.staged(n) else { return nil }
        var place = row.place
        // The name of a record in a project that the actor cannot see stays hidden.
        let name = try key ?? (code == "CHANGE-PROJECT" ? nil : rows.name(ofStaged: n, id: row.id))
        (place.table, place.id, place.key, place.field, place.origin) = (
            rows.importer.entity.name, row.id, name, field, nil
        )
        let finding = Finding(code, place: place, arguments: arguments(row.id))
        try note(n, .rejected)
        return try reject(
            entity: rows.importer.entity.name, raw: row.raw, place: row.place, findings: [finding], around: row.around)
    }

    func finding(_ code: String, _ rows: EntityRows, _ n: Int64, id: String, arguments: [String: String] = [:]) throws
        -> Finding
    {
        var place = try rows.staged(n)?.place ?? Place()
        (place.table, place.id, place.key, place.origin) = (
            rows.importer.entity.name, id, try rows.name(ofStaged: n, id: id), nil
        )
        return Finding(code, place: place, arguments: arguments)
    }

    /// Rejects a row that repeats an earlier row's id. If the id was derived from the row's key,
    /// the finding contains the key instead of the id.
    func rejectDuplicate(_ rows: EntityRows, _ n: Int64) throws {
        guard let row = try rows.staged(n), row.place.mapping != nil, !row.raw.lowercased().contains(row.id),
            let first = try rows.firstStaged(row.id),
            let place = try rows.staged(first)?.place, let key = try rows.name(of: row.id)
        else {
            try rejectStaged(rows, n: n, "IMPORT-DUPLICATE", field: "id") { ["value": $0] }
            return
        }
        let isElsewhere = place.sheet != row.place.sheet || place.file != row.place.file
        let sheet = isElsewhere ? (place.sheet ?? place.file ?? "") + " " : ""
        let values = try rows.differences(n, from: first)
        try rejectStaged(rows, n: n, "IMPORT-SAME-KEY", field: rows.importer.entity.key.last ?? "id", key: key) { _ in
            [
                "name": key, "first": sheet + (place.line.map(String.init) ?? "?"),
                "line": row.place.line.map(String.init) ?? "?",
                "values": values.isEmpty
                    ? "=" : values.prefix(5).joined(separator: "; ") + (values.count > 5 ? "; …" : ""),
            ]
        }
    }

    /// Checks that a row is in one of the actor's projects; rejects the row if it is not.
    func covers(_ id: String, _ importer: EntityImporter, raw: String, place: Place) throws -> Bool {
        guard try !judge.covers(id, importer.entity) else { return true }
        var found = place
        (found.table, found.id) = (importer.entity.name, id)
        let finding = Finding("CHANGE-PROJECT", place: found, arguments: ["actor": request.actor.email])
        try reject(entity: importer.entity.name, raw: raw, place: place, findings: [finding], around: nil)
        return false
    }

    /// Whether the actor may cause a conflict about the removal of a row. If not, the row is
    /// rejected, just as a difference in its values would be.
    func mayContestRemoval(_ id: String, _ importer: EntityImporter, raw: String, place: Place) throws -> Bool {
        var refusal = try judge.judgeFile(importer.states(of: id))
        if !judge.role.isEditor(of: importer.entity) {
            let arguments = [
                "name": importer.entity.name, "role": request.actor.role.name,
                "may": judge.editors(of: importer.entity),
            ]
            refusal = refusal ?? ("CHANGE-EDITOR", arguments)
        }
        guard let refusal else { return true }
        var found = place
        (found.table, found.id) = (importer.entity.name, id)
        let finding = Finding(refusal.code, place: found, arguments: refusal.arguments)
        try reject(entity: importer.entity.name, raw: raw, place: place, findings: [finding], around: nil)
        return false
    }
}
