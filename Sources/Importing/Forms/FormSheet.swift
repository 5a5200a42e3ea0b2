import Model

/// A sheet as a person sees it: merged cells are one cell with one value. The sheet is loaded into
/// memory, within limits.
final class FormSheet {
    let name: String
    /// Filled cells in reading order.
    private(set) var filled: [SheetCell] = []
    /// Rows and columns of the filled area.
    private(set) var rowCount = 0
    private(set) var columnCount = 0
    /// For each column, the number of cells with content, even if only spaces. The program's
    /// independent count of the file counts in the same way.
    private(set) var heldByColumn: [Int] = []
    /// The size including pictures and links, which may lie below and beside the filled area.
    private(set) var extent = (rows: 0, columns: 0)
    /// Links with their targets, in reading order.
    private(set) var links: [(cell: SheetCell, target: String)] = []
    private(set) var pictures: [SheetDetails.Picture] = []
    private var cells: [SheetCell: FormCell] = [:]
    /// For each further cell of a merged range, the first cell of the range.
    private var firsts: [SheetCell: SheetCell] = [:]
    /// For the first cell of a merged range, the last cell of the range.
    private var lasts: [SheetCell: SheetCell] = [:]
    private var heads: [SheetCell: Head] = [:]

    /// A cell's text in the form in which labels are compared: the whole text, and the part before
    /// a colon if there is one.
    struct Head {
        var whole: String
        var beforeColon: String?
    }

    /// Throws `TableFailure.tooLarge` if the sheet exceeds a limit, and the errors of reading the
    /// sheet.
    init(_ table: ForeignTable, path: String, limits: FormLimits = FormLimits()) throws {
        name = table.name
        try readCells(of: table, path, limits)
        // Links and pictures are read last, because they need another pass over the sheet. A sheet
        // with too many cells has been rejected by then.
        let details = try table.details?() ?? SheetDetails()
        guard details.links.count + details.pictures.count <= limits.photos else {
            throw tooLarge(path, "formPhotos \(limits.photos)")
        }
        links = details.links.map { (cell: $0.key, target: $0.value) }.sorted { $0.cell < $1.cell }
        pictures = details.pictures.sorted { ($0.cell, $0.entry) < ($1.cell, $1.entry) }
        let floating = (pictures.map(\.cell) + links.map(\.cell)).filter { $0.row < 1_048_576 && $0.column < 16_384 }
        extent = (
            max(rowCount, (floating.map(\.row).max() ?? -1) + 1),
            max(columnCount, (floating.map(\.column).max() ?? -1) + 1)
        )
        try merge(details.mergedRanges, path, limits)
    }

    private func tooLarge(_ path: String, _ limit: String) -> TableFailure {
        .tooLarge(Place(file: path, sheet: name), kind: "form", limit: limit)
    }

    private func readCells(of table: ForeignTable, _ path: String, _ limits: FormLimits) throws {
        let rows = try table.open()
        var batch = ForeignBatch()
        var tally = table.beginTally()
        var room = limits.bytes
        while true {
            try rows.fill(&batch)
            tally.add(batch)
            guard batch.rowCount > 0 else { break }
            for index in 0..<batch.rowCount {
                for column in 0..<batch.width(index) {
                    let cell = batch.cell(index, column)
                    if cell.kind == .empty || cell.kind == .null || (cell.kind == .text && cell.range.isEmpty) {
                        continue
                    }
                    while heldByColumn.count <= column { heldByColumn.append(0) }
                    heldByColumn[column] += 1
                    guard let text = batch.string(index, column), !text.allSatisfy(\.isWhitespace) else { continue }
                    room -= text.utf8.count
                    guard room >= 0 else { throw tooLarge(path, "formBytes \(limits.bytes)") }
                    guard filled.count < limits.cells else { throw tooLarge(path, "formCells \(limits.cells)") }
                    let place = SheetCell(row: batch.rows[index].number - 1, column: column)
                    cells[place] = FormCell(kind: cell.kind, text: text, place: place)
                    filled.append(place)
                    columnCount = max(columnCount, column + 1)
                    rowCount = max(rowCount, place.row + 1)
                }
            }
        }
        filled.sort()
    }

    private func merge(_ ranges: [SheetDetails.CellRange], _ path: String, _ limits: FormLimits) throws {
        var room = limits.cells
        for range in ranges {
            lasts[range.first] = range.last
            // Nothing lies beyond the last value.
            guard range.first.row < rowCount, range.first.column < columnCount else { continue }
            let (lastRow, lastColumn) = (min(range.last.row, rowCount - 1), min(range.last.column, columnCount - 1))
            room -= (lastRow - range.first.row + 1) * (lastColumn - range.first.column + 1)
            guard room >= 0 else { throw tooLarge(path, "formCells \(limits.cells)") }
            for row in range.first.row...lastRow {
                for column in range.first.column...lastColumn {
                    firsts[SheetCell(row: row, column: column)] = range.first
                }
            }
        }
    }

    /// The cell that represents the given one: the first of its merged range, or the cell itself.
    func first(of cell: SheetCell) -> SheetCell { firsts[cell] ?? cell }

    func last(of cell: SheetCell) -> SheetCell { lasts[first(of: cell)] ?? cell }

    /// The position of the values below a merged heading: the first position with a value.
    ///
    /// - Parameter cell: returns the cell below a position of the heading.
    func valuePlace(under places: ClosedRange<Int>, _ cell: (Int) -> SheetCell) -> Int {
        places.first { value(at: cell($0)) != nil } ?? places.lowerBound
    }

    /// The visible value of a cell; nil if there is none.
    func value(at cell: SheetCell) -> FormCell? { cells[first(of: cell)] }

    /// The text in the form in which labels are compared; nil for a cell without text.
    func head(of cell: SheetCell) -> Head? {
        if let head = heads[cell] { return head }
        guard let value = cells[cell], value.kind == .text else { return nil }
        // No label is longer than 200 characters, but a description may be.
        let text = value.text.prefix(200)
        let colon = text.firstIndex { $0 == ":" || $0 == "：" }
        let head = Head(
            whole: ColumnName.normal(String(text)), beforeColon: colon.map { ColumnName.normal(String(text[..<$0])) })
        heads[cell] = head
        return head
    }

    /// The value after the colon in a cell; nil if there is none.
    func restAfterColon(_ cell: SheetCell) -> FormCell? {
        guard let value = cells[cell], let colon = value.text.firstIndex(where: { $0 == ":" || $0 == "：" }) else {
            return nil
        }
        let rest = String(value.text[value.text.index(after: colon)...].drop(while: \.isWhitespace))
        return rest.isEmpty ? nil : FormCell(kind: .text, text: rest, place: cell)
    }
}
