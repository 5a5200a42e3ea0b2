/// Cuts the rows out of a document while it is parsed: the objects of the array that it is, or of the arrays that are its members.
final class JSONRowCollector: JSONEventSink {
    /// Rows that are complete and not yet taken away, in order.
    private(set) var rows: [JSONRows.Row] = []
    /// Whether there was an array at all.
    private(set) var foundArray = false

    private let limits: JSONLimits
    private let builder: JSONTreeBuilder
    /// Arrays and objects that are open.
    private var depth = 0
    /// The depth right inside the array with the rows; 0 outside of one.
    private var rowDepth = 0
    private var isInRow = false
    private var member: String?
    private var index = 0
    private var start = (offset: 0, line: 1)

    init(limits: JSONLimits) {
        self.limits = limits
        builder = JSONTreeBuilder(limits: limits)
    }

    func removeRows() -> [JSONRows.Row] {
        defer { rows.removeAll() }
        return rows
    }

    func take(_ event: JSONEvent, from parser: JSONParser) throws(JSONMistake.Reason) {
        if isInRow {
            try takeInRow(event, from: parser)
            return
        }
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
                start = (offset, parser.place(at: offset).line)
                isInRow = true
                try takeInRow(event, from: parser)
                return
            }
            depth += 1
        case .endArray:
            if depth == rowDepth { rowDepth = 0 }
            depth -= 1
        case .endObject:
            depth -= 1
        case .key(let key):
            if depth == 1 { member = key }
        case .null, .bool, .number, .string:
            if depth == 0 { throw .noRows }
            if depth == rowDepth { throw .rowIsNoObject }
        }
    }

    private func takeInRow(_ event: JSONEvent, from parser: JSONParser) throws(JSONMistake.Reason) {
        guard parser.offset - start.offset <= limits.valueBytes else { throw .valueTooLarge(limit: limits.valueBytes) }
        try builder.take(event, from: parser)
        guard let value = builder.removeFinished() else { return }
        isInRow = false
        let path = member.map { "/" + JSONRows.escapedForPointer($0) } ?? ""
        rows.append(
            .init(value: value, line: start.line, offset: start.offset, pointer: path + "/\(index)", member: member))
        index += 1
    }
}
