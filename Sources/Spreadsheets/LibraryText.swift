/// Text prepared for libxlsxwriter, which copies strings into buffers of fixed size and does not
/// check for characters that XML forbids.
package struct LibraryText {
    package private(set) var string: String
    /// Characters that were replaced by U+FFFD.
    package private(set) var replaced = 0

    /// `limit` counts UTF-16 units; a longer text ends in `…`. Line breaks become spaces when
    /// `isOneLine`.
    package init(_ source: String, limit: Int, isOneLine: Bool = false) {
        var text = String.UnicodeScalarView()
        var previous: Unicode.Scalar?
        for scalar in source.unicodeScalars {
            defer { previous = scalar }
            switch scalar {
            case "\n" where previous == "\r": continue
            case "\n", "\r": text.append(isOneLine ? " " : "\n")
            case "\t": text.append(isOneLine ? " " : "\t")
            case _ where scalar.value < 0x20 || scalar.value == 0xFFFE || scalar.value == 0xFFFF:
                text.append("\u{FFFD}")
                replaced += 1
            default: text.append(scalar)
            }
        }
        string = Self.escaped(Self.cut(String(text), to: limit))
    }

    /// At most `limit` UTF-16 units, whole characters, with `…` if something was cut off.
    package static func cut(_ text: String, to limit: Int) -> String {
        guard text.utf16.count > limit else { return text }
        var kept = ""
        var length = 0
        for character in text {
            length += character.utf16.count
            if length > limit - 1 { break }
            kept.append(character)
        }
        return kept + "…"
    }

    /// Excel reads `_x0041_` in a text as the character A; to keep such a text literal, its
    /// underscore is written `_x005F_`.
    private static func escaped(_ text: String) -> String {
        guard text.contains("_x") else { return text }
        let bytes = Array(text.utf8)
        var result: [UInt8] = []
        for index in bytes.indices {
            if bytes[index] == UInt8(ascii: "_"), isEscape(bytes, at: index) {
                result += Array("_x005F".utf8)
            }
            result.append(bytes[index])
        }
        return String(decoding: result, as: UTF8.self)
    }

    /// Whether `_xHHHH_` begins at an index.
    @inlinable package static func isEscape(_ bytes: some RandomAccessCollection<UInt8>, at index: Int) -> Bool {
        let start = bytes.index(bytes.startIndex, offsetBy: index)
        let tail = bytes[start...].prefix(7)
        guard tail.count == 7 else { return false }
        return tail.enumerated().allSatisfy { offset, byte in
            switch offset {
            case 0, 6: byte == UInt8(ascii: "_")
            case 1: byte == UInt8(ascii: "x")
            default: Character(Unicode.Scalar(byte)).isHexDigit && byte < 0x80
            }
        }
    }
}
