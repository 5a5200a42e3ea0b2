import Foundation

/// Numbers that look random but are the same in every run (SplitMix64; Steele, Lea and Flood 2014).
package struct SeededNumbers: RandomNumberGenerator, Sendable {
    private var state: UInt64

    package init(_ seed: some BinaryInteger) { state = UInt64(truncatingIfNeeded: seed) }

    package mutating func next() -> UInt64 {
        state &+= 0x9E37_79B9_7F4A_7C15
        var mixed = state
        mixed = (mixed ^ mixed >> 30) &* 0xBF58_476D_1CE4_E5B9
        mixed = (mixed ^ mixed >> 27) &* 0x94D0_49BB_1331_11EB
        return mixed ^ mixed >> 31
    }

    /// Bytes of which no two pieces of an upload are the same.
    package static func bytes(_ count: Int, seed: some BinaryInteger) -> [UInt8] {
        var random = SeededNumbers(seed)
        let block = (0..<8191).map { _ in UInt8.random(in: 0...255, using: &random) }
        var bytes: [UInt8] = []
        while bytes.count < count { bytes += block.prefix(count - bytes.count) }
        return bytes
    }

    /// Removes up to two bytes of a text, and adds or replaces some with bytes of the alphabet.
    package mutating func damage(_ text: inout [UInt8], with alphabet: [UInt8]) {
        for _ in 0..<Int.random(in: 0...2, using: &self) {
            let index = Int.random(in: 0..<text.count, using: &self)
            switch Int.random(in: 0..<3, using: &self) {
            case 0: text.remove(at: index)
            case 1: text.insert(alphabet.randomElement(using: &self) ?? 0, at: index)
            default: text[index] = alphabet.randomElement(using: &self) ?? 0
            }
        }
    }

    /// The seeds of a property, for the arguments of a test. Every change tries the first of them; a campaign all, and one
    /// of its own.
    package static func seeds(_ known: UInt64...) -> [UInt64] {
        guard let own = ProcessInfo.processInfo.environment["FICHERO_SEED"].flatMap(UInt64.init) else { return Array(known.prefix(1)) }
        return known + [own]
    }
}
