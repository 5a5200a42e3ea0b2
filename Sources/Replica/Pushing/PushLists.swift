import Databases
import GRDB
import JSONReading
import Model

/// The lists of one push, in temporary tables:
///
/// - `items`: the queue in the order of events, with an index by rows. The queue itself has no such
///   index, which keeps imports fast.
/// - `removals`: for each removed row, its place in the table `import_removals`.
/// - `stuck`: rows with an item that was offered but not confirmed in this run, or held back.
/// - `hanging`: rows that cannot be deleted yet, because the deletion of a referring row is stuck.
/// - `held`: the items that are held back.
struct PushLists {
    let db: Database
    let hold: PushHold

    enum Standing: String { case offered, failed, held }

    /// Creates the lists in the run's first step. Refills the list of items if the replica was
    /// changed since the last step.
    init(_ db: Database, _ hold: PushHold) throws {
        (self.db, self.hold) = (db, hold)
        let stamp = try Int64(ReplicaKey.value(of: .stamp, db) ?? "") ?? 0
        if hold.state.stamp == nil { try create() }
        if hold.state.stamp != stamp { try fill() }
        hold.state.stamp = stamp
    }

    func table(_ list: String) -> String { "temp.\(hold.name)_\(list)" }

    private func create() throws {
        for list in ["items", "removals", "stuck", "hanging", "held"] {
            try db.execute(sql: "DROP TABLE IF EXISTS \(table(list))")
        }
        try db.execute(
            sql: """
                CREATE TABLE \(table("items")) (
                  stamp INTEGER NOT NULL, id TEXT NOT NULL, item INTEGER NOT NULL, entity TEXT, row_id TEXT, \
                project_id TEXT, PRIMARY KEY (stamp, id)
                ) WITHOUT ROWID;
                CREATE INDEX temp.\(hold.name)_items_row ON \(hold.name)_items (row_id, entity);
                CREATE TABLE \(table("removals")) (entity TEXT, row_id TEXT, import_id TEXT, n INTEGER, PRIMARY KEY \
                (entity, row_id)) WITHOUT ROWID;
                CREATE TABLE \(table("stuck")) (
                  entity TEXT, row_id TEXT, item TEXT NOT NULL, standing TEXT NOT NULL, is_missing INTEGER NOT \
                NULL, PRIMARY KEY (entity, row_id)
                ) WITHOUT ROWID;
                CREATE TABLE \(table("hanging")) (entity TEXT, row_id TEXT, item TEXT, PRIMARY KEY (entity, row_id, \
                item)) WITHOUT ROWID;
                CREATE INDEX temp.\(hold.name)_hanging_item ON \(hold.name)_hanging (item);
                CREATE TABLE \(table("held")) (item TEXT PRIMARY KEY, entity TEXT, reason TEXT NOT NULL, due TEXT) \
                WITHOUT ROWID
                """)
        (hold.state.counts, hold.state.due) = ([:], nil)
    }

    private func fill() throws {
        // Files are sent later, after their rows.
        let reached = hold.reach.map { " AND " + SentItems.reached(by: $0) } ?? ""
        try db.execute(
            sql: """
                DELETE FROM \(table("items"));
                INSERT INTO \(table("items")) SELECT content_stamp, id, rowid, entity_type, entity_id, project_id
                FROM main.sync_queue WHERE operation IS NOT 'UPLOAD'\(reached) ORDER BY content_stamp, id;
                INSERT OR REPLACE INTO \(table("removals")) SELECT r.entity, r.row_id, r.import_id, r.n
                FROM import_removals AS r JOIN import_details AS d ON d.import_id = r.import_id ORDER BY d.stamp, r.n
                """)
    }

    /// Records that the lists include the run's own writes, so that these cause no refill.
    func coverOwnWrites() throws { hold.state.stamp = try Int64(ReplicaKey.value(of: .stamp, db) ?? "") }

    // MARK: Rows

    /// The version of a row that the remote sent last, also for a row that was removed locally.
    func version(of key: RowKey) throws -> String? {
        let row = try Row.fetchOne(
            db, cachedSQL: "SELECT remote_updated_at FROM main.\(SQLText.name(key.entity)) WHERE id = ?", [key.id])
        if let row { return row[0] }
        return try Row.fetchOne(
            db,
            cachedSQL: """
                SELECT json_extract(r.states, '$.remote_updated_at') FROM \(table("removals")) AS k
                JOIN import_removals AS r ON r.import_id = k.import_id AND r.n = k.n WHERE k.entity = ? AND k.row_id = ?
                """, [key.entity, key.id])?[0]
    }

