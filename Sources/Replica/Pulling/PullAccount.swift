package import Foundation
package import Model

/// Where a pull comes from, and for whom.
package struct PullRequest {
    package var runID: String?
    /// The server and the database.
    package var remote: String
    package var actor: Actor
    package var environment: String
    package var startedAt: Date
    /// How many changes the sync sent before, for the log.
    package var sent = 0
    /// Whether parts come with a record that moves to another project, and removals are told.
    package var isExact = true
    /// Whether all rows come although what is news was taken over: what differs is damage.
    package var comparesValues = false

    package init(runID: String?, remote: String, actor: Actor, environment: String, startedAt: Date) {
        (self.runID, self.remote, self.actor, self.environment, self.startedAt) = (runID, remote, actor, environment, startedAt)
    }
}

/// What a pull changed in the replica.
package struct PullAccount: Sendable, Hashable, Codable {
    package struct Line: Sendable, Hashable, Codable {
        package var entity: String
        /// Rows that arrived; each is counted in exactly one of the others.
        package var received = 0
        package var new = 0
        package var changed = 0
        package var unchanged = 0
        /// Rows with changes of their own here, which wait as conflicts.
        package var conflict = 0
        /// Rows with changes of their own here that the server has not contradicted.
        package var kept = 0
        /// Rows of a package that were refused, or that wait for one that was.
        package var refused = 0
        /// Rows that went: deleted there, or moved out of sight.
        package var removed = 0

        package init(entity: String, received: Int = 0) { (self.entity, self.received) = (entity, received) }

        package var isEmpty: Bool { received == 0 && removed == 0 && conflict == 0 }
        /// Whether all that arrived is accounted for. A removal may add a conflict of its own.
        var isWhole: Bool { new + changed + unchanged + conflict + kept + refused >= received }
    }

    /// In the pack's order.
    package var lines: [Line] = []
    /// Projects that the actor no longer sees: their rows are hidden.
    package var withdrawn: [String] = []
    /// How many changes were sent before.
    package var sent = 0

    package init() {}

    package var changesSomething: Bool { sent > 0 || !withdrawn.isEmpty || hasArrivals }

    /// Whether rows came that were not here.
    package var hasArrivals: Bool { lines.contains { $0.new + $0.changed + $0.conflict + $0.removed > 0 } }

    /// Without the rows that changed nothing: for a step that asks again for what came before.
    package var changesOnly: PullAccount {
        var account = self
        for index in account.lines.indices {
            account.lines[index].received -= account.lines[index].unchanged + account.lines[index].kept
            (account.lines[index].unchanged, account.lines[index].kept) = (0, 0)
        }
        account.lines.removeAll(where: \.isEmpty)
        return account
    }

    /// Adds what a second step of the same sync did.
    package mutating func add(_ other: PullAccount) {
        withdrawn += other.withdrawn
        for line in other.lines {
            guard let index = lines.firstIndex(where: { $0.entity == line.entity }) else {
                lines.append(line)
                continue
            }
            lines[index].received += line.received
            lines[index].new += line.new
            lines[index].changed += line.changed
            lines[index].unchanged += line.unchanged
            lines[index].conflict += line.conflict
            lines[index].kept += line.kept
            lines[index].refused += line.refused
            lines[index].removed += line.removed
        }
    }
}
