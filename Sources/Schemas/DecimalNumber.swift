/// A decimal number exactly as written, for bounds and steps: 0.3 is a multiple of 0.1, but not in
/// binary.
///
/// Numbers of up to 18 digits, which are nearly all, need no allocation.
package struct DecimalNumber: Sendable, Hashable {
    private let isNegative: Bool
    /// The digits without zeros at either end, as a whole number; 0 if they are in `digits`.
    private let magnitude: UInt64
    private let digitCount: Int
    /// The digits, if there are more than 18.
    private let digits: [UInt8]
    /// The power of ten by which the digits, as a whole number, are multiplied.
    private let exponent: Int

    private static let fewDigits = 18
    private static let largestExponent = 1000
    package static let zero = DecimalNumber(isNegative: false, magnitude: 0, digitCount: 0, digits: [], exponent: 0)

    private init(isNegative: Bool, magnitude: UInt64, digitCount: Int, digits: [UInt8], exponent: Int) {
        (self.isNegative, self.magnitude, self.digitCount) = (isNegative, magnitude, digitCount)
        (self.digits, self.exponent) = (digits, exponent)
    }

    /// Reads a number in JSON's form; nil for other texts, and for exponents beyond a thousand.
    package init?(_ text: String) {
        let bytes = Array(text.utf8)
        self.init(bytes.span, 0..<bytes.count)
    }

    package init?(_ bytes: Span<UInt8>, _ range: Range<Int>) {
        var index = range.lowerBound
        let end = range.upperBound
        let isNegative = index < end && bytes[index] == UInt8(ascii: "-")
        if isNegative { index += 1 }
        var (magnitude, count, zeros, exponent) = (0 as UInt64, 0, 0, 0)
        var digits: [UInt8] = []
        var (seenPoint, seenDigit) = (false, false)
        while index < end, bytes[index] | 0x20 != UInt8(ascii: "e") {
            let byte = bytes[index]
            index += 1
            if byte == UInt8(ascii: "."), !seenPoint {
                seenPoint = true
                continue
            }
            let digit = byte &- UInt8(ascii: "0")
            guard digit <= 9 else { return nil }
            seenDigit = true
            if seenPoint { exponent -= 1 }
            if digit == 0 {
                if count > 0 { zeros += 1 }
                continue
            }
            // Zeros count only if another digit follows them.
            if digits.isEmpty, count + zeros + 1 <= Self.fewDigits {
                magnitude = magnitude * Self.power(zeros + 1) + UInt64(digit)
            } else {
                if digits.isEmpty { digits = Self.digits(of: magnitude, count) }
                digits += Array(repeating: 0, count: zeros) + [digit]
            }
            count += zeros + 1
            zeros = 0
        }
        guard seenDigit else { return nil }
        if index < end {
            guard let power = Self.exponent(bytes, (index + 1)..<end) else { return nil }
            exponent += power
        }
        let isZero = count == 0
        self.init(
            isNegative: isNegative && !isZero, magnitude: digits.isEmpty ? magnitude : 0, digitCount: count,
            digits: digits, exponent: isZero ? 0 : exponent + zeros)
    }

    /// The exponent after the `e`; nil if it is not a number, or is beyond the largest.
    private static func exponent(_ bytes: Span<UInt8>, _ range: Range<Int>) -> Int? {
        var (index, power) = (range.lowerBound, 0)
        let end = range.upperBound
        let isBelow = index < end && bytes[index] == UInt8(ascii: "-")
        if index < end, isBelow || bytes[index] == UInt8(ascii: "+") { index += 1 }
        guard index < end else { return nil }
        while index < end {
            let digit = bytes[index] &- UInt8(ascii: "0")
            guard digit <= 9 else { return nil }
            power = min(power * 10 + Int(digit), largestExponent + 1)
            index += 1
        }
        guard power <= largestExponent else { return nil }
        return isBelow ? -power : power
    }

    package var isZero: Bool { digitCount == 0 }
    package var isPositive: Bool { !isZero && !isNegative }
    /// Whether the number has no decimals: `3.0` is whole.
    package var isWhole: Bool { exponent >= 0 }

    package static func < (left: DecimalNumber, right: DecimalNumber) -> Bool { left.order(right) < 0 }
    package static func > (left: DecimalNumber, right: DecimalNumber) -> Bool { left.order(right) > 0 }

    /// Negative, zero or positive, if this is less than, equal to or greater than the other.
    package func order(_ other: DecimalNumber) -> Int {
        let (sign, otherSign) = (isZero ? 0 : isNegative ? -1 : 1, other.isZero ? 0 : other.isNegative ? -1 : 1)
        guard sign == otherSign else { return sign - otherSign }
        guard sign != 0 else { return 0 }
        return sign * magnitudeOrder(other)
    }

    private func magnitudeOrder(_ other: DecimalNumber) -> Int {
        let (length, otherLength) = (digitCount + exponent, other.digitCount + other.exponent)
        guard length == otherLength else { return length < otherLength ? -1 : 1 }
        if digits.isEmpty, other.digits.isEmpty {
            // Both have the same length before the point, so both fit once they have the same
            // exponent.
            let least = min(exponent, other.exponent)
            let (left, right) = (
                magnitude * Self.power(exponent - least), other.magnitude * Self.power(other.exponent - least)
            )
            return left == right ? 0 : left < right ? -1 : 1
        }
        let (left, right) = (allDigits, other.allDigits)
        for (digit, otherDigit) in zip(left, right) where digit != otherDigit { return digit < otherDigit ? -1 : 1 }
        return left.count == right.count ? 0 : left.count < right.count ? -1 : 1
    }

    /// Whether the number has few enough digits to be a step for `isMultiple`.
    package var canBeStep: Bool { isPositive && digits.isEmpty }

    /// Whether this is `origin` plus a whole multiple of `step`; nil if the step has too many
    /// digits for the calculation.
    package func isMultiple(of step: DecimalNumber, from origin: DecimalNumber = .zero) -> Bool? {
        guard !step.isZero, step.digits.isEmpty else { return nil }
        // A number with more decimals than both others is never a multiple.
        if !isZero, exponent < step.exponent, origin.isZero || exponent < origin.exponent { return false }
        // All three as whole numbers of the smallest unit among them. Only remainders are
        // calculated, so that nothing overflows.
        var unit = step.exponent
        if !isZero { unit = min(unit, exponent) }
        if !origin.isZero { unit = min(unit, origin.exponent) }
        guard step.exponent - unit <= Self.fewDigits else { return nil }
        let (modulus, overflow) = step.magnitude.multipliedReportingOverflow(by: Self.power(step.exponent - unit))
        guard !overflow, modulus < 1 << 63 else { return nil }
        return remainder(modulus, unit) == origin.remainder(modulus, unit)
    }

    /// This number, in the given unit, modulo another; never negative.
    private func remainder(_ modulus: UInt64, _ unit: Int) -> UInt64 {
        guard !isZero else { return 0 }
        var remainder = magnitude % modulus
        for digit in digits { remainder = (Self.product(remainder, 10, modulus) + UInt64(digit)) % modulus }
        var (power, base) = (exponent - unit, 10 % modulus)
        while power > 0 {
            if power & 1 == 1 { remainder = Self.product(remainder, base, modulus) }
            base = Self.product(base, base, modulus)
            power >>= 1
        }
        return isNegative && remainder > 0 ? modulus - remainder : remainder
    }

    private static func product(_ left: UInt64, _ right: UInt64, _ modulus: UInt64) -> UInt64 {
        let product = left.multipliedFullWidth(by: right)
        return product.high == 0 ? product.low % modulus : modulus.dividingFullWidth(product).remainder
    }

    private var allDigits: [UInt8] { digits.isEmpty ? Self.digits(of: magnitude, digitCount) : digits }

    private static func digits(of number: UInt64, _ count: Int) -> [UInt8] {
        var digits = [UInt8](repeating: 0, count: count)
        var rest = number
        for index in digits.indices.reversed() {
            digits[index] = UInt8(truncatingIfNeeded: rest % 10)
            rest /= 10
        }
        return digits
    }

    /// Ten to a power of at most 18.
    private static func power(_ exponent: Int) -> UInt64 {
        var power: UInt64 = 1
        for _ in 0..<min(max(exponent, 0), fewDigits) { power *= 10 }
        return power
    }
}
