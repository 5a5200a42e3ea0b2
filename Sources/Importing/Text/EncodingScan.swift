import Model

/// Whether a text that begins as UTF-8 goes on so: its encoding is told from its first 64 KiB, and those of a register may well be ASCII.
enum EncodingScan {
    private static let pieceSize = 1 << 20
    /// Bytes that are looked at together.
    private static let blockSize = 4096

    /// The encoding that the whole file bears out.
    ///
    /// Where all before it is ASCII, the first byte that is no UTF-8 and what stands around it tell the code page. Where it is not, the file
    /// mixes encodings: throws `TableFailure.damaged` with the line, for whatever is taken would make other letters of some.
    static func settled(_ guess: EncodingDetector.Guess, _ head: FileHead, kind: String) throws -> EncodingDetector.Guess {
        if !guess.isCertain, guess.encoding.codePage != nil { try refuseMixture(head, kind) }
        guard guess.encoding == .utf8, head.size > head.bytes.count else { return guess }
        let file = try FileBytes(head.path)
        var check = UTF8Check()
        var offset = 0
        while offset < file.count {
            let piece = file.read(at: offset, pieceSize)
            guard !piece.isEmpty else { break }
            if let wrong = check.firstWrong(in: piece.span) { return try judge(guess, file, at: offset + wrong, check, kind) }
            offset += piece.count
        }
        return guess
    }

    /// A text is taken for a code page's because some bytes are no UTF-8. Where more of its characters are sound ones of several bytes, which
    /// words of a code page hardly ever make, it is UTF-8 with something else in it.
    private static func refuseMixture(_ head: FileHead, _ kind: String) throws {
        var sound = 0, wrong = 0, first = 0, index = 0
        while index < head.bytes.count {
            let byte = head.bytes[index]
            let length = byte < 0x80 ? 1 : byte >= 0xF0 ? 4 : byte >= 0xE0 ? 3 : 2
            let end = min(index + length, head.bytes.count)
            if byte < 0x80 {
                index += 1
            } else if CellText.isValid(head.bytes.span.extracting(index..<end)) {
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
            reason: "it is UTF-8 but for byte \(wrong + 1), in line \(line); save it in one encoding, or say which with --encoding")
    }

    private static func judge(
        _ guess: EncodingDetector.Guess, _ file: FileBytes, at wrong: Int, _ check: UTF8Check, _ kind: String
    ) throws -> EncodingDetector.Guess {
        if !check.hasSeenCharacters, guess.mark == 0 {
            let sample = file.read(at: max(0, wrong - blockSize), 1 << 16)
            if let found = EncodingDetector.guess(sample), found.encoding.codePage != nil { return .init(encoding: found.encoding, mark: 0, isCertain: false) }
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

    /// Goes on from piece to piece, which may end within a character.
    private struct UTF8Check {
        /// Whether there were characters of several bytes, all sound.
        var hasSeenCharacters = false
        private var following = 0
        private var lowest: UInt8 = 0x80
        private var highest: UInt8 = 0xBF

        mutating func firstWrong(in bytes: Span<UInt8>) -> Int? {
            var start = 0
            while start < bytes.count {
                let end = min(start + blockSize, bytes.count)
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
                    // The Unicode Standard, table 3-7.
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
}
