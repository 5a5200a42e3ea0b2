import Counting
import Foundation
import Importing
import Model
import Replica

/// The evidence that an import is complete: for each column of the source, the number of filled
/// cells by an independent count, and what became of the cells.
struct ImportEvidence: Encodable, Sendable {
    struct Column: Encodable, Sendable {
        var name: String
        /// Number of filled cells in the source, by the independent count; nil if the table was not
        /// counted.
        var there: Int?
        var read = 0
        var left = 0
        var faulty = 0
        /// The sum of the column's numbers in the source, if the count covers it.
        var sum: Double?

        var isWhole: Bool { there.map { $0 == read + left + faulty } ?? true }
    }

    struct Table: Encodable, Sendable {
        var file: String
        var table: String
        var columns: [Column]
    }

    var tables: [Table] = []
    /// Files, or tables of them, that were not counted, and the reason, in English.
    var uncounted: [String: String] = [:]
    /// Findings about files or tables that could have been counted and were not.
    private(set) var findings: [Finding] = []
    /// Fields whose column was counted, with the counted column.
    private var fields: [(use: FieldUse, there: TableCount.Column)] = []

    private enum CodingKeys: CodingKey { case tables, uncounted }

    /// Throws `ImportFailure.gap` if the cells that were read differ from the count.
    init(_ outcomes: [IndependentCount.Outcome], _ uses: [ColumnUse]) throws {
        for outcome in outcomes {
            let uses = uses.filter { $0.file == outcome.file }
            // A file that no part of a mapping reads need not be reported.
            if let reason = outcome.reason, !outcome.given.isEmpty { leave(outcome.file, nil, reason) }
            for table in outcome.comparison?.uncounted ?? [] { leave(outcome.file, table.table, table.reason) }
            if let gap = outcome.comparison?.gaps.first {
                throw ImportFailure.gap(
                    Place(file: outcome.file, sheet: gap.table),
                    column: gap.columnName ?? gap.column.map(RawCells.columnName) ?? "—", what: gap.what.rawValue,
                    expected: Self.text(gap.expected), found: Self.text(gap.found),
                    more: (outcome.comparison?.gaps.count ?? 1) - 1)
            }
            // Every table with a mapping must have been read to its end.
            if let use = uses.first(where: { use in !outcome.given.contains { $0.name == use.table } }) {
                let there = outcome.counted(use.table)?.columns.reduce(0) { $0 + $1.filled }
                throw ImportFailure.gap(
                    Place(file: use.file, sheet: use.table), column: "—", what: "filled",
                    expected: there.map(String.init) ?? "?", found: "0", more: 0)
            }
            tables += uses.map { Self.table($0, outcome) }
            for use in uses {
                fields += use.fields.compactMap { field in outcome.numbers(of: field, use).map { (field, $0) } }
            }
        }
        for table in tables {
            guard let column = table.columns.first(where: { !$0.isWhole }) else { continue }
            throw ImportFailure.gap(
                Place(file: table.file, sheet: table.table), column: column.name, what: "filled",
                expected: String(column.there ?? 0),
                found: String(column.read + column.left + column.faulty), more: 0)
        }
    }

    /// Adds the source's counted sum to each sum that the count covers; fields for which no row
    /// could be converted get a new entry.
    func cover(_ sums: inout [ImportSum]) {
        // Columns or tables that cannot be distinguished afterwards get no sums.
        for (use, there) in fields where fields.count(where: { $0.use.isSame(as: use) }) == 1 {
            guard let place = sums.firstIndex(where: { use.isSame(as: $0) }) ?? Self.added(use, there, to: &sums) else {
                continue
            }
            // Numbers are counted as cells or as texts, depending on the kind of file.
            let (cells, texts) = (there.numbers != nil, there.textNumbers != nil)
            func side(_ numbers: FieldUse.Numbers) -> ImportSum.Side {
                .init(
                    count: (cells ? numbers.cells.count : 0) + (texts ? numbers.texts.count : 0),
                    sum: (cells ? numbers.cells.sum : 0) + (texts ? numbers.texts.sum : 0))
            }
            let taken = side(use.taken)
            // The count covers plain numbers only.
            guard !use.isUnsure, sums[place].converted.count <= taken.count else { continue }
            sums[place].source = .init(
                count: (there.numbers?.count ?? 0) + (there.textNumbers?.count ?? 0),
                sum: (there.numbers?.sum ?? 0) + (there.textNumbers?.sum ?? 0))
            sums[place].leftOut = side(use.aside)
        }
    }

