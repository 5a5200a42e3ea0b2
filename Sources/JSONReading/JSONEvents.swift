import Foundation

/// Takes all that a document holds, piece by piece.
package protocol JSONEventTaker: AnyObject {
    /// Whether it has enough for one turn; then reading pauses.
    var isFull: Bool { get }

    /// - Parameter offset: bytes of the document up to the end of this event.
    func take(_ event: JSONEvent, _ bytes: Span<UInt8>, at offset: Int) throws(JSONMistake.Reason)
}

/// A JSON document of any shape and size, passed on event by event in flat memory. A mistake ends
/// it: nothing after it can be trusted.
package final class JSONEvents {
    private static let emptyPiece = [UInt8](repeating: 0, count: 1 << 13)

    private let read: (inout [UInt8]) throws -> Int
    private let taker: any JSONEventTaker
    private let parser: JSONParser
    private var isDone = false

    /// - Parameter read: fills a buffer from its start, and returns how many bytes it wrote; zero at
    ///   the end.
    package init(limits: JSONLimits, taker: any JSONEventTaker, read: @escaping (inout [UInt8]) throws -> Int) throws(JSONMistake) {
        (self.taker, self.read) = (taker, read)
        parser = try JSONParser(events: Sink(taker), limits: limits)
    }

    /// Passes on events until the taker is full or the document ends.
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
        private let taker: any JSONEventTaker

        init(_ taker: any JSONEventTaker) { self.taker = taker }

        func take(_ event: JSONEvent, _ bytes: Span<UInt8>, from parser: JSONParser) throws(JSONMistake.Reason) {
            try taker.take(event, bytes, at: parser.offset)
        }
    }
}
