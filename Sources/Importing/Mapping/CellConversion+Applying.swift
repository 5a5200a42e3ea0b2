import Foundation
package import Model
import Patterns
import SQLReading

extension CellConversion {
    /// Reason why a value did not fit: the code and arguments of a finding. The caller adds the
    /// cell and its value to the arguments.
    package struct Misfit: Error, Hashable {
        var code: String
        var arguments: [String: String] = [:]
    }

    private static let number = Misfit(code: "IMPORT-NO-NUMBER")

    /// Applies this conversion to a text; nil if nothing remains.
    package func apply(_ text: String, words: ConversionWords) throws(Misfit) -> String? {
        switch self {
        case .trim: return text.trimmingCharacters(in: .whitespacesAndNewlines)
        case .upper: return text.uppercased()
        case .lower: return text.lowercased()
        case .decimalComma: return try Self.point(text, decimal: ",", group: ".")
        case .decimalPoint: return try Self.point(text, decimal: ".", group: ",")
        case .date(let formats): return try Self.date(text, formats)
        case .chainage: return try Self.chainage(text)
        case .feet: return try Self.product(text, Decimal(string: "0.3048") ?? 0)
        case .inches: return try Self.product(text, Decimal(string: "0.0254") ?? 0)
        case .centimetres: return try Self.product(text, Decimal(string: "0.01") ?? 0)
        case .millimetres: return try Self.product(text, Decimal(string: "0.001") ?? 0)
        case .yesNo: return try Self.yesNo(text)
        case .tableSchema: return try DeclaredTable.schema(text)
        case .lookup(let name):
            guard let value = words.meaning(of: text, in: name) else {
                throw Misfit(code: "IMPORT-NOT-IN-LOOKUP", arguments: ["lookup": name])
            }
            return value
        case .split(let separator, let piece): return Self.piece(piece, of: text, separator)
        case .list(let separator):
            let pieces = Self.pieces(text, separator).map { $0.trimmingCharacters(in: .whitespaces) }.filter {
                !$0.isEmpty
            }
            return pieces.isEmpty ? nil : JSONString.line(pieces)
        case .match(let pattern):
            guard let found = words.pattern(pattern)?.firstGroup(in: text) else {
                throw Misfit(code: "IMPORT-NO-MATCH", arguments: ["pattern": pattern])
            }
            return found
        case .replace(let old, let new): return text.replacingOccurrences(of: old, with: new)
        case .blank(let words):
            let own = text.trimmingCharacters(in: .whitespaces).lowercased()
            return words.contains { $0.lowercased() == own } ? nil : text
        case .range(let end): return try Self.end(end, of: text)
        case .thousands(let mark): return try Self.withoutThousands(text, mark)
        case .unit(let units): return Self.without(units, text)
        case .since(let year, let part): return try Self.moment(text, since: year, part, in: words.zone)
        case .member(let path): return try Self.member(path, of: text)
        case .elements(let conversions): return try Self.elements(of: text, conversions, words)
        case .ofProject(let code):
            guard ColumnName.normal(text) == ColumnName.normal(code) else {
                throw Misfit(code: "IMPORT-OTHER-PROJECT", arguments: ["project": code])
            }
            return code
        }
    }

    /// Whether the conversion applies to texts only. A file that stores binary numbers writes them
    /// with a decimal point, whatever decimal mark its users prefer.
    var isOfText: Bool {
        switch self {
        case .decimalComma, .decimalPoint, .thousands: true
        default: false
        }
    }

    /// A piece of a text, counted from 1, or from the end by negative numbers; nil if there is none.
    private static func piece(_ number: Int, of text: String, _ separator: String) -> String? {
        let pieces = pieces(text, separator)
        let index = number > 0 ? number - 1 : pieces.count + number
        return pieces.indices.contains(index) ? pieces[index].trimmingCharacters(in: .whitespaces) : nil
    }

