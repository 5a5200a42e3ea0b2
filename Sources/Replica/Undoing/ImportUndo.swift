import Databases
import Foundation
import GRDB
import JSONReading
package import Model

extension Replica {
    /// Undoes an import in one transaction, as long as nothing depends on it. The import is named
    /// by its id, the last six or more characters of it, or `last`. Actors may undo their own
    /// imports; administrators may undo any.
    ///
    /// The files of photos stay: the caller deletes them once this has returned.
    package func undoImport(
        _ name: String, context: RunContext, reason: String? = nil, lettingGo: ([String]) throws -> Void = { _ in }
    ) throws -> UndoAccount {
        try context.actor.ensure(may: .read)
        return try write { db in
            let target = try UndoTarget.find(name, for: context.actor, db)
            // Whoever made a change by a command may undo it; undoing a file needs the permission
            // to import.
            if !target.isCommand { try context.actor.ensure(may: .import) }
            let report = try Administrators(db, pack: pack).keepOne { try ImportUndo(db, pack: pack, target: target, context: context, reason: reason).run() }
            try Interruption.check()
            try lettingGo(report.photos)
            return report
        }
    }
}

/// Undoes one import, within the caller's transaction; if it throws, the transaction is rolled
/// back.
struct ImportUndo {
    private let db: Database
    private let pack: Pack
    private let target: UndoTarget
    private let context: RunContext
    private let reason: String?
    private let changes: ChangeLog
    /// The least and the greatest number of its sources.
    private let own: (lowerBound: Int64, upperBound: Int64)
    /// SQL condition on a row `t`: the import added it.
    private let isOwn: String

    init(_ db: Database, pack: Pack, target: UndoTarget, context: RunContext, reason: String?) throws {
        self.reason = reason?.allSatisfy(\.isWhitespace) == true ? nil : reason
        (self.db, self.pack, self.target, self.context) = (db, pack, target, context)
        changes = try ChangeLog(db, pack: pack, actorID: context.actor.id, environment: context.environment, now: context.asOf)
        let numbers = try Int64.fetchAll(db, sql: "SELECT number FROM import_sources WHERE import_id = ?", arguments: [target.id])
        own = (numbers.min() ?? 0, numbers.max() ?? -1)
        isOwn = "t.import_source BETWEEN \(own.lowerBound) AND \(own.upperBound)"
    }

    func run() throws -> UndoAccount {
        let entities = pack.entities.filter { !IndexPlan.logs.contains($0.name) }
        try UndoJudge(db: db, pack: pack, actor: context.actor, target: target).ensureLeave(isOwn: isOwn)
        try ensureNotLater()
        let acceptances = AcceptanceUndo(db, changeID: target.id)
        try refuse(.later, acceptances.laterWords, [target.id])
        let affected = try projects(entities).union(acceptances.projects())
        try ensureMember(of: affected)
        try ensureNotExported(affected)
        for entity in entities { try ensureUntouched(entity) }
        for entity in entities {
            let changed = "SELECT row_id FROM import_changes WHERE import_id = \(SQLText.literal(target.id)) AND entity = \(SQLText.literal(entity.name)) AND kind = 'update'"
            try ensureOpen(entity, "\(isOwn) OR t.id IN (\(changed))")
        }
        try ensureNotSent()
        try ensureNotContested()
        let photos = UndonePhotos(db: db, entities: entities)
        try photos.collect(where: isOwn, of: target.id)
        var restored = try restore()
        let back = try putBack(&restored)
        // The projects to which rows return are checked like those that they left; an error rolls
        // everything back.
        let again = try projects(entities).union(back).subtracting(affected)
        try ensureMember(of: again)
        try ensureNotExported(again)
        for entity in entities { try ensureNotReferred(entity, by: entities) }
        let removed = try remove()
        let withdrawn = try acceptances.takeBack(at: Timestamp.format(context.asOf))
        let rejects = try finishTrail()
        let lines = pack.entities.map {
            UndoAccount.Line(entity: $0.name, removed: removed[$0.name] ?? 0, restored: restored[$0.name] ?? 0)
        }.filter { $0.removed + $0.restored > 0 } + [withdrawn].compactMap(\.self)
        let report = UndoAccount(
            importID: target.id, source: target.source, lines: lines, rejectsRemoved: rejects, photos: try photos.forgotten())
        let told = try Quarantine.json(report.lines)
        try changes.logEntry(
            "import_undone", of: "imports", id: target.id, project: nil,
            details: reason.map { "{\"lines\":\(told),\"reason\":\(RowJSON.quoted($0))}" } ?? told)
        return report
    }

