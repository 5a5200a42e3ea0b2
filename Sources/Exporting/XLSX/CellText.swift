import Model
import Spreadsheets

/// Writes the text of a cell as bytes of a sheet's XML.
///
/// Plain characters are copied eight bytes at a time; only `& < > _`, control characters and bytes
/// beyond ASCII are examined one by one. Characters that XML cannot contain (controls below space,
/// U+FFFE, U+FFFF, invalid UTF-8) become U+FFFD. Carriage returns become `_x000D_`, and the
/// underscore of a text that looks like an escape is escaped (ECMA-376 part 1, 22.9.2.19).
enum CellText {
    private static let ones: UInt64 = 0x0101_0101_0101_0101
    private static let highs: UInt64 = 0x8080_8080_8080_8080

    /// Appends `count` bytes of `source` and returns how many characters were replaced. `readable`:
    /// the number of bytes from `source` on that may be read, `count` or more.
    @inline(__always)
    static func append(_ source: UnsafePointer<UInt8>, count: Int, readable: Int, to buffer: inout ByteBuffer) -> Int {
        buffer.reserve(count &+ 8)
        var replaced = 0
        var index = 0
        while index < count {
            let left = count &- index
            if readable &- index >= 8 {
                let word = unsafe UnsafeRawPointer(source + index).loadUnaligned(as: UInt64.self)
                var special = marks(word)
                // The bytes after the text are not part of it.
                if left < 8 { special &= ~0 &>> UInt64((8 &- left) &* 8) }
                buffer.storeWord(word)
                let plain = special == 0 ? min(8, left) : special.trailingZeroBitCount >> 3
                buffer.advance(plain)
                index &+= plain
                if special == 0 { continue }
            } else if unsafe isPlain(source[index]) {
                buffer.storeByte(unsafe source[index])
                buffer.advance(1)
                index &+= 1
                continue
            }
            index &+= unsafe appendSpecial(source + index, left: count &- index, to: &buffer, replaced: &replaced)
            buffer.reserve(count &- index &+ 8)
        }
        return replaced
    }

    /// Sets the high bit of each byte that is not plain. Only the lowest set bit is reliable.
    @inline(__always)
    private static func marks(_ word: UInt64) -> UInt64 {
        let controls = (word &- ones &* 0x20) & ~word
        let ampersand = word ^ (ones &* 0x26)
        let less = word ^ (ones &* 0x3C)
        let greater = word ^ (ones &* 0x3E)
        let underscore = word ^ (ones &* 0x5F)
        let found = controls | ((ampersand &- ones) & ~ampersand) | ((less &- ones) & ~less)
            | ((greater &- ones) & ~greater) | ((underscore &- ones) & ~underscore) | word
        return found & highs
    }

    @inline(__always)
    private static func isPlain(_ byte: UInt8) -> Bool {
        byte >= 0x20 && byte < 0x80 && byte != 0x26 && byte != 0x3C && byte != 0x3E && byte != 0x5F
    }

    /// Appends one character that is not plain; returns its number of bytes in the source.
    @inline(never)
    private static func appendSpecial(
        _ source: UnsafePointer<UInt8>, left: Int, to buffer: inout ByteBuffer, replaced: inout Int
    ) -> Int {
        let byte = unsafe source[0]
        switch byte {
        case UInt8(ascii: "&"): buffer.append("&amp;")
        case UInt8(ascii: "<"): buffer.append("&lt;")
        case UInt8(ascii: ">"): buffer.append("&gt;")
        case UInt8(ascii: "_"):
            if unsafe LibraryText.isEscape(UnsafeBufferPointer(start: source, count: left), at: 0) {
                buffer.append("_x005F")
            }
            buffer.append(byte)
        case 0x09, 0x0A, 0x20..<0x80: buffer.append(byte)
        case 0x0D: buffer.append("_x000D_")
        case 0..<0x20:
            buffer.append("\u{FFFD}")
            replaced += 1
        default:
            let sequence = unsafe UTF8Sequence(UnsafeBufferPointer(start: source, count: left), at: 0)
            if sequence.isCharacter {
                unsafe buffer.append(UnsafeBufferPointer(start: source, count: sequence.length))
            } else {
                buffer.append("\u{FFFD}")
                replaced += 1
            }
            return sequence.length
        }
        return 1
    }
}

