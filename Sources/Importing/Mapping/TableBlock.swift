import Model

/// The area of one table on a sheet: the adjacent columns of its headings, and the rows from there
/// to the first one that is blank in these columns.
struct TableBlock {
    let columns: Range<Int>
    private(set) var rows: Range<Int>
    private var isOver = false

    /// - Parameter heading: only this table's columns have names in it.
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

    /// The column names of one table on a sheet, with those of other tables blanked: of the groups
    /// of adjacent names, the one with the most wanted names.
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