    /// Several spaces count as one separator.
    private static func pieces(_ text: String, _ separator: String) -> [String] {
        separator == " "
            ? text.split(whereSeparator: \.isWhitespace).map(String.init) : text.components(separatedBy: separator)
    }

    /// A range of depths in metres. For other units, the mapping names a separate conversion.
    private static let range = CachedRegex(
        #/
            \s*(?:de|da|del|dal|desde|from)?\s*([0-9]+(?:[.,][0-9]+)?)\s*(?:m|mts?|metros|metri)?\.?\s*
            (?:[-–—−\/@÷~]|\.{2,}|a|al|hasta|to)\s*([0-9]+(?:[.,][0-9]+)?)\s*(?:m|mts?|metros|metri)?\.?\s*
        /#
    )

    private static func end(_ end: RangeEnd, of text: String) throws(Misfit) -> String {
        guard text.utf8.count <= 80, let ends = text.lowercased().wholeMatch(of: range.regex) else {
            throw Misfit(code: "IMPORT-NO-RANGE")
        }
        return String(end == .from ? ends.1 : ends.2).replacing(",", with: ".")
    }

    private static func withoutThousands(_ text: String, _ mark: String) throws(Misfit) -> String {
        let trimmed = text.trimmingCharacters(in: .whitespaces)
        func isMark(_ character: Character) -> Bool { mark == " " ? character.isWhitespace : String(character) == mark }
        let digits = trimmed.drop { $0 == "-" }
        let whole = digits.prefix { isMark($0) || ($0.isASCII && $0.isNumber) }
        let groups = whole.split(omittingEmptySubsequences: false, whereSeparator: isMark)
        guard
            groups.count == 1
                || (groups.dropFirst().allSatisfy { $0.utf8.count == 3 } && (1...3).contains(groups[0].utf8.count))
        else { throw number }
        return String(trimmed.prefix(trimmed.count - digits.count)) + groups.joined()
            + String(digits.dropFirst(whole.count))
    }

    private static func without(_ units: [String], _ text: String) -> String {
        let trimmed = text.trimmingCharacters(in: .whitespaces)
        guard let last = trimmed.lastIndex(where: { $0.isASCII && $0.isNumber }) else { return text }
        func plain(_ text: String) -> String { text.lowercased().filter { !$0.isWhitespace && $0 != "." } }
        let rest = plain(String(trimmed[trimmed.index(after: last)...]))
        return !rest.isEmpty && units.contains { plain($0) == rest } ? String(trimmed[...last]) : text
    }

    /// Rewrites a number with a decimal point and without thousands separators.
    private static func point(_ text: String, decimal mark: Character, group: Character) throws(Misfit) -> String {
        // A space between thousands is not the decimal mark.
        var trimmed = text.trimmingCharacters(in: .whitespaces)
        if trimmed.contains(where: \.isWhitespace) { trimmed = try withoutThousands(trimmed, " ") }
        let halves = trimmed.split(separator: mark, omittingEmptySubsequences: false)
        guard halves.count <= 2 else { throw number }
        if halves.count == 1, mark == ",", trimmed.contains(group) {
            // A `2.5` among decimal commas is a typing error; `1.234` is ambiguous and is not
            // guessed; `8.674.321` can only have thousands separators.
            if trimmed.count(where: { $0 == group }) > 1 { return try withoutThousands(trimmed, String(group)) }
            guard let fraction = trimmed.split(separator: group, omittingEmptySubsequences: false).last,
                fraction.utf8.count != 3, decimal(trimmed) != nil
            else { throw number }
            return trimmed
        }
        let groups = halves[0].split(separator: group, omittingEmptySubsequences: false)
        let fraction = halves.count == 2 ? halves[1] : ""
        guard groups.dropFirst().allSatisfy({ $0.utf8.count == 3 }),
            fraction.utf8.allSatisfy({ (48...57).contains($0) })
        else { throw number }
        let result = groups.joined() + (fraction.isEmpty ? "" : "." + fraction)
        guard decimal(result) != nil else { throw number }
        return result
    }

