/// The bounds for reading a JSON text; every input is regarded as hostile.
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
    /// `JSONDocument` the first. RFC 8259 allows it but does not say which one counts, so it is a
    /// mistake by default.
    package var allowsDuplicateKeys: Bool

    package init(
        depth: Int = 200, textBytes: Int = 4 << 20, numberLength: Int = 400, valueBytes: Int = 16 << 20, allowsDuplicateKeys: Bool = false
    ) {
        self.depth = depth
        self.textBytes = textBytes
        self.numberLength = numberLength
        self.valueBytes = valueBytes
        self.allowsDuplicateKeys = allowsDuplicateKeys
    }

    /// Of what comes from outside.
    package static let standard = JSONLimits()
    /// Of what is in the replica or in the central database already: a text may be as long as there.
    package static let stored = JSONLimits(textBytes: 256 << 20, numberLength: 150_000, valueBytes: 1 << 30)
}
