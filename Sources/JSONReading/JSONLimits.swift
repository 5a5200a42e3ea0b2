/// Bounds within which a JSON text is read: input is hostile until it proves otherwise.
package struct JSONLimits: Sendable, Hashable {
    /// Arrays and objects inside one another.
    package var depth: Int
    /// Bytes of one text or key, after its escapes are resolved.
    package var textBytes: Int
    /// Characters of one number.
    package var numberLength: Int
    /// Bytes of one whole value: the document in `JSONValue.parse`, one row in `JSONRows`.
    package var valueBytes: Int
    /// Whether an object may name a key twice; both members are kept then. RFC 8259 allows it and leaves open which one counts,
    /// so that by default it is a mistake.
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

    package static let standard = JSONLimits()
}
