/// Makes rows from a page's elements. Cells that span columns or rows leave empty cells, like a
/// sheet's merged cells. White space is collapsed; breaks and paragraphs become line endings.
final class HTMLTableReader: MarkupHandler {
    /// A table that is being read, with the columns that cells of earlier rows extend into.
    private struct OpenTable {
        var spans: [Int: Int] = [:]
        var cells: [(column: Int, text: [UInt8])] = []
        var isInRow = false
        var isInCell = false
        var column = 0
        var text: [UInt8] = []
    }

    /// Number of rows of each of the page's outer tables so far.
    private(set) var rowsOfTables: [Int] = []
    /// The limit that was exceeded, if any.
    private(set) var exceeded: String?
    /// The table whose rows are collected; nil to count rows only.
    private let table: Int?
    private let limits: TableLimits
    private var open: [OpenTable] = []
    /// Rows not yet moved to a batch, from index `taken` on.
    private var taken = 0
    private var rows: [(number: Int, cells: [(column: Int, text: [UInt8])])] = []

    init(table: Int?, limits: TableLimits) {
        self.table = table
        self.limits = limits
    }

    /// Moves rows to the batch until it is full; returns false if no row is left.
    func move(to batch: inout ForeignBatch) -> Bool {
        while taken < rows.count, !batch.isFull {
            let row = rows[taken]
            taken += 1
            for cell in row.cells {
                while batch.openWidth < cell.column { batch.appendEmpty() }
                batch.append(.text, cell.text.span)
            }
            batch.endRowUnlessBlank(number: row.number)
        }
        guard taken == rows.count else { return true }
        rows.removeAll()
        taken = 0
        return false
    }

    func start(_ name: String, namespace: String, attributes: [(name: String, value: String)], line: Int) {
        switch name {
        case "table":
            if open.isEmpty { rowsOfTables.append(0) }
            open.append(OpenTable())
        case "tr":
            endRow()
            guard !open.isEmpty else { return }
            open[open.count - 1].isInRow = true
        case "td", "th":
            endCell()
            guard !open.isEmpty else { return }
            // A cell outside a row begins one.
            open[open.count - 1].isInRow = true
            startCell(attributes)
        case "br", "p", "div", "li": breakLine()
        default: break
        }
    }

    func end(_ name: String) {
        switch name {
        case "table":
            endRow()
            _ = open.popLast()
        case "tr": endRow()
        case "td", "th": endCell()
        case "p", "div", "li": breakLine()
        default: break
        }
    }

    func text(_ bytes: [UInt8]) {
        guard let last = open.indices.last, open[last].isInCell, isWanted else { return }
        guard open[last].text.count + bytes.count <= limits.cellBytes else {
            exceeded = "cellBytes \(limits.cellBytes)"
            return
        }
        for byte in bytes {
            let isSpace = byte == 0x20 || (byte >= 0x09 && byte <= 0x0D)
            if !isSpace {
                open[last].text.append(byte)
            } else if let before = open[last].text.last, before != 0x20, before != 0x0A {
                open[last].text.append(0x20)
            }
        }
    }

    /// Whether the current row belongs to the table whose rows are collected.
    private var isWanted: Bool { table.map { $0 == rowsOfTables.count - 1 } ?? false }

    private func breakLine() {
        guard let last = open.indices.last, open[last].isInCell else { return }
        while open[last].text.last == 0x20 { open[last].text.removeLast() }
        if let before = open[last].text.last, before != 0x0A { open[last].text.append(0x0A) }
    }

    private func startCell(_ attributes: [(name: String, value: String)]) {
        let last = open.count - 1
        func span(_ name: String) -> Int {
            min(max(attributes.first { $0.name == name }.flatMap { Int($0.value) } ?? 1, 1), limits.span)
        }
        while open[last].spans[open[last].column, default: 0] > 0 { open[last].column += 1 }
        let width = span("colspan")
        let height = span("rowspan")
        guard open[last].column + width <= limits.columns else {
            exceeded = "columns \(limits.columns)"
            return
        }
        open[last].cells.append((open[last].column, []))
        // One more than the rows covered below, because the end of this row subtracts one.
        if height > 1 {
            for column in open[last].column..<(open[last].column + width) { open[last].spans[column] = height }
        }
        open[last].column += width
        open[last].isInCell = true
        open[last].text.removeAll()
    }

    private func endCell() {
        guard let last = open.indices.last, open[last].isInCell else { return }
        open[last].isInCell = false
        var text = open[last].text
        while let byte = text.last, byte == 0x20 || byte == 0x0A { text.removeLast() }
        // Pages write an empty cell as a single no-break space.
        if text == [0xC2, 0xA0] { text = [] }
        if let cell = open[last].cells.indices.last { open[last].cells[cell].text = text }
    }

    private func endRow() {
        endCell()
        guard let last = open.indices.last, open[last].isInRow else { return }
        let number = rowsOfTables[rowsOfTables.count - 1] + 1
        rowsOfTables[rowsOfTables.count - 1] = number
        if number > limits.rows { exceeded = "rows \(limits.rows)" }
        if isWanted { rows.append((number, open[last].cells.filter { !$0.text.isEmpty })) }
        open[last].isInRow = false
        open[last].cells.removeAll()
        open[last].column = 0
        open[last].spans = open[last].spans.mapValues { $0 - 1 }.filter { $0.value > 0 }
    }
}
