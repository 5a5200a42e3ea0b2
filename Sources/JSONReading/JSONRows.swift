package import Foundation

/// The rows of a JSON file of any size, one at a time, in memory that does not grow with the file.
///
/// A file is an array of objects, an object whose members are such arrays (`{"rows": […]}`, `{"calicatas": […]}`), or has one object
/// on each line (NDJSON). A mistake in a line is given as an item, and the next line is read; a mistake in an array ends the rows:
/// what stands before it is given first, then it is thrown.
package final class JSONRows {
    package enum Layout: Sendable, Hashable {
        /// Seen from the first bytes.
        case automatic
        /// One array, or one object with arrays.
        case document
        /// One object a line.
        case lines
    }

    package struct Row: Sendable, Hashable {
        /// Always an object.
        package var value: JSONValue
        /// Where the row starts: one-based line, zero-based offset in bytes.
        package var line: Int
        package var offset: Int
        /// JSON pointer (RFC 6901): `/3`, `/calicatas/3`; empty in a file of lines.
        package var pointer: String
        /// The member whose array holds the row (`calicatas`).
        package var member: String?
        /// The line as it stands in a file of lines, where it is asked for.
        package var text: String? = nil
    }

    package enum Item: Sendable, Hashable {
        case row(Row)
        /// A line that is no row, with its bytes as they stand there; of a line beyond the limit, its beginning.
        case mistake(JSONMistake, line: [UInt8])
    }

    private static let chunkSize = 1 << 16
    /// Enough to tell one object a line from an object with arrays.
    private static let lookahead = 1 << 20
    /// What is given of a line that is too long to be a row.
    private static let keptBeginning = 1 << 16

    /// Whether rows of a file of lines come with their text.
    package var keepsText = false
    private let read: (Int) throws -> [UInt8]
    private let limits: JSONLimits
    private var layout: Layout
    /// Bytes that are read and not used yet.
    private var buffer: [UInt8] = []
    private var isAtEnd = false
    private var isDone = false

    // One object a line.
    private var line = 0
    private var position = 0
    private var bytesBefore = 0

    // A document.
    private let collector: JSONRowCollector
    private var parser: JSONParser?
    private var queue: ArraySlice<Row> = []
    private var pending: JSONMistake?

    /// Rows from wherever bytes come from: the closure gives at most that many, and none at the end.
    package init(layout: Layout = .automatic, limits: JSONLimits = .standard, read: @escaping (Int) throws -> [UInt8]) {
        self.read = read
        self.layout = layout
        self.limits = limits
        collector = JSONRowCollector(limits: limits)
    }

    /// Rows of a file.
    package convenience init(_ file: URL, layout: Layout = .automatic, limits: JSONLimits = .standard) throws {
        let handle = try FileHandle(forReadingFrom: file)
        self.init(layout: layout, limits: limits) { count in Array(try handle.read(upToCount: count) ?? Data()) }
    }

    /// The next row or bad line; nil at the end.
    package func next() throws(JSONMistake) -> Item? {
        if layout == .automatic {
            while buffer.count < Self.lookahead, !isAtEnd { try fill() }
            layout = JSONLayout.detect(buffer, isWhole: isAtEnd, limits: limits)
        }
        guard !isDone else { return nil }
        return layout == .lines ? try nextLine() : try nextOfDocument()
    }

    private func fill() throws(JSONMistake) {
        do {
            let bytes = try read(Self.chunkSize)
            isAtEnd = bytes.isEmpty
            buffer += bytes
        } catch {
            isDone = true
            throw JSONMistake(
                reason: .unreadable(error.localizedDescription), offset: bytesBefore + buffer.count, line: max(1, line), column: 1)
        }
    }

    // MARK: a document

    private func nextOfDocument() throws(JSONMistake) -> Item? {
        while true {
            if let row = queue.popFirst() { return .row(row) }
            if let pending {
                isDone = true
                throw pending
            }
            if isAtEnd, buffer.isEmpty {
                isDone = true
                return nil
            }
            if buffer.isEmpty { try fill() }
            do throws(JSONMistake) {
                try parse()
            } catch {
                pending = error
            }
            queue = collector.removeRows()[...]
        }
    }

    /// Gives the parser what is read; at the end, has it check that the document is complete.
    private func parse() throws(JSONMistake) {
        let parser = try openParser()
        defer { buffer.removeAll(keepingCapacity: true) }
        try parser.feed(buffer.span)
        guard isAtEnd else { return }
        try parser.finish()
        if !collector.foundArray { throw parser.mistake(.noRows) }
    }

    private func openParser() throws(JSONMistake) -> JSONParser {
        if let parser { return parser }
        let parser = try JSONParser(events: collector, limits: limits)
        self.parser = parser
        return parser
    }

    // MARK: one object a line

    private func nextLine() throws(JSONMistake) -> Item? {
        while true {
            guard let range = try lineRange() else {
                isDone = true
                return nil
            }
            line += 1
            let start = bytesBefore + range.lowerBound
            position = min(range.upperBound + 1, buffer.count)
            let length = range.count
            if length > limits.valueBytes {
                let beginning = Array(buffer[range].prefix(Self.keptBeginning))
                try skipLine()
                return .mistake(
                    JSONMistake(reason: .valueTooLarge(limit: limits.valueBytes), offset: start, line: line, column: 1), line: beginning)
            }
            let bytes = buffer[range]
            if Self.isBlank(bytes) { continue }
            do throws(JSONMistake) {
                let value = try JSONValue.parse(bytes, limits: limits)
                guard case .object = value else {
                    return .mistake(JSONMistake(reason: .rowIsNoObject, offset: start, line: line, column: 1), line: Array(bytes))
                }
                return .row(Row(value: value, line: line, offset: start, pointer: "", member: nil,
                    text: keepsText ? String(decoding: bytes, as: UTF8.self) : nil))
            } catch {
                var mistake = error
                mistake.offset += start
                mistake.line = line
                return .mistake(mistake, line: Array(bytes))
            }
        }
    }

    /// The next line in the buffer, without its end; a line over the limit comes cut off, its rest unread.
    private func lineRange() throws(JSONMistake) -> Range<Int>? {
        var searched = position
        while true {
            if let end = Self.firstLineEnd(in: buffer.span, from: searched) { return position..<end }
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

    /// Reads on to the end of a line that is too long to keep.
    private func skipLine() throws(JSONMistake) {
        if position > 0, position <= buffer.count, buffer[position - 1] == UInt8(ascii: "\n") { return }
        while true {
            if let end = Self.firstLineEnd(in: buffer.span, from: position) {
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

    private static func firstLineEnd(in bytes: Span<UInt8>, from start: Int) -> Int? {
        var index = start
        while index < bytes.count {
            if bytes[index] == UInt8(ascii: "\n") { return index }
            index += 1
        }
        return nil
    }

    private static func isBlank(_ bytes: ArraySlice<UInt8>) -> Bool {
        bytes.allSatisfy { $0 == 0x20 || $0 == 0x09 || $0 == 0x0D }
    }

    /// A key as a part of a JSON pointer.
    static func escapedForPointer(_ key: String) -> String {
        key.replacing("~", with: "~0").replacing("/", with: "~1")
    }
}
