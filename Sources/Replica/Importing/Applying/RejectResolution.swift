import Databases
import Foundation
import GRDB
import JSONReading
import Model

/// Brings the quarantine up to date with an import, within its transaction. Rows that waited for a
/// record are closed once a corrected source supplies that record. Rows that somebody retried or
/// dismissed do not reappear when the same file is imported once more.
struct RejectResolution {
    let db: Database
    let importID: String
    /// SHA-256 of the source.
    let sha256: String?

    /// Closes quarantined rows that are obsolete because of the applied rows.
    func resolve(_ staged: [EntityRows], _ trail: ImportTrail) throws {
        for row in try mended(staged) + mendedForms(staged) {
            try db.execute(
                sql: "UPDATE rejects SET state = 'corrected' WHERE id = ? AND state = 'open'", arguments: [row])
            // Because of this trail entry, an undo of the import reopens the quarantined row.
            if db.changesCount == 1 {
                try trail.note(
                    .retry, entity: "rejects", id: row, place: nil, row: nil, before: "{}", states: "{}", item: nil)
            }
        }
        for row in try decided() {
            try db.execute(
                sql: "DELETE FROM reject_details WHERE reject_id = ?; DELETE FROM rejects WHERE id = ?",
                arguments: [row, row])
        }
    }

    /// Rejected rows of earlier imports whose record this import read and stored in the replica. A
    /// record is excluded if this import rejected one of its rows.
    private func mended(_ staged: [EntityRows]) throws -> [String] {
        let waiting = try records("state = 'open' AND import_id <> ?")
        guard !waiting.isEmpty, !staged.isEmpty else { return [] }
        let refused = Set(try records("import_id = ?").map { $0.entity + " " + $0.record })
        try db.execute(
            sql: """
                CREATE TEMP TABLE IF NOT EXISTS import_settled (reject TEXT, entity TEXT, record TEXT, PRIMARY KEY \
                (entity, record, reject)) WITHOUT ROWID;
                DELETE FROM temp.import_settled
                """)
        let insert = try PreparedStatement(
            db, "INSERT INTO temp.import_settled (reject, entity, record) VALUES (?, ?, ?)")
        for row in waiting where !refused.contains(row.entity + " " + row.record) {
            try insert.bind(row.reject, at: 1)
            try insert.bind(row.entity, at: 2)
            try insert.bind(row.record, at: 3)
            try insert.run()
        }
        return try staged.flatMap { rows in
            try String.fetchAll(
                db,
                sql: """
                    SELECT DISTINCT w.reject FROM \(rows.staged) AS s CROSS JOIN temp.import_settled AS w \
                    ON w.entity = ? AND w.record = s.f_id
                    WHERE EXISTS (SELECT 1 FROM \(rows.table) AS t WHERE t.id = s.f_id) ORDER BY 1
                    """, arguments: [rows.importer.entity.name])
        }
    }

    /// Form rows that earlier imports rejected, where this import stored a row from the same place
    /// of the file. A form without a key, and its parts, can only be recognised by their place. A
    /// place is excluded if this import rejected one of its rows.
    private func mendedForms(_ staged: [EntityRows]) throws -> [String] {
        let waiting = try Row.fetchAll(
            db,
            sql: """
                SELECT id, entity, place, findings FROM rejects
                WHERE state = 'open' AND import_id <> ? AND entity IS NOT NULL \
                AND instr(json_extract(place, '$.mapping'), '/form') > 0 ORDER BY rowid
                """, arguments: [importID])
        var rejects: [FormSpot: [String]] = [:]
        for row in waiting where try !Self.isRepeat(row[3]) {
            if let spot = FormSpot(row[1], try Quarantine.place(row[2])) { rejects[spot, default: []].append(row[0]) }
        }
        guard !rejects.isEmpty else { return [] }
        for row in try Row.fetchAll(db, sql: "SELECT entity, place FROM staging.faults WHERE entity IS NOT NULL") {
            if let spot = FormSpot(row[0], try Quarantine.place(row[1])) { rejects[spot] = nil }
        }
        var found: [String] = []
        for rows in staged where !rejects.isEmpty {
            let came = try Row.fetchCursor(
                db,
                sql: """
                    SELECT p.place, s.line FROM \(rows.staged) AS s JOIN staging.places AS p ON p.number = s.place
                    WHERE EXISTS (SELECT 1 FROM \(rows.table) AS t WHERE t.id = s.f_id)
                      AND NOT EXISTS (SELECT 1 FROM temp.import_outcomes AS o WHERE o.n = s.n \
                    AND o.outcome IN ('rejected', 'waiting')) ORDER BY s.n
                    """)
            while let row = try came.next() {
                var place = try Quarantine.place(row[0])
                place.line = row[1]
                guard let spot = FormSpot(rows.importer.entity.name, place),
                    let resolved = rejects.removeValue(forKey: spot)
                else { continue }
                found += resolved
            }
        }
        return found
    }

