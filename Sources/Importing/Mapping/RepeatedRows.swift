/// Ids of rows that many rows of a file name: the first makes one, whatever sheet of several that are alike it stands on.
final class RepeatedRows {
    private var tables: [String: String] = [:]
    /// Faults that were told, by the record that has them.
    private var faults: Set<String> = []
    /// Whether each row is a table of its own, as when rejected rows are tried again.
    private let isLasting: Bool

    init(isLasting: Bool = false) { self.isLasting = isLasting }

    /// A table is read, perhaps anew.
    func begin(_ table: String) {
        guard !isLasting else { return }
        faults.removeAll()
        guard !tables.isEmpty else { return }
        tables = tables.filter { $0.value != table }
    }

    func isFirst(_ id: String, in table: String) -> Bool {
        guard tables[id] == nil else { return false }
        tables[id] = table
        return true
    }

    /// Whether a record's fault was not told before: rows that repeat a record repeat its faults.
    func isFirst(_ fault: String, of id: String) -> Bool { faults.insert(id + " " + fault).inserted }
}
