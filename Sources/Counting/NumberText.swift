internal import Foundation

/// Parses numbers written as text.
enum NumberText {
    /// Sign and digits with at most one point or comma: the form that
    /// `TableCount.Column.textNumbers` counts.
    static func plain(_ bytes: Span<UInt8>) -> Double? {
        guard 1...64 ~= bytes.count else { return nil }
        let isSigned = bytes[0] == 0x2D || bytes[0] == 0x2B
        var whole = 0
        var digits = 0
        var mark: Int?
        for index in (isSigned ? 1 : 0)..<bytes.count {
            let digit = bytes[index] &- 0x30
            if digit <= 9 {
                digits += 1
                if digits <= 18 { whole = whole &* 10 &+ Int(digit) }
            } else if mark == nil, bytes[index] == 0x2C || bytes[index] == 0x2E {
                mark = index
            } else {
                return nil
            }
        }
        guard digits > 0 else { return nil }
        guard digits <= 18 else {
            let text = bytes.indices.map { bytes[$0] == 0x2C ? 0x2E : CChar(bytes[$0]) } + [0]
            return unsafe strtod(text, nil)
        }
        let value = Double(whole) / powers[mark.map { bytes.count - $0 - 1 } ?? 0]
        return bytes[0] == 0x2D ? -value : value
    }

    /// Sign, digits with a point, and exponent: the form in which machine formats write numbers.
    @inline(__always) static func decimal(_ bytes: Span<UInt8>) -> Double? {
        var index = 0
        let end = bytes.count
        let isNegative = end > 0 && bytes[0] == 0x2D
        if end > 0, bytes[0] == 0x2D || bytes[0] == 0x2B { index = 1 }
        var whole = 0
        var digits = 0
        var scale = 0
        var isFraction = false
        while index < end {
            let digit = bytes[index] &- 0x30
            if digit <= 9 {
                if digits < 18 { whole = whole &* 10 &+ Int(digit) }
                digits += 1
                if isFraction { scale += 1 }
            } else if bytes[index] == 0x2E, !isFraction {
                isFraction = true
            } else {
                break
            }
            index += 1
        }
        guard digits > 0 else { return nil }
        if index == end, digits <= 18 {
            let value = scale == 0 ? Double(whole) : Double(whole) / powers[scale]
            return isNegative ? -value : value
        }
        return slow(bytes, from: index)
    }

    /// Powers of ten; dividing by them is exact enough for a sum.
    private static let powers: [Double] = (0...18).map { pow(10, Double($0)) }

    /// Parses long numbers, and numbers with an exponent from `index` on.
    private static func slow(_ bytes: Span<UInt8>, from index: Int) -> Double? {
        var index = index
        if index < bytes.count {
            guard bytes[index] | 0x20 == 0x65 else { return nil }
            index += 1
            if index < bytes.count, bytes[index] == 0x2D || bytes[index] == 0x2B { index += 1 }
            guard index < bytes.count else { return nil }
            while index < bytes.count {
                guard bytes[index] &- 0x30 <= 9 else { return nil }
                index += 1
            }
        }
        var text = bytes.indices.map { CChar(truncatingIfNeeded: bytes[$0]) }
        text.append(0)
        return unsafe strtod(text, nil)
    }
}
