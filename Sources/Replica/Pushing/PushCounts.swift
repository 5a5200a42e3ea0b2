package import Foundation
import GRDB
package import Model

/// Counts the items that wait, have failed or are held back, by project, in one pass per table.
struct PushCounts {
    let db: Database
    let pack: Pack
    /// Ids of the counted projects; nil: all, and rows of no project.
    let projects: [String]?
    /// The person whose log rows are counted even if they belong to no project.
    let actorID: String
    /// Whether rows of no project are counted.
    var isWithNone = false
    /// The role whose permitted logs are counted; nil: all logs.
    var sender: Role?
    /// The current time; nil: rejected items do not wait for their next attempt.
    let now: Date?

    /// Summaries of projects in which anything waits; the key nil is for rows of no project.
    func summaries() throws -> [String?: PushSummary] {
        var found: [String?: PushSummary] = [:]
        let isUnknown = try countQueue(&found)
        if try isUnknown || isHolding() { try countHeld(&found) }
        try countLogs(&found)
        return found
    }

    /// SQL condition: a log's row is in a counted project, or is one of no project that the actor
    /// sends.
    private func inScope(_ log: Entity) -> String {
        """
        (?1 IS NULL OR project_id IN (SELECT value FROM \
        json_each(?1))\(LogPages.ownOfNone(log, SQLText.literal(actorID), pack)))
        """
    }

    private var inScope: String {
        "(?1 IS NULL OR project_id IN (SELECT value FROM json_each(?1))\(isWithNone ? " OR project_id IS NULL" : ""))"
    }

    private func rows(_ sql: String) throws -> RowCursor {
        try Row.fetchCursor(db, sql: sql, arguments: [projects.map { try Quarantine.json($0) }])
    }

    // MARK: The queue

    /// Returns whether there are items that nobody can send.
    private func countQueue(_ found: inout [String?: PushSummary]) throws -> Bool {
        let known = Set(pack.entities.map(\.name)).subtracting(IndexPlan.logs)
        var isUnknown = false
        let groups = try rows(
            """
            SELECT project_id, entity_type, operation, CASE WHEN retry_count > 0 AND last_error IS NOT NULL \
            THEN substr(last_error, 1, instr(last_error, ':')) END,
              count(*), min(CASE WHEN retry_count > 0 THEN coalesce((SELECT failed_at FROM main.push_waits \
            WHERE item_id = q.id), created_at, '') END), sum(entity_id IS NULL)
            FROM main.sync_queue AS q WHERE operation IS NOT 'UPLOAD' AND \(inScope) GROUP BY 1, 2, 3, 4
            """)
        while let group = try groups.next() {
            let project: String? = group[0], entity: String? = group[1], count: Int = group[4]
            let operation = (group[2] as String?).flatMap(PushOperation.init)
            if operation == nil || entity.map(known.contains) != true || group[6] > 0 { isUnknown = true }
            var summary = found[project] ?? PushSummary()
            if let entity, let operation { Self.add(count, entity, operation, to: &summary.waiting) }
            if let error: String = group[3] {
                Self.add(count, PushError.kind(of: error), since: group[5] ?? "", to: &summary.failed)
            }
            found[project] = summary
        }
        return isUnknown
    }

    private static func add(
        _ count: Int, _ entity: String, _ operation: PushOperation, to waiting: inout [PushSummary.Waiting]
    ) {
        if let index = waiting.firstIndex(where: { $0.entity == entity && $0.operation == operation }) {
            waiting[index].count += count
        } else {
            waiting.append(PushSummary.Waiting(entity: entity, operation: operation, count: count))
        }
    }

    private static func add(
        _ count: Int, _ kind: PushFailureClass, since: String, to failed: inout [PushSummary.Failed]
    ) {
        if let index = failed.firstIndex(where: { $0.kind == kind }) {
            failed[index].count += count
            failed[index].since = min(failed[index].since, since)
        } else {
            failed.append(PushSummary.Failed(kind: kind, count: count, since: since))
            failed.sort { $0.kind.rawValue < $1.kind.rawValue }
        }
    }

