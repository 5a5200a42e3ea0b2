package import Model

/// Counts the filled cells of a table by column and by their fate. Each cell was read, was left out
/// on purpose (a title, an excluded row, an unmapped column), or belongs to a row with a fault. The
/// sum is the number of all filled cells.
package final class ColumnUse {
    package struct Column: Sendable, Hashable, Codable {
        package var name: String
        package var read = 0
        /// Cells that were left out on purpose.
        package var left = 0
        package var faulty = 0

        package var all: Int { read + left + faulty }
    }

    package let file: String
    package let table: String
    package private(set) var columns: [Column] = []
    /// Sums of the fields that have numbers.
    package private(set) var fields: [FieldUse] = []

    enum Fate { case read, left, faulty }

    init(file: String, table: String, columns: [Column] = []) {
        (self.file, self.table, self.columns) = (file, table, columns)
    }

    /// - Parameter fate: the fate of a filled cell by its column; nil for a column that is not in
    ///   the file.
    func note(_ batch: borrowing ForeignBatch, _ row: Int, _ fate: (Int) -> Fate?) {
        // Moved into a local variable for the loop, because every access to a property of an object
        // is checked for exclusivity.
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
        for column in columns.indices {
            columns[column].name =
                names.indices.contains(column) && !names[column].isEmpty ? names[column] : RawCells.columnName(column)
        }
    }

    /// - Parameters:
    ///   - isGiven: whether a column's value was filled in from another row or cell.
    ///   - cameIn: whether the row made a record of a target that it feeds, with the value of a
    ///     column.
    func noteNumbers(
        _ batch: borrowing ForeignBatch, _ row: Int, isGiven: (Int) -> Bool = { _ in false },
        cameIn: (_ target: Int, _ column: Int) -> Bool
    ) {
        for index in fields.indices where !isGiven(fields[index].column) {
            fields[index].note(batch, row, cameIn: cameIn(fields[index].target, fields[index].column))
        }
    }

    func add(_ field: FieldUse) { fields.append(field) }

    /// Sets the columns of a sheet whose cells were counted by other code.
    func set(_ columns: [Column]) {
        self.columns = columns
        name([])
    }

    /// Resets all counts when a table is read from the start.
    func begin(_ fields: [FieldUse] = []) {
        columns.removeAll()
        self.fields = fields
    }
}

/// Fills down columns in which a value is written once for all rows below it.
///
/// A new value clears the columns listed after its column: a remark about one pit does not apply to
/// the next.
final class DownValues {
    private let columns: [Int]
    /// Row of the heading: rows up to it contain no values.
    private let heading: Int
    /// The last value of each column, which is filled into the rows below.
    private var held: [(kind: ForeignBatch.Kind, bytes: [UInt8])?]
    /// Columns of the cells that were filled in, by the row's position in the batch.
    private var given: [Int: [Int]] = [:]

    init(_ columns: [Int], after heading: Int) {
        (self.columns, self.heading) = (columns, heading)
        held = columns.map { _ in nil }
    }

    /// Fills in the missing values of the next batch.
    func fill(_ batch: inout ForeignBatch) {
        given.removeAll(keepingCapacity: true)
        for row in 0..<batch.rowCount where batch.rows[row].number > heading && !isBlank(batch, row) {
            fill(&batch, row)
        }
    }

    /// Whether a cell of the batch was filled in from above.
    func isGiven(_ row: Int, _ column: Int) -> Bool { given.isEmpty ? false : given[row]?.contains(column) ?? false }

    private func fill(_ batch: inout ForeignBatch, _ row: Int) {
        for (index, column) in columns.enumerated() {
            let cell = batch.cell(row, column)
            if !Self.isBlank(batch, cell) {
                held[index] = (cell.kind, Array(batch.text[cell.range]))
                for later in held.indices where later > index { held[later] = nil }
            } else if let value = held[index] {
                batch.set(value.kind, row: row, column: column, value.bytes.span)
                given[row, default: []].append(column)
            }
        }
    }

    private func isBlank(_ batch: borrowing ForeignBatch, _ row: Int) -> Bool {
        for column in 0..<batch.width(row) where !Self.isBlank(batch, batch.cell(row, column)) { return false }
        return true
    }

    private static func isBlank(_ batch: borrowing ForeignBatch, _ cell: ForeignBatch.Cell) -> Bool {
        if cell.kind == .empty || cell.kind == .null { return true }
        let bytes = batch.text.span.extracting(cell.range)
        for index in bytes.indices where bytes[index] > 0x20 { return false }
        return true
    }
}

/// Sums of the numbers in the one column that fills a field, by the fate of their rows.
///
/// A number is a cell of that type, or a text that is plainly a number. An independent count uses
/// the same definition, so that both can be compared.
package struct FieldUse: Sendable, Hashable {
    package struct Numbers: Sendable, Hashable {
        package var cells = TableCount.Numbers()
        package var texts = TableCount.Numbers()
    }

    /// Place of the record's rows in the file.
    package let place: Place
    package let field: String
    package let column: Int
    /// Numbers of rows that made a record.
    package private(set) var taken = Numbers()
    /// Numbers of rows with a fault, of excluded or repeated rows, and of titles.
    package private(set) var aside = Numbers()
    /// Whether a text contains a mark that the mapping treats as a thousands separator. Without the
    /// mapping, the number cannot be determined.
    package private(set) var isUnsure = false

    /// Index of the field's target, if a row feeds several.
    let target: Int
    private let otherMark: UInt8?

    /// - Parameter otherMark: a mark other than the decimal mark.
    init(_ place: Place, _ field: String, column: Int, target: Int = 0, otherMark: UInt8? = nil) {
        (self.place, self.field, self.column, self.target, self.otherMark) = (place, field, column, target, otherMark)
    }

    /// Nil if the value is not the unchanged contents of a single cell.
    init?(_ place: Place, _ field: Field, _ plan: ValuePlan, target: Int) {
        guard field.type == .decimal || field.type == .integer, case .column(let places, let conversions) = plan,
            places.count == 1
        else { return nil }
        switch conversions.drop(while: { $0 == .trim }) {
        case []: self.init(place, field.name, column: places[0], target: target)
        case [.decimalComma]:
            self.init(place, field.name, column: places[0], target: target, otherMark: UInt8(ascii: "."))
        case [.decimalPoint]:
            self.init(place, field.name, column: places[0], target: target, otherMark: UInt8(ascii: ","))
        default: return nil
        }
    }

    mutating func note(_ batch: borrowing ForeignBatch, _ row: Int, cameIn: Bool) {
        let cell = batch.cell(row, column)
        guard cell.kind == .number || cell.kind == .text,
            let value = TableTally.number(cell.kind, batch.text.span.extracting(cell.range))
        else { return }
        if cell.kind == .text, let otherMark {
            for index in cell.range where batch.text[index] == otherMark { isUnsure = true }
        }
        switch (cameIn, cell.kind) {
        case (true, .number): taken.cells.add(value)
        case (true, _): taken.texts.add(value)
        case (false, .number): aside.cells.add(value)
        case (false, _): aside.texts.add(value)
        }
    }
}
