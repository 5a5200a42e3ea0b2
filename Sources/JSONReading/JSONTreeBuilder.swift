import Digests

/// Builds values from events.
final class JSONTreeBuilder: JSONEventSink {
    /// An array or object that is not closed yet.
    private struct Open {
        var items: [JSONValue] = []
        var members: [JSONValue.Member] = []
        /// Only filled if there are many members, because comparing a few one by one is faster.
        var keys: Set<String> = []
        var key: String?
        let isObject: Bool
    }

    private static let fewMembers = 16

    /// The value, once it is complete.
    private(set) var finished: JSONValue?
    private var open: [Open] = []
    private let limits: JSONLimits

    init(limits: JSONLimits) {
        self.limits = limits
    }

    func take(_ event: JSONEvent, _ bytes: Span<UInt8>, from parser: JSONParser) throws(JSONMistake.Reason) {
        switch event {
        case .null: add(.null)
        case .yes: add(.bool(true))
        case .no: add(.bool(false))
        case .number: add(.number(String(utf8: bytes)))
        case .string: add(.string(String(utf8: bytes)))
        case .startObject: open.append(Open(isObject: true))
        case .startArray: open.append(Open(isObject: false))
        case .key: try begin(String(utf8: bytes))
        case .endArray, .endObject:
            guard let closed = open.popLast() else { return }
            add(closed.isObject ? .object(closed.members) : .array(closed.items))
        }
    }

    private func begin(_ key: String) throws(JSONMistake.Reason) {
        guard let last = open.indices.last else { return }
        if !limits.allowsDuplicateKeys {
            let count = open[last].members.count
            if count == Self.fewMembers {
                open[last].keys = Set(open[last].members.map(\.key))
            }
            let isKnown =
                count < Self.fewMembers
                ? open[last].members.contains { $0.key == key } : !open[last].keys.insert(key).inserted
            if isKnown { throw .duplicateKey(key) }
        }
        open[last].key = key
    }

    private func add(_ value: JSONValue) {
        guard let last = open.indices.last else {
            finished = value
            return
        }
        if open[last].isObject {
            open[last].members.append(.init(key: open[last].key ?? "", value: value))
            open[last].key = nil
        } else {
            open[last].items.append(value)
        }
    }
}

/// The limits for reading a JSON text; every input is treated as hostile.
package struct JSONLimits: Sendable, Hashable {
    /// Depth of nested arrays and objects.
    package var depth: Int
    /// Bytes of one text or key, after its escapes are resolved.
    package var textBytes: Int
    /// Characters of one number.
    package var numberLength: Int
    /// Bytes of one whole value: the document in `JSONValue.parse`, one row in `JSONRows`.
    package var valueBytes: Int
    /// Whether an object may contain a key twice; `JSONValue` then keeps both members,
    /// `JSONDocument` the first. RFC 8259 does not define which of them counts, so a repeated key
    /// is a mistake by default.
    package var allowsDuplicateKeys: Bool

    package init(
        depth: Int = 200, textBytes: Int = 4 << 20, numberLength: Int = 400, valueBytes: Int = 16 << 20,
        allowsDuplicateKeys: Bool = false
    ) {
        self.depth = depth
        self.textBytes = textBytes
        self.numberLength = numberLength
        self.valueBytes = valueBytes
        self.allowsDuplicateKeys = allowsDuplicateKeys
    }

    /// The limits for untrusted input.
    package static let standard = JSONLimits()
    /// The limits for values of the replica or the central database, which may have long texts.
    package static let stored = JSONLimits(textBytes: 256 << 20, numberLength: 150_000, valueBytes: 1 << 30)
}

/// One JSON value as a flat list of tokens over its bytes; used to read millions of cells without
/// making a `String` for each.
///
/// A document can be filled repeatedly, and reuses its memory. The texts in `bytes` have their
/// escapes resolved and are valid UTF-8. If the limits allow equal keys in one object, the first
/// counts.
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

    /// Reads one value, which must take up all of the given bytes. After a mistake the document is
    /// empty.
    package mutating func read(_ text: [UInt8], in range: Range<Int>? = nil, limits: JSONLimits = .standard)
        throws(JSONMistake)
    {
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

    /// A hash for fast lookup of names; equal hashes do not mean equal names.
    @inlinable package static func hash(_ bytes: Span<UInt8>, _ range: Range<Int>) -> UInt32 {
        QuickDigest.Short(bytes.extracting(range)).value
    }

    /// A text without its quotes, or any other value as written; cut off after `limit` bytes.
    package func text(_ token: Int, limit: Int = 400) -> String {
        let range = tokens[token].range
        return String(decoding: bytes[range.prefix(limit)], as: UTF8.self)
    }
}
