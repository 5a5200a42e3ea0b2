import Foundation
import GRDB
import Model

/// Keeps rejected rows as they stood in their file, with what was found, so that they can be corrected and imported again.
final class Quarantine {
    private let importID: String
    private let now: Date
    private let insert: PreparedStatement
    private let known: PreparedStatement

    init(_ db: Database, importID: String, now: Date) throws {
        self.importID = importID
        self.now = now
        insert = try PreparedStatement(
            db, "INSERT INTO rejects (id, import_id, entity, raw, place, findings, state, created_at) VALUES (?, ?, ?, ?, ?, ?, 'open', ?)")
        known = try PreparedStatement(db, "SELECT 1 FROM rejects WHERE state = 'open' AND raw = ? AND entity IS ? AND findings = ?")
    }

    /// Keeps a row, unless the same row waits there already for the same reasons.
    func keep(entity: String?, raw: String, place: Place, findings: [Finding]) throws {
        let reasons = try Self.json(findings)
        try known.bind(raw, at: 1)
        try known.bind(entity, at: 2)
        try known.bind(reasons, at: 3)
        let isKnown = try known.step()
        known.reset()
        guard !isKnown else { return }
        try insert.bind(UUIDv7.make(at: now), at: 1)
        try insert.bind(importID, at: 2)
        try insert.bind(entity, at: 3)
        try insert.bind(raw, at: 4)
        try insert.bind(try Self.json(place), at: 5)
        try insert.bind(reasons, at: 6)
        try insert.bind(Timestamp.format(now), at: 7)
        try insert.run()
    }

    static func json(_ value: some Encodable) throws -> String {
        let encoder = JSONEncoder()
        encoder.outputFormatting = [.sortedKeys, .withoutEscapingSlashes]
        return String(decoding: try encoder.encode(value), as: UTF8.self)
    }

    static func place(_ json: String) throws -> Place {
        try JSONDecoder().decode(Place.self, from: Data(json.utf8))
    }
}
