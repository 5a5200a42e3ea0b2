import GRDB
package import Model

/// What waits to go up to the remote, what failed, and what is held back.
package struct PushSummary: Sendable, Hashable, Codable {
    package struct Waiting: Sendable, Hashable, Codable {
        package var entity: String
        package var operation: PushOperation
        package var count: Int
    }

    package struct Failed: Sendable, Hashable, Codable {
        package var kind: PushFailureClass
        package var count: Int
        /// When the first of them failed; if that is not known, when the oldest was made.
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
        /// When the first of them is tried again, if they wait for that.
        package var until: String?
    }

    /// Every change that waits, also those that failed or are held.
    package var waiting: [Waiting] = []
    package var failed: [Failed] = []
    /// What a run would hold back even if nothing failed.
    package var held: [Held] = []
    /// Rows of logs that have not gone up.
    package var logs = 0

    /// Nothing would go, for one reason that comes before all others.
    package mutating func holdAll(for reason: PushHoldReason) {
        held = waiting.map { Held(entity: $0.entity, reason: reason, count: $0.count) }
    }
}
