package import Foundation
package import Model

/// Why an item waits in this run.
package enum PushHoldReason: String, Sendable, Hashable, Codable, CaseIterable {
    /// Somebody has to decide a conflict of its row first.
    case conflict
    /// The remote refused it before, and it is not time yet to try again.
    case waiting
    /// An earlier change of the same row has not gone up.
    case earlier
    /// It refers to a row that the remote does not have yet.
    case reference
    /// It deletes a row, of which a part could not be deleted.
    case parts
    /// It names a table that the pack does not have, or nothing that can be done.
    case unknown
    /// The role of the person who syncs does not allow to send.
    case role
}

/// What one run of a push holds back, and why.
///
/// The lists themselves are temporary tables of the replica's connection, so that memory does not
/// grow with the queue. A replica has one run at a time.
package final class PushHold {
    struct State {
        var counts: [PushHoldReason: Int] = [:]
        /// When the first of the items that wait after a failure is due.
        var due: String?
        /// The waits of items that are gone were forgotten.
        var isTidy = false
        /// An item was held because the row that it refers to comes later.
        var hasPassedBy = false
        /// Number of the last write that the lists cover; nil: there are no lists yet.
        var stamp: Int64?
    }

    var state = State()
    /// The lists are temporary tables whose names begin so.
    let name: String

    /// The clock of the run; nil: what was refused before is tried again now.
    let now: String?

    /// What the remote takes, if that is not everything.
    let reach: PushReach?

    /// - Parameter now: the clock of the run; nil: what was refused before does not wait.
    package convenience init(at now: Date? = nil, reach: PushReach? = nil) { self.init(name: "push", at: now, reach: reach) }

    /// - Parameter name: of lists beside those of a run.
    init(name: String, at now: Date?, reach: PushReach? = nil) { (self.name, self.now, self.reach) = (name, now.map(Timestamp.format), reach) }

    /// The items that were held back so far, each counted once, by reason.
    package var counts: [PushHoldReason: Int] { state.counts }

    /// Whether an item was held because the row that it refers to comes later: it can go up now.
    package var hasPassedBy: Bool { state.hasPassedBy }

    /// When the first of the items that wait after a failure is due.
    package var due: String? { state.due }

    /// Runs a body in a transaction; if it throws, what it noted here is forgotten with all else.
    func keepingState<T>(_ body: () throws -> T) throws -> T {
        let before = state
        do { return try body() } catch {
            state = before
            throw error
        }
    }
}
