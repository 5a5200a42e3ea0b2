import Model
internal import Patterns

/// The supported formats, by their names in JSON Schema; other formats are treated as annotations.
enum SchemaFormat: String, Sendable {
    case date, time
    case dateTime = "date-time"
    case duration, email, hostname, ipv4, ipv6, uri
    case uriReference = "uri-reference"
    case uuid
    case jsonPointer = "json-pointer"
    case regex
    /// A day, or an instant: for a parameter of type date in list form.
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
        #"""
        P(?:\d+W|(?=\d|T\d)(?:\d+Y(?:\d+M(?:\d+D)?)?|\d+M(?:\d+D)?|\d+D)?(?:T(?=\d)(?:\d+H(?:\d+M(?:\d+S)?)\#
        ?|\d+M(?:\d+S)?|\d+S))?)
        """#
    )
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
            default:
                guard byte &- UInt8(ascii: "0") <= 9 || (byte | 0x20) &- UInt8(ascii: "a") < 6 else { return false }
            }
        }
        return true
    }
}

/// Dates and times in the forms of RFC 3339.
enum CalendarFormat {
    /// `yyyy-MM-dd`, an existing day: not 31 February.
    static func isDate(_ text: Span<UInt8>) -> Bool {
        text.count == 10 && isDay(text)
    }

    /// `HH:mm:ss`, with any number of decimals, and `Z` or an offset.
    static func isTime(_ text: Span<UInt8>) -> Bool {
        isTime(text, from: 0)
    }

    static func isInstant(_ text: Span<UInt8>) -> Bool {
        text.count > 11 && isDay(text) && text[10] | 0x20 == UInt8(ascii: "t") && isTime(text, from: 11)
    }

    /// Like a stored day, but the RFC also allows the year 0.
    private static func isDay(_ text: Span<UInt8>) -> Bool {
        guard text[4] == UInt8(ascii: "-"), text[7] == UInt8(ascii: "-"), let century = StoredTime.two(text, at: 0),
            let rest = StoredTime.two(text, at: 2), let month = StoredTime.two(text, at: 5),
            let day = StoredTime.two(text, at: 8),
            (1...12).contains(month), day >= 1
        else { return false }
        return day <= GregorianDay.length(ofMonth: month, in: century * 100 + rest)
    }

    private static func isTime(_ text: Span<UInt8>, from start: Int) -> Bool {
        guard text.count >= start + 9, text[start + 5] == UInt8(ascii: ":"),
            var minutes = StoredTime.minutes(text, at: start), let second = StoredTime.two(text, at: start + 6),
            second <= 60
        else { return false }
        var index = start + 8
        if text[index] == UInt8(ascii: ".") {
            index += 1
            let first = index
            while index < text.count, text[index] &- UInt8(ascii: "0") <= 9 { index += 1 }
            if index == first { return false }
        }
        guard index < text.count else { return false }
        switch text[index] {
        case UInt8(ascii: "Z"), UInt8(ascii: "z"):
            guard index + 1 == text.count else { return false }
        case UInt8(ascii: "+"), UInt8(ascii: "-"):
            guard text.count == index + 6, let ahead = StoredTime.minutes(text, at: index + 1)
            else { return false }
            minutes += ahead * (text[index] == UInt8(ascii: "+") ? -1 : 1)
        default: return false
        }
        // A leap second can only be the last second of a day in universal time.
        return second < 60 || (minutes + 2 * 1440) % 1440 == 1439
    }
}
