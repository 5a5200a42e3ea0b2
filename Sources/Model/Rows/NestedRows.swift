/// Rows in a document of JSON: objects in lists in lists. It has the facts for counting them
/// without reading them.
package struct NestedRows: Sendable, Hashable {
    /// The members with the lists, from the document's root on.
    package var path: [String]
    /// What the rows become.
    package var table: String
    /// Columns by the members that hold their values.
    package var columns: [String: String]
    /// The column that replaces one whose member does not exist.
    package var standIn: [String: String]
    /// Columns of the rows that come from elsewhere.
    package var others: Set<String>

    package init(path: [String], table: String, columns: [String: String], standIn: [String: String] = [:], others: Set<String> = []) {
        self.path = path
        self.table = table
        self.columns = columns
        self.standIn = standIn
        self.others = others
    }
}