    /// The place of a form, or of a row of one of its tables. It still matches after corrections to
    /// the form's values or its mapping.
    private struct FormSpot: Hashable {
        let entity: String
        let file: String
        let sheet: String
        let line: Int
        /// `form0/1`: the form's number in the mapping and the row's number in the form.
        let part: [Substring]

        init?(_ entity: String, _ place: Place) {
            guard let file = place.file, let sheet = place.sheet, let line = place.line,
                let parts = place.mapping?.split(separator: "/", omittingEmptySubsequences: false), parts.count >= 3,
                parts[parts.count - 2].hasPrefix("form")
            else { return nil }
            (self.entity, self.file, self.sheet, self.line, part) = (entity, file, sheet, line, Array(parts.suffix(2)))
        }
    }

    /// Whether a finding reports a repeated id or key. Of two such rows the first was imported; the
    /// second remains in the quarantine with its parts.
    private static func isRepeat(_ findings: [Finding]) -> Bool { findings.contains { repeats.contains($0.code) } }

    private static let repeats: Set = ["IMPORT-DUPLICATE", "IMPORT-SAME-KEY", "IMPORT-REJECTED-PARENT"]

    private static func isRepeat(_ json: String) throws -> Bool { isRepeat(try Quarantine.findings(json)) }

    /// Rejected rows of a known entity, with the ids of their records.
    private func records(_ condition: String) throws -> [(reject: String, entity: String, record: String)] {
        let rows = try Row.fetchAll(
            db,
            sql:
                """
                SELECT id, entity, raw, findings FROM rejects \
                WHERE entity IS NOT NULL AND \(condition) ORDER BY rowid
                """,
            arguments: [importID])
        return rows.compactMap { row in
            let findings = (try? Quarantine.findings(row[3])) ?? []
            guard !Self.isRepeat(findings), let record = Self.record(of: row[2], findings) else { return nil }
            return (row[0], row[1], record)
        }
    }

    /// Quarantined rows of this import that somebody retried or dismissed after an earlier import.
    /// The same text must have been at the same place of a file with the same content.
    private func decided() throws -> [String] {
        guard let sha256 else { return [] }
        let before = try Row.fetchAll(
            db,
            sql: """
                SELECT r.id, r.entity, r.raw, json_remove(r.place, '$.file') FROM rejects AS r JOIN imports AS i \
                ON i.id = r.import_id
                WHERE i.sha256 = ? AND i.id <> ? AND r.state <> 'open'
                """, arguments: [sha256, importID])
        guard !before.isEmpty else { return [] }
        func key(_ row: Row, _ raw: String) -> String {
            [row[1] as String? ?? "", row[3] as String, raw].joined(separator: "\u{1F}")
        }
        var known: Set<String> = []
        for row in before {
            known.insert(key(row, row[2]))
            // The row's text before somebody edited it.
            let texts = try String.fetchAll(
                db,
                sql: """
                    SELECT json_extract(details, '$.before') FROM activity_logs
                    WHERE action = 'reject_edited' AND json_extract(details, '$.reject') = ? \
                    AND json_extract(details, '$.before') IS NOT NULL
                    """, arguments: [row[0] as String])
            for text in texts { known.insert(key(row, text)) }
        }
        let anew = try Row.fetchCursor(
            db, sql: "SELECT id, entity, raw, json_remove(place, '$.file') FROM rejects WHERE import_id = ?",
            arguments: [importID])
        return try Array(anew.filter { known.contains(key($0, $0[2])) }.map { $0[0] as String })
    }

    /// The id that a row contains, or else the id in its findings.
    static func record(of raw: String, _ findings: [Finding]) -> String? {
        (try? JSONValue.parse(raw))?["id"]?.text ?? findings.lazy.compactMap(\.place.id).first
    }
}