    // MARK: What depends on it

    private func refuse(_ obstacle: UndoFailure.Obstacle, _ sql: String, _ arguments: StatementArguments = []) throws {
        let count = try Int.fetchOne(db, sql: "SELECT count(*) FROM (\(sql))", arguments: arguments) ?? 0
        guard count > 0 else { return }
        let records = try String.fetchAll(db, sql: "SELECT * FROM (\(sql)) LIMIT 10", arguments: arguments)
        throw UndoFailure.builtOn(target.id, obstacle, records: records, count: count)
    }

    /// `calicatas C-12`, by the last field of the key; by the id if there is none, and for rows of
    /// projects that are not the actor's.
    private func name(_ entity: Entity, _ row: String) -> String {
        let field = entity.key.last.flatMap { entity.field($0) }
        var key = field.flatMap { context.actor.sees($0, of: pack) ? "\(row).\(SQLText.name($0.name))" : nil } ?? "NULL"
        if !context.actor.role.permissions.contains(.administer), entity.projectPath != nil {
            let own = "SELECT project_id FROM main.project_members WHERE profile_id = \(SQLText.literal(context.actor.id))"
            key = "CASE WHEN \(RowProject(of: entity, in: pack).expression(row)) IN (\(own)) THEN \(key) END"
        }
        return "\(SQLText.literal(entity.name + " ")) || coalesce(\(key), \(row).id)"
    }

    /// To take back a change of a part is to change its record, in the state that it has now.
    ///
    /// - Parameter rows: SQL condition on a row `t`.
    private func ensureOpen(_ entity: Entity, _ rows: String) throws {
        // What an administrator's file brought may have been reached elsewhere, long ago.
        let role = !target.isCommand && context.actor.role.permissions.contains(.administer) ? nil : context.actor.role
        let barred = try OwnerStates(entity, pack: pack, role: role).barred(db, where: rows, stamp: target.stamp, set: target.id)
        for (obstacle, found) in [(UndoFailure.Obstacle.barred, barred.filter { !$0.isOnlyClosed }), (.closed, reason == nil ? barred : [])] where !found.isEmpty {
            let records = try found.prefix(10).map { row in
                let shown = try String.fetchOne(db, sql: "SELECT \(name(entity, "t")) FROM main.\(SQLText.name(entity.name)) AS t WHERE t.id = ?", arguments: [row.id])
                return "\(shown ?? entity.name) (\(row.state))"
            }
            throw UndoFailure.builtOn(target.id, obstacle, records: records, count: found.count)
        }
    }

    private func ensureNotLater() throws {
        try refuse(
            .later,
            """
            SELECT DISTINCT c.entity || ' ' || c.row_id FROM import_changes AS c JOIN import_details AS d ON d.import_id = c.import_id
            WHERE d.stamp > ?2 AND (
              EXISTS (SELECT 1 FROM import_changes AS own WHERE own.import_id = ?1 AND own.entity = c.entity AND own.row_id = c.row_id)
              OR c.kind = 'retry' AND EXISTS (SELECT 1 FROM rejects AS r WHERE r.id = c.row_id AND r.import_id = ?1))
            """, [target.id, target.stamp])
        // Rows of the import that somebody has removed since.
        try refuse(
            .later,
            """
            SELECT DISTINCT r.entity || ' ' || r.row_id FROM import_removals AS r JOIN import_details AS d ON d.import_id = r.import_id
            WHERE d.stamp > ?2 AND (json_extract(r.states, '$.import_source') BETWEEN \(own.lowerBound) AND \(own.upperBound)
              OR EXISTS (SELECT 1 FROM import_changes AS c WHERE c.import_id = ?1 AND c.entity = r.entity AND c.row_id = r.row_id))
            """, [target.id, target.stamp])
        for entity in pack.entities {
            try refuse(
                .later,
                """
                SELECT DISTINCT \(name(entity, "t")) FROM import_changes AS c JOIN import_details AS d ON d.import_id = c.import_id
                JOIN main.\(SQLText.name(entity.name)) AS t ON t.id = c.row_id
                WHERE c.entity = \(SQLText.literal(entity.name)) AND d.stamp > ?1 AND \(isOwn)
                """, [target.stamp])
        }
    }