    /// Parses a decimal number. Foundation reads `12 m` as 12, so the text may contain only digits
    /// and one point.
    private static func decimal(_ text: String) -> Decimal? {
        let digits = text.hasPrefix("-") ? text.dropFirst() : text[...]
        guard digits.utf8.contains(where: { (48...57).contains($0) }),
            digits.utf8.allSatisfy({ (48...57).contains($0) || $0 == 46 }),
            digits.utf8.count(where: { $0 == 46 }) <= 1, digits.utf8.count <= 30
        else { return nil }
        return Decimal(string: text, locale: Locale(identifier: "en_US_POSIX"))
    }

    private static func product(_ text: String, _ factor: Decimal) throws(Misfit) -> String {
        guard let number = decimal(text.trimmingCharacters(in: .whitespaces)) else { throw number }
        return (number * factor).description
    }

    private static func chainage(_ text: String) throws(Misfit) -> String {
        var text = text.lowercased().filter { !$0.isWhitespace }
        for word in ["progresiva", "progressiva", "prog", "pk", "km"] where text.hasPrefix(word) {
            text = String(text.dropFirst(word.count).drop { ".:".contains($0) })
        }
        if text.hasSuffix("km") { text.removeLast(2) }
        if !text.contains(".") { text = text.replacing(",", with: ".", maxReplacements: 1) }
        let parts = text.split(separator: "+", omittingEmptySubsequences: false)
        if parts.count == 2, let kilometre = Int(parts[0]), (0...999).contains(kilometre),
            let metre = decimal(String(parts[1])),
            metre >= 0, metre < 1000, parts[1].prefix(while: { $0 != "." }).count == 3 {
            return "\(kilometre)+\(parts[1])"
        }
        guard parts.count == 1, let metres = Int(text), (0...999_999).contains(metres) else {
            throw Misfit(code: "IMPORT-NO-CHAINAGE")
        }
        let rest = String(metres % 1000)
        return "\(metres / 1000)+" + String(repeating: "0", count: 3 - rest.count) + rest
    }

    private static func yesNo(_ text: String) throws(Misfit) -> String {
        let word = ColumnName.normal(text)
        switch word {
        case "s", "y", "x", "1": return "true"
        case "n", "0": return "false"
        default:
            guard let truth = ValueConversion.truth(ofWord: word) else { throw Misfit(code: "IMPORT-NO-YES-NO") }
            return truth ? "true" : "false"
        }
    }

    private static func date(_ text: String, _ formats: [String]) throws(Misfit) -> String {
        let trimmed = text.trimmingCharacters(in: .whitespaces)
        if let day = Timestamp.day(of: trimmed) { return day }
        for format in formats {
            if let date = date(trimmed, in: format) { return date }
        }
        throw Misfit(code: "IMPORT-NO-DATE", arguments: ["forms": formats.joined(separator: ", ")])
    }

