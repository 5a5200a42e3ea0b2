import Foundation
import JSONReading
import Model

/// Reads a table for lookups from its first row to its last, and computes the values.
final class LookupReader {
    private let other: ImportMapping.Other
    private let conversions: [CellConversion]
    private let words: ConversionWords
    private let table: String
    /// Values by key, once all rows have been read.
    private(set) var values: [String: String] = [:]
    private var numbers: [String: Decimal] = [:]
    private var members: [String: [JSONValue.Member]] = [:]
    private var schemas: [String: ForeignSchema] = [:]
    /// By key, the row of its value, so that a different value in a later row can be reported.
    private var lines: [String: Int] = [:]
    /// Keys of rows without a value.
    private(set) var empty: Set<String> = []
    /// Keys with a text among their numbers. They get no value, because a result without the text
    /// would be wrong.
    private(set) var spoiled: Set<String> = []
    private(set) var faults = LookupFaults()

    /// Reads the table to its end.
    ///
    /// Throws `ImportFailure.missingColumns` if the table lacks a required column, and
    /// `TableFailure` if it cannot be read or exceeds the limits for tables in memory.
    ///
    /// - Parameters:
    ///   - conversions: those of the field that receives the values, applied before any
    ///     computation.
    ///   - use: the table's record of used cells, with the headings that count as read. Nil if
    ///     another part of the mapping fills that record.
    init(
        _ other: ImportMapping.Other, _ conversions: [CellConversion], in table: ForeignTable, source: MappedSource,
        use: (use: ColumnUse, headings: [String])?, limit: Int
    ) throws {
        (self.other, self.conversions, words, self.table) = (other, conversions, source.words, table.name)
        let needed = other.key.flatMap(\.headings) + other.only.keys.sorted()
        let heading = try HeadingSearch(table).heading(wanting: Set(other.allHeadings.map(ColumnName.normal)))
        let missing = needed.filter { heading[$0] == nil }
        guard missing.isEmpty else {
            throw ImportFailure.missingColumns(path: source.path, table: table.name, columns: missing)
        }
        let scene = ValuePlan.Scene(
            heading: heading, columns: try NamedColumns([], heading: heading, table: table.name), other: source.other,
            number: nil, given: source.mapping.given)
        let key = try other.key.compactMap { try ValuePlan($0, scene) }
        let only = other.only.sorted { $0.key < $1.key }.map {
            (column: heading[$0.key] ?? 0, word: ColumnName.normal($0.value))
        }
        let read = Set(heading.places(of: use?.headings ?? []))
        var room = limit
        use?.use.begin()
        try table.forEachRow { row in
            guard table.columns != nil || row.number > heading.row else {
                use?.use.note(row.batch, row.index) { _ in .left }
                return
            }
            let row = ForeignRow(batch: row.batch, index: row.index, blanks: words.blanks, naming: row.naming)
            let fate = try readKey(key, of: row, only) { room -= take(row, $0, heading) }
            use?.use.note(row.batch, row.index) { read.contains($0) ? fate : .left }
            guard room > 0 else {
                throw TableFailure.tooLarge(
                    Place(file: source.path, sheet: table.name), kind: "lookup", limit: "bytes \(limit)")
            }
        }
        use?.use.name(heading.names)
        resolve()
    }

    /// Calls `take` with the key of a row, unless a condition excludes the row. Returns how the
    /// row's cells were used.
    private func readKey(
        _ key: [ValuePlan], of row: ForeignRow, _ only: [(column: Int, word: String)], _ take: (String) -> Void
    ) throws -> ColumnUse.Fate {
        guard only.allSatisfy({ row.text($0.column).map(ColumnName.normal) == $0.word }) else { return .left }
        do {
            let parts = try key.compactMap {
                try $0.text(of: row, words: words, table: table)?.trimmingCharacters(in: .whitespaces)
            }
            guard parts.count == other.key.count else { return .left }
            take(Self.name(parts))
            return .read
        } catch let fault as MappingFault {
            faults.note(.key, fault.arguments["value"] ?? "", line: row.number)
            return .faulty
        }
    }

