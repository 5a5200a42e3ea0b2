/// Where a finding stands beside an earlier validation.
package enum FindingStatus: String, Sendable, Codable, CaseIterable {
    /// It was not there.
    case new
    /// It was there already.
    case remaining
}