    private static func date(_ text: String, in format: String) -> String? {
        let separators: (Character) -> Bool = { !$0.isLetter && !$0.isNumber }
        let keys = format.split(whereSeparator: separators)
        let isLong = keys.contains("MMMM")
        let values = isLong ? MonthName.pieces(of: text) : text.split(whereSeparator: separators).map(String.init)
        guard keys.count == values.count, isLong || text.filter(separators) == format.filter(separators) else {
            return nil
        }
        var (year, month, day) = ("", "", "")
        for (key, value) in zip(keys, values) {
            if key == "MMMM" {
                guard let number = MonthName.number(of: value) else { return nil }
                month = number.padded(2)
                continue
            }
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

/// Parses dates with the month's name, in Spanish, English and Italian.
enum MonthName {
    private static let names: [[String]] = [
        ["enero", "january", "gennaio", "ene", "jan", "gen"], ["febrero", "february", "febbraio", "feb"],
        ["marzo", "march", "mar"],
        ["abril", "april", "aprile", "abr", "apr"], ["mayo", "may", "maggio", "mag"],
        ["junio", "june", "giugno", "jun", "giu"],
        ["julio", "july", "luglio", "jul", "lug"], ["agosto", "august", "ago", "aug"],
        ["septiembre", "setiembre", "september", "settembre", "sep", "set", "sept"],
        ["octubre", "october", "ottobre", "oct", "ott"],
        ["noviembre", "november", "novembre", "nov"], ["diciembre", "december", "dicembre", "dic", "dec"],
    ]

    /// Words that do not matter for the day, such as days of the week.
    private static let fillers: Set<String> = [
        "de", "del", "di", "of", "the", "el", "il", "lunes", "martes", "miercoles", "jueves", "viernes", "sabado",
        "domingo", "monday", "tuesday",
        "wednesday", "thursday", "friday", "saturday", "sunday", "lunedi", "martedi", "mercoledi", "giovedi", "venerdi",
        "domenica", "sabato",
    ]

    static func number(of word: String) -> Int? { names.firstIndex { $0.contains(word) }.map { $0 + 1 } }

    /// The words and numbers of a written-out date: `Martes, 1º de marzo del 2019` has three.
    static func pieces(of text: String) -> [String] {
        ColumnName.folded(text).split { !$0.isLetter && !$0.isNumber }.map(day).filter { !fillers.contains($0) }
    }

    /// The number alone from `1º` or `1st`.
    private static func day(_ piece: Substring) -> String {
        let digits = piece.prefix { $0.isASCII && $0.isNumber }
        let rest = piece.dropFirst(digits.count)
        return !digits.isEmpty && ["º", "ª", "o", "er", "ero", "st", "nd", "rd", "th"].contains(rest)
            ? String(digits) : String(piece)
    }
}

/// Makes a JSON Schema from a `CREATE TABLE` statement stored as text in the file. Some servers
/// define tables at run time.
enum DeclaredTable {
    /// The schema of the one table that a `CREATE TABLE` statement declares: a member for each
    /// column. Types are those of SQLite (Datatypes, https://www.sqlite.org/datatype3.html, 3.1).
    /// Numbers and texts are distinct types; days, which SQLite stores as either, may be both.
    static func schema(_ statement: String) throws(CellConversion.Misfit) -> String {
        guard let tables = try? DefinitionReader.read(statement).tables, tables.count == 1, !tables[0].columns.isEmpty
        else {
            throw CellConversion.Misfit(code: "IMPORT-NO-TABLE-STATEMENT")
        }
        let table = tables[0]
        let properties = table.columns.map { column in
            JSONMember(column.name, type(of: column) + #","title":"# + text(column.name))
        }
        let required = table.columns.filter { $0.isRequired || table.primaryKey.contains($0.name) }.map {
            text($0.name)
        }
        return #"{"type":"object","title":"# + text(table.name) + #","properties":{"#
            + properties.map(\.text).joined(separator: ",") + #"},"required":["# + required.joined(separator: ",")
            + "]}"
    }

    private struct JSONMember {
        let text: String

        init(_ name: String, _ members: String) { text = DeclaredTable.text(name) + ":{" + members + "}" }
    }

    private static func text(_ text: String) -> String {
        var quoted = ""
        JSONString.append(text, to: &quoted)
        return quoted
    }

    private static func type(of column: TableDefinition.Column) -> String {
        let words = column.type
        func has(_ parts: String...) -> Bool { parts.contains { words.contains($0) } }
        if has("bool") { return #""type":"integer","minimum":0,"maximum":1"# }
        if has("date", "time") { return #""type":["string","number"]"# }
        if has("int") { return #""type":"integer""# }
        if has("char", "text", "clob") {
            return #""type":"string""# + (column.sizes.first.map { $0 > 0 ? ",\"maxLength\":\($0)" : "" } ?? "")
        }
        if has("real", "floa", "doub", "num", "dec") { return #""type":"number""# }
        return #""type":["string","number"]"#
    }
}
