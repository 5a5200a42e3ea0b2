import Databases
package import Foundation
import GRDB
package import Model

/// Result of `init`.
package enum InitialisationOutcome: Sendable, Hashable {
    case created
    /// The replica already has everything that the pack needs.
    case current
    /// Columns that were renamed because their fields were; tables, columns and indexes that were
    /// added; tables and columns that the pack no longer uses, which remain in the file.
    case migrated(renamed: [String] = [], additions: [String], leftovers: [String])
}

extension Replica {
    /// Creates a replica, or updates an existing one to the pack: adds missing parts and renames
    /// columns. Does all of it or nothing.
    ///
    /// - Parameter actor: address of the person who accepts a pack with new content (`PinnedPack`).
    ///
    /// Throws `ReplicaFailure.migration` with the list of changes that are impossible without
    /// altering existing data.
    package static func initialise(
        at path: String, pack: Pack, source: PackSource = .program, actor: String? = nil, now: Date,
        busyTimeout: Double = 5
    ) throws(ReplicaFailure) -> InitialisationOutcome {
        if !FileManager.default.fileExists(atPath: path) {
            try create(at: path, pack: pack, source: source, now: now)
            return .created
        }
        let queue = try openAnyPack(at: path, busyTimeout: busyTimeout)
        return try failures(at: path) {
            let outcome = try queue.writeWithoutTransaction { db in
                var outcome = InitialisationOutcome.current
                try db.inTransaction(.immediate) {
                    outcome = try migrate(db, path: path, to: pack, source, actor, now: now)
                    return .commit
                }
                return outcome
            }
            try queue.close()
            return outcome
        }
    }

    private static func migrate(
        _ db: Database, path: String, to pack: Pack, _ source: PackSource, _ actor: String?, now: Date
    ) throws -> InitialisationOutcome {
        let found = try ReplicaKey.value(of: .packName, db) ?? ""
        guard found == pack.name else { throw ReplicaFailure.otherPack(path: path, found: found, expected: pack.name) }
        if let older = try olderPack(pack, db, path: path) { throw older }
        let ruling = try PinnedPack.current(db)
        let version = try Int.fetchOne(db, sql: "PRAGMA user_version") ?? 0
        guard ruling != nil || version < PinnedPack.firstVersion else {
            throw ReplicaFailure.damaged(path: path, reason: "the pack that rules in it is not noted any more")
        }
        let desired = ReplicaSchema(pack: pack)
        let migration = try ReplicaMigration(of: db, to: pack, desired)
        guard migration.obstacles.isEmpty else {
            throw ReplicaFailure.migration(path: path, obstacles: migration.obstacles)
        }
        for statement in migration.statements { try db.execute(sql: statement) }
        try RenamedFields(migration.renames, db, pack).rewrite()
        if migration.additions.contains("exports.line") { try FormerBooks.giveLines(db) }
        if migration.additions.contains("own_marks") { try FormerBooks.rememberMarks(db) }
        try NumberedRows.takeOver(migration.additions, db, pack: pack, now: now)
        let isSame = try migration.isEmpty && ReplicaKey.value(of: .schema, db) == desired.json
        if !isSame || ruling?.fingerprint != pack.ruling.whole {
            try KeyTexts.fill(db, pack)
            // The normalized names were rewritten without an entry in `touched_rows`.
            try db.execute(sql: "DELETE FROM kept_verdicts")
            try describe(pack, schema: desired, db)
            try ReplicaKey.set(.migratedAt, to: Timestamp.format(now), db)
            if let ruling {
                if ruling.fingerprint != pack.ruling.whole {
                    _ = try ruling.take(pack, from: source, by: actor, path: path, db)
                }
            } else {
                let number = try PinnedPack.pin(pack, from: source, at: Timestamp.format(now), db)
                try LogChain.adopt(db, pack: pack.ruling.whole, number: number)
            }
        }
        return isSame
            ? .current
            : .migrated(
                renamed: migration.renames.map(\.text), additions: migration.additions, leftovers: migration.leftovers)
    }

    /// Failure if a newer version of the pack has updated the replica; otherwise nil. The older
    /// pack's rules and names are obsolete, and its `init` would add former columns anew, empty.
    static func olderPack(_ pack: Pack, _ db: Database, path: String) throws -> ReplicaFailure? {
        guard let known = try ReplicaKey.value(of: .packVersion, db), let newest = VersionKey.of(known),
            let own = VersionKey.of(pack.version), own < newest
        else { return nil }
        return .packOlder(path: path, pack: pack.name, found: known, version: pack.version)
    }
}

