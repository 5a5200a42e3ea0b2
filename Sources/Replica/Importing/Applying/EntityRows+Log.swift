import Databases
import Foundation
import GRDB
import Model

/// What is written down of the rows that came in.
extension EntityRows {
    // MARK: Queue and log

    /// Writes the queue item of every new row that is to be uploaded, a new one even if the device
    /// had one, and the log entry of every row that came without a sync state of its own.
    func log(_ request: ImportRequest, time: String, stamp: Int64) throws {
        guard inserted > 0, !IndexPlan.logs.contains(entity.name) else { return }
        let stating = "FROM \(staged) WHERE sync_state IS NOT NULL"
        let hasStates = try request.believesStates && Bool.fetchOne(db, sql: "SELECT EXISTS (SELECT 1 \(stating))") == true
        // A later row with the same id does not decide the state.
        let firsts = "n NOT IN (SELECT n FROM temp.import_duplicates)"
        let isStateless = hasStates ? " AND t.id NOT IN (SELECT f_id \(stating) AND \(firsts))" : ""
        func rows(_ condition: String) -> String {
            "\(table) AS t WHERE t.rowid > \(before)\(condition) ORDER BY t.rowid"
        }
        let waits = hasStates ? " AND t.sync_state IN ('local_only', 'pending_upload', 'error')" : ""
        let operation = hasStates ? "CASE WHEN t.remote_updated_at IS NULL THEN 'INSERT' ELSE 'UPDATE' END" : "'INSERT'"
        let project = projectPath
        let goesUp = request.exchange == nil
        let indexes = try ["sync_queue", "activity_logs"].map { try IndexesAside(db, table: $0, newRows: inserted) }
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

    /// The key of the record within which a row's own key is unique: the pit of a photo. Nil where there is none, or
    /// the actor does not see it.
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
        // The key of a row in a project of others stays hidden.
        let isOwn = refused == 0 ? "true" : "s.n NOT IN (SELECT n FROM temp.import_refused WHERE code = 'CHANGE-PROJECT')"
        let key = keys.isEmpty || !isVisible ? "NULL" : "trim(" + keys.map { "coalesce(s.\(StagedEntity.column($0)), CASE WHEN \(isOwn) THEN t.\(SQLText.name($0.name)) END, '')" }.joined(separator: " || ' ' || ") + ")"
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
            if let json = rows.text(6) { differences = try JSONDecoder().decode([RowDifference].self, from: Data(json.utf8)) }
            for (index, difference) in differences.enumerated() {
                if let field = entity.field(difference.field), actor.sees(field, of: pack) { continue }
                (differences[index].before, differences[index].after) = (Pack.hiddenValue, Pack.hiddenValue)
            }
            try report(
                ImportRecord(
                    entity: entity.name, id: rows.text(0), key: rows.text(1), outcome: ImportOutcome(rawValue: rows.text(5) ?? "") ?? .unchanged,
                    changes: differences, place: place))
        }
        rows.reset()
    }
}
