import JSONReading
import Model

/// A source's table of events: replayed, and held against the tables of the same source; records of tables that the source does not
/// have come out of the log as rows of their own.
///
/// The log is held in memory, because it has to be put in order (`PackageLimits.events`); the tables are streamed.
struct EventLog {
    private(set) var findings: [Finding] = []
    /// The source's tables, and before the events those that the log makes up.
    private(set) var tables: [SourceTable]

    private let pack: Pack
    private let options: SourceOptions
    private let file: String
    private let replay: EventReplay
    /// Events that the replica has: what they say was applied when they came in.
    private let applied: Set<String>
    /// Records that their events end, and that the source has all the same.
    private var contradicted: Set<EventReplay.Key> = []

    private static let entity = "events"
    /// Parents first.
    private static let targets = ["types", "photos", "instances", "room_notes", "rooms"]

    /// Nil where the source has no events, or the pack knows none.
    init?(_ tables: [SourceTable], pack: Pack, options: SourceOptions) throws {
        guard let entity = pack.entity(Self.entity), entity.field("entity_id") != nil,
            let index = tables.firstIndex(where: { $0.name == Self.entity || entity.aliases.contains($0.name) })
        else { return nil }
        self.tables = tables
        self.pack = pack
        self.options = options
        let log = tables[index]
        file = log.file
        let events = try Self.events(of: log, entity, options.limits.events)
        replay = EventReplay(events)
        if replay.repeated > 0, let cells = log.cells {
            let repeated = Self.repeated(events)
            self.tables[index] = SourceTable(named: log.name, file: log.file, statedRows: log.statedRows, pack: pack, tally: log.tally) {
                try EventsOnce(cells(), repeated: repeated)
            }
        }
        applied = Set(try events.lazy.map(\.id).filter { try options.isKnown(Self.entity, $0) })
        var present: Set<EventReplay.Key> = []
        let unmade = Set(replay.needs.compactMap(\.key))
        for table in tables {
            guard let entity = pack.entities.first(where: { $0.name == table.name || $0.aliases.contains(table.name) }),
                Self.targets.contains(entity.name)
            else { continue }
            try compare(table, entity, unmade: unmade, &present)
        }
        try reportGaps(present)
        let given = Set(tables.compactMap { table in pack.entities.first { $0.name == table.name || $0.aliases.contains(table.name) }?.name })
        var made: [SourceTable] = []
        for name in Self.targets {
            if !given.contains(name), let table = try rows(of: name) { made.append(table) }
            if let table = try deletions(of: name) { made.append(table) }
        }
        self.tables.insert(contentsOf: made, at: index)
    }

    // MARK: Reading

    private static func events(of table: SourceTable, _ entity: Entity, _ limit: Int) throws -> [EventReplay.Event] {
        var events: [EventReplay.Event] = []
        // Rows that cannot go in are told when they are imported.
        try table.forEachRow(of: entity) { row in
            guard let type = row.text("type"), let target = row.text("entity_id") else { return }
            guard events.count < limit else {
                throw PackageFailure.tooLarge(path: table.file, name: "", limit: "events", value: "\(limit)", found: nil)
            }
            let payload = row.text("payload").flatMap { try? JSONValue.parse($0) } ?? .object([])
            events.append(EventReplay.Event(
                id: row.id, type: type, entityID: target, projectID: row.text("project_id"), operatorID: row.text("operator_id"),
                timestamp: row.text("timestamp"), payload: payload, line: row.place.line))
        }
        return events
    }

    private static func repeated(_ events: [EventReplay.Event]) -> Set<String> {
        var (seen, repeated): (Set<String>, Set<String>) = ([], [])
        for event in events where !seen.insert(event.id).inserted { repeated.insert(event.id) }
        return repeated
    }

    // MARK: The snapshot

    /// Holds the rows of a table against what the log says of them.
    private mutating func compare(
        _ table: SourceTable, _ entity: Entity, unmade: Set<EventReplay.Key>, _ present: inout Set<EventReplay.Key>
    ) throws {
        var missing = Set(replay.records.filter { $0.key.entity == entity.name && $0.value.isCreated && !$0.value.isDeleted }.keys)
        var found: [Finding] = []
        var contradicted: Set<EventReplay.Key> = []
        try table.forEachRow(of: entity) { row in
            let key = EventReplay.Key(entity: entity.name, id: row.id)
            if unmade.contains(key) { present.insert(key) }
            guard let record = replay.records[key] else { return }
            missing.remove(key)
            if record.isDeleted {
                contradicted.insert(key)
                found.append(difference(row.place, "id", snapshot: row.id, events: "—"))
            } else {
                found += differences(row, record, entity)
            }
        }
        self.contradicted.formUnion(contradicted)
        for key in missing.sorted() {
            let place = Place(table: entity.name, id: key.id, file: file, line: replay.records[key]?.line)
            found.append(difference(place, "id", snapshot: "—", events: key.id))
        }
        findings += found
    }

