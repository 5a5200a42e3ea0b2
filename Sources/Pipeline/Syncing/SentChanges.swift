import Foundation
package import Model
import Remotes
import Replica

/// Changes that a sync sent to the central database.
package struct SentChanges: Encodable, Sendable {
    package struct Failure: Encodable, Sendable {
        package var entity: String
        package var id: String
        package var kind: PushFailureClass
        package var message: String

        private enum CodingKeys: String, CodingKey {
            case entity, id, message
            case kind = "class"
        }
    }

    /// Numbers of changes that the server confirmed, by table.
    package var confirmed: [String: Int] = [:]
    /// Numbers of changes that were sent and wait for an acknowledgement, by table.
    var underway: [String: Int] = [:]
    /// Number of log rows that the server confirmed.
    package var logs = 0
    package var contested = 0
    /// At most a hundred failures; `failures` counts all. A failure is dropped if a later change of
    /// the same row was sent in its place.
    package var failed: [Failure] = []
    package var failures = 0
    /// Numbers of changes that were held back, by reason (`PushHoldReason`).
    package var held: [String: Int] = [:]
    /// Time of the first retry of a rejected change.
    package var nextAttempt: String?

    package var count: Int { confirmed.values.reduce(0, +) }

    /// Adds the changes of a second round of the same sync. The first round has already reported
    /// what could not be sent.
    package mutating func add(_ other: SentChanges) {
        confirmed.merge(other.confirmed, uniquingKeysWith: +)
        logs += other.logs
        contested += other.contested
    }

    package var isEmpty: Bool {
        count == 0 && underway.isEmpty && logs == 0 && contested == 0 && failures == 0 && held.isEmpty
    }
}

/// Sends the replica's changes in their order: it sends a page, stores the server's replies, and
/// continues with the next page. A run after a kill sends the same page again, which changes
/// nothing twice.
struct ChangeSender {
    let pack: Pack
    let replica: Replica
    let remote: any Remote
    let environment: String
    let display: any RunDisplay
    /// Projects whose changes are sent; nil: all, and changes of no project.
    let projects: [String]?

    /// Changes in one transaction on the server. More would hold the server's locks for longer.
    private static let pageSize = 200

    /// - Parameter retrying: whether rejected changes that are not due are sent too.
    func send(at time: Date, retrying: Bool, findings: any FindingSink) throws -> SentChanges {
        var sent = SentChanges()
        try display.part(of: waiting(at: retrying ? nil : time))
        var hold = PushHold(at: retrying ? nil : time, reach: remote.reach)
        var refused = RefusedChanges()
        try send(at: time, hold, findings, &refused, &sent) {
            try replica.nextPushItems(of: projects, after: $0, most: Self.pageSize, held: hold)
        }
        var before = 0
        while refused.isMended || hold.hasPassedBy, sent.count > before {
            // Another pass is needed: items were skipped that refer to a row sent after them.
            (before, refused.isMended) = (sent.count, false)
            hold = PushHold(at: time, reach: remote.reach)
            try send(at: time, hold, findings, &refused, &sent) {
                try replica.nextPushItems(of: projects, after: $0, most: Self.pageSize, held: hold)
            }
        }
        for (reason, count) in hold.counts { sent.held[reason.rawValue] = count }
        sent.nextAttempt = hold.due
        // A remote that accepts only some tables, such as a package folder, accepts no logs.
        if remote.reach == nil {
            try send(at: time, hold, findings, &refused, &sent) {
                try replica.nextLogRows(of: projects, by: remote.actor, after: $0, most: Self.pageSize, held: hold)
            }
        }
        for (failure, finding) in refused.remaining {
            sent.failures += 1
            if sent.failed.count < 100 { sent.failed.append(failure) }
            try findings.add(finding)
        }
        return sent
    }

    /// Number of changes and log rows that wait to be sent.
    private func waiting(at time: Date?) throws -> Int {
        let summary = try replica.pushSummary(of: projects, by: remote.actor, at: time)
        return summary.waiting.reduce(summary.logs) { $0 + $1.count }
    }

    private func send(
        at time: Date, _ hold: PushHold, _ findings: any FindingSink, _ refused: inout RefusedChanges,
        _ sent: inout SentChanges,
        _ next: (PushPosition?) throws -> [PushItem]
    ) throws {
        var position: PushPosition?
        while true {
            try Interruption.check()
            let page = try next(position)
            guard let last = page.last else { return }
            position = last.position
            let outcomes = try remote.push(page)
            try replica.settle(outcomes, by: remote.actor, in: environment, at: time, held: hold)
            for (item, outcome) in zip(page, outcomes) { try note(item, outcome.result, findings, &refused, &sent) }
            display.show(sent.count + sent.logs + sent.underway.values.reduce(0, +), of: last.entity)
        }
    }

    private func note(
        _ item: PushItem, _ result: PushOutcome.Result, _ findings: any FindingSink, _ refused: inout RefusedChanges,
        _ sent: inout SentChanges
    ) throws {
        refused.forget(item, isSent: result.isSent(item.operation))
        switch result {
        case .gone where item.operation != .delete:
            sent.contested += 1
            try findings.add(Finding("SYNC-DELETED", place: try place(item)))
        case .confirmed, .gone:
            if case .log = item.position { sent.logs += 1 } else { sent.confirmed[item.entity, default: 0] += 1 }
        case .sent: sent.underway[item.entity, default: 0] += 1
        case .contested:
            sent.contested += 1
            try findings.add(Finding("SYNC-CONFLICT", place: try place(item)))
        case .failed(let kind, let message):
            let finding = Finding(
                "SYNC-NOT-SENT", place: try place(item), arguments: ["class": kind.rawValue, "reason": message])
            refused.note(
                item, SentChanges.Failure(entity: item.entity, id: item.rowID, kind: kind, message: message), finding)
        }
    }

    private func place(_ item: PushItem) throws -> Place {
        let key = try pack.entity(item.entity).flatMap { try replica.name(of: $0, id: item.rowID) }
        return Place(table: item.entity, id: item.rowID, key: key)
    }
}

/// The changes that the server rejected in this run, at most one of each row, in their order.
private struct RefusedChanges {
    private var list: [(SentChanges.Failure, Finding)?] = []
    private var places: [String: Int] = [:]
    /// Whether a later change of a row was sent in place of a rejected one.
    var isMended = false

    var remaining: [(SentChanges.Failure, Finding)] { list.compactMap(\.self) }

    private func key(_ item: PushItem) -> String { item.entity + "/" + item.rowID }

    mutating func note(_ item: PushItem, _ failure: SentChanges.Failure, _ finding: Finding) {
        places[key(item)] = list.count
        list.append((failure, finding))
    }

    mutating func forget(_ item: PushItem, isSent: Bool) {
        guard let place = places.removeValue(forKey: key(item)) else { return }
        list[place] = nil
        if isSent { isMended = true }
    }
}

extension PushOutcome.Result {
    /// Whether the server has the row as the change left it.
    fileprivate func isSent(_ operation: PushOperation) -> Bool {
        switch self {
        case .confirmed: true
        case .gone: operation == .delete
        case .contested, .failed, .sent: false
        }
    }
}
