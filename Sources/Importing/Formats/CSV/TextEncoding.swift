/// The character encoding of a text file.
package enum TextEncoding: String, Sendable, CaseIterable {
    case utf8 = "utf-8"
    case utf16LittleEndian = "utf-16le"
    case utf16BigEndian = "utf-16be"
    case windows1252 = "windows-1252"
    case cp850
    case cp437
    case latin1 = "iso-8859-1"
    case latin9 = "iso-8859-15"

    /// Code points of the bytes from 0x80 on, for encodings of one byte a character.
    var codePage: [UInt16]? {
        switch self {
        case .utf8, .utf16LittleEndian, .utf16BigEndian: nil
        case .windows1252: CodePageTable.windows1252
        case .cp850: CodePageTable.cp850
        case .cp437: CodePageTable.cp437
        case .latin1: CodePageTable.latin1
        case .latin9: CodePageTable.latin9
        }
    }
}

/// Code pages of one byte a character as code points, each built once from the tables that all
/// readers share.
private enum CodePageTable {
    static let windows1252 = points("cp1252")
    static let cp850 = points("cp850")
    static let cp437 = points("cp437")
    static let latin1 = points("iso8859-1")
    static let latin9 = points("iso8859-15")

    /// A code page without a table gives U+FFFD from 0x80 on, so that nothing is misread.
    private static func points(_ name: String) -> [UInt16] {
        let points = (CodePageTables.upperHalves[name] ?? "").unicodeScalars.map { UInt16(truncatingIfNeeded: $0.value) }
        return points.count == 128 ? points : Array(repeating: 0xFFFD, count: 128)
    }
}
