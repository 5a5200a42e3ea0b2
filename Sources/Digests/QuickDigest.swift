/// A number made of many bytes, quickly (FNV-1a). It serves hash tables and finds accidental
/// changes. It proves nothing, because two texts with the same number are easily made; use `SHA256`
/// for proof.
package struct QuickDigest: Sendable {
    package var value: UInt64

    @inlinable package init() { value = 0xcbf2_9ce4_8422_2325 }

    @inlinable @inline(__always) package mutating func add(_ byte: UInt8) { add(word: UInt64(byte)) }

    /// Adds eight bytes in one step. The result differs from that of adding them one by one.
    @inlinable @inline(__always) package mutating func add(word: UInt64) { value = (value ^ word) &* 0x0000_0100_0000_01b3 }

    @inlinable @inline(__always) package mutating func add(_ bytes: Span<UInt8>) {
        for index in bytes.indices { add(bytes[index]) }
    }

    @inlinable @inline(__always) package mutating func add(_ text: String) {
        for byte in text.utf8 { add(byte) }
    }

    /// The same digest with 32 bits, for hash tables in memory and for names.
    package struct Short: Sendable {
        package var value: UInt32

        @inlinable package init() { value = 2_166_136_261 }

        @inlinable package init(_ bytes: Span<UInt8>) {
            self.init()
            for index in bytes.indices { add(bytes[index]) }
        }

        @inlinable @inline(__always) package mutating func add(_ byte: UInt8) { value = (value ^ UInt32(byte)) &* 16_777_619 }
    }
}
