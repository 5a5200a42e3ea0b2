/// A person's statement that a finding is known and may stay for a while. It is still shown, as
/// accepted, and no longer counts towards a threshold.
package struct Acceptance: Sendable, Hashable, Codable {
    package var reason: String
    /// The email of the person who accepted.
    package var actor: String
    /// The time of acceptance, in UTC (`Timestamp`).
    package var acceptedAt: String
    /// The last day on which it is valid, `yyyy-MM-dd` in the office's time zone.
    package var until: String

    package init(reason: String, actor: String, acceptedAt: String, until: String) {
        self.reason = reason
        self.actor = actor
        self.acceptedAt = acceptedAt
        self.until = until
    }
}
