package import Foundation

/// Makes ids that sort by time: 48 bits of Unix milliseconds, version and variant bits, the rest random (RFC 9562, 5.7).
package enum UUIDv7 {
    package static func make(at date: Date = Date()) -> String {
        var generator = SystemRandomNumberGenerator()
        return make(at: date, using: &generator)
    }

    package static func make(at date: Date, using generator: inout some RandomNumberGenerator) -> String {
        let milliseconds = UInt64(max(0, (date.timeIntervalSince1970 * 1000).rounded(.down))) & 0xFFFF_FFFF_FFFF
        let high = milliseconds << 16 | 0x7000 | UInt64.random(in: 0...0xFFF, using: &generator)
        let low = 0x8000_0000_0000_0000 | UInt64.random(in: 0...0x3FFF_FFFF_FFFF_FFFF, using: &generator)
        return text(high, low)
    }

    /// The text of the two halves of a UUID: 8-4-4-4-12 lower-case digits. An import makes two ids for each row, so they are written straight into the string.
    package static func text(_ high: UInt64, _ low: UInt64) -> String {
        unsafe String(unsafeUninitializedCapacity: 36) { bytes in
            var position = 0
            for index in 0..<32 {
                if index == 8 || index == 12 || index == 16 || index == 20 {
                    unsafe bytes[position] = UInt8(ascii: "-")
                    position += 1
                }
                let word = index < 16 ? high : low
                let digit = UInt8(truncatingIfNeeded: word >> UInt64(60 - index % 16 * 4) & 15)
                unsafe bytes[position] = digit < 10 ? UInt8(ascii: "0") + digit : UInt8(ascii: "a") + digit - 10
                position += 1
            }
            return position
        }
    }

    /// The same into a buffer.
    package static func append(_ high: UInt64, _ low: UInt64, to bytes: inout [UInt8]) {
        for index in 0..<32 {
            if index == 8 || index == 12 || index == 16 || index == 20 { bytes.append(UInt8(ascii: "-")) }
            let word = index < 16 ? high : low
            let digit = UInt8(truncatingIfNeeded: word >> UInt64(60 - index % 16 * 4) & 15)
            bytes.append(digit < 10 ? UInt8(ascii: "0") + digit : UInt8(ascii: "a") + digit - 10)
        }
    }
}
