import Model

/// What became of the filled cells of a table, column by column: each was read, was left out on
/// purpose (a title, a row that is left out, a column that nothing reads), or belongs to a row with
/// a fault. Together they are all filled cells of the table.
package final class ColumnUse {
    package struct Column: Sendable, Hashable, Codable {
        package var name: String
        package var read = 0
        package var left = 0
        package var faulty = 0

        package var all: Int { read + left + faulty }
    }

    package let file: String
    package let table: String
    package private(set) var columns: [Column] = []
    /// The numbers of the fields that have any.
    package private(set) var fields: [FieldUse] = []

    enum Fate { case read, left, faulty }

    init(file: String, table: String, columns: [Column] = []) { (self.file, self.table, self.columns) = (file, table, columns) }

    /// - Parameter fate: returns the fate of a filled cell by its column; nil for a column that the
    ///   file does not have.
    func note(_ batch: borrowing ForeignBatch, _ row: Int, _ fate: (Int) -> Fate?) {
        // Moved out for the loop, because each access to a property of an object is checked for
        // exclusivity.
        var columns: [Column] = []
        swap(&columns, &self.columns)
        defer { swap(&columns, &self.columns) }
        for column in 0..<batch.width(row) {
            let cell = batch.cell(row, column)
            if cell.kind == .empty || cell.kind == .null || (cell.kind == .text && cell.range.isEmpty) { continue }
            guard let fate = fate(column) else { continue }
            while columns.count <= column { columns.append(Column(name: "")) }
            switch fate {
            case .read: columns[column].read += 1
            case .left: columns[column].left += 1
            case .faulty: columns[column].faulty += 1
            }
        }
    }

    func name(_ names: [String]) {
        for column in columns.indices { columns[column].name = names.indices.contains(column) && !names[column].isEmpty ? names[column] : RawCells.columnName(column) }
    }

    /// - Parameters:
    ///   - isGiven: whether a column's value was not in the row itself.
    ///   - cameIn: whether the row made a record, by the target that it feeds and a column of the
    ///     target.
    func noteNumbers(
        _ batch: borrowing ForeignBatch, _ row: Int, isGiven: (Int) -> Bool = { _ in false }, cameIn: (_ target: Int, _ column: Int) -> Bool
    ) {
        for index in fields.indices where !isGiven(fields[index].column) { fields[index].note(batch, row, cameIn: cameIn(fields[index].target, fields[index].column)) }
    }

    func add(_ field: FieldUse) { fields.append(field) }

    /// Sets the columns of a sheet whose cells were counted elsewhere.
    func set(_ columns: [Column]) {
        self.columns = columns
        name([])
    }

    /// Starts again when a table is read from the start.
    func begin(_ fields: [FieldUse] = []) {
        columns.removeAll()
        self.fields = fields
    }
}
