import Foundation
import JSONReading
import Model

/// A table of a foreign file as a lookup: what its rows say, by their key. It is held in memory, within a bound.
final class OtherTable {
    private var values: [String: String] = [:]
    private let other: ImportMapping.Other

    /// Reads the table to its end.
    ///
    /// Throws `ImportFailure.missingColumns` where it lacks a column that is asked for, `TableFailure` where it is larger than the limits
    /// allow to hold, or cannot be read.
    init(_ other: ImportMapping.Other, in table: ForeignTable, path: String, limit: Int) throws {
        self.other = other
        var wanted = Set((other.key + other.only.keys).map(ColumnName.normal))
        switch other.content {
        case .value(let headings, _, _): wanted.formUnion(headings.map(ColumnName.normal))
        case .members(let name, let value): wanted.formUnion((name + value).map(ColumnName.normal))
        }
        let heading = try HeadingSearch(table, header: .auto).heading(wanting: wanted)
        let key = heading.places(of: other.key)
        let missing = (other.key + other.only.keys.sorted()).filter { heading[$0] == nil }
        guard missing.isEmpty else { throw ImportFailure.missingColumns(path: path, table: table.name, columns: missing) }
        let only = other.only.sorted { $0.key < $1.key }.map { (column: heading[$0.key] ?? 0, word: ColumnName.normal($0.value)) }
        var members: [String: [JSONValue.Member]] = [:]
        var tally: [String: Int] = [:]
        var room = limit
        try table.forEachRow(after: heading) { row in
            guard only.allSatisfy({ row.text($0.column).map(ColumnName.normal) == $0.word }) else { return }
            let parts = key.compactMap { row.text($0)?.trimmingCharacters(in: .whitespaces) }
            guard parts.count == key.count else { return }
            let name = Self.name(parts)
            room -= name.utf8.count + 64
            switch other.content {
            case .members(let nameColumns, let valueColumns):
                guard let member = row.first(heading.places(of: nameColumns))?.text, let cell = row.first(heading.places(of: valueColumns)) else { return }
                room -= cell.text.utf8.count + member.utf8.count
                members[name, default: []].append(.init(key: member, value: Self.json(cell.text, row.kind(cell.column))))
            case .value(let headings, let taking, let separator):
                tally[name, default: 0] += 1
                if taking == .count {
                    values[name] = String(tally[name] ?? 0)
                } else if let text = row.first(heading.places(of: headings))?.text {
                    room -= text.utf8.count
                    values[name] = Self.taken(taking, text, after: values[name], separator)
                }
            }
            guard room > 0 else { throw TableFailure.tooLarge(Place(file: path, sheet: table.name), kind: "lookup", limit: "bytes \(limit)") }
        }
        for (name, list) in members { values[name] = JSONValue.object(list).description }
    }

    /// What the table says of the row with these key values.
    func value(_ key: [String]) -> String? { values[Self.name(key.map { $0.trimmingCharacters(in: .whitespaces) })] }

    /// Lengths keep neighbours apart.
    private static func name(_ parts: [String]) -> String { parts.map { "\($0.utf8.count):\($0)" }.joined() }

    private static func json(_ text: String, _ kind: ForeignBatch.Kind) -> JSONValue {
        switch kind {
        case .number: .number(text)
        case .boolean: .bool(text == "true")
        default: TextLook(Array(text.utf8).span) == .number && !text.contains(",") ? .number(text.trimmingCharacters(in: .whitespaces)) : .string(text)
        }
    }

    private static func taken(_ taking: ImportMapping.Other.Taking, _ text: String, after earlier: String?, _ separator: String) -> String {
        guard let earlier else { return text }
        func number(_ text: String) -> Decimal? { Decimal(string: text, locale: Locale(identifier: "en_US_POSIX")) }
        switch taking {
        case .first: return earlier
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
