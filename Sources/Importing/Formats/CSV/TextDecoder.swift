/// Converts the bytes of a text to UTF-8, chunk by chunk; bytes that are invalid in the encoding,
/// and zeros, become U+FFFD.
struct TextDecoder {
    private let encoding: TextEncoding
    /// UTF-8 of the characters from 0x80 on, for encodings of one byte a character.
    private let table: [[UInt8]]
    /// Bytes of a character that continues in the next chunk.
    private var carry: [UInt8] = []
    private var highSurrogate: UInt16?

    private static let replacement: [UInt8] = [0xEF, 0xBF, 0xBD]

    init(_ encoding: TextEncoding) {
        self.encoding = encoding
        table = (encoding.codePage ?? []).map { Array(String(Character(Unicode.Scalar($0) ?? "\u{FFFD}")).utf8) }
    }

    mutating func decode(_ chunk: Span<UInt8>, isLast: Bool, to text: inout [UInt8]) {
        switch encoding {
        case .utf8: decodeUTF8(chunk, isLast: isLast, to: &text)
        case .utf16LittleEndian, .utf16BigEndian: decodeUTF16(chunk, isLast: isLast, to: &text)
        default: decodeCodePage(chunk, to: &text)
        }
    }

    private func decodeCodePage(_ chunk: Span<UInt8>, to text: inout [UInt8]) {
        for index in chunk.indices {
            let byte = chunk[index]
            if byte == 0 {
                text += Self.replacement
            } else if byte < 0x80 {
                text.append(byte)
            } else {
                text += table[Int(byte) - 0x80]
            }
        }
    }

    private mutating func decodeUTF8(_ chunk: Span<UInt8>, isLast: Bool, to text: inout [UInt8]) {
        var bytes = carry
        unsafe chunk.withUnsafeBufferPointer { unsafe bytes.append(contentsOf: $0) }
        carry.removeAll()
        if !isLast {
            // A lead byte among the last three may begin a character that continues in the next
            // chunk.
            for back in 1...3 where back <= bytes.count {
                let byte = bytes[bytes.count - back]
                if byte & 0xC0 == 0x80 { continue }
                let length = byte >= 0xF0 ? 4 : byte >= 0xE0 ? 3 : byte >= 0xC0 ? 2 : 1
                if length > back {
                    carry = Array(bytes.suffix(back))
                    bytes.removeLast(back)
                }
                break
            }
        }
        var hasZero = false
        for byte in bytes { hasZero = hasZero || byte == 0 }
        if !hasZero, TextRepair.isValid(bytes.span) {
            text += bytes
            return
        }
        for byte in String(decoding: bytes, as: UTF8.self).utf8 {
            if byte == 0 { text += Self.replacement } else { text.append(byte) }
        }
    }

    private mutating func decodeUTF16(_ chunk: Span<UInt8>, isLast: Bool, to text: inout [UInt8]) {
        let isLittle = encoding == .utf16LittleEndian
        for index in chunk.indices {
            guard let first = carry.first else {
                carry.append(chunk[index])
                continue
            }
            let second = chunk[index]
            carry.removeAll(keepingCapacity: true)
            append(isLittle ? UInt16(second) << 8 | UInt16(first) : UInt16(first) << 8 | UInt16(second), to: &text)
        }
        if isLast {
            if highSurrogate != nil || !carry.isEmpty { text += Self.replacement }
            highSurrogate = nil
            carry.removeAll()
        }
    }

    private mutating func append(_ unit: UInt16, to text: inout [UInt8]) {
        if let high = highSurrogate {
            highSurrogate = nil
            if 0xDC00...0xDFFF ~= unit {
                put(0x10000 + (UInt32(high) - 0xD800) << 10 + (UInt32(unit) - 0xDC00), to: &text)
                return
            }
            text += Self.replacement
        }
        if 0xD800...0xDBFF ~= unit {
            highSurrogate = unit
        } else if 0xDC00...0xDFFF ~= unit || unit == 0 {
            text += Self.replacement
        } else {
            put(UInt32(unit), to: &text)
        }
    }

    private func put(_ code: UInt32, to text: inout [UInt8]) {
        switch code {
        case 0..<0x80: text.append(UInt8(code))
        case 0x80..<0x800:
            text.append(0xC0 | UInt8(code >> 6))
            text.append(0x80 | UInt8(code & 0x3F))
        case 0x800..<0x10000:
            text.append(0xE0 | UInt8(code >> 12))
            text.append(0x80 | UInt8(code >> 6 & 0x3F))
            text.append(0x80 | UInt8(code & 0x3F))
        default:
            text.append(0xF0 | UInt8(code >> 18 & 7))
            text.append(0x80 | UInt8(code >> 12 & 0x3F))
            text.append(0x80 | UInt8(code >> 6 & 0x3F))
            text.append(0x80 | UInt8(code & 0x3F))
        }
    }
}
