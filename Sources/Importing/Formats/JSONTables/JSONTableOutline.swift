import JSONReading
import Model

/// Finds the tables of a document and their columns.
final class JSONTableOutline: JSONTableWalk {
    struct Table {
        let path: String
        fileprivate(set) var columns: NamedColumnList
    }

    private(set) var tables: [Table] = []
    private var places: [String: Int] = [:]
    private var current = 0
    private var column = -1

    func readAll() throws { try read(document.events(for: self)) }

    override func found(_ table: String) throws(TableFailure) {
        guard places[table] == nil else { return }
        let limits = document.limits
        guard tables.count < limits.tables else { throw .tooLarge(Place(file: document.path), kind: document.kind, limit: "tables \(limits.tables)") }
        places[table] = tables.count
        tables.append(Table(path: table, columns: NamedColumnList(path: document.path, limit: limits.columns)))
    }

    override func turn(to table: String) { (current, column) = (places[table] ?? 0, -1) }

    override func name(_ column: Span<UInt8>) throws(TableFailure) {
        self.column = try tables[current].columns.column(of: column, after: self.column, line: 1)
    }
}
