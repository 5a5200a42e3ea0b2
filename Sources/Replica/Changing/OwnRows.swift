import Databases
import Foundation
import GRDB
import Model

/// Sets a field that Fichero itself writes (the exported mark, or a client's number), by statements
/// over all rows. Each row is queued for upload. A synced row still counts as synced (`own_mark`),
/// and its content as unchanged (its stamp stays). The remote's version is stored, so that only the
/// field is sent.
struct OwnRows {
    let entity: Entity
    private let db: Database
    private let pack: Pack
    private let changes: ChangeLog
    private var table: String { "main." + SQLText.name(entity.name) }

    static let temporary =
        "CREATE TEMP TABLE import_own_rows (n INTEGER PRIMARY KEY, id TEXT NOT NULL UNIQUE, number INTEGER)"
    /// FROM clause of the staged rows: `c` is the staged entry with the number, `t` is the row.
    private var rows: String { "temp.import_own_rows AS c CROSS JOIN \(table) AS t ON t.id = c.id" }

    /// - Parameter ids: source of the ids of queue items and log entries.
    init(_ db: Database, pack: Pack, _ entity: Entity, _ changes: ChangeLog, ids: RisingIDs) throws {
        (self.db, self.pack, self.entity, self.changes) = (db, pack, entity, changes)
        ImportFunctions.registerOwn(on: db, entity, ids: ids)
        try db.execute(sql: "DROP TABLE IF EXISTS temp.import_own_rows; " + Self.temporary)
    }

    /// Stages rows by their ids, each once.
    func stage(_ ids: [String]) throws { try stage(ids.map { ($0, nil) }) }

    func stage(_ rows: [(id: String, number: Int64?)]) throws {
        let insert = try PreparedStatement(db, "INSERT OR IGNORE INTO temp.import_own_rows (id, number) VALUES (?, ?)")
        for row in rows {
            try insert.bind(row.id, at: 1)
            try insert.bind(row.number.map { .integer($0) } ?? .null, at: 2)
            try insert.run()
        }
    }

    /// Drops staged rows that do not satisfy a condition on the row `t`.
    func keep(where condition: String) throws {
        try db.execute(
            sql: "DELETE FROM temp.import_own_rows WHERE id NOT IN (SELECT t.id FROM \(rows) WHERE \(condition))")
    }

    /// Sets a field of every staged row; returns the number of rows.
    ///
    /// - Parameter value: an expression over the row `t`.
    func set(_ field: String, to value: String) throws -> Int { try set([(field, value)]) }

    /// Sets several fields of every staged row at once.
    func set(_ values: [(field: String, value: String)]) throws -> Int {
        try keepBases()
        // In an UPDATE, SQL evaluates the right sides of SET on the row before the change.
        try db.execute(
            sql: """
                UPDATE \(table) AS t SET \
                \(values.map { "\(SQLText.name($0.field)) = \($0.value)" }.joined(separator: ", ")),
                  own_mark = CASE WHEN sync_state = 'synced' THEN 1 ELSE own_mark END,
                  sync_state = CASE WHEN sync_state = 'synced' THEN 'pending_upload' ELSE sync_state END,
                  local_version = local_version + 1
                WHERE t.id IN (SELECT id FROM temp.import_own_rows)
                """)
        let count = db.changesCount
        if count > 0 { try enqueue() }
        return count
    }

    /// SQL of the whole row `t` as JSON.
    private var wholeRow: String {
        let fields = entity.fields.map { "t." + SQLText.name($0.name) }.joined(separator: ", ")
        return "\(ImportFunctions.wholeJSON(entity))(\(fields))"
    }

    private func keepBases() throws {
        try db.execute(
            sql:
                """
                INSERT OR REPLACE INTO main.own_bases (entity, row_id, row) SELECT ?1, t.id, \(wholeRow) FROM \(rows) \
                WHERE t.sync_state = 'synced'
                """,
            arguments: [entity.name])
    }

