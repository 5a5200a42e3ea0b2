import Model

/// Which part of a sheet one of its tables is: the columns of its headings, which stand side by side, and the rows from there to the first
/// that is blank in them.
struct TableBlock {
    let columns: Range<Int>
    private(set) var rows: Range<Int>
    private var isOver = false

    /// - Parameter heading: of which only this table's columns have names.
    init(_ heading: Heading) {
        let named = heading.names.indices.filter { !heading.names[$0].allSatisfy(\.isWhitespace) }
        columns = (named.first ?? 0)..<(named.last.map { $0 + 1 } ?? 0)
        rows = heading.row..<heading.row + 1
    }

    /// Whether the row that is next is one of the table's; rows are asked for from the top.
    mutating func takes(_ row: Int, isFilled: (Int) -> Bool) -> Bool {
        guard !isOver, row >= rows.upperBound else { return false }
        guard row == rows.upperBound, columns.contains(where: isFilled) else {
            isOver = true
            return false
        }
        rows = rows.lowerBound..<row + 1
        return true
    }

    /// The names of one table of a sheet, those of others blanked: of the names that stand side by side those among which most are wanted.
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
