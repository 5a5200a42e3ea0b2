package import Model
internal import OutputFiles

/// Writes the findings of a validation to a file of the given kind. The finished file keeps a
/// temporary name until the caller renames it.
package struct FindingDocument {
    /// The kinds, named as the endings of their files.
    package enum Kind: String, CaseIterable, Sendable {
        case text = "txt"
        case json, sarif, xlsx, html
    }

    private let text: FindingText
    private let head: FindingDocumentHead
    private let pack: Pack
    private let summary: String
    private let limit: Int

    /// - Parameters:
    ///   - summary: the scope and the results of a validation, as JSON.
    ///   - limit: the number of findings of each code that a text shows.
    package init(_ text: FindingText, head: FindingDocumentHead, pack: Pack, summary: String, limit: Int) {
        (self.text, self.head, self.pack, self.summary, self.limit) = (text, head, pack, summary, limit)
    }

    package func write(_ source: any FindingRowSource, _ tally: FindingTally, as kind: Kind, to path: String) throws
        -> WrittenFile
    {
        if kind == .xlsx { return try FindingWorkbook(text, head: head, tally: tally).write(source, to: path) }
        let file = try TextFile(finalPath: path)
        switch kind {
        case .text: try writeText(source, to: file)
        case .json: try writeJSON(source, to: file)
        case .sarif:
            try FindingSARIF(text, head: head, rules: FindingSARIF.Rule.all(of: pack)) { try file.write($0) }.write(
                source)
        case .html: try FindingPage(text, head: head, tally: tally) { try file.write($0) }.write(source)
        case .xlsx: break
        }
        return try file.close(rows: tally.total)
    }

    private func writeText(_ source: any FindingSource, to file: TextFile) throws {
        try file.write(text.word("report.title") + "\n\n")
        for line in head.lines(text) { try file.write("\(line.label): \(line.value)\n") }
        let listing = FindingListing(text, first: limit)
        try source.forEach { listing.add($0.finding) }
        try file.write("\n" + listing.render())
    }

    private func writeJSON(_ source: any FindingSource, to file: TextFile) throws {
        let about = JSONString.document(JSONHead(head, language: text.language))
        try file.write("{\"about\":\n\(about),\n\"summary\":\n\(summary),\n\"findings\":\n")
        let writer = FindingJSON(text) { try file.write($0) }
        try source.forEach { try writer.add($0) }
        try writer.finish()
        try file.write("}\n")
    }
}

/// The head of a JSON file of findings.
private struct JSONHead: Encodable {
    var format = 1
    var pack: String
    var packVersion: String
    var environment: String
    var program: String
    var asOf: String
    var language: String
    var projects: [String]

    init(_ head: FindingDocumentHead, language: Language) {
        pack = head.packName
        packVersion = head.packVersion
        environment = head.environment
        program = head.programVersion
        asOf = Timestamp.format(head.asOf)
        self.language = language.rawValue
        projects = head.projects.map(\.code)
    }
}

/// Findings as a text for a terminal or a log: by code, worst severity first, with count, first
/// findings and remedies of each code, then the totals. Only the findings that are shown are stored
/// in memory.
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
                // Eight digits of the fingerprint are enough for `fichero accept`.
                lines.append("  \(text.place(of: finding))  [\(finding.fingerprint.prefix(8))]")
                lines.append("    " + text.message(of: finding))
                if let acceptance = text.acceptance(of: finding) {
                    lines.append("    \(text.word("report.accepted_one")) \(acceptance)")
                }
                // If the remedies differ, each is shown after the last finding to which it applies.
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
