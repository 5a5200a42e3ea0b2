/// The status of a finding against an earlier validation.
package enum FindingStatus: String, Sendable, Codable, CaseIterable {
    /// The earlier validation did not have the finding.
    case new
    /// The earlier validation already had the finding.
    case remaining
}
