/// Why the remote did not take a change.
package enum PushFailureClass: String, Sendable, Hashable, Codable, CaseIterable {
    /// The remote's tables are not those of the pack.
    case schema
    /// A policy of the remote's rows refused it.
    case rls
    /// The person may not do this at all.
    case permission
    /// The remote could not store it.
    case storage
    /// Anything else.
    case sync
}

/// What the remote answered to one change.
package struct PushOutcome: Sendable, Hashable {
    package enum Result: Sendable, Hashable {
        /// The remote has it; its row has this version now.
        case confirmed(version: String)
        /// The row is not there (any more).
        case gone
        /// The remote's row is another one than the change was made on: the row as JSON.
        case contested(remote: String)
        case failed(class: PushFailureClass, message: String)
        /// It is on its way, and the remote answers later: the change waits for its acknowledgement.
        case sent
    }

    package var itemID: String
    package var result: Result

    package init(itemID: String, result: Result) { (self.itemID, self.result) = (itemID, result) }
}
