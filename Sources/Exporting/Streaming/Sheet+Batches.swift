import Model
import OutputFiles

extension Sheet {
    /// Calls the body with the sheet's rows in batches, which a thread of its own reads ahead.
    /// Reports the number of rows so far after each.
    ///
    /// - Returns: the number of rows.
    /// - Throws: `OutputFailure.rowCount` when the number differs from the number that was counted.
    func forEachBatch(progress: (Int) -> Void, _ body: (borrowing RowBatch) throws -> Void) throws -> Int {
        let rows = PrefetchingRows(try open())
        var batch = RowBatch(columnCount: columns.count)
        var count = 0
        while true {
            try rows.fill(&batch)
            if batch.rowCount == 0 { break }
            try body(batch)
            count += batch.rowCount
            progress(count)
        }
        guard count == rowCount else { throw OutputFailure.rowCount(sheet: name, expected: rowCount, found: count) }
        return count
    }
}
