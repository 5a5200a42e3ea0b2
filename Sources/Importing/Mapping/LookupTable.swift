import Foundation
import Model

/// A table of an external file in which other tables look up values by key. It is loaded into
/// memory, within a limit.
///
/// Doubtful lookups (two values for one key, a key that no row has, a text among numbers) are
/// reported and never give a wrong value.
final class LookupTable {
    let other: ImportMapping.Other
    private let conversions: [CellConversion]
    private let words: ConversionWords
    private let file: String
    private let table: String
    private let values: [String: String]
    /// Keys of rows without a value, or without a usable one.
    private let silent: Set<String>
    private var faults: LookupFaults

    /// Reads the table to its end; see `LookupReader`.
    init(
        _ other: ImportMapping.Other, _ conversions: [CellConversion], in table: ForeignTable, source: MappedSource,
        use: (use: ColumnUse, headings: [String])?, limit: Int
    ) throws {
        (self.other, self.conversions, words) = (other, conversions, source.words)
        (file, self.table) = (table.file ?? source.path, table.name)
        let reading = try LookupReader(other, conversions, in: table, source: source, use: use, limit: limit)
        (values, silent, faults) = (reading.values, reading.empty.union(reading.spoiled), reading.faults)
    }

    /// The value for a key.
    func value(_ key: [String]) -> String? {
        let parts = key.map { $0.trimmingCharacters(in: .whitespaces) }
        let name = LookupReader.name(parts)
        if let value = values[name] { return value }
        // If the result combines several rows, a key without rows is not a fault.
        if other.content.isOfOne, !silent.contains(name) {
            faults.note(.nowhere, parts.joined(separator: " / "), key: name, line: 0)
        }
        return nil
    }

    /// The value for a key, after the conversions of the field that receives it.
    func converted(_ key: [String], _ field: String?) throws(MappingFault) -> String? {
        guard let text = value(key) else { return nil }
        if case .value(_, let taking, _) = other.content, taking.isOfNumbers { return text }
        return try words.converted(text, conversions, field)
    }

    /// - Parameter isHidden: whether the values are personal data and must not be shown.
    func findings(isHidden: Bool) -> [Finding] { faults.findings(of: table, file: file, isHidden: isHidden) }
}

extension ImportMapping.Other.Content {
    /// Whether a key refers to a single row, which should exist.
    fileprivate var isOfOne: Bool {
        guard case .value(_, let taking, _) = self else { return false }
        return taking == .first || taking == .last || taking == .rank
    }
}

/// Collects faults of lookups in one table: one finding of each kind, with the number and the first
/// examples.
struct LookupFaults {
    enum Kind: String, CaseIterable {
        /// In this order: a key with two values; a key that no row has; a key that cannot be read;
        /// a text among numbers.
        case twice = "IMPORT-LOOKUP-TWICE", nowhere = "IMPORT-LOOKUP-NOWHERE", key = "IMPORT-LOOKUP-KEY", number =
            "IMPORT-LOOKUP-NUMBER"
    }

    private var counts: [Kind: Int] = [:]
    private var lines: [Kind: Int] = [:]
    private var texts: [Kind: [String]] = [:]
    /// Hashes of the keys already counted.
    private var noted: [Kind: Set<Int>] = [:]
    private static let mostShown = 5

    /// - Parameter key: a key, which is counted only once; nil: every occurrence counts.
    mutating func note(_ kind: Kind, _ text: @autoclosure () -> String, key: String? = nil, line: Int) {
        if let key, !noted[kind, default: []].insert(key.hashValue).inserted { return }
        counts[kind, default: 0] += 1
        if lines[kind] == nil { lines[kind] = line }
        if texts[kind, default: []].count < Self.mostShown {
            texts[kind, default: []].append(String(text().prefix(120)))
        }
    }

    func findings(of table: String, file: String, isHidden: Bool) -> [Finding] {
        Kind.allCases.compactMap { kind in
            guard let count = counts[kind], let texts = texts[kind], let line = lines[kind] else { return nil }
            let all =
                texts.joined(separator: "; ") + (count > texts.count && kind != .number && kind != .key ? "; …" : "")
            var arguments = ["name": table, "count": String(count)]
            switch kind {
            case .twice: arguments["values"] = isHidden ? Pack.hiddenValue : all
            case .nowhere: arguments["keys"] = all
            case .key, .number:
                (arguments["value"], arguments["line"]) = (
                    isHidden && kind == .number ? Pack.hiddenValue : texts[0], String(line)
                )
            }
            return Finding(
                kind.rawValue,
                place: Place(file: file, sheet: table, line: line == 0 ? nil : line), arguments: arguments)
        }
    }
}

/// The lookup tables of a source. For each kind of lookup, a table is read once.
final class MappedLookups {
    private var tables: [(name: String, table: LookupTable)] = []
    /// Records of used cells for tables that are used only for lookups, by table name.
    private var tableUses: [(name: String, use: ColumnUse)] = []
    /// Every lookup of the mapping in another table.
    private let others: [ImportMapping.Other]
    /// Lookups whose values are personal data, so that findings do not show them.
    private let hidden: Set<String>

    init(_ mapping: ImportMapping, _ pack: Pack) {
        others = mapping.others
        let targets = mapping.tables.flatMap(\.targets) + mapping.forms.flatMap(\.rows).map(\.target)
        hidden = Set(targets.flatMap { target in
                target.fields.filter { !pack.mayQuote(pack.entity(target.entity)?.field($0.name)) }.flatMap(\.others)
                    .map { "\($0)" }
        })
    }

    /// Starts the record of used cells for a table that is used only for lookups. Returns false if
    /// the mapping looks up nothing in the table.
    func takeUse(of table: ForeignTable, path: String) -> Bool {
        guard others.contains(where: { ColumnName.matches(table.name, $0.table) }) else { return false }
        tableUses.append((table.name, ColumnUse(file: table.file ?? path, table: table.name)))
        return true
    }

    /// Those records of used cells whose tables were read.
    var uses: [ColumnUse] { tableUses.map(\.use).filter { !$0.columns.isEmpty } }

    /// A table's record of used cells, and every heading of it that any lookup reads.
    func use(of table: ForeignTable) -> (use: ColumnUse, headings: [String])? {
        guard let use = tableUses.first(where: { $0.name == table.name })?.use else { return nil }
        return (use, others.filter { ColumnName.matches(table.name, $0.table) }.flatMap(\.allHeadings))
    }

    func table(of other: ImportMapping.Other, _ conversions: [CellConversion], make: () throws -> LookupTable) throws
        -> LookupTable
    {
        let name = "\(other) \(conversions)"
        if let known = tables.first(where: { $0.name == name }) { return known.table }
        let made = try make()
        tables.append((name, made))
        return made
    }

    var findings: [Finding] {
        var noted: [Finding] = []
        // Fields with the same lookup have the same findings, which are reported once.
        for table in tables {
            for finding in table.table.findings(isHidden: hidden.contains("\(table.table.other)"))
            where !noted.contains(finding) { noted.append(finding) }
        }
        return noted
    }
}
