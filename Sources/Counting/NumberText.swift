internal import Foundation

/// What numbers texts say.
enum NumberText {
    /// Sign, digits with at most one point or comma: what `TableCount.Column.textNumbers` counts.
    static func plain(_ bytes: Span<UInt8>) -> Double? {
        guard 1...64 ~= bytes.count else { return nil }
        var text: [CChar] = []
        var hasMark = false
        var hasDigit = false
        for index in bytes.indices {
            switch bytes[index] {
            case 0x30...0x39: hasDigit = true
            case 0x2B where index == 0, 0x2D where index == 0: break
            case 0x2C where !hasMark, 0x2E where !hasMark:
                hasMark = true
                text.append(0x2E)
                continue
            default: return nil
            }
            text.append(CChar(bytes[index]))
        }
        guard hasDigit else { return nil }
        text.append(0)
        return unsafe strtod(text, nil)
    }

    /// Sign, digits with a point, exponent: how formats for machines write numbers.
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

    /// Powers of ten that a division keeps exact enough for a sum.
    private static let powers: [Double] = (0...18).map { pow(10, Double($0)) }

    /// Long numbers, and those with an exponent from `index` on.
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