    private static func added(_ use: FieldUse, _ there: TableCount.Column, to sums: inout [ImportSum]) -> Int? {
        guard let entity = use.place.table, (there.numbers?.count ?? 0) + (there.textNumbers?.count ?? 0) > 0 else {
            return nil
        }
        sums.append(
            ImportSum(
                entity: entity, field: use.field, file: use.place.file, sheet: use.place.sheet,
                mapping: use.place.mapping))
        return sums.count - 1
    }

    private mutating func leave(_ file: String, _ table: String?, _ reason: String) {
        let name = [file] + (table.map { [$0] } ?? [])
        uncounted[name.joined(separator: " ")] = reason
        findings.append(
            Finding(
                "IMPORT-UNCOUNTED", place: Place(file: file, sheet: table),
                arguments: [
                    "name": ([URL(fileURLWithPath: file).lastPathComponent] + name.dropFirst()).joined(separator: " "),
                    "reason": reason,
                ]))
    }

    /// The evidence of a table: every column that was counted or read.
    private static func table(_ use: ColumnUse, _ outcome: IndependentCount.Outcome) -> Table {
        let counted = outcome.counted(use.table)
        let columns =
            outcome.count?.columnsByName ?? false ? byName(use, counted, outcome) : byPlace(use, counted, outcome)
        return Table(file: use.file, table: use.table, columns: columns)
    }

    private static func byPlace(_ use: ColumnUse, _ counted: TableCount?, _ outcome: IndependentCount.Outcome)
        -> [Column]
    {
        (0..<max(use.columns.count, counted?.columns.count ?? 0)).map { place in
            let own = place < use.columns.count ? use.columns[place] : nil
            let there = counted.map { place < $0.columns.count ? $0.columns[place].filled : 0 }
            return Column(
                name: own?.name ?? RawCells.columnName(place), there: there, read: own?.read ?? 0, left: own?.left ?? 0,
                faulty: own?.faulty ?? 0,
                sum: outcome.sum(of: use.table) { $0.column == place }?.sum)
        }
    }

    private static func byName(_ use: ColumnUse, _ counted: TableCount?, _ outcome: IndependentCount.Outcome)
        -> [Column]
    {
        var columns: [Column] = []
        for own in use.columns {
            // A document may have several columns with one name.
            let place = columns.firstIndex { $0.name == own.name } ?? columns.count
            if place == columns.count { columns.append(Column(name: own.name)) }
            columns[place].read += own.read
            columns[place].left += own.left
            columns[place].faulty += own.faulty
        }
        guard let counted else { return columns }
        for name in counted.columns.compactMap(\.name)
        where !name.isEmpty && !columns.contains(where: { $0.name == name }) {
            columns.append(Column(name: name))
        }
        for place in columns.indices where !(outcome.count?.leavesOut(columns[place].name, of: counted.name) ?? true) {
            let name = columns[place].name
            columns[place].there = counted.columns.filter { $0.name == name }.reduce(0) { $0 + $1.filled }
            columns[place].sum = outcome.sum(of: use.table) { $0.columnName == name }?.sum
        }
        return columns
    }

    private static func text(_ value: Double) -> String {
        value == value.rounded() && abs(value) < 1e15 ? String(Int64(value)) : String(value)
    }
}

extension FieldUse {
    fileprivate func isSame(as other: FieldUse) -> Bool { place == other.place && field == other.field }

    fileprivate func isSame(as sum: ImportSum) -> Bool {
        (place.table, place.file, place.sheet, place.mapping) == (sum.entity, sum.file, sum.sheet, sum.mapping)
            && field == sum.field
    }
}
