import Databases
import GRDB
import JSONReading
import Model

/// Writes an event for each row that a person's change added, changed or removed, into the log of
/// events that the pack describes. Events are written in the change's transaction, so each is sent
/// once, even after a kill. If the pack has no event type for a change, only the row
/// is sent.
struct ChangeEvents {
    private let application: ImportApplication
    private let log: EventLogDefinition
    private let events: EntityImporter
    private var db: Database { application.db }

    /// Nil: the pack has no log of events, or no person made the change. Nil also if a conflict is
    /// resolved with the sync partner's row, which the partner has already.
    init?(_ application: ImportApplication) throws {
        guard application.request.origin == .person, application.request.decision?.side != .remote,
            let log = application.pack.events,
            let events = try application.importer(of: log.entity)
        else { return nil }
        (self.application, self.log, self.events) = (application, log, events)
    }

    private struct Change {
        var kind: EventLogDefinition.Kind
        var id: String
        var project: String
        var payload: String
    }

    func write(_ staged: [EntityRows]) throws {
        var made: [Change] = []
        for rows in staged { made += try created(rows) }
        made += try updated() + removed()
        guard !made.isEmpty else { return }
        // The undo of the change finds the events by this import source.
        try db.execute(
            sql:
                """
                INSERT INTO import_sources (number, import_id, file) SELECT coalesce(max(number), 0) + 1, ?, ? \
                FROM import_sources
                """,
            arguments: [application.id, application.request.source])
        let source = db.lastInsertedRowID
        for change in made { try insert(change, source) }
    }

    // MARK: What happened

    private func kind(_ entity: String, _ does: (EventLogDefinition.Action) -> Bool) -> EventLogDefinition.Kind? {
        log.kinds.first { $0.entity == entity && does($0.action) }
    }

    private func created(_ rows: EntityRows) throws -> [Change] {
        guard rows.inserted > 0, let kind = kind(rows.importer.entity.name, { $0 == .create }) else { return [] }
        let entity = rows.importer.entity, table = log.table(entity.name)
        // The event has these fields outside its payload.
        let around = Set(["id"] + [table?.project, table?.operator, table?.time].compactMap(\.self))
        return try rows.newIDs().compactMap { id in
            try change(kind, rows.importer, id) { field, value in value != .null && !around.contains(field.name) }
        }
    }

    private func updated() throws -> [Change] {
        try Row.fetchAll(db, sql: "SELECT entity, row_id, before FROM temp.import_updated ORDER BY n").flatMap {
            row -> [Change] in
            guard let importer = try application.importer(of: row[0]),
                let before = try? JSONValue.stored(row[2] as String)
            else { return [] }
            let entity = importer.entity.name, id: String = row[1]
            var changed = Set((before.members ?? []).map(\.key))
            var made: [Change] = []
            for kind in log.kinds where kind.entity == entity {
                guard case .set(let field, let members) = kind.action, changed.remove(field) != nil,
                    let member = members.first,
                    let position = importer.entity.position(ofField: field),
                    let values = try importer.existing(id)?.values,
                    let project = try importer.reader.project(of: values)
                else { continue }
                made.append(
                    Change(
                        kind: kind, id: id, project: project,
                        payload: Self.object([(member, importer.entity.fields[position].type, values[position])])))
            }
            if let kind = kind(entity, { $0 == .update }),
                let change = try change(kind, importer, id, { field, _ in changed.contains(field.name) })
            {
                made.append(change)
            }
            return made
        }
    }

    private func removed() throws -> [Change] {
        let rows = try Row.fetchAll(
            db,
            sql: """
                SELECT r.entity, r.row_id, q.project_id FROM import_removals AS r JOIN main.sync_queue AS q \
                ON q.id = r.item_id WHERE r.import_id = ? ORDER BY r.n
                """, arguments: [application.id])
        return rows.compactMap { row in
            guard let kind = kind(row[0], { $0 == .delete }), let project: String = row[2] else { return nil }
            return Change(kind: kind, id: row[1], project: project, payload: "{}")
        }
    }

