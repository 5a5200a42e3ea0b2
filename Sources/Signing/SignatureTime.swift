internal import Foundation
import Model

/// The time that a signature states.
enum SignatureTime {
    /// The instant of `D:20261127093000-05'00'`; nil: it is written otherwise, or has no zone.
    static func parse(_ text: String) -> Date? {
        guard text.hasPrefix("D:") else { return nil }
        let parts = text.dropFirst(2), digits = parts.prefix { $0.isASCII && $0.isNumber }
        guard digits.count == 14 else { return nil }
        let day = "\(digits.prefix(4))-\(digits.dropFirst(4).prefix(2))-\(digits.dropFirst(6).prefix(2))"
        let hour = "\(digits.dropFirst(8).prefix(2)):\(digits.dropFirst(10).prefix(2)):\(digits.suffix(2))"
        let zone = parts.dropFirst(14).split(separator: "'").joined(separator: ":")
        return Timestamp.parse("\(day)T\(hour)\(zone.hasPrefix("Z") ? "Z" : zone)")
    }
}
