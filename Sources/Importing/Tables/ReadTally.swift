import Model

/// The counts of a table as its reader returned it, made while batches pass; of several readings,
/// the last one that reached the end counts. It is kept with the table, so that nothing has to be
/// placed between the reader and its caller.
package final class ReadTally {
    private(set) var count: TableCount?
    /// Lines that the reader rejected; the import reports each of them.
    private(set) var rejected = LineSet()

    package init() {}

    /// One pass over the table, from the first row on.
    package struct Pass {
        private let tally: ReadTally
        private var table: TableTally
        private var rejected = LineSet()

        fileprivate init(_ tally: ReadTally, _ table: TableTally) { (self.tally, self.table) = (tally, table) }

        /// - Parameter names: all columns so far, where they become known with the rows.
        package mutating func add(_ batch: borrowing ForeignBatch, names: [String]? = nil) {
            for (row, remark) in batch.remarks where remark.fault != nil { rejected.insert(batch.rows[row].number) }
            if batch.rowCount > 0 { return table.add(batch) }
            if let names { table.columnNames = names }
            (tally.count, tally.rejected) = (table.count, rejected)
        }
    }

    package func begin(_ table: TableTally) -> Pass { Pass(self, table) }
}

extension ForeignTable {
    /// Begins the count of a reading that will continue to the table's end.
    package func beginTally() -> ReadTally.Pass { tally.begin(TableTally(name: ownName, columnNames: columns ?? [])) }
}
