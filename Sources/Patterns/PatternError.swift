/// What is wrong with a pattern.
package struct PatternError: Error, Hashable, Sendable {
    /// PCRE2's own words, in English: `missing closing parenthesis`.
    package var reason: String
    /// Where in the pattern, in characters from its start, zero-based.
    package var offset: Int

    package init(reason: String, offset: Int) {
        self.reason = reason
        self.offset = offset
    }
}
