import Databases
import Digests
import Foundation
import GRDB
import JSONReading
import Model

/// Stores the remote's replies to sent items, in one transaction for each page.
///
/// Storing the same reply twice changes nothing: a finished item has left the queue, the same
/// conflict is stored once, and a failure counts once in a run. No row's content changes, so
/// content stamps stay. A row whose sync state changes is recorded once for the cached verdicts,
/// because a pack's query may read the state.
struct PushSettlement {
    private let db: Database
    private let pack: Pack
    private let lists: PushLists
    private let changes: ChangeLog
    private let conflicts: ConflictKeeper
    private let waits: PushWaits

    init(_ db: Database, pack: Pack, _ hold: PushHold, by actor: Model.Actor, in environment: String, at now: Date)
        throws
    {
        (self.db, self.pack) = (db, pack)
        let known = hold.state.stamp
        lists = try PushLists(db, hold)
        waits = PushWaits(db: db, lists: lists, stamp: known ?? hold.state.stamp ?? 0, now: now)
        changes = try ChangeLog(db, pack: pack, actorID: actor.id, environment: environment, now: now)
        conflicts = try ConflictKeeper(db, changes: changes, now: now)
    }

    /// An item of the queue as it is stored.
    private struct Stored {
        var id: String
        var stamp: Int64
        var key: RowKey
        var entity: Entity
        var isDeletion: Bool
        var payload: String?
    }

    /// Stores the replies, and deletes outdated waiting times in a run's first call.
    func settle(_ outcomes: [PushOutcome]) throws {
        if !lists.hold.state.isTidy { try waits.tidy() }
        lists.hold.state.isTidy = true
        for outcome in outcomes {
            if let key = LogPages.key(of: outcome.itemID) {
                try settleLog(key, outcome)
            } else if let item = try stored(outcome.itemID) {
                try settle(item, outcome.result)
            }
        }
        try lists.coverOwnWrites()
    }

    private func stored(_ id: String) throws -> Stored? {
        let row = try Row.fetchOne(
            db,
            cachedSQL:
                """
                SELECT content_stamp, entity_type, entity_id, operation, payload_json FROM main.sync_queue \
                WHERE id = ?
                """,
            [id])
        guard let row, let entity = (row[1] as String?).flatMap({ pack.entity($0) }), let rowID: String = row[2] else {
            return nil
        }
        return Stored(
            id: id, stamp: row[0], key: RowKey(entity: entity.name, id: rowID), entity: entity,
            isDeletion: row[3] == ChangeLog.Operation.delete.rawValue, payload: row[4])
    }

    private func settle(_ item: Stored, _ result: PushOutcome.Result) throws {
        switch result {
        case .confirmed(let version): try confirm(item, version)
        case .gone where item.isDeletion: try confirm(item, nil)
        case .gone: try contest(item, RowConflict.deletion(of: item.key.id))
        case .contested(let remote): try contest(item, remote)
        case .failed(let failure, let message): try fail(item, PushError.text(failure, message))
        case .sent:
            guard let reach = lists.hold.reach else { return }
            try SentItems(db).note(item.id, to: reach.remote)
            // Items that refer to this item's row may be sent with it.
            try lists.drop(item.key, item: item.id, stamp: item.stamp)
        }
    }

    // MARK: Confirmed

    private func confirm(_ item: Stored, _ version: String?) throws {
        // Earlier changes of the row that failed are done too, as this one contains the whole row.
        for done in try lists.items(item.key, before: item.stamp, item.id) + [(item.stamp, item.id)] {
            try db.execute(cachedSQL: "DELETE FROM main.sync_queue WHERE id = ?", [done.id])
            try lists.drop(item.key, item: done.id, stamp: done.stamp)
            try waits.forget(done.id)
        }
        let waiting = try lists.waiting(item.key)
        guard !item.isDeletion, let version else { return try forgetVersion(item) }
        try setState(item, version, isLast: waiting.isEmpty)
        try carry(version, to: waiting, of: item.key)
        if let next = waiting.first {
            try keepBase(item, before: next)
        } else {
            try RowBases.forget(item.key, db)
        }
    }

    private func setState(_ item: Stored, _ version: String, isLast: Bool) throws {
        let isDone = try isLast && !lists.hasOpenConflict(item.key)
        // While a conflict is open or another change waits, the row differs from the remote's.
        try db.execute(
            cachedSQL: """
                UPDATE main.\(SQLText.name(item.key.entity)) SET remote_updated_at = ?1, own_mark = CASE WHEN ?2 \
                THEN 0 ELSE own_mark END,
                  sync_state = CASE WHEN ?2 THEN 'synced' WHEN sync_state = 'conflict' THEN sync_state \
                ELSE 'pending_upload' END
                WHERE id = ?3
                """, [version, isDone, item.key.id])
    }

