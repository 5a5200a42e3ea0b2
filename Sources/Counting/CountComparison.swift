package import Model

/// Compares a reader's counts with an independent count of the source. Without gaps and uncounted
/// tables, every filled cell of the source was read, and the covered sums are equal.
package struct CountComparison: Sendable, Hashable {
    package struct Gap: Sendable, Hashable {
        package enum What: String, Sendable, Hashable, Codable {
            /// A table that the reader returned, but that is not in the source.
            case table
            case rows
            /// Lines, each of which is a row or a rejected line.
            case lines
            case filled
            /// The number of cells, or texts, that are numbers.
            case numbers
            case sum
        }

        package var table: String
        /// Column counted from 0; nil for a gap of the whole table.
        package var column: Int?
        package var columnName: String?
        package var what: What
        /// The value in the source.
        package var expected: Double
        /// The value that the reader returned.
        package var found: Double
    }

    /// The sum of a numeric column, and whether it confirms the values.
    package struct Sum: Sendable, Hashable {
        package enum Cover: String, Sendable, Hashable, Codable {
            /// Cells that the file stores as numbers.
            case numbers
            /// Texts that are plainly a number.
            case texts
            /// Not covered: the column has days or times, which the file stores as numbers. Only
            /// the number of cells is compared.
            case dates
            /// Not covered: the sum is not finite.
            case beyond
        }

        package var table: String
        package var column: Int
        package var columnName: String?
        package var cover: Cover
        package var count: Int
        package var value: Double

        package var isCovered: Bool { cover == .numbers || cover == .texts }
    }

    package private(set) var gaps: [Gap] = []
    /// The sums of all columns that have numbers.
    package private(set) var sums: [Sum] = []
    /// Tables that could not be counted, with the reasons.
    package private(set) var uncounted: [SourceCount.Uncounted] = []
    /// Tables of the source that are not blank, but that were not requested from the reader.
    package private(set) var unread: [String] = []

    /// Largest difference of equal sums, as a share of the column's sum of absolute values.
    private static let tolerance = 1e-9

    /// - Parameter reader: `TableTally.count` of each table that was read.
    package init(reader: [TableCount], source: SourceCount) {
        uncounted = source.uncounted.filter { one in reader.contains { $0.name == one.table } }
        var left = source.tables
        for table in reader {
            if source.uncounted.contains(where: { $0.table == table.name }) { continue }
            let place =
                left.firstIndex { $0.name == table.name }
                ?? (reader.count == source.tables.count && source.uncounted.isEmpty ? left.indices.first : nil)
            guard let place else {
                gaps.append(Gap(table: table.name, what: .table, expected: 0, found: Double(table.rows ?? 0)))
                continue
            }
            compare(table, left.remove(at: place), source)
        }
        unread = left.filter { table in table.columns.contains { $0.filled > 0 } }.map(\.name)
    }

    private mutating func compare(_ reader: TableCount, _ source: TableCount, _ count: SourceCount) {
        if let rows = source.rows, let given = reader.rows { note(rows, given, .rows, reader.name) }
        if let lines = source.lines, let given = reader.lines { note(lines, given, .lines, reader.name) }
        if count.columnsByName {
            let (given, there) = (Self.byName(reader), Self.byName(source))
            for name in Set(given.keys).union(there.keys).sorted() where !count.leavesOut(name, of: source.name) {
                let given = given[name]
                compare(
                    given?.column ?? .init(), there[name]?.column ?? .init(name: name), reader.name, given?.place, count
                )
            }
        } else {
            for place in 0..<max(reader.columns.count, source.columns.count) {
                let given = place < reader.columns.count ? reader.columns[place] : .init()
                let there =
                    place < source.columns.count ? source.columns[place] : .init(numbers: .init(), textNumbers: .init())
                compare(given, there, reader.name, place, count)
            }
        }
    }

    /// A document may have several columns of the same name, which are compared as one.
    private static func byName(_ table: TableCount) -> [String: (place: Int, column: TableCount.Column)] {
        table.columns.enumerated().reduce(into: [:]) { found, next in
            let name = next.element.name ?? ""
            found[name] = (
                found[name]?.place ?? next.offset, found[name].map { $0.column.with(next.element) } ?? next.element
            )
        }
    }

    private mutating func compare(
        _ reader: TableCount.Column, _ source: TableCount.Column, _ table: String, _ place: Int?, _ count: SourceCount
    ) {
        let name = reader.name ?? source.name
        note(source.filled, reader.filled, .filled, table, place, name)
        if let numbers = source.numbers {
            let given = reader.numbers ?? .init()
            let hasDates = count.datesAreNumbers && (reader.dates > 0 || source.dates > 0)
            let isSame = note(
                numbers.count + (hasDates ? source.dates : 0), given.count + (hasDates ? reader.dates : 0), .numbers,
                table, place, name)
            if isSame { compare(given, numbers, hasDates ? .dates : .numbers, table, place, name) }
        }
        if let numbers = source.textNumbers {
            let given = reader.textNumbers ?? .init()
            if note(numbers.count, given.count, .numbers, table, place, name) {
                compare(given, numbers, .texts, table, place, name)
            }
        }
    }

    private mutating func compare(
        _ reader: TableCount.Numbers, _ source: TableCount.Numbers, _ cover: Sum.Cover, _ table: String, _ place: Int?,
        _ name: String?
    ) {
        guard source.count > 0 else { return }
        let isFinite = source.sum.isFinite && source.size.isFinite && reader.sum.isFinite && reader.size.isFinite
        let cover = isFinite || cover == .dates ? cover : .beyond
        sums.append(
            Sum(
                table: table, column: place ?? -1, columnName: name, cover: cover, count: source.count,
                value: source.sum))
        guard cover == .numbers || cover == .texts else { return }
        let room = Self.tolerance * source.size
        if abs(reader.sum - source.sum) > room || abs(reader.size - source.size) > room {
            gaps.append(
                Gap(table: table, column: place, columnName: name, what: .sum, expected: source.sum, found: reader.sum))
        }
    }

    /// Records a gap if the two numbers differ; returns whether they are equal.
    @discardableResult
    private mutating func note(
        _ expected: Int, _ found: Int, _ what: Gap.What, _ table: String, _ place: Int? = nil, _ name: String? = nil
    ) -> Bool {
        if expected == found { return true }
        gaps.append(
            Gap(
                table: table, column: place, columnName: name, what: what, expected: Double(expected),
                found: Double(found)))
        return false
    }
}

