import Foundation
import GRDB
import JSONReading
import Model

/// Reads acts from the activity log. The entries of one write have one number, one time and one
/// actor, and lie together in the table.
final class ActReader {
    private let db: Database
    private let pack: Pack
    private let reader: Model.Actor
    private let visible: String
    private let isOfAll: Bool
    private let names: ActNames
    private let files: ActFiles
    private let seesDetails: Bool
    private var isAdministrator: Bool { reader.role.permissions.contains(.administer) }

    init(_ db: Database, pack: Pack, reader: Model.Actor, projects: [String], isOfAll: Bool) throws {
        (self.db, self.pack, self.reader, self.isOfAll) = (db, pack, reader, isOfAll)
        visible = try Quarantine.json(projects)
        names = ActNames(db, pack: pack, reader: reader, projects: Set(projects))
        files = ActFiles(
            db, ActScope(pack: pack, reader: reader, visible: visible, isOfAll: isOfAll), names: names)
        seesDetails = pack.isVisible("details", of: "activity_logs", to: reader.role)
    }

    /// Entries that repeat what others say, or that are about the exchange of files only.
    static let silent = ["change", "export_superseded", "file_sent"]

    struct Entry {
        var action: String
        var entity: String?
        var id: String?
        var details: String?

        var json: JSONValue? { details.flatMap { try? JSONValue.stored($0) } }
    }

    /// The entries of one act that belong to one deed. Entries are read newest first, so of very
    /// many, only the last written are kept.
    struct Pile {
        var action: String
        var entity: String?
        var count = 0
        var kept: [Entry] = []
    }

    private struct Head: Equatable {
        var stamp: Int64
        var time: String?
        var actorID: String?
        var isClaimed: Bool
    }

    // MARK: Lists

    func newest(_ limit: Int) throws -> [Act] {
        // Entries are only ever added, so the newest have the greatest row numbers. `+` keeps SQLite
        // from an index that would make it sort the whole log.
        let rows = try Row.fetchCursor(
            db,
            sql: """
                SELECT content_stamp, created_at, actor_id, import_source IS NOT NULL, action, entity_type, entity_id, \
                details FROM main.activity_logs
                WHERE import_source IS NULL AND (+project_id IN (SELECT value FROM json_each(?1)) \
                OR action = 'import' OR (?2 AND project_id IS NULL AND (?3 OR actor_id = ?4)))
                ORDER BY rowid DESC
                """, arguments: [visible, isOfAll, isAdministrator, reader.id])
        return try acts(rows, limit: limit) { _ in true }
    }

    func life(of entity: Entity, id: String) throws -> RecordLife {
        let family = try family(of: entity, id)
        let rows = try Row.fetchCursor(
            db,
            sql: """
                SELECT content_stamp, created_at, actor_id, import_source IS NOT NULL, action, entity_type, entity_id, \
                details FROM main.activity_logs
                WHERE entity_id IN (SELECT value FROM json_each(?1))
                  AND (project_id IS NULL OR project_id IN (SELECT value FROM json_each(?2)))
                ORDER BY content_stamp DESC, created_at DESC, rowid DESC
                """, arguments: [try Quarantine.json(family.values.flatMap(\.self).sorted()), visible])
        var found = try acts(rows, limit: Int.max) { entry in
            entry.id.flatMap { id in entry.entity.flatMap { family[$0] }?.contains(id) } == true
        }
        try addOrigins(of: entity, id, to: &found)
        return RecordLife(entity: entity.name, id: id, name: try names.name(of: entity, id: id), acts: found)
    }

    /// The ids of a row and of its parts by table, with the parts that were deleted.
    private func family(of entity: Entity, _ id: String) throws -> [String: Set<String>] {
        var found: [String: Set<String>] = [entity.name: [id]]
        var next = [(entity, [id])]
        while let (owner, ids) = next.popLast() {
            for other in pack.entities where !IndexPlan.logs.contains(other.name) {
                for field in other.fields where field.references == owner.name && field.deletesWithParent {
                    let gone = try String.fetchAll(
                        db,
                        sql: """
                            SELECT row_id FROM import_removals WHERE entity = ?1 \
                            AND json_extract(row, ?2) IN (SELECT value FROM json_each(?3))
                            """, arguments: [other.name, "$.\"\(field.name)\"", try Quarantine.json(ids)])
                    let all = Set(try RowRemoval.referring(other, field, to: ids, db) + gone)
                    let new = all.subtracting(found[other.name] ?? [])
                    guard !new.isEmpty else { continue }
                    found[other.name, default: []].formUnion(new)
                    next.append((other, new.sorted()))
                }
            }
        }
        return found
    }

