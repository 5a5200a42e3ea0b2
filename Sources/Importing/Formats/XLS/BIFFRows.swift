/// Rows of a sheet that contain cells with values, from the first to the last.
final class BIFFRows: ForeignRows {
    private let path: String
    private let book: BIFFWorkbook
    private let sheet: Int
    private var index = 0

    init(path: String, book: BIFFWorkbook, sheet: Int) {
        self.path = path
        self.book = book
        self.sheet = sheet
    }

    func fill(_ batch: inout ForeignBatch) throws {
        batch.removeAll()
        let cells = book.sheets[sheet].cells
        while index < cells.count, !batch.isFull {
            let row = cells[index].row
            while index < cells.count, cells[index].row == row {
                let cell = cells[index]
                while batch.openWidth < Int(cell.column) { batch.appendEmpty() }
                do {
                    try BIFFCell.append(cell, of: book, to: &batch)
                } catch {
                    throw XLSFile.failure(error, path, sheet: book.sheets[sheet].name)
                }
                index += 1
            }
            batch.endRowUnlessBlank(number: Int(row) + 1)
        }
    }
}
