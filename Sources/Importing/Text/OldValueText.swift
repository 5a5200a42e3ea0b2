import Digests

/// Formats values of old files as text.
enum OldValueText {
    /// The shortest decimal number that converts back to the same value.
    static func shortest(_ value: Double) -> String {
        let text = "\(value)"
        return text.hasSuffix(".0") ? String(text.dropLast(2)) : text
    }

    /// Removes blanks, tabs and NULs from both ends.
    static func trimmed(_ bytes: ArraySlice<UInt8>) -> ArraySlice<UInt8> {
        let isBlank = { (byte: UInt8) in byte == 0x20 || byte == 0 || byte == 0x09 }
        let front = bytes.drop(while: isBlank)
        return front.prefix((front.lastIndex { !isBlank($0) } ?? front.startIndex - 1) - front.startIndex + 1)
    }

    /// A decimal number with a digit on both sides of its point and without a plus sign (FoxPro
    /// writes `.50`). Nil for anything else.
    static func number(_ bytes: ArraySlice<UInt8>) -> String? {
        guard isNumber(bytes) else { return nil }
        var text = String(decoding: bytes.first == UInt8(ascii: "+") ? bytes.dropFirst() : bytes, as: UTF8.self)
        if text.hasPrefix(".") { text = "0" + text }
        if text.hasPrefix("-.") { text = "-0" + text.dropFirst() }
        if text.hasSuffix(".") { text.removeLast() }
        return text
    }

    /// Whether the bytes are a decimal number in ASCII, optionally with an exponent.
    static func isNumber(_ bytes: ArraySlice<UInt8>) -> Bool {
        var rest = bytes
        if let sign = rest.first, sign == 0x2B || sign == 0x2D { rest = rest.dropFirst() }
        var digits = 0
        var points = 0
        while let byte = rest.first, 0x30...0x39 ~= byte || byte == 0x2E {
            if byte == 0x2E { points += 1 } else { digits += 1 }
            rest = rest.dropFirst()
        }
        guard digits > 0, points <= 1 else { return false }
        guard let mark = rest.first else { return true }
        guard mark == 0x45 || mark == 0x65 else { return false }
        rest = rest.dropFirst()
        if let sign = rest.first, sign == 0x2B || sign == 0x2D { rest = rest.dropFirst() }
        return 1...4 ~= rest.count && rest.allSatisfy { 0x30...0x39 ~= $0 }
    }

    /// Returns ASCII unchanged, other bytes as hexadecimal.
    static func printable(_ bytes: ArraySlice<UInt8>) -> String {
        bytes.allSatisfy { 0x20..<0x7F ~= $0 } ? String(decoding: bytes, as: UTF8.self) : hexadecimal(bytes)
    }

    /// Formats bytes like `0x0A0B`.
    static func hexadecimal(_ bytes: ArraySlice<UInt8>) -> String { "0x" + bytes.hexadecimal.uppercased() }
}

/// Text of a cell whose value is bytes.
struct BinaryValue {
    /// Whether the bytes may be a UUID: Apple's frameworks store one as its 16 bytes. Other bytes
    /// cannot be a field's value.
    let isUUID: Bool
    let text: String

    init(_ bytes: ArraySlice<UInt8>) {
        isUUID = bytes.count == 16
        guard isUUID else {
            text = bytes.count <= 32 ? OldValueText.hexadecimal(bytes) : "\(bytes.count) bytes that are no text"
            return
        }
        var digits = bytes.hexadecimal
        for place in [20, 16, 12, 8] { digits.insert("-", at: digits.index(digits.startIndex, offsetBy: place)) }
        text = digits
    }
}
