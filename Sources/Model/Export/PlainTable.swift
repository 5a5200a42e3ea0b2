/// A small table in memory, for workbooks and pages about the work itself (rejected rows, the
/// account of an import).
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
        /// A value that needs attention.
        case fault(String)
        /// A value that is right.
        case sound(String)
    }

    /// The name of its sheet, and its heading on a page.
    package var title: String
    package var columns: [Column]
    package var rows: [[Cell]]

    package init(title: String, columns: [Column], rows: [[Cell]]) {
        self.title = title
        self.columns = columns
        self.rows = rows
    }
}
