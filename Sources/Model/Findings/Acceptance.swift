/// Somebody's word that a finding is known and may stay as it is for a while: it is still shown, as accepted, and no longer counts
/// against a threshold.
package struct Acceptance: Sendable, Hashable, Codable {
    package var reason: String
    /// Email of who accepted.
    package var actor: String
    /// When, UTC (`Timestamp`).
    package var acceptedAt: String
    /// The last day on which it holds, `yyyy-MM-dd` in the office's time zone.
    package var until: String

    package init(reason: String, actor: String, acceptedAt: String, until: String) {
        self.reason = reason
        self.actor = actor
        self.acceptedAt = acceptedAt
        self.until = until
    }
}
