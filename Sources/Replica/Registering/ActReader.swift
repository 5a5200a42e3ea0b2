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
    private let seesDetails: Bool
    private var isAdministrator: Bool { reader.role.permissions.contains(.administer) }

    init(_ db: Database, pack: Pack, reader: Model.Actor, projects: [String], isOfAll: Bool) throws {
        (self.db, self.pack, self.reader, self.isOfAll) = (db, pack, reader, isOfAll)
        visible = try Quarantine.json(projects)
        names = ActNames(db, pack: pack, reader: reader, projects: Set(projects))
        seesDetails = pack.isVisible("details", of: "activity_logs", to: reader.role)
    }

    /// Entries that repeat what others say, or that are about the exchange of files only.
    static let silent = ["change", "export_superseded", "file_sent"]

    private struct Entry {
        var action: String
        var entity: String?
        var id: String?
        var details: String?
    }

    /// The entries of one act that belong to one deed; of very many, only the first are kept.
    private struct Pile {
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
            var facts = ["file": Self.shortName(origin.file ?? "")]
            facts["sheet"] = origin.sheet
            facts["row"] = origin.row.map(String.init)
            let own = acts.firstIndex { $0.changeID == origin.importID && !$0.isClaimed }
            if let own, let deed = acts[own].deeds.firstIndex(where: { $0.records.contains { $0.id == id } }) {
                if ["row_imported", "row_updated_by_import"].contains(acts[own].deeds[deed].action) {
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
                    SELECT i.id, d.reason, d.undone_at FROM import_details AS d JOIN imports AS i ON i.id = d.import_id
                    WHERE d.stamp = ? AND d.actor_id IS ?
                    """, arguments: [head.stamp, head.actorID])
        let writtenAt = try String.fetchOne(
            db, sql: "SELECT written_at FROM fichero_writes WHERE stamp = ?", arguments: [head.stamp])
        let values: [String?] = change.map { [$0[0], $0[1], $0[2]] } ?? [nil, nil, nil]
        var act = Act(
            time: head.time ?? "", writtenAt: head.isClaimed ? nil : writtenAt, actorID: head.actorID,
            who: try names.person(head.actorID), isClaimed: head.isClaimed,
            reason: seesDetails ? values[1] : nil, changeID: values[0], undoneAt: values[2], deeds: [])
        for pile in piles.reversed() {
            let entries = Array(pile.kept.reversed())
            switch pile.action {
            case "import": act.deeds += try imports(entries, by: head.actorID)
            case "export_registered": act.deeds += try registrations(entries)
            default: act.deeds.append(try deed(pile, entries))
            }
            if seesDetails, act.reason == nil {
                act.reason = entries.lazy.compactMap { Self.json($0.details)?["reason"]?.text }.first
            }
        }
        // The account of an import counts these.
        if act.deeds.contains(where: { $0.tables != nil }) {
            act.deeds.removeAll { ["row_imported", "row_updated_by_import", "conflict_detected"].contains($0.action) }
        }
        return act.deeds.isEmpty ? nil : act
    }

    private static func json(_ details: String?) -> JSONValue? { details.flatMap { try? JSONValue.stored($0) } }

    private func deed(_ pile: Pile, _ entries: [Entry]) throws -> Act.Deed {
        let entity = pile.entity.flatMap { pack.entity($0) }
        var deed = Act.Deed(action: pile.action, entity: pile.entity, count: pile.count)
        for entry in entries {
            let details = Self.json(entry.details)
            if let id = entry.id, let entity {
                let name = try names.name(of: entity, id: id) ?? names.name(ofGone: id, details?["before"], entity)
                let fields = try seesDetails ? fields(pile.action, details, entity) : []
                deed.records.append(
                    Act.Record(id: id, name: name, fields: fields, facts: facts(pile.action, details)))
            } else {
                deed.facts.merge(facts(pile.action, details)) { $1 }
            }
            if pile.action == "import_undone", let id = entry.id { deed.facts.merge(try undone(id)) { $1 } }
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

    // MARK: Imports and documents

    /// An import with what became of its rows. Somebody else's import shows only the records of the
    /// given projects.
    private func imports(_ entries: [Entry], by actorID: String?) throws -> [Act.Deed] {
        try entries.compactMap { entry in
            let isOpen = isOfAll && (isAdministrator || actorID == reader.id)
            let known = try Row.fetchOne(
                db, sql: "SELECT source, format FROM imports WHERE id = ?", arguments: [entry.id])
            let tables = isOpen ? tables(Self.json(entry.details)) : entry.id.flatMap { recordsOfImports[$0] } ?? []
            guard isOpen || !tables.isEmpty else { return nil }
            var deed = Act.Deed(action: entry.action, count: 1, tables: tables)
            if let known {
                let (source, format): (String, String) = (known[0] ?? "", known[1] ?? "")
                deed.facts.merge(["file": Self.shortName(source), "format": format]) { $1 }
            }
            return deed
        }
    }

    private func tables(_ details: JSONValue?) -> [Act.Table] {
        let lines = details?.items ?? details?["lines"]?.items ?? []
        return lines.compactMap { line in
            guard let name = line["entity"]?.text, let counts = line["counts"]?.members else { return nil }
            if let entity = pack.entity(name), [.fichero, .claims].contains(entity.writer) { return nil }
            let told = ["imported", "updated", "conflict", "rejected", "waiting"]
            let numbers = counts.compactMap { member in
                Int(member.value.stated ?? "").map { (member.key, $0) }
            }.filter { $0.1 > 0 && told.contains($0.0) }
            return numbers.isEmpty ? nil : Act.Table(entity: name, counts: Dictionary(numbers) { $1 })
        }
    }

    /// The numbers of records in the given projects by the import that added them.
    private lazy var recordsOfImports: [String: [Act.Table]] = {
        var found: [String: [Act.Table]] = [:]
        let roots = Set(pack.records.map(\.root))
        for entity in pack.entities where roots.contains(entity.name) && entity.projectPath != nil {
            let rows = try? Row.fetchAll(
                db,
                sql: """
                    SELECT s.import_id, count(*) FROM main.\(SQLText.name(entity.name)) AS t
                    JOIN import_sources AS s ON s.number = t.import_source
                    WHERE \(RowProject(of: entity, in: pack).expression("t")) IN (SELECT value FROM json_each(?)) \
                    GROUP BY 1
                    """, arguments: [visible])
            for row in rows ?? [] {
                found[row[0], default: []].append(Act.Table(entity: entity.name, counts: ["imported": row[1]]))
            }
        }
        return found
    }()

    /// What an undo took back, and when that had been done.
    private func undone(_ id: String) throws -> [String: String] {
        let row = try Row.fetchOne(
            db, sql: "SELECT source, started_at FROM imports WHERE id = ?", arguments: [id])
        guard let row else { return [:] }
        return ["source": Self.shortName(row[0] ?? ""), "time": row[1] ?? ""]
    }

    /// One deed for each document, whatever the number of its files.
    private func registrations(_ entries: [Entry]) throws -> [Act.Deed] {
        var deeds: [Act.Deed] = []
        for entry in entries {
            let row = try Row.fetchOne(
                db,
                sql: """
                    SELECT e.export_name, e.format, e.project_id, (SELECT v.version FROM document_versions AS v \
                    WHERE v.export_id = e.id LIMIT 1) FROM main.exports AS e WHERE e.id = ?
                    """, arguments: [entry.id])
            guard let row else { continue }
            let (name, format): (String, String) = (row[0] ?? "", row[1] ?? "")
            let isSigned = Self.json(entry.details)?["signed_export"] != nil
            let isReport = pack.reports.contains { $0.name == name }
            var facts = ["document": name, "version": (row[3] as Int?).map { String($0) } ?? ""]
            facts["project"] = try names.project(row[2])
            let action = isSigned ? "document_signed" : isReport ? "report_registered" : "export_registered"
            let index = deeds.firstIndex { deed in
                deed.action == action && facts.allSatisfy { deed.facts[$0.key] == $0.value }
            }
            guard let index else {
                facts["formats"] = format
                deeds.append(Act.Deed(action: action, count: 1, facts: facts))
                continue
            }
            deeds[index].count += 1
            let formats = deeds[index].facts["formats"]?.components(separatedBy: ", ") ?? []
            guard !formats.contains(format) else { continue }
            deeds[index].facts["formats"] = (formats + [format]).joined(separator: ", ")
        }
        return deeds
    }

    /// The last part of a path: a path may tell how an office's folders are named.
    private static func shortName(_ source: String) -> String {
        source.split(separator: "/").last.map(String.init) ?? source
    }
}
