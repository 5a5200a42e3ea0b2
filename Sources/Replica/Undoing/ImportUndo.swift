import Databases
import Foundation
import GRDB
import JSONReading
package import Model

extension Replica {
    /// Undoes an import in one transaction, if nothing depends on the import. It is identified by
    /// its id, the id's last six or more characters, or `last`. Actors may undo imports that they
    /// made; administrators may undo any.
    ///
    /// Photo files stay: the caller deletes them after this function has returned.
    package func undoImport(
        _ name: String, context: RunContext, reason: String? = nil, validation: RecordValidation? = nil,
        lettingGo: ([String]) throws -> Void = { _ in }
    ) throws -> UndoAccount {
        try context.actor.ensure(may: .read)
        return try write { db in
            let target = try UndoTarget.find(name, for: context.actor, db)
            // Whoever made a change by a command may undo it; undoing a file's import needs the
            // permission to import.
            if !target.isCommand { try context.actor.ensure(may: .import) }
            let report = try Administrators(db, pack: pack).keepOne {
                try ImportUndo(db, pack: pack, target: target, context: context, reason: reason).run(validation)
            }
            try Interruption.check()
            try lettingGo(report.photos)
            return report
        }
    }
}

/// Undoes one import, within the caller's transaction; if it throws, the transaction is rolled
/// back.
struct ImportUndo {
    let db: Database
    let pack: Pack
    let target: UndoTarget
    let context: RunContext
    let reason: String?
    private let changes: ChangeLog
    /// The least and the greatest number of the import's sources.
    let own: (lowerBound: Int64, upperBound: Int64)
    /// SQL condition on a row `t`: the import added it.
    let isOwn: String

    init(_ db: Database, pack: Pack, target: UndoTarget, context: RunContext, reason: String?) throws {
        self.reason = reason?.allSatisfy(\.isWhitespace) == true ? nil : reason
        (self.db, self.pack, self.target, self.context) = (db, pack, target, context)
        changes = try ChangeLog(
            db, pack: pack, actorID: context.actor.id, environment: context.environment, now: context.asOf)
        let numbers = try Int64.fetchAll(
            db, sql: "SELECT number FROM import_sources WHERE import_id = ?", arguments: [target.id])
        own = (numbers.min() ?? 0, numbers.max() ?? -1)
        isOwn = "t.import_source BETWEEN \(own.lowerBound) AND \(own.upperBound)"
    }

    var judge: UndoJudge { UndoJudge(db: db, pack: pack, actor: context.actor, target: target) }

    func run(_ validation: RecordValidation?) throws -> UndoAccount {
        let entities = pack.entities.filter { !IndexPlan.logs.contains($0.name) }
        try judge.ensureLeave(isOwn: isOwn)
        try ensureNotLater()
        let acceptances = AcceptanceUndo(db, changeID: target.id)
        try refuse(.later, acceptances.laterWords, [target.id])
        let affected = try projects(entities).union(acceptances.projects())
        try ensureMember(of: affected)
        try ensureNotExported(affected)
        for entity in entities { try ensureUntouched(entity) }
        for entity in entities { try ensureOpen(entity, isTouched(entity)) }
        try ensureNotSent()
        try ensureNotContested()
        let photos = UndonePhotos(db: db, entities: entities)
        try photos.collect(where: isOwn, of: target.id)
        let moved = try judge.moved(entities)
        var restored = try restore()
        let back = try putBack(&restored)
        // Restored rows may return to other projects, which are checked too; an error rolls
        // everything back.
        let again = try projects(entities).union(back).subtracting(affected)
        try ensureMember(of: again)
        try ensureNotExported(again)
        for entity in entities { try ensureNotReferred(entity, by: entities) }
        let removed = try remove()
        if let validation {
            var vouched = ApprovedRecords()
            for (entity, ids) in moved { try vouched.add(ids, of: entity, db) }
            try vouched.ensureSound(by: validation, for: context.actor, asOf: context.asOf, db, pack: pack)
        }
        let withdrawn = try acceptances.takeBack(at: Timestamp.format(context.asOf))
        let rejects = try finishTrail()
        let lines = pack.entities.map {
            UndoAccount.Line(entity: $0.name, removed: removed[$0.name] ?? 0, restored: restored[$0.name] ?? 0)
        }.filter { $0.removed + $0.restored > 0 } + [withdrawn].compactMap(\.self)
        let report = UndoAccount(
            importID: target.id, source: target.source, lines: lines, rejectsRemoved: rejects,
            photos: try photos.forgotten())
        let told = try Quarantine.json(report.lines)
        try changes.logEntry(
            "import_undone", of: "imports", id: target.id, project: nil,
            details: reason.map { "{\"lines\":\(told),\"reason\":\(RowJSON.quoted($0))}" } ?? told)
        return report
    }

