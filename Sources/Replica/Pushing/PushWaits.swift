import Digests
import Foundation
import GRDB
import Model

/// How long changes wait that the remote refused: a minute after the first failure, then twice as
/// long each time, at most a day. A part that is the item's own comes on top, so that many items do
/// not come at once.
///
/// Somebody who changes the row ends its wait. So does a clock that was put back to before the last
/// attempt: no item waits for the time that the clock showed once.
struct PushWaits {
    static let first = 60, longest = 86_400

    let db: Database
    let lists: PushLists
    /// The last write that the refused attempt could know; a later change of the row ends the wait.
    let stamp: Int64
    let now: Date

    /// The seconds that an item waits after some failures.
    static func seconds(after failures: Int, of item: String) -> Int {
        let wait = min(longest, first << min(max(failures, 1) - 1, 20))
        return wait + Int(spread(item) % UInt64(wait / 4))
    }

    private static func spread(_ text: String) -> UInt64 {
        var digest = QuickDigest()
        digest.add(text)
        return digest.value ^ (digest.value >> 32)
    }

    /// Notes that the remote refused an item now.
    func note(_ item: String, of key: RowKey) throws {
        let known = try Row.fetchOne(db, cachedSQL: "SELECT failures, failed_at, stamp FROM main.push_waits WHERE item_id = ?", [item])
        var (failures, since) = (1, Timestamp.format(now))
        if let known {
            since = min(since, known[1])
            if try !lists.hasItem(key, after: known[2]) { failures += known[0] as Int }
        }
        let due = Date(timeIntervalSince1970: now.timeIntervalSince1970.rounded(.up) + Double(Self.seconds(after: failures, of: item)))
        try db.execute(
            cachedSQL: "INSERT OR REPLACE INTO main.push_waits (item_id, failures, failed_at, tried_at, due_at, stamp) VALUES (?, ?, ?, ?, ?, ?)",
            [item, failures, since, Timestamp.format(now), Timestamp.format(due), stamp])
    }

    func forget(_ item: String) throws { try db.execute(cachedSQL: "DELETE FROM main.push_waits WHERE item_id = ?", [item]) }

    /// Forgets the items that an undo, a decision or a pull took out of the queue.
    func tidy() throws { try db.execute(sql: "DELETE FROM main.push_waits WHERE item_id NOT IN (SELECT id FROM main.sync_queue)") }
}
