/// Recognises texts that are days or durations, by their shape and by whether the day exists.
enum DayText {
    /// `2019-03-12`, optionally with a time, its fraction and the UTC mark. Any other notation of a
    /// date is a text.
    static func isDay(_ text: String) -> Bool {
        var shape = text.utf8.map { 0x30...0x39 ~= $0 ? UInt8(ascii: "9") : $0 }
        let hasTime = shape.count > 10
        if hasTime, shape.last == UInt8(ascii: "Z") { shape.removeLast() }
        if let point = shape.firstIndex(of: UInt8(ascii: ".")) {
            let fraction = shape[(point + 1)...]
            guard 1...31 ~= fraction.count, fraction.allSatisfy({ $0 == UInt8(ascii: "9") }) else { return false }
            shape.removeSubrange(point...)
        }
        guard String(decoding: shape, as: UTF8.self) == (hasTime ? "9999-99-99T99:99:99" : "9999-99-99") else { return false }
        let numbers = text.utf8.prefix(19).split { !(0x30...0x39 ~= $0) }.map { $0.reduce(0) { $0 * 10 + Int($1) - 0x30 } }
        return numbers[0] > 0 && isThere(numbers[0], numbers[1], numbers[2]) && zip(numbers.dropFirst(3), [24, 60, 60]).allSatisfy { $0 < $1 }
    }

    /// Whether the Julian day of a date converts back to it (Fliegel and Van Flandern 1968): 30
    /// February converts to a day in March.
    private static func isThere(_ year: Int, _ month: Int, _ day: Int) -> Bool {
        let winter = (month - 14) / 12
        let julian = day - 32_075 + 1461 * (year + 4800 + winter) / 4 + 367 * (month - 2 - winter * 12) / 12 - 3 * ((year + 4900 + winter) / 100) / 4
        var rest = julian + 68_569
        let centuries = 4 * rest / 146_097
        rest -= (146_097 * centuries + 3) / 4
        let years = 4000 * (rest + 1) / 1_461_001
        rest -= 1461 * years / 4 - 31
        let months = 80 * rest / 2447
        return (year, month, day) == (100 * (centuries - 49) + years + months / 11, months + 2 - 12 * (months / 11), rest - 2447 * months / 80)
    }

    /// `PT07H30M05.5S`, optionally with days before it: each unit follows a number, and nothing
    /// follows the last unit.
    static func isDuration(_ text: String) -> Bool {
        let unsigned = text.hasPrefix("-") ? text.dropFirst() : text[...]
        guard unsigned.hasPrefix("P") else { return false }
        let halves = unsigned.dropFirst().split(separator: "T", maxSplits: 1, omittingEmptySubsequences: false)
        let counts = zip(halves, ["D", "HMS"]).map { parts($0, $1) }
        return counts.allSatisfy { $0 != nil } && counts.contains { $0 ?? 0 > 0 }
    }

    /// The number of values with a unit; nil if the text contains anything else.
    private static func parts(_ text: Substring, _ units: String) -> Int? {
        let numbers = text.split(omittingEmptySubsequences: false) { units.contains($0) }
        guard numbers.last == "", numbers.dropLast().allSatisfy(isNumber) else { return nil }
        return numbers.count - 1
    }

    private static func isNumber(_ text: Substring) -> Bool {
        text.utf8.count < 32 && text.utf8.allSatisfy { 0x30...0x39 ~= $0 || $0 == UInt8(ascii: ".") } && NumberText.decimal(Array(text.utf8).span) != nil
    }
}
