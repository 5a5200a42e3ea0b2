/// From which findings on a command ends with exit code 1. Findings that somebody accepted never count.
package struct FindingThresholds: Sendable, Hashable {
    package var failOn: FailOn
    /// That many findings of severity error are borne; nil: none, as `failOn` says.
    package var maximumErrors: Int?
    /// Codes of which a number is borne, whatever their severity; these are judged by their own number alone.
    package var allowed: [String: Int]

    package init(failOn: FailOn = .error, maximumErrors: Int? = nil, allowed: [String: Int] = [:]) {
        self.failOn = failOn
        self.maximumErrors = maximumErrors
        self.allowed = allowed
    }

    /// The exit code for findings: by code, their severity and how many of them are open.
    package func exitCode(for counts: [(code: String, severity: Severity, open: Int)]) -> ExitCode {
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
