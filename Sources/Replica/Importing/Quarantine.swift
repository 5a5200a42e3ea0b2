import Databases
import Foundation
import GRDB
import Model

/// Stores rejected rows as they were in their file, with their findings, so that they can be
/// corrected and imported later.
final class Quarantine {
    private let importID: String
    private let now: Date
    private let time: String
    private let insert: PreparedStatement
    /// Finds open quarantined rows with the same text and findings.
    private let known: PreparedStatement
    private let detail: PreparedStatement

    init(_ db: Database, importID: String, now: Date) throws {
        self.importID = importID
        self.now = now
        time = Timestamp.format(now)
        insert = try PreparedStatement(
            db,
            """
            INSERT INTO rejects (id, import_id, entity, raw, place, findings, state, created_at) \
            VALUES (?, ?, ?, ?, ?, ?, 'open', ?)
            """
        )
        detail = try PreparedStatement(db, "INSERT INTO reject_details (reject_id, around) VALUES (?, ?)")
        known = try PreparedStatement(
            db, "SELECT id, place FROM rejects WHERE state = 'open' AND raw = ? AND entity IS ? AND findings = ?")
    }

    /// Stores a row, unless the same row is already in the quarantine for the same reasons and was
    /// read with the same options. Returns its id in the quarantine.
    ///
    /// - Parameter around: the values that neighbouring rows supplied.
    func keep(entity: String?, raw: String, place: Place, findings: [Finding], around: String? = nil) throws -> String {
        let reasons = try Self.json(findings)
        try known.bind(raw, at: 1)
        try known.bind(entity, at: 2)
        try known.bind(reasons, at: 3)
        if let found = try knownRow(readLike: place) { return found }
        let id = UUIDv7.make(at: now)
        try insert.bind(id, at: 1)
        try insert.bind(importID, at: 2)
        try insert.bind(entity, at: 3)
        try insert.bind(raw, at: 4)
        try insert.bind(try Self.json(place), at: 5)
        try insert.bind(reasons, at: 6)
        try insert.bind(time, at: 7)
        try insert.run()
        if let around {
            try detail.bind(id, at: 1)
            try detail.bind(around, at: 2)
            try detail.run()
        }
        return id
    }

    /// Id of an equal quarantined row that was read with the same options. With other options, a
    /// retry would produce a different row, so the quarantined rows differ.
    private func knownRow(readLike place: Place) throws -> String? {
        defer { known.reset() }
        while try known.step() {
            let found = known.text(1) ?? ""
            // Most rows were read without options.
            let given = found.utf8.contains(UInt8(ascii: "?")) ? Self.given(try Self.place(found)) : [:]
            if given == Self.given(place) { return known.text(0) }
        }
        return nil
    }

    /// The options in the address of a place's mapping.
    private static func given(_ place: Place) -> [String: String] {
        guard let address = place.mapping, address.utf8.contains(UInt8(ascii: "?")) else { return [:] }
        return MappingIdentity(ofAddress: address).given
    }

    static func json(_ value: some Encodable) throws -> String { try encoded(value) }

    static func encoded(_ value: some Encodable) throws -> String {
        let encoder = JSONEncoder()
        encoder.outputFormatting = [.sortedKeys, .withoutEscapingSlashes]
        return String(decoding: try encoder.encode(value), as: UTF8.self)
    }
}
