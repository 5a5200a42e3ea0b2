import JSONReading
import Model

/// The tables of a file of submissions: the submissions first, then repeats, each after the table
/// that encloses it.
struct SubmissionTables {
    struct Table {
        let name: String
        /// The table whose rows contain its rows.
        let parent: Int?
        /// An optional prefix of the column names: `estratos/`.
        let prefix: [UInt8]
        fileprivate(set) var columns: NamedColumnList
        /// Number of rows in complete lines.
        var rows = 0
        /// Nested tables, by their path from the row.
        fileprivate var parts: [String: Int] = [:]
        /// Number of the current row and, by column, the last row that set the column: a column may
        /// be set only once in a row.
        fileprivate var row = 0
        fileprivate var setBy: [Int] = []
    }

    private(set) var all: [Table]
    private let path: String
    private let limits: TableLimits

    /// The column name for an element of a list of rows that is not an object.
    private static let element = Array(".".utf8)

    init(path: String, limits: TableLimits) {
        (self.path, self.limits) = (path, limits)
        all = [
            Table(
                name: SubmissionsFile.kind, parent: nil, prefix: [],
                columns: NamedColumnList(path: path, limit: limits.columns))
        ]
    }

    mutating func add(rows: Int, to table: Int) { all[table].rows += rows }

    /// The nested table at a path within the rows of a table.
    mutating func part(of table: Int, at path: Span<UInt8>, line: Int) throws(TableFailure) -> Int {
        let own = String(utf8: path)
        if let known = all[table].parts[own] { return known }
        guard all.count < limits.tables else {
            throw .tooLarge(
                Place(file: self.path, line: line), kind: SubmissionsFile.kind, limit: "tables \(limits.tables)")
        }
        let name = all[table].parent == nil ? own : all[table].name + "/" + own
        all.append(
            Table(
                name: name, parent: table, prefix: Array((name + "/").utf8),
                columns: NamedColumnList(path: self.path, limit: limits.columns)))
        all[table].parts[own] = all.count - 1
        return all.count - 1
    }

    mutating func beginRow(_ table: Int) { all[table].row += 1 }

    /// The column of a value in the current row; nil if the row already has that column.
    mutating func column(_ table: Int, _ name: Span<UInt8>, line: Int) throws(TableFailure) -> Int? {
        let column = try all[table].columns.column(of: name, after: -1, line: line)
        while all[table].setBy.count <= column { all[table].setBy.append(0) }
        guard all[table].setBy[column] != all[table].row else { return nil }
        all[table].setBy[column] = all[table].row
        return column
    }

    mutating func elementColumn(_ table: Int, line: Int) throws(TableFailure) -> Int? {
        let name = Self.element
        return try column(table, name.span, line: line)
    }

    /// A table and those that enclose it, the submissions last.
    func around(_ table: Int) -> [Int] { Array(sequence(first: table) { all[$0].parent }) }

    func width(_ table: Int) -> Int { around(table).reduce(0) { $0 + all[$1].columns.names.count } }

    /// The table's columns, then those of the enclosing tables.
    func names(_ table: Int) -> [String] {
        around(table).enumerated().flatMap { levels, index in
            all[index].columns.names.map { String(repeating: "../", count: levels) + $0 }
        }
    }
}