    /// The row as the remote had it in this version; nil: not known. It comes from a conflict whose
    /// decision waits to be sent, or from the copy made before the row's first local change.
    func known(_ key: RowKey, version: String?) throws -> String? {
        let decided = try Row.fetchOne(
            db,
            cachedSQL: """
                SELECT remote_payload FROM main.conflicts AS k WHERE entity_id = ?2 AND entity_type = ?1 \
                AND json_valid(remote_payload)
                AND json_extract(remote_payload, '$.updated_at') = ?3
                AND EXISTS (SELECT 1 FROM \(table("items")) AS i WHERE i.row_id = ?2 AND i.entity = ?1 \
                AND i.stamp = k.content_stamp)
                ORDER BY detected_at DESC LIMIT 1
                """, [key.entity, key.id, version])
        if let decided { return decided[0] }
        return try RowBases.text(key, db)
    }

    /// The ids of a row's waiting items, the oldest first.
    func waiting(_ key: RowKey) throws -> [String] {
        try String.fetchAll(
            db.cachedStatement(
                sql: "SELECT id FROM \(table("items")) WHERE row_id = ? AND entity = ? ORDER BY stamp, id"),
            arguments: [key.id, key.entity])
    }

    func hasEarlierItem(_ key: RowKey, than stamp: Int64, _ id: String) throws -> Bool {
        try Row.fetchOne(
            db,
            cachedSQL:
                "SELECT 1 FROM \(table("items")) WHERE row_id = ? AND entity = ? AND (stamp, id) < (?, ?) LIMIT 1",
            [key.id, key.entity, stamp, id]) != nil
    }

    /// Whether a later item in the queue creates or changes the row on the remote.
    func isBroughtLater(_ key: RowKey, than stamp: Int64, _ id: String) throws -> Bool {
        try Row.fetchOne(
            db,
            cachedSQL: """
                SELECT 1 FROM \(table("items")) AS p CROSS JOIN main.sync_queue AS q ON q.rowid = p.item
                WHERE p.row_id = ? AND p.entity = ? AND (p.stamp, p.id) > (?, ?) \
                AND q.operation <> '\(ChangeLog.Operation.delete.rawValue)' LIMIT 1
                """, [key.id, key.entity, stamp, id]) != nil
    }

    /// Whether the queue has an item of the row from after a given write.
    func hasItem(_ key: RowKey, after stamp: Int64) throws -> Bool {
        try Row.fetchOne(
            db, cachedSQL: "SELECT 1 FROM \(table("items")) WHERE row_id = ? AND entity = ? AND stamp > ? LIMIT 1",
            [key.id, key.entity, stamp]) != nil
    }

    /// The row's items that precede the given one in the queue.
    func items(_ key: RowKey, before stamp: Int64, _ id: String) throws -> [(stamp: Int64, id: String)] {
        let sql = "SELECT stamp, id FROM \(table("items")) WHERE row_id = ? AND entity = ? AND (stamp, id) < (?, ?)"
        return try Row.fetchAll(db.cachedStatement(sql: sql), arguments: [key.id, key.entity, stamp, id]).map {
            ($0[0], $0[1])
        }
    }

    /// Whether an item that failed in this run had failed in an earlier one too. If so, the row's
    /// next change, which contains the whole row, may be sent in its place.
    func failedBefore(_ item: String) throws -> Bool {
        try Row.fetchOne(
            db, cachedSQL: "SELECT 1 FROM main.sync_queue WHERE id = ? AND retry_count > 1", [item]) != nil
    }

    func hasOpenConflict(_ key: RowKey) throws -> Bool {
        try Row.fetchOne(
            db,
            cachedSQL:
                """
                SELECT 1 FROM main.conflicts WHERE entity_type = ? AND entity_id = ? \
                AND resolution_status = 'open' LIMIT 1
                """,
            [key.entity, key.id]) != nil
    }

    // MARK: What is stuck

    /// Records that a row has an unconfirmed item; an offered item replaces the recorded one.
    func stick(_ key: RowKey, item: String, _ standing: Standing, isMissing: Bool) throws {
        try db.execute(
            cachedSQL:
                """
                INSERT OR \(standing == .offered ? "REPLACE" : "IGNORE") INTO \(table("stuck")) (entity, row_id, \
                item, standing, is_missing) VALUES (?, ?, ?, ?, ?)
                """,
            [key.entity, key.id, item, standing.rawValue, isMissing])
    }

    /// Records that a row cannot be deleted before the stuck deletion of a row that refers to it.
    func hang(_ key: RowKey, on item: String) throws {
        try db.execute(
            cachedSQL: "INSERT OR IGNORE INTO \(table("hanging")) VALUES (?, ?, ?)", [key.entity, key.id, item])
    }

    func isHanging(_ key: RowKey) throws -> Bool {
        try Row.fetchOne(
            db, cachedSQL: "SELECT 1 FROM \(table("hanging")) WHERE entity = ? AND row_id = ? LIMIT 1",
            [key.entity, key.id]) != nil
    }

