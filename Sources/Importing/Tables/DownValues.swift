/// Columns in which a value stands once for the rows below it: each of those is given it.
///
/// A value ends what the columns named after its own held: what is said of one pit is not said of the next.
final class DownValues {
    private let columns: [Int]
    /// Row of the sheet above which nothing is a value.
    private let heading: Int
    private var held: [(kind: ForeignBatch.Kind, bytes: [UInt8])?]
    /// Cells of the batch that were given, by the row's position.
    private var given: [Int: [Int]] = [:]

    init(_ columns: [Int], after heading: Int) {
        (self.columns, self.heading) = (columns, heading)
        held = columns.map { _ in nil }
    }

    /// Gives the rows of the table's next batch what they lack.
    func fill(_ batch: inout ForeignBatch) {
        given.removeAll(keepingCapacity: true)
        for row in 0..<batch.rowCount where batch.rows[row].number > heading && !isBlank(batch, row) { fill(&batch, row) }
    }

    /// Whether a cell of the batch stands there only because one above it does.
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