    /// A former member may not change a project's rows by an undo either; but actors may undo what
    /// they added themselves.
    private func ensureMember(of projects: Set<String>) throws {
        try ImportApplication.dropTemporary(db)
        for table in ChangeScope.temporary { try db.execute(sql: table) }
        if try !ChangeScope(db, pack: pack, actor: context.actor, broughtBy: target.id).covers(projects) { throw UndoFailure.notMember(target.id) }
    }

    /// Projects of the rows that the import added or changed.
    private func projects(_ entities: [Entity]) throws -> Set<String> {
        var found: Set<String> = []
        for entity in entities {
            let isOfImport = "\(isOwn) OR t.id IN (SELECT row_id FROM import_changes WHERE import_id = ? AND entity = ?)"
            found.formUnion(try RowProject(of: entity, in: pack).ids(where: isOfImport, [target.id, entity.name], db))
        }
        return found
    }

    /// The rows of a document are not recorded one by one, so any document of the project that was
    /// registered since counts.
    private func ensureNotExported(_ projects: Set<String>) throws {
        try refuse(
            .exported,
            """
            SELECT file_name FROM (SELECT project_id, file_name FROM exports ORDER BY rowid LIMIT -1 OFFSET \(target.exports))
            WHERE project_id IN (SELECT value FROM json_each(?))
            """, [try Quarantine.json(projects.sorted())])
    }

    /// Where a removal was contested since, the decision says whether the row comes back, and with
    /// which values. The row that was removed is no longer the one that the remote has.
    private func ensureNotContested() throws {
        try refuse(
            .contested,
            """
            SELECT DISTINCT k.entity_type || ' ' || k.entity_id FROM import_removals AS r JOIN main.conflicts AS k ON k.entity_type = r.entity AND k.entity_id = r.row_id
            WHERE r.import_id = ? AND (k.resolution_status = 'open' OR k.content_stamp > ?)
            """, [target.id, target.stamp])
    }

    /// What is on its way, the other side may have already.
    private func ensureNotSent() throws {
        try refuse(
            .synced,
            "SELECT DISTINCT q.entity_type || ' ' || q.entity_id FROM sent_items AS s JOIN main.sync_queue AS q ON q.id = s.item_id WHERE q.content_stamp = ?",
            [target.stamp])
        guard let events = pack.events?.entity else { return }
        try refuse(
            .synced,
            "SELECT \(SQLText.literal(events + " ")) || t.id FROM main.\(SQLText.name(events)) AS t WHERE t.sync_state = 'synced' AND t.content_stamp >= ? AND \(isOwn) AND \(target.isCommand)",
            [target.stamp])
    }

