import Digests
import JSONReading
import Model

/// Replays a source's table of events and compares the result with the tables of the same source.
/// Records of tables that the source lacks are derived from the log as rows.
///
/// The log is read first and only once, like every table: its events are stored while its rows pass
/// on to the replica. Events must be sorted, so they are stored in memory (`PackageLimits.events`,
/// `eventBytes`).
final class EventLog {
    /// Findings so far; complete when all tables have been read.
    private(set) var findings: [Finding] = []

    private let pack: Pack
    private let options: SourceOptions
    private let rules: EventRules
    private let file: String
    /// The entities whose tables the source contains.
    private let given: Set<String>
    /// Events of the log that have not been replayed yet.
    private var held = EventBuffer()
    private var replay: EventReplay
    /// Records that the log's events need, but that no event of the log created.
    private var unmade: Set<EventReplay.Key> = []
    /// Records that the source contains, but that no event of the log created.
    private var present: Set<EventReplay.Key> = []
    /// Records that events create, but that have no row in the source's table.
    private var missing: Set<EventReplay.Key> = []
    /// Records that events delete, but that the source still contains.
    private var contradicted: Set<EventReplay.Key> = []
    private var isCompared = false

    private var entity: Entity { rules.entity }

    /// Nil if the source has no events, or the pack defines none.
    init?(_ tables: [SourceTable], pack: Pack, options: SourceOptions) {
        guard let rules = EventRules(pack), let log = tables.first(where: { rules.entity.isCalled($0.name) }) else {
            return nil
        }
        (self.pack, self.options, self.rules, file) = (pack, options, rules, log.file)
        replay = EventReplay([], rules: rules)
        given = Set(tables.compactMap { table in pack.entities.first { $0.isCalled(table.name) }?.name })
    }

    /// The rows of a table; for an event log, without events that were sent twice.
    static func once(_ rows: any NamedRows, of table: String, pack: Pack) -> any NamedRows {
        EventRules(pack)?.entity.isCalled(table) ?? false ? EventsOnce(rows) : rows
    }

    /// The source's tables: first the log, then the tables that are compared with it, then the rows
    /// that the log creates and deletes.
    func tables(_ tables: [SourceTable]) -> [SourceTable] {
        guard let index = tables.firstIndex(where: { entity.isCalled($0.name) }) else { return tables }
        var rest = tables
        let log = rest.remove(at: index)
        let compared = rest.map { table in
            guard let entity = pack.entities.first(where: { $0.isCalled(table.name) }),
                rules.tables.contains(entity.name)
            else { return table }
            return table.seen(of: entity) { [self] row in compare(row, entity) }
        }
        let read = log.seen(
            of: entity, begin: { [self] in held = EventBuffer() }, end: { [self] in try follow() }, hold)
        var made: [SourceTable] = []
        for name in rules.tables {
            if !given.contains(name) {
                made.append(SourceTable(madeOf: name, file: file, pack: pack) { [self] in try rows(of: name) })
            }
            made.append(SourceTable(madeOf: name, file: file, pack: pack) { [self] in try deletions(of: name) })
        }
        return [read] + compared + made
    }

    // MARK: Reading

    /// Stores an event. The import reports rows that are not complete events.
    private func hold(_ row: ConvertedRow) throws {
        let log = rules.log
        guard let type = row.text(log.type), let target = row.text(log.record) else { return }
        let event = EventReplay.Event(
            id: row.id, type: type, entityID: target, projectID: log.project.flatMap(row.text),
            operatorID: log.operator.flatMap(row.text),
            timestamp: log.time.flatMap(row.text), line: row.place.line)
        held.append(
            event, payload: row.text(log.payload), milliseconds: EventReplay.milliseconds(of: event),
            rank: rules.rank(of: type))
        for (limit, value, found) in [
            ("events", options.limits.events, held.count), ("eventBytes", options.limits.eventBytes, held.byteCount),
        ]
        where found > value {
            throw PackageFailure.tooLarge(path: file, name: "", limit: limit, value: "\(value)", found: nil)
        }
    }

