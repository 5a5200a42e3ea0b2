package import Model

/// What a source holds by a plain pass over it, table after table in the file's own order.
package struct SourceCount: Sendable, Hashable, Codable {
    /// A table that is there and was not counted.
    package struct Uncounted: Sendable, Hashable, Codable {
        package var table: String
        /// In English.
        package var reason: String

        package init(table: String, reason: String) { (self.table, self.reason) = (table, reason) }
    }

    package var tables: [TableCount]
    package var uncounted: [Uncounted] = []
    /// Workbooks keep days and times as numbers, or show them as such: only both together are compared, and the sum of a column that has any is
    /// not covered.
    package var datesAreNumbers = false
    /// Whether columns are told apart by their names, not by their places.
    package var columnsByName = false

    /// By table, columns that are there and were not counted.
    package var uncountedColumns: [String: Set<String>] = [:]

    /// Whether a column is none of those that were counted: one of those, or one that a row of XML takes over from around it (`../@codigo`), which is
    /// counted where it stands.
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