/// Updates data that older versions wrote to the present tables.
enum FormerBooks {
    /// Assigns a delivery line to files that an older version of the program registered: the line
    /// of their job or their selection, as for a file registered today.
    static func giveLines(_ db: Database) throws {
        let former = try Row.fetchAll(
            db,
            sql:
                """
                SELECT e.id, r.job, e.selection, e.export_name FROM exports AS e LEFT JOIN pipeline_runs AS r \
                ON r.id = e.run_id WHERE e.line IS NULL
                """
        )
        for row in former {
            let stated: String = row[2] ?? ""
            let selection = try? JSONDecoder().decode(SelectionRequest.self, from: Data(stated.utf8))
            let line =
                row[3] == "package"
                ? DeliveryLine.package : .former(job: row[1], selection: selection ?? SelectionRequest())
            try db.execute(sql: "UPDATE exports SET line = ? WHERE id = ?", arguments: [line.name, row[0] as String])
        }
        try db.execute(
            sql:
                """
                UPDATE document_versions SET line = (SELECT e.line FROM exports AS e WHERE e.id = export_id) \
                WHERE line IS NULL AND export_id IS NOT NULL
                """
        )
    }

    /// Copies the marks of versions without an `own_marks` table from the activity log.
    static func rememberMarks(_ db: Database) throws {
        guard try db.columns(in: "activity_logs").contains(where: { $0.name == "import_source" }) else { return }
        try db.execute(
            sql: """
                INSERT OR REPLACE INTO own_marks (entity, row_id, from_state, to_state, run_id, actor_id, marked_at)
                SELECT entity_type, entity_id, details ->> 'from', details ->> 'to', details ->> 'run_id', \
                actor_id, created_at FROM activity_logs
                WHERE action = 'marked_exported' AND import_source IS NULL AND json_valid(details) \
                AND entity_type IS NOT NULL AND entity_id IS NOT NULL
                  AND details ->> 'from' IS NOT NULL AND details ->> 'to' IS NOT NULL ORDER BY created_at
                """)
    }
}

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
    /// Id of the profile that sent changes last.
    case sender
    /// The key of `erased_marks`, in hexadecimal; created by the first erasure.
    case erasureKey = "erasure_key"
    /// The exchange folders that the replica reads and writes.
    case exchange
    /// Number of rows that other programs have written (`ForeignWrites`).
    case foreignWrites = "foreign_writes"

    static func value(of key: ReplicaKey, _ db: Database) throws -> String? {
        try String.fetchOne(db, sql: "SELECT value FROM fichero_replica WHERE key = ?", arguments: [key.rawValue])
    }

    static func set(_ key: ReplicaKey, to value: String, _ db: Database) throws {
        try db.execute(
            sql:
                """
                INSERT INTO fichero_replica (key, value) VALUES (?, ?) ON CONFLICT (key) DO UPDATE \
                SET value = excluded.value
                """,
            arguments: [key.rawValue, value])
    }

    /// Returns the number of this write, greater than all previous ones, and stores the time of the
    /// write by the machine's clock.
    static func nextStamp(_ db: Database) throws -> Int64 {
        let next = try Int64.fetchOne(
            db,
            sql:
                """
                UPDATE fichero_replica SET value = CAST(CAST(value AS INTEGER) + 1 AS TEXT) \
                WHERE key = 'stamp' RETURNING CAST(value AS INTEGER)
                """
        )
        guard let next else { throw DatabaseError(resultCode: .SQLITE_CORRUPT, message: "no stamp counter") }
        try db.execute(
            sql:
                """
                INSERT OR IGNORE INTO fichero_writes (stamp, written_at) \
                VALUES (?, strftime('%Y-%m-%dT%H:%M:%fZ', 'now'))
                """,
            arguments: [next])
        return next
    }
}

/// Stores the normalized form of all rows' names, if it differs from the name. This is necessary
/// for replicas of an older version, and for packs that now name rows by another field.
enum KeyTexts {
    static func fill(_ db: Database, _ pack: Pack) throws {
        for entity in pack.entities {
            guard let name = entity.keyText else { continue }
            let table = "main." + SQLText.name(entity.name), column = SQLText.name(name.name)
            let rows = try PreparedStatement(
                db,
                """
                SELECT id, \(column), \(KeyText.column) FROM \(table) WHERE \(column) IS NOT NULL \
                OR \(KeyText.column) IS NOT NULL
                """
            )
            var changed: [(id: String, form: String?)] = []
            while try rows.step() {
                let form = rows.text(1).flatMap { KeyText.stored(of: $0) }
                if form != rows.text(2), let id = rows.text(0) { changed.append((id, form)) }
            }
            for row in changed {
                try db.execute(
                    sql: "UPDATE \(table) SET \(KeyText.column) = ? WHERE id = ?", arguments: [row.form, row.id])
            }
        }
    }
}
