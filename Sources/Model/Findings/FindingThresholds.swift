/// The findings from which a command ends with exit code 1. Accepted findings never count.
package struct FindingThresholds: Sendable, Hashable {
    package var failOn: FailOn
    /// The number of tolerated findings of severity error, which then decides about errors in place
    /// of `failOn`; nil: `failOn` decides.
    package var maximumErrors: Int?
    /// The tolerated number of findings by code. Of these codes only that number decides, and not
    /// their severity.
    package var allowed: [String: Int]

    package init(failOn: FailOn = .error, maximumErrors: Int? = nil, allowed: [String: Int] = [:]) {
        self.failOn = failOn
        self.maximumErrors = maximumErrors
        self.allowed = allowed
    }

    /// The exit code for findings: by code, their severity and how many of them are open.
    package func exitCode(for counts: [(code: String, severity: Severity, open: Int)]) -> ExitCode {
        if counts.contains(where: { FindingCatalogue.isGap($0.code) && allowed[$0.code] == nil && $0.open > 0 }) { return .findings }
        var found: [Severity: Int] = [:]
        var ofCode: [String: Int] = [:]
        for count in counts {
            if allowed[count.code] == nil { found[count.severity, default: 0] += count.open } else { ofCode[count.code, default: 0] += count.open }
        }
        if ofCode.contains(where: { $0.value > allowed[$0.key] ?? 0 }) { return .findings }
        let errors = found[.error] ?? 0
        if let maximumErrors {
            if errors > maximumErrors { return .findings }
        } else if failOn != .never, errors > 0 {
            return .findings
        }
        return failOn == .warning && found[.warning] ?? 0 > 0 ? .findings : .done
    }
}
