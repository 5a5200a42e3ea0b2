import Databases
import Foundation
import GRDB
import Model

/// Writes the queue item to be uploaded and the log entry of a local change, in the transaction
/// that changes the rows.
final class ChangeLog {
    enum Operation: String {
        case insert = "INSERT"
        case update = "UPDATE"
        case delete = "DELETE"
        case upload = "UPLOAD"
    }

    private let db: Database
    private let pack: Pack
    let actorID: String?
    let environment: String
    let time: String
    private let ids: RisingIDs
    /// Number of the write (the stamp); nil until the first write, if none was given.
    private var stamp: Int64?
    private let queue: PreparedStatement
    private let log: PreparedStatement
    private var readers: [String: RowReader] = [:]

    /// - Parameters:
    ///   - ids: source of the ids of items and entries, each greater than the one before. Stamp and
    ///     id together give the order of events.
    ///   - stamp: number of the write to which the entries belong; nil: a new one is made.
    init(
        _ db: Database, pack: Pack, actorID: String?, environment: String, now: Date, ids: RisingIDs? = nil,
        stamp: Int64? = nil
    ) throws {
        self.db = db
        self.pack = pack
        self.actorID = actorID
        self.environment = environment
        self.ids = ids ?? RisingIDs(at: now)
        self.stamp = stamp
        time = Timestamp.format(now)
        queue = try PreparedStatement(
            db,
            """
            INSERT INTO sync_queue (id, project_id, operation, entity_type, entity_id, payload_json, retry_count, \
            created_at, content_stamp)
            VALUES (?, ?, ?, ?, ?, ?, 0, ?, ?)
            """)
        log = try PreparedStatement(
            db,
            """
            INSERT INTO activity_logs (id, project_id, actor_id, action, entity_type, entity_id, details, \
            environment, created_at, content_stamp)
            VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?)
            """)
    }

    /// Writes the queue item, with the row as it is now, and the log entry for one row.
    func record(
        _ operation: Operation, _ action: String, of entity: String, id: String, details: [String: String] = [:]
    ) throws {
        let reader = try reader(of: entity)
        guard let values = try reader.values(of: id) else { return }
        let project = try reader.project(of: values)
        try enqueue(
            operation, of: entity, id: id, project: project,
            payload: operation == .insert ? reader.givenJSON(values) : reader.json(values))
        try logEntry(
            action, of: entity, id: id, project: project, details: details.isEmpty ? nil : RowJSON.object(details))
    }

    /// Writes queue item and log entry for a changed row; returns the id of the queue item.
    func recordUpdate(_ action: String, of entity: String, id: String, details: String?) throws -> String? {
        let reader = try reader(of: entity)
        guard let values = try reader.values(of: id) else { return nil }
        let project = try reader.project(of: values)
        let item = try enqueue(.update, of: entity, id: id, project: project, payload: reader.json(values))
        try logEntry(action, of: entity, id: id, project: project, details: details)
        return item
    }

    /// Queues a row that exists again after its removal was sent, as a new row.
    func enqueueAgain(_ row: RowKey) throws {
        let reader = try reader(of: row.entity)
        guard let values = try reader.values(of: row.id) else { return }
        try enqueue(
            .insert, of: row.entity, id: row.id, project: reader.project(of: values), payload: reader.givenJSON(values))
    }

    @discardableResult
    func enqueue(_ operation: Operation, of entity: String, id: String, project: String?, payload: String?) throws
        -> String
    {
        let item = ids.next()
        try write(queue, item, project, operation.rawValue, entity, id, payload, time)
        return item
    }

    func logEntry(_ action: String, of entity: String?, id: String?, project: String?, details: String?) throws {
        try write(log, ids.next(), project, actorID, action, entity, id, details, environment, time)
    }

    /// Writes the same entry for each of some rows, by one statement.
    ///
    /// - Parameter rows: SQL condition on a row `t`.
    func logEach(_ action: String, of entity: Entity, where rows: String, details: String) throws {
        ImportFunctions.registerOwn(on: db, entity, ids: ids)
        try db.execute(
            sql: """
                INSERT INTO activity_logs
                  (id, project_id, actor_id, action, entity_type, entity_id, details, environment, created_at, \
                content_stamp)
                SELECT fichero_id(), \(RowProject(of: entity, in: pack).expression("t")), ?1, ?2, ?3, t.id, ?4, ?5, \
                ?6, ?7
                FROM main.\(SQLText.name(entity.name)) AS t WHERE \(rows) ORDER BY t.rowid
                """, arguments: [actorID, action, entity.name, details, environment, time, number()])
    }

