/// A SHA-256 sum: 32 bytes, as four numbers with the highest byte in front.
package struct Digest: Sendable, Hashable {
    package let first, second, third, fourth: UInt64

    package static let byteCount = 32

    package var bytes: [UInt8] {
        var bytes: [UInt8] = []
        bytes.reserveCapacity(Self.byteCount)
        append(to: &bytes)
        return bytes
    }

    package func append(to bytes: inout [UInt8]) {
        func append(_ word: UInt64) {
            for shift in stride(from: 56, through: 0, by: -8) {
                bytes.append(UInt8(truncatingIfNeeded: word >> UInt64(shift)))
            }
        }
        append(first)
        append(second)
        append(third)
        append(fourth)
    }

    /// 64 hexadecimal digits, lower case: the form in which sums are recorded.
    package var hexadecimal: String { bytes.hexadecimal }
}
