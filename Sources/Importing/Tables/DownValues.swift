/// Fills down columns in which a value is written once for the rows below it.
///
/// A new value clears the columns named after its own: what was said about one pit does not apply
/// to the next.
final class DownValues {
    private let columns: [Int]
    /// Row of the heading: rows up to it contain no values.
    private let heading: Int
    private var held: [(kind: ForeignBatch.Kind, bytes: [UInt8])?]
    /// Columns of the cells that were filled in, by the row's position in the batch.
    private var given: [Int: [Int]] = [:]

    init(_ columns: [Int], after heading: Int) {
        (self.columns, self.heading) = (columns, heading)
        held = columns.map { _ in nil }
    }

    /// Fills in the missing values of the table's next batch.
    func fill(_ batch: inout ForeignBatch) {
        given.removeAll(keepingCapacity: true)
        for row in 0..<batch.rowCount where batch.rows[row].number > heading && !isBlank(batch, row) { fill(&batch, row) }
    }

    /// Whether a cell of the batch was only filled in from above.
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
