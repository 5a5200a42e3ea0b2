import GRDB
import Model

/// Removes the rows that the server no longer has, within the caller's transaction.
///
/// A row with local changes stays as a conflict until a person decides, and so does a row to which
/// it refers. The parts of a record in conflict stay too, so that keeping the record keeps them.
struct PulledRemovals {
    private let db: Database
    private let pack: Pack
    private let changes: ChangeLog
    private let conflicts: ConflictKeeper
    private let findings: any FindingSink
    /// Rows that arrived, by entity: a removed row among them was created again, or moved.
    private let arrived: [String: PullStaging.Rows]
    /// Set if every difference from the server means damage, and so is reported.
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
        /// Rows that the server lost when it was restored from a backup: it had confirmed them, and
        /// reports no removal.
        var lost: Set<String> = []
    }

    /// - Parameter gone: removed rows by entity, records before their parts.
    func remove(_ gone: [Gone], _ lines: inout [String: PullAccount.Line]) throws {
        var gone = try gone.map { ($0.entity, try sendAgain(here($0), of: $0.entity)) }
        // Referring rows come first, since a row that stays keeps the rows to which it refers.
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
        /// Whether no change of the row waits to be sent or decided.
        var isConfirmed: Bool
        /// Whether the server has this row. False if the server deleted the row and a person
        /// decided to create it again.
        var isRemote: Bool
        /// Whether a restored server lost this row (see `Gone.lost`).
        var isLost: Bool
    }

    /// The removed rows that the replica still has and that did not also arrive.
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

    /// Records a conflict for each row that `stays` selects; returns the other rows.
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

    /// Queues lost rows that no person decides about, such as the log, so that they are sent again.
    /// Lost memberships are not sent: the server alone decides who may work on a project. Returns
    /// the remaining rows.
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

    /// Whether a row with local changes refers to the given row.
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

    /// Whether the server deleted the row's record too, and that conflict is still open.
    private func isPartOfContested(_ id: String, _ entity: Entity) throws -> Bool {
        // People do not decide about rows that Fichero itself writes.
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
