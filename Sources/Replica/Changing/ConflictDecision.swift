/// How somebody ends a conflict; the values that are kept are the change's own.
package struct ConflictDecision: Sendable, Hashable {
    package enum Side: String, Sendable, Codable {
        case local, remote, merged
    }

    package var conflictID: String
    package var side: Side

    package init(conflictID: String, side: Side) { (self.conflictID, self.side) = (conflictID, side) }
}
