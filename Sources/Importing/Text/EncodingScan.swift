import Model

/// Checks a guessed encoding against a whole text. The guess is based on the first 64 KiB, which
/// may contain only ASCII.
enum EncodingScan {
    private static let pieceSize = 1 << 20
    /// Number of bytes before the first invalid byte that help to determine the code page.
    private static let sampleStart = 4096

    /// Confirms the guessed encoding against the whole file, or corrects it.
    ///
    /// If everything before the first invalid byte is ASCII, that byte and its surroundings
    /// determine the code page. Otherwise the file mixes encodings. Then the function throws
    /// `TableFailure.damaged` with the line, because any choice would change some letters.
    static func confirmed(_ guess: EncodingDetector.Guess, _ head: FileHead, kind: String) throws
        -> EncodingDetector.Guess
    {
        if !guess.isCertain, guess.encoding.codePage != nil { try refuseMixture(head, kind) }
        try refuseHalves(guess, head.path, kind)
        // Without a byte order mark, only the first 64 KiB are known to be valid UTF-8.
        guard guess.encoding == .utf8, guess.mark > 0 || head.size > head.bytes.count else { return guess }
        let file = try FileBytes(head.path)
        var check = UTF8Check()
        var offset = 0
        while offset < file.count {
            let piece = file.read(at: offset, pieceSize)
            guard !piece.isEmpty else { break }
            if let wrong = check.firstWrong(in: piece.span) {
                return try judge(guess, file, at: offset + wrong, check, kind)
            }
            offset += piece.count
        }
        return guess
    }

    /// A finding that a text's code page is a guess, with the number of letters affected; nil if no
    /// letter is affected.
    ///
    /// - Parameter said: the encoding that the file declares, if this program does not support it.
    static func finding(_ guess: EncodingDetector.Guess, _ path: String, said: String = "—") throws -> Finding? {
        guard !guess.isCertain, guess.encoding.codePage != nil else { return nil }
        let file = try FileBytes(path)
        var (letters, offset) = (0, 0)
        while offset < file.count {
            let piece = file.read(at: offset, pieceSize)
            guard !piece.isEmpty else { break }
            letters += piece.count { $0 >= 0x80 }
            offset += piece.count
        }
        return letters == 0 ? nil : Finding(
            "IMPORT-CODE-PAGE", place: Place(file: path),
            arguments: ["encoding": guess.encoding.rawValue, "said": said, "count": String(letters)])
    }

    /// Rejects UTF-16 with an unpaired surrogate, because the original character is unknown.
    /// Accepts any other text.
    private static func refuseHalves(_ guess: EncodingDetector.Guess, _ path: String, _ kind: String) throws {
        guard guess.encoding == .utf16LittleEndian || guess.encoding == .utf16BigEndian else { return }
        let file = try FileBytes(path)
        let low = guess.encoding == .utf16LittleEndian ? 0 : 1
        var line = 1
        // Position of a first surrogate whose second has not been read yet.
        var first: Int?
        func alone(_ at: Int) -> TableFailure {
            .damaged(
                Place(file: path, line: line), kind: kind,
                reason:
                    """
                    byte \(at + 1), in line \(line), begins half a character of UTF-16; save the text anew, or say \
                    its encoding with --encoding
                    """
            )
        }
        var offset = guess.mark
        while offset < file.count {
            let piece = file.read(at: offset, pieceSize)
            guard !piece.isEmpty else { break }
            for index in stride(from: 0, to: piece.count, by: 2) {
                guard index + 1 < piece.count else { throw alone(first ?? offset + index) }
                let unit = UInt16(piece[index + low]) | UInt16(piece[index + 1 - low]) << 8
                let isSecond = 0xDC00...0xDFFF ~= unit
                guard (first != nil) == isSecond else { throw alone(first ?? offset + index) }
                first = 0xD800...0xDBFF ~= unit ? offset + index : nil
                if unit == 0x0A { line += 1 }
            }
            offset += piece.count
        }
        if let first { throw alone(first) }
    }

    /// Rejects a text that mixes UTF-8 with another encoding. Its code page was guessed because
    /// some bytes are invalid UTF-8, but it has more valid characters of several bytes. Words in a
    /// code page hardly ever form such characters.
    private static func refuseMixture(_ head: FileHead, _ kind: String) throws {
        var sound = 0, wrong = 0, first = 0, index = 0
        while index < head.bytes.count {
            let byte = head.bytes[index]
            let length = byte < 0x80 ? 1 : byte >= 0xF0 ? 4 : byte >= 0xE0 ? 3 : 2
            let end = min(index + length, head.bytes.count)
            if byte < 0x80 {
                index += 1
            } else if TextRepair.isValid(head.bytes.span.extracting(index..<end)) {
                (sound, index) = (sound + 1, end)
            } else {
                if wrong == 0 { first = index }
                (wrong, index) = (wrong + 1, index + 1)
            }
        }
        guard sound > wrong else { return }
        throw mixed(head.path, at: first, line: 1 + head.bytes[..<first].count { $0 == 0x0A }, kind)
    }

    private static func mixed(_ path: String, at wrong: Int, line: Int, _ kind: String) -> TableFailure {
        .damaged(
            Place(file: path, line: line), kind: kind,
            reason:
                """
                it is UTF-8 but for byte \(wrong + 1), in line \(line); save it in one encoding, or say which with \
                --encoding
                """
        )
    }

