/// Divides a stream of XML in UTF-8 into tags and pieces of text without copying, fast enough for a
/// million rows.
///
/// It strips namespace prefixes from names, and skips comments and processing instructions. It
/// rejects a document type, so there are no entities except the five of XML. It does not check that
/// tags match: the archive's checksums reveal truncated and changed files.
struct MarkupScanner: ~Copyable {
    enum Token {
        /// `isEmpty` marks `<a/>`; no end tag follows it.
        case start
        case end
        /// One piece of a text; see `appendText`.
        case text
        case finished
    }

    enum Fault: Error {
        case cut, documentType, notUTF8, unknownEntity, tooLong(limit: Int)
    }

    /// The bytes read last. All ranges of this type refer to them and are valid until the next call
    /// of `next`.
    private(set) var window: [UInt8]
    /// The tag's name, without a prefix.
    private(set) var name: Range<Int> = 0..<0
    private(set) var attributes: Range<Int> = 0..<0
    private(set) var isEmpty = false
    /// Whether a document type that only names itself is skipped instead of rejected.
    var skipsDocumentType = false
    private var text: Range<Int> = 0..<0
    private var isVerbatim = false
    private var position = 0
    private var filled = 0
    private var isStarted = false
    private let source: any ByteSource
    private let limit: Int

    /// - Parameter limit: length of the longest tag, in bytes.
    init(_ source: any ByteSource, limit: Int, windowSize: Int = 1 << 17) {
        self.source = source
        self.limit = max(limit, windowSize)
        window = [UInt8](repeating: 0, count: windowSize)
    }

    mutating func next() throws -> Token {
        if !isStarted { try start() }
        while true {
            if position == filled, try !refill() { return .finished }
            guard window[position] == 0x3C else {
                try takeText()
                return .text
            }
            if position + 1 == filled, try !refill() { throw Fault.cut }
            let second = window[position + 1]
            if second == 0x21 || second == 0x3F {
                if try declaration(second) { return .text }
            } else {
                return try tag(isEnd: second == 0x2F)
            }
        }
    }

    /// Whether the tag has this name.
    @inline(__always) func isNamed(_ expected: StaticString) -> Bool {
        Self.equal(window.span.extracting(name), expected)
    }

    @inline(__always) private static func equal(_ bytes: Span<UInt8>, _ expected: StaticString) -> Bool {
        let count = expected.utf8CodeUnitCount
        guard bytes.count == count else { return false }
        return expected.withUTF8Buffer { letters in
            for index in 0..<count where unsafe bytes[index] != letters[index] { return false }
            return true
        }
    }

    /// First byte of the name, to distinguish tags fast.
    var initial: UInt8 { name.isEmpty ? 0 : window[name.lowerBound] }

    // MARK: Text

    /// Appends the piece of text, with entities resolved and line endings normalised as XML
    /// requires.
    func appendText(to bytes: inout [UInt8]) throws(Fault) {
        try Self.append(window.span.extracting(text), isVerbatim: isVerbatim, to: &bytes)
    }

    var textCount: Int { text.count }

    /// The value of an attribute, by its name without a prefix.
    func attribute(_ expected: StaticString) throws(Fault) -> String? {
        var cursor = attributes.lowerBound
        while let found = nextAttribute(&cursor) {
            guard Self.equal(window.span.extracting(found.name), expected) else { continue }
            var bytes: [UInt8] = []
            try Self.append(window.span.extracting(found.value), isVerbatim: false, to: &bytes)
            return String(decoding: bytes, as: UTF8.self)
        }
        return nil
    }

