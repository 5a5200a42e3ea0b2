import JSONReading

/// Stores the events of a log until all have been read, because they are applied in sorted order.
/// Their texts are stored as bytes, one after the other, and each event's position and sort keys as
/// a `Mark`.
struct EventBuffer {
    private struct Mark {
        var milliseconds: UInt64
        var rank: Int
        var line: Int
        var piece: Int32
        var start: Int32
    }

    /// Several arrays, because a single one would be copied as it grows and then need twice the
    /// memory.
    private var pieces: [[UInt8]] = []
    private static let pieceBytes = 1 << 20
    private var marks: [Mark] = []
    /// The length that marks a missing text.
    private let absent = UInt32.max

    private(set) var byteCount = 0
    var count: Int { marks.count }

    mutating func append(_ event: EventReplay.Event, milliseconds: UInt64, rank: Int) {
        append(event, payload: event.payload.description, milliseconds: milliseconds, rank: rank)
    }

    /// - Parameter payload: the event's payload as JSON; `event.payload` is ignored.
    mutating func append(_ event: EventReplay.Event, payload: String?, milliseconds: UInt64, rank: Int) {
        if pieces.last.map({ $0.count >= Self.pieceBytes }) ?? true {
            pieces.append([])
            pieces[pieces.count - 1].reserveCapacity(Self.pieceBytes + Self.pieceBytes / 16)
        }
        let last = pieces.count - 1, start = pieces[last].count
        for text in [event.id, payload, event.type, event.entityID, event.projectID, event.operatorID, event.timestamp]
        {
            let length = text.map { UInt32(clamping: $0.utf8.count) } ?? absent
            for shift in stride(from: 0, to: 32, by: 8) {
                pieces[last].append(UInt8(truncatingIfNeeded: length >> shift))
            }
            if let text { pieces[last].append(contentsOf: text.utf8) }
        }
        byteCount += pieces[last].count - start
        marks.append(
            Mark(
                milliseconds: milliseconds, rank: rank, line: event.line ?? 0, piece: Int32(clamping: last),
                start: Int32(clamping: start)))
    }

    /// Calls the body with each event in sorted order, and removes all events.
    mutating func takeInOrder(_ body: (EventReplay.Event) throws -> Void) rethrows {
        let held = self
        self = EventBuffer()
        let order = held.marks.sorted { first, second in
            if first.milliseconds != second.milliseconds { return first.milliseconds < second.milliseconds }
            if first.rank != second.rank { return first.rank < second.rank }
            // Within a millisecond and type, orders by id, then by contents.
            let (one, other) = (held.texts(first, 2), held.texts(second, 2))
            return (one[0] ?? "", one[1] ?? "") < (other[0] ?? "", other[1] ?? "")
        }
        for mark in order { try body(held.event(mark)) }
    }

    private func event(_ mark: Mark) -> EventReplay.Event {
        let texts = texts(mark, 7)
        let payload = texts[1].flatMap { try? JSONValue.parse($0) } ?? .object([])
        return EventReplay.Event(
            id: texts[0] ?? "", type: texts[2] ?? "", entityID: texts[3] ?? "", projectID: texts[4],
            operatorID: texts[5], timestamp: texts[6],
            payload: payload, line: mark.line > 0 ? mark.line : nil)
    }

    private func texts(_ mark: Mark, _ count: Int) -> [String?] {
        let bytes = pieces[Int(mark.piece)]
        var place = Int(mark.start)
        return (0..<count).map { _ in
            let length = (0..<4).reduce(UInt32(0)) { $0 | UInt32(bytes[place + $1]) << (8 * UInt32($1)) }
            place += 4
            guard length != absent else { return nil }
            defer { place += Int(length) }
            return String(decoding: bytes[place..<place + Int(length)], as: UTF8.self)
        }
    }
}
