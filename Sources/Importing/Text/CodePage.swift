/// Decodes the bytes of an old file as text: UTF-8, or one byte a character with ASCII in the lower
/// half.
package struct CodePage: Sendable, Equatable {
    /// `cp850`, `iso8859-15`, `utf-8`.
    package let name: String
    /// UTF-8 of the characters from 0x80 on; nil for UTF-8 itself.
    private let upper: [[UInt8]]?

    package static let utf8 = CodePage(name: "utf-8", upper: nil)

    private init(name: String, upper: [[UInt8]]?) {
        self.name = name
        self.upper = upper
    }

    /// A code page by any of its common names: `850`, `CP850`, `IBM850`, `ANSI 1252`,
    /// `windows-1252`, `ISO-8859-15`, `latin1`, `UTF-8`; nil if unknown.
    package init?(named text: String) {
        let plain = text.lowercased().filter { $0.isLetter || $0.isNumber }
        if ["utf8", "65001", "cp65001"].contains(plain) {
            self = .utf8
            return
        }
        guard let name = Self.key(plain), let half = CodePageTables.upperHalves[name] else { return nil }
        let characters = half.unicodeScalars.map { Array(String($0).utf8) }
        guard characters.count == 128 else { return nil }
        self.init(name: name, upper: characters)
    }

    private static func key(_ plain: String) -> String? {
        switch plain {
        case "latin1", "l1", "88591": return "iso8859-1"
        case "latin2", "88592": return "iso8859-2"
        case "latin9", "latin0", "885915": return "iso8859-15"
        case "macroman", "macintosh", "10000", "cp10000": return "mac-roman"
        case "ascii", "usascii": return "cp1252"
        default: break
        }
        if plain.hasPrefix("iso8859") { return "iso8859-" + plain.dropFirst(7) }
        for prefix in ["windows", "ansi", "oem", "ibm", "dos", "win", "cp"] where plain.hasPrefix(prefix) {
            return "cp" + plain.dropFirst(prefix.count)
        }
        return "cp" + plain
    }

    /// Appends `bytes` to `text` as UTF-8; bytes without a character become U+FFFD.
    package func decode(_ bytes: ArraySlice<UInt8>, into text: inout [UInt8]) {
        guard let upper else {
            text.append(contentsOf: String(decoding: bytes, as: UTF8.self).utf8)
            return
        }
        for byte in bytes {
            if byte < 0x80 {
                text.append(byte)
            } else {
                text.append(contentsOf: upper[Int(byte) - 0x80])
            }
        }
    }
}
