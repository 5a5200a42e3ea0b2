internal import Foundation

/// What a number format says a number is.
enum BIFFFormat {
    case number, date, time, dateTime

    /// By the format's number, where the workbook has no text for it. (Formats 27 to 36 and 50 to 58 are East Asian dates.)
    init(builtIn index: Int) {
        switch index {
        case 14...17, 27...36, 50...58: self = .date
        case 18...21, 45...47: self = .time
        case 22: self = .dateTime
        default: self = .number
        }
    }

    /// By the letters of its first section that stand neither in quotes nor in brackets nor behind a backslash.
    init(_ text: String) {
        let plain = text.lowercased()
        if plain.hasPrefix("general") || plain.hasPrefix("standard") || plain.hasPrefix("est") {
            self = .number
            return
        }
        var letters = Set<Character>()
        var rest = plain[...]
        while let character = rest.popFirst() {
            switch character {
            case ";": rest = ""
            case "\"": rest = rest.drop { $0 != "\"" }.dropFirst()
            case "[":
                let inside = rest.prefix { $0 != "]" }
                if !inside.isEmpty, inside.allSatisfy({ "hms".contains($0) }), Set(inside).count == 1 { letters.formUnion(inside + "h") }
                rest = rest.dropFirst(inside.count + 1)
            case "\\", "_", "*": _ = rest.popFirst()
            case "e": if let sign = rest.first, "+-".contains(sign) { _ = rest.popFirst() }
            case "d", "y", "m", "h", "s": letters.insert(character)
            default: break
            }
        }
        let hasTime = letters.contains("h") || letters.contains("s")
        let hasDay = letters.contains("d") || letters.contains("y") || (letters.contains("m") && !hasTime)
        self = hasDay ? (hasTime ? .dateTime : .date) : hasTime ? .time : .number
    }

    /// Adds a number as what its format says: days since 1899-12-31 (with the day 1900-02-29, which never was) or since 1904-01-01.
    func append(_ value: Double, is1904: Bool, to batch: inout ForeignBatch) {
        guard value.isFinite else { return batch.append(.error, "\(value)") }
        let milliseconds = (value * 86_400_000).rounded()
        guard case let kind = self, kind != .number, value >= 0, milliseconds < 3e14 else {
            return batch.append(.number, OldValueText.shortest(value))
        }
        let all = Int(milliseconds)
        let (serial, rest) = (all / 86_400_000, all % 86_400_000)
        if serial == 0, kind == .time || rest > 0 { return batch.append(.time, Self.clock(rest)) }
        // A day that never was; day 0 of 1900 is what Excel shows for nothing.
        guard is1904 || (serial != 60 && serial != 0), let day = CalendarDay(julian: is1904 ? 2_416_481 + serial : 2_415_019 + serial + (serial < 60 ? 1 : 0))
        else { return batch.append(.number, OldValueText.shortest(value)) }
        if kind == .date, rest == 0 {
            batch.append(.date, day.text)
        } else {
            batch.append(.dateTime, "\(day.text)T\(Self.clock(rest))")
        }
    }

    private static func clock(_ milliseconds: Int) -> String {
        let seconds = milliseconds / 1000
        let parts = [seconds / 3600, seconds / 60 % 60, seconds % 60].map { $0 < 10 ? "0\($0)" : "\($0)" }
        let fraction = milliseconds % 1000
        guard fraction > 0 else { return parts.joined(separator: ":") }
        let digits = String(1000 + fraction).dropFirst()
        return parts.joined(separator: ":") + "." + digits.replacing(/0+$/, with: "")
    }
}