    /// Adds the file and row from which imports took the record. A record that arrived with its sync
    /// state has no entry of its own in the log.
    private func addOrigins(of entity: Entity, _ id: String, to acts: inout [Act]) throws {
        let trail = ProvenanceReader(db: db, pack: pack, actor: reader)
        let insertion = try trail.insertion(of: entity, id: id)
        let origins = try trail.updates(of: entity, id: id).map(\.1) + [insertion].compactMap(\.self)
        for origin in origins {
            var facts = ["file": ActFiles.shortName(origin.file ?? "")]
            facts["sheet"] = origin.sheet
            facts["row"] = origin.row.map(String.init)
            let own = acts.firstIndex { $0.changeID == origin.importID && !$0.isClaimed }
            if let own, let deed = acts[own].deeds.firstIndex(where: { $0.records.contains { $0.id == id } }) {
                // A command's change has no row of a file.
                if facts["row"] != nil || ActFiles.outcomes[acts[own].deeds[deed].action] != nil {
                    acts[own].deeds[deed].facts.merge(facts) { $1 }
                }
                continue
            }
            guard origin == insertion else { continue }
            let record = Act.Record(id: id, name: try names.name(of: entity, id: id))
            let deed = Act.Deed(
                action: "row_imported", entity: entity.name, count: 1, records: [record], facts: facts)
            let act = Act(
                time: origin.time, writtenAt: origin.writtenAt, actorID: origin.actorID,
                who: try names.person(origin.actorID), changeID: origin.importID, deeds: [deed])
            // Entries that the same file brought are older than the import.
            let place = acts.firstIndex { $0.isClaimed || ($0.writtenAt ?? $0.time) < (act.writtenAt ?? act.time) }
            acts.insert(act, at: place ?? acts.endIndex)
        }
    }

    // MARK: From entries to acts

    private func acts(_ rows: RowCursor, limit: Int, where isOf: (Entry) -> Bool) throws -> [Act] {
        var acts: [Act] = [], head: Head?, piles: [Pile] = []
        func finish() throws {
            if let head, let act = try act(head, piles) { acts.append(act) }
            piles = []
        }
        while let row = try rows.next() {
            let own = Head(stamp: row[0], time: row[1], actorID: row[2], isClaimed: row[3])
            if own != head {
                try finish()
                guard acts.count < limit else { return acts }
                head = own
            }
            let entry = Entry(action: row[4] ?? "", entity: row[5], id: row[6])
            guard !Self.silent.contains(entry.action), isOf(entry) else { continue }
            let index = piles.firstIndex { $0.action == entry.action && $0.entity == entry.entity } ?? piles.count
            if index == piles.count { piles.append(Pile(action: entry.action, entity: entry.entity)) }
            piles[index].count += 1
            let most = entry.action == "export_registered" ? 1000 : Act.mostRecords
            guard piles[index].kept.count < most else { continue }
            piles[index].kept.append(entry)
            piles[index].kept[piles[index].kept.count - 1].details = row[7]
        }
        try finish()
        return acts
    }

