package import Model

/// The rows and the findings of a validation. Equal data under an equal pack give an equal summary.
package struct ValidationSummary: Sendable, Hashable, Codable {
    /// The judged rows by entity; entities without rows have 0.
    package var rows: [String: Int] = [:]
    /// Findings by code; codes without findings are absent.
    package var findings: [String: Int] = [:]
    /// Findings by severity.
    package var severities: [Severity: Int] = [:]
    /// Codes of the pack's rules that were judged over every row, in the pack's order.
    package var judged: [String] = []
    /// Codes of rules that were not judged, because they need a field that is hidden from the
    /// actor, or photos that are not here.
    package var hidden: [String] = []
    /// Checks that took too long, by rule code, or `FIELD-UNIQUE calicatas.code` for a built-in
    /// one.
    package var timedOut: [String] = []

    package init() {}

    /// The worst severity found; nil without findings.
    package var worst: Severity? { severities.filter { $0.value > 0 }.keys.max() }
    package var total: Int { findings.values.reduce(0, +) }
}

/// The progress of a validation.
package struct ValidationProgress: Sendable, Hashable {
    /// The entity whose rows are read, or whose rules are judged.
    package var entity: String
    /// The rows of the entity that were read so far.
    package var rows: Int
    /// The rule or check over tables that is judged now; nil during the pass over the rows.
    package var rule: String?
}