    /// The next attribute of the tag: its name without a prefix, and the bytes of its value with
    /// entities unresolved.
    @inline(__always) func nextAttribute(_ cursor: inout Int) -> (name: Range<Int>, value: Range<Int>)? {
        let bytes = window.span
        let end = attributes.upperBound
        while cursor < end, bytes[cursor] <= 0x20 || bytes[cursor] == 0x2F { cursor += 1 }
        var nameStart = cursor
        while cursor < end, bytes[cursor] != 0x3D, bytes[cursor] > 0x20 {
            if bytes[cursor] == 0x3A { nameStart = cursor + 1 }
            cursor += 1
        }
        let nameEnd = cursor
        while cursor < end, bytes[cursor] <= 0x20 || bytes[cursor] == 0x3D { cursor += 1 }
        guard cursor < end, nameStart < nameEnd else { return nil }
        let quote = bytes[cursor]
        guard quote == 0x22 || quote == 0x27 else { return nil }
        cursor += 1
        let valueStart = cursor
        while cursor < end, bytes[cursor] != quote { cursor += 1 }
        let value = valueStart..<cursor
        cursor += 1
        return (nameStart..<nameEnd, value)
    }

    private static func append(_ piece: Span<UInt8>, isVerbatim: Bool, to bytes: inout [UInt8]) throws(Fault) {
        var isSpecial = false
        for index in piece.indices {
            let byte = piece[index]
            isSpecial = isSpecial || byte == 0x0D || byte == 0x26
        }
        guard isSpecial else {
            unsafe piece.withUnsafeBufferPointer { unsafe bytes.append(contentsOf: $0) }
            return
        }
        var index = 0
        while index < piece.count {
            let byte = piece[index]
            index += 1
            if byte == 0x0D {
                bytes.append(0x0A)
                if index < piece.count, piece[index] == 0x0A { index += 1 }
            } else if byte == 0x26, !isVerbatim {
                try appendEntity(piece, &index, to: &bytes)
            } else {
                bytes.append(byte)
            }
        }
    }

    private static func appendEntity(_ piece: Span<UInt8>, _ index: inout Int, to bytes: inout [UInt8]) throws(Fault) {
        var end = index
        while end < piece.count, end - index < 12, piece[end] != 0x3B { end += 1 }
        guard end < piece.count, piece[end] == 0x3B else { throw .unknownEntity }
        var name = ""
        for place in index..<end { name.unicodeScalars.append(Unicode.Scalar(piece[place])) }
        index = end + 1
        switch name {
        case "lt": bytes.append(0x3C)
        case "gt": bytes.append(0x3E)
        case "amp": bytes.append(0x26)
        case "quot": bytes.append(0x22)
        case "apos": bytes.append(0x27)
        default:
            guard name.hasPrefix("#") else { throw .unknownEntity }
            let isHex = name.hasPrefix("#x")
            guard let number = UInt32(name.dropFirst(isHex ? 2 : 1), radix: isHex ? 16 : 10) else {
                throw .unknownEntity
            }
            let scalar = number == 0 ? nil : Unicode.Scalar(number)
            bytes.append(contentsOf: String(Character(scalar ?? "\u{FFFD}")).utf8)
        }
    }

    // MARK: Tokens

    private mutating func start() throws {
        isStarted = true
        _ = try refill()
        while filled < 4, try refill() {}
        if filled >= 3, window[0] == 0xEF, window[1] == 0xBB, window[2] == 0xBF { position = 3 }
        if filled >= 2,
            (window[0] == 0xFE && window[1] == 0xFF) || (window[0] == 0xFF && window[1] == 0xFE) || window[0] == 0
                || window[1] == 0
        {
            throw Fault.notUTF8
        }
    }

    /// Reads a text up to the next tag; a text longer than half the window is passed on in pieces.
    private mutating func takeText() throws {
        var end = position
        while true {
            do {
                let bytes = window.span
                while end < filled, bytes[end] != 0x3C { end += 1 }
            }
            if end < filled { break }
            if end - position >= window.count / 2 {
                end = unbroken(end)
                break
            }
            let shift = position
            let hasMore = try refill()
            end -= shift
            guard hasMore else { break }
        }
        text = position..<end
        isVerbatim = false
        position = end
    }

    /// The end of a piece of text that splits neither an entity nor a line ending.
    private func unbroken(_ end: Int) -> Int {
        var start = end - 1
        while start > position, end - start < 12 {
            if window[start] == 0x3B { break }
            if window[start] == 0x26 || (window[start] == 0x0D && start == end - 1) { return start }
            start -= 1
        }
        return end
    }

