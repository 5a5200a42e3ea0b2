/// What a person types to find records by their texts: `huerto comunal "plaza mayor"`. Every word,
/// and every phrase in quotation marks, must occur somewhere; a word may be the beginning of a
/// longer one. Case and accents make no difference.
package struct SearchedWords: Sendable, Hashable {
    /// As a query of SQLite's FTS5: https://www.sqlite.org/fts5.html, section 3.
    package let query: String

    /// Returns nil if there is no letter and no digit to look for.
    package init?(_ text: String) {
        let terms = text.split(separator: "\"", omittingEmptySubsequences: false).enumerated().flatMap { number, part in
            // What follows an odd number of marks is a phrase.
            number.isMultiple(of: 2)
                ? part.split(whereSeparator: \.isWhitespace).filter(Self.isSearchable).map { "\"\($0)\" *" }
                : [part].filter(Self.isSearchable).map { "\"\($0)\"" }
        }
        guard !terms.isEmpty else { return nil }
        query = terms.joined(separator: " AND ")
    }

    private static func isSearchable(_ text: Substring) -> Bool { text.contains { $0.isLetter || $0.isNumber } }
}
