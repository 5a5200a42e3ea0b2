import Model

/// Finds the row of an external table that names its columns.
struct HeadingSearch {
    private let table: ForeignTable
    private let header: ImportMapping.Header
    /// Whether the table is one of several on its sheet: then only its own columns are named.
    private let isBlock: Bool

    /// How many rows are searched; one of several tables on a sheet may begin far down.
    private var reach: Int { isBlock ? 10_000 : 30 }

    /// The number of columns of the widest sheet (ECMA-376: `XFD`). A table without headings names
    /// its columns by their letters.
    private static let widest = 16_384

    /// - Parameter part: the part of the mapping that reads the table. If nil, one of the first
    ///   rows is the heading.
    init(_ table: ForeignTable, _ part: ImportMapping.Table? = nil) {
        (self.table, header, isBlock) = (table, part?.header ?? .auto, part?.isBlock ?? false)
    }

    /// Finds the names of the columns: those that the file itself declares, else the row that the
    /// mapping gives. Otherwise it is the first row with the most wanted columns. The row above is
    /// added if both together name more (`Límites` over `LL`, `LP`, `IP`, beside merged cells of
    /// both rows).
    ///
    /// - Parameter wanted: names in the form of `ColumnName.normal`.
    func heading(wanting wanted: Set<String>) throws -> Heading {
        if let columns = table.columns { return Heading(row: 0, names: columns) }
        if header == .none { return Heading(row: 0, names: (0..<Self.widest).map(ColumnName.letters)) }
        if case .rows(let numbers) = header { return try heading(over: numbers, wanted) }
        let rows = try table.open()
        var batch = ForeignBatch()
        var best = (score: 0, heading: Heading(row: 0, names: []))
        var looked = 0
        var above: [String] = []
        while true {
            try rows.fill(&batch)
            guard batch.rowCount > 0 else { return best.heading }
            for row in 0..<batch.rowCount {
                var names = (0..<batch.width(row)).map { batch.string(row, $0) ?? "" }
                if isBlock { names = TableBlock.names(names, wanting: wanted).names }
                let heading = Heading(row: batch.rows[row].number, names: names)
                if case .row(let number) = header {
                    if heading.row == number { return heading }
                    if heading.row > number { return best.heading }
                } else {
                    guard looked < reach, best.score < wanted.count else { return best.heading }
                    looked += 1
                    let isDouble = !isBlock && HeadingLines.isSpread(above, over: names)
                    for heading in isDouble ? [heading, Heading(row: heading.row, lines: [above, names])] : [heading] {
                        let score = heading.count(of: wanted)
                        if score > best.score { best = (score, heading) }
                    }
                    above = names
                }
            }
        }
    }

    private func heading(over numbers: ClosedRange<Int>, _ wanted: Set<String>) throws -> Heading {
        let rows = try table.open()
        var batch = ForeignBatch()
        var lines: [[String]] = []
        while true {
            try rows.fill(&batch)
            for row in 0..<batch.rowCount where numbers.contains(batch.rows[row].number) {
                lines.append((0..<batch.width(row)).map { batch.string(row, $0) ?? "" })
            }
            guard let last = batch.rows.last, last.number < numbers.upperBound else { break }
        }
        guard isBlock else { return Heading(row: numbers.upperBound, lines: lines) }
        let whole = HeadingLines.names(lines), lasts = HeadingLines.lastNames(lines)
        let (byAll, byLast) = (TableBlock.names(whole, wanting: wanted), TableBlock.names(lasts, wanting: wanted))
        let own = byAll.score >= byLast.score ? byAll.names : byLast.names
        return Heading(
            row: numbers.upperBound,
            lines: lines.map { $0.enumerated().map { own.indices.contains($0) && !own[$0].isEmpty ? $1 : "" } })
    }
}

extension ForeignTable {
    /// Calls the body with each row below the heading, or with every row if there is none.
    ///
    /// - Parameter blanks: texts that mean an empty value, as in `ForeignRow.blanks`.
    func forEachRow(after heading: Heading? = nil, blanks: Set<String> = [], _ body: (ForeignRow) throws -> Void) throws
    {
        let rows = try open()
        var batch = ForeignBatch()
        var tally = beginTally()
        while true {
            try rows.fill(&batch)
            tally.add(batch)
            guard batch.rowCount > 0 else { return }
            for index in 0..<batch.rowCount where columns != nil || batch.rows[index].number > (heading?.row ?? .min) {
                try body(ForeignRow(batch: batch, index: index, blanks: blanks, naming: rows as? any CellNaming))
            }
        }
    }
}

