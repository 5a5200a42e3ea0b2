import Model

/// Finds formulas without a saved value in the file: programs that only write files leave the
/// calculation to Excel.
struct UnsavedFormulas {
    private var count = 0
    private var first: String?
    private var isRead = false

    /// - Parameter isRead: whether the mapping reads a column.
    mutating func note(_ batch: borrowing ForeignBatch, _ row: Int, isRead: (Int) -> Bool) {
        for column in 0..<batch.width(row) where batch.cell(row, column).mark == .unsaved {
            count += 1
            // A cell that the mapping reads is the better example.
            let isWanted = isRead(column)
            if first == nil || (isWanted && !self.isRead) { first = ColumnName.letters(column) + String(batch.rows[row].number) }
            self.isRead = self.isRead || isWanted
        }
    }

    func finding(at place: Place) -> Finding? {
        guard let first else { return nil }
        var place = place
        place.cell = first
        return Finding(
            // Nothing is lost where no field reads them.
            isRead ? "IMPORT-NO-RESULT" : "IMPORT-UNREAD-RESULT", place: place,
            arguments: ["name": place.sheet ?? "", "count": String(count), "cell": first])
    }
}
