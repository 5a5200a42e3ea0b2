/// Walks through JSON byte by byte and reports containers and values. Stores only names and
/// numbers.
struct JSONTokens {
    enum Event {
        case open(isObject: Bool)
        case close
        /// The name of a member as written between its quotes, with escapes.
        case name([UInt8])
        /// A text; only whether it is empty is recorded.
        case text(isEmpty: Bool)
        case number([UInt8])
        case boolean
        case null
    }

    private enum Wanted { case value, valueOrEnd, name, nameOrEnd, colon, commaOrEnd }
    private enum Place { case between, inText, inEscape, inWord }

    private let bounds = CountBounds.current

    private var wanted = Wanted.value
    private var place = Place.between
    /// For each open container, whether it is an object.
    private var containers: [Bool] = []
    private var isName = false
    private var length = 0
    /// The current name, number or word, as written.
    private var kept: [UInt8] = []

    /// Whether all containers and tokens are complete.
    var isComplete: Bool { containers.isEmpty && place == .between }

    mutating func take(_ byte: UInt8, _ body: (Event) throws(CountFault) -> Void) throws(CountFault) {
        switch place {
        case .inText:
            if byte == 0x22 {
                place = .between
                try endText(body)
            } else {
                keep(byte)
                if byte == 0x5C { place = .inEscape }
                guard byte >= 0x20 else { throw .damaged("a text of JSON holds a control character") }
            }
        case .inEscape:
            keep(byte)
            place = .inText
        case .inWord:
            let isWord =
                0x30...0x39 ~= byte || 0x61...0x7A ~= byte || 0x41...0x5A ~= byte || byte == 0x2B || byte == 0x2D
                || byte == 0x2E
            if isWord {
                keep(byte)
                guard length <= bounds.jsonNumberLength else {
                    throw .tooLarge("jsonNumberLength \(bounds.jsonNumberLength)")
                }
                return
            }
            try endWord(body)
            try between(byte, body)
        case .between: try between(byte, body)
        }
    }

    /// Must be called after the last byte.
    mutating func finish(_ body: (Event) throws(CountFault) -> Void) throws(CountFault) {
        if place == .inWord { try endWord(body) }
        guard isComplete else { throw .damaged("the JSON is cut off") }
    }

    private mutating func keep(_ byte: UInt8) {
        length += 1
        if isName || place == .inWord { kept.append(byte) }
    }

    private mutating func between(_ byte: UInt8, _ body: (Event) throws(CountFault) -> Void) throws(CountFault) {
        if byte == 0x20 || 0x09...0x0D ~= byte { return }
        let wantsValue = wanted == .value || wanted == .valueOrEnd
        switch byte {
        case 0x7B where wantsValue, 0x5B where wantsValue:
            guard containers.count < bounds.jsonDepth else { throw .tooLarge("jsonDepth \(bounds.jsonDepth)") }
            containers.append(byte == 0x7B)
            wanted = byte == 0x7B ? .nameOrEnd : .valueOrEnd
            try body(.open(isObject: byte == 0x7B))
        case 0x7D where containers.last == true && (wanted == .commaOrEnd || wanted == .nameOrEnd),
            0x5D where containers.last == false && (wanted == .commaOrEnd || wanted == .valueOrEnd):
            containers.removeLast()
            endValue()
            try body(.close)
        case 0x22 where wantsValue || wanted == .name || wanted == .nameOrEnd:
            isName = !wantsValue
            place = .inText
            length = 0
            kept.removeAll(keepingCapacity: true)
        case 0x3A where wanted == .colon: wanted = .value
        case 0x2C where wanted == .commaOrEnd && !containers.isEmpty: wanted = containers.last == true ? .name : .value
        default:
            guard wantsValue, byte == 0x2D || 0x30...0x39 ~= byte || 0x61...0x7A ~= byte else {
                throw .damaged("it is no JSON")
            }
            place = .inWord
            length = 1
            kept = [byte]
        }
    }

    private mutating func endValue() { wanted = containers.isEmpty ? .value : .commaOrEnd }

    private mutating func endText(_ body: (Event) throws(CountFault) -> Void) throws(CountFault) {
        if isName {
            wanted = .colon
            try body(.name(kept))
        } else {
            endValue()
            try body(.text(isEmpty: length == 0))
        }
    }

    private mutating func endWord(_ body: (Event) throws(CountFault) -> Void) throws(CountFault) {
        place = .between
        endValue()
        switch kept.first {
        case UInt8(ascii: "n") where kept == Array("null".utf8): try body(.null)
        case UInt8(ascii: "t") where kept == Array("true".utf8), UInt8(ascii: "f") where kept == Array("false".utf8):
            try body(.boolean)
        default: try body(.number(kept))
        }
    }
}
