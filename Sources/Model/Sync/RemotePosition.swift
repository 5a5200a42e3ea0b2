/// The position up to which a replica has followed the central database: a snapshot, and the
/// server's identity. After a server's restore its transaction numbers are reused; then the
/// timeline differs (`design/sync.md`, "The cursor"), or at least the numbers are lower.
package struct RemotePosition: Sendable, Hashable, Codable {
    /// PostgreSQL's text of a snapshot: `730:735:731,733`.
    package var snapshot: String
    /// The server's identity, from PostgreSQL's system identifier, and its timeline.
    package var system: String
    package var timeline: String

    package init(snapshot: String, system: String, timeline: String) {
        (self.snapshot, self.system, self.timeline) = (snapshot, system, timeline)
    }

    /// The position before all changes of this server.
    package var beginning: RemotePosition { RemotePosition(snapshot: "1:1:", system: system, timeline: timeline) }

    /// Whether the changes between this position and another one can be requested: both must belong
    /// to the same history of one server.
    package func leads(to later: RemotePosition) -> Bool {
        guard system == later.system, timeline == later.timeline else { return false }
        guard let first = next, let second = later.next else { return true }
        return first <= second
    }

    /// The lowest transaction number not yet assigned; nil if the snapshot has another form.
    private var next: UInt64? {
        let parts = snapshot.split(separator: ":", omittingEmptySubsequences: false)
        return parts.count == 3 ? UInt64(parts[1]) : nil
    }
}

/// A row that was deleted from its project in the central database, or moved out of it.
package struct RemovedRow: Sendable, Hashable {
    package var entity: String
    package var id: String
    /// Whether it moved to another project and was not deleted.
    package var isMove: Bool

    package init(entity: String, id: String, isMove: Bool) {
        (self.entity, self.id, self.isMove) = (entity, id, isMove)
    }
}

/// Number and digest of the rows of one table in one project, with their versions. Two databases
/// with the same proof have the same rows in the same versions.
///
/// The digest is the sum, over all rows, of PostgreSQL's `uuid_hash_extended` of the id, seeded
/// with `timestamp_hash_extended` of the version, or with 0 if a row has none. The server
/// computes it in a fifth of the time that a sum of MD5 takes.
package struct RowsProof: Sendable, Hashable, Codable {
    package var rows: Int
    /// A sum of any size, in decimal digits.
    package var digest: String

    package init(rows: Int, digest: String) { (self.rows, self.digest) = (rows, digest) }
}

/// The field values that mark a table's rows as received by the sync partner, if the pack
/// defines such fields.
package struct Acknowledgement: Sendable, Hashable {
    /// The values by the fields' positions.
    package var values: [Int: MemoryRows.Value]
    /// The field with the time when the sync partner received the row.
    package var time: Int?

    /// Nil if the pack defines no such fields of this table.
    package init?(_ entity: Entity, in pack: Pack) {
        guard let log = pack.events else { return nil }
        let stated: [String: String]
        if entity.name == log.entity {
            stated = log.acknowledged
        } else if let files = log.files, entity.name == files.entity {
            stated = files.values
            time = files.time.flatMap { entity.position(ofField: $0) }
        } else {
            return nil
        }
        values = [:]
        for (name, text) in stated {
            guard let position = entity.position(ofField: name) else { continue }
            values[position] = Self.value(text, entity.fields[position].type)
        }
        guard !values.isEmpty else { return nil }
    }

    private static func value(_ text: String, _ type: FieldType) -> MemoryRows.Value {
        switch type {
        case .boolean: .integer(text == "true" ? 1 : 0)
        case .integer: Int64(text).map { .integer($0) } ?? .text(text)
        case .decimal: Double(text).map { .real($0) } ?? .text(text)
        default: .text(text)
        }
    }

    /// Positions of fields about the exchange, which contain nothing about the record itself.
    package var positions: Set<Int> { Set(values.keys).union(time.map { [$0] } ?? []) }

    /// Whether a row is marked as received: at least one field has its value, and none another.
    package func isStated(_ row: [MemoryRows.Value?]) -> Bool {
        var isStated = false
        for (position, value) in values {
            guard let found = row[position], found != .null else { continue }
            guard found == value else { return false }
            isStated = true
        }
        return isStated
    }
}
