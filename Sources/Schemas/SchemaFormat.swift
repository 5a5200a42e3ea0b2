internal import Patterns

/// The formats that can be checked, by their names in JSON Schema; others are treated as
/// annotations.
enum SchemaFormat: String, Sendable {
    case date, time
    case dateTime = "date-time"
    case duration, email, hostname, ipv4, ipv6, uri
    case uriReference = "uri-reference"
    case uuid
    case jsonPointer = "json-pointer"
    case regex
    /// A day, or an instant: a parameter of type date in list form.
    case dateOrInstant = "x-date"

    func matches(_ text: Span<UInt8>) -> Bool {
        switch self {
        case .date: CalendarFormat.isDate(text)
        case .time: CalendarFormat.isTime(text)
        case .dateTime: CalendarFormat.isInstant(text)
        case .dateOrInstant: CalendarFormat.isDate(text) || CalendarFormat.isInstant(text)
        case .uuid: Self.isUUID(text)
        case .regex: (try? Pattern(Self.string(text), reach: .anywhere)) != nil
        case .ipv6: NetworkFormat.isIPv6(text)
        case .ipv4: NetworkFormat.isIPv4(text)
        case .hostname: NetworkFormat.isHostname(text)
        case .email: NetworkFormat.isEmail(text)
        case .duration: Self.durationPattern.map { $0.matches(text) == .matched } ?? true
        case .jsonPointer: Self.pointerPattern.map { $0.matches(text) == .matched } ?? true
        case .uri: NetworkFormat.isURI(text, needsScheme: true)
        case .uriReference: NetworkFormat.isURI(text, needsScheme: false)
        }
    }

    /// ISO 8601 durations in the form of RFC 3339, appendix A.
    private static let durationPattern = try? Pattern(
        #"P(?:\d+W|(?=\d|T\d)(?:\d+Y(?:\d+M(?:\d+D)?)?|\d+M(?:\d+D)?|\d+D)?(?:T(?=\d)(?:\d+H(?:\d+M(?:\d+S)?)?|\d+M(?:\d+S)?|\d+S))?)"#)
    /// RFC 6901.
    private static let pointerPattern = try? Pattern(#"(?s)(?:/(?:[^~/]|~[01])*)*"#)

    private static func string(_ text: Span<UInt8>) -> String {
        var bytes: [UInt8] = []
        for index in 0..<text.count { bytes.append(text[index]) }
        return String(decoding: bytes, as: UTF8.self)
    }

    private static func isUUID(_ text: Span<UInt8>) -> Bool {
        guard text.count == 36 else { return false }
        for index in 0..<36 {
            let byte = text[index]
            switch index {
            case 8, 13, 18, 23: if byte != UInt8(ascii: "-") { return false }
            default: guard byte &- UInt8(ascii: "0") <= 9 || (byte | 0x20) &- UInt8(ascii: "a") < 6 else { return false }
            }
        }
        return true
    }
}
