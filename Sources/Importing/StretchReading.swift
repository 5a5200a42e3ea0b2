import Model

/// The road that the rows of a table take: batches of cells from its reader go through the converters, one for each entity that a row feeds,
/// and come out as stretches of typed rows. Each row is read once.
struct StretchReading {
    /// Calls `take` with stretch after stretch; one ends with the last of the rows that were taken before.
    ///
    /// - Parameters:
    ///   - learn: called after each batch, before its rows are converted.
    ///   - convert: converts a row into the stretch's batches; false where it is none of the table's, such as a heading.
    static func read(
        _ rows: any ForeignRows, into empty: [ImportedBatch], taken: Int, learn: () -> Void = {},
        convert: (borrowing ForeignBatch, _ row: Int, inout ImportedStretch) throws -> Bool, take: (inout ImportedStretch) throws -> Void
    ) throws {
        var batch = ForeignBatch()
        var stretch = ImportedStretch(empty)
        var seen = 0
        while true {
            try rows.fill(&batch)
            guard batch.rowCount > 0 else { break }
            learn()
            for row in 0..<batch.rowCount {
                guard try convert(batch, row, &stretch) else { continue }
                seen += 1
                stretch.read += 1
                if seen == taken || stretch.isFull {
                    try take(&stretch)
                    stretch.removeAll()
                }
            }
        }
        if !stretch.isEmpty { try take(&stretch) }
    }
}
