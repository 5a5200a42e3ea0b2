/// Receives the results of a scan of markup. Names have no prefix.
protocol TagHandler {
    /// Whether the handler wants text, which is otherwise not passed on.
    var wantsText: Bool { get }
    /// Whether the handler needs nothing more of the document.
    var isDone: Bool { get }
    /// Receives an opening tag: its name, and the rest of the tag after the name.
    mutating func open(_ bytes: Span<UInt8>, name: Range<Int>, attributes: Range<Int>) throws(CountFault)
    /// Receives a closing tag, also for an element like `<a/>`.
    mutating func close(_ bytes: Span<UInt8>, name: Range<Int>) throws(CountFault)
    /// Reads a whole element of the usual form, which begins with the tag at `place`, and returns
    /// the position after it; nil for any other form.
    mutating func takeUsual(_ bytes: Span<UInt8>, at place: Int) throws(CountFault) -> Int?
    /// Receives a text, or a piece if a comment or a CDATA section splits it. Character references
    /// are not resolved.
    mutating func text(_ bytes: Span<UInt8>, _ range: Range<Int>, isPiece: Bool) throws(CountFault)
}

extension TagHandler {
    mutating func takeUsual(_ bytes: Span<UInt8>, at place: Int) throws(CountFault) -> Int? { nil }
}

/// Walks through the tags of an archive's part with only a window of its bytes in memory. It is
/// fast enough for sheets of millions of cells: it does not check that tags match, and parses only
/// what its handler wants.
enum TagScan {
    /// Longest tag or text, in bytes.
    private static var mostWindow: Int { max(32 << 20, 4 * CountBounds.current.cellBytes) }

    static func run<Handler: TagHandler>(_ inflation: Inflation, _ handler: inout Handler) throws(CountFault) {
        var window = [UInt8](repeating: 0, count: 1 << 18)
        var end = 0
        var width: Narrowing?
        while !handler.isDone {
            if end == window.count {
                guard window.count < mostWindow else { throw .tooLarge("bytes of a tag \(mostWindow)") }
                window += [UInt8](repeating: 0, count: window.count)
            }
            let count = try inflation.read(into: &window, from: end)
            if width == nil {
                guard count >= 4 || inflation.size < 4 else {
                    end += count
                    if count == 0 { throw .damaged("a part is empty") }
                    if end < 4 { continue }
                    width = Narrowing(window, end)
                    continue
                }
                width = Narrowing(window, end + count)
            }
            end += width?.narrow(&window, end, count) ?? count
            let used = try scan(window.span.extracting(0..<end), &handler)
            if used > 0 {
                for index in used..<max(used, end) { window[index - used] = window[index] }
                end -= used
            }
            // The remaining bytes are not a complete tag.
            if count == 0 {
                guard handler.isDone || end == 0 else { throw .damaged("a part is cut off") }
                return
            }
        }
    }

    /// Scans the bytes and returns how many of them are processed.
    @inline(__always) private static func scan<Handler: TagHandler>(_ bytes: Span<UInt8>, _ handler: inout Handler)
        throws(CountFault) -> Int
    {
        let end = bytes.count
        var position = 0
        while true {
            var open = position
            // From this point, the loops themselves check that nothing is read beyond `end`.
            while open < end, unsafe bytes[unchecked: open] != 0x3C { open += 1 }
            let wantsText = handler.wantsText
            // A text is complete only when its end has been seen.
            guard open < end else { return wantsText ? position : end }
            if !wantsText, let next = try handler.takeUsual(bytes, at: open) {
                position = next
                continue
            }
            let kept = wantsText ? position : open
            let first = open + 1
            guard first < end else { return kept }
            if bytes[first] == 0x21 || bytes[first] == 0x3F {
                guard let range = special(bytes, first) else { return kept }
                if wantsText {
                    if position < open { try handler.text(bytes, position..<open, isPiece: true) }
                    if !range.content.isEmpty { try handler.text(bytes, range.content, isPiece: true) }
                }
                position = range.end
                continue
            }
            guard let tag = tag(bytes, first) else { return kept }
            if wantsText, position < open { try handler.text(bytes, position..<open, isPiece: false) }
            if tag.isEnd {
                try handler.close(bytes, name: tag.name)
            } else {
                let isEmpty = bytes[tag.end - 1] == 0x2F
                let start = tag.name.upperBound
                try handler.open(
                    bytes, name: tag.name, attributes: start..<(isEmpty ? max(start, tag.end - 1) : tag.end))
                if isEmpty { try handler.close(bytes, name: tag.name) }
            }
            position = tag.end + 1
            if handler.isDone { return position }
        }
    }

