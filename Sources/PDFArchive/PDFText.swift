import Digests

/// Texts and numbers as PDF files write them.
package enum PDFText {
    /// A text for people: in the letters of PDF where these have all of it, else UTF-16 in
    /// hexadecimal digits, which takes four times the room.
    package static func string(_ text: String) -> String {
        var codes: [UInt8] = []
        for scalar in text.unicodeScalars {
            guard let code = code(scalar) else { return "<FEFF" + text.utf16.map { $0.hexadecimal(4).uppercased() }.joined() + ">" }
            codes.append(code)
        }
        return literal(codes)
    }

    /// A text as its bytes, for names of places and addresses.
    static func bytes(_ text: String) -> String { literal(Array(text.utf8)) }

    /// PDFDocEncoding (ISO 32000-1, annex D.2), without its rarer signs.
    private static func code(_ scalar: Unicode.Scalar) -> UInt8? {
        switch scalar.value {
        case 32...126, 0xA1...0xAC, 0xAE...0xFF: UInt8(scalar.value)
        case 0x2013: 0x85
        case 0x2014: 0x84
        case 0x2026: 0x83
        case 0x2212: 0x8A
        default: nil
        }
    }

    private static func literal(_ bytes: [UInt8]) -> String {
        var result = "("
        for byte in bytes {
            switch byte {
            case UInt8(ascii: "("), UInt8(ascii: ")"), UInt8(ascii: "\\"): result += "\\" + String(UnicodeScalar(byte))
            case 32...126: result.unicodeScalars.append(UnicodeScalar(byte))
            default:
                let octal = String(byte, radix: 8)
                result += "\\" + String(repeating: "0", count: 3 - octal.utf8.count) + octal
            }
        }
        return result + ")"
    }

    /// `D:20260301100000Z` of an instant in ISO 8601.
    package static func date(_ instant: String) -> String {
        let digits = instant.utf8.prefix(19).filter { (48...57).contains($0) }
        return "(D:" + String(decoding: digits, as: UTF8.self) + zone(instant, minutes: "'") + ")"
    }

    /// An instant without fractions of a second, as metadata has it.
    static func metadataDate(_ instant: String) -> String { instant.prefix(19) + zone(instant, minutes: ":") }

    private static func zone(_ instant: String, minutes: String) -> String {
        guard let sign = instant.dropFirst(19).firstIndex(where: { $0 == "+" || $0 == "-" }) else { return "Z" }
        let digits = instant[sign...].filter { $0.isNumber }
        return "\(instant[sign])\(digits.prefix(2))\(minutes)\(digits.dropFirst(2).prefix(2))"
    }

    /// A number to hundredths, never with an exponent.
    package static func number(_ value: Double) -> String {
        let hundredths = Int((max(-1e6, min(value.isFinite ? value : 0, 1e6)) * 100).rounded())
        let rest = abs(hundredths) % 100
        return "\(hundredths < 0 ? "-" : "")\(abs(hundredths) / 100).\(rest < 10 ? "0" : "")\(rest)"
    }
}