    private func ensureUntouched(_ entity: Entity) throws {
        let table = "main." + SQLText.name(entity.name)
        let changed = "SELECT row_id FROM import_changes WHERE import_id = ?1 AND entity = ?2 AND kind = 'update'"
        // Rows copied from a device came with their own sync states; only rows without can have
        // been synced or in conflict since.
        let stateless = "\(isOwn) AND t.id IN (SELECT entity_id FROM activity_logs WHERE entity_type = ?2 AND action IN ('row_imported', 'row_added'))"
        try refuse(
            .synced,
            """
            SELECT \(name(entity, "t")) FROM \(table) AS t WHERE t.sync_state IN ('synced', 'pending_download') AND (t.id IN (\(changed)) OR \(stateless))
            """, [target.id, entity.name])
        try refuse(
            .changed,
            """
            SELECT \(name(entity, "t")) FROM \(table) AS t WHERE t.content_stamp <> ?3 AND (\(isOwn) OR t.id IN (\(changed)))
              OR t.sync_state = 'conflict' AND \(stateless)
            """, [target.id, entity.name, target.stamp])
        try refuse(
            .changed,
            """
            SELECT \(name(entity, "t")) FROM \(table) AS t JOIN import_changes AS c ON c.entity = ?2 AND c.row_id = t.id AND c.import_id = ?1
            WHERE c.kind = 'conflict' AND (
              t.sync_state <> 'conflict' OR NOT EXISTS (SELECT 1 FROM conflicts AS k WHERE k.id = c.item_id AND k.resolution_status = 'open'))
            """, [target.id, entity.name])
        // A conflict that was opened since compares the change with the remote's row: its decision
        // says what becomes of the change.
        try refuse(
            .changed,
            """
            SELECT DISTINCT \(name(entity, "t")) FROM \(table) AS t JOIN import_changes AS c ON c.entity = ?2 AND c.row_id = t.id AND c.import_id = ?1
            WHERE c.kind = 'update' AND t.sync_state = 'conflict' AND json_extract(c.states, '$.sync_state') <> 'conflict'
              AND NOT EXISTS (SELECT 1 FROM import_changes AS o WHERE o.entity = ?2 AND o.row_id = t.id AND o.import_id = ?1 AND o.kind = 'conflict')
            """, [target.id, entity.name])
        try refuse(
            .referred,
            """
            SELECT \(name(entity, "t")) FROM finding_acceptances AS a JOIN \(table) AS t ON t.id = a.row_id
            WHERE a.tbl = ?1 AND a.withdrawn_at IS NULL AND \(isOwn)
            """, [entity.name])
    }

    /// Rows of other origin must not lose a row that they refer to.
    private func ensureNotReferred(_ entity: Entity, by others: [Entity]) throws {
        let own = "SELECT t.id FROM main.\(SQLText.name(entity.name)) AS t WHERE \(isOwn)"
        guard try Bool.fetchOne(db, sql: "SELECT EXISTS (\(own))") == true else { return }
        if entity.name == "profiles" {
            // A profile whose person has worked stays in the books.
            let isOther = "l.import_source IS NULL OR NOT (\(isOwn.replacing("t.", with: "l.")))"
            for actors in ["activity_logs AS l WHERE \(isOther)", "import_details", "pipeline_runs"] {
                try refuse(.referred, "SELECT \(name(entity, "t")) FROM main.profiles AS t WHERE \(isOwn) AND t.id IN (SELECT actor_id FROM main.\(actors))")
            }
        }
        for other in others {
            for field in other.fields where field.references == entity.name {
                let reference = "o." + SQLText.name(field.name)
                let leads = field.type == .list
                    ? "json_valid(\(reference)) AND EXISTS (SELECT 1 FROM json_each(\(reference)) AS item WHERE item.value IN (\(own)))"
                    : "\(reference) IN (\(own))"
                try refuse(
                    .referred,
                    """
                    SELECT \(name(other, "o")) FROM main.\(SQLText.name(other.name)) AS o
                    WHERE \(leads) AND (o.import_source IS NULL OR NOT (\(isOwn.replacing("t.", with: "o."))))
                    """)
            }
        }
    }

    // MARK: Undoing

    /// Gives rows that the import changed their earlier values again; returns how many for each
    /// entity.
    private func restore() throws -> [String: Int] {
        var counts: [String: Int] = [:]
        let rows = try Row.fetchAll(
            db, sql: "SELECT entity, row_id, kind, before, states, item_id FROM import_changes WHERE import_id = ?", arguments: [target.id])
        for row in rows {
            let (name, id, kind): (String, String, String) = (row[0], row[1], row[2])
            if kind == ImportTrail.Kind.retry.rawValue {
                try db.execute(sql: "UPDATE rejects SET state = 'open' WHERE id = ? AND state = 'corrected'", arguments: [id])
                continue
            }
            guard let entity = pack.entity(name) else { continue }
            let sets = values(row[3], of: entity) + states(row[4])
            let update = try PreparedStatement(
                db,
                "UPDATE main.\(SQLText.name(name)) SET \(sets.map { SQLText.name($0.column) + " = ?" }.joined(separator: ", ")) WHERE id = ?")
            for (index, set) in sets.enumerated() { try update.bind(set.value, at: index + 1) }
            try update.bind(id, at: sets.count + 1)
            let now = try changes.reader(of: name).values(of: id)
            if try update.run() == 1 {
                counts[name, default: 0] += 1
                if kind == ImportTrail.Kind.update.rawValue, let now { try logRestored(entity, id, from: now) }
            }
            if let item: String = row[5] {
                let table = kind == ImportTrail.Kind.conflict.rawValue ? "conflicts" : "sync_queue"
                try db.execute(sql: "DELETE FROM main.\(table) WHERE id = ?", arguments: [item])
            }
        }
        return counts
    }

