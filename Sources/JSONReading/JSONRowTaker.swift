/// Takes rows as the bytes that they consist of, without values being made of them.
package protocol JSONRowTaker: AnyObject {
    /// Whether it has enough for one turn: rows are read no further.
    var isFull: Bool { get }

    /// A row begins.
    func beginRow(_ row: JSONRows.Row)

    /// What comes next in the row, whose own braces are left out: keys and values by turns. A reason ends the row, or the whole document.
    func take(_ event: JSONEvent, _ bytes: Span<UInt8>) throws(JSONMistake.Reason)

    /// The row is complete.
    ///
    /// - Parameter line: of a file of lines, the row as it stands there.
    func endRow(line: Span<UInt8>)

    /// A line is no row, with its bytes as they stand there; of a line beyond the limit, its beginning. If a row had begun in it, there is
    /// none.
    func take(_ mistake: JSONMistake, line: Span<UInt8>)
}
