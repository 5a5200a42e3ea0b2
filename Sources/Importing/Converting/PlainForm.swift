import Foundation
import Model

/// Recognises values of the plainest forms from their bytes, without creating strings. If the
/// result is `nil` or `unsure`, the caller must use the general conversions.
enum PlainForm {
    enum Presence {
        case there, unsure
        case nothing
    }

    /// Whether a cell contains anything but white space.
    ///
    /// - Parameter blanks: from `firstBytes`: the bytes with which a word for an empty value may
    ///   begin.
    @inline(__always) static func presence(_ bytes: Span<UInt8>, blanks: [Bool]) -> Presence {
        guard bytes.count > 0 else { return .nothing }
        let first = bytes[0]
        guard first > 0x20, first != 0x7F, !blanks[Int(first)] else { return .unsure }
        // White space beyond ASCII begins with one of these bytes.
        return first == 0xC2 || (0xE1...0xE3).contains(first) ? .unsure : .there
    }

    /// Marks, in a table of all 256 bytes, those with which words for an empty value may begin.
    static func firstBytes(of words: Set<String>) -> [Bool] {
        var table = [Bool](repeating: false, count: 256)
        for word in words {
            for form in [word, word.uppercased(), word.capitalized] {
                guard let first = form.utf8.first else { continue }
                table[Int(first)] = true
            }
            // Letters beyond ASCII have many other forms.
            if word.utf8.contains(where: { $0 >= 0x80 }) { for byte in 0x80...0xFF { table[byte] = true } }
        }
        return table
    }

    private static let powers: [Double] = (0...22).map { pow(10, Double($0)) }

    /// `-12.50`: up to fifteen digits, for which division by a power of ten gives the nearest
    /// binary number (Clinger 1990).
    @inline(__always) static func decimal(_ bytes: Span<UInt8>, point: UInt8) -> Double? {
        var index = 0
        let isNegative = bytes.count > 0 && bytes[0] == UInt8(ascii: "-")
        if isNegative { index = 1 }
        var digits = 0, whole = 0, mantissa: Int64 = 0
        while index < bytes.count, bytes[index] &- 48 < 10 {
            mantissa = mantissa &* 10 &+ Int64(bytes[index] &- 48)
            digits += 1
            index += 1
            if digits > 15 { return nil }
        }
        whole = digits
        guard whole > 0 else { return nil }
        if index < bytes.count {
            guard bytes[index] == point else { return nil }
            index += 1
            while index < bytes.count, bytes[index] &- 48 < 10 {
                mantissa = mantissa &* 10 &+ Int64(bytes[index] &- 48)
                digits += 1
                index += 1
                if digits > 15 { return nil }
            }
            guard index == bytes.count, digits > whole else { return nil }
        }
        let value = Double(mantissa) / powers[digits - whole]
        return isNegative ? -value : value
    }

    /// An integer of up to eighteen digits.
    @inline(__always) static func integer(_ bytes: Span<UInt8>) -> Int64? {
        let isNegative = bytes.count > 0 && bytes[0] == UInt8(ascii: "-")
        let start = isNegative ? 1 : 0
        guard bytes.count > start, bytes.count <= 18 else { return nil }
        var value: Int64 = 0
        for index in start..<bytes.count {
            let digit = bytes[index] &- 48
            guard digit < 10 else { return nil }
            value = value &* 10 &+ Int64(digit)
        }
        return isNegative ? -value : value
    }

    /// An instant `yyyy-MM-ddTHH:mm:ssZ`, as the replica stores it.
    @inline(__always) static func isInstant(_ bytes: Span<UInt8>) -> Bool {
        bytes.count == 20 && StoredTime.isInstant(bytes)
    }
}
