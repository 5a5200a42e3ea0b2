import Model

/// Makes rows of one entity out of rows of one table of a source: for each row a row with its values typed, or what is wrong with it.
protocol RowConverter: AnyObject {
    /// An empty batch for its rows.
    var empty: ImportedBatch { get }

    /// Appends what becomes of a row to a batch that `empty` gave.
    func convert(_ batch: borrowing ForeignBatch, _ row: Int, into made: inout ImportedBatch) throws -> RowOutcome
}

/// What became of a row of a source for one entity.
enum RowOutcome {
    case row
    /// Left out on purpose.
    case filtered
    /// Left out since an earlier row made the record.
    case repeated
    case rejected
}