    /// Restores the earlier values of rows that the import changed; returns the number of rows by
    /// entity.
    private func restore() throws -> [String: Int] {
        var counts: [String: Int] = [:]
        let rows = try Row.fetchAll(
            db, sql: "SELECT entity, row_id, kind, before, states, item_id FROM import_changes WHERE import_id = ?",
            arguments: [target.id])
        for row in rows {
            let (name, id, kind): (String, String, String) = (row[0], row[1], row[2])
            if kind == ImportTrail.Kind.retry.rawValue {
                try db.execute(
                    sql: "UPDATE rejects SET state = 'open' WHERE id = ? AND state = 'corrected'", arguments: [id])
                continue
            }
            guard let entity = pack.entity(name) else { continue }
            let sets = values(row[3], of: entity) + states(row[4])
            let update = try PreparedStatement(
                db,
                """
                UPDATE main.\(SQLText.name(name)) SET \
                \(sets.map { SQLText.name($0.column) + " = ?" }.joined(separator: ", ")) WHERE id = ?
                """
            )
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

    /// Restores rows that the change removed, records before their parts; returns their projects.
    private func putBack(_ counts: inout [String: Int]) throws -> Set<String> {
        let rows = try Row.fetchAll(
            db,
            sql: "SELECT entity, row_id, row, states, item_id FROM import_removals WHERE import_id = ? ORDER BY n DESC",
            arguments: [target.id])
        var pushed: [RowKey] = []
        for row in rows {
            guard let entity = pack.entity(row[0]) else { continue }
            let id: String = row[1]
            try refuse(
                .changed, "SELECT \(name(entity, "t")) FROM main.\(SQLText.name(entity.name)) AS t WHERE t.id = ?", [id]
            )
            let sets = values(row[2], of: entity) + states(row[3])
            let insert = try PreparedStatement(
                db,
                """
                INSERT INTO main.\(SQLText.name(entity.name)) (\(SQLText.names(sets.map(\.column)))) \
                VALUES (\(sets.map { _ in "?" }.joined(separator: ", ")))
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
            // The record of which the row is a part may have been removed since.
            try refuse(
                .later, "SELECT \"table\" || ' → ' || parent FROM pragma_foreign_key_check(\(SQLText.literal(name)))")
        }
        var projects: Set<String> = []
        for entity in pack.entities {
            let ids = rows.filter { $0[0] == entity.name }.map { $0[1] as String }
            guard !ids.isEmpty else { continue }
            projects.formUnion(
                try RowProject(of: entity, in: pack).ids(
                    where: "t.id IN (SELECT value FROM json_each(?))", [Quarantine.json(ids)], db))
            try ensureOpen(
                entity, "t.id IN (SELECT value FROM json_each(\(SQLText.literal(try Quarantine.json(ids)))))")
        }
        try db.execute(sql: "DELETE FROM import_removals WHERE import_id = ?", arguments: [target.id])
        return projects
    }

    // MARK: The log

    /// JSON details of a row's log entry: the undone change, the reason, and the given values.
    private func details(_ values: [String: String] = [:]) -> String {
        var members = values
        members["change"] = RowJSON.quoted(target.id)
        members["reason"] = reason.map(RowJSON.quoted)
        let texts = members.sorted { $0.key < $1.key }.map { "\(RowJSON.quoted($0.key)):\($0.value)" }
        return "{\(texts.joined(separator: ","))}"
    }

    private func log(_ action: String, _ entity: Entity, _ id: String, _ values: [String: String]) throws {
        guard !IndexPlan.logs.contains(entity.name) else { return }
        let reader = try changes.reader(of: entity.name)
        let project = try reader.values(of: id).flatMap { try reader.project(of: $0) }
        try changes.logEntry(action, of: entity.name, id: id, project: project, details: details(values))
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

    /// The bookkeeping columns (`sync_state` and others) as they were before the change.
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

    /// A field's value from its text in the trail.
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
            // A row may have been removed before the import and added again by it: the removal
            // still has to be sent.
            let items = "entity_type = ?1 AND entity_id IN (\(own(entity))) AND coalesce(content_stamp, ?2) >= ?2"
            try db.execute(sql: "DELETE FROM main.sync_queue WHERE \(items)", arguments: [entity.name, target.stamp])
        }
        for entity in pack.entities where !IndexPlan.logs.contains(entity.name) {
            try changes.logEach("row_taken_back", of: entity, where: isOwn, details: details())
        }
        // Log entries of a removed project stay in the log.
        if let projects = pack.entity(pack.project.entity) {
            for log in IndexPlan.logs.sorted() where pack.entity(log)?.field("project_id") != nil {
                try db.execute(
                    sql: "UPDATE main.\(SQLText.name(log)) SET project_id = NULL WHERE project_id IN (\(own(projects)))"
                )
            }
        }
        for entity in pack.entities {
            // Removing a parent may remove its children too, so all rows are counted first.
            counts[entity.name] = try Int.fetchOne(db, sql: "SELECT count(*) FROM (\(own(entity)))")
        }
        for entity in pack.entities.reversed() {
            try db.execute(
                sql:
                    """
                    DELETE FROM own_bases WHERE entity = ? AND row_id IN (SELECT t.id \
                    FROM main.\(SQLText.name(entity.name)) AS t WHERE \(isOwn))
                    """,
                arguments: [entity.name])
            try db.execute(sql: "DELETE FROM main.\(SQLText.name(entity.name)) AS t WHERE \(isOwn)")
        }
        return counts
    }

    /// Deletes the import's trail and rejected rows. The import itself stays in the history, marked
    /// as undone.
    private func finishTrail() throws -> Int {
        for table in ["import_changes", "row_bases"] {
            try db.execute(sql: "DELETE FROM \(table) WHERE import_id = ?", arguments: [target.id])
        }
        try db.execute(sql: "DELETE FROM rejects WHERE import_id = ?", arguments: [target.id])
        let rejects = db.changesCount
        try db.execute(sql: "DELETE FROM reject_details WHERE reject_id NOT IN (SELECT id FROM rejects)")
        try db.execute(
            sql: "UPDATE import_details SET undone_at = ?, undone_by = ? WHERE import_id = ?",
            arguments: [Timestamp.format(context.asOf), context.actor.id, target.id])
        return rejects
    }
}
