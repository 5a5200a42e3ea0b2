/// Splits the text of SQL statements into tokens. Handles what SQLite and PostgreSQL write: both
/// kinds of comments, names in `"…"`, `` `…` `` and `[…]`, and texts in `'…'`, `E'…'` and
/// `$tag$…$tag$`. Also handles the rows and commands that `pg_dump` writes between its statements.
package struct SQLTokens {
    /// Maximum number of bytes in a text.
    package static let maximumBytes = 16 << 20

    /// The tokens, and the line number of each.
    package private(set) var tokens: [SQLToken] = []
    package private(set) var lines: [Int] = []

    private let bytes: [UInt8]
    /// Whether a backslash escapes the next byte of a text, as in MySQL; assumed if the text
    /// contains a backtick.
    private let isMySQL: Bool
    private var position = 0
    private var line = 1
    /// Index in `tokens` of the first token of the present statement.
    private var statement = 0

    package init(_ text: String) throws(SQLMistake) {
        guard text.utf8.count <= Self.maximumBytes else { throw .tooLarge(limit: "\(Self.maximumBytes >> 20) MiB") }
        bytes = Array(text.utf8.starts(with: [0xEF, 0xBB, 0xBF]) ? text.utf8.dropFirst(3) : text.utf8[...])
        isMySQL = bytes.contains(UInt8(ascii: "`"))
        while let byte = peek() { try take(byte) }
    }

    private func peek(_ ahead: Int = 0) -> UInt8? { position + ahead < bytes.count ? bytes[position + ahead] : nil }

    private mutating func skip() {
        if bytes[position] == UInt8(ascii: "\n") { line += 1 }
        position += 1
    }

    private mutating func add(_ token: SQLToken, line: Int) {
        tokens.append(token)
        lines.append(line)
    }

    private static func isLetter(_ byte: UInt8) -> Bool {
        (UInt8(ascii: "a")...UInt8(ascii: "z")).contains(byte) || (UInt8(ascii: "A")...UInt8(ascii: "Z")).contains(byte)
            || byte == UInt8(ascii: "_") || byte >= 0x80
    }

    private static func isDigit(_ byte: UInt8) -> Bool { (UInt8(ascii: "0")...UInt8(ascii: "9")).contains(byte) }

    private mutating func take(_ byte: UInt8) throws(SQLMistake) {
        let begin = line
        switch byte {
        case UInt8(ascii: " "), UInt8(ascii: "\t"), UInt8(ascii: "\r"), UInt8(ascii: "\n"), 0x0C: skip()
        case UInt8(ascii: "-") where peek(1) == byte: skipLine()
        // A command of psql at the beginning of a statement.
        case UInt8(ascii: "\\") where tokens.count == statement: skipLine()
        case UInt8(ascii: "/") where peek(1) == UInt8(ascii: "*"): try skipComment()
        case UInt8(ascii: "'"): add(.text(try quoted(byte, escapes: isMySQL)), line: begin)
        case UInt8(ascii: "\""), UInt8(ascii: "`"): add(.name(try quoted(byte)), line: begin)
        // A name in brackets; after a word, `[` begins an array index instead.
        case UInt8(ascii: "[") where isName: add(.name(try quoted(UInt8(ascii: "]"))), line: begin)
        case UInt8(ascii: "$"):
            if let text = try dollarQuoted() { add(.text(text), line: begin) } else { try sign() }
        case _ where Self.isDigit(byte) || (byte == UInt8(ascii: ".") && peek(1).map(Self.isDigit) == true): number()
        case _ where Self.isLetter(byte): try word()
        default: try sign()
        }
    }

    /// Whether a `[` at the present position begins a name. It does after a comma, bracket or dot,
    /// or after a keyword that a name follows.
    private var isName: Bool {
        switch tokens.last {
        case nil, .sign(","), .sign("("), .sign("."): true
        case .word(let word): ["table", "references", "exists", "constraint", "key", "on"].contains(word.lowercased())
        default: false
        }
    }

    private mutating func skipLine() {
        while let byte = peek(), byte != UInt8(ascii: "\n") { position += 1 }
    }

    private mutating func skipComment() throws(SQLMistake) {
        let begin = line
        var depth = 0
        repeat {
            guard peek() != nil else { throw .open(line: begin) }
            if peek() == UInt8(ascii: "/"), peek(1) == UInt8(ascii: "*") {
                depth += 1
                position += 2
            } else if peek() == UInt8(ascii: "*"), peek(1) == UInt8(ascii: "/") {
                depth -= 1
                position += 2
            } else {
                skip()
            }
        } while depth > 0
    }

    /// Reads a quotation to its end; a doubled quotation mark stands for one. With `escapes`, a
    /// backslash escapes the next byte.
    private mutating func quoted(_ mark: UInt8, escapes: Bool = false) throws(SQLMistake) -> String {
        let begin = line
        position += 1
        var text: [UInt8] = []
        while let byte = peek() {
            if byte == mark {
                position += 1
                guard peek() == mark else { return String(decoding: text, as: UTF8.self) }
                text.append(mark)
                position += 1
            } else if escapes, byte == UInt8(ascii: "\\"), let next = peek(1) {
                text.append(next == UInt8(ascii: "n") ? UInt8(ascii: "\n") : next)
                position += 1
                skip()
            } else {
                text.append(byte)
                skip()
            }
        }
        throw .open(line: begin)
    }

    private mutating func dollarQuoted() throws(SQLMistake) -> String? {
        var end = position + 1
        while end < bytes.count, Self.isLetter(bytes[end]) || Self.isDigit(bytes[end]) { end += 1 }
        guard end < bytes.count, bytes[end] == UInt8(ascii: "$") else { return nil }
        let tag = bytes[position...end]
        let begin = line
        var text: [UInt8] = []
        position = end + 1
        while position < bytes.count {
            if bytes[position] == UInt8(ascii: "$"), bytes[position...].starts(with: tag) {
                position += tag.count
                return String(decoding: text, as: UTF8.self)
            }
            text.append(bytes[position])
            skip()
        }
        throw .open(line: begin)
    }

    private mutating func number() {
        let begin = position
        while let byte = peek(), Self.isDigit(byte) || byte == UInt8(ascii: ".") || isExponent(byte, begin) {
            position += 1
        }
        add(.number(String(decoding: bytes[begin..<position], as: UTF8.self)), line: line)
    }

    private func isExponent(_ byte: UInt8, _ begin: Int) -> Bool {
        let isMark = byte == UInt8(ascii: "e") || byte == UInt8(ascii: "E")
        let isSign = byte == UInt8(ascii: "+") || byte == UInt8(ascii: "-")
        guard isMark || isSign, position > begin else { return false }
        let before = bytes[position - 1]
        return isMark
            ? Self.isDigit(before)
                && peek(1).map { Self.isDigit($0) || $0 == UInt8(ascii: "-") || $0 == UInt8(ascii: "+") } == true
            : before == UInt8(ascii: "e") || before == UInt8(ascii: "E")
    }

    private mutating func word() throws(SQLMistake) {
        let begin = position
        while let byte = peek(), Self.isLetter(byte) || Self.isDigit(byte) || byte == UInt8(ascii: "$") {
            position += 1
        }
        let text = String(decoding: bytes[begin..<position], as: UTF8.self)
        if text.lowercased() == "e", peek() == UInt8(ascii: "'") {
            return add(.text(try quoted(UInt8(ascii: "'"), escapes: true)), line: line)
        }
        // `GO` alone on a line ends a statement in SQL Server's tools.
        if text.lowercased() == "go", isAlone(begin) {
            add(.sign(";"), line: line)
            return try endStatement()
        }
        add(.word(text), line: line)
    }

    /// Whether the word that was just read is alone on its line.
    private func isAlone(_ begin: Int) -> Bool {
        func isBlank(_ byte: UInt8) -> Bool {
            byte == UInt8(ascii: " ") || byte == UInt8(ascii: "\t") || byte == UInt8(ascii: "\r")
        }
        let before = bytes[..<begin].last { !isBlank($0) }, after = bytes[position...].first { !isBlank($0) }
        return [nil, UInt8(ascii: "\n")].contains(before) && [nil, UInt8(ascii: "\n")].contains(after)
    }

    private mutating func sign() throws(SQLMistake) {
        let pairs = ["::", "<=", ">=", "<>", "!=", "==", "||", "~*", "!~"]
        let two = peek(1).map { String(decoding: [bytes[position], $0], as: UTF8.self) }
        let text = two.flatMap { pairs.contains($0) ? $0 : nil } ?? String(decoding: [bytes[position]], as: UTF8.self)
        add(.sign(text), line: line)
        position += text.utf8.count
        if text == ";" { try endStatement() }
    }

    /// Skips the rows that follow `COPY … FROM stdin;`, which are not SQL.
    private mutating func endStatement() throws(SQLMistake) {
        let isCopy = tokens[statement].isWord("copy") && tokens[statement...].contains { $0.isWord("stdin") }
        statement = tokens.count
        guard isCopy else { return }
        let first = line
        skipLine()
        while peek() != nil {
            skip()
            let begin = position
            skipLine()
            let row = bytes[begin..<position]
            if (row.last == UInt8(ascii: "\r") ? row.dropLast() : row).elementsEqual(Array("\\.".utf8)) { return }
        }
        throw .open(line: first)
    }
}

