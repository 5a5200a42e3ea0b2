/// Reads texts that may continue in the next record, which begins with the characters' new width.
struct BIFFText {
    private let bytes: [UInt8]
    private let segments: [Range<Int>]
    private var segment = 0
    private var position: Int

    init(_ bytes: [UInt8], segments: [Range<Int>], skipping count: Int) {
        self.bytes = bytes
        self.segments = segments
        position = (segments.first?.lowerBound ?? 0) + count
    }

    /// Goes to the next record that has bytes, because some programs write empty ones.
    private mutating func enterNext() -> Bool {
        let next = segments.indices.dropFirst(segment + 1).first { !segments[$0].isEmpty }
        guard let next else { return false }
        segment = next
        position = segments[segment].lowerBound
        return true
    }

    /// Number of remaining bytes of the current segment.
    private var left: Int { segments.isEmpty ? 0 : max(0, segments[segment].upperBound - position) }

    /// Whether there is another byte.
    var hasMore: Bool { left > 0 || segments.dropFirst(segment + 1).contains { !$0.isEmpty } }

    mutating func number(_ size: Int) -> Int? {
        var value = 0
        for index in 0..<size {
            if left == 0, !enterNext() { return nil }
            value |= Int(bytes[position]) << (8 * index)
            position += 1
        }
        return value
    }

    private mutating func skip(_ count: Int) -> Bool {
        var count = count
        while count > 0 {
            if left == 0, !enterNext() { return false }
            let step = min(left, count)
            position += step
            count -= step
        }
        return true
    }

    /// A BIFF8 text of `count` characters, preceded by its flags. Nil if it is truncated.
    mutating func unicode(_ count: Int) -> String? {
        // Some programs omit the flags of an empty text.
        guard let flags = number(1) else { return count == 0 ? "" : nil }
        var isWide = flags & 1 != 0
        var runs = 0
        var extra = 0
        if flags & 8 != 0 {
            guard let stated = number(2) else { return nil }
            runs = stated
        }
        if flags & 4 != 0 {
            guard let stated = number(4) else { return nil }
            extra = stated
        }
        var units: [UInt16] = []
        while units.count < count {
            // A record may contain the characters' width and no characters.
            while left == 0 {
                guard enterNext(), let again = number(1) else { return nil }
                isWide = again & 1 != 0
            }
            if isWide, left >= 2 {
                units.append(UInt16(bytes[position]) | UInt16(bytes[position + 1]) << 8)
                position += 2
            } else if !isWide, left >= 1 {
                units.append(UInt16(bytes[position]))
                position += 1
            } else {
                return nil
            }
        }
        guard skip(4 * runs + extra) else { return nil }
        return String(decoding: units, as: UTF16.self)
    }

    /// A text of `count` bytes in a code page.
    mutating func bytes(_ count: Int, _ page: CodePage) -> String? {
        var found: [UInt8] = []
        while found.count < count {
            if left == 0, !enterNext() { return nil }
            let step = min(left, count - found.count)
            found += bytes[position..<(position + step)]
            position += step
        }
        var text: [UInt8] = []
        page.decode(found[...], into: &text)
        return String(decoding: text, as: UTF8.self)
    }
}
