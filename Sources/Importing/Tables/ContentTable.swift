/// A table whose cells may contain whole files, such as photos in BLOB columns.
package protocol ContentTable {
    /// Opens the rows from the start. Of files in these columns only the size is read.
    func rows(sparing columns: Set<Int>) throws -> any ForeignRows

    /// Opens the files of one column; nil where there is no column of this name.
    func contents(of column: String) throws -> (any CellContents)?
}

/// The files in one column of a table.
package protocol CellContents: AnyObject {
    /// What the cell of a row contains, rows counted from 1. Going forward is cheap; going back
    /// begins from the start.
    func content(ofRow row: Int) throws -> CellFile
}

/// What a cell that should contain a file contains.
package enum CellFile: Equatable {
    case nothing
    case file([UInt8])
    /// A file beyond the limit of one value.
    case tooLarge(bytes: Int, limit: String)
    /// A text or a number of this size.
    case other(bytes: Int)
}
