/// How far a replica has followed the central database: what was visible there, as a snapshot, and
/// which server it was. After a restore of the server its transactions' numbers recur; the timeline
/// is another one then (`design/sync.md`, "The cursor"), or at least the numbers are lower.
package struct RemotePosition: Sendable, Hashable, Codable {
    /// PostgreSQL's text of a snapshot: `730:735:731,733`.
    package var snapshot: String
    package var system: String
    package var timeline: String

    package init(snapshot: String, system: String, timeline: String) {
        (self.snapshot, self.system, self.timeline) = (snapshot, system, timeline)
    }

    /// Before everything that this server remembers.
    package var beginning: RemotePosition { RemotePosition(snapshot: "1:1:", system: system, timeline: timeline) }

    /// Whether changes since this position can be asked for at another one: both are of the same
    /// history of one server.
    package func leads(to later: RemotePosition) -> Bool {
        guard system == later.system, timeline == later.timeline else { return false }
        guard let first = next, let second = later.next else { return true }
        return first <= second
    }

    /// The first transaction that had no number yet; nil where the moment is told otherwise.
    private var next: UInt64? {
        let parts = snapshot.split(separator: ":", omittingEmptySubsequences: false)
        return parts.count == 3 ? UInt64(parts[1]) : nil
    }
}

/// A row that the central database no longer has where it was.
package struct RemovedRow: Sendable, Hashable {
    package var entity: String
    package var id: String
    /// It moved to another project and was not deleted.
    package var isMove: Bool

    package init(entity: String, id: String, isMove: Bool) {
        (self.entity, self.id, self.isMove) = (entity, id, isMove)
    }
}

/// Number and digest of the rows of one table in one project, with their versions: two sides that
/// give the same have the same rows in the same versions.
///
/// The digest is the sum, over all rows, of PostgreSQL's `uuid_hash_extended` of the id, seeded with
/// `timestamp_hash_extended` of the version, or with 0 where a row has none: the server makes it in
/// a fifth of the time that a sum of MD5 takes.
package struct RowsProof: Sendable, Hashable, Codable {
    package var rows: Int
    /// A sum of any size, in decimal digits.
    package var digest: String

    package init(rows: Int, digest: String) { (self.rows, self.digest) = (rows, digest) }
}

/// How rows of a table say that the other side has them: by values of their fields, where the pack
/// names some.
package struct Acknowledgement: Sendable, Hashable {
    /// The values by the fields' positions.
    package var values: [Int: MemoryRows.Value]
    /// The field with the time at which the other side got it.
    package var time: Int?

    /// Nil: the pack names no fields of this table.
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

    /// Positions that say something about the exchange, and nothing about the record.
    package var positions: Set<Int> { Set(values.keys).union(time.map { [$0] } ?? []) }

    /// Whether a row says so: one field at least, and none of them the contrary.
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
