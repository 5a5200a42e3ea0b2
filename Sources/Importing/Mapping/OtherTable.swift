import Foundation
import Model

/// A table of a foreign file as a lookup: what its rows say, by their key. It is held in memory, within a bound.
///
/// What cannot be looked up rightly (two values of one key, a key that no row has, a text among numbers) is told, and gives no value that
/// is wrong.
final class OtherTable {
    let other: ImportMapping.Other
    private let conversions: [CellConversion]
    private let words: ConversionWords
    private let file: String
    private let table: String
    private let values: [String: String]
    /// Keys of rows that say nothing, or what nothing can be made of.
    private let silent: Set<String>
    private var faults: LookupFaults

    /// Reads the table to its end; see `LookupReading`.
    init(
        _ other: ImportMapping.Other, _ conversions: [CellConversion], in table: ForeignTable, source: MappedSource,
        use: (use: ColumnUse, headings: [String])?, limit: Int
    ) throws {
        (self.other, self.conversions, words) = (other, conversions, source.words)
        (file, self.table) = (table.file ?? source.path, table.name)
        let reading = try LookupReading(other, conversions, in: table, source: source, use: use, limit: limit)
        (values, silent, faults) = (reading.values, reading.empty.union(reading.spoiled), reading.faults)
    }

    /// What the table says of the row with these key values.
    func value(_ key: [String]) -> String? {
        let parts = key.map { $0.trimmingCharacters(in: .whitespaces) }
        let name = LookupReading.name(parts)
        if let value = values[name] { return value }
        // That nothing belongs to a row is no fault where several rows would.
        if other.content.isOfOne, !silent.contains(name) { faults.note(.nowhere, parts.joined(separator: " / "), key: name, line: 0) }
        return nil
    }

    /// The same after the conversions of the field that takes it.
    func converted(_ key: [String], _ field: String?) throws(MappingFault) -> String? {
        guard let text = value(key) else { return nil }
        if case .value(_, let taking, _) = other.content, taking.isOfNumbers { return text }
        return try words.converted(text, conversions, field)
    }

    /// - Parameter isHidden: whether values are not for everybody.
    func findings(isHidden: Bool) -> [Finding] { faults.findings(of: table, file: file, isHidden: isHidden) }
}

extension ImportMapping.Other.Content {
    /// Whether a key means one row, which should be there.
    fileprivate var isOfOne: Bool {
        guard case .value(_, let taking, _) = self else { return false }
        return taking == .first || taking == .last || taking == .rank
    }
}
