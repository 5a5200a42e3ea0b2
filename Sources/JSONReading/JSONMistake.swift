/// What is wrong with a JSON text, and where: at the mistake, or right after the token that is
/// wrong or contains it.
package struct JSONMistake: Error, Sendable, Hashable {
    package enum Reason: Sendable, Hashable {
        /// Not JSON: YAJL's own message, in English.
        case malformed(String)
        /// The text ends before the value does.
        case unexpectedEnd
        /// Something follows the value.
        case trailingText
        case invalidUTF8
        /// `\uD800` without its other half: it is no character, so it cannot be stored.
        case loneSurrogate
        case tooDeep(limit: Int)
        case textTooLong(limit: Int)
        case numberTooLong(limit: Int)
        case valueTooLarge(limit: Int)
        case duplicateKey(String)
        /// Neither an array of objects, nor an object with such an array, nor one object per line.
        case noRows
        /// A row that is no object.
        case rowIsNoObject
        /// Reading the file failed; the system's message.
        case unreadable(String)
    }

    package var reason: Reason
    /// Bytes from the start, zero-based.
    package var offset: Int
    /// One-based.
    package var line: Int
    /// Bytes from the start of the line, one-based.
    package var column: Int

    package init(reason: Reason, offset: Int, line: Int, column: Int) {
        self.reason = reason
        self.offset = offset
        self.line = line
        self.column = column
    }
}

extension JSONMistake.Reason: CustomStringConvertible {
    /// In English, for logs; messages for people are made from the reason where the mistake is
    /// reported.
    package var description: String {
        switch self {
        case .malformed(let words): words
        case .unexpectedEnd: "the text ends in the middle of a value"
        case .trailingText: "there is something after the value"
        case .invalidUTF8: "invalid UTF-8"
        case .loneSurrogate: "an escaped surrogate stands alone"
        case .tooDeep(let limit): "more than \(limit) levels"
        case .textTooLong(let limit): "a text of more than \(limit) bytes"
        case .numberTooLong(let limit): "a number of more than \(limit) characters"
        case .valueTooLarge(let limit): "a value of more than \(limit) bytes"
        case .duplicateKey(let key): "the key \"\(key)\" stands twice in one object"
        case .noRows: "no rows: expected an array of objects, an object with such an array, or one object a line"
        case .rowIsNoObject: "a row must be an object"
        case .unreadable(let words): words
        }
    }
}
