import Foundation
import Model

/// UUIDs of version 7 of one instant, each greater than the one before by a random step (RFC 9562, 6.2, method 2): rows that get them
/// one after the other go to the end of their index.
final class RisingIDs {
    private let milliseconds: UInt64
    private var high: UInt64
    private var low: UInt64
    private var generator = SystemRandomNumberGenerator()
    /// Steps drawn ahead: to ask the kernel for each takes longer than all else.
    private var steps: [UInt32] = []

    init(at date: Date) {
        milliseconds = UInt64(max(0, (date.timeIntervalSince1970 * 1000).rounded(.down))) & 0xFFFF_FFFF_FFFF
        high = UInt64.random(in: 0...0x7FF, using: &generator)
        low = UInt64.random(in: 0...0x3FFF_FFFF_FFFF_FFFF, using: &generator)
    }

    func next() -> String {
        var bytes: [UInt8] = []
        appendNext(to: &bytes)
        return String(decoding: bytes, as: UTF8.self)
    }

    func appendNext(to bytes: inout [UInt8]) {
        if steps.isEmpty {
            for _ in 0..<128 {
                let drawn = generator.next()
                steps.append(UInt32(truncatingIfNeeded: drawn >> 32))
                steps.append(UInt32(truncatingIfNeeded: drawn))
            }
        }
        low += UInt64(max(1, steps.removeLast()))
        if low > 0x3FFF_FFFF_FFFF_FFFF {
            low &= 0x3FFF_FFFF_FFFF_FFFF
            high += 1
        }
        UUIDText.append(milliseconds << 16 | 0x7000 | (high & 0xFFF), 0x8000_0000_0000_0000 | low, to: &bytes)
    }
}
