/// Ids of rows that many rows of a file name: the first makes one, whatever sheet of several that are alike it stands on.
final class RepeatedRows {
    private var tables: [String: String] = [:]

    /// A table is read, perhaps anew.
    func begin(_ table: String) {
        guard !tables.isEmpty else { return }
        tables = tables.filter { $0.value != table }
    }

    func isFirst(_ id: String, in table: String) -> Bool {
        guard tables[id] == nil else { return false }
        tables[id] = table
        return true
    }
}
