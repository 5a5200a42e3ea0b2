/// What is wrong with a pattern.
package struct PatternError: Error, Hashable, Sendable {
    /// PCRE2's message, in English: `missing closing parenthesis`.
    package var reason: String
    /// The place in the pattern, in characters from its start, zero-based.
    package var offset: Int
}
