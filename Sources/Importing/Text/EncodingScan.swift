import Model

/// Checks whether a text that begins as UTF-8 continues so: its encoding is guessed from its first
/// 64 KiB, which may contain only ASCII.
enum EncodingScan {
    private static let pieceSize = 1 << 20
    /// How many bytes before the first invalid byte are used to determine the code page.
    private static let sampleStart = 4096

    /// Confirms the guessed encoding against the whole file, or corrects it.
    ///
    /// If everything before the first invalid byte is ASCII, that byte and its surroundings
    /// determine the code page. Otherwise the file mixes encodings: the function throws
    /// `TableFailure.damaged` with the line, because any choice would change some letters.
    static func confirmed(_ guess: EncodingDetector.Guess, _ head: FileHead, kind: String) throws -> EncodingDetector.Guess {
        if !guess.isCertain, guess.encoding.codePage != nil { try refuseMixture(head, kind) }
        try refuseHalves(guess, head.path, kind)
        // A text without a byte order mark was taken for UTF-8 because its first 64 KiB are valid.
        guard guess.encoding == .utf8, guess.mark > 0 || head.size > head.bytes.count else { return guess }
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

    /// A finding that the code page of a text is a guess, with the number of letters affected; nil
    /// where none are.
    ///
    /// - Parameter said: the encoding that the file states, where this program does not know it.
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

    /// Rejects a UTF-16 text with an unpaired surrogate, because the original character is unknown.
    /// Any other text is accepted.
    private static func refuseHalves(_ guess: EncodingDetector.Guess, _ path: String, _ kind: String) throws {
        guard guess.encoding == .utf16LittleEndian || guess.encoding == .utf16BigEndian else { return }
        let file = try FileBytes(path)
        let low = guess.encoding == .utf16LittleEndian ? 0 : 1
        var line = 1
        // Position of a first surrogate that waits for its second.
        var first: Int?
        func alone(_ at: Int) -> TableFailure {
            .damaged(
                Place(file: path, line: line), kind: kind,
                reason: "byte \(at + 1), in line \(line), begins half a character of UTF-16; save the text anew, or say its encoding with --encoding")
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

    /// Rejects a text that was taken for a code page because some bytes are invalid UTF-8, but in
    /// which valid characters of several bytes are more frequent. Words in a code page hardly ever
    /// form such characters, so the text is UTF-8 with something else in it.
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
            reason: "it is UTF-8 but for byte \(wrong + 1), in line \(line); save it in one encoding, or say which with --encoding")
    }

    private static func judge(
        _ guess: EncodingDetector.Guess, _ file: FileBytes, at wrong: Int, _ check: UTF8Check, _ kind: String
    ) throws -> EncodingDetector.Guess {
        if !check.hasSeenCharacters, guess.mark == 0 {
            let sample = file.read(at: max(0, wrong - sampleStart), 1 << 16)
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
}