    /// Replays the log once it has been read completely.
    private func follow() throws {
        replay = try EventReplay(&held, rules: rules) { try options.isKnown(entity.name, $0) }
        unmade = Set(replay.needs.compactMap(\.key))
        // If the package is one of several parts, another part may have the row.
        guard !options.isPart else { return }
        missing = Set(
            replay.records.filter { given.contains($0.key.entity) && $0.value.isCreated && !$0.value.isDeleted }.keys)
    }

    // MARK: The snapshot

    /// Compares a row with the state derived from the log.
    private func compare(_ row: ConvertedRow, _ entity: Entity) {
        let key = EventReplay.Key(entity: entity.name, id: row.id)
        if unmade.contains(key) { present.insert(key) }
        guard let record = replay.records[key] else { return }
        missing.remove(key)
        if record.isDeleted {
            contradicted.insert(key)
            findings.append(difference(row.place, "id", snapshot: row.id, events: "—"))
        } else {
            findings += differences(row, record, entity)
        }
    }

    /// Finishes the comparison after the last of the source's tables.
    private func endComparison() throws {
        guard !isCompared else { return }
        isCompared = true
        for key in missing.sorted() {
            let place = Place(table: key.entity, id: key.id, file: file, line: replay.records[key]?.line)
            findings.append(difference(place, "id", snapshot: "—", events: key.id))
        }
        try reportGaps()
    }

    private func differences(_ row: ConvertedRow, _ record: EventReplay.Record, _ entity: Entity) -> [Finding] {
        let values = ValueConversion(pack: pack)
        return record.fields.sorted { $0.key < $1.key }.compactMap { name, said in
            guard let field = entity.field(called: name), let stated = row.stated(field.name) else { return nil }
            let expected = (try? values.convert(said, for: field)).map { StateText.text($0, field) } ?? said.description
            let found = StateText.text(stated, field)
            guard expected != found else { return nil }
            return difference(
                row.place, field.name, snapshot: pack.quoted(String(found.prefix(120)), of: field),
                events: pack.quoted(String(expected.prefix(120)), of: field))
        }
    }

    private func difference(_ place: Place, _ field: String, snapshot: String, events: String) -> Finding {
        var place = place
        place.field = field
        return Finding(
            "EVENT-STATE-DIFFERS", place: place,
            arguments: ["record": place.id ?? "", "name": field, "snapshot": snapshot, "events": events])
    }

    // MARK: Gaps

    private func reportGaps() throws {
        for event in replay.unknown {
            findings.append(
                Finding(
                    "EVENT-TYPE-UNKNOWN", place: place(event, field: rules.log.type),
                    arguments: ["type": String(event.type.prefix(80))]))
        }
        var noted: Set<EventReplay.Key> = []
        for need in replay.needs {
            // The gap was reported when the event was first imported.
            if try options.isKnown(rules.entity.name, need.event.id) { continue }
            if let key = need.key {
                if present.contains(key) || replay.records[key]?.isCreated == true { continue }
                if try noted.contains(key) || options.isKnown(key.entity, key.id) { continue }
                noted.insert(key)
            }
            findings.append(Finding(
                "EVENT-GAP", place: place(need.event, field: rules.log.record),
                arguments: ["type": need.event.type, "entity": need.key?.entity ?? "—", "record": need.key?.id ?? "—"]))
        }
    }

    private func place(_ event: EventReplay.Event, field: String) -> Place {
        Place(table: entity.name, id: event.id, field: field, file: file, line: event.line)
    }

    // MARK: Rows out of the log

    /// The records that new events create or change, as rows.
    private func rows(of name: String) throws -> [SourceRow] {
        try endComparison()
        guard let entity = pack.entity(name) else { return [] }
        var rows: [SourceRow] = []
        for (key, record) in records(of: name) where record.isNew && !record.isDeleted {
            guard try record.isCreated || options.isKnown(name, key.id) else { continue }
            rows.append(SourceRow(value: row(key.id, record, entity), file: file, line: record.line))
        }
        return rows
    }