    /// Restores rows that the change removed, owners first; returns their projects.
    private func putBack(_ counts: inout [String: Int]) throws -> Set<String> {
        let rows = try Row.fetchAll(
            db, sql: "SELECT entity, row_id, row, states, item_id FROM import_removals WHERE import_id = ? ORDER BY n DESC", arguments: [target.id])
        var pushed: [RowKey] = []
        for row in rows {
            guard let entity = pack.entity(row[0]) else { continue }
            let id: String = row[1]
            try refuse(.changed, "SELECT \(name(entity, "t")) FROM main.\(SQLText.name(entity.name)) AS t WHERE t.id = ?", [id])
            let sets = values(row[2], of: entity) + states(row[3])
            let insert = try PreparedStatement(
                db,
                """
                INSERT INTO main.\(SQLText.name(entity.name)) (\(SQLText.names(sets.map(\.column)))) VALUES (\(sets.map { _ in "?" }.joined(separator: ", ")))
                """)
            for (index, set) in sets.enumerated() { try insert.bind(set.value, at: index + 1) }
            try insert.run()
            try log("row_put_back", entity, id, ["after": row[2]])
            try TouchedRows.noteReturn(of: id, to: entity, db)
            counts[entity.name, default: 0] += 1
            guard let item: String = row[4] else { continue }
            try db.execute(sql: "DELETE FROM main.sync_queue WHERE id = ?", arguments: [item])
            if db.changesCount == 0 { pushed.append(RowKey(entity: entity.name, id: id)) }
        }
        for row in pushed { try changes.enqueueAgain(row) }
        for name in Set(rows.map { $0[0] as String }) {
            // The row's owner may have been removed since.
            try refuse(.later, "SELECT \"table\" || ' → ' || parent FROM pragma_foreign_key_check(\(SQLText.literal(name)))")
        }
        var projects: Set<String> = []
        for entity in pack.entities {
            let ids = rows.filter { $0[0] == entity.name }.map { $0[1] as String }
            guard !ids.isEmpty else { continue }
            projects.formUnion(try RowProject(of: entity, in: pack).ids(where: "t.id IN (SELECT value FROM json_each(?))", [Quarantine.json(ids)], db))
            try ensureOpen(entity, "t.id IN (SELECT value FROM json_each(\(SQLText.literal(try Quarantine.json(ids)))))")
        }
        try db.execute(sql: "DELETE FROM import_removals WHERE import_id = ?", arguments: [target.id])
        return projects
    }

    // MARK: The log

    /// Each row has its own entry, by which its history tells of the undo.
    ///
    /// - Parameter values: JSON by the words of the log.
    private func log(_ action: String, _ entity: Entity, _ id: String, project: String? = nil, _ values: [String: String]) throws {
        guard !IndexPlan.logs.contains(entity.name) else { return }
        let reader = try changes.reader(of: entity.name)
        let project = try project ?? reader.values(of: id).flatMap { try reader.project(of: $0) }
        var details = values
        details["change"] = RowJSON.quoted(target.id)
        if let reason { details["reason"] = RowJSON.quoted(reason) }
        let json = details.sorted { $0.key < $1.key }.map { "\(RowJSON.quoted($0.key)):\($0.value)" }.joined(separator: ",")
        try changes.logEntry(action, of: entity.name, id: id, project: project, details: "{\(json)}")
    }

    private func logRestored(_ entity: Entity, _ id: String, from before: [MemoryRows.Value]) throws {
        guard let after = try changes.reader(of: entity.name).values(of: id) else { return }
        var (old, new) = (RowJSON(), RowJSON())
        for (field, values) in zip(entity.fields, zip(before, after)) where values.0 != values.1 {
            old.add(field.name, values.0)
            new.add(field.name, values.1)
        }
        try log("row_restored", entity, id, ["before": old.text, "after": new.text])
    }