    private func enqueue() throws {
        try db.execute(
            sql: """
                INSERT INTO main.sync_queue (id, project_id, operation, entity_type, entity_id, payload_json, \
                retry_count, created_at, content_stamp)
                SELECT fichero_id(), \(RowProject(of: entity, in: pack).expression("t")), 'UPDATE', ?1, t.id,
                  \(wholeRow), 0, ?2, ?3
                FROM \(rows) ORDER BY c.n
                """, arguments: [entity.name, changes.time, changes.number()])
    }

    /// Writes a log entry for every staged row.
    func log(_ action: String, details: String) throws {
        try db.execute(
            sql: """
                INSERT INTO main.activity_logs (id, project_id, actor_id, action, entity_type, entity_id, details, \
                environment, created_at, content_stamp)
                SELECT fichero_id(), \(RowProject(of: entity, in: pack).expression("t")), ?1, ?2, ?3, t.id, ?4, ?5, \
                ?6, ?7
                FROM \(rows) ORDER BY c.n
                """,
            arguments: [
                changes.actorID, action, entity.name, details, changes.environment, changes.time, changes.number(),
            ])
    }
}

/// Stores the numbers that a run's files show, and writes them into the numbered field, so that
/// they are sent with the rows.
struct NumberedRows {
    private let db: Database
    private let pack: Pack
    private let changes: ChangeLog
    private let ids: RisingIDs

    init(_ db: Database, pack: Pack, _ changes: ChangeLog, ids: RisingIDs) {
        (self.db, self.pack, self.changes, self.ids) = (db, pack, changes, ids)
    }

    /// Call this within a registration's transaction. If a number is already used, or a row already
    /// has one, the whole registration fails.
    func store(_ given: StoredNumbers) throws {
        let insert = try PreparedStatement(
            db, "INSERT INTO export_numbers (numbering, project_id, row_id, number) VALUES (?, ?, ?, ?)")
        for row in given.rows {
            for (index, text) in [given.numbering, given.projectID, row.rowID].enumerated() {
                try insert.bind(text, at: index + 1)
            }
            try insert.bind(row.number, at: 4)
            try insert.run()
        }
        let numbering = pack.numbering(given.numbering)
        if let numbering { try give(given.rows, numbering) }
        try changes.logEntry(
            "numbers_assigned", of: numbering?.entity, id: nil, project: given.projectID,
            details: RowJSON.object([
                "numbering": given.numbering, "first": String(given.rows.first?.number ?? 0),
                "last": String(given.rows.last?.number ?? 0),
            ]))
    }

    private func give(_ given: [(rowID: String, number: Int64)], _ numbering: Numbering) throws {
        guard let field = numbering.field, let entity = pack.entity(numbering.entity) else { return }
        let rows = try OwnRows(db, pack: pack, entity, changes, ids: ids)
        try rows.stage(given.map { ($0.rowID, $0.number) })
        try rows.keep(where: "t.\(SQLText.name(field)) IS NULL")
        _ = try rows.set(field, to: "(SELECT c.number FROM temp.import_own_rows AS c WHERE c.id = t.id)")
    }

    /// Copies numbers into a new field: versions without the field stored numbers only in a
    /// separate table.
    static func takeOver(_ additions: [String], _ db: Database, pack: Pack, now: Date) throws {
        for numbering in pack.numberings where additions.contains("\(numbering.entity).\(numbering.field ?? "")") {
            let ids = RisingIDs(at: now)
            let changes = try ChangeLog(
                db, pack: pack, actorID: nil, environment: pack.environments.first ?? "", now: now, ids: ids)
            let kept = try Row.fetchAll(
                db, sql: "SELECT row_id, number FROM export_numbers WHERE numbering = ? ORDER BY project_id, number",
                arguments: [numbering.name])
            try NumberedRows(db, pack: pack, changes, ids: ids).give(
                kept.map { (rowID: $0[0], number: $0[1]) }, numbering)
            try ImportApplication.dropTemporary(db)
        }
    }
}
