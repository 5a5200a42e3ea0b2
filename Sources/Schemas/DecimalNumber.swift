/// A decimal number exactly as it was written, for bounds and steps: 0.3 is a multiple of 0.1, which in binary it is not.
struct DecimalNumber: Sendable, Hashable {
    private let isNegative: Bool
    /// Without zeros at either end; empty for zero.
    private let digits: [UInt8]
    /// The power of ten by which the digits, read as a whole number, are multiplied.
    private let exponent: Int

    /// Reads a number as JSON writes it; nil for anything else, and for exponents beyond a thousand.
    init?(_ text: String) {
        var bytes = Array(text.utf8)[...]
        isNegative = bytes.first == UInt8(ascii: "-")
        if isNegative { bytes = bytes.dropFirst() }
        var digits: [UInt8] = []
        var exponent = 0
        var seenPoint = false
        while let byte = bytes.first, byte != UInt8(ascii: "e"), byte != UInt8(ascii: "E") {
            bytes = bytes.dropFirst()
            if byte == UInt8(ascii: "."), !seenPoint {
                seenPoint = true
                continue
            }
            let digit = byte &- UInt8(ascii: "0")
            guard digit <= 9 else { return nil }
            digits.append(digit)
            if seenPoint { exponent -= 1 }
        }
        guard !digits.isEmpty else { return nil }
        if !bytes.isEmpty {
            guard let power = Int(String(decoding: bytes.dropFirst(), as: UTF8.self)), abs(power) <= 1000 else { return nil }
            exponent += power
        }
        while digits.last == 0 {
            digits.removeLast()
            exponent += 1
        }
        self.digits = Array(digits.drop { $0 == 0 })
        self.exponent = self.digits.isEmpty ? 0 : exponent
    }

    var isZero: Bool { digits.isEmpty }
    var isPositive: Bool { !isZero && !isNegative }
    /// Whether there is nothing after the decimal point: `3.0` is whole.
    var isWhole: Bool { exponent >= 0 }

    static func < (left: DecimalNumber, right: DecimalNumber) -> Bool { left.order(right) < 0 }
    static func > (left: DecimalNumber, right: DecimalNumber) -> Bool { left.order(right) > 0 }

    private func order(_ other: DecimalNumber) -> Int {
        let (sign, otherSign) = (isZero ? 0 : isNegative ? -1 : 1, other.isZero ? 0 : other.isNegative ? -1 : 1)
        guard sign == otherSign else { return sign - otherSign }
        guard sign != 0 else { return 0 }
        return sign * magnitudeOrder(other)
    }

    private func magnitudeOrder(_ other: DecimalNumber) -> Int {
        let (length, otherLength) = (digits.count + exponent, other.digits.count + other.exponent)
        guard length == otherLength else { return length < otherLength ? -1 : 1 }
        for (digit, otherDigit) in zip(digits, other.digits) where digit != otherDigit { return digit < otherDigit ? -1 : 1 }
        return digits.count == other.digits.count ? 0 : digits.count < other.digits.count ? -1 : 1
    }

    /// Whether this is `origin` plus a whole multiple of `step`; nil when the step has more digits than can be judged.
    func isMultiple(of step: DecimalNumber, from origin: DecimalNumber) -> Bool? {
        guard !step.isZero else { return nil }
        // More decimals than both of the others: never.
        if !isZero, exponent < step.exponent, origin.isZero || exponent < origin.exponent { return false }
        // All three as whole numbers of the smallest unit that any of them needs; only remainders are kept, so that nothing overflows.
        let unit = [self, step, origin].filter { !$0.isZero }.map(\.exponent).min() ?? 0
        var modulus: UInt64 = 0
        for digit in step.digits + Array(repeating: 0, count: min(step.exponent - unit, 40)) {
            let (product, overflow) = modulus.multipliedReportingOverflow(by: 10)
            guard !overflow, product < 1 << 59 else { return nil }
            modulus = product + UInt64(digit)
        }
        return remainder(modulus, unit) == origin.remainder(modulus, unit)
    }

    /// This, in the given unit, modulo a number; never negative.
    private func remainder(_ modulus: UInt64, _ unit: Int) -> UInt64 {
        guard !isZero else { return 0 }
        var remainder: UInt64 = 0
        for digit in digits { remainder = (remainder * 10 + UInt64(digit)) % modulus }
        for _ in 0..<(exponent - unit) { remainder = remainder * 10 % modulus }
        return isNegative && remainder > 0 ? modulus - remainder : remainder
    }
}
