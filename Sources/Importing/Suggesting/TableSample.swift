import Foundation
import Model

/// The first rows of a foreign table under their headings: what a suggestion looks at.
struct TableSample {
    struct Cell: Hashable {
        let text: String
        let kind: ForeignBatch.Kind
    }

    struct Column {
        /// As a mapping would name it: the heading, or the letters where the table has none; empty where only this column has none.
        let heading: String
        /// Nil for cells that are empty or blank.
        var cells: [Cell?] = []

        var filled: [Cell] { cells.compactMap(\.self) }
    }

    let name: String
    /// Whether the columns have names at all.
    let hasHeading: Bool
    private(set) var columns: [Column]
    private(set) var rows = 0

    private static let maximumRows = 300
    private static let headingRows = 30

    /// - Parameter isName: whether a text is a name of some field: the row with the most of them is the heading.
    init(_ table: ForeignTable, isName: (String) -> Bool) throws {
        name = table.name
        let heading = try Self.heading(table, isName)
        hasHeading = table.columns != nil || heading != nil
        columns = (heading?.names ?? table.columns ?? []).map { name in
            Column(heading: name.allSatisfy(\.isWhitespace) ? "" : name)
        }
        let source = try table.open()
        var batch = ForeignBatch()
        while rows < Self.maximumRows {
            try source.fill(&batch)
            guard batch.rowCount > 0 else { return }
            for index in 0..<batch.rowCount where table.columns != nil || batch.rows[index].number > (heading?.row ?? 0) {
                guard rows < Self.maximumRows else { return }
                take(ForeignRow(batch: batch, index: index), hasNames: table.columns != nil)
            }
        }
    }

    private mutating func take(_ row: ForeignRow, hasNames: Bool) {
        guard !row.isBlank else { return }
        for column in columns.count..<max(columns.count, hasHeading ? 0 : row.batch.width(row.index)) {
            columns.append(Column(heading: ColumnName.letters(column), cells: Array(repeating: nil, count: rows)))
        }
        for column in columns.indices {
            columns[column].cells.append(row.text(column).map { Cell(text: String($0.prefix(400)), kind: row.kind(column)) })
        }
        rows += 1
    }

    /// The row with at least two known names, else the one that looks like names.
    private static func heading(_ table: ForeignTable, _ isName: (String) -> Bool) throws -> (row: Int, names: [String])? {
        guard table.columns == nil else { return nil }
        var batch = ForeignBatch()
        try table.open().fill(&batch)
        var best = (count: 1, index: -1)
        for row in 0..<min(batch.rowCount, headingRows) {
            let count = (0..<batch.width(row)).count { column in batch.string(row, column).map(isName) ?? false }
            if count > best.count { best = (count, row) }
        }
        if best.index < 0 { best.index = HeaderGuess.guess(batch)?.index ?? -1 }
        guard best.index >= 0 else { return nil }
        return (batch.rows[best.index].number, (0..<batch.width(best.index)).map { batch.string(best.index, $0) ?? "" })
    }
}