    /// The event of a row with the fields that `isSaid` selects; nil: no field is to be sent.
    private func change(
        _ kind: EventLogDefinition.Kind, _ importer: EntityImporter, _ id: String,
        _ isSaid: (Field, MemoryRows.Value) -> Bool
    ) throws -> Change? {
        guard let values = try importer.existing(id)?.values, let project = try importer.reader.project(of: values)
        else { return nil }
        let entity = importer.entity, left = Acknowledgement(entity, in: application.pack)?.positions ?? []
        let members = entity.travellingFields(for: application.request.actor, of: application.pack).filter { position in
            !left.contains(position) && entity.fields[position].name != "updated_at"
                && isSaid(entity.fields[position], values[position])
        }
        guard !members.isEmpty || kind.action == .create else { return nil }
        // Events use the field names of the sync partner's files.
        let payload = Self.object(
            members.map {
                (entity.fields[$0].aliases.first ?? entity.fields[$0].name, entity.fields[$0].type, values[$0])
            })
        return Change(kind: kind, id: id, project: project, payload: payload)
    }

    private static func object(_ members: [(name: String, type: FieldType, value: MemoryRows.Value)]) -> String {
        JSONValue.object(
            members.map { member in
                let value: JSONValue
                switch member.value {
                case .null: value = .null
                case .integer(let integer):
                    value = member.type == .boolean ? .bool(integer != 0) : .number(String(integer))
                case .real(let real): value = .number(real.description)
                case .text(let text):
                    let isJSON = [.json, .point, .polygon, .list].contains(member.type)
                    value = isJSON ? (try? JSONValue.stored(text)) ?? .string(text) : .string(text)
                }
                return JSONValue.Member(key: member.name, value: value)
            }
        ).description
    }

    // MARK: The event

    private func insert(_ change: Change, _ source: Int64) throws {
        let entity = events.entity, id = application.ids.next()
        var said: [String: String] = [
            "id": id, log.type: change.kind.type, log.record: change.id, log.payload: change.payload,
        ]
        if let field = log.project { said[field] = change.project }
        if let field = log.operator { said[field] = application.request.actor.id }
        if let field = log.time { said[field] = application.time }
        let values = entity.fields.map { said[$0.name].map(MemoryRows.Value.text) ?? .null }
        let states: [(SystemColumn, String)] = [
            (.syncState, "'local_only'"), (.localVersion, "1"), (.contentStamp, String(application.stamp)),
            (.ownMark, "0"), (.importSource, String(source)),
        ]
        let insert = try PreparedStatement(
            db,
            """
            INSERT INTO main.\(SQLText.name(entity.name)) \
            (\(SQLText.names(entity.fields.map(\.name) + states.map(\.0.rawValue))))
            VALUES (\((entity.fields.map { _ in "?" } + states.map(\.1)).joined(separator: ", ")))
            """)
        try insert.bind(values)
        try insert.run()
        try application.changes.enqueue(
            .insert, of: entity.name, id: id, project: change.project, payload: events.reader.givenJSON(values))
    }
}

extension Field {
    /// Whether two values of the field are equal, however they are written. JSON may have its
    /// members in another order; a time may have another time zone.
    func isSame(_ one: MemoryRows.Value, _ other: MemoryRows.Value) -> Bool {
        if one == other { return true }
        guard case .text(let first) = one, case .text(let second) = other else { return false }
        switch type {
        case .json, .point, .polygon, .list:
            guard let left = try? JSONValue.stored(first), let right = try? JSONValue.stored(second) else {
                return false
            }
            return left.isSame(as: right)
        case .datetime:
            guard let left = Timestamp.microseconds(first), let right = Timestamp.microseconds(second) else {
                return false
            }
            return left == right
        default: return false
        }
    }
}

extension JSONValue {
    /// Whether two values are equal; the order of an object's members does not matter, nor how a
    /// number is written.
    fileprivate func isSame(as other: JSONValue) -> Bool {
        switch (self, other) {
        case (.number(let one), .number(let two)): return one == two || Double(one) == Double(two)
        case (.array(let one), .array(let two)):
            return one.count == two.count && zip(one, two).allSatisfy { $0.isSame(as: $1) }
        case (.object(let one), .object(let two)):
            return one.count == two.count
                && one.allSatisfy { member in other[member.key]?.isSame(as: member.value) == true }
        default: return self == other
        }
    }
}
