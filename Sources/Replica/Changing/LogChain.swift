import Digests
import Foundation
import GRDB
import GRDBSQLite
import Model

/// Chains the activity log: `log_chain` gets a row for each entry that this program writes, changes
/// or removes.
///
/// Temporary triggers of the writing connection add the rows, as with `TouchedRows`, so every entry
/// that this program writes is chained. `LogVerification` finds entries that another program wrote,
/// as these have no chain row. Entries from a file or a server cannot be verified: they join the
/// chain only when this program changes them.
///
/// A link has 80 bytes: a salt (16), the digest of salt and entry (32), and the hash of the
/// previous row, this row and the digest (32). The hash covers the digest and not the entry, so the
/// chain can be verified after an erasure too. An erasure clears the salts of erased entries, so
/// that nobody can test a guess against a digest.
final class LogChain {
    static let table = """
        CREATE TABLE log_chain (
          position INTEGER PRIMARY KEY,
          entry_id TEXT NOT NULL,
          act TEXT CHECK (act IN ('adopted', 'changed', 'erased', 'removed')),
          pack INTEGER NOT NULL,
          link BLOB NOT NULL
        ) STRICT
        """

    /// The columns that the chain protects; sync states and an import's bookkeeping are not among
    /// them.
    static let columns = [
        "id", "project_id", "actor_id", "action", "entity_type", "entity_id", "details", "environment", "created_at",
        "content_stamp",
    ]

    /// Reason why a link was added; null in the table if an entry was written.
    enum Act: String {
        case adopted, changed, erased, removed
    }

    static let saltLength = 16
    static let length = saltLength + 2 * Digest.byteCount

    /// SQL condition: an entry was imported, or a server has it. A sent entry has a link already.
    static func isForeign(_ row: String) -> String {
        "(\(row)import_source IS NOT NULL OR \(row)remote_updated_at IS NOT NULL)"
    }

    /// A random secret of this connection from which salts are derived.
    private let seed = HMAC.randomKey()
    private var count: UInt64 = 0
    /// Buffers for the previous link and the hashed bytes, so that no row allocates an array.
    private var before: [UInt8] = []
    private var scratch: [UInt8] = []

    private init() {}

    /// - Parameters:
    ///   - pack: the fingerprint of the pack that the replica uses.
    ///   - number: the pack's number in `ruling_packs`.
    static func watch(_ db: Database, pack: String, number: Int64) throws {
        try register(on: db, act: .changed)
        try watchInserts(db, pack: pack, number: number)
        for event in ["UPDATE OF \(SQLText.names(columns))", "DELETE"] {
            let isGone = event == "DELETE"
            let condition = isGone ? "true" : "(\(values("OLD."))) IS NOT (\(values("NEW.")))"
            let act = isGone ? "'removed'" : "fichero_log_act()"
            try db.execute(
                sql: """
                    CREATE TEMP TRIGGER \(isGone ? "chain_delete" : "chain_update") AFTER \(event) ON main.activity_logs
                    WHEN \(condition) BEGIN \(link(of: isGone ? "OLD." : "NEW.", act, pack, number)); END
                    """)
        }
    }

    /// Chains all entries that one statement adds by one more statement. This takes half the time
    /// of a trigger, for which SQLite would first copy all the rows into a temporary table.
    ///
    /// - Parameter write: the statement, which only adds entries.
    static func writingMany(_ db: Database, _ write: () throws -> Void) throws {
        guard try isWatched(db), let ruling = try PinnedPack.current(db) else { return try write() }
        let before = try Int64.fetchOne(db, sql: "SELECT max(rowid) FROM main.activity_logs") ?? 0
        try db.execute(sql: "DROP TRIGGER temp.chain_insert")
        do {
            try write()
            try link(after: before, ruling, db)
        } catch {
            // A rollback restores the trigger; without a rollback it must be created again.
            if try !isWatched(db) { try watchInserts(db, pack: ruling.fingerprint, number: ruling.number) }
            throw error
        }
        try watchInserts(db, pack: ruling.fingerprint, number: ruling.number)
    }

    private static func isWatched(_ db: Database) throws -> Bool {
        let sql = "SELECT EXISTS (SELECT 1 FROM sqlite_temp_schema WHERE name = 'chain_insert')"
        return try Bool.fetchOne(db, sql: sql) == true
    }

    /// Adds the links of all entries after a row.
    private static func link(after before: Int64, _ ruling: PinnedPack, _ db: Database) throws {
        guard let handle = unsafe db.sqliteConnection else { return }
        let chain = LogChain()
        let newest = try Data.fetchOne(db, sql: "SELECT link FROM main.log_chain ORDER BY position DESC LIMIT 1")
        var last = newest.map { Array($0) } ?? []
        unsafe SQLFunctions.addWriter("fichero_log_next", CInt(3 + columns.count), handle, isPure: false, isBlob: true)
        { arguments, link in
            chain.append(after: last, arguments, from: 0, to: &link)
            last.removeAll(keepingCapacity: true)
            last.append(contentsOf: link)
            return true
        }
        try db.execute(
            sql: """
                INSERT INTO main.log_chain (entry_id, act, pack, link) SELECT l.id, NULL, \(ruling.number),
                  fichero_log_next(l.id, NULL, \(SQLText.literal(ruling.fingerprint)), \(values("l.")))
                FROM main.activity_logs AS l WHERE l.rowid > ?1 AND NOT \(isForeign("l.")) ORDER BY l.rowid
                """, arguments: [before])
    }

