import Databases
import GRDB
import JSONReading
import Model

/// Removes a row on a person's command, with its parts, and stores all of them for an undo.
struct RowRemoval {
    private let application: ImportApplication
    private let judge: Judge
    private var db: Database { application.db }
    private var pack: Pack { application.pack }

    init(_ application: ImportApplication, judge: Judge) { (self.application, self.judge) = (application, judge) }

    /// Reason why the row may not be removed; nil: it may be removed.
    func refusal(_ importer: EntityImporter, _ id: String) throws -> Judge.Refusal? {
        guard try importer.existing(id) != nil else { return nil }
        if try !application.acceptsRemoteRow(importer, id),
            let refusal = try judge.judgeRemoval(of: id, importer.entity, importer.states(of: id))
        {
            return refusal
        }
        return try judge.judgeParts(Self.parts(of: importer.entity, id, pack, db), isDecided: application.isDeciding)
    }

    static func referring(_ entity: Entity, _ field: Field, to ids: [String], _ db: Database) throws -> [String] {
        let reference = "o." + SQLText.name(field.name)
        let leads = field.type == .list
            ? """
                json_valid(\(reference)) AND EXISTS (SELECT 1 FROM json_each(\(reference)) AS item \
                WHERE item.value IN (SELECT value FROM json_each(?1)))
                """
            : "\(reference) IN (SELECT value FROM json_each(?1))"
        return try String.fetchAll(
            db, sql: "SELECT o.id FROM main.\(SQLText.name(entity.name)) AS o WHERE \(leads) ORDER BY o.id",
            arguments: [try Quarantine.json(ids)])
    }

    /// The row and all its parts by entity, each entity before its parts.
    static func parts(of entity: Entity, _ id: String, _ pack: Pack, _ db: Database) throws -> [(
        entity: Entity, ids: [String]
    )] {
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
        var n =
            try Int64.fetchOne(
                db, sql: "SELECT coalesce(max(n), 0) FROM import_removals WHERE import_id = ?",
                arguments: [application.id]) ?? 0
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

    private func take(_ importer: EntityImporter, _ id: String, _ existing: EntityImporter.Existing, _ n: Int64) throws
    {
        let name = importer.entity.name, changes = application.changes
        let row = importer.reader.json(existing.values), project = try importer.reader.project(of: existing.values)
        try application.bases.keep(importer, id, existing)
        let item = try changes.enqueue(.delete, of: name, id: id, project: project, payload: row)
        try changes.logEntry("row_deleted", of: name, id: id, project: project, details: details(row))
        try db.execute(
            sql:
                """
                INSERT INTO import_removals (import_id, n, entity, row_id, row, states, item_id) \
                VALUES (?, ?, ?, ?, ?, ?, ?)
                """,
            arguments: [application.id, n, name, id, row, existing.states, item])
        try db.execute(sql: "DELETE FROM main.\(SQLText.name(name)) WHERE id = ?", arguments: [id])
    }

    private func details(_ row: String) -> String {
        "{\"before\":\(row)" + (application.request.reason.map { ",\"reason\":" + RowJSON.quoted($0) } ?? "") + "}"
    }

    /// The row's readable name.
    func name(_ entity: Entity, _ id: String) throws -> String? {
        guard let importer = try application.importer(of: entity.name) else { return nil }
        return try EntityRows.name(of: id, importer.entity, pack: pack, db)
    }
}

/// A person's corrections, additions and removals, checked against the person's role.
extension ImportApplication {
    /// Applies a person's correction, also to rows that the remote has confirmed and, if a reason
    /// is given, to closed rows. Rows in conflict are refused.
    func correct(_ match: EntityRows.Match, to merged: [MemoryRows.Value], _ rows: EntityRows) throws -> ImportOutcome {
        var refusal: Judge.Refusal?
        if match.existing.syncState == .conflict, try conflictEnd?.isOf(rows.importer.entity.name, match.id) != true {
            refusal = ("CHANGE-CONFLICT", [:])
        }
        let acceptsRemoteRow = try conflictEnd?.acceptsRemoteRow(rows.importer, match.id, to: merged) ?? false
        if refusal == nil, !acceptsRemoteRow {
            refusal = try judge.judgeCorrection(
                conflictEnd?.states(rows.importer, of: match.id) ?? rows.importer.states(of: match.id))
        }
        if refusal == nil {
            let outcome = try change(match, to: merged, rows, isNoted: true)
            // If the row moves to another record, that record's state is checked too.
            let owner = rows.importer.entity.projectPath?.parts.first.flatMap {
                rows.importer.entity.position(ofField: $0)
            }
            if let owner, !acceptsRemoteRow, merged[owner] != match.existing.values[owner] {
                refusal = try judge.judgeCorrection(rows.importer.states(of: match.id))
            }
            if refusal == nil { return outcome }
            // The outcome is recorded already, so it is deleted. The refusal rolls the whole set
            // back.
            try db.execute(sql: "DELETE FROM temp.import_outcomes WHERE n = ?", arguments: [match.n])
        }
        guard let refusal else { return .unchanged }
        try rejectStaged(rows, n: match.n, refusal.code, field: "id", key: rows.name(of: match.id)) { _ in
            refusal.arguments
        }
        return .rejected
    }