    /// Computes the values from all rows together.
    private func resolve() {
        if case .value(_, .rank, _) = other.content {
            // Numbers are replaced by their ranks, the lowest being 0; equal numbers share a rank.
            for name in spoiled { numbers[name] = nil }
            let positions = Dictionary(
                Set(numbers.values).sorted().enumerated().map { ($1, String($0)) },
                uniquingKeysWith: { first, _ in first })
            values = numbers.compactMapValues { positions[$0] }
        } else {
            for (name, number) in numbers { values[name] = "\(number)" }
        }
        for name in spoiled { values[name] = nil }
        for (name, list) in members { values[name] = JSONValue.object(list).description }
        for (name, schema) in schemas { values[name] = schema.json }
        (members, schemas, numbers, lines) = ([:], [:], [:], [:])
    }

    /// Adds the values of a row; returns their approximate size in bytes.
    private func take(_ row: ForeignRow, _ key: String, _ heading: Heading) -> Int {
        func first(_ names: [String]) -> (text: String, column: Int)? { row.first(heading.places(of: names)) }
        var bytes = key.utf8.count + 64
        switch other.content {
        case .members(let names, let valueColumns):
            guard let name = first(names)?.text, let cell = first(valueColumns) else { return bytes }
            bytes += cell.text.utf8.count + name.utf8.count
            let value = row.json(cell.text, of: cell.column)
            if let known = members[key]?.first(where: { $0.key == name })?.value {
                if known != value {
                    faults.note(
                        .twice, "\(name): \(known) ≠ \(value) (\(row.number))", key: key + name, line: row.number)
                }
            } else {
                members[key, default: []].append(.init(key: name, value: value))
            }
        case .schema(let names, let valueColumns, let units, let scope):
            guard let name = first(names)?.text, let cell = first(valueColumns) else { return bytes }
            bytes += name.utf8.count
            schemas[key, default: ForeignSchema(scope: scope)].add(
                name, row.json(cell.text, of: cell.column), unit: first(units)?.text)
        case .value(let headings, let taking, let separator):
            if taking == .count {
                values[key] = String((values[key].flatMap { Int($0) } ?? 0) + 1)
            } else if let cell = first(headings) {
                bytes += cell.text.utf8.count
                if taking.isOfNumbers {
                    takeNumber(cell, of: row, taking, key)
                } else {
                    takeText(cell.text, taking, key, row.number, separator)
                }
            } else {
                empty.insert(key)
            }
        }
        return bytes
    }

    private func takeText(
        _ text: String, _ taking: ImportMapping.Other.Taking, _ key: String, _ line: Int, _ separator: String
    ) {
        guard let earlier = values[key] else {
            values[key] = text
            if taking == .first { lines[key] = line }
            return
        }
        switch taking {
        case .last: values[key] = text
        case .join: values[key] = earlier + separator + text
        default:
            if text != earlier {
                faults.note(.twice, "\(earlier) (\(lines[key] ?? 0)) ≠ \(text) (\(line))", key: key, line: line)
            }
        }
    }

    /// Adds a value to a computation. Minimum and maximum also work for texts (days), if all values
    /// of a key are texts.
    private func takeNumber(
        _ cell: (text: String, column: Int), of row: ForeignRow, _ taking: ImportMapping.Other.Taking, _ key: String
    ) {
        let text: String
        do throws(MappingFault) {
            guard let converted = try row.converted(cell, conversions, words, table: table, field: nil) else { return }
            text = converted
        } catch {
            return spoil(key, cell.text, row.number)
        }
        guard let number = Self.number(text) else {
            guard taking == .least || taking == .greatest, numbers[key] == nil else {
                return spoil(key, cell.text, row.number)
            }
            guard let earlier = values[key] else { return values[key] = text }
            return values[key] = (text < earlier) == (taking == .least) ? text : earlier
        }
        guard values[key] == nil else { return spoil(key, cell.text, row.number) }
        guard let earlier = numbers[key] else {
            numbers[key] = number
            if taking == .rank { lines[key] = row.number }
            return
        }
        switch taking {
        case .sum: numbers[key] = earlier + number
        case .least: numbers[key] = min(earlier, number)
        case .greatest: numbers[key] = max(earlier, number)
        default:
            if earlier != number {
                faults.note(
                    .twice, "\(earlier) (\(lines[key] ?? 0)) ≠ \(number) (\(row.number))", key: key, line: row.number)
            }
        }
    }

