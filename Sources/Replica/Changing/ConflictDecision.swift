/// How a person resolves a conflict; the values to keep are in the change itself.
package struct ConflictDecision: Sendable, Hashable {
    package enum Side: String, Sendable, Codable {
        case local, remote, merged
    }

    package var conflictID: String
    package var side: Side

    package init(conflictID: String, side: Side) { (self.conflictID, self.side) = (conflictID, side) }
}
