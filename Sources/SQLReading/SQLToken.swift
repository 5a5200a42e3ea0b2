/// A piece of an SQL statement.
package enum SQLToken: Hashable, Sendable {
    /// A word without quotes, as it is written.
    case word(String)
    /// A name in quotes, without them.
    case name(String)
    /// A text in quotes, without them.
    case text(String)
    case number(String)
    /// One sign or a pair of signs: `(`, `<=`, `::`.
    case sign(String)

    /// Whether this is the word, whatever its case.
    package func isWord(_ word: String) -> Bool {
        if case .word(let own) = self { own.lowercased() == word } else { false }
    }

    /// What a name is where one is expected: PostgreSQL and SQLite compare words without case, and
    /// only quoted names keep theirs.
    package var identifier: String? {
        switch self {
        case .word(let text), .name(let text): text
        case .text, .number, .sign: nil
        }
    }

    /// As it is written in SQL, for people.
    package var written: String {
        switch self {
        case .word(let text), .number(let text), .sign(let text): text
        case .name(let text): "\"" + text.replacing("\"", with: "\"\"") + "\""
        case .text(let text): "'" + text.replacing("'", with: "''") + "'"
        }
    }
}

extension Sequence<SQLToken> {
    /// The pieces as one text, for people.
    package var written: String {
        var text = ""
        for token in self {
            let piece = token.written
            let isTight = text.isEmpty || text.hasSuffix("(") || text.hasSuffix("::") || text.hasSuffix(".") || [")", ",", "::", ".", "["].contains(piece)
            text += (isTight ? "" : " ") + piece
        }
        return text
    }
}
