import GRDB

/// The keys of `fichero_replica`.
enum ReplicaKey: String {
    case packName = "pack_name"
    case packVersion = "pack_version"
    /// `ReplicaSchema` as JSON.
    case schema
    /// The number of the last write transaction that changed content.
    case stamp
    case createdAt = "created_at"
    case migratedAt = "migrated_at"
    /// Who sent changes last: the id of a profile.
    case sender
    /// The key of `erased_marks`, hexadecimal; made by the first erasure.
    case erasureKey = "erasure_key"
    /// How many rows other programs have written (`ForeignWrites`).
    case foreignWrites = "foreign_writes"

    static func value(of key: ReplicaKey, _ db: Database) throws -> String? {
        try String.fetchOne(db, sql: "SELECT value FROM fichero_replica WHERE key = ?", arguments: [key.rawValue])
    }

    static func set(_ key: ReplicaKey, to value: String, _ db: Database) throws {
        try db.execute(
            sql: "INSERT INTO fichero_replica (key, value) VALUES (?, ?) ON CONFLICT (key) DO UPDATE SET value = excluded.value",
            arguments: [key.rawValue, value])
    }

    /// The number of this write, greater than that of any before; the time of the write by the
    /// machine's clock is stored with it.
    static func nextStamp(_ db: Database) throws -> Int64 {
        let next = try Int64.fetchOne(
            db,
            sql: "UPDATE fichero_replica SET value = CAST(CAST(value AS INTEGER) + 1 AS TEXT) WHERE key = 'stamp' RETURNING CAST(value AS INTEGER)")
        guard let next else { throw DatabaseError(resultCode: .SQLITE_CORRUPT, message: "no stamp counter") }
        try db.execute(sql: "INSERT OR IGNORE INTO fichero_writes (stamp, written_at) VALUES (?, strftime('%Y-%m-%dT%H:%M:%fZ', 'now'))", arguments: [next])
        return next
    }
}
