/// Receives rows as bytes, without values being made of them.
package protocol JSONRowTaker: AnyObject {
    /// Whether it has enough for one turn; then reading pauses.
    var isFull: Bool { get }

    /// A row begins.
    func beginRow(_ row: JSONRows.Row)

    /// The next part of the row, whose own braces are left out: keys and values in turn. A thrown
    /// reason ends the row, or the whole document.
    func take(_ event: JSONEvent, _ bytes: Span<UInt8>) throws(JSONMistake.Reason)

    /// The row is complete.
    ///
    /// - Parameter line: in a file of lines, the line of the row as it was written.
    func endRow(line: Span<UInt8>)

    /// A line is no row. `line` holds its bytes as they were written, or only their beginning if it
    /// is over the limit. If a row had begun in this line, it is void.
    func take(_ mistake: JSONMistake, line: Span<UInt8>)
}