    /// Stores the new version in the trail, in the row's recorded state before each waiting change.
    /// So an undo of that change leads to the row that the remote has now.
    private func carry(_ version: String, to waiting: [String], of key: RowKey) throws {
        for (index, next) in waiting.enumerated() {
            let state = index == 0 ? ", '$.sync_state', 'synced', '$.own_mark', 0" : ""
            for table in ["import_changes", "import_removals"] {
                try db.execute(
                    cachedSQL:
                        """
                        UPDATE \(table) SET states = json_set(states, '$.remote_updated_at', ?1\(state)) \
                        WHERE entity = ?2 AND row_id = ?3 AND item_id = ?4
                        """,
                    [version, key.entity, key.id, next])
            }
        }
    }

    /// The row is removed locally and on the remote, so an undo must create it as a new row.
    private func forgetVersion(_ item: Stored) throws {
        try db.execute(
            cachedSQL: """
                UPDATE import_removals SET states = json_set(states, '$.remote_updated_at', NULL, '$.sync_state', \
                'local_only', '$.own_mark', 0)
                FROM \(lists.table("removals")) AS k
                WHERE k.entity = ?1 AND k.row_id = ?2 AND import_removals.import_id = k.import_id \
                AND import_removals.n = k.n AND item_id = ?3
                """, [item.key.entity, item.key.id, item.id])
        try RowBases.forget(item.key, db)
    }

    /// Stores the row as this confirmed item left it, as the base of the next waiting item. An undo
    /// of the next item's change set deletes the stored row.
    private func keepBase(_ item: Stored, before next: String) throws {
        guard let payload = item.payload else { return }
        try db.execute(
            cachedSQL: """
                INSERT INTO row_bases (entity, row_id, row, import_id)
                SELECT ?1, ?2, ?3, import_id FROM (
                  SELECT import_id FROM import_changes WHERE entity = ?1 AND row_id = ?2 AND item_id = ?4
                  UNION ALL SELECT k.import_id FROM \(lists.table("removals")) AS k JOIN import_removals AS r \
                ON r.import_id = k.import_id AND r.n = k.n
                  WHERE k.entity = ?1 AND k.row_id = ?2 AND r.item_id = ?4) WHERE true
                ON CONFLICT (entity, row_id) DO UPDATE SET row = excluded.row, import_id = excluded.import_id
                """, [item.key.entity, item.key.id, payload, next])
        if db.changesCount > 0 {
            try RowBases.forgetOwn(item.key, db)
        } else {
            try RowBases.keepOwn(payload, of: item.key, db)
        }
    }

    // MARK: Contested and failed

    private func contest(_ item: Stored, _ remote: String) throws {
        let reader = try changes.reader(of: item.key.entity)
        let importer = try EntityImporter(db, pack: pack, entity: item.entity, reader: reader, origin: .remote)
        let existing = try importer.existing(item.key.id)
        guard let local = existing?.values ?? item.payload.map({ Self.values(of: item.entity, $0).map { $0 ?? .null } })
        else { return }
        let theirs = Self.values(of: item.entity, remote)
        // The remote may have accepted this and later changes of the row, with its replies lost.
        let version = (try? JSONValue.stored(remote))?["updated_at"]?.stated
        if let version, try confirmLater(item, theirs, version) { return }
        // A pull that finds the same row writes the same text, so the conflict is stored once.
        let payload = RowConflict.isDeletion(remote) ? remote : importer.json(theirs, version: version)
        let conflict = try conflicts.keepRemote(
            importer, id: item.key.id, local: local, remote: payload, isRemoved: item.isDeletion)
        // A person has decided the same conflict before. The next run sends the change with the
        // remote's version as its base.
        if !conflict.isOpen { return try RemoteVersion(db).take(from: remote, item.key) }
        // As in a pull, the row gets the remote's latest version. A row that the remote never
        // confirmed gets none, so the rows that refer to it are still held back.
        if let version {
            try db.execute(
                cachedSQL:
                    """
                    UPDATE main.\(SQLText.name(item.key.entity)) SET remote_updated_at = ?1 WHERE id = ?2 \
                    AND remote_updated_at IS NOT NULL
                    """,
                [version, item.key.id])
        }
    }

