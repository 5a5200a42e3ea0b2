/// Numbers that a run assigned to rows of a project, as its files show them.
package struct StoredNumbers: Sendable {
    package var numbering: String
    package var projectID: String
    package var rows: [(rowID: String, number: Int64)]

    package init(numbering: String, projectID: String, rows: [(rowID: String, number: Int64)]) {
        self.numbering = numbering
        self.projectID = projectID
        self.rows = rows
    }
}
