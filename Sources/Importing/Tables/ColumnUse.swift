import Model

/// What became of the filled cells of a table, column by column: each is read, left on purpose (a title, a row that is left out, a column that
/// nothing reads), or stands in a row with a fault. Together they are what the table holds.
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
    /// Of fields with numbers.
    package private(set) var fields: [FieldUse] = []

    enum Fate { case read, left, faulty }

    init(file: String, table: String, columns: [Column] = []) { (self.file, self.table, self.columns) = (file, table, columns) }

    /// - Parameter fate: of a filled cell, by its column; nil for one that the file does not have.
    func note(_ batch: borrowing ForeignBatch, _ row: Int, _ fate: (Int) -> Fate?) {
        // Taken out meanwhile: each access to a property of an object is checked as it begins and ends.
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
    ///   - isGiven: of a column, whether its value does not stand in the row.
    ///   - cameIn: whether the row made a record, by the target that it feeds and a column of it.
    func noteNumbers(
        _ batch: borrowing ForeignBatch, _ row: Int, isGiven: (Int) -> Bool = { _ in false }, cameIn: (_ target: Int, _ column: Int) -> Bool
    ) {
        for index in fields.indices where !isGiven(fields[index].column) { fields[index].note(batch, row, cameIn: cameIn(fields[index].target, fields[index].column)) }
    }

    func add(_ field: FieldUse) { fields.append(field) }

    /// Of a sheet whose cells were counted elsewhere.
    func set(_ columns: [Column]) {
        self.columns = columns
        name([])
    }

    /// A table is read anew.
    func begin(_ fields: [FieldUse] = []) {
        columns.removeAll()
        self.fields = fields
    }
}
