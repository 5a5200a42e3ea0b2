import Counting

/// Counts what a workbook is given, cell by cell: the last content of each cell is the one that
/// counts.
struct SentCells {
    /// Whether a row is finished when the next one begins, so that only one need be remembered.
    var isStreaming = false
    private var counted = WrittenWorkbook()
    private var open: [Sheet] = []

    private struct Sheet {
        var row = 0
        /// UTF-8 bytes of the text, by place. A sheet has less than 2¹⁴ columns.
        var cells: [Int: Int] = [:]
    }

    mutating func addSheet() {
        open.append(Sheet())
        counted.sheets.append(WrittenWorkbook.Sheet())
    }

    /// A cell with this text, or with a number or only a style.
    mutating func put(_ sheet: Workbook.SheetID, _ row: Int, _ column: Int, _ text: String = "") {
        if isStreaming, row != open[sheet.index].row {
            count(sheet.index)
            open[sheet.index].row = row
        }
        open[sheet.index].cells[row << 14 | column] = text.utf8.count
    }

    mutating func putComment(_ text: String) {
        counted.comments.cells += 1
        counted.comments.textBytes += text.utf8.count
    }

    mutating func putPicture() { counted.pictures += 1 }

    mutating func putChart() { counted.charts += 1 }

    private mutating func count(_ sheet: Int) {
        counted.sheets[sheet].cells += open[sheet].cells.count
        counted.sheets[sheet].textBytes += open[sheet].cells.values.reduce(0, +)
        open[sheet].cells.removeAll(keepingCapacity: isStreaming)
    }

    /// Everything that was sent.
    mutating func total() -> WrittenWorkbook {
        for sheet in open.indices { count(sheet) }
        return counted
    }
}
