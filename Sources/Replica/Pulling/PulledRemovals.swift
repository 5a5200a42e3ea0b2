import GRDB
import Model

/// Removes the rows that the server no longer has, within the caller's transaction.
///
/// A row with local changes stays as a conflict, and so does a row to which it refers: a person
/// decides. The parts of a record in conflict wait with it, so that keeping the record keeps them.
struct PulledRemovals {
    private let db: Database
    private let pack: Pack
    private let changes: ChangeLog
    private let conflicts: ConflictKeeper
    private let findings: any FindingSink
    /// Rows that arrived, by entity: a removed row that arrived exists again, or in another place.
    private let arrived: [String: PullStaging.Rows]
    /// Set if every difference is damage.
    private let comparison: ValueComparison?

    init(
        _ db: Database, pack: Pack, changes: ChangeLog, conflicts: ConflictKeeper, findings: any FindingSink,
        arrived: [String: PullStaging.Rows],
        comparison: ValueComparison? = nil
    ) {
        (self.db, self.pack, self.changes, self.conflicts, self.findings, self.arrived) = (
            db, pack, changes, conflicts, findings, arrived
        )
        self.comparison = comparison
    }

    /// Rows of an entity that the server no longer has.
    struct Gone {
        var entity: Entity
        var ids: [String]
        /// Rows that the server confirmed before it was restored from a backup, and whose removal
        /// it does not report.
        var lost: Set<String> = []
    }

    /// - Parameter gone: owners before their parts.
    func remove(_ gone: [Gone], _ lines: inout [String: PullAccount.Line]) throws {
        var gone = try gone.map { ($0.entity, try sendAgain(here($0), of: $0.entity)) }
        // Referring rows are first, since a row that stays keeps the rows to which it refers.
        for (index, (entity, rows)) in gone.enumerated().reversed() {
            gone[index].1 = try stay(rows, of: entity, isTold: true, &lines) {
                try !$0.isConfirmed || ($0.isLost && entity.isDecidedByPeople) || isNeeded($0.id, entity)
            }
        }
        var keepsParts = false
        for (index, (entity, rows)) in gone.enumerated() where !rows.isEmpty {
            gone[index].1 = try stay(rows, of: entity, isTold: false, &lines) { try isPartOfContested($0.id, entity) }
            keepsParts = keepsParts || gone[index].1.count < rows.count
        }
        for (entity, rows) in gone.reversed() where !rows.isEmpty {
            let rest =
                try keepsParts ? stay(rows, of: entity, isTold: true, &lines) { try isNeeded($0.id, entity) } : rows
            try comparison?.reportSurplus(rest.map(\.id), of: entity)
            for row in rest {
                try db.execute(cachedSQL: "DELETE FROM main.\(SQLText.name(entity.name)) WHERE id = ?", [row.id])
            }
            lines[entity.name, default: .init(entity: entity.name)].removed += rest.count
        }
    }

    /// A row of the replica.
    private struct Row {
        var id: String
        /// No change of it waits to be sent or decided.
        var isConfirmed: Bool
        /// Whether the server has this row. False if the server deleted the row and a person
        /// decided to create it again.
        var isRemote: Bool
        /// As `Gone.lost`.
        var isLost: Bool
    }

    private func here(_ gone: Gone) throws -> [Row] {
        let (entity, ids) = (gone.entity, gone.ids)
        guard !ids.isEmpty else { return [] }
        let isArrived = arrived[entity.name].map { "id IN (SELECT f_id FROM \($0.table))" } ?? "false"
        return try GRDB.Row.fetchAll(
            db,
            sql: """
                SELECT id, sync_state IN ('synced', 'pending_download') \
                AND own_mark = 0, remote_updated_at IS NOT NULL FROM main.\(SQLText.name(entity.name))
                WHERE id IN (SELECT value FROM json_each(?)) AND NOT (\(isArrived))
                """, arguments: [try Quarantine.json(ids)]
        ).map { Row(id: $0[0], isConfirmed: $0[1], isRemote: $0[2], isLost: gone.lost.contains($0[0])) }
    }

