import Databases
import GRDB
import Model

/// Finds rows that have the server's version and other values than there: this file was damaged, or
/// the row was changed there without a new version. Versions alone cannot tell it.
struct ValueComparison {
    let db: Database
    let changes: ChangeLog
    let findings: any FindingSink

    /// Tells the rows that differ, before the server's values are taken over; the log keeps what
    /// was here.
    func tell(_ rows: PullStaging.Rows, _ importer: EntityImporter, pack: Pack) throws {
        let entity = rows.entity
        let found = try PreparedStatement(
            db,
            """
            SELECT \((["s.f_id"] + rows.arrived).joined(separator: ", ")) FROM \(rows.table) AS s JOIN main.\(SQLText.name(entity.name)) AS t ON t.id = s.f_id
            WHERE t.sync_state = 'synced' AND t.own_mark = 0 AND t.remote_updated_at IS s.version AND \(rows.differs) ORDER BY s.n
            """)
        while try found.step() {
            guard let id = found.text(0), let existing = try importer.existing(id)?.values else { continue }
            var values = existing
            for (column, field) in rows.fields.enumerated() { values[field] = found.value(column) }
            let differences = importer.differences(values, from: existing).filter { difference in
                guard let position = entity.position(ofField: difference.field) else { return true }
                return !entity.fields[position].isSame(existing[position], values[position])
            }
            guard !differences.isEmpty else { continue }
            try changes.logEntry(
                "values_corrected", of: entity.name, id: id, project: importer.reader.project(of: values), details: importer.trail(of: differences, reason: nil))
            let place = Place(table: entity.name, id: id, key: try EntityRows.name(of: id, entity, pack: pack, db))
            try findings.add(Finding("SYNC-VALUES-DIFFER", place: place, arguments: ["fields": differences.map(\.field).joined(separator: ", ")]))
        }
    }
}