    /// The row's stuck item, if it has one; `isMissing`: the remote does not have the row itself.
    func stuck(_ key: RowKey) throws -> (item: String, standing: Standing?, isMissing: Bool)? {
        try Row.fetchOne(
            db, cachedSQL: "SELECT item, standing, is_missing FROM \(table("stuck")) WHERE entity = ? AND row_id = ?",
            [key.entity, key.id]
        ).map { ($0[0], Standing(rawValue: $0[1]), $0[2]) }
    }

    /// Records that an offered item failed; returns whether the failure was recorded before.
    func noteFailure(_ key: RowKey, item: String) throws -> Bool {
        if let stuck = try stuck(key), stuck.item == item, stuck.standing == .failed { return true }
        try db.execute(
            cachedSQL: "UPDATE \(table("stuck")) SET standing = 'failed' WHERE entity = ? AND row_id = ? AND item = ?",
            [key.entity, key.id, item])
        return false
    }

    /// Counts an item that is held back, once.
    func note(_ item: String, of entity: String?, heldFor reason: PushHoldReason, until due: String? = nil) throws {
        try db.execute(
            cachedSQL: "INSERT OR IGNORE INTO \(table("held")) VALUES (?, ?, ?, ?)",
            [item, entity ?? "", reason.rawValue, due])
        guard db.changesCount == 1 else { return }
        hold.state.counts[reason, default: 0] += 1
        if let due { hold.state.due = min(due, hold.state.due ?? due) }
    }

    /// Removes a finished item from the lists.
    func drop(_ key: RowKey, item: String, stamp: Int64) throws {
        try db.execute(cachedSQL: "DELETE FROM \(table("items")) WHERE stamp = ? AND id = ?", [stamp, item])
        try db.execute(
            cachedSQL: "DELETE FROM \(table("stuck")) WHERE entity = ? AND row_id = ? AND item = ?",
            [key.entity, key.id, item])
        try db.execute(cachedSQL: "DELETE FROM \(table("hanging")) WHERE item = ?", [item])
    }
}

extension Row {
    /// The first row of a statement that is compiled once for each connection.
    static func fetchOne(_ db: Database, cachedSQL sql: String, _ arguments: StatementArguments) throws -> Row? {
        try Row.fetchOne(db.cachedStatement(sql: sql), arguments: arguments)
    }
}

extension Database {
    /// Runs a statement that is compiled once for each connection.
    func execute(cachedSQL sql: String, _ arguments: StatementArguments) throws {
        try cachedStatement(sql: sql).execute(arguments: arguments)
    }
}

/// Sets the remote version on which a row's next change is based, after a conflict with the
/// remote's row was decided.
struct RemoteVersion {
    private let db: Database

    init(_ db: Database) { self.db = db }

    /// Stores the version of the remote's row. A row that the remote has deleted gets none. If the
    /// remote's table has no versions, the stored one stays.
    func take(from remote: String, _ key: RowKey) throws {
        guard let row = try? JSONValue.stored(remote) else { return }
        let version = row["updated_at"]?.stated
        let isDeletion = row["deleted"] == .bool(true)
        guard isDeletion || version != nil else { return }
        let new = isDeletion ? nil : version
        try db.execute(
            sql:
                """
                UPDATE main.\(SQLText.name(key.entity)) SET remote_updated_at = ?1 WHERE id = ?2 \
                AND remote_updated_at IS NOT ?1
                """,
            arguments: [new, key.id])
        // The row may be removed locally, with its deletion still waiting to be sent.
        try db.execute(
            sql: """
                UPDATE import_removals SET states = json_set(states, '$.remote_updated_at', ?1)
                WHERE entity = ?2 AND row_id = ?3 AND item_id IN (SELECT id FROM main.sync_queue)
                """, arguments: [new, key.entity, key.id])
    }

    /// Whether a conflict is with the remote's row: only conflicts with files are in the trail.
    func isOfRemote(_ conflictID: String, _ key: RowKey) throws -> Bool {
        try Row.fetchOne(
            db,
            sql: "SELECT 1 FROM import_changes WHERE entity = ? AND row_id = ? AND kind = 'conflict' AND item_id = ?",
            arguments: [key.entity, key.id, conflictID]) == nil
    }

    /// Deletes queued changes of a row from before its conflict was decided: they would undo the
    /// decision. The decision's queue item has the whole row, based on the remote's version. A
    /// queued removal stays unless the row exists locally again.
    func dropDecided(_ key: RowKey, before stamp: Int64) throws {
        let exists =
            try Row.fetchOne(
                db, sql: "SELECT 1 FROM main.\(SQLText.name(key.entity)) WHERE id = ?", arguments: [key.id]) != nil
        try db.execute(
            sql: """
                DELETE FROM main.sync_queue WHERE entity_type = ? AND entity_id = ? AND content_stamp < ?
                  AND operation IN ('INSERT', 'UPDATE'\(exists ? ", 'DELETE'" : ""))
                """, arguments: [key.entity, key.id, stamp])
    }
}

/// A row by its entity and id.
struct RowKey: Hashable {
    var entity: String
    var id: String
}
