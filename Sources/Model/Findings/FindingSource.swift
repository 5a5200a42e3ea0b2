/// A finding with the facts that a findings document shows beside it.
package struct PlacedFinding: Sendable, Hashable {
    package var finding: Finding
    /// Code of the project that the row belongs to.
    package var project: String?
    /// The row's place in the copy of its table (`FindingTable`), from zero; nil where there is
    /// none.
    package var row: Int?
    /// The status against an earlier validation; nil unless the two were compared.
    package var status: FindingStatus?

    package init(_ finding: Finding, project: String? = nil, row: Int? = nil, status: FindingStatus? = nil) {
        self.finding = finding
        self.project = project
        self.row = row
        self.status = status
    }
}

/// The findings for a document, which reads them as often as it needs and never keeps them all.
package protocol FindingSource: AnyObject {
    /// Every finding: by severity, the most serious first, then code, row's name, field. Equal data
    /// give an equal order.
    func forEach(_ body: (PlacedFinding) throws -> Void) throws
    /// The strata of the record that a finding is about, where its pack says how to draw them.
    func strip(of finding: Finding) throws -> StrataStrip?
}

/// A table with findings, as a findings document copies it: every visible row, or only the rows
/// with findings where there are too many rows.
package struct FindingTable: Sendable, Hashable {
    package var entity: String
    package var title: String
    /// The fields that may be shown, in the entity's order.
    package var columns: [SheetColumn]
    package var rowCount: Int
    /// Whether the copy includes rows without findings.
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

/// The rows with findings, for a document that shows them.
package protocol FindingRowSource: FindingSource {
    /// The tables with findings, in the pack's order.
    func tables() throws -> [FindingTable]
    /// A table's copied rows in order: one cell for each column.
    func rows(of table: FindingTable) throws -> any RowSource
    /// A table's findings by the place of their row.
    func forEach(in table: FindingTable, _ body: (PlacedFinding) throws -> Void) throws
    /// Records with findings: project, table, name, errors, warnings, notes.
    func records(_ body: (RecordCount) throws -> Void) throws
}

/// The number of a record's findings, its parts' findings included.
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
