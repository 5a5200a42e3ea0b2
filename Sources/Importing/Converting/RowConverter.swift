import Model

/// Converts rows of one table of a source to rows of one entity: each becomes a row with typed
/// values, or the reasons why it cannot.
protocol RowConverter: AnyObject {
    /// An empty batch for its rows.
    var empty: ImportedBatch { get }

    /// Appends the result for a row to a batch created from `empty`.
    func convert(_ batch: borrowing ForeignBatch, _ row: Int, into made: inout ImportedBatch) throws -> RowOutcome
}

/// The outcome of a source's row for one entity.
enum RowOutcome {
    case row
    /// Left out on purpose.
    case filtered
    /// It repeats the record of an earlier row.
    case repeated
    case rejected
}
