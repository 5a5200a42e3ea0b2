/// A finding with the facts that a findings document shows beside it.
package struct PlacedFinding: Sendable, Hashable {
    package var finding: Finding
    /// Code of the project that the row belongs to.
    package var project: String?
    /// The row's position in the copy of its table (`FindingTable`), from zero; nil if there is
    /// no row.
    package var row: Int?
    /// The status compared with an earlier validation; nil if none was compared.
    package var status: FindingStatus?

    package init(_ finding: Finding, project: String? = nil, row: Int? = nil, status: FindingStatus? = nil) {
        self.finding = finding
        self.project = project
        self.row = row
        self.status = status
    }
}

/// The findings for a document. The document's writer reads them as often as it needs; they are
/// never all in memory.
package protocol FindingSource: AnyObject {
    /// Calls the body with every finding, ordered by severity (the most serious first), code, row's
    /// name and field. Equal data give an equal order.
    func forEach(_ body: (PlacedFinding) throws -> Void) throws
    /// The strata of the finding's record, if its pack defines how to draw them.
    func strip(of finding: Finding) throws -> StrataStrip?
}

/// A table with findings, as a findings document copies it: every visible row, or only the rows
/// with findings if there are too many rows.
package struct FindingTable: Sendable, Hashable {
    package var entity: String
    package var title: String
    /// The fields that the actor may see, in the entity's order.
    package var columns: [SheetColumn]
    package var rowCount: Int
    /// Whether the copy includes rows without findings.
    package var isWhole: Bool
    /// The number of visible rows of the table, copied or not.
    package var allRows: Int

    package init(entity: String, title: String, columns: [SheetColumn], rowCount: Int, isWhole: Bool, allRows: Int) {
        self.entity = entity
        self.title = title
        self.columns = columns
        self.rowCount = rowCount
        self.isWhole = isWhole
        self.allRows = allRows
    }
}

/// The rows with findings, for a document that shows them.
package protocol FindingRowSource: FindingSource {
    /// The tables with findings, in the pack's order.
    func tables() throws -> [FindingTable]
    /// A table's copied rows in order: one cell for each column.
    func rows(of table: FindingTable) throws -> any RowSource
    /// Calls the body with a table's findings, in the order of their rows.
    func forEach(in table: FindingTable, _ body: (PlacedFinding) throws -> Void) throws
    /// Calls the body with each record that has findings: its project, table, name and counts.
    func records(_ body: (RecordCount) throws -> Void) throws
}

/// The number of a record's findings, including those of its parts.
package struct RecordCount: Sendable, Hashable {
    package var project: String?
    package var table: String
    package var id: String
    /// The record's readable name.
    package var key: String
    package var counts: [Severity: Int]

    package init(project: String?, table: String, id: String, key: String, counts: [Severity: Int]) {
        self.project = project
        self.table = table
        self.id = id
        self.key = key
        self.counts = counts
    }
}

/// The status of a finding compared with an earlier validation.
package enum FindingStatus: String, Sendable, Codable, CaseIterable {
    /// The earlier validation did not have the finding.
    case new
    /// The earlier validation already had the finding.
    case remaining
}

/// The number of findings by code and by project, which a document shows before the single
/// findings.
package struct FindingTally: Sendable, Hashable {
    package struct Entry: Sendable, Hashable {
        package var severity: Severity
        package var code: String
        package var count = 0
        /// The number of accepted findings among them.
        package var accepted = 0
    }

    /// In the order of the findings: by severity, the most serious first, then code.
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