    private func differences(_ row: ConvertedRow, _ record: EventReplay.Record, _ entity: Entity) -> [Finding] {
        let values = ValueConversion(pack: pack)
        return record.fields.sorted { $0.key < $1.key }.compactMap { name, said in
            guard let field = entity.field(called: name), let stated = row.stated(field.name) else { return nil }
            let expected = (try? values.convert(said, for: field)).map { StateText.text($0, field) } ?? said.description
            let found = StateText.text(stated, field)
            guard expected != found else { return nil }
            let isPublic = field.privacy == pack.privacyClasses.first
            return difference(
                row.place, field.name, snapshot: isPublic ? String(found.prefix(120)) : "•••", events: isPublic ? String(expected.prefix(120)) : "•••")
        }
    }

    private func difference(_ place: Place, _ field: String, snapshot: String, events: String) -> Finding {
        var place = place
        place.field = field
        return Finding(
            code: "EVENT-STATE-DIFFERS", severity: .warning, place: place,
            arguments: ["record": place.id ?? "", "name": field, "snapshot": snapshot, "events": events])
    }

    // MARK: Gaps

    private mutating func reportGaps(_ present: Set<EventReplay.Key>) throws {
        for event in replay.unknown {
            findings.append(Finding(
                code: "EVENT-TYPE-UNKNOWN", severity: .error, place: place(event, field: "type"), arguments: ["type": String(event.type.prefix(80))]))
        }
        var told: Set<EventReplay.Key> = []
        for need in replay.needs {
            if let key = need.key {
                if present.contains(key) || replay.records[key]?.isCreated == true { continue }
                if try told.contains(key) || options.isKnown(key.entity, key.id) { continue }
                told.insert(key)
            }
            findings.append(Finding(
                code: "EVENT-GAP", severity: .warning, place: place(need.event, field: "entity_id"),
                arguments: ["type": need.event.type, "entity": need.key?.entity ?? "—", "record": need.key?.id ?? "—"]))
        }
    }

    private func place(_ event: EventReplay.Event, field: String) -> Place {
        Place(table: Self.entity, id: event.id, field: field, file: file, line: event.line)
    }

    // MARK: Rows out of the log

    /// The table that new events make up, nil where they make none.
    private mutating func rows(of name: String) throws -> SourceTable? {
        guard let entity = pack.entity(name) else { return nil }
        var rows: [SourceRow] = []
        for (key, record) in replay.records.filter({ $0.key.entity == name }).sorted(by: { $0.key < $1.key }) {
            guard record.events.contains(where: { !applied.contains($0) }) else { continue }
            guard !record.isDeleted else { continue }
            guard try record.isCreated || options.isKnown(name, key.id) else { continue }
            rows.append(SourceRow(value: Self.row(key.id, record, entity), file: file, line: record.line))
        }
        guard !rows.isEmpty else { return nil }
        return SourceTable(made: rows, of: name, file: file, pack: pack)
    }

    /// Records of the replica that the log ends, nil where there are none. They are handed over each time that the log is read: whether
    /// somebody has decided already is for the replica to know.
    private func deletions(of name: String) throws -> SourceTable? {
        var rows: [SourceRow] = []
        for (key, record) in replay.records.filter({ $0.key.entity == name && $0.value.isDeleted }).sorted(by: { $0.key < $1.key }) {
            guard !contradicted.contains(key), let event = record.deletedBy, try options.isKnown(name, key.id) else { continue }
            let said = JSONValue.object([
                .init(key: "id", value: .string(key.id)), .init(key: "deleted", value: .bool(true)), .init(key: "event", value: .string(event)),
            ])
            rows.append(SourceRow(value: said, isDeletion: true, file: file, line: record.line))
        }
        guard !rows.isEmpty else { return nil }
        return SourceTable(made: rows, of: name, file: file, pack: pack)
    }

    /// The record as a row: what events say by the names of fields, what they leave open from the event that made it.
    private static func row(_ id: String, _ record: EventReplay.Record, _ entity: Entity) -> JSONValue {
        var members: [JSONValue.Member] = [.init(key: "id", value: .string(id))]
        func add(_ name: String, _ value: JSONValue?) {
            guard let value, let field = entity.field(called: name), !members.contains(where: { $0.key == field.name }) else { return }
            members.append(.init(key: field.name, value: value))
        }
        for (name, value) in record.fields.sorted(by: { $0.key < $1.key }) { add(name, value) }
        guard record.isCreated else { return .object(members) }
        add("project_id", record.derived["project_id"])
        for name in ["created_at", "taken_at"] { add(name, record.derived["made_at"]) }
        for name in ["created_by_operator", "operator_id"] { add(name, record.derived["operator"]) }
        if entity.name == "photos" { add("upload_status", .string("Pending")) }
        return .object(members)
    }
}

/// A stored value in a form in which equal values are equal texts.
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

    /// Members sorted, numbers in shortest form, values taken out of the app's wrappings.
    static func plain(_ value: JSONValue) -> JSONValue {
        switch value {
        case .array(let items): return .array(items.map(plain))
        case .number(let digits): return Double(digits).map { .number($0.description) } ?? value
        case .object(let members):
            for name in ["stringValue", "numberValue", "boolValue", "dateValue"] where value["type"]?.text != nil && members.count <= 5 {
                if let inner = value[name], inner != .null { return plain(inner) }
            }
            return .object(members.map { .init(key: $0.key, value: plain($0.value)) }.sorted { $0.key < $1.key })
        default: return value
        }
    }
}
