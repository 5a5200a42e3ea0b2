import Digests

/// One JSON value as a flat list of tokens over its bytes; millions of cells are read into it
/// without making a `String`.
///
/// A document can be filled again and again, and keeps its memory. The texts in `bytes` have their
/// escapes resolved and are valid UTF-8. Of two equal keys in one object the first counts, if the
/// limits allow them at all.
package struct JSONDocument: Sendable {
    package enum Kind: UInt8, Sendable {
        case null, no, yes, number, string, array, object
    }

    /// A value or a key. The members of an object follow it as key and value in turn, the items of
    /// an array one after the other.
    package struct Token: Sendable {
        package var kind: Kind
        /// The bytes of a text without its quotes, or of any other value as it was written.
        @usableFromInline var start: UInt32
        @usableFromInline var length: UInt32
        /// Index of the token after this value and its contents.
        @usableFromInline var next: UInt32
        /// For a text, `JSONDocument.hash` of its bytes; for an array or object, the number of
        /// items or members.
        package var number: UInt32

        @inlinable package var range: Range<Int> { Int(start)..<Int(start) + Int(length) }
        @inlinable package var end: Int { Int(next) }
        @inlinable package var count: Int { Int(number) }
    }

    package internal(set) var tokens: [Token] = []
    package internal(set) var bytes: [UInt8] = []

    package init() {}

    package init(_ value: JSONValue) throws(JSONMistake) {
        try read(Array(value.description.utf8))
    }

    /// Reads a value that takes up all of the given bytes; after a mistake the document is empty.
    package mutating func read(_ text: [UInt8], in range: Range<Int>? = nil, limits: JSONLimits = .standard) throws(JSONMistake) {
        tokens.removeAll(keepingCapacity: true)
        bytes.removeAll(keepingCapacity: true)
        let range = range ?? 0..<text.count
        guard range.count <= min(limits.valueBytes, 1 << 30) else {
            throw JSONMistake(reason: .valueTooLarge(limit: limits.valueBytes), offset: 0, line: 1, column: 1)
        }
        bytes.append(contentsOf: text[range])
        do throws(JSONMistake) {
            var reader = JSONDocumentReader(count: range.count, limits: limits)
            try reader.read(&tokens, &bytes)
        } catch {
            tokens.removeAll(keepingCapacity: true)
            throw error
        }
    }

    /// For fast lookup of names; equal hashes do not mean equal names.
    @inlinable package static func hash(_ bytes: Span<UInt8>, _ range: Range<Int>) -> UInt32 {
        QuickDigest.Short(bytes.extracting(range)).value
    }

    /// A text without quotes, any other value as it was written; about `limit` bytes of it at most.
    package func text(_ token: Int, limit: Int = 400) -> String {
        let range = tokens[token].range
        return String(decoding: bytes[range.prefix(limit)], as: UTF8.self)
    }
}
