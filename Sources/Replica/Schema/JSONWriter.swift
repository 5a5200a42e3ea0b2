import Model

/// Writes JSON into memory that must be large enough: 32 bytes for a number, six for each byte of a
/// text and two for its quotes.
@unsafe struct JSONWriter {
    private let room: UnsafeMutableRawBufferPointer
    private(set) var end: Int

    init(_ room: UnsafeMutableRawBufferPointer, from start: Int) {
        unsafe (self.room, end) = (room, start)
    }

    mutating func byte(_ byte: UInt8) {
        unsafe room[end] = byte
        unsafe end += 1
    }

    mutating func copy(_ bytes: UnsafeRawBufferPointer) {
        unsafe UnsafeMutableRawBufferPointer(rebasing: room[end..<end + bytes.count]).copyMemory(from: bytes)
        unsafe end += bytes.count
    }

    mutating func write(_ integer: Int64) {
        if integer < 0 { unsafe byte(UInt8(ascii: "-")) }
        unsafe digits(integer.magnitude, atLeast: 1)
    }

    private mutating func digits(_ number: UInt64, atLeast width: Int) {
        if number >= 10 || width > 1 { unsafe digits(number / 10, atLeast: width - 1) }
        unsafe byte(UInt8(ascii: "0") + UInt8(truncatingIfNeeded: number % 10))
    }

    /// Writes the shortest digits for the number; `null` for a number that JSON cannot express.
    mutating func write(_ real: Double) {
        // For numbers with at most two decimals, like nearly all measurements, these digits are the
        // shortest too; the general method takes five times as long.
        if abs(real) < 1e12, real != 0 {
            var (scale, decimals) = (1.0, 0)
            while decimals <= 2 {
                let scaled = (real * scale).rounded()
                if scaled / scale == real {
                    if real < 0 { unsafe byte(UInt8(ascii: "-")) }
                    let (whole, part) = UInt64(scaled.magnitude).quotientAndRemainder(dividingBy: UInt64(scale))
                    unsafe digits(whole, atLeast: 1)
                    unsafe byte(UInt8(ascii: "."))
                    unsafe digits(part, atLeast: max(1, decimals))
                    return
                }
                scale *= 10
                decimals += 1
            }
        }
        var text = real.isFinite ? real.description : "null"
        text.withUTF8 { unsafe copy(UnsafeRawBufferPointer($0)) }
    }

    /// Writes a text as a JSON string, eight bytes at a time if none of them needs an escape.
    mutating func quote(_ text: UnsafeRawBufferPointer) {
        unsafe byte(UInt8(ascii: "\""))
        var index = 0
        while index < text.count {
            if index + 8 <= text.count {
                let word = unsafe text.loadUnaligned(fromByteOffset: index, as: UInt64.self)
                if unsafe !Self.needsEscape(word) {
                    unsafe room.storeBytes(of: word, toByteOffset: end, as: UInt64.self)
                    unsafe end += 8
                    index += 8
                    continue
                }
            }
            for _ in 0..<min(8, text.count - index) {
                unsafe quote(text[index])
                index += 1
            }
        }
        unsafe byte(UInt8(ascii: "\""))
    }

    private mutating func quote(_ byte: UInt8) {
        if byte < 0x20 {
            for place in [
                UInt8(ascii: "\\"), UInt8(ascii: "u"), UInt8(ascii: "0"), UInt8(ascii: "0"),
                unsafe Self.digit(byte >> 4), unsafe Self.digit(byte & 15),
            ] {
                unsafe self.byte(place)
            }
            return
        }
        if byte == UInt8(ascii: "\"") || byte == UInt8(ascii: "\\") { unsafe self.byte(UInt8(ascii: "\\")) }
        unsafe self.byte(byte)
    }

    private static func digit(_ value: UInt8) -> UInt8 {
        value < 10 ? UInt8(ascii: "0") + value : UInt8(ascii: "a") + value - 10
    }

    /// Whether one of eight bytes may be a control character, a quote or a backslash. It may return
    /// true if none is, but never returns false if one is.
    private static func needsEscape(_ word: UInt64) -> Bool {
        let ones: UInt64 = 0x0101_0101_0101_0101, highs: UInt64 = 0x8080_8080_8080_8080
        let quotes = word ^ (ones &* 0x22), slashes = word ^ (ones &* 0x5C)
        let found = ((word &- (ones &* 0x20)) & ~word) | ((quotes &- ones) & ~quotes) | ((slashes &- ones) & ~slashes)
        return found & highs != 0
    }
}

extension JSONWriter {
    /// Appends the body's output to `bytes`.
    ///
    /// - Parameter room: maximum number of bytes that the body may write.
    static func append(to bytes: inout [UInt8], room: Int, _ body: (inout JSONWriter) -> Void) {
        bytes.append(addingCapacity: room) { span in
            unsafe span.withUnsafeMutableBufferPointer { room, count in
                var writer = unsafe JSONWriter(UnsafeMutableRawBufferPointer(room), from: count)
                unsafe body(&writer)
                count = unsafe writer.end
            }
        }
    }
}

/// Rows and small objects as JSON, for payloads and details. Members are in the given order,
/// numbers in shortest form, texts as stored. A JSON column stays a text, so that its numbers do
/// not change.
struct RowJSON {
    private(set) var bytes: [UInt8] = [UInt8(ascii: "{")]

    var text: String { String(decoding: bytes, as: UTF8.self) + "}" }

    mutating func add(_ name: String, _ value: MemoryRows.Value) {
        if bytes.count > 1 { bytes.append(UInt8(ascii: ",")) }
        appendQuoted(name)
        bytes.append(UInt8(ascii: ":"))
        switch value {
        case .null: bytes.append(contentsOf: "null".utf8)
        case .integer(let integer): unsafe JSONWriter.append(to: &bytes, room: 32) { unsafe $0.write(integer) }
        case .real(let real): unsafe JSONWriter.append(to: &bytes, room: 32) { unsafe $0.write(real) }
        case .text(let text): appendQuoted(text)
        }
    }

    /// A text as a JSON string.
    static func quoted(_ text: String) -> String {
        var json = RowJSON()
        json.bytes.removeAll()
        json.appendQuoted(text)
        return String(decoding: json.bytes, as: UTF8.self)
    }

    private mutating func appendQuoted(_ text: String) {
        var text = text
        text.withUTF8 { utf8 in
            let utf8 = UnsafeRawBufferPointer(utf8)
            unsafe JSONWriter.append(to: &bytes, room: 6 * utf8.count + 2) { unsafe $0.quote(utf8) }
        }
    }

    /// An object whose members are all texts, sorted by name.
    static func object(_ members: [String: String]) -> String {
        var json = RowJSON()
        for (name, value) in members.sorted(by: { $0.key < $1.key }) { json.add(name, .text(value)) }
        return json.text
    }
}
