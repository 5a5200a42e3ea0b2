import Databases
import GRDB
import Model

/// Finds synced rows whose values differ from the server's although the versions are equal. Then
/// the replica's file was damaged, or the row was changed on the server without a new version.
///
/// Changes that the server reports were applied before. The activity log stores the old values.
struct ValueComparison {
    let db: Database
    let pack: Pack
    let changes: ChangeLog
    let findings: any FindingSink
    /// Whether all of the server's changes were applied. If not, only equal versions are compared.
    let isExact: Bool

    /// Ids of rows that were pulled once and are now missing. Call it before they are added again.
    ///
    /// - Parameter isRemovedHere: SQL condition: a staged row was removed locally.
    func missing(_ rows: PullStaging.Rows, isRemovedHere: String) throws -> [String] {
        guard isExact else { return [] }
        return try String.fetchAll(
            db,
            sql:
                """
                SELECT f_id FROM \(rows.table) WHERE f_id NOT IN (SELECT id \
                FROM main.\(SQLText.name(rows.entity.name))) AND NOT (\(isRemovedHere)) ORDER BY n
                """
        )
    }

    /// Reports rows that were missing. Call it after they are added, when they have a name.
    func reportMissing(_ ids: [String], of entity: Entity) throws {
        for id in ids { try findings.add(Finding("SYNC-ROW-MISSING", place: place(of: id, entity))) }
    }

    /// Reports the rows that differ. Call it before the server's values replace the local ones.
    func reportDifferences(_ rows: PullStaging.Rows, _ importer: EntityImporter) throws {
        // If the server does not report when a row changed, new values and damage look alike.
        guard rows.isDated else { return }
        let entity = rows.entity
        let isJudged = isExact ? "" : "AND t.remote_updated_at IS s.version"
        let found = try PreparedStatement(
            db,
            """
            SELECT \((["s.f_id"] + rows.arrived).joined(separator: ", ")) FROM \(rows.table) AS s \
            JOIN main.\(SQLText.name(entity.name)) AS t ON t.id = s.f_id
            WHERE t.sync_state = 'synced' AND t.own_mark = 0 \(isJudged) AND \(rows.differs) ORDER BY s.n
            """)
        while try found.step() {
            guard let id = found.text(0), let existing = try importer.existing(id)?.values else { continue }
            var values = existing
            for (column, field) in rows.fields.enumerated() { values[field] = found.value(column) }
            // `updated_at` is bookkeeping: a row that was sent keeps its local time.
            let differences = importer.differences(values, from: existing).filter { difference in
                guard difference.field != "updated_at", let position = entity.position(ofField: difference.field) else {
                    return false
                }
                return !entity.fields[position].isSame(existing[position], values[position])
            }
            guard !differences.isEmpty else { continue }
            try log(id, entity, existing, importer, details: importer.trail(of: differences, reason: nil))
            try findings.add(
                Finding(
                    "SYNC-VALUES-DIFFER", place: place(of: id, entity),
                    arguments: ["fields": differences.map(\.field).joined(separator: ", ")]))
        }
    }

    /// Reports rows that only this replica has, before they are removed.
    func reportSurplus(_ ids: [String], of entity: Entity) throws {
        guard isExact, !ids.isEmpty else { return }
        let importer = try EntityImporter(
            db, pack: pack, entity: entity, reader: changes.reader(of: entity.name), origin: .remote)
        for id in ids {
            guard let existing = try importer.existing(id)?.values else { continue }
            try log(id, entity, existing, importer, details: "{\"before\":\(importer.reader.json(existing))}")
            try findings.add(Finding("SYNC-ROW-SURPLUS", place: place(of: id, entity)))
        }
    }

    private func log(
        _ id: String, _ entity: Entity, _ values: [MemoryRows.Value], _ importer: EntityImporter, details: String
    ) throws {
        try changes.logEntry(
            "values_corrected", of: entity.name, id: id, project: importer.reader.project(of: values), details: details)
    }

    private func place(of id: String, _ entity: Entity) throws -> Place {
        Place(table: entity.name, id: id, key: try EntityRows.name(of: id, entity, pack: pack, db))
    }
}
