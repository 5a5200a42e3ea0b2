import Databases
import Foundation
import GRDB
package import Model

/// Queue items and log entries for imported rows.
extension EntityRows {
    // MARK: Queue and log

    /// Writes a queue item for every new row that is to be uploaded, even if the row's device had
    /// queued it already. Writes a log entry for every row that arrived without a sync state.
    func log(_ request: ImportRequest, time: String, stamp: Int64) throws {
        guard inserted > 0, !IndexPlan.logs.contains(entity.name) else { return }
        let stating = "FROM \(staged) WHERE sync_state IS NOT NULL"
        let hasStates =
            try request.believesStates && Bool.fetchOne(db, sql: "SELECT EXISTS (SELECT 1 \(stating))") == true
        // If an id is repeated, only its first row decides the sync state.
        let firsts = "n NOT IN (SELECT n FROM temp.import_duplicates)"
        let isStateless = hasStates ? " AND t.id NOT IN (SELECT f_id \(stating) AND \(firsts))" : ""
        func rows(_ condition: String) -> String {
            "\(table) AS t WHERE t.rowid > \(before)\(condition) ORDER BY t.rowid"
        }
        let waits = hasStates ? " AND t.sync_state IN ('local_only', 'pending_upload', 'error')" : ""
        let operation = hasStates ? "CASE WHEN t.remote_updated_at IS NULL THEN 'INSERT' ELSE 'UPDATE' END" : "'INSERT'"
        let project = projectPath
        let goesUp = request.exchange == nil
        let indexes = try ["sync_queue", "activity_logs"].map { try DroppedIndexes(db, table: $0, newRows: inserted) }
        let values = entity.fields.map { "t." + SQLText.name($0.name) }.joined(separator: ", ")
        let payload = "\(ImportFunctions.json(entity))(\(values))"
        if goesUp {
            try db.execute(
                sql: """
                    INSERT INTO main.sync_queue (id, project_id, operation, entity_type, entity_id, payload_json,
                      retry_count, created_at, content_stamp)
                    SELECT fichero_id(), \(project), \(operation), ?1, t.id, \(payload), 0, ?2, \(stamp)
                    FROM \(rows(waits))
                    """, arguments: [entity.name, time])
        }
        let action = request.isFounding ? "profile_created" : request.origin.added
        let details = request.isFounding ? "coalesce(?5, json_object('role', t.role))" : "?5"
        let reason = request.origin == .person ? request.reason.map { RowJSON.object(["reason": $0]) } : nil
        try LogChain.writingMany(db) {
            try db.execute(
                sql: """
                    INSERT INTO main.activity_logs (id, project_id, actor_id, action, entity_type, entity_id, details,
                      environment, created_at, content_stamp)
                    SELECT fichero_id(), \(project), ?1, '\(action)', ?2, t.id, \(details), ?3, ?4, \(stamp)
                    FROM \(rows(isStateless))
                    """, arguments: [request.actor.id, entity.name, request.environment, time, reason])
        }
        for index in indexes { try index.putBack() }
    }

    /// The project of a row `t`, as an SQL expression.
    private var projectPath: String {
        guard let path = entity.projectPath?.parts, path.count > 1 else {
            return RowProject(of: entity, in: pack).expression("t")
        }
        return "\(ImportFunctions.project(entity))(t.\(SQLText.name(path[0])))"
    }

    // MARK: Record by record

    /// The key of the parent record within which a row's key is unique, such as a photo's pit. Nil
    /// if the key is unique by itself, or if the actor may not see the parent.
    private func ownerKey(of actor: Model.Actor, _ pack: Pack, where isOwn: String) -> String? {
        guard let scope = entity.keyScope.flatMap({ entity.field($0) }),
            let owner = scope.references.flatMap(pack.entity)
        else { return nil }
        let keys = owner.key.compactMap { owner.field($0) }
        guard !keys.isEmpty, (keys + [scope]).allSatisfy({ actor.sees($0, of: pack) }) else { return nil }
        let text = keys.map { "o.\(SQLText.name($0.name))" }.joined(separator: " || ' ' || ")
        let id = "coalesce(s.\(StagedEntity.column(scope)), t.\(SQLText.name(scope.name)))"
        let table = SQLText.name(owner.name)
        return "coalesce((SELECT \(text) || ' / ' FROM \(table) AS o WHERE o.id = \(id) AND \(isOwn)), '')"
    }

