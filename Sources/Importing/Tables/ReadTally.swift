import Model

/// What its reader gave of a table, counted as the batches pass; of several readings the last that came to the table's end. It is kept with the
/// table, so that nobody has to stand between the reader and whoever reads.
package final class ReadTally {
    private(set) var count: TableCount?
    /// Lines that the reader gave as no rows; whoever imports them is told of each.
    private(set) var rejected = LineSet()

    package init() {}

    /// One reading, from the first row on.
    package struct Reading {
        private let tally: ReadTally
        private var table: TableTally
        private var rejected = LineSet()

        fileprivate init(_ tally: ReadTally, _ table: TableTally) { (self.tally, self.table) = (tally, table) }

        /// - Parameter names: of all columns so far, where they become known with the rows.
        package mutating func add(_ batch: borrowing ForeignBatch, names: [String]? = nil) {
            for (row, remark) in batch.remarks where remark.fault != nil { rejected.insert(batch.rows[row].number) }
            if batch.rowCount > 0 { return table.add(batch) }
            if let names { table.columnNames = names }
            (tally.count, tally.rejected) = (table.count, rejected)
        }
    }

    package func begin(_ table: TableTally) -> Reading { Reading(self, table) }
}

extension ForeignTable {
    /// Begins the count of a reading that is to go to the table's end.
    package func beginTally() -> ReadTally.Reading { tally.begin(TableTally(name: ownName, columnNames: columns ?? [])) }
}
