import Foundation

/// The rows of a JSON file of any size, passed on as they are parsed; memory use does not grow with
/// the file.
///
/// A file is an array of objects, an object whose members are such arrays (`{"rows": […]}`,
/// `{"calicatas": […]}`), or has one object on each line (NDJSON). A mistake in a line is passed on
/// instead of its row, and the next line is read. A mistake in an array ends the reading: the rows
/// before it are passed on, then the mistake is thrown.
package final class JSONRows {
    package enum Layout: Sendable, Hashable {
        /// Detected from the first bytes.
        case automatic
        /// One array, or one object with arrays.
        case document
        /// One object per line.
        case lines
    }

    package struct Row: Sendable, Hashable {
        /// The row's start: one-based line, zero-based offset in bytes.
        package var line: Int
        package var offset: Int
        /// JSON pointer (RFC 6901): `/3`, `/calicatas/3`; empty in a file of lines.
        package var pointer: String
        /// The member whose array contains the row (`calicatas`).
        package var member: String?

        package init(line: Int, offset: Int, pointer: String = "", member: String? = nil) {
            (self.line, self.offset, self.pointer, self.member) = (line, offset, pointer, member)
        }
    }

    private static let emptyChunk = [UInt8](repeating: 0, count: 1 << 16)
    /// The number of bytes read to distinguish one object per line from an object with arrays.
    private static let lookahead = 1 << 20
    /// The number of bytes that are passed on from a line that is too long.
    private static let keptBeginning = 1 << 16
    /// The number of bytes of a document that are parsed at a time; all rows that end in them are
    /// passed on.
    private static let pieceSize = 1 << 12

    private let read: (inout [UInt8], _ offset: Int) throws -> Int
    private let limits: JSONLimits
    private let taker: any JSONRowHandler
    private let cutter: JSONRowCutter
    private var layout: Layout
    /// Bytes that were read; those from `position` on are not parsed yet.
    private var buffer: [UInt8] = []
    private var position = 0
    private var bytesBefore = 0
    private var isAtEnd = false
    private var isDone = false
    private var line = 0
    /// The parser of the whole document, or of all lines; it is replaced after a line with a
    /// mistake.
    private var parser: JSONParser?

    /// Rows from any source of bytes: the closure fills a buffer from an offset on as far as it
    /// can, and returns how many bytes it wrote; zero at the end.
    package init(
        layout: Layout = .automatic, limits: JSONLimits = .standard, taker: any JSONRowHandler,
        read: @escaping (inout [UInt8], _ offset: Int) throws -> Int
    ) {
        (self.read, self.layout, self.limits, self.taker) = (read, layout, limits, taker)
        cutter = JSONRowCutter(limits: limits, taker: taker)
    }

    /// Passes on rows and faulty lines until the handler is full or the file ends.
    package func next() throws(JSONMistake) {
        if layout == .automatic {
            while buffer.count < Self.lookahead, !isAtEnd { try fill() }
            layout = JSONLayout.detect(buffer, isWhole: isAtEnd, limits: limits)
        }
        do throws(JSONMistake) {
            while !isDone, !taker.isFull {
                if layout == .lines { try takeLine() } else { try takePiece() }
            }
        } catch {
            isDone = true
            throw error
        }
    }

    private func fill() throws(JSONMistake) {
        let count = buffer.count
        buffer.append(contentsOf: Self.emptyChunk)
        do {
            let added = try read(&buffer, count)
            buffer.removeLast(buffer.count - count - added)
            isAtEnd = added == 0
        } catch {
            throw JSONMistake(
                reason: .unreadable(error.localizedDescription), offset: bytesBefore + count, line: max(1, line),
                column: 1)
        }
    }

    // A span of an object's property is only valid during one access, so the next methods use the
    // span of a local copy.

    private func feed(_ range: Range<Int>, to parser: JSONParser) throws(JSONMistake) {
        let bytes = buffer
        try parser.feed(bytes.span.extracting(range))
    }

    private func endRow(_ range: Range<Int>) {
        let bytes = buffer
        taker.endRow(line: bytes.span.extracting(range))
    }

    private func give(_ mistake: JSONMistake, _ range: Range<Int>) {
        let bytes = buffer
        taker.take(mistake, line: bytes.span.extracting(range))
    }

    private func lineEnd(from start: Int) -> Int? {
        let bytes = buffer
        return bytes.span.position(of: UInt8(ascii: "\n"), from: start)
    }

    // MARK: a document

    /// Passes the next bytes to the parser; at the end, has it check that the document is complete.
    private func takePiece() throws(JSONMistake) {
        let parser = try openParser(manyValues: false)
        if position == buffer.count, !isAtEnd {
            buffer.removeAll(keepingCapacity: true)
            position = 0
            try fill()
        }
        let piece = position..<min(position + Self.pieceSize, buffer.count)
        position = piece.upperBound
        try feed(piece, to: parser)
        guard isAtEnd, position == buffer.count else { return }
        try parser.finish()
        if !cutter.foundArray { throw parser.mistake(.noRows) }
        isDone = true
    }

    private func openParser(manyValues: Bool) throws(JSONMistake) -> JSONParser {
        if let parser { return parser }
        let parser = try JSONParser(events: cutter, limits: limits, manyValues: manyValues)
        self.parser = parser
        return parser
    }

    // MARK: one object per line

    private func takeLine() throws(JSONMistake) {
        guard let range = try lineRange() else {
            isDone = true
            return
        }
        line += 1
        let start = bytesBefore + range.lowerBound
        position = min(range.upperBound + 1, buffer.count)
        if range.count > limits.valueBytes {
            let mistake = JSONMistake(
                reason: .valueTooLarge(limit: limits.valueBytes), offset: start, line: line, column: 1)
            give(mistake, range.prefix(Self.keptBeginning))
            return try skipLine()
        }
        if isBlank(range) { return }
        do throws(JSONMistake) {
            try parse(range, start)
            endRow(range)
        } catch {
            parser = nil
            var mistake = error
            mistake.offset += start
            mistake.line = line
            give(mistake, range)
        }
    }

    private func parse(_ range: Range<Int>, _ start: Int) throws(JSONMistake) {
        let parser = try openParser(manyValues: true)
        parser.begin()
        cutter.beginLine(line, offset: start)
        try feed(range, to: parser)
        if !parser.isComplete { try parser.finish() }
        if !cutter.lineIsRow { throw JSONMistake(reason: .rowIsNoObject, offset: 0, line: line, column: 1) }
    }

    /// The range of the next line in the buffer, without its line feed. If the line is over the
    /// limit, the range is only its beginning.
    private func lineRange() throws(JSONMistake) -> Range<Int>? {
        var searched = position
        while true {
            if let end = lineEnd(from: searched) { return position..<end }
            searched = buffer.count
            if searched - position > limits.valueBytes { return position..<searched }
            if isAtEnd { return position < searched ? position..<searched : nil }
            if position > 0 {
                buffer.removeFirst(position)
                bytesBefore += position
                searched -= position
                position = 0
            }
            try fill()
        }
    }

    /// Skips the rest of a line that is too long to store.
    private func skipLine() throws(JSONMistake) {
        if position > 0, position <= buffer.count, buffer[position - 1] == UInt8(ascii: "\n") { return }
        while true {
            if let end = lineEnd(from: position) {
                position = end + 1
                return
            }
            bytesBefore += buffer.count
            buffer.removeAll(keepingCapacity: true)
            position = 0
            if isAtEnd { return }
            try fill()
        }
    }

    private func isBlank(_ range: Range<Int>) -> Bool {
        buffer[range].allSatisfy { $0 == 0x20 || $0 == 0x09 || $0 == 0x0D }
    }

    /// A key as a part of a JSON pointer.
    static func escapedForPointer(_ key: String) -> String {
        key.replacing("~", with: "~0").replacing("/", with: "~1")
    }
}