    // MARK: What is held

    /// Whether a conflict is open, or a rejected item waits.
    private func isHolding() throws -> Bool {
        try Bool.fetchOne(
            db,
            sql: """
                SELECT EXISTS (SELECT 1 FROM main.conflicts WHERE resolution_status = 'open') OR EXISTS (
                  SELECT 1 FROM main.push_waits WHERE tried_at <= ?1 AND ?1 < due_at AND item_id IN (SELECT id \
                FROM main.sync_queue))
                """, arguments: [now.map(Timestamp.format)]) ?? false
    }

    /// Counts the items that a push would hold back, in the order of a push.
    private func countHeld(_ found: inout [String?: PushSummary]) throws {
        let look = PushHold(name: "look", at: now)
        _ = try PushPages(db, pack: pack, look, isLooking: true).items(
            of: isWithNone ? nil : projects, after: nil, most: 1)
        let groups = try rows(
            """
            SELECT q.project_id, h.entity, h.reason, count(*), min(h.due) FROM temp.look_held AS h \
            JOIN main.sync_queue AS q ON q.id = h.item
            WHERE \(inScope) GROUP BY 1, 2, 3
            """)
        while let group = try groups.next() {
            guard let reason = PushHoldReason(rawValue: group[2]) else { continue }
            found[group[0], default: PushSummary()].held.append(
                PushSummary.Held(entity: group[1], reason: reason, count: group[3], until: group[4]))
        }
    }

    // MARK: Logs

    private func countLogs(_ found: inout [String?: PushSummary]) throws {
        for entity in LogPages.tables.compactMap({ pack.entity($0) }) where sender?.maySend(entity) ?? true {
            let hasProject = entity.field("project_id") != nil
            let groups = try rows(
                """
                SELECT \(hasProject ? "project_id" : "NULL"), count(*) FROM main.\(SQLText.name(entity.name))
                WHERE \(LogPages.waits) AND \(hasProject ? inScope(entity) : "?1 IS ?1") GROUP BY 1
                """)
            while let group = try groups.next() { found[group[0], default: PushSummary()].logs += group[1] }
        }
    }
}

extension PushSummary {
    /// Adds the numbers of another summary.
    mutating func add(_ other: PushSummary) {
        func sum<Item, Key: Comparable>(_ items: [Item], _ key: (Item) -> Key, _ join: (inout Item, Item) -> Void)
            -> [Item]
        {
            var all: [Item] = []
            for item in items.sorted(by: { key($0) < key($1) }) {
                if let last = all.last, key(last) == key(item) {
                    join(&all[all.count - 1], item)
                } else {
                    all.append(item)
                }
            }
            return all
        }
        waiting = sum(waiting + other.waiting, { $0.entity + " " + $0.operation.rawValue }) { $0.count += $1.count }
        failed = sum(failed + other.failed, \.kind.rawValue) {
            $0.count += $1.count
            $0.since = min($0.since, $1.since)
        }
        held = sum(held + other.held, { $0.entity + " " + $0.reason.rawValue }) {
            $0.count += $1.count
            $0.until = [$0.until, $1.until].compactMap(\.self).min()
        }
        logs += other.logs
    }
}

/// Writes a failure for the queue: one short line without the values that the server quotes.
enum PushError {
    static let longest = 300

    static func text(_ failure: PushFailureClass, _ message: String) -> String {
        var line = String(message.split(whereSeparator: \.isNewline).first ?? "")
        // `Key (email)=(ana@example.pe) already exists`
        line.replace(/=\s*\(.*\)/, with: "=(•••)")
        // `invalid input syntax for type uuid: "Ana"`
        line.replace(/:\s*".*"/, with: ": •••")
        line.replace(/'[^']*'/, with: "•••")
        line.replace(/[^\s@]+@[^\s@]+/, with: "•••")
        return String("\(failure.rawValue): \(line)".prefix(longest))
    }