    private func act(_ head: Head, _ piles: [Pile]) throws -> Act? {
        let change =
            try head.isClaimed
            ? nil
            : Row.fetchOne(
                db,
                sql: """
                    SELECT i.id, d.reason, d.undone_at, CASE WHEN i.format = 'command' THEN NULL ELSE i.source END
                    FROM import_details AS d JOIN imports AS i ON i.id = d.import_id
                    WHERE d.stamp = ? AND d.actor_id IS ?
                    """, arguments: [head.stamp, head.actorID])
        let writtenAt = try String.fetchOne(
            db, sql: "SELECT written_at FROM fichero_writes WHERE stamp = ?", arguments: [head.stamp])
        let values: [String?] = change.map { [$0[0], $0[1], $0[2]] } ?? [nil, nil, nil]
        var act = Act(
            time: head.time ?? "", writtenAt: head.isClaimed ? nil : writtenAt, actorID: head.actorID,
            who: try names.person(head.actorID), isClaimed: head.isClaimed,
            reason: reader.seesWhole(actOf: head.actorID) ? values[1] : nil, changeID: values[0], undoneAt: values[2],
            deeds: [])
        for pile in piles.reversed() {
            let entries = Array(pile.kept.reversed())
            switch pile.action {
            case "import": act.deeds += try files.imports(entries, in: piles, by: head.actorID)
            case "export_registered": act.deeds += try files.registrations(entries)
            default: act.deeds.append(try deed(pile, entries))
            }
            // The entries of an import repeat its reason, which may be about other projects.
            if act.reason == nil, ActFiles.outcomes[pile.action] == nil,
                reader.seesDetails(of: pile.entity, isOfFile: head.isClaimed, in: pack)
            {
                act.reason = entries.lazy.compactMap { $0.json?["reason"]?.text }.first
            }
        }
        // The tables of an import count these.
        if act.deeds.contains(where: { $0.tables != nil }) {
            act.deeds.removeAll { ActFiles.outcomes[$0.action] != nil }
        } else if let source: String = change?[3], reader.seesWhole(actOf: head.actorID) {
            for index in act.deeds.indices { act.deeds[index].facts["file"] = ActFiles.shortName(source) }
        }
        return act.deeds.isEmpty ? nil : act
    }

    private func deed(_ pile: Pile, _ entries: [Entry]) throws -> Act.Deed {
        let entity = pile.entity.flatMap { pack.entity($0) }
        var deed = Act.Deed(action: pile.action, entity: pile.entity, count: pile.count)
        for entry in entries {
            let details = entry.json
            if let id = entry.id, let entity {
                let name = try names.name(of: entity, id: id) ?? names.name(ofGone: id, details?["before"], entity)
                let fields = try seesDetails ? fields(pile.action, details, entity) : []
                deed.records.append(
                    Act.Record(id: id, name: name, fields: fields, facts: facts(pile.action, details)))
            } else {
                deed.facts.merge(facts(pile.action, details)) { $1 }
            }
            if pile.action == "import_undone", let id = entry.id { deed.facts.merge(try files.undone(id)) { $1 } }
        }
        return deed
    }

    /// What an entry says beside values of fields. Only words that the program itself wrote are
    /// taken, no values of fields.
    private func facts(_ action: String, _ details: JSONValue?) -> [String: String] {
        let known: [String: [String]] = [
            "finding_accepted": ["code", "until"], "finding_acceptance_withdrawn": ["code"],
            "conflict_resolved": ["kept"], "numbers_assigned": ["first", "last"],
            "package_written": ["rows", "photos"],
        ]
        var facts: [String: String] = [:]
        for name in known[action] ?? [] { facts[name] = details?[name]?.stated }
        return facts
    }

    private func fields(_ action: String, _ details: JSONValue?, _ entity: Entity) throws -> [Act.Field] {
        guard let details else { return [] }
        if let state = entity.states.flatMap({ entity.field($0.field) }), reader.sees(state, of: pack),
            let from = details["from"]?.text, let to = details["to"]?.text
        {
            return [Act.Field(field: state.name, before: from, after: to)]
        }
        guard let before = details["before"], let after = details["after"], after.members != nil else { return [] }
        return try entity.fields.compactMap { field in
            guard !["id", "updated_at"].contains(field.name), reader.sees(field, of: pack) else { return nil }
            let (old, new) = (before[field.name]?.stated, after[field.name]?.stated)
            guard after[field.name] != nil || before[field.name] != nil, !RowConflict.isSame(old, new) else {
                return nil
            }
            return Act.Field(
                field: field.name, before: old, after: new, beforeName: try names.name(of: old, in: field),
                afterName: try names.name(of: new, in: field))
        }
    }
}
