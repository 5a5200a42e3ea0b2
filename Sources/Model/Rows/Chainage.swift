/// Chainage as people write it: kilometres, plus, metres. Expressions, queries and drawings read it
/// here.
package enum Chainage {
    /// `12+300` is 12300, `0+045.50` is 45.5: one to six digits, three digits, up to nine decimals.
    /// Nil for anything else.
    package static func metres(_ text: String?) -> Double? {
        guard var text else { return nil }
        return text.withUTF8 { bytes in metres(count: bytes.count) { unsafe bytes[$0] } }
    }

    /// The same from bytes, wherever they are kept.
    static func metres(count: Int, byte: (Int) -> UInt8) -> Double? {
        var index = 0
        func digits(_ allowed: ClosedRange<Int>) -> Double? {
            let start = index
            var number = 0.0
            while index < count, (UInt8(ascii: "0")...UInt8(ascii: "9")).contains(byte(index)) {
                number = number * 10 + Double(byte(index) - UInt8(ascii: "0"))
                index += 1
            }
            return allowed.contains(index - start) ? number : nil
        }
        guard let kilometres = digits(1...6), index < count, byte(index) == UInt8(ascii: "+") else { return nil }
        index += 1
        guard let metres = digits(3...3) else { return nil }
        guard index < count else { return kilometres * 1000 + metres }
        guard byte(index) == UInt8(ascii: ".") else { return nil }
        index += 1
        let start = index
        guard let fraction = digits(1...9), index == count else { return nil }
        let scale = ExpressionArithmetic.powersOfTen[index - start]
        return ((kilometres * 1000 + metres) * scale + fraction) / scale
    }
}
