/// Detects a text's encoding from its first bytes: by a byte order mark, valid UTF-8, the zeros of
/// UTF-16, or otherwise the code page that produces Spanish and Italian words.
package enum EncodingDetector {
    package struct Guess: Sendable, Equatable {
        package var encoding: TextEncoding
        /// Length of the byte order mark, in bytes.
        package var mark: Int
        /// Whether the bytes prove the encoding; otherwise it is the most likely one.
        package var isCertain: Bool
    }

    /// Nil for bytes that are not text.
    package static func guess(_ bytes: [UInt8]) -> Guess? {
        if bytes.starts(with: [0xEF, 0xBB, 0xBF]) { return Guess(encoding: .utf8, mark: 3, isCertain: true) }
        if bytes.starts(with: [0xFF, 0xFE]) { return Guess(encoding: .utf16LittleEndian, mark: 2, isCertain: true) }
        if bytes.starts(with: [0xFE, 0xFF]) { return Guess(encoding: .utf16BigEndian, mark: 2, isCertain: true) }
        if let wide = utf16(bytes) { return Guess(encoding: wide, mark: 0, isCertain: false) }
        // A few control characters may occur in text; many mean that it is binary.
        let controls = bytes.count { $0 < 0x20 && $0 != 0x09 && $0 != 0x0A && $0 != 0x0D && $0 != 0x0C && $0 != 0x1A }
        guard controls * 50 <= bytes.count else { return nil }
        if isUTF8(bytes) { return Guess(encoding: .utf8, mark: 0, isCertain: bytes.contains { $0 >= 0x80 }) }
        return Guess(encoding: singleByte(bytes), mark: 0, isCertain: false)
    }

    /// UTF-16 has a zero at nearly every second position.
    private static func utf16(_ bytes: [UInt8]) -> TextEncoding? {
        guard bytes.count >= 4 else { return nil }
        var zeros = (even: 0, odd: 0)
        for index in bytes.indices where bytes[index] == 0 {
            if index % 2 == 0 { zeros.even += 1 } else { zeros.odd += 1 }
        }
        let half = bytes.count / 2
        if zeros.odd * 10 > half * 6, zeros.even * 10 < half { return .utf16LittleEndian }
        if zeros.even * 10 > half * 6, zeros.odd * 10 < half { return .utf16BigEndian }
        return nil
    }

    /// Whether the bytes are UTF-8; the sample may end within a character.
    private static func isUTF8(_ bytes: [UInt8]) -> Bool {
        for cut in 0...min(3, bytes.count) where TextRepair.isValid(bytes.span.extracting(0..<(bytes.count - cut))) {
            // The incomplete part must be the start of a character.
            let rest = bytes.suffix(cut)
            guard let lead = rest.first else { return true }
            return lead >= 0xC2 && lead <= 0xF4 && rest.dropFirst().allSatisfy { $0 & 0xC0 == 0x80 }
        }
        return false
    }

    /// The code page whose decoding resembles words most. In a tie the first wins: by default the
    /// most common one.
    static func singleByte(_ bytes: [UInt8], among pages: [TextEncoding] = [.windows1252, .latin9, .cp850, .cp437])
        -> TextEncoding
    {
        let scores = pages.map { score(bytes, $0) }
        let best = scores.max() ?? 0
        return zip(pages, scores).first { $0.1 == best }?.0 ?? .windows1252
    }

    /// Scores how much the bytes resemble words under a code page. Each accented letter counts
    /// according to its neighbours.
    static func score(_ bytes: [UInt8], _ encoding: TextEncoding) -> Int {
        guard let page = encoding.codePage else { return 0 }
        func scalar(_ index: Int) -> Unicode.Scalar? {
            guard bytes.indices.contains(index) else { return nil }
            let byte = bytes[index]
            return byte < 0x80 ? Unicode.Scalar(byte) : Unicode.Scalar(page[Int(byte) - 0x80])
        }
        var score = 0
        for index in bytes.indices where bytes[index] >= 0x80 {
            guard let here = scalar(index), here != "\u{FFFD}" else {
                score -= 8
                continue
            }
            let before = scalar(index - 1)
            let after = scalar(index + 1)
            switch here {
            case "á", "é", "í", "ó", "ú", "ñ", "ü", "à", "è", "ì", "ò", "ù":
                // In the middle or at the end of a word in lower case.
                score += isSmall(before) || isSmall(after) ? 4 : isCapital(before) ? -2 : 1
            case "Á", "É", "Í", "Ó", "Ú", "Ñ", "Ü", "À", "È", "Ì", "Ò", "Ù":
                score += isSmall(before) ? -4 : isCapital(before) || isCapital(after) ? 4 : isSmall(after) ? 3 : 1
            case "º", "ª", "°":
                score +=
                    isDigit(before) || before == "N" || before == "n" || isSmall(before) || isCapital(before) ? 2 : 0
            case "¿", "¡":
                score += before.map { $0 == " " || $0 == "\n" || $0 == "\"" || $0 == "," || $0 == ";" } ?? true ? 2 : -3
            case "±", "²", "³", "×", "·", "µ", "½", "¼":
                score += isDigit(before) || isDigit(after) || before == "m" || before == " " ? 1 : -2
            case "€", "–", "—", "‘", "’", "“", "”", "…", "«", "»", "£": score += 1
            case "ç", "Ç", "ã", "õ", "â", "ê", "î", "ô", "û", "ä", "ö", "ë", "ï":
                score += isSmall(before) || isSmall(after) ? 1 : -1
            case "\u{80}"..."\u{9F}", "\u{2500}"..."\u{259F}": score -= 6
            case "\u{A0}": score += isSmall(before) || isSmall(after) ? -2 : 0
            default: score -= 2
            }
        }
        return score
    }

    private static func isSmall(_ scalar: Unicode.Scalar?) -> Bool { scalar.map { "a"..."z" ~= $0 } ?? false }
    private static func isCapital(_ scalar: Unicode.Scalar?) -> Bool { scalar.map { "A"..."Z" ~= $0 } ?? false }
    private static func isDigit(_ scalar: Unicode.Scalar?) -> Bool { scalar.map { "0"..."9" ~= $0 } ?? false }
}

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

/// Code pages of one byte a character as code points. Each is built once, from the tables that all
/// readers share.
private enum CodePageTable {
    static let windows1252 = points("cp1252")
    static let cp850 = points("cp850")
    static let cp437 = points("cp437")
    static let latin1 = points("iso8859-1")
    static let latin9 = points("iso8859-15")

    /// A code page without a table yields U+FFFD from 0x80 on, so that nothing is misread.
    private static func points(_ name: String) -> [UInt16] {
        let points = (CodePageTables.upperHalves[name] ?? "").unicodeScalars.map {
            UInt16(truncatingIfNeeded: $0.value)
        }
        return points.count == 128 ? points : Array(repeating: 0xFFFD, count: 128)
    }
}
