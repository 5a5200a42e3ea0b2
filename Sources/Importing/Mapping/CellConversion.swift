import Foundation
import Model

/// What is done with the text of a foreign cell before it becomes a field's value.
package enum CellConversion: Sendable, Hashable {
    case trim, upper, lower
    /// `1.234,50` is 1234.50.
    case decimalComma
    /// Formats of `dd`, `MM`, `yyyy` or `yy` and punctuation, tried in order. Of two digits, 70 to 99 are of the last century.
    case date([String])
    /// `Km 12+300`, `12300` as `12+300`.
    case chainage
    /// To metres.
    case feet, centimetres
    case yesNo
    /// Name of one of the mapping's lookups.
    case lookup(String)

    /// What did not fit, in English, for the finding.
    struct Misfit: Error, Hashable {
        var reason: String
    }

    func apply(_ text: String, lookups: [String: [String: String]]) throws(Misfit) -> String {
        switch self {
        case .trim: return text.trimmingCharacters(in: .whitespacesAndNewlines)
        case .upper: return text.uppercased()
        case .lower: return text.lowercased()
        case .decimalComma: return try Self.point(text)
        case .date(let formats): return try Self.date(text, formats)
        case .chainage: return try Self.chainage(text)
        case .feet: return try Self.product(text, Decimal(string: "0.3048") ?? 0)
        case .centimetres: return try Self.product(text, Decimal(string: "0.01") ?? 0)
        case .yesNo: return try Self.yesNo(text)
        case .lookup(let name):
            guard let value = lookups[name]?[ColumnName.normal(text)] else { throw Misfit(reason: "is not in the lookup \(name)") }
            return value
        }
    }

    private static func point(_ text: String) throws(Misfit) -> String {
        let trimmed = text.trimmingCharacters(in: .whitespaces)
        let halves = trimmed.split(separator: ",", omittingEmptySubsequences: false)
        guard halves.count == 2 else {
            guard halves.count == 1, decimal(trimmed) != nil else { throw Misfit(reason: "is no number") }
            return trimmed
        }
        let groups = halves[0].split(separator: ".", omittingEmptySubsequences: false)
        guard groups.dropFirst().allSatisfy({ $0.utf8.count == 3 }), halves[1].utf8.allSatisfy({ (48...57).contains($0) }) else {
            throw Misfit(reason: "is no number")
        }
        let result = groups.joined() + (halves[1].isEmpty ? "" : "." + halves[1])
        guard decimal(result) != nil else { throw Misfit(reason: "is no number") }
        return result
    }

    /// Foundation takes `12 m` for 12: only digits and one point are a number here.
    private static func decimal(_ text: String) -> Decimal? {
        let digits = text.hasPrefix("-") ? text.dropFirst() : text[...]
        guard digits.utf8.contains(where: { (48...57).contains($0) }), digits.utf8.allSatisfy({ (48...57).contains($0) || $0 == 46 }),
            digits.utf8.count(where: { $0 == 46 }) <= 1, digits.utf8.count <= 30
        else { return nil }
        return Decimal(string: text, locale: Locale(identifier: "en_US_POSIX"))
    }

    private static func product(_ text: String, _ factor: Decimal) throws(Misfit) -> String {
        guard let number = decimal(text.trimmingCharacters(in: .whitespaces)) else { throw Misfit(reason: "is no number") }
        return (number * factor).description
    }

    private static func chainage(_ text: String) throws(Misfit) -> String {
        let text = text.lowercased().replacing("km", with: "").filter { !$0.isWhitespace }
        let parts = text.split(separator: "+", omittingEmptySubsequences: false)
        if parts.count == 2, let kilometre = Int(parts[0]), (0...999).contains(kilometre), let metre = decimal(String(parts[1])),
            metre >= 0, metre < 1000, parts[1].prefix(while: { $0 != "." }).count == 3 {
            return "\(kilometre)+\(parts[1])"
        }
        guard parts.count == 1, let metres = Int(text), (0...999_999).contains(metres) else { throw Misfit(reason: "is no chainage") }
        let rest = String(metres % 1000)
        return "\(metres / 1000)+" + String(repeating: "0", count: 3 - rest.count) + rest
    }

    private static func yesNo(_ text: String) throws(Misfit) -> String {
        switch ColumnName.normal(text) {
        case "si", "s", "yes", "y", "x", "true", "verdadero", "vero", "1": return "true"
        case "no", "n", "false", "falso", "0": return "false"
        default: throw Misfit(reason: "is neither yes nor no")
        }
    }

    private static func date(_ text: String, _ formats: [String]) throws(Misfit) -> String {
        let day = String(text.trimmingCharacters(in: .whitespaces).prefix(10))
        if Timestamp.isDate(day) { return day }
        let trimmed = text.trimmingCharacters(in: .whitespaces)
        for format in formats {
            if let date = date(trimmed, in: format) { return date }
        }
        throw Misfit(reason: "is no date of the form " + formats.joined(separator: " or "))
    }

    private static func date(_ text: String, in format: String) -> String? {
        let separators: (Character) -> Bool = { !$0.isLetter && !$0.isNumber }
        let keys = format.split(whereSeparator: separators)
        let values = text.split(whereSeparator: separators)
        guard keys.count == values.count, text.filter(separators) == format.filter(separators) else { return nil }
        var (year, month, day) = ("", "", "")
        for (key, value) in zip(keys, values) {
            guard value.utf8.allSatisfy({ (48...57).contains($0) }), let number = Int(value) else { return nil }
            let two = value.count == 1 ? "0" + value : String(value)
            switch key {
            case "dd": day = two
            case "MM": month = two
            case "yyyy" where value.count == 4: year = String(value)
            case "yy" where value.count == 2: year = (number >= 70 ? "19" : "20") + value
            default: return nil
            }
        }
        let result = "\(year)-\(month)-\(day)"
        return Timestamp.isDate(result) ? result : nil
    }
}