    /// Reports the outcome of each staged row.
    func forEachRecord(of actor: Model.Actor, pack: Pack, _ tell: (ImportRecord) throws -> Void) throws {
        let keys = entity.key.compactMap { entity.field($0) }
        let isVisible = keys.allSatisfy { actor.sees($0, of: pack) }
        // The key of a row in a project that the actor cannot see stays hidden.
        let isOwn =
            refused == 0 ? "true" : "s.n NOT IN (SELECT n FROM temp.import_refused WHERE code = 'CHANGE-PROJECT')"
        let key =
            keys.isEmpty || !isVisible
            ? "NULL"
            : "trim("
                + keys.map {
                    "coalesce(s.\(StagedEntity.column($0)), CASE WHEN \(isOwn) THEN t.\(SQLText.name($0.name)) END, '')"
                }.joined(separator: " || ' ' || ") + ")"
        let owner = ownerKey(of: actor, pack, where: isOwn).map { $0 + " || " } ?? ""
        let rows = try PreparedStatement(
            db,
            """
            SELECT s.f_id, \(owner)\(key), s.line, s.pointer, p.place,
              coalesce(o.outcome, CASE WHEN t.rowid > \(before) THEN 'imported' ELSE 'unchanged' END), o.changes
            FROM \(staged) AS s JOIN staging.places AS p ON p.number = s.place
              LEFT JOIN \(table) AS t ON t.id = s.f_id LEFT JOIN temp.import_outcomes AS o ON o.n = s.n
            ORDER BY s.n
            """)
        while try rows.step() {
            var place = try Quarantine.place(rows.text(4) ?? "{}")
            place.pointer = rows.text(3)
            if case .integer(let line) = rows.value(2) { place.line = Int(line) }
            var differences: [RowDifference] = []
            if let json = rows.text(6) {
                differences = try JSONDecoder().decode([RowDifference].self, from: Data(json.utf8))
            }
            for (index, difference) in differences.enumerated() {
                if let field = entity.field(difference.field), actor.sees(field, of: pack) { continue }
                (differences[index].before, differences[index].after) = (Pack.hiddenValue, Pack.hiddenValue)
            }
            try tell(
                ImportRecord(
                    entity: entity.name, id: rows.text(0), key: rows.text(1),
                    outcome: ImportOutcome(rawValue: rows.text(5) ?? "") ?? .unchanged,
                    changes: differences, place: place))
        }
        rows.reset()
    }
}

/// The outcome of one row of an import.
package struct ImportRecord: Sendable, Hashable, Codable {
    package var entity: String
    package var id: String?
    /// The row's readable name, if the actor may see it.
    package var key: String?
    package var outcome: ImportOutcome
    /// The differences from the existing row.
    package var changes: [RowDifference] = []
    package var place: Place
}

/// One field of a row that differs.
package struct RowDifference: Sendable, Hashable, Codable {
    package var field: String
    package var before: String?
    package var after: String?
}

/// A device's upload queue, which an administrator imports. For rows that are also queued in the
/// replica, it supplies the operation, the number of attempts and the last error. The replica's
/// payloads stay unchanged.
struct DeviceQueue {
    private let db: Database
    private let rows: EntityRows

    init(_ db: Database, _ rows: EntityRows) { (self.db, self.rows) = (db, rows) }

    /// Copies the device's values. If a row has several items, INSERT wins over UPDATE, and the
    /// highest number of attempts is stored.
    func takeOver() throws {
        try db.execute(
            sql: """
                CREATE TEMP TABLE import_trials (entity TEXT, row_id TEXT, operation TEXT, retries INTEGER, error \
                TEXT, since TEXT, PRIMARY KEY (entity, row_id)) WITHOUT ROWID;
                INSERT INTO temp.import_trials
                SELECT f_entity_type, f_entity_id,
                  CASE WHEN sum(f_operation = 'INSERT') > 0 THEN 'INSERT' WHEN sum(f_operation = 'UPDATE') > 0 \
                THEN 'UPDATE' ELSE max(f_operation) END,
                  max(coalesce(f_retry_count, 0)), max(f_last_error), min(f_created_at)
                FROM \(rows.staged) WHERE f_entity_type IS NOT NULL AND f_entity_id IS NOT NULL GROUP BY 1, 2
                """)
        try db.execute(
            sql: """
                UPDATE main.sync_queue SET operation = coalesce(t.operation, sync_queue.operation), retry_count = \
                t.retries, last_error = t.error,
                  created_at = coalesce(t.since, sync_queue.created_at)
                FROM temp.import_trials AS t WHERE sync_queue.rowid > ? AND t.entity = sync_queue.entity_type \
                AND t.row_id = sync_queue.entity_id
                """, arguments: [rows.before])
    }
}

