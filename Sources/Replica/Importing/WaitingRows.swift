import Foundation
import GRDB
import JSONReading
import Model

/// Finds the rejected row whose record other rows wait for, and records which rows wait for it.
final class WaitingRows {
    /// An open rejected row, and its record's readable name.
    struct Cause {
        var reject: String
        var name: String
        var place: Place
    }

    /// Rows of one entity that wait for one record.
    private struct Group: Hashable {
        var entity: String
        var target: String
        var id: String
    }

    private let db: Database
    private let pack: Pack
    private var causes: [String: Cause] = [:]
    private var waiting: [(reject: String, target: String, id: String)] = []
    /// The groups, in the order in which their first rows were found.
    private var order: [Group] = []
    private var counts: [Group: Int] = [:]

    /// Reads the open rows of this import and of earlier imports by the same person.
    init(_ db: Database, pack: Pack, importID: String, actor: Model.Actor) throws {
        (self.db, self.pack) = (db, pack)
        let rows = try Row.fetchAll(
            db,
            sql: """
                SELECT r.id, r.entity, r.raw, r.findings, r.place FROM rejects AS r LEFT JOIN import_details AS i \
                ON i.import_id = r.import_id
                WHERE r.state = 'open' AND r.entity IS NOT NULL AND (r.import_id = ?1 OR i.actor_id = ?2) \
                ORDER BY r.rowid
                """, arguments: [importID, actor.id])
        for row in rows {
            let findings = (try? Quarantine.findings(row[3])) ?? []
            guard let record = RejectResolution.record(of: row[2], findings) else { continue }
            add(
                row[0], of: row[1], record, findings.lazy.compactMap(\.place.key).first, raw: row[2],
                place: try Quarantine.place(row[4]))
        }
    }

    private static func name(_ entity: String, _ id: String) -> String { entity + " " + id }

    func add(_ reject: String, of entity: String, _ id: String, _ key: String?, raw: String, place: Place) {
        causes[Self.name(entity, id)] = Cause(
            reject: reject, name: key ?? Self.key(of: raw, pack.entity(entity), of: pack) ?? id, place: place)
    }

    func cause(_ entity: String, _ id: String) -> Cause? { causes[Self.name(entity, id)] }

    func wait(_ reject: String, of entity: String, for target: String, _ id: String) {
        waiting.append((reject, target, id))
        let group = Group(entity: entity, target: target, id: id)
        if counts[group] == nil { order.append(group) }
        counts[group, default: 0] += 1
    }

    /// Stores which row waits for which; reports one finding for each missing record and each
    /// entity with rows that wait for it.
    func resolve(_ findings: any FindingSink) throws {
        for row in waiting {
            guard let cause = cause(row.target, row.id), cause.reject != row.reject else { continue }
            try db.execute(
                sql: """
                    INSERT INTO reject_details (reject_id, waits_for) VALUES (?, ?)
                    ON CONFLICT (reject_id) DO UPDATE SET waits_for = excluded.waits_for
                    """, arguments: [row.reject, cause.reject])
        }
        for group in order {
            guard let cause = cause(group.target, group.id) else { continue }
            var place = cause.place
            (place.table, place.id, place.key) = (group.target, group.id, cause.name)
            try findings.add(
                Finding(
                    "IMPORT-WAITS", place: place,
                    arguments: [
                        "count": String(counts[group] ?? 0), "target": group.entity,
                        "reject": String(cause.reject.suffix(8)),
                    ]))
        }
    }

    /// The key in a raw row, if the row's columns are named like the fields; without ids of other
    /// rows.
    private static func key(of raw: String, _ entity: Entity?, of pack: Pack) -> String? {
        guard let entity, let row = try? JSONValue.parse(raw) else { return nil }
        let own = entity.key.compactMap { entity.field($0) }.filter { $0.references == nil && pack.mayQuote($0) }
        let texts = own.compactMap { row[$0.name]?.text }
        return texts.isEmpty ? nil : texts.joined(separator: " / ")
    }
}
