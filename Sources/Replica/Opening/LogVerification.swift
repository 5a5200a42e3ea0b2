import Digests
import Foundation
import GRDB
import Model

/// Verifies the chain of the activity log (`LogChain`): finds entries that another program changed,
/// removed or inserted, and rows of the chain that do not follow from the previous ones.
///
/// Cannot detect that somebody recomputed the whole chain. For that case the program shows the head
/// of the chain, so that people can write it down in another place.
struct LogVerification {
    private(set) var links = 0
    /// Entries that existed before the chain began.
    private(set) var adopted = 0
    /// Number of changes to entries by an erasure.
    private(set) var erased = 0
    /// Number of entries from files and servers, which only show what external systems claim.
    private(set) var foreign = 0
    /// The beginning of the last row's hash.
    private(set) var head = "—"
    /// Links of the chain that do not follow from the previous ones.
    private(set) var broken: [String] = []
    private(set) var changed: [String] = []
    private(set) var missing: [String] = []
    /// Entries that another program inserted.
    private(set) var unknown: [String] = []
    /// Versions of the replica's pack, present or former, without a log entry about their
    /// acceptance.
    private(set) var untold: [String] = []

    init(_ db: Database) throws {
        let later = try Self.laterLinks(db)
        let columns = LogChain.columns.map { "l." + SQLText.name($0) }.joined(separator: ", ")
        let rows = try Row.fetchCursor(
            db,
            sql: """
                SELECT c.position, c.entry_id, c.act, p.fingerprint, c.link, \(columns), \(LogChain.isForeign("l."))
                FROM log_chain AS c
                  LEFT JOIN ruling_packs AS p ON p.number = c.pack
                    LEFT JOIN activity_logs AS l ON l.id = c.entry_id ORDER BY c.position
                """)
        var (expected, before): (Int64, [UInt8]) = (1, [])
        while let row = try rows.next() {
            links += 1
            let (position, id, act): (Int64, String, String?) = (row[0], row[1], row[2])
            let link: [UInt8] = Array(row[4] as Data? ?? Data())
            let (digest, hash) = (
                Array(link.dropFirst(LogChain.saltLength).prefix(Digest.byteCount)),
                Array(link.suffix(Digest.byteCount))
            )
            var bytes = before
            for text in [id, act, row[3] as String?] { Sealed.append(text, to: &bytes) }
            if position != expected || link.count != LogChain.length
                || SHA256.digest(of: (bytes + digest).span).bytes != hash
            {
                broken.append(String(position))
            }
            (expected, before, head) = (position + 1, hash, hash.prefix(8).hexadecimal)
            switch act.flatMap(LogChain.Act.init) {
            case .adopted: adopted += 1
            case .erased: erased += 1
            case .changed, .removed, nil: break
            }
            guard later[id] ?? position == position else { continue }
            try compare(row, id, act, salt: link.prefix(LogChain.saltLength), digest)
        }
        try lookAround(db)
        untold = try String.fetchAll(
            db,
            sql: """
                SELECT p.version || ' ' || substr(p.fingerprint, 1, 12) FROM ruling_packs AS p
                  WHERE p.number > (SELECT min(number) FROM ruling_packs)
                  AND NOT EXISTS (SELECT 1 FROM activity_logs WHERE action IN ('pack_taken', 'pack_released')
                    AND json_valid(details)
                    AND details ->> '$.after.fingerprint' = p.fingerprint) ORDER BY p.number
                """)
    }

    /// The last position of each entry that has several.
    private static func laterLinks(_ db: Database) throws -> [String: Int64] {
        let rows = try Row.fetchAll(
            db, sql: "SELECT entry_id, max(position) FROM log_chain GROUP BY entry_id HAVING count(*) > 1")
        return Dictionary(rows.map { ($0[0], $0[1]) }) { first, _ in first }
    }

    /// Compares the present entry with its last link.
    private mutating func compare(
        _ row: Row, _ id: String, _ act: String?, salt: some Collection<UInt8>, _ digest: [UInt8]
    ) throws {
        let isThere = row[5] as String? != nil
        guard isThere else {
            if act != LogChain.Act.removed.rawValue { missing.append(id) }
            return
        }
        guard act != LogChain.Act.removed.rawValue else {
            // Entries from a file are removed when its import is undone, and may be imported anew.
            if row[5 + LogChain.columns.count] as Bool { foreign += 1 } else { unknown.append(Self.named(row)) }
            return
        }
        var bytes = Array(salt)
        for index in LogChain.columns.indices {
            let value: DatabaseValue = row[5 + index]
            Sealed.append(
                String.fromDatabaseValue(value) ?? Int64.fromDatabaseValue(value).map(String.init), to: &bytes)
        }
        if SHA256.digest(of: bytes.span).bytes != digest { changed.append(Self.named(row)) }
    }

    /// Looks for entries without a link: another program inserted them, or they were imported.
    private mutating func lookAround(_ db: Database) throws {
        let columns = LogChain.columns.map { "l." + SQLText.name($0) }.joined(separator: ", ")
        let rows = try Row.fetchCursor(
            db,
            sql:
                """
                SELECT 0, 0, 0, 0, 0, \(columns), \(LogChain.isForeign("l.")) FROM activity_logs AS l \
                WHERE l.id NOT IN (SELECT entry_id FROM log_chain)
                """
        )
        while let row = try rows.next() {
            if row[5 + LogChain.columns.count] as Bool { foreign += 1 } else { unknown.append(Self.named(row)) }
        }
    }

    /// Name of an entry in messages: its time, its action and its id.
    private static func named(_ row: Row) -> String {
        func text(_ column: String) -> String? { LogChain.columns.firstIndex(of: column).flatMap { row[5 + $0] } }
        return [text("created_at"), text("action"), text("id")].compactMap(\.self).joined(separator: " ")
    }

    /// The results for `doctor`.
    var checks: [DoctorCheck] {
        let found = [
            ("REPLICA-LOG-CHAIN", broken), ("REPLICA-LOG-CHANGED", changed), ("REPLICA-LOG-MISSING", missing),
            ("REPLICA-LOG-UNKNOWN", unknown), ("REPLICA-LOG-PACK", untold),
        ]
        let faults = found.filter { !$0.1.isEmpty }.map { code, entries in
            DoctorCheck(
                code, .error, ["count": String(entries.count), "entries": entries.prefix(5).joined(separator: "; ")])
        }
        guard faults.isEmpty else { return faults }
        return [
            DoctorCheck(
                "REPLICA-LOG", .ok,
                [
                    "count": String(links), "adopted": String(adopted), "erased": String(erased),
                    "foreign": String(foreign), "head": head,
                ])
        ]
    }
}