/// Reason why a text cannot be read as definitions of tables.
package enum SQLMistake: Error, Hashable, Sendable {
    /// A quotation or a comment that begins in this line and does not end.
    case open(line: Int)
    /// A statement that ends too early or contains something unexpected.
    case unexpected(line: Int, found: String, expected: String)
    /// More bytes, tables or columns than any real text has.
    case tooLarge(limit: String)

    /// The mistake in plain words, for a finding's argument.
    package var words: String {
        switch self {
        case .open(let line): "line \(line): a quotation or comment does not end"
        case .unexpected(let line, let found, let expected): "line \(line): \(expected) expected, found \(found)"
        case .tooLarge(let limit): "more than \(limit)"
        }
    }
}

/// A token of an SQL statement.
package enum SQLToken: Hashable, Sendable {
    /// A word without quotes, as written.
    case word(String)
    /// A quoted name, without its quotes.
    case name(String)
    /// A quoted text, without its quotes.
    case text(String)
    case number(String)
    /// One sign or a pair of signs, such as `(`, `<=`, `::`.
    case sign(String)

    /// Whether this is the given word, in upper or lower case.
    package func isWord(_ word: String) -> Bool {
        if case .word(let own) = self { own.lowercased() == word } else { false }
    }

    /// The token as a name; nil if it cannot be one. PostgreSQL and SQLite ignore the case of
    /// words; only in quoted names does case matter.
    package var identifier: String? {
        switch self {
        case .word(let text), .name(let text): text
        case .text, .number, .sign: nil
        }
    }

    /// The token as written in SQL, for messages.
    package var written: String {
        switch self {
        case .word(let text), .number(let text), .sign(let text): text
        case .name(let text): "\"" + text.replacing("\"", with: "\"\"") + "\""
        case .text(let text): "'" + text.replacing("'", with: "''") + "'"
        }
    }
}

extension Sequence<SQLToken> {
    /// The tokens as one text, for messages.
    package var written: String {
        var text = ""
        for token in self {
            let piece = token.written
            let isTight =
                text.isEmpty || text.hasSuffix("(") || text.hasSuffix("::") || text.hasSuffix(".")
                || [")", ",", "::", ".", "["].contains(piece)
            text += (isTight ? "" : " ") + piece
        }
        return text
    }
}
