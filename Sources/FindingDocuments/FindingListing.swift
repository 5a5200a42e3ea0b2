package import Model

/// Findings as a text for a terminal or a log: by code, worst first, each with its count, its first
/// findings and how to mend it, then the totals. Keeps only what it shows, however many findings
/// come.
package final class FindingListing: FindingSink {
    private struct Group {
        var severity: Severity
        var count = 0
        var first: [Finding] = []
    }

    private let text: FindingText
    private let limit: Int
    private var groups: [String: Group] = [:]

    /// - Parameter first: the number of findings of each code that are shown.
    package init(_ text: FindingText, first: Int = 5) {
        self.text = text
        limit = first
    }

    package func add(_ finding: Finding) {
        var group = groups[finding.code] ?? Group(severity: finding.severity)
        group.severity = max(group.severity, finding.severity)
        group.count += 1
        if group.first.count < limit { group.first.append(finding) }
        groups[finding.code] = group
    }

    /// The whole report; each line ends with a line feed.
    package func render() -> String {
        var lines: [String] = []
        for (code, group) in groups.sorted(by: { ($1.value.severity, $0.key) < ($0.value.severity, $1.key) }) {
            lines.append("\(text.severity(group.severity))  \(code)  \(text.title(of: code))  × \(group.count)")
            let remedies = group.first.map(text.remedy(of:)), isOne = Set(remedies).count == 1
            for (index, finding) in group.first.enumerated() {
                // The beginning of its fingerprint serves to accept a finding.
                lines.append("  \(text.place(of: finding))  [\(finding.fingerprint.prefix(8))]")
                lines.append("    " + text.message(of: finding))
                if let acceptance = text.acceptance(of: finding) { lines.append("    \(text.word("report.accepted_one")) \(acceptance)") }
                // A remedy that names the values of one field is none for another.
                let isLast = index + 1 == remedies.count || remedies[index + 1] != remedies[index]
                if !isOne, isLast, !remedies[index].isEmpty { lines.append("    → " + remedies[index]) }
            }
            if group.count > group.first.count { lines.append("  … + \(group.count - group.first.count)") }
            if isOne, !remedies[0].isEmpty { lines.append("  → " + remedies[0]) }
            lines.append("")
        }
        lines.append(totals)
        return lines.map { $0 + "\n" }.joined()
    }

    private var totals: String {
        Severity.allCases.reversed().map { severity in
            let count = groups.values.filter { $0.severity == severity }.reduce(0) { $0 + $1.count }
            return "\(text.severity(severity)): \(count)"
        }.joined(separator: "  ")
    }
}
