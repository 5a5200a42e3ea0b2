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
}
