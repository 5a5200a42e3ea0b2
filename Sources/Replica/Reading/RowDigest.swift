import Digests

/// How many rows there are, and one number for all their texts. Equal rows in equal order give an
/// equal digest. It only has to detect accidental changes.
struct RowDigest {
    private var count = 0
    private var digest = QuickDigest()

    mutating func add(_ text: String) { digest.add(text) }

    /// Tells where a text ends, if a row has several.
    mutating func endText() { digest.add(0) }

    mutating func endRow() { count += 1 }

    var text: String { "\(count) \(digest.value.hexadecimal())" }
}
