import Foundation
import JSONReading
import Model

/// A table of a foreign file as a lookup: what its rows say, by their key. It is held in memory, within a bound.
final class OtherTable {
    private var values: [String: String] = [:]
    private var members: [String: [JSONValue.Member]] = [:]
    private var schemas: [String: ForeignSchema] = [:]
    private let other: ImportMapping.Other

    /// Reads the table to its end.
    ///
    /// Throws `ImportFailure.missingColumns` where it lacks a column that is asked for, `TableFailure` where it is larger than the limits
    /// allow to hold, or cannot be read.
    init(_ other: ImportMapping.Other, in table: ForeignTable, source: MappedSource, limit: Int) throws {
        self.other = other
        let needed = other.key.flatMap(\.headings) + other.only.keys.sorted()
        let heading = try HeadingSearch(table, header: .auto).heading(wanting: Set(other.allHeadings.map(ColumnName.normal)))
        let missing = needed.filter { heading[$0] == nil }
        guard missing.isEmpty else { throw ImportFailure.missingColumns(path: source.path, table: table.name, columns: missing) }
        let scene = ValuePlan.Scene(heading: heading, columns: try NamedColumns([], heading: heading, table: table.name), other: source.other, number: nil)
        let key = try other.key.compactMap { try ValuePlan($0, scene) }
        let only = other.only.sorted { $0.key < $1.key }.map { (column: heading[$0.key] ?? 0, word: ColumnName.normal($0.value)) }
        var room = limit
        try table.forEachRow(after: heading, blanks: source.words.blanks) { row in
            guard only.allSatisfy({ row.text($0.column).map(ColumnName.normal) == $0.word }) else { return }
            // A key that cannot be read leads nowhere; whoever asks for it finds nothing.
            let parts = key.compactMap { try? $0.text(of: row, words: source.words, table: table.name)?.trimmingCharacters(in: .whitespaces) }
            guard parts.count == other.key.count else { return }
            room -= take(row, Self.name(parts), heading)
            guard room > 0 else { throw TableFailure.tooLarge(Place(file: source.path, sheet: table.name), kind: "lookup", limit: "bytes \(limit)") }
        }
        if case .value(_, .rank, _) = other.content { rank() }
        for (name, list) in members { values[name] = JSONValue.object(list).description }
        for (name, schema) in schemas { values[name] = schema.json }
        (members, schemas) = ([:], [:])
    }

    /// Numbers become their positions, the lowest 0; equal ones share theirs.
    private func rank() {
        let numbers = values.compactMapValues { Decimal(string: $0, locale: Locale(identifier: "en_US_POSIX")) }
        let positions = Dictionary(Set(numbers.values).sorted().enumerated().map { ($1, String($0)) }, uniquingKeysWith: { first, _ in first })
        values = numbers.compactMapValues { positions[$0] }
    }

    /// Notes what a row says; returns the bytes that it takes, roughly.
    private func take(_ row: ForeignRow, _ key: String, _ heading: Heading) -> Int {
        func first(_ names: [String]) -> (text: String, column: Int)? { row.first(heading.places(of: names)) }
        var bytes = key.utf8.count + 64
        switch other.content {
        case .members(let names, let valueColumns):
            guard let name = first(names)?.text, let cell = first(valueColumns) else { return bytes }
            bytes += cell.text.utf8.count + name.utf8.count
            if members[key]?.contains(where: { $0.key == name }) != true {
                members[key, default: []].append(.init(key: name, value: Self.json(cell.text, row.kind(cell.column))))
            }
        case .schema(let names, let valueColumns, let units, let scope):
            guard let name = first(names)?.text, let cell = first(valueColumns) else { return bytes }
            bytes += name.utf8.count
            schemas[key, default: ForeignSchema(scope: scope)].add(name, Self.json(cell.text, row.kind(cell.column)), unit: first(units)?.text)
        case .value(let headings, let taking, let separator):
            if taking == .count {
                values[key] = String((values[key].flatMap { Int($0) } ?? 0) + 1)
            } else if let text = first(headings)?.text {
                bytes += text.utf8.count
                values[key] = Self.taken(taking, text, after: values[key], separator)
            }
        }
        return bytes
    }

    /// What the table says of the row with these key values.
    func value(_ key: [String]) -> String? { values[Self.name(key.map { $0.trimmingCharacters(in: .whitespaces) })] }

    /// Lengths keep neighbours apart.
    private static func name(_ parts: [String]) -> String { parts.map { "\($0.utf8.count):\($0)" }.joined() }

    /// - Parameter guessing: whether a text that is a number of JSON is one; `007` is none.
    static func json(_ text: String, _ kind: ForeignBatch.Kind, guessing: Bool = true) -> JSONValue {
        if kind == .boolean { return .bool(text == "true") }
        guard kind == .number || guessing else { return .string(text) }
        let trimmed = text.trimmingCharacters(in: .whitespaces)
        guard case .number(let digits)? = try? JSONValue.parse(trimmed) else { return .string(text) }
        // Seventeen digits are how spreadsheets write a binary number down: 0.07 is what was meant.
        guard kind == .number, digits.utf8.count > 16, digits.contains(where: { $0 == "." || $0 == "E" }), let real = Double(digits) else {
            return .number(digits)
        }
        return .number(real.description)
    }

    private static func taken(_ taking: ImportMapping.Other.Taking, _ text: String, after earlier: String?, _ separator: String) -> String {
        guard let earlier else { return text }
        func number(_ text: String) -> Decimal? { Decimal(string: text, locale: Locale(identifier: "en_US_POSIX")) }
        switch taking {
        case .first, .rank: return earlier
        case .last, .count: return text
        case .join: return earlier + separator + text
        case .sum:
            guard let first = number(earlier), let second = number(text) else { return earlier }
            return "\(first + second)"
        case .least, .greatest:
            guard let first = number(earlier), let second = number(text) else {
                return (text < earlier) == (taking == .least) ? text : earlier
            }
            return (second < first) == (taking == .least) ? text : earlier
        }
    }
}