    /// Confirms all changes of a row up to the last one that equals the remote's row. Returns false
    /// if none equals it.
    private func confirmLater(_ item: Stored, _ theirs: [MemoryRows.Value?], _ version: String) throws -> Bool {
        // A remote row that could not be read equals no change.
        guard theirs.contains(where: { $0 != nil }) else { return false }
        let waiting = try lists.waiting(item.key).compactMap(stored)
        let central = Set(item.entity.centralFields)
        guard let last = waiting.lastIndex(where: { later in
            guard later.stamp >= item.stamp, !later.isDeletion, let payload = later.payload else { return false }
            let own = Self.values(of: item.entity, payload)
                return central.allSatisfy { field in
                    item.entity.fields[field].name == "updated_at" || (theirs[field] ?? .null) == (own[field] ?? .null)
                }
        }) else { return false }
        for done in waiting[...last] { try confirm(done, version) }
        return true
    }

    private static func values(of entity: Entity, _ payload: String) -> [MemoryRows.Value?] {
        entity.values(ofPayload: payload)
    }

    private func fail(_ item: Stored, _ error: String) throws {
        guard try !lists.noteFailure(item.key, item: item.id) else { return }
        try db.execute(
            cachedSQL:
                "UPDATE main.sync_queue SET retry_count = coalesce(retry_count, 0) + 1, last_error = ? WHERE id = ?",
            [error, item.id])
        try waits.note(item.id, of: item.key)
        try db.execute(
            cachedSQL:
                """
                UPDATE main.\(SQLText.name(item.key.entity)) SET sync_state = 'error' WHERE id = ? \
                AND sync_state NOT IN ('error', 'conflict')
                """,
            [item.key.id])
    }

    // MARK: Logs

    private func settleLog(_ key: RowKey, _ outcome: PushOutcome) throws {
        let table = "main." + SQLText.name(key.entity)
        guard case .confirmed(let version) = outcome.result else {
            // A log's row is never changed, so a different remote row with its id is a failure too.
            return try db.execute(
                cachedSQL:
                    """
                    UPDATE \(table) SET sync_state = 'error' WHERE id = ? AND \(LogPages.waits) \
                    AND sync_state <> 'error'
                    """,
                [key.id])
        }
        try db.execute(
            cachedSQL:
                "UPDATE \(table) SET sync_state = 'synced', remote_updated_at = ? WHERE id = ? AND \(LogPages.waits)",
            [version, key.id])
        try lists.drop(key, item: outcome.itemID, stamp: .min)
    }
}

/// Waiting times of rejected changes: a minute after the first failure, then twice as long each
/// time, at most a day. To spread retries, up to a quarter is added, depending on the item's id.
///
/// A change of the row ends the wait. So does a clock that is set back to before the last attempt,
/// as a wrong clock must not delay an item.
struct PushWaits {
    static let first = 60, longest = 86_400

    let db: Database
    let lists: PushLists
    /// Stamp of the last write before the rejected attempt; a later change of the row ends the
    /// wait.
    let stamp: Int64
    let now: Date

    /// The seconds that an item waits after a number of failures.
    static func seconds(after failures: Int, of item: String) -> Int {
        let wait = min(longest, first << min(max(failures, 1) - 1, 20))
        return wait + Int(spread(item) % UInt64(wait / 4))
    }

    private static func spread(_ text: String) -> UInt64 {
        var digest = QuickDigest()
        digest.add(text)
        return digest.value ^ (digest.value >> 32)
    }

    /// Records that the remote rejected an item now.
    func note(_ item: String, of key: RowKey) throws {
        let known = try Row.fetchOne(
            db, cachedSQL: "SELECT failures, failed_at, stamp FROM main.push_waits WHERE item_id = ?", [item])
        var (failures, since) = (1, Timestamp.format(now))
        if let known {
            since = min(since, known[1])
            if try !lists.hasItem(key, after: known[2]) { failures += known[0] as Int }
        }
        let due = Date(
            timeIntervalSince1970: now.timeIntervalSince1970.rounded(.up)
                + Double(Self.seconds(after: failures, of: item)))
        try db.execute(
            cachedSQL:
                """
                INSERT OR REPLACE INTO main.push_waits (item_id, failures, failed_at, tried_at, due_at, stamp) \
                VALUES (?, ?, ?, ?, ?, ?)
                """,
            [item, failures, since, Timestamp.format(now), Timestamp.format(due), stamp])
    }

    func forget(_ item: String) throws {
        try db.execute(cachedSQL: "DELETE FROM main.push_waits WHERE item_id = ?", [item])
    }

    /// Deletes the waiting times of items that an undo, a decision or a pull removed from the
    /// queue.
    func tidy() throws {
        try db.execute(sql: "DELETE FROM main.push_waits WHERE item_id NOT IN (SELECT id FROM main.sync_queue)")
    }
}