    /// Records a conflict for each row that stays; returns the other rows.
    private func stay(
        _ rows: [Row], of entity: Entity, isTold: Bool, _ lines: inout [String: PullAccount.Line],
        _ stays: (Row) throws -> Bool
    ) throws -> [Row] {
        guard !rows.isEmpty else { return [] }
        let importer = try EntityImporter(
            db, pack: pack, entity: entity, reader: changes.reader(of: entity.name), origin: .remote)
        return try rows.filter { row in
            guard try stays(row) else { return true }
            guard row.isRemote, let existing = try importer.existing(row.id) else { return false }
            // A removal must not lose local changes, so a person decides.
            let kept = try conflicts.keepRemote(
                importer, id: row.id, local: existing.values, remote: RowConflict.deletion(of: row.id))
            guard kept.id != nil else { return false }
            lines[entity.name, default: .init(entity: entity.name)].conflict += 1
            if isTold {
                let place = Place(
                    table: entity.name, id: row.id, key: try EntityRows.name(of: row.id, entity, pack: pack, db))
                try findings.add(Finding(row.isLost && row.isConfirmed ? "SYNC-LOST" : "SYNC-DELETED", place: place))
            }
            return false
        }
    }

    /// Queues rows again that a restored server lost and that nobody decides about, such as the
    /// log. The server alone decides who may work on what. Returns the other rows.
    private func sendAgain(_ rows: [Row], of entity: Entity) throws -> [Row] {
        let lost = rows.filter { $0.isLost && $0.isConfirmed }
        guard !lost.isEmpty, !entity.isDecidedByPeople, entity.writer != .administrators else { return rows }
        let importer = try EntityImporter(
            db, pack: pack, entity: entity, reader: changes.reader(of: entity.name), origin: .remote)
        for row in lost {
            try db.execute(
                cachedSQL:
                    """
                    UPDATE main.\(SQLText.name(entity.name)) SET sync_state = 'pending_upload', remote_updated_at = \
                    NULL WHERE id = ?
                    """,
                [row.id])
            guard !IndexPlan.logs.contains(entity.name), let values = try importer.existing(row.id)?.values else {
                continue
            }
            _ = try changes.enqueue(
                .insert, of: entity.name, id: row.id, project: importer.reader.project(of: values),
                payload: importer.reader.json(values))
        }
        return rows.filter { !($0.isLost && $0.isConfirmed) }
    }

    /// Whether a row with local changes refers to this one.
    private func isNeeded(_ id: String, _ entity: Entity) throws -> Bool {
        for other in pack.entities where !IndexPlan.logs.contains(other.name) {
            for field in other.fields where field.references == entity.name && field.type != .list {
                let sql =
                    """
                    SELECT 1 FROM main.\(SQLText.name(other.name)) WHERE \(SQLText.name(field.name)) = ? \
                    AND sync_state NOT IN ('synced', 'pending_download') LIMIT 1
                    """
                if try GRDB.Row.fetchOne(db, cachedSQL: sql, [id]) != nil { return true }
            }
        }
        return false
    }

    /// Whether the server also deleted the row's record, and the record waits for a decision.
    private func isPartOfContested(_ id: String, _ entity: Entity) throws -> Bool {
        // Nobody decides about what Fichero itself writes.
        guard entity.isDecidedByPeople else { return false }
        for field in entity.fields where field.deletesWithParent && field.type != .list {
            guard let owner = field.references else { continue }
            let sql = """
                SELECT 1 FROM main.\(SQLText.name(entity.name)) AS t CROSS JOIN main.conflicts AS k
                  ON k.entity_type = ?2 AND k.entity_id = t.\(SQLText.name(field.name)) AND k.resolution_status = 'open'
                WHERE t.id = ?1 AND json_valid(k.remote_payload) AND json_extract(k.remote_payload, '$.deleted') LIMIT 1
                """
            if try GRDB.Row.fetchOne(db, cachedSQL: sql, [id, owner]) != nil { return true }
        }
        return false
    }
}
