import Model
import Replica

extension CommandSession {
    /// Counts of all findings, each with the message of the first.
    func countsWithExamples(_ store: FindingStore) throws -> [FindingCount] {
        var first: [String: String] = [:]
        try store.forEach(limit: 1) { first[$0.code] = findingText.message(of: $0) }
        return counts(try store.counts()).map { count in
            var count = count
            count.example = first[count.code]
            return count
        }
    }

    /// How often a finding occurs, and how many of these are accepted.
    func shownCount(of finding: FindingCount) -> String {
        guard finding.accepted > 0 else { return String(finding.count) }
        return text("cover.count_accepted", ["count": String(finding.count), "accepted": String(finding.accepted)])
    }

    /// Counts of findings with titles for people.
    func counts(_ counts: [FindingStore.Count]) -> [FindingCount] {
        counts.map { count in
            let title = pack.texts.textIfAny("finding." + count.code, in: language) ?? pack.texts.text("rule." + count.code, in: language)
            return FindingCount(code: count.code, severity: count.severity, count: count.count, accepted: count.accepted, title: title)
        }
    }
}