/// The contents of a source, counted in a simple pass over it, table by table in the file's order.
package struct SourceCount: Sendable, Hashable, Codable {
    /// A table of the source that was not counted.
    package struct Uncounted: Sendable, Hashable, Codable {
        package var table: String
        /// Reason in English.
        package var reason: String

        package init(table: String, reason: String) { (self.table, self.reason) = (table, reason) }
    }

    package var tables: [TableCount]
    package var uncounted: [Uncounted] = []
    /// Whether the format stores or displays days and times as numbers, like workbooks. Then only
    /// the total number of dates and numbers is compared, and no sum of a column with dates.
    package var datesAreNumbers = false
    /// Whether columns are identified by name rather than by position.
    package var columnsByName = false

    /// Columns of the source that were not counted, by table.
    package var uncountedColumns: [String: Set<String>] = [:]

    /// Whether a column is left out of the comparison. Either it was not counted, or an XML row
    /// copies it from an enclosing element (`../@codigo`), in whose table it is counted.
    package func leavesOut(_ column: String, of table: String) -> Bool {
        column.hasPrefix("..") || uncountedColumns[table]?.contains(column) ?? false
    }

    package init(
        tables: [TableCount], uncounted: [Uncounted] = [], datesAreNumbers: Bool = false, columnsByName: Bool = false
    ) {
        self.tables = tables
        self.uncounted = uncounted
        self.datesAreNumbers = datesAreNumbers
        self.columnsByName = columnsByName
    }
}
