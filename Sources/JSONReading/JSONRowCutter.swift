/// Extracts the rows from the parsed events: the objects in the document's array or in the arrays
/// of its members, or the object on each line.
final class JSONRowCutter: JSONEventSink {
    /// Whether any array was found.
    private(set) var foundArray = false
    /// Whether the line is an object; true from the object's beginning on.
    private(set) var lineIsRow = false

    private let taker: any JSONRowHandler
    private let limits: JSONLimits
    private var isLines = false
    /// Open arrays and objects, without those of a row.
    private var depth = 0
    /// Open arrays and objects of a row, including the row itself; 0 outside of rows.
    private var depthInRow = 0
    /// The depth directly inside the array with the rows; 0 outside of one.
    private var rowDepth = 0
    private var member: String?
    private var index = 0
    private var row = JSONRows.Row(line: 0, offset: 0)

    init(limits: JSONLimits, taker: any JSONRowHandler) {
        (self.limits, self.taker) = (limits, taker)
    }

    /// Prepares for a line; its value follows.
    func beginLine(_ line: Int, offset: Int) {
        (isLines, lineIsRow, depth, depthInRow) = (true, false, 0, 0)
        row = JSONRows.Row(line: line, offset: offset)
    }

    func take(_ event: JSONEvent, _ bytes: Span<UInt8>, from parser: JSONParser) throws(JSONMistake.Reason) {
        if depthInRow > 0 {
            try takeInRow(event, bytes, from: parser)
        } else if isLines {
            takeInLine(event)
        } else {
            try takeInDocument(event, bytes, from: parser)
        }
    }

    /// A line that is not an object is still read to its end, because it may contain a mistake that
    /// explains more.
    private func takeInLine(_ event: JSONEvent) {
        switch event {
        case .startObject where depth == 0:
            (lineIsRow, depthInRow) = (true, 1)
            taker.beginRow(row)
        case .startObject, .startArray: depth += 1
        case .endObject, .endArray: depth -= 1
        default: break
        }
    }

    private func takeInDocument(_ event: JSONEvent, _ bytes: Span<UInt8>, from parser: JSONParser) throws(JSONMistake
        .Reason)
    {
        switch event {
        case .startArray:
            if rowDepth > 0, depth == rowDepth { throw .rowIsNoObject }
            depth += 1
            if depth == 1 || depth == 2 && member != nil {
                (rowDepth, index, foundArray) = (depth, 0, true)
            }
        case .startObject:
            if rowDepth > 0, depth == rowDepth {
                let offset = parser.offset - 1
                let path = member.map { "/" + JSONRows.escapedForPointer($0) } ?? ""
                row = JSONRows.Row(
                    line: parser.place(at: offset).line, offset: offset, pointer: path + "/\(index)", member: member)
                index += 1
                depthInRow = 1
                taker.beginRow(row)
                return
            }
            depth += 1
        case .endArray:
            if depth == rowDepth { rowDepth = 0 }
            depth -= 1
        case .endObject:
            depth -= 1
        case .key:
            if depth == 1 { member = String(utf8: bytes) }
        case .null, .yes, .no, .number, .string:
            if depth == 0 { throw .noRows }
            if depth == rowDepth { throw .rowIsNoObject }
        }
    }

    private func takeInRow(_ event: JSONEvent, _ bytes: Span<UInt8>, from parser: JSONParser) throws(JSONMistake.Reason)
    {
        switch event {
        case .startObject, .startArray: depthInRow += 1
        case .endObject, .endArray: depthInRow -= 1
        default: break
        }
        if !isLines, parser.offset - row.offset > limits.valueBytes { throw .valueTooLarge(limit: limits.valueBytes) }
        if depthInRow > 0 {
            try taker.take(event, bytes)
        } else if !isLines {
            taker.endRow(line: Span())
        }
    }
}

/// Receives the rows of a file as events with bytes, without a `JSONValue` for each value.
package protocol JSONRowHandler: AnyObject {
    /// Whether the handler wants no more rows for now; reading then pauses.
    var isFull: Bool { get }

    /// Called at the beginning of a row.
    func beginRow(_ row: JSONRows.Row)

    /// Called with the next part of the row, without the row's outer braces: keys and values in
    /// turn. A thrown reason ends the row, or the whole document.
    func take(_ event: JSONEvent, _ bytes: Span<UInt8>) throws(JSONMistake.Reason)

    /// Called when the row is complete.
    ///
    /// - Parameter line: in a file of lines, the line of the row as it was written.
    func endRow(line: Span<UInt8>)

    /// Called for a line that is not a valid row. `line` contains its bytes, or only their
    /// beginning if the line is over the limit. A row that began on this line must be discarded.
    func take(_ mistake: JSONMistake, line: Span<UInt8>)
}