    /// Determines the code page from the surroundings of the first invalid byte, or throws.
    private static func judge(
        _ guess: EncodingDetector.Guess, _ file: FileBytes, at wrong: Int, _ check: UTF8Check, _ kind: String
    ) throws -> EncodingDetector.Guess {
        if !check.hasSeenCharacters, guess.mark == 0 {
            let sample = file.read(at: max(0, wrong - sampleStart), 1 << 16)
            if let found = EncodingDetector.guess(sample), found.encoding.codePage != nil {
                return .init(encoding: found.encoding, mark: 0, isCertain: false)
            }
        }
        var line = 1
        var offset = 0
        while offset < wrong {
            let piece = file.read(at: offset, min(pieceSize, wrong - offset))
            guard !piece.isEmpty else { break }
            line += piece.count { $0 == 0x0A }
            offset += piece.count
        }
        throw mixed(file.path, at: wrong, line: line, kind)
    }
}

/// Checks bytes piece by piece for valid UTF-8 (The Unicode Standard, table 3-7). A piece may end
/// within a character.
struct UTF8Check {
    /// Bytes checked at once, because most blocks contain only ASCII.
    private static let blockSize = 64

    /// Whether valid characters of several bytes have been read, and no invalid ones.
    private(set) var hasSeenCharacters = false
    /// Number of continuation bytes that the current character still needs.
    private var following = 0
    private var lowest: UInt8 = 0x80
    private var highest: UInt8 = 0xBF

    var isAtEndOfCharacter: Bool { following == 0 }

    /// The position of the first invalid byte; nil if all bytes are valid.
    mutating func firstWrong(in bytes: Span<UInt8>) -> Int? {
        var start = 0
        while start < bytes.count {
            let end = min(start + Self.blockSize, bytes.count)
            var all: UInt8 = 0
            for index in start..<end { all |= bytes[index] }
            if all >= 0x80 || following > 0, let wrong = look(at: bytes, start..<end) { return wrong }
            start = end
        }
        return nil
    }

    private mutating func look(at bytes: Span<UInt8>, _ range: Range<Int>) -> Int? {
        for index in range {
            let byte = bytes[index]
            if following > 0 {
                guard byte >= lowest, byte <= highest else { return index }
                (following, lowest, highest) = (following - 1, 0x80, 0xBF)
                if following == 0 { hasSeenCharacters = true }
            } else if byte >= 0x80 {
                switch byte {
                case 0xC2...0xDF: following = 1
                case 0xE0: (following, lowest) = (2, 0xA0)
                case 0xED: (following, highest) = (2, 0x9F)
                case 0xE1...0xEF: following = 2
                case 0xF0: (following, lowest) = (3, 0x90)
                case 0xF4: (following, highest) = (3, 0x8F)
                case 0xF1...0xF3: following = 3
                default: return index
                }
            }
        }
        return nil
    }
}

/// Repairs the bytes of a cell's text: invalid UTF-8 becomes U+FFFD, and Excel's escapes such as
/// `_x000D_` are resolved.
enum TextRepair {
    static func repair(_ bytes: inout [UInt8], resolvesEscapes: Bool = true) {
        var union: UInt8 = 0
        var hasUnderscore = false
        for byte in bytes {
            union |= byte
            hasUnderscore = hasUnderscore || byte == 0x5F
        }
        if hasUnderscore, resolvesEscapes { resolve(&bytes) }
        guard union >= 0x80 else { return }
        if !isValid(bytes.span) { bytes = Array(String(decoding: bytes, as: UTF8.self).utf8) }
    }

    /// Trims white space from both ends of the text that begins at `start`. Excel displays such
    /// space only if `xml:space` preserves it.
    static func trim(_ bytes: inout [UInt8], from start: Int) {
        while bytes.count > start, let last = bytes.last, isSpace(last) { bytes.removeLast() }
        var first = start
        while first < bytes.count, isSpace(bytes[first]) { first += 1 }
        if first > start { bytes.removeSubrange(start..<first) }
    }

    private static func isSpace(_ byte: UInt8) -> Bool { byte == 0x20 || byte == 0x0A || byte == 0x09 || byte == 0x0D }

    /// Whether the bytes are UTF-8.
    static func isValid(_ bytes: Span<UInt8>) -> Bool {
        var check = UTF8Check()
        return check.firstWrong(in: bytes) == nil && check.isAtEndOfCharacter
    }

    /// Resolves escapes: `_x0041_` means `A` (ECMA-376, 22.9.2.19).
    private static func resolve(_ bytes: inout [UInt8]) {
        guard bytes.count >= 7 else { return }
        var result: [UInt8] = []
        var index = 0
        var isChanged = false
        while index < bytes.count {
            if let unit = escape(bytes, at: index) {
                isChanged = true
                var scalar = Unicode.Scalar(UInt32(unit))
                index += 7
                if unit >= 0xD800, unit < 0xDC00, let low = escape(bytes, at: index), low >= 0xDC00, low < 0xE000 {
                    scalar = Unicode.Scalar(0x10000 + (UInt32(unit) - 0xD800) << 10 + UInt32(low) - 0xDC00)
                    index += 7
                }
                result.append(contentsOf: String(Character(unit == 0 ? "\u{FFFD}" : scalar ?? "\u{FFFD}")).utf8)
            } else {
                result.append(bytes[index])
                index += 1
            }
        }
        if isChanged { bytes = result }
    }

    private static func escape(_ bytes: [UInt8], at index: Int) -> UInt16? {
        guard index + 7 <= bytes.count, bytes[index] == 0x5F, bytes[index + 1] == 0x78, bytes[index + 6] == 0x5F else {
            return nil
        }
        var number: UInt16 = 0
        for place in (index + 2)..<(index + 6) {
            let digit: UInt8
            switch bytes[place] {
            case 0x30...0x39: digit = bytes[place] - 0x30
            case 0x41...0x46: digit = bytes[place] - 0x37
            case 0x61...0x66: digit = bytes[place] - 0x57
            default: return nil
            }
            number = number << 4 | UInt16(digit)
        }
        return number
    }
}