extension CellText {
    /// The longest beginning of a text, in whole characters, that has at most `limit` UTF-16 units
    /// (a replaced sequence counts one); and its number of units.
    static func prefix(of text: UnsafeBufferPointer<UInt8>, units limit: Int) -> (bytes: Int, units: Int) {
        var index = 0
        var units = 0
        while index < text.count {
            var length = 1
            var width = 1
            if unsafe text[index] >= 0x80 {
                let sequence = unsafe UTF8Sequence(text, at: index)
                length = sequence.length
                width = sequence.isCharacter && length == 4 ? 2 : 1
            }
            if units + width > limit { break }
            units += width
            index += length
        }
        return (index, units)
    }
}

/// Decides which texts of a link column become links. A text remains plain if its link would run a
/// program or open a network share, or if it cannot be part of a formula.
enum LinkRule {
    /// The longest text in quotes in a formula, in UTF-16 units.
    private static let longest = 255

    /// - Parameter files: the folder of the files that the column names; nil if the texts are
    ///   addresses.
    static func isSafe(_ bytes: UnsafeBufferPointer<UInt8>, of files: LinkedFiles?) -> Bool {
        let most = longest - (files?.folder.utf16.count ?? 0)
        guard let first = unsafe bytes.first, unsafe CellText.prefix(of: bytes, units: most).bytes == bytes.count else {
            return false
        }
        // Refuses control characters, a leading space, quotation marks and invalid UTF-8.
        guard first > 0x20, unsafe !bytes.contains(where: { $0 < 0x20 || $0 == UInt8(ascii: "\"") || $0 == 0x7F })
        else { return false }
        guard unsafe isText(bytes) else { return false }
        // `#` refers to a place in the workbook; two slashes (or backslashes) refer to a network
        // share.
        if unsafe first == UInt8(ascii: "#") || startsWithTwoSlashes(bytes) { return false }
        if let files {
            return unsafe isName(bytes)
                && (files.absent.isEmpty || !files.absent.contains(String(decoding: bytes, as: UTF8.self)))
        }
        guard let scheme = unsafe scheme(bytes) else { return true }
        return ["http", "https", "mailto"].contains(scheme)
    }

    /// Whether a file's name has none of the characters that have a special meaning in a URL.
    private static func isName(_ bytes: UnsafeBufferPointer<UInt8>) -> Bool {
        unsafe !bytes.contains { "#%?/\\".utf8.contains($0) }
    }

    private static func isText(_ bytes: UnsafeBufferPointer<UInt8>) -> Bool {
        var index = 0
        while index < bytes.count {
            guard unsafe bytes[index] >= 0x80 else {
                index += 1
                continue
            }
            let sequence = unsafe UTF8Sequence(bytes, at: index)
            guard sequence.isCharacter else { return false }
            index += sequence.length
        }
        return true
    }

    private static func startsWithTwoSlashes(_ bytes: UnsafeBufferPointer<UInt8>) -> Bool {
        unsafe bytes.count >= 2 && bytes.prefix(2).allSatisfy { $0 == UInt8(ascii: "/") || $0 == UInt8(ascii: "\\") }
    }

    /// The scheme before the first colon, in lower case, when no slash is before it (RFC 3986,
    /// 3.1); nil for a path.
    private static func scheme(_ bytes: UnsafeBufferPointer<UInt8>) -> String? {
        for unsafe (index, byte) in unsafe bytes.enumerated() {
            if byte == UInt8(ascii: ":") { return unsafe String(decoding: bytes[..<index], as: UTF8.self).lowercased() }
            if byte == UInt8(ascii: "/") || byte == UInt8(ascii: "\\") { return nil }
        }
        return nil
    }
}