    /// Runs an insertion with texts and the number of the write as its values.
    private func write(_ statement: PreparedStatement, _ texts: String?...) throws {
        for (index, text) in texts.enumerated() { try statement.bind(text, at: index + 1) }
        try statement.bind(.integer(number()), at: texts.count + 1)
        try statement.run()
    }

    /// Number of the write; the first call assigns it if none was given.
    func number() throws -> Int64 {
        if let stamp { return stamp }
        let next = try ReplicaKey.nextStamp(db)
        stamp = next
        return next
    }

    func reader(of entity: String) throws -> RowReader {
        if let reader = readers[entity] { return reader }
        guard let description = pack.entity(entity) else {
            throw DatabaseError(resultCode: .SQLITE_MISUSE, message: "unknown entity")
        }
        let reader = try RowReader(db, pack: pack, entity: description)
        readers[entity] = reader
        return reader
    }
}

/// Reads single whole rows of one entity, and finds the project to which a row belongs.
final class RowReader {
    let entity: Entity
    private let select: PreparedStatement
    private let projectIndex: Int?
    private let projectOfReference: PreparedStatement?
    /// The project of a parent that was removed locally, and whose removal waits to be sent.
    private let projectOfRemoved: PreparedStatement?
    /// The last parent and its project, cached because rows of one parent mostly follow each other.
    private var last: (reference: MemoryRows.Value, project: String?)?

    init(_ db: Database, pack: Pack, entity: Entity) throws {
        self.entity = entity
        select = try PreparedStatement(
            db, "SELECT \(SQLText.names(entity.fields.map(\.name))) FROM \(SQLText.name(entity.name)) WHERE id = ?")
        let path = entity.projectPath?.parts ?? []
        projectIndex = path.first.flatMap { first in entity.fields.firstIndex { $0.name == first } }
        projectOfReference =
            try path.count > 1 ? PreparedStatement(db, Self.lookup(path, pack: pack, from: entity)) : nil
        let parent = path.count > 1 ? path.first.flatMap { entity.field($0)?.references } : nil
        projectOfRemoved = try parent.map { parent in
            try PreparedStatement(
                db,
                """
                SELECT project_id FROM sync_queue WHERE entity_type = \(SQLText.literal(parent)) AND entity_id = ? \
                AND project_id IS NOT NULL LIMIT 1
                """
            )
        }
    }

    /// `calicata_id.project_id` as a query that leads from the value of `calicata_id` to the
    /// project's id.
    private static func lookup(_ path: [String], pack: Pack, from entity: Entity) -> String {
        var sql = "?1"
        var current: Entity? = entity
        for (index, part) in path.enumerated().dropLast() {
            current = current?.field(part)?.references.flatMap { pack.entity($0) }
            sql =
                "(SELECT \(SQLText.name(path[index + 1])) FROM \(SQLText.name(current?.name ?? "")) WHERE id = \(sql))"
        }
        return "SELECT " + sql
    }

    /// The row's values in the order of the entity's fields; nil if the row does not exist.
    func values(of id: String) throws -> [MemoryRows.Value]? {
        try select.bind(id, at: 1)
        defer { select.reset() }
        guard try select.step() else { return nil }
        return (0..<select.columnCount).map(select.value)
    }

    func project(of values: [MemoryRows.Value]) throws -> String? {
        guard let projectIndex else { return nil }
        let value = values[projectIndex]
        guard let projectOfReference else {
            if case .text(let id) = value { return id }
            return nil
        }
        if let last, last.reference == value { return last.project }
        let project = try Self.text(projectOfReference, value) ?? projectOfRemoved.flatMap { try Self.text($0, value) }
        if project != nil { last = (value, project) }
        return project
    }

    private static func text(_ statement: PreparedStatement, _ value: MemoryRows.Value) throws -> String? {
        try statement.bind(value, at: 1)
        defer { statement.reset() }
        return try statement.step() ? statement.text(0) : nil
    }

    /// JSON of the fields that have a value, which is enough to describe a new row.
    func givenJSON(_ values: [MemoryRows.Value]) -> String {
        var json = RowJSON()
        for (field, value) in zip(entity.fields, values) where value != .null { json.add(field.name, value) }
        return json.text
    }

    func json(_ values: [MemoryRows.Value]) -> String {
        var json = RowJSON()
        for (field, value) in zip(entity.fields, values) { json.add(field.name, value) }
        return json.text
    }
}