    private static func watchInserts(_ db: Database, pack: String, number: Int64) throws {
        try db.execute(
            sql: """
                CREATE TEMP TRIGGER chain_insert AFTER INSERT ON main.activity_logs
                WHEN NOT \(isForeign("NEW.")) BEGIN \(link(of: "NEW.", "NULL", pack, number)); END
                """)
    }

    /// Begins the chain of a replica that has none, with the replica's existing entries.
    static func adopt(_ db: Database, pack: String, number: Int64) throws {
        try register(on: db, act: .adopted)
        let entries = try Row.fetchAll(
            db,
            sql: "SELECT rowid FROM main.activity_logs AS l WHERE l.import_source IS NULL ORDER BY content_stamp, rowid"
        )
        let insert = try db.makeStatement(
            sql: link(of: "l.", "'adopted'", pack, number) + " FROM main.activity_logs AS l WHERE l.rowid = ?")
        for entry in entries { try insert.execute(arguments: [entry[0] as Int64]) }
    }

    /// Adds links of the act `erased` for the entries that a body changes, and clears the salts of
    /// their earlier links.
    static func erasing(_ db: Database, _ body: () throws -> Void) throws {
        let last = try Int64.fetchOne(db, sql: "SELECT coalesce(max(position), 0) FROM main.log_chain") ?? 0
        try register(on: db, act: .erased)
        try body()
        try register(on: db, act: .changed)
        try db.execute(
            sql: """
                UPDATE main.log_chain SET link = fichero_log_unsalted(link) FROM (
                  SELECT entry_id AS erased, max(position) AS newest FROM main.log_chain
                  WHERE entry_id IN (SELECT entry_id FROM main.log_chain WHERE position > ?1) GROUP BY entry_id)
                WHERE entry_id = erased AND position < newest
                """, arguments: [last])
    }

    private static func values(_ row: String) -> String {
        columns.map { row + SQLText.name($0) }.joined(separator: ", ")
    }

    /// The statement that adds the link of an entry.
    private static func link(of row: String, _ act: String, _ pack: String, _ number: Int64) -> String {
        """
        INSERT INTO log_chain (entry_id, act, pack, link) SELECT \(row)id, \(act), \(number),
          fichero_log_link((SELECT link FROM log_chain
            ORDER BY position DESC LIMIT 1), \(row)id, \(act), \(SQLText.literal(pack)), \(values(row)))
        """
    }

    private static func register(on db: Database, act: Act) throws {
        guard let handle = unsafe db.sqliteConnection else { return }
        let chain = LogChain()
        unsafe SQLFunctions.addWriter("fichero_log_link", CInt(4 + columns.count), handle, isPure: false, isBlob: true)
        { arguments, link in
            arguments.append(0, to: &chain.before)
            chain.append(after: chain.before, arguments, from: 1, to: &link)
            chain.before.removeAll(keepingCapacity: true)
            return true
        }
        unsafe SQLFunctions.addWriter("fichero_log_unsalted", 1, handle, isBlob: true) { arguments, link in
            arguments.append(0, to: &link)
            for index in 0..<min(saltLength, link.count) { link[index] = 0 }
            return true
        }
        unsafe SQLFunctions.addDirect("fichero_log_act", 0, handle, isPure: false) { _ in .text(act.rawValue) }
    }

    /// Appends the link of an entry.
    ///
    /// - Parameters:
    ///   - before: the previous link; empty for the first link.
    ///   - arguments: from `index` on, the entry's id, the act, the pack's fingerprint, and the
    ///     entry's columns.
    private func append(
        after before: [UInt8], _ arguments: FunctionArguments, from index: Int, to link: inout [UInt8]
    ) {
        count += 1
        scratch.removeAll(keepingCapacity: true)
        scratch.append(contentsOf: seed)
        for shift in stride(from: 0, to: 64, by: 8) {
            scratch.append(UInt8(truncatingIfNeeded: count >> UInt64(shift)))
        }
        SHA256.digest(of: scratch).append(to: &link)
        link.removeLast(Digest.byteCount - Self.saltLength)
        scratch.removeAll(keepingCapacity: true)
        scratch.append(contentsOf: link)
        arguments.appendSealed((index + 3)..<(index + 3 + Self.columns.count), to: &scratch)
        let digest = SHA256.digest(of: scratch)
        digest.append(to: &link)
        scratch.removeAll(keepingCapacity: true)
        scratch.append(contentsOf: before.suffix(Digest.byteCount))
        arguments.appendSealed(index..<(index + 3), to: &scratch)
        digest.append(to: &scratch)
        SHA256.digest(of: scratch).append(to: &link)
    }
}

/// Encodes values as length and text, so that no two lists of values give the same bytes.
enum Sealed {
    static func append(_ text: some Collection<UInt8>, to bytes: inout [UInt8]) {
        let length = UInt32(clamping: text.count)
        for shift in stride(from: 0, to: 32, by: 8) { bytes.append(UInt8(truncatingIfNeeded: length >> UInt32(shift))) }
        bytes.append(contentsOf: text)
    }

    /// Encodes an absent value by a length that no text has.
    static func appendNothing(to bytes: inout [UInt8]) { bytes.append(contentsOf: [255, 255, 255, 255]) }

    static func append(_ text: String?, to bytes: inout [UInt8]) {
        if let text { append(text.utf8, to: &bytes) } else { appendNothing(to: &bytes) }
    }
}
