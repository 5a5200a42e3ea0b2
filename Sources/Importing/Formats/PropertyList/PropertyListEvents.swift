import JSONReading
import Model

/// Passes the values of a property list on as a document of JSON that holds the same.
///
/// Data that is JSON becomes what the JSON says. Other data is a UUID or an error cell, as a BLOB of
/// a database is.
final class PropertyListEvents: TableEvents {
    private let values: PropertyListValues
    private let path: String
    private let limits: JSONLimits
    private unowned let walk: JSONTableWalk
    private var position = 0
    private var depth = 0
    /// The last key, to name the place of a mistake.
    private var key = 0..<0
    /// The JSON within a value's data that is not passed on to its end.
    private var inner: JSONEvents?

    init(_ values: PropertyListValues, path: String, limits: JSONLimits, walk: JSONTableWalk) {
        (self.values, self.path, self.limits, self.walk) = (values, path, limits, walk)
    }

    func next() throws {
        do {
            while !walk.isFull {
                if let inner {
                    try inner.next()
                    if walk.isFull { return }
                    self.inner = nil
                } else if position < values.kinds.count {
                    try take(position)
                    position += 1
                } else {
                    return
                }
            }
        } catch let reason as JSONMistake.Reason {
            throw failure(reason, "")
        } catch let mistake as JSONMistake {
            throw failure(mistake.reason, ", byte \(mistake.offset) of its data")
        }
    }

    private func failure(_ reason: JSONMistake.Reason, _ place: String) -> any Error {
        let name = String(decoding: values.bytes[key], as: UTF8.self)
        // Within data, the levels around it count too.
        var reason = reason
        if case .tooDeep = reason { reason = .tooDeep(limit: limits.depth) }
        return JSONRowCells.beyond(reason, at: Place(file: path)) ?? ImportFailure.brokenFile(Place(file: path), reason: "\(reason), at the key “\(name)”\(place)")
    }

    private func take(_ index: Int) throws {
        let range = values.range(index)
        let all = values.bytes
        let bytes = all.span.extracting(range)
        let event: JSONEvent
        switch values.kinds[index] {
        case .startObject: event = .startObject
        case .endObject: event = .endObject
        case .startArray: event = .startArray
        case .endArray: event = .endArray
        case .key:
            event = .key
            key = range
        case .null: event = .null
        case .yes: event = .yes
        case .no: event = .no
        case .number: event = .number
        case .string: event = .string
        case .error: return try walk.takeError(bytes, at: range.upperBound)
        case .data: return try takeData(range)
        }
        switch event {
        case .startObject, .startArray: depth += 1
        case .endObject, .endArray: depth -= 1
        default: break
        }
        try walk.take(event, bytes, at: range.upperBound)
    }

    private func takeData(_ range: Range<Int>) throws {
        let data = values.bytes[range]
        guard Self.isJSON(data) else {
            let value = BinaryValue(data)
            let words = value.text.utf8.span
            return value.isUUID ? try walk.take(.string, words, at: range.upperBound) : try walk.takeError(words, at: range.upperBound)
        }
        var limits = limits
        limits.depth -= depth
        var start = range.lowerBound
        inner = try JSONEvents(limits: limits, taker: Part(walk: walk, start: range.lowerBound)) { [values] buffer in
            let piece = values.bytes[start..<min(start + buffer.count, range.upperBound)]
            start += piece.count
            buffer.replaceSubrange(..<piece.count, with: piece)
            return piece.count
        }
    }

    /// Whether data begins as a list or an object of JSON and is text. Then it must be JSON: what is
    /// broken off must not pass for other data.
    private static func isJSON(_ data: ArraySlice<UInt8>) -> Bool {
        let isBlank = { (byte: UInt8) in byte == 0x20 || byte == 0x09 || byte == 0x0A || byte == 0x0D }
        let begin = data.drop(while: isBlank)
        guard let first = begin.first, let second = begin.dropFirst().drop(while: isBlank).first else { return false }
        let followers = first == UInt8(ascii: "{") ? "\"}" : first == UInt8(ascii: "[") ? "[]{\"-0123456789tfn" : ""
        return followers.utf8.contains(second) && String(validating: data, as: UTF8.self) != nil
    }

    /// Passes on a document that is a part of the whole.
    private final class Part: JSONEventTaker {
        private unowned let walk: JSONTableWalk
        private let start: Int

        init(walk: JSONTableWalk, start: Int) { (self.walk, self.start) = (walk, start) }

        var isFull: Bool { walk.isFull }

        func take(_ event: JSONEvent, _ bytes: Span<UInt8>, at offset: Int) throws(JSONMistake.Reason) {
            try walk.take(event, bytes, at: start + offset)
        }
    }
}
