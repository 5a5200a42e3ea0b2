import Counting
import Importing
import Model

/// What vouches for an import: for each column of the source how many cells hold something by an independent count, and what became of them.
struct ImportEvidence: Encodable, Sendable {
    struct Column: Encodable, Sendable {
        var name: String
        /// Cells that hold something, by the independent count; nil where it did not look at the table.
        var there: Int?
        var read: Int
        var left: Int
        var faulty: Int
        /// What the column's numbers add up to in the source, where the count covers it.
        var sum: Double?

        var isWhole: Bool { there.map { $0 == read + left + faulty } ?? true }
    }

    struct Table: Encodable, Sendable {
        var file: String
        var table: String
        var columns: [Column]
    }

    var tables: [Table] = []
    /// Files, or tables of them, that nothing here counts, and why, in English.
    var uncounted: [String: String] = [:]

    /// Throws `ImportFailure.gap` where what was read is not what is there.
    init(_ outcomes: [IndependentCount.Outcome], _ uses: [ColumnUse]) throws {
        for outcome in outcomes {
            if let reason = outcome.reason { uncounted[outcome.file] = reason }
            guard let comparison = outcome.comparison, let count = outcome.count else { continue }
            for table in comparison.uncounted { uncounted[outcome.file + " " + table.table] = table.reason }
            if let gap = comparison.gaps.first {
                throw ImportFailure.gap(
                    Place(file: outcome.file, sheet: gap.table), column: gap.columnName ?? gap.column.map(RawCells.columnName) ?? "—", what: gap.what.rawValue,
                    expected: Self.text(gap.expected), found: Self.text(gap.found), more: comparison.gaps.count - 1)
            }
            for use in uses where use.file == outcome.file { tables.append(Self.table(use, count, comparison)) }
        }
        for table in tables {
            guard let column = table.columns.first(where: { !$0.isWhole }) else { continue }
            throw ImportFailure.gap(
                Place(file: table.file, sheet: table.table), column: column.name, what: "filled", expected: String(column.there ?? 0),
                found: String(column.read + column.left + column.faulty), more: 0)
        }
    }

    private static func table(_ use: ColumnUse, _ count: SourceCount, _ comparison: CountComparison) -> Table {
        let counted = count.tables.first { $0.name == use.table } ?? (count.tables.count == 1 ? count.tables[0] : nil)
        let isCounted = !comparison.uncounted.contains { $0.table == use.table }
        let columns = use.columns.enumerated().map { place, column in
            var there: Int?
            if let counted, isCounted {
                let own = count.columnsByName ? counted.columns.first { $0.name == column.name } : place < counted.columns.count ? counted.columns[place] : nil
                there = own.map(\.filled) ?? (count.columnsByName ? nil : 0)
            }
            let sum = comparison.sums.first {
                $0.isCovered && $0.table == counted?.name && (count.columnsByName ? $0.columnName == column.name : $0.column == place)
            }
            return Column(name: column.name, there: there, read: column.read, left: column.left, faulty: column.faulty, sum: sum?.value)
        }
        return Table(file: use.file, table: use.table, columns: columns)
    }

    private static func text(_ value: Double) -> String { value == value.rounded() && abs(value) < 1e15 ? String(Int64(value)) : String(value) }
}
