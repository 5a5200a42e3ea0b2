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
        return dashed(hexadecimal(high) + hexadecimal(low))
    }

    private static func hexadecimal(_ word: UInt64) -> String {
        let digits = String(word, radix: 16)
        return String(repeating: "0", count: 16 - digits.count) + digits
    }

    private static func dashed(_ digits: String) -> String {
        let parts = [0..<8, 8..<12, 12..<16, 16..<20, 20..<32]
        let characters = Array(digits)
        return parts.map { String(characters[$0]) }.joined(separator: "-")
    }
}
