import Foundation
import Model

#if canImport(Glibc)
    import Glibc
#elseif canImport(Musl)
    import Musl
#endif

/// UUIDs of version 7 for one instant, each greater than the last by a random step (RFC 9562, 6.2,
/// method 2). Rows with successive UUIDs are appended at the end of their index.
final class RisingIDs {
    private var last: Last

    init(at date: Date) {
        last = Last(milliseconds: UInt64(max(0, (date.timeIntervalSince1970 * 1000).rounded(.down))) & 0xFFFF_FFFF_FFFF)
    }

    func next() -> String {
        var bytes: [UInt8] = []
        appendNext(to: &bytes)
        return String(decoding: bytes, as: UTF8.self)
    }

    func appendNext(to bytes: inout [UInt8]) { last.appendNext(to: &bytes) }

    private struct Last {
        let milliseconds: UInt64
        var high = UInt64.random(in: 0...0x7FF)
        var low = UInt64.random(in: 0...0x3FFF_FFFF_FFFF_FFFF)
        /// Random steps, fetched many at a time: a kernel call for each step would take longer than
        /// all other work.
        var steps: [UInt32] = []

        init(milliseconds: UInt64) { self.milliseconds = milliseconds }

        mutating func appendNext(to bytes: inout [UInt8]) {
            if steps.isEmpty { drawSteps() }
            low += UInt64(max(1, steps.removeLast()))
            if low > 0x3FFF_FFFF_FFFF_FFFF {
                low &= 0x3FFF_FFFF_FFFF_FFFF
                high += 1
            }
            UUIDText.append(milliseconds << 16 | 0x7000 | (high & 0xFFF), 0x8000_0000_0000_0000 | low, to: &bytes)
        }

        /// One call supplies at most 256 bytes.
        private mutating func drawSteps() {
            steps = unsafe [UInt32](unsafeUninitializedCapacity: 64) { room, count in
                count = unsafe getentropy(room.baseAddress, 256) == 0 ? 64 : 0
            }
            // Fallback for a kernel without this call.
            while steps.count < 64 { steps.append(.random(in: .min ... .max)) }
        }
    }
}