    private func spoil(_ key: String, _ text: String, _ line: Int) {
        spoiled.insert(key)
        faults.note(.number, text, line: line)
    }

    private static let digits = CachedRegex(/[+-]?(?:[0-9]+\.?[0-9]*|\.[0-9]+)(?:[eE][+-]?[0-9]+)?/)

    /// Parses a text of which all is a number, with a decimal point. `Decimal` itself would also
    /// accept a text that only begins with a number.
    private static func number(_ text: String) -> Decimal? {
        let trimmed = text.trimmingCharacters(in: .whitespaces)
        guard trimmed.utf8.count <= 400, trimmed.wholeMatch(of: digits.regex) != nil,
            let number = Decimal(string: trimmed, locale: Locale(identifier: "en_US_POSIX")), number.isFinite
        else { return nil }
        return number
    }

    /// A text for a key. Each part is preceded by its length, so that different keys never give one
    /// text.
    static func name(_ parts: [String]) -> String { parts.map { "\($0.utf8.count):\($0)" }.joined() }
}

extension ImportMapping.Other.Taking {
    /// Whether the result is computed from all values of a key; each value is then converted first.
    var isOfNumbers: Bool {
        switch self {
        case .sum, .least, .greatest, .rank: true
        case .first, .last, .join, .count: false
        }
    }
}

/// The JSON Schema of the object that rows of an external table form. Each name that occurs is a
/// property, with its unit and, if all its values have the same type, that type. No property is
/// required or limited, because the file does not define that.
struct ForeignSchema {
    private struct Property {
        var name: String
        var kind: String?
        var unit: String?
    }

    private let scope: String
    private var properties: [Property] = []
    private var places: [String: Int] = [:]

    init(scope: String) {
        self.scope = scope
    }

    /// Adds a property with one of its values in the object.
    mutating func add(_ name: String, _ value: JSONValue, unit: String?) {
        let kind: String? =
            switch value {
            case .number: "number"
            case .bool: "boolean"
            default: "string"
            }
        guard let place = places[name] else {
            places[name] = properties.count
            properties.append(Property(name: name, kind: kind, unit: unit))
            return
        }
        if properties[place].kind != kind { properties[place].kind = nil }
        if properties[place].unit == nil { properties[place].unit = unit }
    }

    var json: String {
        let members = properties.map { property in
            var keywords: [JSONValue.Member] = []
            if let kind = property.kind { keywords.append(.init(key: "type", value: .string(kind))) }
            if let unit = property.unit { keywords.append(.init(key: "x-unit", value: .string(unit))) }
            keywords.append(.init(key: "x-scope", value: .string(scope)))
            return JSONValue.Member(key: property.name, value: .object(keywords))
        }
        return JSONValue.object([
            .init(key: "type", value: .string("object")), .init(key: "properties", value: .object(members)),
        ]).description
    }
}

extension JSONValue {
    /// Merges two objects, including nested ones; if both have a member that is not an object,
    /// the first one is kept.
    func merged(with other: JSONValue) -> JSONValue {
        guard case .object(var members) = self, case .object(let others) = other else { return self }
        for member in others {
            if let index = members.firstIndex(where: { $0.key == member.key }) {
                members[index] = .init(key: member.key, value: members[index].value.merged(with: member.value))
            } else {
                members.append(member)
            }
        }
        return .object(members)
    }
}
