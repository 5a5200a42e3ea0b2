package import Foundation
import GRDB
package import Model

/// The replica's side of a push. A run creates a `PushHold`. Then it repeats three steps until a
/// page is empty: it reads a page, sends its items in order, and stores the replies (`settle`).
extension Replica {
    /// The next queued changes, in the order in which they were made.
    ///
    /// A page ends before an item that needs the reply to another item of the page: an item's base
    /// is the version in the remote's last reply. So settle each page before reading the next. An
    /// item without a reply counts as stuck, and holds back the items that depend on it.
    ///
    /// - Parameters:
    ///   - projectIDs: the changes' projects; nil: all, and changes of no project.
    ///   - after: the position of the last item of the page before; nil: from the start.
    ///   - held: the run's object, which counts the items that are held back.
    package func nextPushItems(of projectIDs: [String]?, after: PushPosition?, most: Int, held: PushHold) throws
        -> [PushItem]
    {
        try held.keepingState {
            try read { db in try PushPages(db, pack: pack, held).items(of: projectIDs, after: after, most: most) }
        }
    }

    /// The next rows of the logs that the remote does not have. They are sent after the queue,
    /// since they refer to rows that the queue sends.
    ///
    /// - Parameter actor: the person whose log rows of no project are included, if `projectIDs` is
    ///   given.
    package func nextLogRows(
        of projectIDs: [String]?, by actor: Model.Actor, after: PushPosition?, most: Int, held: PushHold
    ) throws -> [PushItem] {
        try held.keepingState {
            try read { db in
                try LogPages(db, pack: pack, held).items(of: projectIDs, by: actor, after: after, most: most)
            }
        }
    }

    /// Stores the remote's replies to a page, in one transaction. The same reply may arrive twice.
    ///
    /// - Parameters:
    ///   - actor: who pushes, for the log.
    ///   - held: the run's object.
    package func settle(
        _ outcomes: [PushOutcome], by actor: Model.Actor, in environment: String, at now: Date, held: PushHold
    ) throws {
        try held.keepingState {
            try write { db in
                try PushSettlement(db, pack: pack, held, by: actor, in: environment, at: now).settle(outcomes)
            }
        }
    }

    /// Ends the waiting times of changes that the remote rejected for lack of permission, if the
    /// last sender was another person. The new sender may have the permission.
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

    /// Names of the tables with new or changed rows that wait to be sent.
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

    /// Number of rows that wait to be sent and have a value in a field.
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

    /// Counts the waiting, failed and held-back changes of some projects; nil: all changes, also
    /// those of no project.
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

    /// Ids of a kind's records with a row that waits to be sent. Rows in conflict do not count.
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
