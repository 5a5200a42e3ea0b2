import Model

/// The grammar of the rules by which entries of a calendar come again (RFC 5545, 3.3.10).
enum RecurrenceRule {
    /// Whether a text is such a rule for something that starts at this moment.
    static func isRule(_ text: String, from start: CalendarMoment) -> Bool {
        var keys: Set<String> = []
        for part in text.split(separator: ";", omittingEmptySubsequences: false) {
            let pair = part.split(separator: "=", maxSplits: 1, omittingEmptySubsequences: false).map(String.init)
            guard pair.count == 2, keys.insert(pair[0]).inserted, isPart(pair[0], pair[1], start) else { return false }
        }
        return keys.contains("FREQ") && !keys.isSuperset(of: ["COUNT", "UNTIL"])
    }

    private static func isPart(_ key: String, _ value: String, _ start: CalendarMoment) -> Bool {
        switch key {
        case "FREQ": ["SECONDLY", "MINUTELY", "HOURLY", "DAILY", "WEEKLY", "MONTHLY", "YEARLY"].contains(value)
        case "UNTIL": isEnd(value, start)
        case "COUNT", "INTERVAL": isNumber(value, 1...999_999)
        case "BYSECOND": isList(value) { isNumber($0, 0...60) }
        case "BYMINUTE": isList(value) { isNumber($0, 0...59) }
        case "BYHOUR": isList(value) { isNumber($0, 0...23) }
        case "BYDAY": isList(value) { days.contains(String($0.suffix(2))) && ($0.count == 2 || isSigned($0.dropLast(2), 1...53)) }
        case "BYMONTHDAY": isList(value) { isSigned($0, 1...31) }
        case "BYYEARDAY", "BYSETPOS": isList(value) { isSigned($0, 1...366) }
        case "BYWEEKNO": isList(value) { isSigned($0, 1...53) }
        case "BYMONTH": isList(value) { isNumber($0, 1...12) }
        case "WKST": days.contains(value)
        default: false
        }
    }

    private static let days: Set = ["MO", "TU", "WE", "TH", "FR", "SA", "SU"]

    private static func isList(_ text: String, _ isItem: (Substring) -> Bool) -> Bool {
        text.split(separator: ",", omittingEmptySubsequences: false).allSatisfy(isItem)
    }

    private static func isNumber(_ text: some StringProtocol, _ range: ClosedRange<Int>) -> Bool {
        !text.isEmpty && text.utf8.allSatisfy { (0x30...0x39).contains($0) } && Int(text).map(range.contains) == true
    }

    private static func isSigned(_ text: Substring, _ range: ClosedRange<Int>) -> Bool {
        isNumber(text.first == "+" || text.first == "-" ? text.dropFirst() : text, range)
    }

    /// An end is of the same kind as the start.
    private static func isEnd(_ text: String, _ start: CalendarMoment) -> Bool {
        let form =
            switch start {
            case .day: "00000000"
            case .floating: "00000000T000000"
            case .instant: "00000000T000000Z"
            }
        return text.utf8.count == form.utf8.count
            && zip(text.utf8, form.utf8).allSatisfy { byte, wanted in wanted == UInt8(ascii: "0") ? (0x30...0x39).contains(byte) : byte == wanted }
    }
}
