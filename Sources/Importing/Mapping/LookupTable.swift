import Foundation
import Model

/// A table of a foreign file for lookups: the values of its rows by key. It is held in memory,
/// within a limit.
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
        // A key without rows is not a fault where a result may combine several rows.
        if other.content.isOfOne, !silent.contains(name) { faults.note(.nowhere, parts.joined(separator: " / "), key: name, line: 0) }
        return nil
    }

    /// The value for a key, after the conversions of the field that takes it.
    func converted(_ key: [String], _ field: String?) throws(MappingFault) -> String? {
        guard let text = value(key) else { return nil }
        if case .value(_, let taking, _) = other.content, taking.isOfNumbers { return text }
        return try words.converted(text, conversions, field)
    }

    /// - Parameter isHidden: whether the values are personal data and must not be shown.
    func findings(isHidden: Bool) -> [Finding] { faults.findings(of: table, file: file, isHidden: isHidden) }
}

extension ImportMapping.Other.Content {
    /// Whether a key stands for a single row, which should exist.
    fileprivate var isOfOne: Bool {
        guard case .value(_, let taking, _) = self else { return false }
        return taking == .first || taking == .last || taking == .rank
    }
}
