/// A small table that is in memory: for workbooks and pages about the work itself (rejected rows, the account of an import).
package struct PlainTable: Sendable {
    package struct Column: Sendable {
        package var label: String
        /// In characters.
        package var width: Double
        package var isNumber: Bool

        package init(_ label: String, width: Double = 16, isNumber: Bool = false) {
            self.label = label
            self.width = width
            self.isNumber = isNumber
        }
    }

    package enum Cell: Sendable, Hashable {
        case empty
        case text(String)
        case number(Double)
        /// What wants somebody's eye.
        case fault(String)
        /// What is as it should be.
        case sound(String)
    }

    /// Names its sheet, and heads it on a page.
    package var title: String
    package var columns: [Column]
    package var rows: [[Cell]]

    package init(title: String, columns: [Column], rows: [[Cell]]) {
        self.title = title
        self.columns = columns
        self.rows = rows
    }
}
