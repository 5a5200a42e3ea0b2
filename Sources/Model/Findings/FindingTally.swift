/// The number of findings by code and by project, which a document shows before the single
/// findings.
package struct FindingTally: Sendable, Hashable {
    package struct Entry: Sendable, Hashable {
        package var severity: Severity
        package var code: String
        package var count = 0
        /// The number of accepted ones among them.
        package var accepted = 0
    }

    /// In the order in which the findings come: by severity, the most serious first, then code.
    package private(set) var entries: [Entry] = []
    package private(set) var severities: [Severity: Int] = [:]
    /// Findings by project's code and severity, without the findings of no project.
    package private(set) var projects: [String: [Severity: Int]] = [:]
    package private(set) var accepted = 0
    private var places: [Key: Int] = [:]

    private struct Key: Hashable {
        var severity: Severity
        var code: String
    }

    package init() {}

    /// Counts all findings of a source in one pass.
    package init(_ source: any FindingSource) throws {
        try source.forEach { add($0) }
        entries.sort { ($1.severity, $0.code) < ($0.severity, $1.code) }
        for (index, entry) in entries.enumerated() { places[Key(severity: entry.severity, code: entry.code)] = index }
    }

    package var total: Int { severities.values.reduce(0, +) }

    package func count(_ severity: Severity, _ code: String) -> Int {
        places[Key(severity: severity, code: code)].map { entries[$0].count } ?? 0
    }

    private mutating func add(_ reported: PlacedFinding) {
        let finding = reported.finding
        let key = Key(severity: finding.severity, code: finding.code)
        let place = places[key] ?? entries.count
        if place == entries.count {
            places[key] = place
            entries.append(Entry(severity: finding.severity, code: finding.code))
        }
        entries[place].count += 1
        severities[finding.severity, default: 0] += 1
        if let project = reported.project { projects[project, default: [:]][finding.severity, default: 0] += 1 }
        if finding.acceptance != nil {
            entries[place].accepted += 1
            accepted += 1
        }
    }
}
