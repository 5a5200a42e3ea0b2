package import Model

/// The contents of a source, counted in a simple pass over it, table after table in the file's own
/// order.
package struct SourceCount: Sendable, Hashable, Codable {
    /// A table that exists and was not counted.
    package struct Uncounted: Sendable, Hashable, Codable {
        package var table: String
        /// In English.
        package var reason: String

        package init(table: String, reason: String) { (self.table, self.reason) = (table, reason) }
    }

    package var tables: [TableCount]
    package var uncounted: [Uncounted] = []
    /// Whether the format stores or shows days and times as numbers, as workbooks do: then only
    /// numbers and dates together are compared, and the sum of a column with dates is not covered.
    package var datesAreNumbers = false
    /// Whether columns are identified by name rather than by position.
    package var columnsByName = false

    /// By table, columns that exist and were not counted.
    package var uncountedColumns: [String: Set<String>] = [:]

    /// Whether a column is excluded from the count: an uncounted column, or one that an XML row
    /// takes over from an enclosing element (`../@codigo`), which is counted in that element.
    package func leavesOut(_ column: String, of table: String) -> Bool {
        column.hasPrefix("..") || uncountedColumns[table]?.contains(column) ?? false
    }

    package init(tables: [TableCount], uncounted: [Uncounted] = [], datesAreNumbers: Bool = false, columnsByName: Bool = false) {
        self.tables = tables
        self.uncounted = uncounted
        self.datesAreNumbers = datesAreNumbers
        self.columnsByName = columnsByName
    }
}
