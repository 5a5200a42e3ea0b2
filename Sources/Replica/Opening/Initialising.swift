package import Foundation
import GRDB
package import Model

/// What `init` did.
package enum InitialisationOutcome: Sendable, Hashable {
    case created
    /// The replica already has everything that the pack asks for.
    case current
    /// Columns that got their fields' new names; tables, columns and indexes that were added; and the tables and
    /// columns that the pack no longer names, which stay.
    case migrated(renamed: [String] = [], additions: [String], leftovers: [String])
}

extension Replica {
    /// Makes a replica, or adds to an existing one what the pack now asks for and renames what it now calls by another
    /// name, all of it or nothing.
    ///
    /// - Parameter actor: who takes a pack of other content (`RulingPack`); nobody is asked about a new release.
    ///
    /// Throws `ReplicaFailure.migration` with the list of what cannot be done without changing
    /// existing data.
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
        let ruling = try RulingPack.current(db)
        let version = try Int.fetchOne(db, sql: "PRAGMA user_version") ?? 0
        guard ruling != nil || version < RulingPack.firstVersion else {
            throw ReplicaFailure.damaged(path: path, reason: "the pack that rules in it is not noted any more")
        }
        let desired = ReplicaSchema(pack: pack)
        let migration = try ReplicaMigration(of: db, to: pack, desired)
        guard migration.obstacles.isEmpty else { throw ReplicaFailure.migration(path: path, obstacles: migration.obstacles) }
        for statement in migration.statements { try db.execute(sql: statement) }
        try RenamedFields(migration.renames, db, pack).rewrite()
        if migration.additions.contains("exports.line") { try FormerBooks.giveLines(db) }
        if migration.additions.contains("own_marks") { try FormerBooks.rememberMarks(db) }
        try NumberedRows.takeOver(migration.additions, db, pack: pack, now: now)
        let isSame = try migration.isEmpty && ReplicaKey.value(of: .schema, db) == desired.json
        if !isSame || ruling?.fingerprint != pack.ruling.whole {
            try KeyTexts.fill(db, pack)
            // The forms of names were rewritten without a note in `touched_rows`.
            try db.execute(sql: "DELETE FROM kept_verdicts")
            try describe(pack, schema: desired, db)
            try ReplicaKey.set(.migratedAt, to: Timestamp.format(now), db)
            if let ruling {
                if ruling.fingerprint != pack.ruling.whole {
                    _ = try ruling.take(pack, from: source, by: actor, path: path, db)
                }
            } else {
                let number = try RulingPack.pin(pack, from: source, at: Timestamp.format(now), db)
                try LogChain.adopt(db, pack: pack.ruling.whole, number: number)
            }
        }
        return isSame ? .current : .migrated(renamed: migration.renames.map(\.text), additions: migration.additions, leftovers: migration.leftovers)
    }

    /// Why a pack cannot work with a replica that a newer version of it has brought up to date; nil: it is none. Its
    /// rules and names were given up, and its `init` would add the former columns again, empty.
    static func olderPack(_ pack: Pack, _ db: Database, path: String) throws -> ReplicaFailure? {
        guard let known = try ReplicaKey.value(of: .packVersion, db), let newest = VersionKey.of(known), let own = VersionKey.of(pack.version), own < newest
        else { return nil }
        return .packOlder(path: path, pack: pack.name, found: known, version: pack.version)
    }
}
