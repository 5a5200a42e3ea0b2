/// The filled cells of one row, each of them possibly repeated to the right; the row itself may be
/// repeated as well.
struct ODSRow {
    private struct Cell {
        let column: Int
        let count: Int
        let kind: ForeignBatch.Kind
        let mark: ForeignBatch.Mark
        let range: Range<Int>
    }

    private var cells: [Cell] = []
    private var bytes: [UInt8] = []

    var isBlank: Bool { cells.isEmpty }

    /// Number of filled cells, including repetitions.
    var width: Int { cells.reduce(0) { $0 + $1.count } }

    mutating func removeAll() {
        cells.removeAll(keepingCapacity: true)
        bytes.removeAll(keepingCapacity: true)
    }

    mutating func add(_ kind: ForeignBatch.Kind, _ value: [UInt8], _ mark: ForeignBatch.Mark, at column: Int, times count: Int) {
        cells.append(Cell(column: column, count: count, kind: kind, mark: mark, range: bytes.count..<(bytes.count + value.count)))
        bytes += value
    }

    func append(to batch: inout ForeignBatch, number: Int) {
        for cell in cells {
            while batch.openWidth < cell.column { batch.appendEmpty() }
            for _ in 0..<cell.count {
                if cell.mark == .unsaved { batch.appendUnsaved() } else { batch.append(cell.kind, bytes.span.extracting(cell.range), mark: cell.mark) }
            }
        }
        batch.endRow(number: number)
    }
}
