/// A SHA-256 sum: 32 bytes, as four numbers with the highest byte in front.
package struct Digest: Sendable, Hashable {
    package let first, second, third, fourth: UInt64

    package static let byteCount = 32

    package var bytes: [UInt8] {
        [first, second, third, fourth].flatMap { word in (0..<8).map { UInt8(truncatingIfNeeded: word >> (56 - 8 * $0)) } }
    }

    /// 64 hexadecimal digits, lower case: the form in which sums are recorded.
    package var hexadecimal: String { bytes.hexadecimal }
}