/// Determines from the first bytes of a file how its rows are arranged.
package enum JSONLayout {
    /// - Parameter isWhole: whether the bytes are the whole file.
    package static func detect(_ bytes: [UInt8], isWhole: Bool, limits: JSONLimits) -> JSONRows.Layout {
        let text = bytes.starts(with: [0xEF, 0xBB, 0xBF]) ? bytes[3...] : bytes[...]
        let start = text.drop(while: isSpace)
        switch start.first {
        case nil: return .lines
        case UInt8(ascii: "["): return .document
        case UInt8(ascii: "{"): break
        default: return .lines
        }
        let lineEnd = start.firstIndex(of: UInt8(ascii: "\n"))
        guard let lineEnd else {
            return isWhole ? layout(ofOnly: start, limits: limits) : .document
        }
        let first = start[..<lineEnd]
        if let last = first.last(where: { !isSpace($0) }), [UInt8]("[{,:".utf8).contains(last) { return .document }
        let rest = start[lineEnd...].drop(while: isSpace)
        switch rest.first {
        case nil: return isWhole ? layout(ofOnly: first, limits: limits) : .lines
        case UInt8(ascii: "{"): return .lines
        default: return (try? JSONValue.parse(first, limits: limits)) == nil ? .document : .lines
        }
    }

    /// A file of one line is an object with an array of rows, or one row. An object with an array
    /// of rows has no `id`, and exactly one array, which contains only objects.
    private static func layout(ofOnly line: ArraySlice<UInt8>, limits: JSONLimits) -> JSONRows.Layout {
        guard let value = try? JSONValue.parse(line, limits: limits), value["id"] == nil, let members = value.members
        else { return .lines }
        let arrays = members.compactMap(\.value.items)
        return arrays.count == 1 && arrays[0].allSatisfy { $0.members != nil } ? .document : .lines
    }

    private static func isSpace(_ byte: UInt8) -> Bool {
        byte == 0x20 || (0x09...0x0D).contains(byte)
    }
}