    /// Records of the replica that the log deletes. They are returned whenever the log is read,
    /// because the replica stores whether someone has already decided about them.
    private func deletions(of name: String) throws -> [SourceRow] {
        try endComparison()
        var rows: [SourceRow] = []
        for (key, record) in records(of: name) where record.isDeleted && !contradicted.contains(key) {
            guard let event = record.deletedBy, try options.isKnown(name, key.id) else { continue }
            let said = JSONValue.object([
                .init(key: "id", value: .string(key.id)), .init(key: "deleted", value: .bool(true)),
                .init(key: "event", value: .string(event)),
            ])
            rows.append(SourceRow(value: said, isDeletion: true, file: file, line: record.line))
        }
        return rows
    }

    private func records(of name: String) -> [(key: EventReplay.Key, value: EventReplay.Record)] {
        replay.records.filter { $0.key.entity == name }.sorted { $0.key < $1.key }
    }

    /// The record as a row: values from the events by field name. Missing values are those of the
    /// event that created the record, then the pack's constants.
    private func row(_ id: String, _ record: EventReplay.Record, _ entity: Entity) -> JSONValue {
        var members: [JSONValue.Member] = [.init(key: "id", value: .string(id))]
        func add(_ name: String, _ value: JSONValue?) {
            guard let value, let field = entity.field(called: name), !members.contains(where: { $0.key == field.name })
            else { return }
            members.append(.init(key: field.name, value: value))
        }
        for (name, value) in record.fields.sorted(by: { $0.key < $1.key }) { add(name, value) }
        guard record.isCreated, let table = rules.log.table(entity.name) else { return .object(members) }
        for (name, value) in [
            (table.project, record.made.project), (table.time, record.made.time),
            (table.operator, record.made.operator),
        ] {
            if let name { add(name, value.map(JSONValue.string)) }
        }
        for (name, value) in table.values.sorted(by: { $0.key < $1.key }) { add(name, .string(value)) }
        return .object(members)
    }
}

extension Entity {
    fileprivate func isCalled(_ table: String) -> Bool { name == table || aliases.contains(table) }
}

/// Converts a stored value to a form in which equal values are equal texts.
enum StateText {
    static func text(_ value: MemoryRows.Value, _ field: Field) -> String {
        switch value {
        case .null: "—"
        case .integer(let integer): String(integer)
        case .real(let real): real.description
        case .text(let text):
            [.json, .point, .polygon, .list].contains(field.type)
                ? ((try? JSONValue.parse(text)).map { plain($0).description } ?? text) : text
        }
    }

    /// Sorts members, writes numbers in shortest form, and unwraps the app's value objects.
    static func plain(_ value: JSONValue) -> JSONValue {
        switch value {
        case .array(let items): return .array(items.map(plain))
        case .number(let digits): return Double(digits).map { .number($0.description) } ?? value
        case .object(let members):
            for name in ["stringValue", "numberValue", "boolValue", "dateValue"]
            where value["type"]?.text != nil && members.count <= 5 {
                if let inner = value[name], inner != .null { return plain(inner) }
            }
            return .object(members.map { .init(key: $0.key, value: plain($0.value)) }.sorted { $0.key < $1.key })
        default: return value
        }
    }
}

/// The rows of a log without exact duplicates of events, which are read and left out. An event with
/// a known id but different contents is passed on, so that the import rejects it.
final class EventsOnce: NamedRows {
    private let rows: any NamedRows
    /// Fingerprint of the first event with an id, by the id's fingerprint.
    private var first: [UInt64: UInt64] = [:]
    var names: [String] { rows.names }

    init(_ rows: any NamedRows) { self.rows = rows }

    func fill(_ batch: inout ForeignBatch) throws {
        try rows.fill(&batch)
        guard let column = rows.names.firstIndex(of: "id") else { return }
        for row in 0..<batch.rowCount {
            guard let id = batch.string(row, column)?.lowercased(),
                let value = try? JSONValue.parse(Array(batch.text[batch.rowText(row)]))
            else {
                continue
            }
            let (own, said) = (Self.fingerprint(id), Self.fingerprint(StateText.plain(value).description))
            if let known = first[own] {
                if known == said { batch.leaveOut(row) }
            } else {
                first[own] = said
            }
        }
    }

    /// Fingerprint of a text. Events include their ids: a false duplicate needs two collisions.
    private static func fingerprint(_ text: String) -> UInt64 { SHA256.digest(of: text).first }
}
