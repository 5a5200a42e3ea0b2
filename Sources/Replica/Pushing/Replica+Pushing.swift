package import Foundation
import GRDB
package import Model

/// The replica's side of a push. A run makes a `PushHold`, and then gets a page, sends it in its
/// order, and settles the replies, until a page is empty.
extension Replica {
    /// The next changes, in the order in which things happened.
    ///
    /// A page ends early where an item needs the answer to another item of the page: an item's base
    /// is the remote's last answer about its row. So settle each page before you ask for the next.
    /// An item without an answer counts as stuck, and holds back the items that depend on it.
    ///
    /// - Parameters:
    ///   - projectIDs: of the changes' projects; nil: all, and changes that belong to none.
    ///   - after: the position of the last item of the page before; nil: from the start.
    ///   - held: of this run; it counts what is held back.
    package func nextPushItems(of projectIDs: [String]?, after: PushPosition?, most: Int, held: PushHold) throws
        -> [PushItem]
    {
        try held.keepingState {
            try read { db in try PushPages(db, pack: pack, held).items(of: projectIDs, after: after, most: most) }
        }
    }

    /// The next rows of the logs that the remote does not have. They are sent after the queue,
    /// since they refer to its rows.
    ///
    /// - Parameter actor: with `projectIDs`, the person whose rows of no project are included.
    package func nextLogRows(
        of projectIDs: [String]?, by actor: Model.Actor, after: PushPosition?, most: Int, held: PushHold
    ) throws -> [PushItem] {
        try held.keepingState {
            try read { db in
                try LogPages(db, pack: pack, held).items(of: projectIDs, by: actor, after: after, most: most)
            }
        }
    }

    /// Stores the answers to a page, in one transaction. The same answer may arrive twice.
    ///
    /// - Parameters:
    ///   - actor: who pushes, for the log.
    ///   - held: of this run.
    package func settle(
        _ outcomes: [PushOutcome], by actor: Model.Actor, in environment: String, at now: Date, held: PushHold
    ) throws {
        try held.keepingState {
            try write { db in
                try PushSettlement(db, pack: pack, held, by: actor, in: environment, at: now).settle(outcomes)
            }
        }
    }

    /// Another person may send what the remote rejected for a lack of permission: these changes do
    /// not wait when the sender changes.
    package func endWaits(ofOthersThan actor: Model.Actor) throws {
        guard try read({ try ReplicaKey.value(of: .sender, $0) }) != actor.id else { return }
        try write { db in
            try ReplicaKey.set(.sender, to: actor.id, db)
            let refused = [PushFailureClass.rls, .permission].map { "last_error LIKE '\($0.rawValue):%'" }.joined(
                separator: " OR ")
            try db.execute(
                sql: "DELETE FROM push_waits WHERE item_id IN (SELECT id FROM main.sync_queue WHERE \(refused))")
        }
    }

    /// The tables with rows that wait to be sent.
    package func waitingEntities() throws -> Set<String> {
        try read {
            try Set(
                String.fetchAll(
                    $0,
                    sql:
                        """
                        SELECT DISTINCT entity_type FROM main.sync_queue WHERE entity_type IS NOT NULL \
                        AND operation IN ('INSERT', 'UPDATE')
                        """
                ))
        }
    }

    /// How many rows that wait to be sent have a value in a field.
    package func countWaiting(with field: String, of entity: Entity) throws -> Int {
        try read { db in
            try Int.fetchOne(
                db,
                sql: """
                    SELECT count(*) FROM main.\(SQLText.name(entity.name)) WHERE \(SQLText.name(field)) IS NOT NULL
                      AND id IN (SELECT entity_id FROM main.sync_queue WHERE entity_type = ? \
                    AND operation IN ('INSERT', 'UPDATE'))
                    """, arguments: [entity.name]) ?? 0
        }
    }

    /// Counts the waiting, failed and held changes of some projects; nil: of all and of none.
    ///
    /// - Parameter now: the current time; nil: rejected changes do not wait.
    package func pushSummary(of projectIDs: [String]? = nil, by actor: Model.Actor, at now: Date? = nil) throws
        -> PushSummary
    {
        try read { db in
            var summary = PushSummary()
            let counts = PushCounts(
                db: db, pack: pack, projects: projectIDs, actorID: actor.id, sender: actor.role, now: now)
            for part in try counts.summaries().values { summary.add(part) }
            return summary
        }
    }

    /// The ids of records of a kind with a row that waits to be sent, and not for a decision.
    package func recordsWithChanges(_ kind: RecordKind) throws -> Set<String> {
        let rows = [(kind.root, FieldPath("id"))] + kind.parts.filter { !$0.isList }.map { ($0.entity, $0.by) }
        let queries = rows.compactMap { name, path in
            pack.entity(name).map {
                (SQLText.name(name), ReferenceSQL(path, from: $0, in: pack, schema: "main").value("p"))
            }
        }
        .map { table, root in
            """
            SELECT \(root) FROM main.\(table) AS p WHERE sync_state <> 'synced' \
            AND sync_state NOT IN ('pending_download', 'conflict')
            """
        }
        return try read { db in
            Set(try String?.fetchAll(db, sql: queries.joined(separator: " UNION ")).compactMap(\.self))
        }
    }
}