    private mutating func tag(isEnd: Bool) throws -> Token {
        var index = position + (isEnd ? 2 : 1)
        var nameStart = index
        var nameEnd = -1
        var quote: UInt8 = 0
        while true {
            do {
                let bytes = window.span
                if nameEnd < 0 {
                    while index < filled {
                        let byte = bytes[index]
                        if byte <= 0x20 || byte == 0x3E || byte == 0x2F { break }
                        index += 1
                        if byte == 0x3A { nameStart = index }
                    }
                    if index < filled { nameEnd = index }
                }
                if nameEnd >= 0 {
                    while index < filled {
                        let byte = bytes[index]
                        if quote != 0 {
                            if byte == quote { quote = 0 }
                        } else if byte == 0x3E {
                            break
                        } else if byte == 0x22 || byte == 0x27 {
                            quote = byte
                        }
                        index += 1
                    }
                }
            }
            if index < filled { break }
            let shift = position
            guard try refill() else { throw Fault.cut }
            index -= shift
            nameStart -= shift
            if nameEnd >= 0 { nameEnd -= shift }
        }
        guard nameStart < nameEnd else { throw Fault.cut }
        name = nameStart..<nameEnd
        attributes = nameEnd..<index
        isEmpty = !isEnd && window[index - 1] == 0x2F
        position = index + 1
        return isEnd ? .end : .start
    }

    /// Skips a comment or instruction, finds a CDATA section (true) or rejects a document type.
    private mutating func declaration(_ second: UInt8) throws -> Bool {
        while filled - position < 9, try refill() {}
        if second == 0x3F {
            try skip(past: [0x3F, 0x3E], from: 2)
            return false
        }
        if begins(with: "<!--") {
            try skip(past: [0x2D, 0x2D, 0x3E], from: 4)
            return false
        }
        if skipsDocumentType, begins(with: "<!DOCTYPE") {
            let end = try find([0x3E], from: 9)
            // A document type that declares something may declare entities.
            guard !window[position..<end].contains(0x5B) else { throw Fault.documentType }
            position = end + 1
            return false
        }
        guard begins(with: "<![CDATA[") else { throw Fault.documentType }
        let end = try find([0x5D, 0x5D, 0x3E], from: 9)
        text = (position + 9)..<end
        isVerbatim = true
        position = end + 3
        return true
    }

    /// Whether `xml:space` of the element, or else of the enclosing one, keeps white space.
    func preservesSpace(within enclosing: Bool) throws -> Bool {
        guard !attributes.isEmpty, let stated = try attribute("space") else { return enclosing }
        return stated == "preserve"
    }

    private func begins(with letters: StaticString) -> Bool {
        let count = letters.utf8CodeUnitCount
        guard filled - position >= count else { return false }
        return Self.equal(window.span.extracting(position..<(position + count)), letters)
    }

    private mutating func skip(past end: [UInt8], from offset: Int) throws {
        position = try find(end, from: offset) + end.count
    }

    /// The position of `end` at or after `position + offset`.
    private mutating func find(_ end: [UInt8], from offset: Int) throws -> Int {
        var offset = offset
        while true {
            var index = position + offset
            while index + end.count <= filled {
                var isEqual = true
                for place in end.indices where window[index + place] != end[place] {
                    isEqual = false
                    break
                }
                if isEqual { return index }
                index += 1
            }
            offset = index - position
            guard try refill() else { throw Fault.cut }
        }
    }

    /// Moves the remaining bytes to the front and reads more after them; false at the source's end.
    private mutating func refill() throws -> Bool {
        if position > 0 {
            let rest = position..<filled
            let shift = position
            unsafe window.withUnsafeMutableBytes { bytes in
                unsafe UnsafeMutableRawBufferPointer(rebasing: bytes[0..<rest.count]).copyMemory(
                    from: UnsafeRawBufferPointer(rebasing: bytes[rest]))
            }
            filled -= shift
            position = 0
        }
        if filled == window.count {
            guard window.count < limit else { throw Fault.tooLong(limit: limit) }
            window.append(contentsOf: repeatElement(0, count: window.count))
        }
        let count = try source.read(into: &window, from: filled)
        filled += count
        return count > 0
    }
}
