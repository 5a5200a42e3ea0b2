/// Why a text cannot be read as definitions of tables.
package enum SQLMistake: Error, Hashable, Sendable {
    /// A quotation or a comment that does not end, begun in this line.
    case open(line: Int)
    /// A statement that breaks off or that has something else where this was expected.
    case unexpected(line: Int, found: String, expected: String)
    /// More bytes, tables or columns than anybody writes.
    case tooLarge(limit: String)

    /// In plain words, for a finding's argument.
    package var words: String {
        switch self {
        case .open(let line): "line \(line): a quotation or comment does not end"
        case .unexpected(let line, let found, let expected): "line \(line): \(expected) expected, found \(found)"
        case .tooLarge(let limit): "more than \(limit)"
        }
    }
}