    /// The class of a stored failure; `sync` for a text by another program, without a class.
    static func kind(of text: String) -> PushFailureClass {
        text.firstIndex(of: ":").flatMap { PushFailureClass(rawValue: String(text[..<$0])) } ?? .sync
    }
}

/// Changes that wait to be sent to the remote, that failed, and that are held back.
package struct PushSummary: Sendable, Hashable, Codable {
    package struct Waiting: Sendable, Hashable, Codable {
        package var entity: String
        package var operation: PushOperation
        package var count: Int
    }

    package struct Failed: Sendable, Hashable, Codable {
        package var kind: PushFailureClass
        package var count: Int
        /// When the first of these items failed; if that is not known, when the oldest was created.
        package var since: String

        private enum CodingKeys: String, CodingKey {
            case count, since
            case kind = "class"
        }
    }

    package struct Held: Sendable, Hashable, Codable {
        package var entity: String
        package var reason: PushHoldReason
        package var count: Int
        /// When the first of these items is retried, if they wait for a retry.
        package var until: String?
    }

    /// All changes that wait, including those that failed or are held back.
    package var waiting: [Waiting] = []
    package var failed: [Failed] = []
    /// Items that a run would hold back even if nothing failed.
    package var held: [Held] = []
    /// Rows of logs that were not sent.
    package var logs = 0

    /// Marks every waiting change as held back for one reason, which replaces all other reasons.
    package mutating func holdAll(for reason: PushHoldReason) {
        held = waiting.map { Held(entity: $0.entity, reason: reason, count: $0.count) }
    }
}

/// Reason why a push holds an item back.
package enum PushHoldReason: String, Sendable, Hashable, Codable, CaseIterable {
    /// Somebody has to decide a conflict of the item's row first.
    case conflict
    /// The remote rejected the item before, and the next attempt is not due.
    case waiting
    /// An earlier change of the same row was not sent.
    case earlier
    /// The item refers to a row that the remote does not have yet.
    case reference
    /// The item deletes a row with a part that could not be deleted.
    case parts
    /// The item is for an unknown table, or has an unknown operation.
    case unknown
    /// The role of the person who syncs may not send the item.
    case role
}

/// Items that one run of a push holds back, counted by reason.
///
/// The items are listed in temporary tables of the replica's connection (`PushLists`), so that
/// memory does not grow with the queue. A replica has one run at a time.
package final class PushHold {
    /// The counts so far, restored if a step of the run fails.
    struct State {
        var counts: [PushHoldReason: Int] = [:]
        /// When the first of the items that wait after a failure is due.
        var due: String?
        /// Whether the retry times of items that left the queue were deleted.
        var isTidy = false
        /// Whether an item was held back because it refers to a row that is later in the queue.
        var hasPassedBy = false
        /// Stamp of the last write that the lists include; nil: there are no lists yet.
        var stamp: Int64?
    }

    var state = State()
    /// Prefix of the names of the lists, which are temporary tables.
    let name: String

    /// The time of the run; nil: rejected items are retried now.
    let now: String?

    /// The changes that the remote accepts; nil: all.
    let reach: PushReach?

    /// - Parameter now: the time of the run; nil: rejected items are retried now.
    package convenience init(at now: Date? = nil, reach: PushReach? = nil) {
        self.init(name: "push", at: now, reach: reach)
    }

    /// - Parameter name: prefix of the lists' names, for lists beside those of a run.
    init(name: String, at now: Date?, reach: PushReach? = nil) {
        (self.name, self.now, self.reach) = (name, now.map(Timestamp.format), reach)
    }

    /// The items that were held back so far, each counted once, by reason.
    package var counts: [PushHoldReason: Int] { state.counts }

    /// Whether an item was held back for a row later in the queue. Another pass can send it now.
    package var hasPassedBy: Bool { state.hasPassedBy }

    /// When the first of the items that wait after a failure is due.
    package var due: String? { state.due }

    /// Runs a body that writes in a transaction; if it throws, the state is restored too.
    func keepingState<T>(_ body: () throws -> T) throws -> T {
        let before = state
        do { return try body() } catch {
            state = before
            throw error
        }
    }
}
