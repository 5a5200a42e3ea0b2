/// A finding with what a report says beside it.
package struct ReportedFinding: Sendable, Hashable {
    package var finding: Finding
    /// Code of the project that the row belongs to.
    package var project: String?
    /// The row's place in the copy of its table (`ReportTable`), from zero; nil where there is none.
    package var row: Int?
    /// Where it stands beside an earlier validation, after a comparison.
    package var status: FindingStatus?

    package init(_ finding: Finding, project: String? = nil, row: Int? = nil, status: FindingStatus? = nil) {
        self.finding = finding
        self.project = project
        self.row = row
        self.status = status
    }
}

/// Where reports take findings from, as often as they need to: a report never holds them all.
package protocol FindingSource: AnyObject {
    /// Every finding: by severity, the most serious first, then code, row's name, field. Equal data give an equal order.
    func forEach(_ body: (ReportedFinding) throws -> Void) throws
    /// The strata of the record that a finding is about, where its pack says how to draw them.
    func strip(of finding: Finding) throws -> StrataStrip?
}

/// A table with findings, as a report copies it: every visible row, or only those with findings where there are too many.
package struct ReportTable: Sendable, Hashable {
    package var entity: String
    package var title: String
    /// The fields that may be shown, in the entity's order.
    package var columns: [SheetColumn]
    package var rowCount: Int
    /// Whether rows without findings are there too.
    package var isWhole: Bool
    /// Every visible row of the table, copied or not.
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

/// The rows behind findings, for a report that shows them.
package protocol FindingRowSource: FindingSource {
    /// The tables with findings, in the pack's order.
    func tables() throws -> [ReportTable]
    /// A table's copied rows in order: one cell for each column.
    func rows(of table: ReportTable) throws -> any RowSource
    /// A table's findings by the place of their row.
    func forEach(in table: ReportTable, _ body: (ReportedFinding) throws -> Void) throws
    /// Records with findings: project, table, name, errors, warnings, notes.
    func records(_ body: (RecordCount) throws -> Void) throws
}

/// How many findings a record has, those of its parts among them.
package struct RecordCount: Sendable, Hashable {
    package var project: String?
    package var table: String
    package var id: String
    /// The record's name for people.
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
