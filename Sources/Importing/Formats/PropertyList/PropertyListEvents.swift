import JSONReading
import Model

/// Passes on the values of a property list as events of an equivalent JSON document.
///
/// Data that is JSON is parsed as such. Other data becomes a UUID or an error cell, like a BLOB of
/// a database.
final class PropertyListEvents: TableEvents {
    private let values: PropertyListValues
    private let path: String
    private let limits: JSONLimits
    private unowned let walk: JSONTableWalk
    private var position = 0
    private var depth = 0
    /// The last key, to report the place of a mistake.
    private var key = 0..<0
    /// The JSON within a value's data, if it has not been read to its end.
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
        // The depth within data includes the levels that contain the data.
        var reason = reason
        if case .tooDeep = reason { reason = .tooDeep(limit: limits.depth) }
        return JSONRowCells.beyond(reason, at: Place(file: path))
            ?? ImportFailure.brokenFile(Place(file: path), reason: "\(reason), at the key “\(name)”\(place)")
    }

    /// Passes on a value as an event.
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
        case .yes, .no:
            let isTrue = values.kinds[index] == .yes
            let word = isTrue ? JSONEvent.words.yes : JSONEvent.words.no
            return try walk.take(isTrue ? .yes : .no, word.span, at: range.upperBound)
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
            return value.isUUID
                ? try walk.take(.string, words, at: range.upperBound) : try walk.takeError(words, at: range.upperBound)
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

    /// Whether data is text that begins like a list or an object of JSON. Then it must be JSON: a
    /// truncated document must not be treated as other data.
    private static func isJSON(_ data: ArraySlice<UInt8>) -> Bool {
        let isBlank = { (byte: UInt8) in byte == 0x20 || byte == 0x09 || byte == 0x0A || byte == 0x0D }
        let begin = data.drop(while: isBlank)
        guard let first = begin.first, let second = begin.dropFirst().drop(while: isBlank).first else { return false }
        let followers = first == UInt8(ascii: "{") ? "\"}" : first == UInt8(ascii: "[") ? "[]{\"-0123456789tfn" : ""
        return followers.utf8.contains(second) && String(validating: data, as: UTF8.self) != nil
    }

    /// Passes on a document that is part of the whole.
    private final class Part: JSONEventHandler {
        private unowned let walk: JSONTableWalk
        private let start: Int

        init(walk: JSONTableWalk, start: Int) { (self.walk, self.start) = (walk, start) }

        var isFull: Bool { walk.isFull }

        func take(_ event: JSONEvent, _ bytes: Span<UInt8>, at offset: Int) throws(JSONMistake.Reason) {
            try walk.take(event, bytes, at: start + offset)
        }
    }
}

/// The values of a property list in order, stored flat and checked against limits.
struct PropertyListValues: Sendable {
    enum Kind: Sendable {
        case startObject, endObject, startArray, endArray, key
        /// `string` includes dates, as instants.
        case null, yes, no, number, string
        case data
        /// A description of a value that its type does not allow, such as an infinite number.
        case error
    }

    let path: String
    private(set) var kinds: [Kind] = []
    private(set) var bytes: [UInt8] = []
    private var ends: [Int] = []
    private var depth = 0
    /// The limit on the bytes of all values.
    private let most: Int
    private let limits: JSONLimits

    init(path: String, most: Int, limits: JSONLimits) {
        (self.path, self.most, self.limits) = (path, most, limits)
    }

    /// The range of a value's bytes.
    func range(_ index: Int) -> Range<Int> { (index == 0 ? 0 : ends[index - 1])..<ends[index] }

    mutating func append(_ kind: Kind, _ text: String) throws(TableFailure) { try append(kind, text.utf8.span) }

    mutating func append(_ kind: Kind, _ bytes: [UInt8]) throws(TableFailure) { try append(kind, bytes.span) }

    mutating func append(_ kind: Kind, _ value: Span<UInt8> = Span()) throws(TableFailure) {
        switch kind {
        case .startObject, .startArray:
            depth += 1
            guard depth <= limits.depth else { throw tooLarge("jsonDepth \(limits.depth)") }
        case .endObject, .endArray: depth -= 1
        case .key, .string:
            guard value.count <= limits.textBytes else { throw tooLarge("jsonTextBytes \(limits.textBytes)") }
        default: break
        }
        guard value.count <= most - 16 * (kinds.count + 1) - bytes.count else {
            throw tooLarge("propertyListBytes \(most)")
        }
        unsafe value.withUnsafeBufferPointer { unsafe bytes.append(contentsOf: $0) }
        kinds.append(kind)
        ends.append(bytes.count)
    }

    /// Appends a number as JSON; an infinite one or NaN becomes an error.
    mutating func append(_ number: Double) throws(TableFailure) {
        try append(number.isFinite ? .number : .error, OldValueText.shortest(number))
    }

    private func tooLarge(_ limit: String) -> TableFailure {
        .tooLarge(Place(file: path), kind: PropertyListFormat.kind, limit: limit)
    }

    func damaged(_ reason: String, line: Int? = nil) -> TableFailure {
        .damaged(Place(file: path, line: line), kind: PropertyListFormat.kind, reason: reason)
    }
}
