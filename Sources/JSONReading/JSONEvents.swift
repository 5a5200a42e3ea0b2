import Foundation

/// Receives the content of a document, piece by piece.
package protocol JSONEventHandler: AnyObject {
    /// Whether the handler wants no more events for now; reading then pauses.
    var isFull: Bool { get }

    /// - Parameter offset: bytes of the document up to the end of this event.
    func take(_ event: JSONEvent, _ bytes: Span<UInt8>, at offset: Int) throws(JSONMistake.Reason)
}

/// A JSON document of any shape and size, passed on event by event in constant memory. A mistake
/// ends the reading, because nothing after it can be trusted.
package final class JSONEvents {
    private static let emptyPiece = [UInt8](repeating: 0, count: 1 << 13)

    private let read: (inout [UInt8]) throws -> Int
    private let taker: any JSONEventHandler
    private let parser: JSONParser
    private var isDone = false

    /// - Parameter read: fills a buffer from its start, and returns how many bytes it wrote; zero at
    ///   the end.
    package init(limits: JSONLimits, taker: any JSONEventHandler, read: @escaping (inout [UInt8]) throws -> Int)
        throws(JSONMistake)
    {
        (self.taker, self.read) = (taker, read)
        parser = try JSONParser(events: Sink(taker), limits: limits)
    }

    /// Passes on events until the handler is full or the document ends.
    package func next() throws(JSONMistake) {
        while !isDone, !taker.isFull {
            var buffer = Self.emptyPiece
            let count: Int
            do { count = try read(&buffer) } catch { throw parser.mistake(.unreadable(error.localizedDescription)) }
            if count == 0 {
                isDone = true
                return try parser.finish()
            }
            try parser.feed(buffer.span.extracting(0..<count))
        }
    }

    private final class Sink: JSONEventSink {
        private let taker: any JSONEventHandler

        init(_ taker: any JSONEventHandler) { self.taker = taker }

        func take(_ event: JSONEvent, _ bytes: Span<UInt8>, from parser: JSONParser) throws(JSONMistake.Reason) {
            try taker.take(event, bytes, at: parser.offset)
        }
    }
}

/// The parts of a JSON text, in order. Numbers, booleans, texts and keys are passed with their
/// bytes. Texts and keys are UTF-8, without quotes, with escapes resolved.
package enum JSONEvent: Sendable {
    case null, yes, no, number, string
    case startObject, endObject, startArray, endArray
    case key

    /// The bytes of the two booleans.
    package static let words = (yes: Array("true".utf8), no: Array("false".utf8))
}

/// Receives the events of a parser. If it throws a reason, parsing ends, and the parser adds the
/// position.
protocol JSONEventSink: AnyObject {
    func take(_ event: JSONEvent, _ bytes: Span<UInt8>, from parser: JSONParser) throws(JSONMistake.Reason)
}

/// Reasons are thrown without a position; the parser adds it.
extension JSONMistake.Reason: Error {}

extension String {
    /// Makes a text from bytes that are known to be UTF-8.
    package init(utf8 bytes: Span<UInt8>) {
        self = unsafe bytes.withUnsafeBufferPointer { unsafe String(decoding: $0, as: UTF8.self) }
    }
}

/// A mistake in a JSON text, with its place: that of the mistake, or right after the token with the
/// mistake.
package struct JSONMistake: Error, Sendable, Hashable {
    package enum Reason: Sendable, Hashable {
        /// Not JSON: YAJL's own message, in English.
        case malformed(String)
        /// The text ends before the value does.
        case unexpectedEnd
        /// More text follows the value.
        case trailingText
        case invalidUTF8
        /// A surrogate such as `\uD800` without its other half, which cannot be stored.
        case loneSurrogate
        case tooDeep(limit: Int)
        case textTooLong(limit: Int)
        case numberTooLong(limit: Int)
        case valueTooLarge(limit: Int)
        case duplicateKey(String)
        /// The text is not in a form with rows: array of objects, object with such an array, NDJSON.
        case noRows
        /// A row that is not an object.
        case rowIsNoObject
        /// Reading the file failed; the system's message.
        case unreadable(String)
    }

    package var reason: Reason
    /// Bytes from the start, zero-based.
    package var offset: Int
    /// One-based.
    package var line: Int
    /// Bytes from the start of the line, one-based.
    package var column: Int

    package init(reason: Reason, offset: Int, line: Int, column: Int) {
        self.reason = reason
        self.offset = offset
        self.line = line
        self.column = column
    }
}

extension JSONMistake.Reason: CustomStringConvertible {
    /// A text in English, for logs; callers translate the reason into messages.
    package var description: String {
        switch self {
        case .malformed(let words): words
        case .unexpectedEnd: "the text ends in the middle of a value"
        case .trailingText: "there is something after the value"
        case .invalidUTF8: "invalid UTF-8"
        case .loneSurrogate: "an escaped surrogate stands alone"
        case .tooDeep(let limit): "more than \(limit) levels"
        case .textTooLong(let limit): "a text of more than \(limit) bytes"
        case .numberTooLong(let limit): "a number of more than \(limit) characters"
        case .valueTooLarge(let limit): "a value of more than \(limit) bytes"
        case .duplicateKey(let key): "the key \"\(key)\" stands twice in one object"
        case .noRows: "no rows: expected an array of objects, an object with such an array, or one object a line"
        case .rowIsNoObject: "a row must be an object"
        case .unreadable(let words): words
        }
    }
}
