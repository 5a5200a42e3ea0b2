package import Foundation

/// A UUID as text: 8-4-4-4-12 lower-case hexadecimal digits (RFC 9562, 4).
package enum UUIDText {
    /// Whether a text is a UUID of any version as the replica stores it, in lower case.
    @inlinable package static func isCanonical(_ text: Span<UInt8>) -> Bool {
        guard text.count == 36 else { return false }
        for index in 0..<36 {
            let byte = text[index]
            if index == 8 || index == 13 || index == 18 || index == 23 {
                guard byte == UInt8(ascii: "-") else { return false }
            } else {
                guard byte &- UInt8(ascii: "0") < 10 || byte &- UInt8(ascii: "a") < 6 else { return false }
            }
        }
        return true
    }

    /// The text of a UUID's two halves.
    package static func make(_ high: UInt64, _ low: UInt64) -> String {
        unsafe String(unsafeUninitializedCapacity: 36) { bytes in
            unsafe write(high, low, to: UnsafeMutableRawBufferPointer(bytes))
            return 36
        }
    }

    /// Appends the text to a buffer without a `String`, because an import makes two ids for each
    /// row.
    package static func append(_ high: UInt64, _ low: UInt64, to bytes: inout [UInt8]) {
        let start = bytes.count
        bytes.append(contentsOf: repeatElement(UInt8(ascii: "-"), count: 36))
        unsafe bytes.withUnsafeMutableBytes {
            unsafe write(high, low, to: UnsafeMutableRawBufferPointer(rebasing: $0[start...]))
        }
    }

    private static func write(_ high: UInt64, _ low: UInt64, to room: UnsafeMutableRawBufferPointer) {
        let first = digits(of: UInt32(truncatingIfNeeded: high >> 32)),
            second = digits(of: UInt32(truncatingIfNeeded: high))
        let third = digits(of: UInt32(truncatingIfNeeded: low >> 32)),
            fourth = digits(of: UInt32(truncatingIfNeeded: low))
        unsafe room.storeBytes(of: first, toByteOffset: 0, as: UInt64.self)
        for place in [8, 13, 18, 23] { unsafe room[place] = UInt8(ascii: "-") }
        unsafe room.storeBytes(of: UInt32(truncatingIfNeeded: second), toByteOffset: 9, as: UInt32.self)
        unsafe room.storeBytes(of: UInt32(truncatingIfNeeded: second >> 32), toByteOffset: 14, as: UInt32.self)
        unsafe room.storeBytes(of: UInt32(truncatingIfNeeded: third), toByteOffset: 19, as: UInt32.self)
        unsafe room.storeBytes(of: UInt32(truncatingIfNeeded: third >> 32), toByteOffset: 24, as: UInt32.self)
        unsafe room.storeBytes(of: fourth, toByteOffset: 28, as: UInt64.self)
    }

    /// The eight lower-case digits of a number, with the first digit in the lowest byte. All are
    /// made at once, one in each byte.
    private static func digits(of number: UInt32) -> UInt64 {
        var nibbles = UInt64(number.byteSwapped)
        nibbles = (nibbles | nibbles << 16) & 0x0000_FFFF_0000_FFFF
        nibbles = (nibbles | nibbles << 8) & 0x00FF_00FF_00FF_00FF
        nibbles = (nibbles >> 4 | nibbles << 8) & 0x0F0F_0F0F_0F0F_0F0F
        // Adding six to a byte above nine sets its bit 4. The letter `a` is 39 after the byte that
        // follows `9`.
        let letters = ((nibbles &+ 0x0606_0606_0606_0606) >> 4) & 0x0101_0101_0101_0101
        return (nibbles &+ 0x3030_3030_3030_3030 &+ letters &* 39).littleEndian
    }
}

/// Makes ids that sort by time: 48 bits of Unix milliseconds, version and variant bits, the rest
/// random (RFC 9562, 5.7).
package enum UUIDv7 {
    package static func make(at date: Date = Date()) -> String {
        var generator = SystemRandomNumberGenerator()
        return make(at: date, using: &generator)
    }

    package static func make(at date: Date, using generator: inout some RandomNumberGenerator) -> String {
        let milliseconds = UInt64(max(0, (date.timeIntervalSince1970 * 1000).rounded(.down))) & 0xFFFF_FFFF_FFFF
        let high = milliseconds << 16 | 0x7000 | UInt64.random(in: 0...0xFFF, using: &generator)
        let low = 0x8000_0000_0000_0000 | UInt64.random(in: 0...0x3FFF_FFFF_FFFF_FFFF, using: &generator)
        return UUIDText.make(high, low)
    }
}
