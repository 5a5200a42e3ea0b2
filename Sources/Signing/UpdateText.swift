import Digests
internal import Foundation
import Model

/// Texts and times as they stand in a PDF.
enum UpdateText {
    /// A text of people: ASCII as it is, everything else as UTF-16 (ISO 32000-1, 7.9.2.2).
    static func string(_ text: String) -> String {
        guard !text.utf8.allSatisfy({ (0x20..<0x7F).contains($0) }) else {
            return "(" + text.map { "()\\".contains($0) ? "\\\($0)" : String($0) }.joined() + ")"
        }
        return "<feff" + text.utf16.map { $0.hexadecimal(4) }.joined() + ">"
    }

    static func date(_ time: Date) -> String { "(D:" + Timestamp.format(time).filter(\.isASCII).filter(\.isNumber).prefix(14) + "Z)" }

    /// The instant of `D:20261127093000-05'00'`; nil: it is written otherwise, or has no zone.
    static func time(_ text: String) -> Date? {
        guard text.hasPrefix("D:") else { return nil }
        let parts = text.dropFirst(2), digits = parts.prefix { $0.isASCII && $0.isNumber }
        guard digits.count == 14 else { return nil }
        let day = "\(digits.prefix(4))-\(digits.dropFirst(4).prefix(2))-\(digits.dropFirst(6).prefix(2))"
        let hour = "\(digits.dropFirst(8).prefix(2)):\(digits.dropFirst(10).prefix(2)):\(digits.suffix(2))"
        let zone = parts.dropFirst(14).split(separator: "'").joined(separator: ":")
        return Timestamp.parse("\(day)T\(hour)\(zone.hasPrefix("Z") ? "Z" : zone)")
    }
}
