/// Text prepared for libxlsxwriter, which copies strings into buffers of fixed size and does not
/// check for characters that XML forbids.
package struct LibraryText {
    package private(set) var string: String
    /// Characters that were replaced by U+FFFD.
    package private(set) var replaced = 0

    /// `limit` counts UTF-16 units; a longer text ends in `…`. With `isOneLine`, line breaks become
    /// spaces.
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

    /// Cuts a text to at most `limit` UTF-16 units, in whole characters, with `…` at the cut.
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

    /// Excel reads `_x0041_` in a text as the character A; to preserve such a text, its first
    /// underscore is written as `_x005F_`.
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

/// Makes sheet names that Excel accepts: at most 31 UTF-16 units, none of `[]:*?/\`, no apostrophe
/// at either end, not «History», not empty, and unique regardless of case.
package struct SheetNames {
    private let limit: Int
    private var taken: Set<String> = []

    package init(limit: Int = XLSXLimits.excel.sheetName) {
        self.limit = limit
    }

    /// Returns the name for a title. The further sheets of a long table (`part` 2, 3 …) get names
    /// such as `Cortes (2)`.
    package mutating func take(_ title: String, part: Int = 1) -> String {
        let wanted = Self.clean(title)
        let suffix = part == 1 ? "" : " (\(part))"
        var number = part
        var name = shortened(wanted, suffix)
        while !taken.insert(name.lowercased()).inserted {
            number += 1
            name = shortened(wanted, " (\(number))")
        }
        return name
    }

    private func shortened(_ name: String, _ suffix: String) -> String {
        var kept = name
        while kept.utf16.count + suffix.utf16.count > limit { kept.removeLast() }
        // The library builds `'name'!Print_Titles`, with apostrophes doubled, in a buffer of 128
        // bytes.
        while kept.utf8.count + suffix.utf8.count + kept.utf8.count(where: { $0 == UInt8(ascii: "'") }) > 100 {
            kept.removeLast()
        }
        while kept.last == "'" || kept.last == " " { kept.removeLast() }
        return (kept.isEmpty ? "_" : kept) + suffix
    }

    private static func clean(_ title: String) -> String {
        var scalars = String.UnicodeScalarView()
        for scalar in title.unicodeScalars {
            switch scalar {
            case "[": scalars.append("(")
            case "]": scalars.append(")")
            case ":", "*", "?", "/", "\\": scalars.append("-")
            case _
            where scalar.value < 0x20 || scalar.value == 0x7F || scalar.value >= 0xFFFE && scalar.value <= 0xFFFF:
                scalars.append("_")
            default: scalars.append(scalar)
            }
        }
        var name = String(scalars)
        while let first = name.first, first == "'" || first == " " { name.removeFirst() }
        while let last = name.last, last == "'" || last == " " { name.removeLast() }
        if name.isEmpty { return "_" }
        return name.lowercased() == "history" ? name + "_" : name
    }
}

/// Excel's limits. Tests use smaller ones.
package struct XLSXLimits: Sendable, Hashable {
    /// Rows of a sheet, including the header.
    package var rows: Int = 1_048_576
    package var columns: Int = 16_384
    /// UTF-16 units of a cell's text.
    package var text: Int = 32_767
    /// UTF-16 units of a sheet's name.
    package var sheetName: Int = 31

    package static let excel = XLSXLimits()
}