    /// Checks a person's additions: adding a part to a record counts as changing the record.
    func judgeAdditions(_ rows: EntityRows) throws {
        guard rows.importer.entity.states == nil, !IndexPlan.logs.contains(rows.importer.entity.name) else { return }
        for id in try rows.newIDs() {
            guard let refusal = try judge.judgeCorrection(rows.importer.states(of: id)),
                let n = try rows.firstStaged(id)
            else { continue }
            try rejectStaged(rows, n: n, refusal.code, field: "id", key: rows.name(of: id)) { _ in refusal.arguments }
        }
    }

    /// Removes a row, with its parts, on a person's command.
    func remove(_ id: String, _ importer: EntityImporter, raw: String, place: Place) throws {
        let removal = RowRemoval(self, judge: judge)
        if let refusal = try removal.refusal(importer, id) {
            var found = place
            (found.table, found.id, found.key) = (importer.entity.name, id, try removal.name(importer.entity, id))
            let finding = Finding(refusal.code, place: found, arguments: refusal.arguments)
            try reject(entity: importer.entity.name, raw: raw, place: place, findings: [finding], around: nil)
            return
        }
        for gone in try removal.remove(importer, id) { removed[gone, default: 0] += 1 }
    }

    /// Whether the change removes a row that the remote has deleted already.
    func acceptsRemoteRow(_ importer: EntityImporter, _ id: String) throws -> Bool {
        try conflictEnd?.acceptsRemoteRow(importer, id, to: nil) ?? false && judge.covers(id, importer.entity)
    }

    /// Whether the change resolves the row's conflict.
    func isDeciding(_ entity: String, _ id: String) throws -> Bool { try conflictEnd?.isOf(entity, id) == true }
}

/// Rows as the remote confirmed them last, stored when a row is first changed or contradicted
/// locally. This third version shows which values were changed locally, which remotely, and what to
/// send. It is in `row_bases`; in `own_bases` if Fichero itself changed the row, which cannot be
/// undone.
struct RowBases {
    private let changeID: String
    private let add: PreparedStatement
    private let forgetOwn: PreparedStatement

    /// - Parameter changeID: the change set to which the versions belong; its undo deletes them.
    init(_ db: Database, changeID: String) throws {
        self.changeID = changeID
        add = try PreparedStatement(
            db, "INSERT OR REPLACE INTO row_bases (entity, row_id, row, import_id) VALUES (?, ?, ?, ?)")
        forgetOwn = try PreparedStatement(db, "DELETE FROM own_bases WHERE entity = ? AND row_id = ?")
    }

    /// Stores the version of a synced row. For a row that was changed before, the version is stored
    /// already.
    func keep(_ importer: EntityImporter, _ id: String, _ existing: EntityImporter.Existing) throws {
        guard existing.syncState == .synced else { return }
        try keep(importer.reader.json(existing.values), of: RowKey(entity: importer.entity.name, id: id))
    }

    /// Stores a row as the remote has it, in place of an earlier version.
    func keep(_ row: String, of key: RowKey) throws {
        for (index, text) in [key.entity, key.id, row, changeID].enumerated() { try add.bind(text, at: index + 1) }
        try add.run()
        for (index, text) in [key.entity, key.id].enumerated() { try forgetOwn.bind(text, at: index + 1) }
        try forgetOwn.run()
    }

    /// Stores a version that belongs to no change set.
    static func keepOwn(_ row: String, of key: RowKey, _ db: Database) throws {
        try db.execute(
            cachedSQL: "INSERT OR REPLACE INTO own_bases (entity, row_id, row) VALUES (?, ?, ?)",
            [key.entity, key.id, row])
        try db.execute(cachedSQL: "DELETE FROM row_bases WHERE entity = ? AND row_id = ?", [key.entity, key.id])
    }

    static func forget(_ key: RowKey, _ db: Database) throws {
        for table in ["own_bases", "row_bases"] {
            try db.execute(cachedSQL: "DELETE FROM \(table) WHERE entity = ? AND row_id = ?", [key.entity, key.id])
        }
    }

    static func forgetOwn(_ key: RowKey, _ db: Database) throws {
        try db.execute(cachedSQL: "DELETE FROM own_bases WHERE entity = ? AND row_id = ?", [key.entity, key.id])
    }

    /// A row as the remote confirmed it, as JSON; nil if that version is not known.
    static func text(_ key: RowKey, _ db: Database) throws -> String? {
        try Row.fetchOne(
            db,
            cachedSQL: """
                SELECT row FROM own_bases WHERE entity = ?1 AND row_id = ?2
                UNION ALL SELECT row FROM row_bases WHERE entity = ?1 AND row_id = ?2 LIMIT 1
                """, [key.entity, key.id])?[0]
    }

    /// The fields of a row as the remote confirmed it; nil if that version is not known.
    static func row(_ entity: String, _ id: String, _ db: Database) throws -> JSONValue? {
        try text(RowKey(entity: entity, id: id), db).flatMap { try? JSONValue.stored($0) }
    }
}
