// Appends numbers in one form, independent of the locale.

extension ByteBuffer {
    /// Appends an integer in decimal digits.
    @inlinable package mutating func append(_ value: Int64) {
        reserve(20)
        if value < 0 { append(UInt8(ascii: "-")) }
        appendDigits(value.magnitude)
    }

    @inlinable package mutating func append(_ value: Int) { append(Int64(value)) }

    @inlinable mutating func appendDigits(_ value: UInt64) {
        appendDigits(value, width: Self.digitCount(value))
    }

    /// Appends exactly `width` digits, with leading zeros.
    @inlinable package mutating func appendDigits(_ value: UInt64, width: Int) {
        reserve(width)
        var rest = value
        var position = length &+ width
        while position > length {
            position &-= 1
            let next = rest / 10
            unsafe base[position] = UInt8(truncatingIfNeeded: rest &- next &* 10) &+ UInt8(ascii: "0")
            rest = next
        }
        length &+= width
    }

    @inlinable static func digitCount(_ value: UInt64) -> Int {
        var count = 1
        var bound: UInt64 = 10
        while value >= bound {
            count &+= 1
            if count == 20 { break }
            bound &*= 10
        }
        return count
    }

    /// Appends a real number in the shortest form that reads back as the same number: `0.1`,
    /// `1250`, `6.02e+23`. Numbers that are not finite become `inf`, `-inf`, `nan`; a format with
    /// other words must test for them first. −0 becomes 0.
    ///
    /// Measurements have few decimals, so a fast path tries k = 3, 6 and 10 of them. Different
    /// decimals of at most fifteen digits are never read as the same number. So if v × 10^k rounds
    /// to n < 10^15, and n ÷ 10^k equals v, then n has the shortest form's digits. The standard
    /// library formats all other numbers.
    @inlinable package mutating func append(_ value: Double) {
        let size = value.magnitude
        if size < 1e15 {
            if value.rounded(.towardZero) == value { return append(Int64(value)) }
            if size < 1e12, appendDecimals(value, digits: 3, power: 1e3) { return }
            if size < 1e9, appendDecimals(value, digits: 6, power: 1e6) { return }
            if size < 1e5, appendDecimals(value, digits: 10, power: 1e10) { return }
        }
        appendDescription(value)
    }

    @inlinable mutating func appendDecimals(_ value: Double, digits: Int, power: Double) -> Bool {
        let scaled = (value.magnitude * power).rounded()
        guard scaled < 1e15, scaled / power == value.magnitude else { return false }
        reserve(24)
        if value < 0 { append(UInt8(ascii: "-")) }
        let whole = UInt64(scaled) / UInt64(power)
        appendDigits(whole)
        appendFraction(UInt64(scaled) &- whole &* UInt64(power), digits: digits)
        return true
    }

    /// Appends `.` and the digits of a fraction in units of 10^-digits, without trailing zeros;
    /// appends nothing if the fraction is zero.
    @inlinable package mutating func appendFraction(_ fraction: UInt64, digits: Int) {
        guard fraction != 0 else { return }
        var rest = fraction
        var width = digits
        while rest % 10 == 0 {
            rest /= 10
            width &-= 1
        }
        append(UInt8(ascii: "."))
        appendDigits(rest, width: width)
    }

    @usableFromInline mutating func appendDescription(_ value: Double) {
        var text = value.description
        text.withUTF8 { digits in
            // `description` ends whole numbers in `.0`.
            let isWhole = unsafe digits.count > 2 && digits[digits.count - 1] == UInt8(ascii: "0")
                && digits[digits.count - 2] == UInt8(ascii: ".")
            unsafe append(UnsafeBufferPointer(rebasing: digits[..<(digits.count - (isWhole ? 2 : 0))]))
        }
    }
}