    /// The values of a JSON object by the types of an entity's fields.
    private func values(_ json: String, of entity: Entity) -> [(column: String, value: MemoryRows.Value)] {
        let values = ((try? JSONValue.stored(json))?.members ?? []).compactMap { member in
            entity.field(member.key).map { ($0.name, Self.value(member.value.stated, $0.type)) }
        }
        guard let name = values.first(where: { $0.0 == entity.keyText?.name })?.1 else { return values }
        return values + [(KeyText.column, name.shown.flatMap { KeyText.stored(of: $0) }.map { .text($0) } ?? .null)]
    }

    /// The replica's own columns before the change.
    private func states(_ json: String) -> [(column: String, value: MemoryRows.Value)] {
        let states = (try? JSONValue.stored(json))?.members ?? []
        return EntityImporter.Existing.stateColumns.compactMap { column in
            guard let stated = states.first(where: { $0.key == column.rawValue })?.value else { return nil }
            return switch stated {
            case .string(let text): (column.rawValue, .text(text))
            case .number(let digits): (column.rawValue, Int64(digits).map { .integer($0) } ?? .null)
            default: (column.rawValue, .null)
            }
        }
    }

    /// A value from the text in the trail.
    private static func value(_ text: String?, _ type: FieldType) -> MemoryRows.Value {
        guard let text else { return .null }
        return switch type.storage {
        case "INTEGER": Int64(text).map { .integer($0) } ?? .null
        case "REAL": Double(text).map { .real($0) } ?? .null
        default: .text(text)
        }
    }

    /// Removes every row that the import added, with its queue items.
    private func remove() throws -> [String: Int] {
        var counts: [String: Int] = [:]
        let own = { (entity: Entity) in "SELECT t.id FROM main.\(SQLText.name(entity.name)) AS t WHERE \(isOwn)" }
        for entity in pack.entities {
            // A row may have been removed before and added again: its removal still has to go up.
            let items = "entity_type = ?1 AND entity_id IN (\(own(entity))) AND coalesce(content_stamp, ?2) >= ?2"
            try db.execute(sql: "DELETE FROM main.sync_queue WHERE \(items)", arguments: [entity.name, target.stamp])
        }
        for entity in pack.entities {
            for id in try String.fetchAll(db, sql: own(entity)) { try log("row_taken_back", entity, id, [:]) }
        }
        // Log entries of a removed project stay in the log.
        if let projects = pack.entity(pack.project.entity) {
            for log in IndexPlan.logs.sorted() where pack.entity(log)?.field("project_id") != nil {
                try db.execute(sql: "UPDATE main.\(SQLText.name(log)) SET project_id = NULL WHERE project_id IN (\(own(projects)))")
            }
        }
        for entity in pack.entities {
            // Removing a parent may remove its children too, so they are counted first.
            counts[entity.name] = try Int.fetchOne(db, sql: "SELECT count(*) FROM (\(own(entity)))")
        }
        for entity in pack.entities.reversed() {
            try db.execute(
                sql: "DELETE FROM own_bases WHERE entity = ? AND row_id IN (SELECT t.id FROM main.\(SQLText.name(entity.name)) AS t WHERE \(isOwn))", arguments: [entity.name])
            try db.execute(sql: "DELETE FROM main.\(SQLText.name(entity.name)) AS t WHERE \(isOwn)")
        }
        return counts
    }

    /// The import itself stays in the history, marked as undone.
    private func finishTrail() throws -> Int {
        for table in ["import_changes", "row_bases"] { try db.execute(sql: "DELETE FROM \(table) WHERE import_id = ?", arguments: [target.id]) }
        try db.execute(sql: "DELETE FROM rejects WHERE import_id = ?", arguments: [target.id])
        let rejects = db.changesCount
        try db.execute(sql: "DELETE FROM reject_details WHERE reject_id NOT IN (SELECT id FROM rejects)")
        try db.execute(
            sql: "UPDATE import_details SET undone_at = ?, undone_by = ? WHERE import_id = ?",
            arguments: [Timestamp.format(context.asOf), context.actor.id, target.id])
        return rejects
    }
}