/// Joins headings of several rows, where a word in the upper row may apply to several columns
/// below.
package enum HeadingLines {
    /// All heading cells above each column, from the top: `PROFUNDIDAD (m) De`.
    package static func names(_ lines: [[String]]) -> [String] {
        let spread = spread(lines)
        return (0..<(spread.map(\.count).max() ?? 0)).map { column in
            var parts: [String] = []
            for line in spread
            where line.indices.contains(column) && !line[column].isEmpty && parts.last != line[column] {
                parts.append(line[column])
            }
            return parts.joined(separator: " ")
        }
    }

    /// The lowest word of each column.
    package static func lastNames(_ lines: [[String]]) -> [String] {
        let width = lines.map(\.count).max() ?? 0
        return (0..<width).map { column in
            lines.last { $0.indices.contains(column) && !$0[column].allSatisfy(\.isWhitespace) }?[column] ?? ""
        }
    }

    /// Whether a word of the upper line covers several words of the lower one, as in a heading of
    /// two lines. If not, the upper line is a line of details above the heading (`Laboratorio`,
    /// `GEONORTE`).
    static func isSpread(_ upper: [String], over lower: [String]) -> Bool {
        func word(_ line: [String], _ column: Int) -> Bool {
            line.indices.contains(column) && !line[column].allSatisfy(\.isWhitespace)
        }
        return lower.indices.dropLast().contains { column in
            word(upper, column) && word(lower, column) && !word(upper, column + 1) && word(lower, column + 1)
        }
    }

    /// Extends upper words to the right: a merged cell has its word in its first column only, so
    /// the word applies to every following column that has a word only below.
    private static func spread(_ lines: [[String]]) -> [[String]] {
        var lines = lines.map { $0.map { $0.allSatisfy(\.isWhitespace) ? "" : $0 } }
        for upper in lines.indices.dropLast() {
            let below = lines[upper + 1]
            for column in below.indices where !below[column].isEmpty && column > 0 {
                while lines[upper].count <= column { lines[upper].append("") }
                // The word is extended only if the column to the left also has a word below.
                // Otherwise this is a separate column.
                if lines[upper][column].isEmpty, below[column - 1].isEmpty == false {
                    lines[upper][column] = lines[upper][column - 1]
                }
            }
        }
        return lines
    }
}

/// The area of one table on a sheet: the adjacent columns of its headings, and the rows from the
/// headings to the first one that is blank in these columns.
struct TableBlock {
    let columns: Range<Int>
    private(set) var rows: Range<Int>
    private var isOver = false

    /// - Parameter heading: contains the names of this table's columns, and no others.
    init(_ heading: Heading) {
        let named = heading.names.indices.filter { !heading.names[$0].allSatisfy(\.isWhitespace) }
        columns = (named.first ?? 0)..<(named.last.map { $0 + 1 } ?? 0)
        rows = heading.row..<heading.row + 1
    }

    /// Whether the next row belongs to the table; must be called for rows from the top down.
    mutating func takes(_ row: Int, isFilled: (Int) -> Bool) -> Bool {
        guard !isOver, row >= rows.upperBound else { return false }
        guard row == rows.upperBound, columns.contains(where: isFilled) else {
            isOver = true
            return false
        }
        rows = rows.lowerBound..<row + 1
        return true
    }

    /// The column names of one table on a sheet; names of other tables are blanked. Of the groups
    /// of adjacent names, the one with the most wanted names is chosen.
    static func names(_ names: [String], wanting wanted: Set<String>) -> (names: [String], score: Int) {
        var best = (range: 0..<0, score: 0)
        var start: Int?
        func end(_ column: Int) {
            guard let first = start else { return }
            let score = Set(names[first..<column].map(ColumnName.normal)).count(where: wanted.contains)
            if score > best.score { best = (first..<column, score) }
            start = nil
        }
        for (column, name) in names.enumerated() {
            if name.allSatisfy(\.isWhitespace) { end(column) } else if start == nil { start = column }
        }
        end(names.count)
        return (names.indices.map { best.range.contains($0) ? names[$0] : "" }, best.score)
    }
}
