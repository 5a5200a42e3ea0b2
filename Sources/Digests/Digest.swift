/// A SHA-256 sum: 32 bytes, stored as four big-endian numbers.
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

extension Sequence<UInt8> {
    /// Two digits for each byte.
    package var hexadecimal: String {
        let digits = Array("0123456789abcdef".utf8)
        var text: [UInt8] = []
        text.reserveCapacity(2 * underestimatedCount)
        for byte in self {
            text.append(digits[Int(byte >> 4)])
            text.append(digits[Int(byte & 15)])
        }
        return String(decoding: text, as: UTF8.self)
    }
}

extension UInt64 {
    /// Appends all sixteen digits.
    package func appendHexadecimal(to text: inout [UInt8]) {
        for shift in stride(from: 60, through: 0, by: -4) {
            let digit = UInt8(truncatingIfNeeded: self >> UInt64(shift)) & 15
            text.append(digit < 10 ? UInt8(ascii: "0") + digit : UInt8(ascii: "a") - 10 + digit)
        }
    }
}

extension BinaryInteger {
    /// Hexadecimal digits, padded with leading zeros to this width.
    package func hexadecimal(_ width: Int = 1) -> String {
        let digits = String(self, radix: 16)
        return String(repeating: "0", count: max(0, width - digits.count)) + digits
    }
}

/// A fast hash of bytes (FNV-1a), for hash tables and for detecting accidental changes. Anyone can
/// make two texts with the same hash; use `SHA256` as a proof.
package struct QuickDigest: Sendable {
    package var value: UInt64

    @inlinable package init() { value = 0xcbf2_9ce4_8422_2325 }

    @inlinable @inline(__always) package mutating func add(_ byte: UInt8) { add(word: UInt64(byte)) }

    /// Adds eight bytes in one step. The result differs from that of adding them one by one.
    @inlinable @inline(__always) package mutating func add(word: UInt64) {
        value = (value ^ word) &* 0x0000_0100_0000_01b3
    }

    @inlinable @inline(__always) package mutating func add(_ bytes: Span<UInt8>) {
        for index in bytes.indices { add(bytes[index]) }
    }

    @inlinable @inline(__always) package mutating func add(_ text: String) {
        for byte in text.utf8 { add(byte) }
    }

    /// FNV-1a with 32 bits, for hash tables in memory and for names.
    package struct Short: Sendable {
        package var value: UInt32

        @inlinable package init() { value = 2_166_136_261 }

        @inlinable package init(_ bytes: Span<UInt8>) {
            self.init()
            for index in bytes.indices { add(bytes[index]) }
        }

        @inlinable @inline(__always) package mutating func add(_ byte: UInt8) {
            value = (value ^ UInt32(byte)) &* 16_777_619
        }
    }
}