    /// Finds the name and the end (`>`) of a tag, which begins after its `<`; nil until its end has
    /// been read.
    @inline(__always) private static func tag(_ bytes: Span<UInt8>, _ first: Int)
        -> (name: Range<Int>, end: Int, isEnd: Bool)?
    {
        let end = bytes.count
        let isEnd = unsafe bytes[unchecked: first] == 0x2F
        var nameStart = isEnd ? first + 1 : first
        var nameEnd = nameStart
        while nameEnd < end {
            let byte = unsafe bytes[unchecked: nameEnd]
            if byte <= 0x20 || byte == 0x3E || byte == 0x2F { break }
            if byte == 0x3A { nameStart = nameEnd + 1 }
            nameEnd += 1
        }
        var close = nameEnd
        while close < end {
            let byte = unsafe bytes[unchecked: close]
            if byte == 0x3E { break }
            // An attribute value may contain `>`.
            if byte == 0x22 || byte == 0x27 {
                close += 1
                while close < end, unsafe bytes[unchecked: close] != byte { close += 1 }
                if close >= end { break }
            }
            close += 1
        }
        return close < end ? (nameStart..<nameEnd, close, isEnd) : nil
    }

    /// Finds the end of a comment, an instruction, a CDATA section or a declaration, which begins
    /// after its `<`; nil until its end has been read.
    private static func special(_ bytes: Span<UInt8>, _ first: Int) -> (content: Range<Int>, end: Int)? {
        func begins(_ text: StaticString, at place: Int) -> Bool {
            guard place + text.utf8CodeUnitCount <= bytes.count else { return false }
            for index in 0..<text.utf8CodeUnitCount {
                guard unsafe text.utf8Start[index] == bytes[place + index] else { return false }
            }
            return true
        }
        let (ending, start, isText): (StaticString, Int, Bool) =
            if begins("!--", at: first) { ("-->", first + 3, false) } else if begins("![CDATA[", at: first) {
                ("]]>", first + 8, true)
            }
            else if bytes[first] == 0x3F { ("?>", first + 1, false) } else { (">", first + 1, false) }
        // The first eight bytes determine the kind, so they must have been read.
        guard bytes.count - first >= 9 else { return nil }
        var place = start
        while place < bytes.count {
            if begins(ending, at: place) {
                return (isText ? start..<place : start..<start, place + ending.utf8CodeUnitCount)
            }
            place += 1
        }
        return nil
    }

    /// Reduces UTF-16 to bytes: every unit above 0x7F becomes one 0xFF.
    private struct Narrowing {
        private let isWide: Bool
        private let isLittle: Bool
        private var carry: UInt8?

        init(_ bytes: [UInt8], _ count: Int) {
            let head = Array(bytes.prefix(min(count, 4)))
            isLittle = head.starts(with: [0xFF, 0xFE]) || head.starts(with: [0x3C, 0x00])
            isWide = isLittle || head.starts(with: [0xFE, 0xFF]) || head.starts(with: [0x00, 0x3C])
        }

        /// Narrows the bytes just read and returns the number of remaining bytes.
        mutating func narrow(_ bytes: inout [UInt8], _ start: Int, _ count: Int) -> Int {
            guard isWide else { return count }
            var made = start
            for index in start..<(start + count) {
                guard let first = carry else {
                    carry = bytes[index]
                    continue
                }
                carry = nil
                let (low, high) = isLittle ? (first, bytes[index]) : (bytes[index], first)
                bytes[made] = high == 0 && low < 0x80 ? low : 0xFF
                made += 1
            }
            return made - start
        }
    }
}

/// Walks through the attributes of a tag without copying.
struct TagAttributes {
    private var place: Int
    private let end: Int

    /// - Parameter range: a range of the bytes that are passed to `next`.
    @inline(__always) init(_ range: Range<Int>, of bytes: Span<UInt8>) {
        place = range.lowerBound
        end = min(range.upperBound, bytes.count)
    }

    /// The next name, without its prefix, and value.
    @inline(__always) mutating func next(_ bytes: Span<UInt8>) -> (name: Range<Int>, value: Range<Int>)? {
        while place < end, unsafe bytes[unchecked: place] <= 0x20 { place += 1 }
        var name = place
        while place < end {
            let byte = unsafe bytes[unchecked: place]
            if byte == 0x3D || byte <= 0x20 { break }
            if byte == 0x3A { name = place + 1 }
            place += 1
        }
        let nameEnd = place
        while place < end, unsafe bytes[unchecked: place] != 0x22 && bytes[unchecked: place] != 0x27 { place += 1 }
        guard place < end else { return nil }
        let quote = bytes[place]
        place += 1
        let value = place
        while place < end, unsafe bytes[unchecked: place] != quote { place += 1 }
        let valueEnd = place
        place = min(place + 1, end)
        return (name..<nameEnd, value..<valueEnd)
    }
}
