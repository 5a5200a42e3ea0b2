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
