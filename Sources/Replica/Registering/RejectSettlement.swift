import Foundation
import GRDB
internal import JSONReading
import Model

/// Brings the quarantine up to date with an import: what waited for a record that has come in now, out of a mended source, waits no longer;
/// and what was decided before (tried again, dismissed) is not asked anew because the same file was imported once more.
///
/// A transaction of its own after the import's: a run that is killed between leaves rows waiting, and the next import settles them.
package final class RejectSettlement {
    private let replica: Replica
    /// Open rejected rows by entity and by the id of the record that they are of.
    private var waiting: [String: [String: [String]]] = [:]
    /// Those whose record was read and came in, or was there as it is.
    private var settled: [(reject: String, entity: String, record: String)] = []
    /// Records of which a row was rejected by this import too.
    private var refused: Set<String> = []

    /// Reads what waits before an import.
    package init(_ replica: Replica) throws {
        self.replica = replica
        let rows = try replica.read { db in
            try Row.fetchAll(
                db, sql: "SELECT id, entity, raw, findings FROM rejects WHERE state = 'open' AND entity IS NOT NULL ORDER BY rowid")
        }
        for row in rows {
            let findings = (try? Quarantine.findings(row[3])) ?? []
            // Of two rows with one id the first has come in: the second goes on waiting.
            guard !findings.contains(where: { $0.code == "IMPORT-DUPLICATE" }), let record = Self.record(of: row[2], findings) else { continue }
            waiting[row[1] as String, default: [:]][record, default: []].append(row[0])
        }
    }

    /// Whether an import has to tell what becomes of its rows.
    package var isWaiting: Bool { !waiting.isEmpty }

    /// Notes what became of a row of the import.
    package func note(_ record: ImportRecord) {
        guard let id = record.id ?? record.place.id, let rejects = waiting[record.entity]?[id] else { return }
        if record.outcome == .rejected {
            refused.insert(record.entity + " " + id)
        } else if record.outcome != .filtered {
            settled += rejects.map { ($0, record.entity, id) }
        }
    }

    /// After the import: closes what was mended, and takes away what was decided before and came again with the same file.
    package func settle(_ importID: String, sha256: String?) throws {
        let decided = try replica.read { db in try Self.decided(db, importID: importID, sha256: sha256) }
        let mended = settled.filter { !refused.contains($0.entity + " " + $0.record) }
        guard !decided.isEmpty || !mended.isEmpty else { return }
        try replica.write { db in
            for (reject, entity, record) in mended {
                // One that was rejected by this import, of the same record, waits all the same.
                let isIn = try Bool.fetchOne(db, sql: "SELECT EXISTS (SELECT 1 FROM main.\(SQLText.name(entity)) WHERE id = ?)", arguments: [record])
                guard isIn == true else { continue }
                try db.execute(
                    sql: "UPDATE rejects SET state = 'corrected' WHERE id = ? AND state = 'open' AND import_id <> ?", arguments: [reject, importID])
                guard db.changesCount == 1 else { continue }
                // By this the row waits again where the import is taken back.
                try db.execute(
                    sql: """
                        INSERT OR IGNORE INTO import_changes (entity, row_id, import_id, kind, before, states)
                        VALUES ('rejects', ?, ?, 'retry', '{}', '{}')
                        """, arguments: [reject, importID])
            }
            for reject in decided { try db.execute(sql: "DELETE FROM rejects WHERE id = ?", arguments: [reject]) }
        }
    }

    /// Rows that the import rejected and that stand, word for word, at the same place of a file with the same content that was imported
    /// before, where somebody tried them again or dismissed them.
    private static func decided(_ db: Database, importID: String, sha256: String?) throws -> [String] {
        guard let sha256 else { return [] }
        let anew = try Row.fetchAll(db, sql: "SELECT id, entity, raw, json_remove(place, '$.file') FROM rejects WHERE import_id = ?", arguments: [importID])
        guard !anew.isEmpty else { return [] }
        let before = try Row.fetchAll(
            db,
            sql: """
                SELECT r.id, r.entity, r.raw, json_remove(r.place, '$.file') FROM rejects AS r JOIN imports AS i ON i.id = r.import_id
                WHERE i.sha256 = ? AND i.id <> ? AND r.state <> 'open'
                """, arguments: [sha256, importID])
        guard !before.isEmpty else { return [] }
        func key(_ row: Row, _ raw: String) -> String { [row[1] as String? ?? "", row[3] as String, raw].joined(separator: "\u{1F}") }
        var known: Set<String> = []
        for row in before {
            known.insert(key(row, row[2]))
            // As it stood before somebody edited it.
            let texts = try String.fetchAll(
                db,
                sql: """
                    SELECT json_extract(details, '$.before') FROM activity_logs
                    WHERE action = 'reject_edited' AND json_extract(details, '$.reject') = ? AND json_extract(details, '$.before') IS NOT NULL
                    """, arguments: [row[0] as String])
            for text in texts { known.insert(key(row, text)) }
        }
        return anew.filter { known.contains(key($0, $0[2])) }.map { $0[0] }
    }

    /// The id that a row states, or the one that its findings name.
    private static func record(of raw: String, _ findings: [Finding]) -> String? {
        (try? JSONValue.parse(raw))?["id"]?.text ?? findings.lazy.compactMap(\.place.id).first
    }
}

extension Quarantine {
    fileprivate static func findings(_ json: String) throws -> [Finding] { try JSONDecoder().decode([Finding].self, from: Data(json.utf8)) }
}
