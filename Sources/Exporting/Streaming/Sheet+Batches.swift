import Model
import OutputFiles

extension Sheet {
    /// Goes through the sheet's rows in batches, which a thread of its own reads ahead; says after each how many rows were met so far.
    ///
    /// - Returns: how many there were.
    /// - Throws: `OutputFailure.rowCount` when these are not as many as were counted.
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