extension EntityRows {
    /// Readable name of a record of the replica, such as `P-1 / C-2`; nil if it has no name that
    /// everybody may see.
    func name(of id: String) throws -> String? { try Self.name(of: id, importer.entity, pack: pack, db) }

    static func name(of id: String, _ entity: Entity, pack: Pack, _ db: Database) throws -> String? {
        guard !entity.key.isEmpty,
            pack.namePaths(of: entity).allSatisfy({ pack.mayQuote(pack.field(at: $0, from: entity)) })
        else { return nil }
        var joins = PathJoins(from: entity, pack: pack)
        let key = RowNaming.key(of: entity, pack: pack, joins: &joins)
        return try String.fetchOne(
            db, sql: "SELECT \(key) FROM \(SQLText.name(entity.name)) AS t0\(joins.sql) WHERE t0.id = ?",
            arguments: [id])
    }

    /// Readable name of a staged row. It is the name of the replica's row if there is one;
    /// otherwise it is the owner's name, followed by the row's key.
    func name(ofStaged n: Int64, id: String) throws -> String? {
        // A name that ends in an id, because the key is missing, is shortened to the owner's name.
        if let name = try name(of: id), !name.isEmpty {
            return name.hasSuffix(Pack.nameSeparator + id)
                ? String(name.dropLast((Pack.nameSeparator + id).count)) : name
        }
        return try Self.name(ofStaged: ("n", n), importer.entity, pack: pack, db)
    }

    /// Name from staged rows only, for an owner that may be a row that this import has removed.
    private static func name(
        ofStaged row: (column: String, value: any DatabaseValueConvertible), _ entity: Entity, pack: Pack,
        _ db: Database
    ) throws -> String? {
        let own = entity.key.compactMap { entity.field($0) }.filter {
            $0.references == nil && pack.mayQuote($0) && $0.name != "id"
        }
        let isStaged = try Bool.fetchOne(
            db, sql: "SELECT EXISTS (SELECT 1 FROM staging.entities WHERE entity = ?)", arguments: [entity.name])
        guard isStaged == true, !own.isEmpty else { return nil }
        let scope = entity.keyScope.flatMap { entity.field($0) }
        let columns = (own + [scope].compactMap(\.self)).map { "CAST(\(StagedEntity.column($0)) AS TEXT)" }.joined(
            separator: ", ")
        let table = StagedEntity.table(of: entity.name)
        // Thousands of parts may refer to thousands of removed owners, so an index is needed.
        if row.column == "f_id" {
            try db.execute(
                sql: "CREATE INDEX IF NOT EXISTS staging.\(SQLText.name("owners_" + entity.name)) ON \(table) (f_id)")
        }
        let staged = try Row.fetchOne(
            db, sql: "SELECT \(columns) FROM staging.\(table) WHERE \(row.column) = ? ORDER BY n LIMIT 1",
            arguments: [row.value])
        guard let staged else { return nil }
        var names = own.indices.compactMap { index in (staged[index] as String?).map { String($0.prefix(80)) } }
        if names.isEmpty { return nil }
        if let outer = scope?.references.flatMap({ pack.entity($0) }), outer.name != entity.name,
            let id: String = staged[own.count]
        {
            let owner = try name(of: id, outer, pack: pack, db) ?? name(ofStaged: ("f_id", id), outer, pack: pack, db)
            if let owner { names.insert(owner, at: 0) }
        }
        return names.joined(separator: Pack.nameSeparator)
    }

    /// Fields in which a staged row differs from an earlier one: `depth_m: 2.0 ≠ 3.1`.
    func differences(_ n: Int64, from first: Int64) throws -> [String] {
        let entity = importer.entity
        let columns = entity.fields.map { "CAST(\(StagedEntity.column($0)) AS TEXT)" }.joined(separator: ", ")
        func values(_ n: Int64) throws -> Row? {
            try Row.fetchOne(db, sql: "SELECT \(columns) FROM \(staged) WHERE n = ?", arguments: [n])
        }
        guard let before = try values(first), let after = try values(n) else { return [] }
        return entity.fields.indices.compactMap { index in
            let (old, new): (String?, String?) = (before[index], after[index])
            guard old != new else { return nil }
            let field = entity.fields[index]
            return pack.mayQuote(field)
                ? """
                    \(field.name): \(old.map { String($0.prefix(40)) } ?? "—") ≠ \
                    \(new.map { String($0.prefix(40)) } ?? "—")
                    """
                : field.name
        }
    }
}
